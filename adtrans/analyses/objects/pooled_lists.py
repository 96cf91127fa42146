"""Lists that are followed as a whole: all their items are one, and each may be taken from it."""

from __future__ import annotations

from adtrans.analyses.objects.displays import is_plain as is_simple
from adtrans.analyses.objects.displays import (
    item_of,
    key_of,
    name_of,
    only_counts,
    ranges,
    sources,
)
from adtrans.analyses.objects.followed_containers import Containers
from adtrans.analyses.objects.following import reason
from adtrans.analyses.objects.indistinct_objects import ITEMS
from adtrans.analyses.objects.model import NONE, OTHER, Key
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
                found = self.items_of(s, held) if cut else self.held_in(held, self.under(s.items))
                self.add(s.target, found | (self.parts({base}) - {OTHER}))
            case S.Store(base=base, value=value) if held := self.lists(base):
                for i in s.items:
                    self.lose_names(names_in(i), "it is used as a key")
                if any(isinstance(i, E.Slice) for i in s.items):
                    self.into_all(held, value)
                else:
                    self.into(held, {value}, self.under(s.items) or ITEMS)
            case S.Update(base=base, items=None, value=value) if held := self.lists(base):
                self.into_all(held, value)
            case S.Edit(base=base, target=target, op=op, args=args) if held := self.lists(base):
                return self.edited(s, target, op, args, held)
            case S.Bind(value=E.Attribute(base=E.Name(id=base), attr=attr)) if (
                held := {k for k in self.lists(base) if f".{attr}" in self.names_in(k)}
            ):
                self.add(s.target, self.held_in(held, f".{attr}"))
                self.lose(self.lists(base) - held, f"`{attr}` of it is read")
            case S.Pack(cls=E.Ref(value=cls), items=items):
                fields: tuple[str, ...] = getattr(cls, "_fields", ())
                made: Key = ("list", self.o.home, s.span)
                for name, k, i in zip(fields, range(len(items)), items, strict=True):
                    self.touch(i)
                    for attr in (f".{name}", name_of(k)):
                        self.add_content(made, attr, self.put_there(i))
                self.add(s.target, {made, *self.parts(reads_of(s))} - {OTHER})
            case S.Bind(
                target=target,
                value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr=op), args=given, kwargs=()),
            ) if held := self.lists(base):
                args = tuple(a for a in given if isinstance(a, E.Name | E.Const | E.Ref))
                return len(args) == len(given) and self.edited(s, target, op, args, held)
            case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Name(id=var),))) if (
                fn is len and self.lists(var)
            ):
                self.add(s.target, {OTHER})
            case S.Bind(value=E.Binary(op="+", left=E.Name(id=a), right=E.Name(id=b))) if (
                self.lists(a) and self.lists(b)
            ):
                self.add(s.target, self.items_of(s, self.lists(a) | self.lists(b)))
            case S.Unpack(source=source) if held := self.lists(source):
                for k, v in enumerate(s.targets):
                    at = name_of(k) if s.star is None else None
                    rest = k == s.star
                    self.add(v, self.items_of(s, held) if rest else self.held_in(held, at))
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
                self.go_over(s.target, s.iter, self.parts(reads_of(s)))
                others = [v for v in sources(s.iter) if not self.lists(v)]
                self.lose_names(set(others), reason(s))
            case _:
                return False
        return True

    def go_over(self, target: S.Target, it: S.Iter, other: set[Key]) -> None:
        """What a loop binds its target to; `other`: what no list holds."""
        match target, it:
            case _, S.Elements(source=source):
                held = self.lists(source)
                self.bind_to(target, self.held_in(held) if held else other, other)
            case _, S.Reversed(inner=inner):
                self.go_over(target, inner, other)
            case (first, rest), S.Enumerate(inner=inner):
                self.bind_to(first, other, other)
                self.go_over(rest, inner, other)
            case tuple(), S.Zip(inners=inners) if len(target) == len(inners):
                for t, inner in zip(target, inners, strict=True):
                    self.go_over(t, inner, other)
            case str(), S.Enumerate() | S.Zip():  # pairs, or more
                every = [k for v in sources(it) for k in self.held_in(self.lists(v))]
                self.lose(set(every), "a loop gives it in a tuple")
                self.add(target, other)
            case _:
                self.bind_to(target, other, other)

    def bind_to(self, target: S.Target, keys: set[Key], other: set[Key]) -> None:
        """The target of a loop gets one of these; a tuple of names what they hold."""
        if isinstance(target, str):
            self.add(target, keys)
            return
        lists = {k for k in keys if k[0] == "list"}
        for k, t in enumerate(target):
            held = self.held_in(lists, name_of(k))
            self.bind_to(t, held | (other if lists != keys else set()), other)

    def items_of(self, s: S.Stmt, lists: set[Key]) -> set[Key]:
        """A list of items of these, which are under other keys there."""
        made: Key = ("list", self.o.home, s.span)
        moved = {k for k in lists if self.names_in(k) - {ITEMS}}
        if not moved:
            return lists
        self.add_content(made, ITEMS, self.held_in(moved))
        return {made} | (lists - moved)

    def under(self, items: tuple[E.Expr, ...]) -> str | None:
        """The item that a subscript means; None where it may be several, as `[-1]` of tuples."""
        attr = item_of(items)
        at = None if attr is None else key_of(attr)
        return None if isinstance(at, int) and at < 0 else attr

    def sized(self, e: E.Expr) -> E.Expr:
        """An expression without the lists whose length is asked, and nothing else."""
        match e:
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=v),)) if fn is len and self.lists(v):
                return E.Const(0)
            case _:
                return rebuild(e, self.sized)

    def into(self, lists: set[Key], values: set[E.Atom], attr: str = ITEMS) -> None:
        """Something is put into lists."""
        for v in values:
            self.touch(v)
            for k in lists:
                self.add_content(k, attr, self.put_there(v))

    def into_all(self, lists: set[Key], value: E.Expr) -> None:
        """The items of another list are put into lists."""
        others = self.o.shared_values(value)
        for k in lists:
            self.add_content(k, ITEMS, self.held_in(set(others)) if others else {OTHER})
        if not others:
            self.lose(self.o.values_of(value), "its items are put into a list")

    def edited(
        self, s: S.Stmt, target: str | None, op: str, args: tuple[E.Atom, ...], lists: set[Key]
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
                known = self.under(args[:1]) if args and op != "pop" else None
                if len(args) > 1:
                    self.into(lists, {args[1]}, known or ITEMS)
                self.add(target, self.held_in(lists, known))
                if op == "get" and len(args) == 1 and target is not None:
                    self.add(target, {NONE})
            case "argsort" | "argmax" | "argmin":
                self.lose(self.inside(lists), "it is put in order, by a method of its own")
                self.add(target, {OTHER})
            case "clear" | "reverse" | "keys" | "__delitem__":
                self.add(target, {OTHER})
            case "remove" | "index" | "count" if args and self.told_by_identity(args[0], lists):
                self.add(target, {OTHER})
            case "copy":
                self.add(target, lists)
            case "items" if not args:
                pair: Key = ("list", self.o.home, s.span, "pair")
                view: Key = ("list", self.o.home, s.span, "items")
                self.add_content(pair, name_of(0), {OTHER})
                self.add_content(pair, name_of(1), self.held_in(lists))
                self.add_content(view, ITEMS, {pair})
                self.add(target, {view})
            case "list" | "repeat" | "take" | "freeze" | "concat" | "values":
                more = {k for a in args for k in self.o.shared_values(a) if k[0] == "list"}
                if op == "concat" and not more:
                    return False
                self.add(target, self.items_of(s, lists | more))
            case _:
                return False
        return True

    def inside(self, lists: set[Key]) -> set[Key]:
        """The objects in lists, and in what these hold."""
        found: set[Key] = set()
        seen: set[Key] = set()
        waiting = [*lists]
        while waiting:
            k = waiting.pop()
            if k in seen:
                continue
            seen.add(k)
            if k[0] == "list":
                waiting += self.held_in({k})
            elif self.o.one(k) in self.o.classes:
                found.add(k)
        return found

    def told_by_identity(self, value: E.Atom, lists: set[Key]) -> bool:
        """Whether looking for an object in lists compares which ones these are, nothing else."""
        keys = self.o.values_of(value) | self.held_in(lists)
        classes = [self.o.classes.get(self.o.one(k)) for k in keys if k not in (OTHER, NONE)]
        found = OTHER not in keys and None not in classes
        return found and all(getattr(cls, "__eq__", None) is object.__eq__ for cls in classes)
