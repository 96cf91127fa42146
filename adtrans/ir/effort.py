"""How much may be spent on compiling: a bound, counted in steps.

Some functions of large libraries have so many versions, for the kinds that may reach what they
call, that they take minutes. What is counted is what is gone through, statements and parts of
syntax trees, and never time, so that the same function comes to the same end everywhere.
Functions of other packages are counted, too: who calls something large there, to draw or to store,
is told so before all of it was gone through.

>>> with at_most(10):
...     spend(8)
...     try:
...         spend(8)
...     except TooMuch:
...         print("too much")
too much
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import CodeType


class TooMuch(BaseException):
    """The bound is reached. Whoever set it takes this, and no handler on the way, which would go on
    with less."""


@dataclass
class Effort:
    """How much is left. `own`: how much of it one function may take alone; `stack`: those that are
    gone through at the moment, as codes, each inside the one before; `by`: how much each took;
    `tell`: called now and then, to say that it goes on; `others`: how many functions of other
    packages than `home` may be looked into, `met`: those that were, as codes. `each`: how much is
    added for each byte of the code of a function that is met, `more` at most: what grows with the
    size of a program may take long, and what explodes is given up early."""

    left: float
    own: float = math.inf
    tell: Callable[[], object] | None = None
    others: float = math.inf
    home: str | None = None
    each: float = 0
    more: float = 0
    met: set[object] = field(default_factory=set)
    stack: list[object] = field(default_factory=lambda: [None])
    by: dict[object, float] = field(default_factory=lambda: defaultdict(float))

    def meet(self, code: object) -> None:
        """A function is gone through for the first time."""
        self.by[code] = 0
        if self.each and isinstance(code, CodeType):
            added = min(self.more, self.each * len(code.co_code))
            self.left, self.more = self.left + added, self.more - added

    def most(self) -> object:
        """The function that took most so far; None where there is none."""
        return max((c for c in self.by if c is not None), key=self.by.__getitem__, default=None)


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


def bound() -> Effort | None:
    """The bound that holds at the moment."""
    return _EFFORT.get()


@contextmanager
def at_most(
    steps: int,
    own: int = 0,
    tell: Callable[[], object] | None = None,
    others: int = 0,
    home: str | None = None,
    each: float = 0,
    more: float = 0,
) -> Iterator[Effort]:
    """Inside, no more than so many steps are taken, no more than `own` for one function, and no
    more than so many functions of `others` than the package `home` are looked into; 0: as many as
    it takes. `each`: so many steps are added for each byte of code of the functions that are gone
    through, `more` at most.

    Raises:
        TooMuch: where that is not enough.
    """
    effort = Effort(steps or math.inf, own or math.inf, tell, others or math.inf, home, each, more)
    before = _EFFORT.set(effort)
    try:
        yield effort
    finally:
        _EFFORT.reset(before)


@contextmanager
def spent_on(code: object) -> Iterator[None]:
    """What is spent inside is spent on the function with this code."""
    effort = _EFFORT.get()
    if effort is None:
        yield
        return
    if code not in effort.by:
        effort.meet(code)
    effort.stack.append(code)
    try:
        yield
    finally:
        effort.stack.pop()


def spend(steps: float) -> None:
    """So many steps are taken: a statement that an analysis goes through is one.

    Raises:
        TooMuch: where they are more than what is left.
    """
    effort = _EFFORT.get()
    if effort is None:
        return
    code = effort.stack[-1]
    effort.left -= steps
    effort.by[code] += steps
    if effort.left < 0 or (code is not None and effort.by[code] > effort.own):
        raise TooMuch
    if effort.tell is not None:
        effort.tell()


def look_into(code: object, package: str | None) -> None:
    """A function of a package that was installed is looked into; None: of the user's.

    Raises:
        TooMuch: where too many were.
    """
    effort = _EFFORT.get()
    if effort is not None and package not in (None, effort.home):
        effort.met.add(code)
        if len(effort.met) > effort.others:
            raise TooMuch
