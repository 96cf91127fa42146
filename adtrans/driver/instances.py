"""The functions of one compilation, one version each: what was asked of it, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from adtrans.analyses.analyse import Question
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.kept import kept_by_classes, kept_defaults
from adtrans.analyses.liveness import liveness
from adtrans.analyses.objects.model import Path
from adtrans.analyses.objects.outside import Attribute, Owner
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind
from adtrans.ir.walk import statements
from adtrans.source import SourceFunction, is_generated

Key = tuple[int, tuple[tuple[str, Kind], ...], frozenset[str], "Circumstances"]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a caller knows of one call beyond kinds: see `Question`."""

    lost: frozenset[str] = frozenset()
    same: frozenset[tuple[str, str]] = frozenset()
    taken: frozenset[int] = frozenset()
    scattered: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Main:
    """The function that is analysed for the one asked for. `attributes`: further parameters, which
    it reads from its arguments; `objects`: those whose attributes are followed; `results`: the
    attributes of objects in the result that it returns behind it; `written`: the attributes that
    are written, with the objects."""

    fn: object
    attributes: tuple[Attribute, ...] = ()
    objects: tuple[Owner, ...] = ()
    results: tuple[Path, ...] = ()
    written: tuple[tuple[Owner, str], ...] = ()


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
    """Whether a function is recursive, perhaps through others; one of adtrans's own, also through
    versions of itself for other arguments, of which there is no end in second derivatives."""
    own = is_generated(m.source.file) or str(m.source.fn.__module__).startswith("adtrans.")
    if m.facts is None:  # it is under analysis
        return True
    for unit, callee in _called(m, by_name):
        if unit.forward == m.unit.forward or (callee is not None and callee.facts is None):
            return True
        if own and (callee is None or callee.source.fn is m.source.fn):
            return True
    return False


def calls_its_like(m: Member, by_name: Mapping[str, Member]) -> bool:
    """Whether a function calls itself for the same kinds, perhaps asked for other adjoints."""
    called = (callee for _, callee in _called(m, by_name) if callee is not None)
    return any(
        c.source.fn is m.source.fn and c.question.params == m.question.params for c in called
    )


def _called(
    m: Member, by_name: Mapping[str, Member]
) -> Iterator[tuple[Unit, Member | None]]:
    """What a function calls, and what that calls; None: it was taken back, as it is part of a
    recursion."""
    seen: set[str] = set()
    waiting = [m]
    while waiting:
        facts = waiting.pop().facts
        for u in facts.units.values() if facts is not None else ():
            callee = by_name.get(u.forward)
            yield u, callee
            if callee is not None and u.forward not in seen:
                seen.add(u.forward)
                waiting.append(callee)


def left_out(members: Iterable[Member]) -> Iterator[tuple[S.Invoke, Member, str, E.Ref]]:
    """Calls that leave out an argument whose default can be written, with the parameter."""
    by_name = {m.unit.forward: m for m in members}
    for facts in [m.facts for m in by_name.values() if m.facts is not None]:
        for site, unit in facts.units.items():
            s, callee = facts.structure.stmts[site], by_name.get(unit.forward)
            if callee is None or not isinstance(s, S.Invoke):
                continue
            passed = actuals(s, unit.summary)
            for p, default in kept_defaults(callee.fn):
                if p not in passed:
                    yield s, callee, p, default


def unnamed(members: Iterable[Member]) -> Iterator[tuple[str, object]]:
    """What functions get without naming it: the defaults of parameters that calls leave out, and
    what the classes hold of which objects are made."""
    members = tuple(members)
    known: set[tuple[int, str]] = set()
    found = [(f"{m.source.name}({p}=...)", d.value) for _, m, p, d in left_out(members)]
    for facts in [m.facts for m in members if m.facts is not None]:
        found += (item for s in statements(facts.fn.body) for item in kept_by_classes(s))
    for name, value in found:
        if (id(value), name) not in known:
            known.add((id(value), name))
            yield name, value
