"""What the tests of branches tell about the kinds of variables.

    if last is not None and k > 0:      here `last` is no None
        last += row

>>> from adtrans.ir.kinds import PY_FLOAT
>>> text = E.Compare(E.Name("v"), ("is not",), (E.NONE,))
>>> state = {"v": Maybe(PY_FLOAT)}
>>> print(asked(text, state, True)["v"], asked(text, state, False)["v"])
float None
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir.kinds import NEVER, NONE_KIND, Kind, Maybe, Mixed

State = Mapping[str, Kind]


def asked(test: E.Expr, state: State, holds: bool) -> State | None:
    """The kinds where `test` holds, or does not. None, where that cannot be."""
    match test:
        case E.Unary(op="not", operand=operand):
            return asked(operand, state, not holds)
        case E.BoolOp(op=op, values=values) if (op == "and") == holds:  # each of them
            found: State | None = state
            for part in values:
                found = None if found is None else asked(part, found, holds)
            return found
        case E.Compare(E.Name(id=v), ("is" | "is not" as op,), (E.Const(value=None),)):
            return _none_or_not(v, state, (op == "is") == holds)
    return state


def _none_or_not(v: str, state: State, is_none: bool) -> State | None:
    kind = state.get(v, NEVER)
    if isinstance(kind, Maybe):
        return {**state, v: NONE_KIND if is_none else kind.item}
    if isinstance(kind, Mixed) and kind.none:
        there = replace(kind, none=False) if kind.numbers else kind.array
        return {**state, v: NONE_KIND if is_none else there}
    return None if kind == NONE_KIND and not is_none else state

