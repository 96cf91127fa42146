"""Operations that only dictionaries of `collections` have, spelled out as those of plain ones.

d = OrderedDict(e)         ->   d = edit e: dict(OrderedDict)
v = d[k]                   ->   t = k in d; if t: pass; else: d[k] = 0.0; v = d[k]   (a defaultdict)
v = c[k]                   ->   t = k in c; if t: v = c[k]; else: v = 0               (a Counter)
d.move_to_end(k)           ->   v = d[k]; edit d: remove(k); d[k] = v
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adtrans.analyses.dict_entries import Entries
from adtrans.analyses.kinds.dict_forms import counted, made_by
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import UNKNOWN, DictOf, Known


@dataclass(frozen=True)
class ClassEntries(Entries):
    """Rewrites the statements of one function that are about such dictionaries."""

    def made_of_class(self, s: S.Invoke, fn: E.Ref) -> Iterator[S.Stmt] | None:
        """`OrderedDict(...)`, `defaultdict(float, ...)`, `Counter(...)` of a dictionary."""
        if s.target is None or s.kwargs or any(isinstance(a, E.Star) for a in s.args):
            return None
        args = [self.kinds.expr(s.site, a) for a in s.args]
        if fn.value is Counter and len(args) == 1 and counted(args[0]) is not None:
            return self.counting(s, s.target, fn, s.args[0])
        factory = args[0].value if args and isinstance(args[0], Known) else UNKNOWN
        if made_by(fn.value, args, factory) is None:
            return None
        held = s.args[-1] if args and isinstance(args[-1], DictOf) else None
        if held is not None and not isinstance(held, E.Name):
            return None
        before = s.args if held is None else s.args[:-1]
        return self.of_class(s, s.target, (fn, *before), held)

    def of_class(
        self, s: S.Invoke, target: str, args: tuple[E.Atom, ...], held: E.Name | None
    ) -> Iterator[S.Stmt]:
        source = self.names.fresh("t") if held is None else held.id
        if held is None:
            yield S.Pack(source, "dict", (), **self.place(s))
        yield S.Edit(target, "dict", source, args, **S.place(s, s.site))

    def counting(
        self, s: S.Invoke, target: str, fn: E.Ref, items: E.Atom
    ) -> Iterator[S.Stmt]:
        """`Counter(items)`: one after the other."""
        assert isinstance(items, E.Name)
        item, before, after, empty = (self.names.fresh(n) for n in ("item", "t", "t", "t"))
        more = E.Binary("+", E.Name(before), E.Const(1))
        body: S.Block = (
            S.Load(before, target, (E.Name(item),), **self.place(s)),
            S.Bind(after, more, **self.place(s)),
            S.Store(target, (E.Name(item),), E.Name(after), **self.place(s)),
        )
        yield S.Pack(empty, "dict", (), **self.place(s))
        yield S.Edit(target, "dict", empty, (fn,), **S.place(s, s.site))
        yield S.For(item, S.Elements(items.id), body, **self.place(s))

    def lacking(self, s: S.Load) -> Iterator[S.Stmt] | None:
        """A read of a dictionary that makes what it lacks; None for any other."""
        kind = self.kinds.at(s.site, s.base)
        if not isinstance(kind, DictOf) or not kind.new or len(s.items) != 1:
            return None
        return self.made_there(s, s.items[0], kind)

    def made_there(self, s: S.Load, item: E.Expr, kind: DictOf) -> Iterator[S.Stmt]:
        key, there = item, self.names.fresh("t")
        if not isinstance(key, E.Name | E.Const | E.Ref):
            kept = self.names.fresh("key")
            yield S.Bind(kept, key, **self.place(s))
            key = E.Name(kept)
        yield S.Bind(there, E.Compare(key, ("in",), (E.Name(s.base),)), **self.place(s))
        load = replace(s, items=(key,), there=True, site=self.fresh_site())
        value = ast.literal_eval(kind.new)
        if kind.form == "Counter":
            none = S.Bind(s.target, E.Const(value), **self.place(s))
            yield S.If(E.Name(there), (load,), (none,), **S.place(s, s.site))
            return
        new: E.Atom = E.Const(value)
        fill: list[S.Stmt] = []
        if isinstance(value, list | dict):
            new = E.Name(self.names.fresh("t"))
            empty = S.Pack(new.id, "list", (), **self.place(s))
            fill.append(replace(empty, kind="dict") if isinstance(value, dict) else empty)
        fill.append(S.Store(s.base, (key,), new, **self.place(s)))
        yield S.If(E.Name(there), (), tuple(fill), **S.place(s, s.site))
        yield load

    def added(
        self, s: S.Bind, base: str, other: E.Expr | None, named: tuple[tuple[str, E.Expr], ...]
    ) -> Iterator[S.Stmt] | None:
        """`c.update(d, a=v)` of a `Counter`, which adds what it gets to what it has."""
        given = isinstance(other, E.Name) and other.id != base
        if other is not None and not given:
            return None
        kind = UNKNOWN if other is None else self.kinds.expr(s.site, other)
        if other is not None and not isinstance(kind, DictOf):
            return None
        words = [(k, v) for k, v in named if k and isinstance(v, E.Name | E.Const | E.Ref)]
        if len(words) < len(named) or not (other or words):
            return None
        return self.added_to(s, base, other if isinstance(other, E.Name) else None, words)

    def added_to(
        self, s: S.Bind, base: str, other: E.Name | None, words: list[tuple[str, E.Atom]]
    ) -> Iterator[S.Stmt]:
        if other is not None:
            yield from self.each_added(s, base, other)
        if words:
            more = self.names.fresh("t")
            yield S.Pack(more, "dict", (), **self.place(s))
            for k, v in words:
                yield S.Store(more, (E.Const(k),), v, **self.place(s))
            yield from self.each_added(s, base, E.Name(more))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **self.place(s))

    def each_added(self, s: S.Bind, base: str, other: E.Name) -> Iterator[S.Stmt]:
        """To one that holds nothing, nothing is added: -0.0 stays what it is."""
        size, item, there, new, old, both = (
            self.names.fresh(n) for n in ("size", "item", "t", "t", "t", "t")
        )
        key = E.Name(item)
        load = S.Load(old, base, (key,), there=True, **self.place(s))
        none = S.Bind(old, E.Const(0), **self.place(s))
        add = E.Binary("+", E.Name(new), E.Name(old))
        body: S.Block = (
            S.Load(new, other.id, (key,), there=True, **self.place(s)),
            S.Bind(there, E.Compare(key, ("in",), (E.Name(base),)), **self.place(s)),
            S.If(E.Name(there), (load,), (none,), **self.place(s)),
            S.Bind(both, add, **self.place(s)),
            S.Store(base, (key,), E.Name(both), **self.place(s)),
        )
        each = S.For(item, S.Elements(other.id), body, **self.place(s))
        plain = self.put_in(replace(s, target=self.names.fresh("t")), base, other.id, ())
        yield S.Bind(size, E.Call(E.Ref("len", len), (E.Name(base),)), **self.place(s))
        test = E.Compare(E.Name(size), (">",), (E.Const(0),))
        yield S.If(test, (each,), tuple(plain), **self.place(s))

    def of_ordered(
        self, s: S.Bind, base: str, e: E.Call, kind: DictOf
    ) -> Iterator[S.Stmt] | None:
        """`d.popitem(last=False)` and `d.move_to_end(k)` of an `OrderedDict`."""
        assert isinstance(e.fn, E.Attribute)
        words = dict(e.kwargs)
        count = {"popitem": 0, "move_to_end": 1}.get(e.fn.attr)
        if kind.form != "OrderedDict" or count is None or words.keys() - {"last"}:
            return None
        if not count <= len(e.args) + len(words) <= count + 1 or len(e.args) < count:
            return None
        last = words.get("last", e.args[count] if e.args[count:] else E.Const(True))
        if not isinstance(last, E.Const) or type(last.value) is not bool:
            return None
        if e.fn.attr == "popitem":
            return self.last_entry(s, base, "last_key" if last.value else "first_key")
        return self.moved(s, base, e.args[0]) if last.value else None

    def moved(self, s: S.Bind, base: str, item: E.Expr) -> Iterator[S.Stmt]:
        """Taken out, and put in again."""
        key, value = (yield from self.atom(s, item)), self.names.fresh("t")
        yield S.Load(value, base, (key,), there=True, **self.place(s))
        yield S.Edit(None, "remove", base, (key,), **self.place(s))
        yield S.Store(base, (key,), E.Name(value), **S.place(s, s.site))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **self.place(s))
