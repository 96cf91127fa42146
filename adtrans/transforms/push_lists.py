"""Tangents of lists: a list of the tangents of the items, to which everything is done alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.transforms.spelled import operation, spliced

if TYPE_CHECKING:
    from adtrans.transforms.pushforward import Pusher

# The number of arguments that are taken as they are.
_NUMBERS = {**dict.fromkeys(("insert", "pop", "repeat", "take", "remove"), 1), "splice": 2}


def item(w: Pusher, e: E.Expr) -> E.Expr:
    """The tangent of what is put into a list: whole, also where it is zero."""
    return w.zero_of(e.id) if isinstance(e, E.Name) and not w.carries(e) else w.tangent(e)


def edit(w: Pusher, s: S.Edit) -> Iterator[C.Code]:
    """An operation of a list, done with the list of tangents."""
    if s.op in S.ORDER:
        return
    if not w.carries(s.base):
        if s.target is not None and w.carries(s.target):
            yield C.Assign((w.dot(s.target),), w.zero_of(s.target))
        return
    plain = _NUMBERS.get(s.op, 0)
    args = tuple(w.primal.printed(a) if k < plain else item(w, a) for k, a in enumerate(s.args))
    if s.op == "splice":
        yield spliced(w.dot(s.base), args)
        return
    value = operation(w.dot(s.base), s.op, args)
    if s.target is not None and w.carries(s.target):
        yield C.Assign((w.dot(s.target),), value)
    elif s.op in S.CHANGES:
        yield C.Do(value)
