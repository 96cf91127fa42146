"""Displays that NumPy makes arrays of, as arrays.

np.dot([s, 1.0], v)   ->   t = np.array([s, 1.0]); np.dot(t, v)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adtrans.analyses.apply import application
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Known, ListOf, Scalar, TupleOf, is_differentiable


def in_arrays(
    s: S.Bind, kinds: Kinds, fresh: Callable[[str], str]
) -> tuple[list[tuple[str, E.Expr]], E.Expr] | None:
    """The call with arrays in the place of displays that NumPy makes arrays of; those arrays.

    `np.dot([s, 1.0], v)` is `np.dot(t, v)` with `t = np.array([s, 1.0])`. None: there are none.
    """
    if isinstance(s.value, E.Binary):
        return _operands_in_arrays(s.site, s.value, kinds, fresh)
    app = application(s.value, lambda e: kinds.expr(s.site, e))
    if app is None or not isinstance(s.value, E.Call) or not app.rule.of_arrays:
        return None
    whole, items = set[int](), set[int]()
    for p in app.rule.params:
        e = app.bound.get(p.name)
        if p.name not in app.rule.active_params or p.nested:
            continue
        if isinstance(e, E.Name) and not p.sequence:
            kind = kinds.expr(s.site, e)
            if isinstance(kind, TupleOf) and is_differentiable(kind):
                whole.add(id(e))
        elif not isinstance(e, E.Sequence):
            continue
        elif p.sequence:
            items |= {id(i) for i in e.items}
        else:
            whole.add(id(e))
    made: list[tuple[str, E.Expr]] = []

    def varies(e: E.Expr) -> bool:
        if isinstance(e, E.Sequence):
            return any(varies(i) for i in e.items)
        kind = kinds.expr(s.site, e)
        fixed = isinstance(kind, Known) or (isinstance(kind, Scalar) and kind.type != "float")
        return isinstance(e, E.Name) and not fixed

    def listed(e: E.Expr) -> bool:
        kind = kinds.expr(s.site, e)
        return (
            isinstance(e, E.Name)
            and isinstance(kind, TupleOf | ListOf)
            and is_differentiable(kind)
        )

    def one(e: E.Expr, here: bool) -> E.Expr:
        if not isinstance(e, E.Sequence):
            if here or (id(e) in items and listed(e)):  # a tuple, or a list, in a variable
                made.append((fresh("t"), e))
                return E.Name(made[-1][0])
            return e
        if (here or id(e) in items) and varies(e):
            made.append((fresh("t"), e))
            return E.Name(made[-1][0])
        return replace(e, items=tuple(one(i, False) for i in e.items))

    call = s.value
    args = tuple(one(a, id(a) in whole) for a in call.args)
    kwargs = tuple((k, one(v, id(v) in whole)) for k, v in call.kwargs)
    return (made, E.Call(call.fn, args, kwargs)) if made else None


def _operands_in_arrays(
    site: int, e: E.Binary, kinds: Kinds, fresh: Callable[[str], str]
) -> tuple[list[tuple[str, E.Expr]], E.Expr] | None:
    """`t * x` of a tuple or a list and an array: the array makes one of it."""
    held = [kinds.expr(site, side) for side in (e.left, e.right)]
    if not any(isinstance(k, Array) for k in held):
        return None
    made: list[tuple[str, E.Expr]] = []
    sides: list[E.Expr] = [e.left, e.right]
    for k, kind in enumerate(held):
        if isinstance(kind, TupleOf | ListOf) or isinstance(sides[k], E.Sequence):
            made.append((fresh("t"), sides[k]))
            sides[k] = E.Name(made[-1][0])
    return (made, replace(e, left=sides[0], right=sides[1])) if made else None
