"""The errors about values that are overwritten before the gradient has used them.

The code tells how it came about: plainly (AD301), through an alias or view (AD302), by a call
(AD303), in a later iteration (AD304), a selection (AD305), by an unknown function (AD307).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from adtrans.analyses.alias_paths import aliases, called, connection, item_of, users
from adtrans.analyses.copy_fixes import keep_a_copy
from adtrans.analyses.edits import keeping, united
from adtrans.analyses.facts import Facts
from adtrans.analyses.needed import Conflict, Need
from adtrans.analyses.verdicts import copyable, unanswered
from adtrans.analyses.writes import actuals
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import stmt as S
from adtrans.ir.kinds import is_anything

Lines = Callable[[Span], str]
SAVE = 'adtrans.differentiable(on_overwrite="save")'


def conflicts(
    facts: Facts, line: Lines, left_out: Callable[[str], bool] = lambda var: False
) -> Iterator[Diagnostic]:
    """Values that the pullback needs and that are overwritten, one error for each write; nothing
    of the variables that are `left_out`."""
    seen: set[tuple[Span, Span, str]] = set()
    found: dict[tuple[str, Span, str], list[Diagnostic]] = {}
    for c in unanswered(facts):
        if left_out(c.need.var):
            continue
        use, write = facts.structure.stmts[c.need.site], facts.structure.stmts[c.write]
        key = (use.span, write.span, facts.fn.source_name(users(c.need.var, facts)))
        if key not in seen:
            seen.add(key)
            d = conflict(c, facts, line)
            found.setdefault((d.code, d.primary.span, d.title), []).append(d)
    yield from (_united(same, line) for same in found.values())


def _united(same: list[Diagnostic], line: Lines) -> Diagnostic:
    """One error for several lines that need what one write overwrites, with the edits of all."""
    first = same[0]
    if len(same) == 1:
        return first
    labels = {(label.span, label.text): label for d in same for label in d.labels}
    copies = [f for d in same for f in d.fixes if f.edits]
    edits = united((e for f in copies for e in f.edits), line) if len(copies) == len(same) else None
    others = tuple(f for f in first.fixes if not f.edits)  # than what mends one of several
    fixes = others if edits is None else (keeping(edits), *others)
    return replace(first, labels=tuple(labels.values()), fixes=fixes)


def conflict(c: Conflict, facts: Facts, line: Lines) -> Diagnostic:
    """The error for one pair of use and write."""
    use, write = facts.structure.stmts[c.need.site], facts.structure.stmts[c.write]
    var = users(c.need.var, facts)
    written = next((w.var for w in facts.memory.writes if w.site == c.write), var)
    name, through = (facts.fn.source_name(v) for v in (var, users(written, facts)))
    labels = [Label(use.span, f"needed here: {reason(c.need, name, facts, line)}")]
    here = "overwritten here"
    links = connection(written, c.need.var, facts)
    passed = called(write, written, facts)
    why = why_gone(c, name, use.span, write.span)
    if use.span == write.span or use.origin == write.origin != 0:
        why = _of_other_items(c.need.var, written, write.span, facts) or why
    if c.need.role == "index":
        code, title = "AD305", f"`{name}` selects elements and is changed afterwards"
    elif c.unknown:
        callee = line_part(write.span, line) or "this function"
        code, here = "AD307", "may be overwritten here"
        title = f"an unknown function may overwrite `{name}`, which the gradient still needs"
        why = f"adtrans cannot see what `{callee}` does with the memory of its arguments"
    elif isinstance(write, S.Invoke):
        code = "AD303"
        title = f"`{write.fn}` overwrites `{name}`, which the gradient still needs"
    elif c.need.role == "callee":
        code = "AD303"
        title = f"`{name}` is overwritten, but the gradient of a call still needs it"
        unit = facts.units.get(c.need.site)
        if unit is not None and isinstance(use, S.Invoke):
            given = actuals(use, unit.summary)
            for p, span in unit.summary.keeps:
                if getattr(given.get(p), "id", None) == c.need.var:
                    labels.append(Label(span, f"its pullback reads `{p}` again here"))
    elif through != name:
        code = "AD302"
        title = f"`{name}` is overwritten through `{through}` before the gradient has used it"
    elif c.carried and write.span.line <= use.span.line:
        code, links = "AD304", aliases(written, facts)
        title = f"a later iteration overwrites `{name}` before the gradient has used it"
    else:
        code, title = "AD301", f"`{name}` is overwritten before the gradient has used it"
    labels.extend(Label(s.span, s.text) for s in (*links, *passed[1:]))
    steps = (*links, *passed)
    chain = [f"{s.text} ({s.span.place(write.span)})" for s in steps] if len(steps) > 1 else []
    edits = list(keep_a_copy(var, c.need.site, facts, line))
    return Diagnostic(
        code,
        title,
        Label(write.span, here),
        labels=labels,
        why=why,
        chain=chain,
        fixes=[*([keeping(edits)] if edits else []), last_resort(c, facts)],
        sure=_is_sure(c, written, facts),
    )


def _is_sure(c: Conflict, written: str, facts: Facts) -> bool:
    """Whether this is proved: what is needed is an array or a number, and if it is an item of a
    list or dictionary, then the one that is written."""
    if is_anything(facts.kinds.at(c.need.site, c.need.var)):
        return False
    return item_of(c.need.var, facts) == item_of(written, facts)


def _of_other_items(needed: str, written: str, span: Span, facts: Facts) -> str | None:
    """Why a line overwrites what it needs although it writes another item of a list: the items may
    have changed places, so any two of them count as one."""
    one, other = item_of(needed, facts), item_of(written, facts)
    if one is None or other is None or one[0] != other[0] or one[1] == other[1]:
        return None
    name = facts.fn.source_name(users(one[0], facts))
    return (
        f"the items of `{name}` may change places, so what line {span.line} writes may be what it, "
        "or an earlier iteration of it, is computed from"
    )


def last_resort(c: Conflict, facts: Facts) -> Fix:
    """Save copies; where no copy can be kept, the program has to change."""
    use = facts.structure.stmts[c.need.site]
    if copyable(c.need, facts):
        return Fix(SAVE)
    if c.need.role == "made":
        return Fix(f"write into a copy of `{facts.fn.source_name(users(c.need.var, facts))}`")
    if isinstance(use, S.Invoke):
        return Fix(f"let `{use.fn}` return a new array instead of writing into its argument")
    name = facts.fn.source_name(users(c.need.var, facts))
    return Fix(f"write into a copy of `{name}`, whose kind is not known here")


def why_gone(c: Conflict, name: str, use: Span, write: Span) -> str:
    """Why the old contents are not there when the pullback asks for them."""
    if c.carried and write.line <= use.line:
        return (
            "the pullback runs the iterations backwards, "
            "and by then this iteration's old values are gone"
        )
    if use.line == write.line and use.file == write.file:
        return f"line {write.line} overwrites what its own derivative is computed from"
    return (
        f"the pullback runs line {write.line} before line {use.line}, "
        f"and by then the old `{name}` is gone"
    )


def reason(need: Need, name: str, facts: Facts, line: Lines) -> str:
    """What the pullback does with the value, in the user's words."""
    use = facts.structure.stmts[need.site]
    if need.role == "index":
        return f"the pullback selects with `{name}` again"
    if isinstance(use, S.Invoke):
        return f"the pullback of `{use.fn}` reads it again"
    op = use.op if isinstance(use, S.Update) else _in_place(use.span, line)
    if op:
        return f"the derivative of `{op}=` is computed from it"
    text = line_part(use.span, line)
    what = f"the derivative of `{text}`" if text else "its derivative"
    return f"{what} is computed from it"


def _in_place(span: Span, line: Lines) -> str:
    """The operator of `y *= e` where the span is that of its target, else nothing."""
    if span.line != span.end_line:
        return ""
    found = re.match(r"\s*(\*\*|//|<<|>>|[-+*/%@&|^])=", line(span)[span.end_column :])
    return found[1] if found else ""


def line_part(span: Span, line: Lines) -> str:
    """The text of a span on one line, else nothing."""
    return line(span)[span.column : span.end_column] if span.line == span.end_line else ""
