"""The functions of one compilation, one version each: what was asked of it, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adtrans.analyses.analyse import Question
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.liveness import liveness
from adtrans.analyses.objects.model import Path
from adtrans.analyses.objects.outside import Attribute, Owner
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind
from adtrans.source import SourceFunction

Key = tuple[int, tuple[tuple[str, Kind], ...], frozenset[str], "Circumstances"]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a caller knows of one call beyond kinds: see `Question`."""

    lost: frozenset[str] = frozenset()
    same: frozenset[tuple[str, str]] = frozenset()
    taken: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Main:
    """The function that is analysed for the one asked for. `attributes`: further parameters, which
    it reads from its arguments; `objects`: those whose attributes are followed; `results`: the
    attributes of objects in the result that it returns behind it."""

    fn: object
    attributes: tuple[Attribute, ...] = ()
    objects: tuple[Owner, ...] = ()
    results: tuple[Path, ...] = ()


PLAIN = Circumstances()
Calls = Mapping[int, Circumstances]


@dataclass
class Member:
    """One function of the program: its source, what was asked, and what was found.

    `open`: members under analysis whose summaries it was analysed with, before they were final.
    """

    source: SourceFunction
    question: Question
    unit: Unit
    key: Key
    fn: S.Function
    facts: Facts | None = None
    renamed: frozenset[int] = frozenset()
    done: bool = False
    open: set[Key] = field(default_factory=set)


def may_be_unbound(m: Member) -> bool:
    """Whether a variable of the user's may be read before it is bound, as far as can be told: in a
    loop of the caller it would still have the value from the iteration before."""
    own = {*m.source.fn.__code__.co_varnames, *m.source.fn.__code__.co_cellvars}
    first = liveness(m.fn).into[m.fn.body[0].site]
    return bool(first & own - {p.name for p in m.fn.params})


def calls_itself(m: Member, by_name: Mapping[str, Member]) -> bool:
    """Whether a function is recursive, perhaps through others."""
    seen: set[str] = set()
    waiting = [m]
    while waiting:
        facts = waiting.pop().facts
        if facts is None:  # it is under analysis
            return True
        for u in facts.units.values():
            if u.forward == m.unit.forward:
                return True
            if u.forward not in seen and u.forward in by_name:
                seen.add(u.forward)
                waiting.append(by_name[u.forward])
    return False
