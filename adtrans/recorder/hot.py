"""Functions in which much is recorded are compiled: each later call in the run is one operation.

What calls them is recorded because it does what the compiler does not follow; a numerical function
inside of it need not be. How much was recorded is counted anew in each run, so that two runs of the
same program add up their derivatives in the same order.

>>> spent = Spent()
>>> spent.note(3 * MANY), spent.is_hot
(None, True)
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from adtrans.recorder import compiled
from adtrans.recorder.memory import STATE

MANY = 10_000
"""So many operations are recorded in a function before it is compiled: they take about as long."""
LONG = 150
"""And so many in each call, on average: a compiled call costs as much as that, whatever it does."""


class Spent:
    """What was recorded in the calls of a function. `recorded`: it cannot be compiled; `versions`:
    what it was compiled to."""

    __slots__ = ("calls", "operations", "recorded", "versions")

    def __init__(self) -> None:
        self.calls = self.operations = 0
        self.recorded = False
        self.versions: list[Any] = []

    def note(self, operations: int) -> None:
        """One more call, in which so much was recorded."""
        self.calls += 1
        self.operations += operations

    @property
    def is_hot(self) -> bool:
        """Is it worth a compilation?"""
        return (
            not self.recorded and self.operations > MANY and self.operations > LONG * self.calls
        )


def run(
    f: types.FunctionType, new: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a function of Python in a run, `new` being its rewritten form."""
    level = STATE.runs[-1].level
    if level.forward or not level.alive:
        return new(*args, **kwargs)
    spent: Spent = STATE.runs[-1].spent[f.__code__]
    if spent.is_hot:
        try:
            return compiled.now(f, args, kwargs, spent.versions)
        except compiled.NotCompiled:
            spent.recorded = True
    before = len(level.tape)
    try:
        return new(*args, **kwargs)
    finally:
        spent.note(len(level.tape) - before)
