"""How much analysis may be spent on a function: a bound for those who check many.

Some functions of large libraries have so many versions, for the kinds that may reach what they
call, that they take minutes. What is counted are statements that an analysis goes through, so that
the same function comes to the same end everywhere.

>>> with at_most(10):
...     spend(8)
...     try:
...         spend(8)
...     except TooMuch:
...         print("too much")
too much
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


class TooMuch(BaseException):
    """The bound is reached. Whoever set it takes this, and no handler on the way, which would go on
    with less."""


@dataclass
class Effort:
    """How much is left."""

    left: int


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def at_most(steps: int) -> Iterator[Effort]:
    """Inside, no more than so many statements are gone through; 0: as many as it takes.

    Raises:
        TooMuch: where that is not enough.
    """
    effort = Effort(steps)
    before = _EFFORT.set(effort if steps else None)
    try:
        yield effort
    finally:
        _EFFORT.reset(before)


def spend(steps: int) -> None:
    """An analysis goes through so many statements."""
    effort = _EFFORT.get()
    if effort is not None:
        effort.left -= steps
        if effort.left < 0:
            raise TooMuch
