"""Variables that closures share with the function around them, where they cannot be followed.

They are attributes of an object (`lower.cells`); what is lost of that is told of the variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance
from adtrans.ir.walk import statements
from adtrans.source.made import SHARED


def told_of_variables(
    found: Sequence[Diagnostic], facts: Facts, given_up: Mapping[type, str]
) -> list[Diagnostic]:
    """`found` with one error for each variable in place of those about the object."""
    uses = {(s.span, name): cls for s in statements(facts.fn.body) for cls, name in _uses(s, facts)}
    if not uses:
        return [*found]
    places = {span for span, _ in uses}
    left = [d for d in found if d.code != "AD201" or d.primary.span not in places]
    lost = {d.primary.span for d in found if d.code == "AD201"} & places
    names = {name: cls for (span, name), cls in uses.items() if span in lost}
    return left + [_error(name, cls, facts, given_up) for name, cls in names.items()]


def _uses(s: S.Stmt, facts: Facts) -> Iterable[tuple[type, str]]:
    """The variable that a statement reads or binds through the object."""
    match s:
        case S.Bind(value=E.Attribute(base=E.Name(id=v), attr=attr)):
            pass
        case S.SetAttr(base=E.Name(id=v), attr=attr):
            pass
        case S.Keep(form="unsupported", reads=(v, *_), text=text):
            attr = text.partition("=")[0].rpartition(".")[2].strip(" +-*/@%&|^<>")
        case _:
            return
    kind = facts.kinds.at(s.site, v)
    if isinstance(kind, Instance) and isinstance(kind.cls, type):
        if attr in getattr(kind.cls, SHARED, {}):
            yield kind.cls, attr


def _error(
    name: str, cls: type, facts: Facts, given_up: Mapping[type, str]
) -> Diagnostic:
    captured: Span = getattr(cls, SHARED)[name]
    below = [
        s.span
        for s in statements(facts.fn.body)
        if isinstance(s, S.Keep | S.SetAttr) and (cls, name) in _uses(s, facts)
    ]
    again = next((span for span in below if span > captured), below[-1] if below else captured)
    why = f": {given_up[cls]}" if cls in given_up else ""
    return Diagnostic(
        "AD203",
        f"`{name}` is bound again while a function lives on that sees it",
        Label(again, "bound here"),
        labels=[Label(captured, f"sees `{name}`")],
        why=f"both share one variable, and what it holds cannot be followed{why}",
        fixes=[Fix(f"give the new value of `{name}` a name of its own")],
    )
