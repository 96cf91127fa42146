"""Elements by their flat position: `a.flat` is `a` itself, indexed by places in its shape.

t = a.flat; v = t[k]        ->   t = a; where = flat_index(k, t.shape); v = t[where]
t = a.flat; t[k] = v        ->   t = a; where = flat_index(k, t.shape); t[where] = v
for v in t: ...             ->   for k in range(t.size): where = ...; v = t[where]; ...
p, q = a.flat               ->   t = a.flatten(); p, q = t, and so in `list(a.flat)`
a.flat = v; len(a.flat)     ->   t = a.flat; t[...] = v; a.size

Where a position lies does not depend on the layout, so neither does what is read or written; but
NumPy stores values one by one, so that these must not be elements of `a` themselves. All this is
done with names that stand for `a.flat` and are used in no other way. What is stored may be of a
kind that is known only once the elements are read in this way: such a store is left for later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, Scalar
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import (
    binds_of,
    blocks_of,
    map_blocks,
    names_in,
    reads_of,
    statements,
    without_origins,
)
from adtrans.lower.opaque import assigned_attribute

__all__ = ["has_flat", "with_places", "with_rows"]


def with_places(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` without `flat` where that is possible; the same object where nothing changes."""
    if any(_assigned(s, kinds) for s in statements(fn.body)):
        return _Assigning(fn, kinds).rewritten()
    if (taken := with_rows(fn, kinds)) is not fn:
        return taken
    found = _flat_names(fn, kinds)
    later = {
        s.base for s in statements(fn.body)
        if isinstance(s, S.Store | S.Update) and s.base in found and not _is_known(s, kinds)
    }  # fmt: skip
    found -= later - {v for s in statements(fn.body) for v in _read_by(s)}
    if not found:
        return fn
    touched = [s for s in statements(fn.body) if not found.isdisjoint({*reads_of(s), *binds_of(s)})]
    work = _Placing(fn, found, frozenset(later), kinds)
    body = work.block(without_origins(fn.body, {s.origin for s in touched}))
    return replace(fn, body=body)


