"""Arrays of which several elements are one place in memory, and the writes into them.

    a, b = np.broadcast_arrays(y[:1], x)
    a[2] = 5.0                  a[0] and a[1] change, too, and y[0]

Everything else takes the elements of an array for apart: regions, adjoints and tangents. So such an
array may be read, but not written. NumPy itself advises against it; those of `np.broadcast_to`
cannot be written at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.alias_paths import users
from adtrans.analyses.apply import Application
from adtrans.analyses.facts import Facts
from adtrans.analyses.references import reference
from adtrans.analyses.writes import puts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import is_immutable
from adtrans.ir.walk import binds_of, names_in, operands, reads_of, statements

_STRETCHING = frozenset({
    "np.broadcast_arrays", "np.meshgrid", "np.lib.stride_tricks.sliding_window_view",
})  # fmt: skip


STRETCHED = _STRETCHING | {"np.broadcast_to"}  # what this returns cannot be written


def stretched(facts: Facts, by: frozenset[str] = _STRETCHING) -> frozenset[str]:
    """The variables that may be such arrays, views of them, or hold some."""
    summaries = {site: u.summary for site, u in facts.units.items()}
    found: set[str] = set()
    if not any(_stretches(a, by) for a in facts.apps.values()) and not any(
        s.stretched for s in summaries.values()
    ):
        return frozenset()

    def shares(s: S.Stmt) -> bool:
        if isinstance(s, S.For | S.Keep):
            return True
        return reference(s, facts.kinds, facts.apps, summaries, frozenset()) is not None

    def more() -> Iterator[str]:
        for s in statements(facts.fn.body):
            app, summary = facts.apps.get(s.site), summaries.get(s.site)
            if app is not None and _stretches(app, by):
                yield from binds_of(s)
            if summary is not None and summary.stretched:
                yield from binds_of(s)
                yield from (n for e in operands(s) for n in names_in(e))
            if found.intersection(reads_of(s)) and shares(s):
                yield from binds_of(s)
            for base, items in puts(s, facts.kinds, summaries):
                if any(found.intersection(names_in(i)) for i in items):
                    yield base

    while new := {v for v in more() if not is_immutable(facts.kinds.var(v))} - found:
        found |= new
    return frozenset(found)


def _stretches(app: Application, by: frozenset[str]) -> bool:
    """Whether a call may make such an array, one that can be written."""
    if app.rule.spelling not in by or app.result == "fresh":
        return False
    if any(p.name == "writeable" for p in app.rule.params):
        return app.bound.get("writeable", E.Const(False)) != E.Const(False)
    return app.bound.get("sparse", E.Const(False)) != E.Const(True)


def returns_stretched(facts: Facts) -> bool:
    """Whether a function may return such an array, or put it into what it was given."""
    found = stretched(facts)
    params = {p.name for p in facts.fn.params}
    returned = {n for s in statements(facts.fn.body) if isinstance(s, S.Return)
                for e in s.values for n in names_in(e)}  # fmt: skip
    return bool(found & (params | returned))


def written_stretched(facts: Facts) -> Iterator[Diagnostic]:
    """Refuse the writes into such arrays."""
    found = stretched(facts)
    if not found:
        return
    for w in facts.memory.writes:
        s = facts.structure.stmts[w.site]
        holding = puts(s, facts.kinds, {k: u.summary for k, u in facts.units.items()})
        if w.var not in found or w.unknown or w.var in {base for base, _ in holding}:
            continue
        name = facts.fn.source_name(users(w.var, facts))
        yield Diagnostic(
            "AD206",
            f"several elements of `{name}` are one place in memory, and it is written",
            Label(s.span, "written here"),
            why="writing one of them changes the others, and each has a derivative of its own here",
            fixes=[Fix(f"`{name} = {name}.copy()` first, which also NumPy advises")],
        )
