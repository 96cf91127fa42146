"""Compiled functions inside of recorded code: one operation each, with a pullback of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.recorder import arrays, escapes
from adtrans.recorder.entries import Entry
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE, Region, noted
from adtrans.recorder.numbers import ACTIVE, PLAIN, active, plain

_ndarray = np.ndarray


class Compiled(Entry):
    """A call of a compiled function."""

    __slots__ = ("operands", "pullback", "result")

    def __init__(
        self, pullback: Callable[..., tuple[Any, ...]], operands: list[Any], result: Region | None
    ) -> None:
        self.pullback, self.operands, self.result = pullback, operands, result

    def pull(self, sweep: Any, at: int) -> None:
        """The pullback of the function."""
        bar = sweep.bars[at] if self.result is None else sweep.last(self.result)
        if bar is None:
            return
        found = self.pullback(bar, call) if sweep.tools.nested else self.pullback(bar)
        for operand, part in zip(self.operands, found, strict=True):
            sweep.add(operand, part, False)


def run(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A decorated function: compiled if it can be, recorded otherwise."""
    made = _operation(f, args, kwargs)
    if made is None:
        return call(f.__wrapped__, *args, **kwargs)
    level = STATE.runs[0].level
    operands = [arrays.operand(v, level) for v in made.operands()]
    try:
        y, pullback = made.run(tuple(map(plain, made.values)))
    except AdtransError as error:
        raise noted(error) from None
    if type(y) is _ndarray:
        if any(np.may_share_memory(y, v) for v in made.arrays()):
            return y  # an argument, or a part of one, and known as such by its memory
        level.tape.append(Compiled(pullback, operands, arrays._place(y, level)))
        return y
    level.tape.append(Compiled(pullback, operands, None))
    return active(y, level, len(level.tape) - 1) if type(y) in ACTIVE else y


def _operation(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    runs = STATE.runs
    if len(runs) != 1 or runs[0].level.forward or not runs[0].level.alive:
        return None
    if not escapes.reaches((args, kwargs)) or escapes.reaches(f.__wrapped__):
        return None
    return f.operation(args, kwargs, _varies, plain)


def _varies(v: Any) -> bool:
    if type(v) is _ndarray:
        return bool(STATE.levels_of(v))
    return type(v) in PLAIN and v.level.alive
