"""Arrays of objects that hold what carries a derivative, and is no number."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.apply import Application
from adtrans.analyses.facts import Facts
from adtrans.analyses.object_arrays import elements_held, of_objects
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, is_immutable
from adtrans.ir.walk import names_in, statements


def arrays_in_objects(facts: Facts) -> Iterator[Diagnostic]:
    """The error at each place where such an array is made."""
    for s in statements(facts.fn.body):
        if not isinstance(s, S.Bind) or not facts.activity.active(s.target):
            continue
        app = facts.apps.get(s.site)
        if app is None or not of_objects(s.site, app, facts.kinds):
            continue
        if (v := _converted(s, app, facts)) is not None:
            yield Diagnostic(
                "AD207",
                "an array of objects that carries a derivative cannot be followed",
                Label(s.span, f"the elements of `{v}` become objects of Python here"),
                why="an array of these has no type that its derivative could have",
                fixes=[Fix("leave out the conversion to objects")],
            )
        elif (held := _held(s, app, facts)) is not None:
            yield Diagnostic(
                "AD207",
                "an array of objects that carries a derivative cannot be followed",
                Label(s.span, "it is made here"),
                labels=() if held[0].span == s.span else [held[0]],
                why=f"its elements are no numbers: one is `{held[1]}`; what is done with them is "
                "known only where a list holds them",
                fixes=[Fix("keep arrays in a list: `[a, b]`, `[None] * n`")],
            )


def _converted(s: S.Bind, app: Application, facts: Facts) -> str | None:
    """The array that is made into one of numbers of Python, where that is written later."""
    if not facts.memory.allocates.get(s.site, frozenset()) & facts.memory.written:
        return None
    for _, e in app.operands():
        if isinstance(e, E.Name) and facts.activity.active(e):
            kind = facts.kinds.at(s.site, e.id)
            if isinstance(kind, Array) and e == app.source:
                return facts.fn.source_name(e.id)
    return None


def _held(s: S.Bind, app: Application, facts: Facts) -> tuple[Label, str] | None:
    """Where something that is no number becomes an element, and what that is called."""
    for e in elements_held(s, app, facts.kinds, facts.apps):
        for v in sorted(names_in(e)):
            if v in facts.activity.varied:
                return Label(s.span, ""), facts.fn.source_name(v)
    made = facts.memory.allocates.get(s.site, frozenset())
    for w in statements(facts.fn.body):
        if isinstance(w, S.Store) and isinstance(w.value, E.Name):
            varies = w.value.id in facts.activity.varied
            number = is_immutable(facts.kinds.at(w.site, w.value.id))
            if varies and not number and made & facts.memory.objects(w.base, w.site):
                name = facts.fn.source_name(w.value.id)
                return Label(w.span, "it becomes an element here"), name
    return None
