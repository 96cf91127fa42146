"""What there is to say about one line of a program: the verdict on what it writes, what its
derivative needs, which other line is concerned, and the fix."""

from __future__ import annotations

import linecache
from collections.abc import Iterator

from adtrans.cli.findings import Outcome, what_they_are
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.render import render
from adtrans.diagnostics.span import Span
from adtrans.driver.report import Report, link
from adtrans.driver.stages import needed


def explained(o: Outcome, line: int) -> str:
    """The answer for a line of the function that `o` is about."""
    text = linecache.getline(o.file, line).strip()
    found = [f"{o.name}, line {line}: {text}" if text else f"{o.name}, line {line}"]
    here = [d for d in o.diagnostics if concerns(d, o.file, line)]
    if o.report is not None:
        found += _writes(o.report, o.file, line)
        found += _checks(o.report, o.file, line)
    if o.compiled is not None:
        found += [f"  needs {row}" for row in needed(o.compiled.facts, line, _text)]
    if len(found) == 1 and not here and o.status != "recorded":
        found.append("  writes nothing, and nothing of what it reads is needed later")
    if o.status == "unclear":
        found.append(f"  this may depend on what {what_they_are(o)}: annotate, or use --types")
    elsewhere = [d for d in o.diagnostics if d not in here and d.severity == "error"]
    if o.status == "recorded":
        found.append("  the function is recorded: what it does to arrays is known when it runs")
    if elsewhere:
        places = ", ".join(f"{d.code} in line {d.primary.span.line}" for d in elsewhere)
        found.append(f"  the function is refused for other lines: {places}")
    return "\n".join([*found, *(render(d) for d in here)])


def _text(span: Span) -> str:
    return linecache.getline(span.file, span.line).rstrip("\r\n")


def concerns(d: Diagnostic, file: str, line: int) -> bool:
    """Whether a diagnostic is about a line, or needs or mentions it."""
    return any(_is_at(label.span, file, line) for label in (d.primary, *d.labels))


def _is_at(span: Span, file: str, line: int) -> bool:
    return span.file == file and span.line <= line <= span.end_line


def _writes(report: Report, file: str, line: int) -> Iterator[str]:
    for v in report.writes:
        if _is_at(v.span, file, line):
            size = f" ({v.bytes} bytes)" if v.bytes else ""
            yield f"  writes `{v.target}`: {v.verdict}; {v.reason}{size}"
            yield from (f"    {link(s, v)}" for s in v.path)
        elif v.use is not None and _is_at(v.use, file, line):
            where = v.span.place(v.use)
            yield f"  what it reads is overwritten ({where}, `{v.target}`): {v.verdict}"
            yield from (f"    {link(s, v)}" for s in v.path)


def _checks(report: Report, file: str, line: int) -> Iterator[str]:
    for c in report.checks:
        if _is_at(c.span, file, line):
            yield f"  checked when it runs ({c.kind}): {c.sentence}"
