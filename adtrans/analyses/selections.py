"""Slices that have a name are written out where they select.

    inner = slice(1, -1)                   inner = slice(1, -1)
    y[inner] = x[inner] ** 2      ->       y[1:-1] = x[1:-1] ** 2
    corner = np.s_[:2, 0]                  corner = np.s_[:2, 0]
    a[corner] *= 3.0                       a[:2, 0] *= 3.0

So that every analysis sees which elements are meant. A name that may mean one of several slices, or
whose bounds may have changed meanwhile, is left as it is. What a bound is computed from may change,
too: such a bound gets a name where the slice is made.

    s = slice(0, box.n)           ->       n = box.n
                                           s = slice(0, n)

>>> from adtrans.diagnostics.span import Span
>>> here = Span("f.py", 1, 0, 1, 1)
>>> cut = S.Bind("s", E.Call(E.Ref("slice", slice), (E.Const(1), E.Const(4))), site=1, span=here)
>>> load = S.Load("y", "x", (E.Name("s"),), site=2, span=here)
>>> fn = selections_shown(S.Function("f", (S.Param("x"),), (cut, load), here))
>>> print(*fn.body[1].items)
1:4
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from adtrans.analyses.structure import Structure, structure
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import (
    binds_of,
    map_blocks,
    names_in,
    reads_of,
    rebuild,
    statements,
    without_origins,
)

_Items = tuple[E.Expr, ...]
_TUPLES_MATTER = (np.s_, np.index_exp, np.mgrid, np.ogrid)  # g[s,] is not g[s] of these


def selections_shown(fn: S.Function) -> S.Function:
    """`fn` with the slices in its subscripts spelled out; the same object where there are none."""
    if not any(_starts(s) for s in statements(fn.body)):
        return fn
    run = _Shown(_with_bounds(fn))
    body = run.block(run.fn.body)
    return fn if body == fn.body else replace(fn, body=body)


def _starts(s: S.Stmt) -> bool:
    """Whether a statement may be where a slice comes from."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=f))):
            return f is slice
        case S.Bind(value=E.Ref(value=value)):
            return value is np.s_ or value is np.index_exp
        case S.Load() | S.Store() | S.Update():
            return any(isinstance(i, E.Ref) and _of_value(i.value) for i in s.items or ())
        case _:
            return False


def _with_bounds(fn: S.Function) -> S.Function:
    """`fn` with names for the bounds of slices that might come out otherwise later."""
    work = _Bounds(fn)
    body = work.block(fn.body)
    return fn if body == fn.body else replace(fn, body=without_origins(body, work.changed))


class _Bounds(Rewriter):
    """`held`: variables whose value may be changed in place, for all that is known here."""

    def __init__(self, fn: S.Function) -> None:
        super().__init__(fn)
        self.changed: set[int] = set()
        self.makers: set[str] = set()
        self.held: set[str] = set()
        self.called, self.lives = fn.source_name, lives_of(fn)
        for s in statements(fn.body):
            match s:
                case S.Bind(target=target, value=E.Ref(value=value)):
                    if value is np.s_ or value is np.index_exp:
                        self.makers.add(target)
                case S.Bind() | S.Load() | S.If() | S.While() | S.For():
                    pass
                case _:
                    self.held |= reads_of(s)

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        match s:
            case S.Bind(value=E.Call(fn=E.Ref(value=f), args=args) as call) if f is slice:
                before, args = self.named(s, args)
                made: S.Stmt = replace(s, value=replace(call, args=args))
            case S.Load(base=base) if base in self.makers:
                before, items = self.named(s, s.items)
                made = replace(s, items=items)
            case _:
                yield s
                return
        if before:
            self.changed.add(s.origin)
        yield from before
        yield made if before else s

    def named(self, s: S.Stmt, bounds: _Items) -> tuple[list[S.Stmt], _Items]:
        """What comes first, and the bounds after it."""
        before: list[S.Stmt] = []

        def visit(e: E.Expr) -> E.Expr:
            if isinstance(e, E.Slice):
                return rebuild(e, visit)
            if isinstance(e, E.Star) or self.is_steady(e):
                return e
            name, place = self.fresh("n"), self.place(s)
            made = S.Bind(name, e, **place)
            before.append(S.Alias(name, e.id, **place) if isinstance(e, E.Name) else made)
            return E.Name(name)

        return before, tuple(map(visit, bounds))

    def is_steady(self, e: E.Expr) -> bool:
        """Whether a bound comes out the same as long as its names mean the same."""
        if isinstance(e, E.Name):  # another value may be called the same later
            return self.lives[self.called(e.id)] == 1
        if E.is_atom(e):
            return True
        if not isinstance(e, E.Binary | E.Unary):
            return False
        parts = (e.left, e.right) if isinstance(e, E.Binary) else (e.operand,)
        return names_in(e).isdisjoint(self.held) and all(map(self.is_steady, parts))


