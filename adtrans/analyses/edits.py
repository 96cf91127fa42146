"""Fixes that keep copies, put together so that no line is edited in two ways.

Two errors may be mended on one line, `z = a[p, q]`, each by a copy of its own. Both then offer the
line that reads both copies, so that the fixes of one report can be applied in any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adtrans.analyses.copy_fixes import reading
from adtrans.diagnostics.diagnostic import Diagnostic, Edit, Fix
from adtrans.diagnostics.span import Span

Lines = Callable[[Span], str]


def keeping(edits: Sequence[Edit]) -> Fix:
    """The fix that consists of these edits."""
    names = dict.fromkeys(name for e in edits for name, _ in e.copies)
    count = sum(len(e.copies) for e in edits)
    more = "one more array" if count == 1 else f"{count} more arrays"
    whose = f" of `{next(iter(names))}`'s size" if len(names) == 1 else ""
    return Fix(f"same result, {more}{whose}", tuple(edits))


def united(edits: Iterable[Edit], line: Lines) -> tuple[Edit, ...] | None:
    """The edits with one for each line; None where one line cannot be edited in all the ways."""
    places: dict[tuple[str, int], list[Edit]] = {}
    for e in dict.fromkeys(edits):
        places.setdefault((e.file, e.line), []).append(e)
    found = [_merged(same, line) for same in places.values()]
    known = tuple(e for e in found if e is not None)
    return known if len(known) == len(found) else None


def _merged(same: list[Edit], line: Lines) -> Edit | None:
    """One edit of a line that reads all copies."""
    first = same[0]
    if len(same) == 1:
        return first
    text = line(Span(first.file, first.line, 0, first.line, 0))
    head = text[: len(text) - len(text.lstrip())]
    copies: dict[str, str] = {}
    for name, kept in (pair for e in same for pair in e.copies):
        copies.setdefault(name, kept)
    code: str | None = text.strip()
    for name, kept in copies.items():
        code = None if code is None else reading(code, name, kept)
    if code is None:
        return None
    made = (f"{head}{kept} = {name}.copy()" for name, kept in copies.items())
    return replace(first, replacement=(*made, head + code), copies=tuple(copies.items()))


def apart(problems: Sequence[Diagnostic], line: Lines) -> list[Diagnostic]:
    """The errors of one report, whose edits can all be applied."""
    every = [e for d in problems for f in d.fixes for e in f.edits]
    by_line: dict[tuple[str, int], Edit | None] = {}
    for e in every:
        same = [o for o in dict.fromkeys(every) if (o.file, o.line) == (e.file, e.line)]
        if len(same) > 1 and (e.file, e.line) not in by_line:
            by_line[e.file, e.line] = _merged(same, line)
    taken: set[tuple[str, int]] = set()  # lines that only one error can mend

    def fix(f: Fix) -> Fix | None:
        places = {(e.file, e.line) for e in f.edits}
        alone = {at for at in places if at in by_line and by_line[at] is None}
        if alone & taken:
            return None
        taken.update(alone)
        if not places & by_line.keys() - alone:
            return f
        return keeping([by_line.get((e.file, e.line)) or e for e in f.edits])

    return [
        replace(d, fixes=tuple(new for f in d.fixes if (new := fix(f)) is not None))
        for d in problems
    ]
