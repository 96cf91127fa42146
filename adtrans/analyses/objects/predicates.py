"""Calls of what only asks which objects there are, spelled out where they are made.

    def is_leaf(self):                      if node.is_leaf():  ->  t = node_left is None
        return self.left is None                                    if t:

Which way a branch goes may decide how far a recursion goes, so it has to be seen in the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in, substitute

Asked = tuple[tuple[S.Bind, ...], E.Atom]


def asked(fn: S.Function) -> Asked | None:
    """What a function computes that only compares by identity; None for any other."""
    *steps, last = fn.body
    if not isinstance(last, S.Return) or len(last.values) != 1:
        return None
    binds = tuple(s for s in steps if isinstance(s, S.Bind) and _compares(s.value))
    if len(binds) < len(steps) or len({s.target for s in binds}) < len(binds):
        return None
    return binds, last.values[0]


def _compares(e: E.Expr) -> bool:
    match e:
        case E.Compare(left=left, ops=("is" | "is not",), rights=(right,)):
            return E.is_atom(left) and E.is_atom(right)
        case E.Call(fn=E.Ref(value=fn), args=(E.Name(), E.Const())):
            return fn is runtime.object_of  # an attribute that holds an object, or None
        case E.Unary(op="not", operand=operand):
            return isinstance(operand, E.Compare) and _compares(operand)
        case E.BoolOp(values=values):
            return all(map(_compares, values))
        case _:
            return False


def spelled_out(
    found: Asked,
    given: Mapping[str, E.Atom],
    target: str,
    place: Callable[[], S.Place],
    fresh: Callable[[], str],
) -> list[S.Stmt] | None:
    """That for the arguments `given`, in a variable; None where a default takes part."""
    binds, result = found
    known = dict(given)
    made: list[S.Stmt] = []
    for s in (*binds, S.Bind(target, result, **place())):
        if not names_in(s.value) <= known.keys():
            return None
        own = s.target if s.target == target else fresh()
        made.append(S.Bind(own, substitute(s.value, known), **place()))
        known[s.target] = E.Name(own)
    *steps, last = made
    assert isinstance(last, S.Bind)
    if isinstance(last.value, E.Name):
        last = S.Alias(target, last.value.id, **place())
    return [*steps, last]
