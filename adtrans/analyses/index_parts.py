"""Takes apart what one variable holds of an index, so that the parts are seen where they are used.

y = a[k]          ->   k_0 = k[0]; k_1 = k[1]; y = a[k_0, k_1]           (a tuple)
y = a[s]          ->   start = s.start; stop = s.stop; step = s.step; y = a[start:stop:step]
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import SLICE, Array, Kind, ListOf, Scalar, TupleOf
from adtrans.ir.rewriter import Rewriter

_Indexed = S.Load | S.Store | S.Update
_BOUNDS = ("start", "stop", "step")


def index_parts(s: S.Stmt, kinds: Kinds, new: Rewriter) -> Iterator[S.Stmt]:
    """`s`, with tuples of integers and slices, and slices, taken apart in front of it."""
    if isinstance(s, _Indexed) and s.items is not None:
        if len(s.items) == 1:
            s = yield from _tuple_apart(s, s.items[0], kinds, new)
        if isinstance(kinds.at(s.site, s.base), Array | ListOf):
            s = yield from _slices_apart(s, s.items or (), kinds, new)
    yield s


def _tuple_apart(
    s: _Indexed, item: E.Expr, kinds: Kinds, new: Rewriter
) -> Generator[S.Stmt, None, _Indexed]:
    kind = kinds.expr(s.site, item)
    sizes = kind.items if isinstance(kind, TupleOf) else ()
    whole = isinstance(kind, TupleOf) and all(_is_int(k) or k == SLICE for k in sizes)
    if not whole or not isinstance(kinds.at(s.site, s.base), Array) or not isinstance(item, E.Name):
        return s
    parts = [new.fresh(item.id) for _ in sizes]
    for k, name in enumerate(parts):
        yield S.Load(name, item.id, (E.Const(k),), **new.place(s))
    return replace(s, items=tuple(map(E.Name, parts)))


def _slices_apart(
    s: _Indexed, items: tuple[E.Expr, ...], kinds: Kinds, new: Rewriter
) -> Generator[S.Stmt, None, _Indexed]:
    given: list[E.Expr] = []
    for item in items:
        if isinstance(item, E.Name) and kinds.expr(s.site, item) == SLICE:
            names = [new.fresh(bound) for bound in _BOUNDS]
            for name, bound in zip(names, _BOUNDS, strict=True):
                yield S.Bind(name, E.Attribute(item, bound), **new.place(s))
            item = E.Slice(*map(E.Name, names))
        given.append(item)
    return replace(s, items=tuple(given))


def _is_int(kind: Kind) -> bool:
    return isinstance(kind, Scalar) and kind.type == "int"
