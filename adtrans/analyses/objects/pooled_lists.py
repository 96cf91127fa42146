"""Lists that are followed as a whole: all their items are one, and each may be taken from it."""

from __future__ import annotations

from adtrans.analyses.objects.containers import Containers
from adtrans.analyses.objects.displays import is_plain as is_simple
from adtrans.analyses.objects.displays import only_counts, ranges, sources
from adtrans.analyses.objects.following import reason
from adtrans.analyses.objects.model import NONE, OTHER, Key
from adtrans.analyses.objects.pools import ITEMS
from adtrans.analyses.objects.turns import elements
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, names_in, reads_of, rebuild


class PooledLists(Containers):
    """The part of the inference that concerns lists with whatever length (see `pools`)."""

    def of_list(self, s: S.Stmt) -> bool:
        """A statement about lists that may hold objects of a pool; False for any other."""
        match s:
            case S.Load(base=base) if held := self.lists(base):
                for i in s.items:
                    self.lose_names(names_in(i), "it is used as an index")
                cut = any(isinstance(i, E.Slice) for i in s.items)
                found = held if cut else self.held_in(held)
                self.add(s.target, found | (self.parts({base}) - {OTHER}))
            case S.Store(base=base, value=value) if held := self.lists(base):
                for i in s.items:
                    self.lose_names(names_in(i), "it is used as a key")
                if any(isinstance(i, E.Slice) for i in s.items):
                    self.into_all(held, value)
                else:
                    self.into(held, {value})
            case S.Update(base=base, items=None, value=value) if held := self.lists(base):
                self.into_all(held, value)
            case S.Edit(base=base, target=target, op=op, args=args) if held := self.lists(base):
                return self.edited(target, op, args, held)
            case S.Bind(
                target=target,
                value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr=op), args=given, kwargs=()),
            ) if held := self.lists(base):
                args = tuple(a for a in given if isinstance(a, E.Name | E.Const | E.Ref))
                return len(args) == len(given) and self.edited(target, op, args, held)
            case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Name(id=var),))) if (
                fn is len and self.lists(var)
            ):
                self.add(s.target, {OTHER})
            case S.Bind(value=E.Binary(op="+", left=E.Name(id=a), right=E.Name(id=b))) if (
                self.lists(a) and self.lists(b)
            ):
                self.add(s.target, self.lists(a) | self.lists(b))
            case S.Unpack(source=source) if held := self.lists(source):
                for k, v in enumerate(s.targets):
                    self.add(v, held if k == s.star else self.held_in(held))
            case S.For(iter=it) if any(map(self.lists, reads_of(s))) and only_counts(it):
                bounds = (self.sized(e) for r in ranges(it) for e in (r.start, r.stop, r.step))
                more = names_in(E.Sequence("tuple", tuple(bounds)))
                if any(map(self.lists, more)):
                    return False
                self.lose_names(more, reason(s))
                for v in binds_of(s):
                    self.add(v, {OTHER})
            case S.For() if any(map(self.lists, sources(s.iter))) and is_simple(s.iter):
                self.o.loops.discard(s.site)
                for name, of in elements(s.target, s.iter, {}):
                    held = self.lists(of) if of else set()
                    other = set() if held else self.parts(reads_of(s))
                    self.add(name or None, self.held_in(held) | other)
                named = {v for v, _ in elements(s.target, s.iter, {})}
                for v in set(binds_of(s)) - named:
                    self.add(v, self.parts(reads_of(s)))
                others = [v for v in sources(s.iter) if not self.lists(v)]
                self.lose_names(set(others), reason(s))
            case _:
                return False
        return True

    def sized(self, e: E.Expr) -> E.Expr:
        """An expression without the lists whose length is asked, and nothing else."""
        match e:
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=v),)) if fn is len and self.lists(v):
                return E.Const(0)
            case _:
                return rebuild(e, self.sized)

    def into(self, lists: set[Key], values: set[E.Atom]) -> None:
        """Something is put into lists."""
        for v in values:
            self.touch(v)
            for k in lists:
                self.add_content(k, ITEMS, self.put_there(v))

    def into_all(self, lists: set[Key], value: E.Expr) -> None:
        """The items of another list are put into lists."""
        others = self.o.shared_values(value)
        for k in lists:
            self.add_content(k, ITEMS, self.held_in(set(others)) if others else {OTHER})
        if not others:
            self.lose(self.o.values_of(value), "its items are put into a list")

    def edited(
        self, target: str | None, op: str, args: tuple[E.Atom, ...], lists: set[Key]
    ) -> bool:
        """An operation of lists, or dictionaries; False for one that is not known."""
        match op:
            case "append" | "insert" | "appendleft" if args:
                self.into(lists, {args[-1]})
                self.add(target, {OTHER})
            case "extend" | "splice" if args:
                self.into_all(lists, args[-1])
                self.add(target, {OTHER})
            case "pop" | "popleft" | "get" | "setdefault":
                if len(args) > 1:
                    self.into(lists, {args[1]})
                self.add(target, self.held_in(lists))
                if op == "get" and len(args) == 1 and target is not None:
                    self.add(target, {NONE})
            case "clear" | "reverse" | "argsort" | "keys" | "__delitem__":
                self.add(target, {OTHER})
            case "remove" | "index" | "count" if args and self.told_by_identity(args[0], lists):
                self.add(target, {OTHER})
            case "copy" | "list" | "repeat" | "take" | "freeze" | "concat" | "values":
                more = {k for a in args for k in self.o.shared_values(a) if k[0] == "list"}
                if op == "concat" and not more:
                    return False
                self.add(target, lists | more)
            case _:
                return False
        return True

    def told_by_identity(self, value: E.Atom, lists: set[Key]) -> bool:
        """Whether looking for an object in lists compares which ones these are, nothing else."""
        keys = self.o.values_of(value) | self.held_in(lists)
        classes = [self.o.classes.get(self.o.one(k)) for k in keys if k not in (OTHER, NONE)]
        found = OTHER not in keys and None not in classes
        return found and all(getattr(cls, "__eq__", None) is object.__eq__ for cls in classes)
