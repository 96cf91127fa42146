"""Calls that write an argument as a rule of the user's tells, while another one shares its memory.

The rule gives the derivative as if its arguments were apart.
"""

from __future__ import annotations

from adtrans.analyses.apply import Application
from adtrans.analyses.behind import final_contents_of
from adtrans.analyses.disjoint import disjoint
from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in


def written_and_read(s: S.Bind, facts: Facts) -> Diagnostic | None:
    """The error at such a call; None where the arguments are apart."""
    app = facts.apps.get(s.site)
    into = final_contents_of(app)
    if app is None or not isinstance(into, E.Name) or not facts.activity.active(s.target):
        return None
    found = _shared(s, app, into, facts)
    if found is None:
        return None
    assert app.rule.custom is not None
    p, q = (app.rule.called(n) for n in (str(app.rule.custom.contents), found[0]))
    first, second = (facts.fn.source_name(n) for n in (into.id, found[1]))
    same = f"`{first}` is passed for both" if first == second else "they may share memory here"
    return Diagnostic(
        "AD308",
        f"{app.rule.shown} writes `{p}`, which shares memory with `{q}`",
        s.span,
        why=f"{same}, and its rule gives the derivative as if they were apart",
        fixes=[Fix(f"pass a copy as `{q}`")],
    )


def _shared(
    s: S.Bind, app: Application, into: E.Name, facts: Facts
) -> tuple[str, str] | None:
    """A parameter, and what is passed as it, that may look into what the call writes."""
    assert app.rule.custom is not None
    mine = facts.memory.objects(into.id, s.site)
    region, known = facts.places.region(into.id, None, s.site), facts.places.facts(s.site)
    for p, e in app.bound.items():
        for v in sorted(names_in(e)) if p != app.rule.custom.contents else ():
            if v == into.id:
                return p, v
            if not mine & facts.memory.objects(v, s.site):
                continue
            if not disjoint(region, facts.places.region(v, None, s.site), known):
                return p, v
    return None
