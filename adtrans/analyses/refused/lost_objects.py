"""Objects that are given up: one error at the statement after which they are not followed.

Without it each read and each assignment of an attribute would be an error of its own, and none of
them what has to be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.objects.reasons import Reason
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance, Kind
from adtrans.ir.walk import statements
from adtrans.source import is_generated
from adtrans.source.made import SPOKEN

_AT_USES = ("AD201", "AD207", "AD401")
_LOST = "cannot be followed: what they hold is lost here"
_OBJECTS = re.compile(rf"objects of (.*) {_LOST}")
_CAPTURED = "cannot be followed: what it captures is lost here"


def told_of_objects(
    found: Sequence[Diagnostic], facts: Facts, given_up: Mapping[type, str]
) -> list[Diagnostic]:
    """`found` with one error for each class whose objects are given up, in place of those at the
    uses of these."""
    used = {s.span: cls for s in statements(facts.fn.body) for cls in _used(s, facts)
            if isinstance(given_up.get(cls), Reason)}  # fmt: skip
    if not used:
        return [*found]
    left: list[Diagnostic] = []
    first: dict[type, Diagnostic] = {}
    for d in sorted(found, key=lambda d: d.primary.span):
        cls = used.get(d.primary.span) if d.code in _AT_USES else None
        if cls is None:
            left.append(d)
        else:
            first.setdefault(cls, d)
    return left + [_error(cls, d, given_up[cls], facts) for cls, d in first.items()]


def is_of_objects(d: Diagnostic) -> bool:
    """Whether an error is one of these."""
    return _OBJECTS.fullmatch(d.title) is not None or d.title.endswith(_CAPTURED)


def merged(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """All errors of a program, of which those about one statement that objects are lost at are
    one: what holds a lost object is lost, too."""
    found: list[Diagnostic] = []
    at: dict[tuple[Span, str], int] = {}
    for d in problems:
        names = _OBJECTS.fullmatch(d.title)
        if not is_of_objects(d):
            found.append(d)
            continue
        place = at.setdefault((d.primary.span, d.primary.text), len(found))
        if place == len(found):
            found.append(d)
            continue
        first = found[place]
        known = _OBJECTS.fullmatch(first.title)
        if known is not None and names is not None and names[1] not in known[1]:
            title = f"objects of {known[1]} and {names[1]} {_LOST}"
            found[place] = replace(first, title=title)
    return found


def _used(s: S.Stmt, facts: Facts) -> Iterator[type]:
    """The classes of the objects that a statement reads attributes of, or assigns them."""
    kind: Kind
    match s:
        case S.Bind(value=E.Attribute(base=base)) | S.Invoke(fn=E.Attribute(base=base)):
            kind = facts.kinds.expr(s.site, base)
        case S.Bind(value=E.Call(fn=E.Attribute(base=base))):
            kind = facts.kinds.expr(s.site, base)
        case S.Keep(form="unsupported", reads=(v, *_)):
            kind = facts.kinds.at(s.site, v)
        case _:
            return
    if isinstance(kind, Instance) and isinstance(kind.cls, type):
        yield kind.cls


def _error(cls: type, first: Diagnostic, why: str, facts: Facts) -> Diagnostic:
    """`first`: the first of the errors that this one takes the place of."""
    assert isinstance(why, Reason)
    use = first.primary.span
    there = use if is_generated(why.span.file) else why.span
    bare = re.sub(r"^(it|its) (?=is|may|takes part)", "one of them ", why.bare)
    spoken = getattr(cls, SPOKEN, None)  # of a function that captures something
    holds = "holds" if spoken is None else "captures"
    labels = [] if there == use else [Label(use, f"what it {holds} carries a derivative")]
    if spoken is not None:
        return Diagnostic(
            first.code,
            f"{spoken}, defined inside, {_CAPTURED}",
            Label(there, re.sub(r"^one of them ", "it ", bare)),
            labels=labels,
            why="a derivative goes through what a function captures as long as it is known who "
            "calls it",
            fixes=[Fix("call it here, and pass on what it returns")],
        )
    return Diagnostic(
        first.code,
        f"objects of `{cls.__name__}` {_LOST}",
        Label(there, bare),
        labels=labels,
        why="a derivative goes through attributes as long as it is known which object is meant, "
        "and what is done with it",
        fixes=[Fix("leave this out, or keep what varies in variables and arrays of their own")],
    )
