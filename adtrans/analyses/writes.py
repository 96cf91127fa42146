"""Which statements may write into which objects, and put what into which lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adtrans.analyses.abstract import (
    GLOBAL,
    Objects,
    Points,
    containers,
    holds_mutable,
    objects_of,
)
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.kinds.sparse_systems import only_asks
from adtrans.analyses.subscripts import is_plain_attribute
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container, Kind, is_anything, is_immutable
from adtrans.ir.walk import names_in

_OUTSIDE = E.Ref("?", None)  # what is global, whatever it is


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that may write into `objects`: through `var`, at `items` (None: anywhere in it).

    `unknown`: the writer is a function about which nothing is known.
    """

    site: int
    var: str
    items: tuple[E.Expr, ...] | None
    objects: Objects
    unknown: bool = False


def actuals(s: S.Invoke, summary: Summary) -> dict[str, E.Atom]:
    """The arguments of a call by the callee's parameter names."""
    named = dict(zip(summary.params, s.args, strict=False))
    named.update(s.kwargs)
    return named


def reaching(s: S.Invoke, summary: Summary) -> dict[str, E.Atom]:
    """The same, with the defaults that a call gets, where these can be written."""
    return {**dict(summary.defaults), **actuals(s, summary)}


def _may_hold(kind: Kind) -> bool:
    """Whether a value may be a container."""
    return isinstance(kind, Container) or is_anything(kind)


def puts(
    s: S.Stmt, kinds: Kinds, summaries: Mapping[int, Summary]
) -> Iterator[tuple[str, tuple[E.Expr, ...]]]:
    """The lists that a statement may put something into, and what that is."""
    match s:
        case S.Edit(op="append" | "insert" | "extend" | "splice"):
            yield s.base, s.args
        case S.Store() if _may_hold(kinds.at(s.site, s.base)):
            yield s.base, (s.value,)
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base))) as call) if _may_hold(
            kinds.at(s.site, base)
        ):  # a method that is no operation of lists: `rows.__setitem__(0, v)`
            yield base, (*call.args, *(v for _, v in call.kwargs))
        case S.Invoke():
            args = (*s.args, *(v for _, v in s.kwargs))
            summary = summaries.get(s.site)
            given = {} if summary is None else reaching(s, summary)
            for p, a in given.items() or enumerate(args):
                if not (isinstance(a, E.Name) and holds_mutable(kinds.at(s.site, a.id))):
                    continue
                held = None if summary is None else dict(summary.held).get(str(p), frozenset())
                if held is None or GLOBAL in held:
                    outside = () if held is None else (_OUTSIDE,)
                    yield a.id, (*(b for b in args if b != a), *outside)
                elif summary is not None and p in summary.written():
                    yield a.id, tuple(given[q] for q in sorted(held) if q in given)
        case _:
            return


def writes_of(
    s: S.Stmt,
    points: Points,
    kinds: Kinds,
    summaries: Mapping[int, Summary],
    apps: Mapping[int, Application],
) -> Iterator[Write]:
    def of(e: E.Expr) -> Objects:
        return objects_of(e, points)

    match s:
        case S.Store() if isinstance(kinds.at(s.site, s.base), Container):
            yield Write(s.site, s.base, s.items, containers(of(E.Name(s.base))))
        case S.Store():
            yield Write(s.site, s.base, s.items, of(E.Name(s.base)))
        case S.Edit() if s.op in S.CHANGES:
            yield Write(s.site, s.base, None, containers(of(E.Name(s.base))))
        case S.Update() if not is_immutable(kinds.at(s.site, s.base)):
            yield Write(s.site, s.base, s.items, of(E.Name(s.base)))
        case S.Invoke():
            summary = summaries.get(s.site)
            if summary is None:
                reached = (*s.args, *(v for _, v in s.kwargs), *map(E.Name, names_in(s.fn)))
                for a in reached:  # a function may write what it has captured
                    if isinstance(a, E.Name) and of(a):
                        yield Write(s.site, a.id, None, of(a), unknown=True)
            else:
                for p, a in actuals(s, summary).items():
                    if p in summary.written() and isinstance(a, E.Name):
                        objs = of(a)
                        if p in summary.shallow and isinstance(kinds.at(s.site, a.id), Container):
                            objs = containers(objs)
                        yield Write(s.site, a.id, None, objs)
        case S.Keep(form="unsupported"):
            for r in s.reads:
                if of(E.Name(r)):
                    yield Write(s.site, r, None, of(E.Name(r)), unknown=True)
        case S.Bind(value=E.Attribute() as e) if is_plain_attribute(e, s.site, kinds):
            return
        case S.Bind(
            value=E.Call(fn=E.Attribute() as e, args=() | (_,), kwargs=()) | (E.Attribute() as e)
        ) if s.site not in apps and only_asks(kinds.expr(s.site, e.base), e.attr):
            return
        case S.Bind() if s.site in apps and (apps[s.site].rule.writes or apps[s.site].writes):
            app = apps[s.site]
            for p in app.rule.writes or app.writes:  # one that is not spelled out
                into = app.bound.get(p, E.NONE)
                if isinstance(into, E.Name) and of(into):
                    yield Write(s.site, into.id, None, of(into))
        case S.Bind(value=E.Call() | E.Attribute()) if s.site not in apps:
            # a method or attribute without a rule may do anything
            for r in sorted(names_in(s.value)):
                if of(E.Name(r)):
                    yield Write(s.site, r, None, of(E.Name(r)), unknown=True)
        case _:
            return
