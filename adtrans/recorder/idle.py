"""Operations whose result is gone and was never used: what they need may be overwritten.

    p = np.argmax(np.abs(A[k:, k]))      # the pullback of `abs` has nothing to do
    A[[k, k + p]] = A[[k + p, k]]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder.entries import Apply, Entry
from adtrans.recorder.memory import REGIONS, Memory


class Idle(Entry):
    """Stands for an operation on whose result nothing depends."""

    __slots__ = ("result",)

    def __init__(self, result: Any) -> None:
        self.result = result

    def pull(self, sweep: Any, at: int) -> None:
        """It has no adjoint."""
        if sweep.last(self.result) is not None:
            raise DerivativeError("what this derivative is computed from was overwritten")


def dropped(level: Any, entry: Apply) -> bool:
    """Take an operation out of a record, if its result is gone and no later one has read it.

    `level`: one that records.
    """
    result = entry.result
    if type(result) not in REGIONS:
        return False
    memory: Memory = result.memory
    if memory.owner() is not None:
        return False
    tape: list[Any] = level.tape
    for at in range(len(tape) - 1, -1, -1):
        later = tape[at]
        if later is entry:
            tape[at] = Idle(result)
            return True
        if isinstance(later, Entry) and any(v.memory is memory for v in _regions(later)):
            return False
    return False


def _regions(entry: Entry) -> Iterator[Any]:
    """All regions that an operation names."""
    waiting = [
        getattr(entry, name, None) for cls in type(entry).__mro__
        for name in getattr(cls, "__slots__", ())
    ]  # fmt: skip
    while waiting:
        value = waiting.pop()
        if type(value) in REGIONS:
            yield value
        elif isinstance(value, list | tuple):
            waiting.extend(value)
