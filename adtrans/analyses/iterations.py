"""What is known about the iterations of a loop, and how to speak of an earlier one.

The symbols of a loop (`i#7`, `#7`) mean the current iteration. Where an analysis carries what it
says in them to a later point of the run, they are renamed:

* `i#7'7`: an earlier iteration of the activation of loop 7 that is running now;
* `j#9'7`: in the inner loop 9, during such an earlier iteration of loop 7;
* `i#7*7`: some iteration of an activation of loop 7 that is over.

>>> loop = LoopFacts(7, symbols=("i#7",), steps=(("i#7", 1),), inside=frozenset((7, 9)))
>>> i, j = Affine.symbol("i#7"), Affine.symbol("j#9")
>>> print(earlier(i - 1, loop), earlier(j, loop), after(i, loop), sep="; ")
i#7'7 - 1; j#9'7; i#7*7
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from adtrans.analyses.prove import Facts
from adtrans.ir.affine import Affine

__all__ = ["LoopFacts", "after", "earlier", "facts_at"]

_SYMBOL = re.compile(r"(?P<name>.*#(?P<site>\d+))(?:(?P<mark>['*])(?P<at>\d+))?\Z")


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """One loop. `index` is the variable that counts, `symbol` its value in an iteration.

    `start`, `stop`, `step` are those of the range, where affine; `position` numbers the iterations
    of any `for` from 0. `symbols` are all that belong to an iteration, `bounds` what is >= 0 in
    each, `steps` by how much a symbol grows from one iteration to the next, `inside` the sites of
    this loop and those in it, `around` of the loops that enclose it, outermost first. `entered`:
    it is a `while` loop whose test certainly holds at first; `tested`: what is >= 0 in its body.
    """

    site: int
    index: str | None = None
    symbol: str | None = None
    start: Affine | None = None
    stop: Affine | None = None
    step: Affine | None = None
    symbols: tuple[str, ...] = ()
    bounds: tuple[Affine, ...] = ()
    steps: tuple[tuple[str, int], ...] = ()
    inside: frozenset[int] = frozenset()
    around: tuple[int, ...] = ()
    entered: bool = False
    tested: tuple[Affine, ...] = ()

    @property
    def position(self) -> str:
        """The symbol that numbers the iterations from 0."""
        return f"#{self.site}"

    @property
    def ascending(self) -> bool | None:
        """Whether the index grows; None when unknown."""
        value = None if self.step is None else self.step.value
        return None if value is None or value == 0 else value > 0


def earlier(e: Affine, loop: LoopFacts) -> Affine:
    """`e`, said in this iteration of `loop`, in the words of the next iteration."""
    return _marked(e, loop, "'")


def after(e: Affine, loop: LoopFacts) -> Affine:
    """`e`, said inside `loop`, in the words of what follows the loop."""
    return _marked(e, loop, "*")


def _marked(e: Affine, loop: LoopFacts, mark: str) -> Affine:
    for symbol in e.symbols:
        e = e.substitute(symbol, Affine.symbol(_mark(symbol, loop, mark)))
    return e


def _mark(symbol: str, loop: LoopFacts, mark: str) -> str:
    parts = _SYMBOL.match(symbol)
    if parts is None or int(parts["site"]) not in loop.inside:
        return symbol
    if parts["at"] is not None and int(parts["at"]) not in loop.inside:
        return symbol  # it speaks of an earlier iteration of a loop further out
    return f"{parts['name']}{mark}{loop.site}"


def facts_at(
    base: Iterable[Affine], around: Iterable[int], loops: Mapping[int, LoopFacts]
) -> Facts:
    """What is known inside the loops `around`: of their indices, and of those renamed.

    `base` holds everywhere.
    """
    known = [*base]
    for site in around:
        if site in loops:
            known.extend((*loops[site].bounds, *loops[site].tested))
    return Facts(tuple(known), _renamed(loops))


def _renamed(loops: Mapping[int, LoopFacts]) -> Mapping[str, tuple[Affine, ...]]:
    given: dict[str, tuple[Affine, ...]] = {}
    for loop in loops.values():
        for outer, mark in _splits(loop, loops):
            bounds = tuple(_marked(b, outer, mark) for b in (*loop.bounds, *loop.tested))
            for symbol in loop.symbols:
                renamed = _mark(symbol, outer, mark)
                given[renamed] = bounds
                if outer is loop and mark == "'":
                    given[renamed] += tuple(_order(symbol, renamed, dict(loop.steps)))
    return given


def _splits(
    loop: LoopFacts, loops: Mapping[int, LoopFacts]
) -> Iterator[tuple[LoopFacts, str]]:
    for site in (*loop.around, loop.site):
        if site in loops:
            yield loops[site], "'"
            yield loops[site], "*"


def _order(symbol: str, renamed: str, steps: Mapping[str, int]) -> Iterator[Affine]:
    step = steps.get(symbol, 0)
    if step:
        distance = Affine.symbol(symbol) - Affine.symbol(renamed)
        yield distance - step if step > 0 else -distance + step
