"""Grids between ends that may vary, as operations on the ends.

np.mgrid[a:b:4j]          ->   grid_line(a, b, 1, 4, True)
np.ogrid[a:b:4j, 0:c]     ->   np.meshgrid(grid_line(a, b, 1, 4), grid_line(0, c, 1),
                                           indexing="ij", sparse=True)
np.mgrid[...]             ->   np.stack of the same without `sparse=True`

Where all ends are integers the grid stays as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance, Scalar, is_differentiable
from adtrans.ir.rewriter import Rewriter

_PRECISE = (None, "?", "float64", "int64")


def with_lines(s: S.Load, kinds: Kinds, new: Rewriter) -> list[S.Stmt] | None:
    """The statements that a grid stands for; None for all others."""
    base = kinds.at(s.site, s.base)
    if not isinstance(base, Instance) or base.cls not in (type(np.mgrid), type(np.ogrid)):
        return None
    lines: list[tuple[E.Expr, ...]] = []
    for item in s.items:
        if not isinstance(item, E.Slice) or item.upper is None:
            return None
        step: E.Expr = item.step or E.Const(1)
        ends = (item.lower or E.Const(0), item.upper)
        if isinstance(step, E.Const) and isinstance(step.value, complex):
            lines.append((*ends, E.Const(1), E.Const(int(abs(step.value)))))
        else:
            lines.append((*ends, step))
    given = [kinds.expr(s.site, e) for line in lines for e in line]
    if not all(isinstance(k, Scalar) and k.dtype in _PRECISE and k.type in ("int", "float")
               for k in given) or not any(map(is_differentiable, given)):  # fmt: skip
        return None
    first: list[S.Stmt] = []
    for k, line in enumerate(lines):
        lines[k] = tuple(_atom(e, s, first, new) for e in line)
    return [*first, *_spread(s, base.cls is type(np.ogrid), lines, new)]


def _atom(e: E.Expr, s: S.Load, first: list[S.Stmt], new: Rewriter) -> E.Expr:
    """An end as an operand; what is computed in the subscript is computed before."""
    if isinstance(e, E.Name | E.Const | E.Ref):
        return e
    name = new.fresh("end")
    first.append(S.Bind(name, e, **new.place(s)))
    return E.Name(name)


def _spread(
    s: S.Load, sparse: bool, lines: list[tuple[E.Expr, ...]], new: Rewriter
) -> Iterator[S.Stmt]:
    made = E.Ref("grid_line", runtime.grid_line)
    if len(lines) == 1:
        alone = (*lines[0], *[E.NONE] * (4 - len(lines[0])), E.Const(True))
        yield S.Bind(s.target, E.Call(made, alone), **S.place(s, s.site))
        return
    names = [new.fresh("line") for _ in lines]
    for name, line in zip(names, lines, strict=True):
        yield S.Bind(name, E.Call(made, line), **new.place(s))
    options: tuple[tuple[str, E.Expr], ...] = (("indexing", E.Const("ij")),)
    if sparse:
        options = (*options, ("sparse", E.Const(True)))
    atoms = tuple(E.Name(name) for name in names)
    whole = E.Call(E.Ref("np.meshgrid", np.meshgrid), atoms, options)
    if sparse:
        yield S.Bind(s.target, whole, **S.place(s, s.site))
        return
    grid = new.fresh("grid")
    yield S.Bind(grid, whole, **new.place(s))
    stack = E.Call(E.Ref("np.stack", np.stack), (E.Name(grid),))
    yield S.Bind(s.target, stack, **S.place(s, s.site))
