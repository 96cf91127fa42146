"""What is tried where a function is refused as it is: more of it decided, or followed further.

>>> from adtrans.ir.kinds import PY_FLOAT, Array, DictOf, UNKNOWN
>>> state = DictOf(UNKNOWN, (("u", Array(None, None)), ("dt", PY_FLOAT)))
>>> for attempt in attempts({"state": state}, ("x",)):
...     print(sorted(attempt.parting), attempt.decide)
['state'] False
[] True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adtrans.analyses.objects.functions import shapes_of
from adtrans.ir.kinds import Kind


@dataclass(frozen=True)
class Attempt:
    """How a function is read: without branches that its kinds never take (`decide`), with
    dictionaries of arrays followed as objects are (`parting`), with an answer where a function asks
    what an argument is that is no object (`assuming`)."""

    decide: bool = False
    parting: frozenset[str] = frozenset()
    assuming: bool = False


def attempts(
    given: Mapping[str, Kind], asked: Iterable[str], *, asks: bool = False
) -> list[Attempt]:
    """What may help beyond the first attempt, the likeliest first. `asked`: the arguments whose
    derivatives are asked for; `asks`: whether functions ask for the classes of numbers."""
    parting = frozenset(given.keys() - {*asked})
    found = []
    if asks:
        found += [Attempt(assuming=True), Attempt(decide=True, assuming=True)]
    if shapes_of(given, parting) != shapes_of(given):
        found.append(Attempt(parting=parting))
    found.append(Attempt(decide=True))
    return found