def lives_of(fn: S.Function) -> Counter[str]:
    """How many variables have a name in the text."""
    bound = {v for s in statements(fn.body) for v in binds_of(s)} | {p.name for p in fn.params}
    return Counter(map(fn.source_name, bound))


@dataclass
class _Shown:
    fn: S.Function

    def __post_init__(self) -> None:
        params = [p.name for p in self.fn.params]
        binding = [(v, s) for s in statements(self.fn.body) for v in binds_of(s)]
        made = Counter([*params, *(v for v, _ in binding)])
        self.single = {v: s for v, s in binding if made[v] == 1}
        called = self.fn.source_name
        lives = lives_of(self.fn)
        self.steady = {v for v, times in made.items() if times == 1 and lives[called(v)] == 1}
        self.structure: Structure = structure(self.fn)

    def block(self, body: S.Block) -> S.Block:
        return tuple(self.one(s) for s in body)

    def one(self, s: S.Stmt) -> S.Stmt:
        if isinstance(s, S.Load | S.Store | S.Update) and s.items is not None:
            if len(s.items) == 1 and self.is_maker(s.base, *_TUPLES_MATTER):
                return s
            items = self.shown(s.items, s.site)
            return s if items is s.items else replace(s, items=items)
        return map_blocks(s, self.block)

    def shown(self, items: _Items, site: int) -> _Items:
        if len(items) == 1 and isinstance(whole := self.meant(items[0], site), E.Sequence):
            return whole.items
        found = [self.meant(i, site) for i in items]
        if not any(isinstance(f, E.Slice) for f in found):
            return items
        return tuple(f if isinstance(f, E.Slice) else i for f, i in zip(found, items, strict=True))

    def meant(self, e: E.Expr, site: int) -> E.Slice | E.Sequence | None:
        """The slice that `e` stands for at `site`, or the tuple with one."""
        if isinstance(e, E.Ref):
            return _of_value(e.value)
        s = self.single.get(e.id) if isinstance(e, E.Name) else None
        if s is None or not self.structure.dominates(s.site, site):
            return None
        found: E.Slice | E.Sequence | None = None
        match s:
            case S.Bind(value=E.Call(fn=E.Ref(value=f), args=args, kwargs=())) if f is slice:
                found = _slice(args)
            case S.Bind(value=E.Ref(value=value)):
                found = _of_value(value)
            case S.Load(base=base, items=items) if self.is_maker(base):
                tuples = len(items) > 1 or self.is_maker(base, np.index_exp)
                whole = self.meant(items[0], s.site) if len(items) == 1 else None
                if isinstance(whole, E.Sequence):
                    found = whole
                else:
                    found = _tuple(items) if tuples else _one(items)
            case S.Pack(kind="tuple", items=parts):
                found = _tuple(tuple(self.meant(p, s.site) or p for p in parts))
            case S.Alias(source=source):
                found = self.meant(E.Name(source), s.site)
        constant = found is not None and names_in(found) <= self.steady
        return found if constant else None

    def is_maker(self, base: str, *makers: object) -> bool:
        s = self.single.get(base)
        value = s.value.value if isinstance(s, S.Bind) and isinstance(s.value, E.Ref) else None
        return any(value is m for m in makers or (np.s_, np.index_exp))


def _slice(args: _Items) -> E.Slice | None:
    """`slice(a, b, c)` as the item of a subscript."""
    given = [None if a == E.NONE else a for a in args]
    if any(isinstance(a, E.Star) for a in args):
        return None
    match given:
        case [stop]:
            return E.Slice(None, stop, None)
        case [start, stop]:
            return E.Slice(start, stop, None)
        case [start, stop, step]:
            return E.Slice(start, stop, step)
        case _:
            return None


def _one(items: _Items) -> E.Slice | None:
    return items[0] if isinstance(items[0], E.Slice) else None


def _tuple(items: _Items) -> E.Sequence | None:
    flat = all(isinstance(i, E.Slice) or E.is_atom(i) for i in items)
    selects = flat and any(isinstance(i, E.Slice) for i in items)
    return E.Sequence("tuple", items) if selects else None


def _of_value(value: object) -> E.Slice | E.Sequence | None:
    """The same for a slice, or a tuple with one, that is known when compiling."""
    if isinstance(value, slice):
        bounds = (value.start, value.stop, value.step)
        known = all(b is None or type(b) is int for b in bounds)
        return E.Slice(*(None if b is None else E.Const(b) for b in bounds)) if known else None
    if type(value) is not tuple:
        return None
    items = [_of_value(v) if isinstance(v, slice) else _plain(v) for v in value]
    return None if None in items else _tuple(tuple(i for i in items if i is not None))


def _plain(value: object) -> E.Const | None:
    return E.Const(value) if value is None or value is Ellipsis or type(value) is int else None
