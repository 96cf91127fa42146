"""Notes about what is legal and differentiated rightly, but seldom meant.

>>> import adtrans, numpy as np
>>> @adtrans.differentiable
... def f(x):
...     y = 2.0 * x
...     y[[0, 1]][0] = 5.0
...     return np.sum(y)
>>> _ = f.grad(np.ones(3))
>>> [n.title for n in f.report().notes]
['what is written here is lost: `y[[0, 1]]` is a copy']
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adtrans.analyses.alias_paths import is_users, steps
from adtrans.analyses.facts import Facts
from adtrans.analyses.overwritten import Lines, line_part
from adtrans.analyses.writes import Write
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Scalar
from adtrans.ir.walk import reads_of


def surprises(facts: Facts, line: Lines, *, asked: bool) -> tuple[Diagnostic, ...]:
    """All notes about a function, in textual order. `asked`: it is the one to be differentiated,
    so that its arguments are the user's own."""
    found = [*lost(facts, line), *rounded(facts)]
    if asked:
        found += written_arguments(facts)
    unique = {(d.code, d.primary.span): d for d in found}
    return tuple(sorted(unique.values(), key=lambda d: (d.primary.span, d.code)))


def written_arguments(facts: Facts) -> Iterator[Diagnostic]:
    """Arguments that the caller sees changed; one note for each, at its first write."""
    seen: set[str] = set()
    for w in facts.memory.writes:
        for o in sorted(w.objects):
            if o.form != "param" or o.key in seen or w.unknown:
                continue
            seen.add(o.key)
            name = facts.fn.source_name(o.key)
            links = tuple(steps(w.var, None, facts))
            shown = facts.fn.shown.get(o.key)
            what = "argument" if shown is None else "attribute" if "." in shown else "global"
            why = f"what `{name}` holds on entry counts as a constant"
            if o.key in facts.wrt:
                why = f"the gradient is taken with respect to what `{name}` holds on entry"
            yield Diagnostic(
                "AD311",
                f"the {what} `{name}` is written",
                Label(facts.structure.stmts[w.site].span, "the caller sees this"),
                labels=[Label(s.span, s.text) for s in links],
                why=why,
                fixes=[Fix(f"`{name} = {name}.copy()` first, if the caller's array shall stay")]
                if shown is None
                else [],
                severity="note",
            )


def rounded(facts: Facts) -> Iterator[Diagnostic]:
    """Values of a higher precision that are stored into an array of a lower one."""
    for w in facts.memory.writes:
        s = facts.structure.stmts[w.site]
        if not isinstance(s, S.Store | S.Update) or not isinstance(s.value, E.Name):
            continue
        into, value = facts.kinds.at(s.site, s.base), facts.kinds.at(s.site, s.value.id)
        if not isinstance(into, Array) or not _loses(value, into):
            continue
        name, dtype = facts.fn.source_name(w.var), getattr(value, "dtype", None)
        named = f"`{name}`, an array of {into.dtype}" if is_users(w.var, facts) else into.dtype
        yield Diagnostic(
            "AD312",
            f"{dtype} is stored into {named}",
            Label(s.span, f"rounded to {into.dtype} here"),
            why="the value loses digits, and the gradient is only as precise as it",
            fixes=[Fix(f"make the array one of {dtype}, or compute in {into.dtype}")],
            severity="note",
        )


def _loses(value: Kind, into: Array) -> bool:
    if not isinstance(value, Array | Scalar) or value.dtype in (None, "?") or into.dtype is None:
        return False
    a, b = np.dtype(value.dtype), np.dtype(into.dtype)
    return a.kind == b.kind == "f" and a.itemsize > b.itemsize


def lost(facts: Facts, line: Lines) -> Iterator[Diagnostic]:
    """Writes into a copy that has no name, so that nobody can read what is written."""
    for w in facts.memory.writes:
        s = facts.structure.stmts[w.site]
        if not isinstance(s, S.Store | S.Update) or not _is_nobodys(w, facts):
            continue
        sites = facts.definitions.sites[w.var]
        made = facts.structure.stmts[sites[0]]
        what = line_part(made.span, line) or "what is written into"
        base = facts.fn.source_name(made.base) if isinstance(made, S.Load) else None
        fix = Fix("give the array a name first")
        if base is not None:
            fix = Fix(f"select once: `{base}[...] = ...` with one subscript")
            if _is_returned(w.var, facts):
                fix = Fix(f"assign the result, without `out=`: `{what} = ...`")
        yield Diagnostic(
            "AD313",
            f"what is written here is lost: `{what}` is a copy",
            Label(s.span, "written into a copy that has no name"),
            why="an index array or mask selects a copy, unlike a slice"
            if isinstance(made, S.Load)
            else "the result of a call or of arithmetic is a new array",
            fixes=[fix],
            severity="note",
        )


def _is_nobodys(w: Write, facts: Facts) -> bool:
    """Whether the array that is written was made for this statement, and no variable sees it."""
    sites = facts.definitions.sites.get(w.var, ())
    if is_users(w.var, facts) or len(sites) != 1 or w.var in facts.definitions.params:
        return False
    if not w.objects or any(o.form != "site" for o in w.objects):
        return False
    made = facts.memory.allocates.get(sites[0], frozenset())
    if not w.objects <= made:
        return False
    live = facts.live.out.get(w.site, frozenset())
    if _is_returned(w.var, facts):
        live -= {w.var}
    return not any(facts.aliasing.together(v, w.var, w.site) for v in live)


def _is_returned(var: str, facts: Facts) -> bool:
    """Whether an array is handed on by nothing but a call that returns it, as those with `out=` do,
    where nobody takes the result."""
    names: set[str] = set()
    for s in facts.structure.stmts.values():
        match s:
            case S.Alias(source=source) if source == var:
                names.add(s.target)
            case S.Store() | S.Update() if s.base == var:
                pass
            case S.Bind(value=E.Attribute(attr="shape")):
                pass
            case _ if var in reads_of(s):
                return False
    read = any(names & reads_of(s) for s in facts.structure.stmts.values())
    return bool(names) and not read and not any(is_users(v, facts) for v in names)
