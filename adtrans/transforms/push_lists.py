"""Tangents of lists: a list of the tangents of the items, to which everything is done alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in
from adtrans.transforms.primal_statements import operation, spliced

if TYPE_CHECKING:
    from adtrans.transforms.primitive_tangents import Tangents
    from adtrans.transforms.pushforward import Pusher

# The number of arguments that are taken as they are.
_NUMBERS = {**dict.fromkeys(("insert", "pop", "repeat", "take", "remove"), 1), "splice": 2}


def item(w: Tangents, e: E.Expr) -> E.Expr:
    """The tangent of what is put into a list: whole, also where it is zero."""
    if isinstance(e, E.Ref) and isinstance(e.value, np.ndarray):
        return E.Call(E.Ref("np.zeros_like", np.zeros_like), (e,))
    return w.zero_of(e.id) if isinstance(e, E.Name) and not w.carries(e) else w.tangent(e)


def reads_operands(w: Pusher, s: S.Edit) -> bool:
    """Whether the tangent needs operands as they are before, whose names may be the target."""
    if s.op in S.ORDER:
        return False  # zeros like what it gives
    plain = _NUMBERS.get(s.op, 0)
    if s.op in S.CHANGES:  # `k = values.pop(k)`
        own = s.target and w.primal.printed_name(s.target)
        return any(own in names_in(w.primal.printed(a)) for a in s.args[:plain])
    return any(w.carries(a) for a in (s.base, *s.args[plain:]))


def put_in(s: S.Edit) -> tuple[E.Expr, ...]:
    """The arguments of an operation of a list whose tangents it needs."""
    return s.args[_NUMBERS.get(s.op, 0) :]


def edit(w: Pusher, s: S.Edit) -> Iterator[C.Code]:
    """An operation of a list, done with the list of tangents."""
    if s.op in S.ORDER:
        if s.target is not None and w.carries(s.target):  # among lists that are handed on
            yield C.Assign((w.dot(s.target),), w.zero_of(s.target))
        return
    plain = _NUMBERS.get(s.op, 0)
    if w.carries(s.base):
        base: E.Expr = w.dot(s.base)
    elif s.target is None or not w.carries(s.target):
        return
    elif any(w.carries(a) for a in s.args[plain:]):  # `[1.0] + [x]`, `sum([1.0], x)`
        base = w.zero_of(s.base)
    else:
        yield C.Assign((w.dot(s.target),), w.zero_of(s.target))
        return
    args = tuple(w.primal.printed(a) if k < plain else item(w, a) for k, a in enumerate(s.args))
    if s.op == "splice":
        yield spliced(base, args)
        return
    value = operation(base, s.op, args)
    if s.target is not None and w.carries(s.target):
        yield C.Assign((w.dot(s.target),), value)
    elif s.op in S.CHANGES:
        yield C.Do(value)
