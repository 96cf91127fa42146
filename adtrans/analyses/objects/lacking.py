"""Where an object may lack an attribute that is read.

The variable of such an attribute begins as None. Where it is read and may not have been assigned,
the attribute itself is looked for in the object: that raises what Python raises.

if c: b.y = x                   b_y = None
return b.y               ->     if c: b_y = x; b.y = b_y
                                if b_y is None: raise lacking(b, "y")
                                return b_y

Where the program assigns None to it as well, `b.y` is read instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from adtrans.analyses import dataflow
from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.model import Key, Place
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, reads_of, statements

Wanted = frozenset[tuple[int, Place | None]]
"""Reads that have to be checked, by their sites in the function as it was; with a place: arguments
of a call that may not be there."""
State = frozenset[str]


@dataclass
class Lacking:
    """What is said about attributes while the statements of a function are rewritten.

    `blank`: those that a new object does not have yet; `early`: those that are not there where the
    function begins, either; `start`: variables that may be None because of that, or because callers
    say so; `wanted`: where to check. By sites of the new statements: `nothing`, which bind None;
    `handed_on`, the arguments of calls that are only handed on, and the targets behind them;
    `targets`, those which may get nothing from a call; `passed`, the places that arguments stand
    for, and `asked`, what is read, with the site as it was; `checked`, what is checked."""

    blank: frozenset[tuple[Key, str]] = frozenset()
    early: frozenset[tuple[Key, str]] = frozenset()
    start: frozenset[Place] = frozenset()
    wanted: Wanted = frozenset()
    nothing: set[int] = field(default_factory=set)
    handed_on: dict[int, frozenset[str]] = field(default_factory=dict)
    targets: dict[int, frozenset[str]] = field(default_factory=dict)
    passed: dict[int, tuple[int, dict[str, tuple[Place, str]]]] = field(default_factory=dict)
    asked: dict[int, tuple[int, str]] = field(default_factory=dict)
    checked: dict[int, str] = field(default_factory=dict)


def can_check(cls: type, attr: str) -> bool:
    """Whether reading the attribute of an object that lacks it raises, and does nothing else."""
    return cls not in CONTAINERS and member(cls, attr).form == "instance"


@dataclass(frozen=True)
class Found:
    """What `follow` says: where checks are wanted, the variables that are read where they may be
    None and cannot be checked, and those that may be None in the end."""

    wanted: Wanted
    lost: frozenset[str]
    end: State


NOTHING = Found(frozenset(), frozenset(), frozenset())


def follow(body: S.Block, told: Lacking, start: Iterable[str], own: Mapping[str, bool]) -> Found:
    """Follows what may be None through `body`. `start`: what may be from the start; `own`: the
    variables of attributes, and whether reads of them can be checked."""
    wanted: set[tuple[int, Place | None]] = set()
    lost: set[str] = set()

    def use(state: State, names: Iterable[str]) -> None:
        lost.update(v for v in names if v in state)

    def transfer(s: S.Stmt, state: State) -> State:
        if s.site in told.nothing:
            return state | {*binds_of(s)}
        if s.site in told.checked:
            return state - {told.checked[s.site]}
        if s.site in told.asked:
            at, cell = told.asked[s.site]
            if cell not in state:
                return state - {*binds_of(s)}
            if own.get(cell):
                wanted.add((at, None))
            else:
                lost.add(cell)
            return state - {cell, *binds_of(s)}
        match s:
            case S.Alias():
                if s.source in state:
                    return state | {s.target}
                return state - {s.target}
            case S.Invoke() if s.site in told.passed:
                at, places = told.passed[s.site]
                for name, value in s.kwargs:
                    if name not in places or not isinstance(value, E.Name):
                        continue
                    place, cell = places[name]
                    if cell in state and name not in told.handed_on.get(s.site, ()):
                        if own.get(cell):
                            wanted.add((at, place))
                        else:
                            lost.add(cell)
                rest = [v for n, v in s.kwargs if n not in places]
                use(state, (v.id for v in (*s.args, *rest) if isinstance(v, E.Name)))
                return state - {*binds_of(s)}
            case S.Unpack() if s.site in told.targets or s.site in told.handed_on:
                same = told.handed_on.get(s.site, frozenset())
                more = told.targets.get(s.site, frozenset())
                kept = state - ({*s.targets} - same)
                return kept | (more - same)
            case S.If() | S.While() | S.For() | S.Try() | S.With():
                use(state, reads_of(s))
                return state
            case S.Return():
                use(state, {v.id for v in s.values if isinstance(v, E.Name)} - {*own})
                return state
            case _:
                use(state, reads_of(s))
                return state - {*binds_of(s)}

    flow = dataflow.forward(body, frozenset(start), transfer, frozenset.union)
    ends = [flow.before[s.site] for s in statements(body)
            if isinstance(s, S.Return) and s.site in flow.before]  # fmt: skip
    return Found(frozenset(wanted), frozenset(lost), frozenset().union(*ends))
