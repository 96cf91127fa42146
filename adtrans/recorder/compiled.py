"""Compiled functions inside of recorded code: one operation each, with a pullback of its own."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.recorder import arrays, escapes
from adtrans.recorder.entries import Entry
from adtrans.recorder.late import call
from adtrans.recorder.lent_methods import as_written
from adtrans.recorder.memory import STATE, AnyRegion, noted
from adtrans.recorder.numbers import ACTIVE, PLAIN, active, plain
from adtrans.recorder.recorded_needs import saving

_ndarray = np.ndarray
_VERSIONS = 4
_FIXED = (types.ModuleType, types.FunctionType, type, type(np.sum))
_LIBRARIES = ("numpy", "scipy", "math", "builtins")
_NUMBERS = (int, bool, float, np.float64)
COMPILERS: list[Callable[..., Any]] = []
"""What compiles a function that is not decorated; `adtrans.api.compiled_calls` puts it here."""


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
        with as_written():
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
    with as_written():
        made = COMPILERS[0](f, args, kwargs, _varies, plain, saves) if COMPILERS else None
    if made is None or len(versions) > _VERSIONS:
        raise NotCompiled
    if not any(v is made.version for v in versions):
        versions.append(made.version)
    try:
        return _noted(made)
    except AdtransError as error:  # of a check, which the recorder makes better
        raise NotCompiled from error


def reads_nothing(f: Any, seen: set[int]) -> bool:
    """Does a function read nothing but its arguments, and functions and modules that do so?"""
    if id(f) in seen or isinstance(f, types.BuiltinFunctionType | np.ufunc):
        return True
    seen.add(id(f))
    home = (getattr(f, "__name__" if isinstance(f, types.ModuleType) else "__module__", "") or "")
    if home.partition(".")[0] in _LIBRARIES:
        return isinstance(f, _FIXED)
    if type(f) is not types.FunctionType or f.__defaults__ or f.__kwdefaults__:
        return False
    if f.__closure__:
        return False
    names = escapes.names_of(f.__code__)
    held = [f.__globals__[n] for n in names if n in f.__globals__]
    return all(reads_nothing(v, seen) for v in held)


def computed_again(again: Any, back: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A checkpoint: nothing is kept but its arguments, where its pullback can be compiled."""
    if back is not None and back.recipe.options.on_overwrite == "save":
        with saving():
            return _computed_again(again, back, args, kwargs)
    return _computed_again(again, back, args, kwargs)


def _computed_again(again: Any, back: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    values = tuple(map(plain, args))
    leaves = [k for k, v in enumerate(args) if _varies(v)]
    plainly = all(type(v) is _ndarray or type(v) in _NUMBERS for v in values)
    fits = back is not None and leaves and plainly and not kwargs
    if not fits or not reads_nothing(again, set()) or not _is_apart(again, args, kwargs):
        return call(again, *args, **kwargs)
    try:
        with as_written():
            repeatable = back.is_repeatable(values)
    except AdtransError:
        repeatable = False
    if not repeatable:
        return call(again, *args, **kwargs)
    level = STATE.runs[0].level
    operands = [arrays.operand(args[k], level) for k in leaves]
    kept = tuple([v.copy("K") if type(v) is _ndarray else v for v in values])

    def pullback(bar: Any) -> tuple[Any, ...]:
        found = back(bar, *kept)
        return tuple([found[k] for k in leaves])

    y = again(*values)
    if type(y) is _ndarray and y.dtype.kind == "f":
        if any(np.may_share_memory(y, v) for v in values if type(v) is _ndarray):
            return y
        level.tape.append(Compiled(pullback, operands, arrays._place(y, level)))
        return y
    if type(y) not in (float, np.float64):
        return call(again, *args, **kwargs)  # which may run twice
    level.tape.append(Compiled(pullback, operands, None))
    return active(y, level, len(level.tape) - 1)


def _noted(made: Any) -> Any:
    """Run an operation, and note it."""
    level = STATE.runs[0].level
    operands = [arrays.operand(v, level) for v in made.operands()]
    try:
        with as_written():
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