def with_rows(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` with a row of all elements where the next statement takes all of an `a.flat`, and
    nothing else does."""
    if not has_flat(fn):
        return fn
    used = Counter(v for s in statements(fn.body) for v in (*reads_of(s), *binds_of(s)))
    touched: set[int] = set()

    def block(body: S.Block) -> S.Block:
        found: list[S.Stmt] = []
        for s, after in zip_longest(body, body[1:]):
            base = _flat_of(s)
            if base is not None and isinstance(s, S.Bind) and after is not None:
                kind = kinds.at(s.site, base)
                if isinstance(kind, Array) and _takes_all(after) == s.target:
                    if used[s.target] == 2:  # here, and there
                        row = E.Call(E.Attribute(E.Name(base), "flatten"), ())
                        s = replace(s, value=row)
                        touched.update((s.origin, after.origin))
            found.append(map_blocks(s, block))
        return tuple(found)

    body = block(fn.body)
    return replace(fn, body=without_origins(body, touched)) if touched else fn


def has_flat(fn: S.Function) -> bool:
    """Whether anything is called `flat`."""
    return any(_flat_of(s) for s in statements(fn.body))


def _flat_of(s: S.Stmt) -> str | None:
    """The variable of which a statement takes the `flat`."""
    match s:
        case S.Bind(value=E.Attribute(base=E.Name(id=base), attr="flat")):
            return base
        case _:
            return None


def _takes_all(s: S.Stmt) -> str | None:
    """The variable of which a statement takes all items at once, one after the other."""
    match s:
        case S.Unpack(source=source):
            return source
        case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Name(id=source),), kwargs=())):
            return source if any(fn is f for f in _WHOLE) else None
        case S.Invoke(fn=E.Ref(value=fn), args=(E.Name(id=source),), kwargs=()):
            return source if any(fn is f for f in _WHOLE) else None
        case _:
            return None


_WHOLE: tuple[object, ...] = (list, tuple, sum, max, min, sorted, np.array)


def _flat_names(fn: S.Function, kinds: Kinds) -> frozenset[str]:
    """The variables that are `a.flat` of an array whenever they are bound, and are only indexed
    and gone through."""
    found: set[str] = set()
    other = {p.name for p in fn.params}
    fresh = _gone_through_at_once(fn)
    for s in statements(fn.body):
        match s:
            case S.Bind(target=v, value=E.Attribute(base=E.Name(id=base), attr="flat")):
                kind = kinds.at(s.site, base)
                (found if isinstance(kind, Array) and kind.ndim else other).add(v)
                continue
            case S.Load(target=v, items=items) if _is_place(s.site, items, kinds):
                other |= {v, *_inside(items)}
                continue
            case S.Store(items=items, value=value) | S.Update(items=tuple() as items, value=value):
                if _is_place(s.site, items, kinds, stored=isinstance(s, S.Store)):
                    other |= {*_inside(items), *names_in(value)}
                    continue
            case S.Bind(target=v, value=E.Call(fn=E.Ref(value=called), args=(E.Name(),))) if (
                called is len
            ):
                other.add(v)
                continue
            case S.For(iter=it, target=target) if _gone_through(it) is not None:
                plain = isinstance(it, S.Elements) and isinstance(target, str)
                if s.site in fresh and (plain or _is_pair(target)):
                    other |= set(binds_of(s))
                    continue
            case _:
                pass
        other |= {*reads_of(s), *binds_of(s)}
    return frozenset(found - other)


def _is_known(s: S.Store | S.Update, kinds: Kinds) -> bool:
    """Whether it is known what is stored; one element is no place for an array."""
    value = kinds.expr(s.site, s.value)
    item = None if not s.items or isinstance(s.items[0], E.Slice) else s.items[0]
    if item is not None and isinstance(kinds.expr(s.site, item), Scalar) and item != E.ELLIPSIS:
        return isinstance(value, Scalar) or (isinstance(value, Array) and value.ndim == 0)
    return isinstance(value, Scalar | Array | ListOf)


def _read_by(s: S.Stmt) -> Iterator[str]:
    """The variable of which a statement reads elements."""
    match s:
        case S.Load(base=base):
            yield base
        case S.For(iter=it) if (source := _gone_through(it)) is not None:
            yield source
        case _:
            pass


def _inside(items: tuple[E.Expr, ...]) -> set[str]:
    return {name for i in items for name in names_in(i)}


def _is_place(site: int, items: tuple[E.Expr, ...], kinds: Kinds, *, stored: bool = False) -> bool:
    """Whether a subscript of `a.flat` is a number, a slice, or a row of numbers or of a mask; of
    what is `stored` there, the form of a list does not matter."""
    if len(items) != 1:
        return False
    if isinstance(items[0], E.Slice) or items[0] == E.ELLIPSIS:
        return True
    match kinds.expr(site, items[0]):
        case Scalar(type="int"):
            return True
        case Array(ndim=1):
            return True
        case ListOf(item=item):
            return stored or (isinstance(item, Scalar) and item.type == "int")
        case _:
            return False


def _gone_through(it: S.Iter) -> str | None:
    """The variable that a loop goes through, perhaps with numbers."""
    match it:
        case S.Elements(source=source):
            return source
        case S.Enumerate(inner=S.Elements(source=source), start=E.Const()):
            return source
        case _:
            return None


def _gone_through_at_once(fn: S.Function) -> frozenset[int]:
    """The loops over an `a.flat` that nothing else uses: where one stands depends on what was done
    with it before, and somebody who indexes it sends it back to the start."""
    used = Counter(v for s in statements(fn.body) for v in reads_of(s))

    def block(body: S.Block) -> Iterator[int]:
        for before, s in zip((None, *body), body, strict=False):
            if isinstance(s, S.For) and isinstance(before, S.Bind):
                v = _gone_through(s.iter)
                if v == before.target and used[v] == 1:
                    yield s.site
            for inner in blocks_of(s):
                yield from block(inner)

    return frozenset(block(fn.body))


def _is_pair(target: S.Target) -> bool:
    """Whether a loop binds its number, and an element to a name."""
    return isinstance(target, tuple) and len(target) == 2 and isinstance(target[1], str)


def _assigned(s: S.Stmt, kinds: Kinds) -> tuple[str, S.Atom] | None:
    """The array and the value of `a.flat = value`."""
    match assigned_attribute(s):
        case (base, "flat", value) if value is not None:
            kind = kinds.at(s.site, base)
            return (base, value) if isinstance(kind, Array) and kind.ndim else None
        case _:
            return None


class _Assigning(Rewriter):
    """Rewrites `a.flat = value`, which stores as `a.flat[...] = value` does."""

    def __init__(self, fn: S.Function, kinds: Kinds) -> None:
        super().__init__(fn)
        self.fn, self.kinds = fn, kinds

    def rewritten(self) -> S.Function:
        touched = {s.origin for s in statements(self.fn.body) if _assigned(s, self.kinds)}
        return replace(self.fn, body=self.block(without_origins(self.fn.body, touched)))

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        found = _assigned(s, self.kinds)
        if found is None:
            yield s
            return
        base, value = found
        places = self.fresh("flat")
        yield S.Bind(places, E.Attribute(E.Name(base), "flat"), **self.place(s))
        yield S.Store(places, (E.ELLIPSIS,), value, **S.place(s, s.site))


class _Placing(Rewriter):
    """Rewrites the statements about names that stand for `a.flat`; those in `later` stay beside
    the arrays."""

    def __init__(
        self, fn: S.Function, found: frozenset[str], later: frozenset[str], kinds: Kinds
    ) -> None:
        super().__init__(fn)
        self.to = {v: self.fresh(v) for v in sorted(found)}
        self.later, self.kinds = later, kinds

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        match s:
            case S.Bind(target=v, value=E.Attribute(base=E.Name(id=base))) if v in self.to:
                if v in self.later:
                    yield s
                yield S.Alias(self.to[v], base, **self.place(s))
            case S.Bind(value=E.Call(args=(E.Name(id=v),))) if v in self.to:
                yield replace(s, value=E.Attribute(E.Name(self.to[v]), "size"))
            case S.Load(base=v, items=(item,)) if v in self.to:
                where = self.fresh("where")
                yield from self.found(s, where, self.to[v], item)
                yield replace(s, base=self.to[v], items=(E.Name(where),))
            case S.Update(base=v, items=(item,)) if v in self.to and _is_known(s, self.kinds):
                where = self.fresh("where")
                yield from self.found(s, where, self.to[v], item)
                yield replace(s, base=self.to[v], items=(E.Name(where),))
            case S.Store(base=v, items=(item,)) if v in self.to and _is_known(s, self.kinds):
                yield from self.stored(replace(s, base=self.to[v]), item)
            case S.For(iter=it) if (gone := _gone_through(it)) in self.to and gone is not None:
                yield from self.gone_through(s, self.to[gone])
            case _:
                yield s

    def found(self, s: S.Stmt, where: str, base: str, item: E.Expr) -> Iterator[S.Stmt]:
        """`where` is bound to the places of the elements."""
        shape = E.Attribute(E.Name(base), "shape")
        if item == E.ELLIPSIS:
            item = E.Slice(None, None, None)
        if isinstance(item, E.Slice):
            bounds: list[E.Expr] = []
            for e in (item.lower, item.upper, item.step):
                atom: E.Expr = E.NONE if e is None else e
                if not isinstance(atom, E.Name | E.Const | E.Ref):
                    name = self.fresh("t")
                    yield S.Bind(name, atom, **self.place(s))
                    atom = E.Name(name)
                bounds.append(atom)
            call = E.Call(E.Ref("flat_slice", runtime.flat_slice), (*bounds, shape))
        else:
            if not isinstance(item, E.Name | E.Const | E.Ref):
                name = self.fresh("t")
                yield S.Bind(name, item, **self.place(s))
                item = E.Name(name)
            call = E.Call(E.Ref("flat_index", runtime.flat_index), (item, shape))
        yield S.Bind(where, call, **self.place(s))

    def stored(self, s: S.Store, item: E.Expr) -> Iterator[S.Stmt]:
        """Values are repeated as needed, or there are more of them than places."""
        where, value = self.fresh("where"), s.value
        kind = self.kinds.expr(s.site, value)
        if isinstance(kind, Scalar) or (isinstance(kind, Array) and kind.ndim == 0):
            yield from self.found(s, where, s.base, item)
            yield replace(s, items=(E.Name(where),))
            return
        yield from self.found(s, where, s.base, item)
        first, made = self.fresh("t"), self.fresh("t")
        yield S.Load(first, where, (E.Const(0),), **self.place(s))
        shape = E.Attribute(E.Name(first), "shape")
        repeated = E.Ref("repeated_into", runtime.repeated_into)
        call = E.Call(repeated, (value, E.Name(s.base), shape))
        yield S.Bind(made, call, **self.place(s))
        yield replace(s, items=(E.Name(where),), value=E.Name(made))

    def gone_through(self, s: S.For, base: str) -> Iterator[S.Stmt]:
        """A loop sees what is written meanwhile, so that it takes each element in its turn."""
        size, k, where = (self.fresh(n) for n in ("t", "k", "where"))
        yield S.Bind(size, E.Attribute(E.Name(base), "size"), **self.place(s))
        counted = S.Range(E.Const(0), E.Name(size), E.Const(1))
        target: S.Target = s.target
        number: S.Target = k
        it: S.Iter = counted
        if isinstance(s.iter, S.Enumerate):
            assert isinstance(target, tuple)
            target, number, it = target[1], (target[0], k), replace(s.iter, inner=counted)
        assert isinstance(target, str)
        found = self.found(s, where, base, E.Name(k))
        read = S.Load(target, base, (E.Name(where),), **self.place(s))
        yield replace(s, target=number, iter=it, body=(*found, read, *s.body))
