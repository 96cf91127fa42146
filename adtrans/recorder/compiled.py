"""Compiled functions inside of recorded code: one operation each, with a pullback of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.recorder import arrays, escapes
from adtrans.recorder.entries import Entry
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE, AnyRegion, noted
from adtrans.recorder.numbers import ACTIVE, PLAIN, active, plain

_ndarray = np.ndarray
_VERSIONS = 4
COMPILERS: list[Callable[..., Any]] = []
"""What compiles a function that is not decorated; `adtrans.operations` puts it here."""


class NotCompiled(Exception):
    """A call cannot be one operation."""


class Compiled(Entry):
    """A call of a compiled function."""

    __slots__ = ("operands", "pullback", "result")

    def __init__(
        self, pullback: Callable[..., tuple[Any, ...]], operands: list[Any],
        result: AnyRegion | None,
    ) -> None:  # fmt: skip
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
    made = None
    if _is_apart(f.__wrapped__, args, kwargs):
        made = f.operation(args, kwargs, _varies, plain)
    return call(f.__wrapped__, *args, **kwargs) if made is None else _noted(made)


def now(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], versions: list[Any]) -> Any:
    """A function that is not decorated: compiled for this call, if it was not before.

    `versions`: those that ran before. A few are enough for the kinds of its arguments; more mean
    that what it reads elsewhere changes all the time.

    Raises:
        NotCompiled: nothing has happened then.
    """
    if not _is_apart(f, args, kwargs):
        raise NotCompiled
    saves = STATE.runs[0].level.saves
    made = COMPILERS[0](f, args, kwargs, _varies, plain, saves) if COMPILERS else None
    if made is None or len(versions) > _VERSIONS:
        raise NotCompiled
    if not any(v is made.version for v in versions):
        versions.append(made.version)
    try:
        return _noted(made)
    except AdtransError as error:  # of a check, which the recorder makes better
        raise NotCompiled from error


def _noted(made: Any) -> Any:
    """Run an operation, and note it."""
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


def _is_apart(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Does all that varies for a function come in as arguments, in one derivative backwards?"""
    runs = STATE.runs
    if len(runs) != 1 or runs[0].level.forward or not runs[0].level.alive:
        return False
    return escapes.reaches((args, kwargs)) and not escapes.reaches(f)


def _varies(v: Any) -> bool:
    if type(v) is _ndarray:
        return bool(STATE.levels_of(v))
    return type(v) in PLAIN and v.level.alive
