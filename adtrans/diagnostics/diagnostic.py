"""A diagnostic: one thing that a user must know about a program, independent of how it is shown.

>>> from adtrans.diagnostics.span import Span
>>> d = Diagnostic("AD201", "`async for` cannot be differentiated", Span("f.py", 3, 4, 3, 12))
>>> d.severity, d.primary.span.line
('error', 3)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from adtrans.diagnostics.span import Span


@dataclass(frozen=True, slots=True)
class Label:
    """A span with the words that stand under it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A fix as whole lines: lines `line` to `end_line` of `file` become `replacement`.

    `copies`: the arrays of which copies are made there, with the names of these.
    """

    file: str
    line: int
    end_line: int
    replacement: tuple[str, ...]
    copies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """What to do about it: a sentence, and where possible the edit that does it."""

    text: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, init=False)
class Diagnostic:
    """`code` and `title` name the problem, `primary` its place, `labels` other places involved.

    `why` explains in a sentence or two; `fixes` come best first; `chain` tells how one got from the
    primary place to the others (aliases, calls, loops), one step a line. `callee`: the function, or
    the rule, that has no derivative there; `sure`: false where nothing is known of what the error
    is about, so that it may turn out to be none when the program runs.
    """

    code: str
    title: str
    primary: Label
    labels: tuple[Label, ...]
    why: str
    fixes: tuple[Fix, ...]
    chain: tuple[str, ...]
    severity: Literal["error", "warning", "note"]
    callee: object = field(compare=False, repr=False)
    sure: bool

    def __init__(
        self,
        code: str,
        title: str,
        primary: Label | Span,
        *,
        labels: Iterable[Label] = (),
        why: str = "",
        fixes: Iterable[Fix] = (),
        chain: Iterable[str] = (),
        severity: Literal["error", "warning", "note"] = "error",
        callee: object = None,
        sure: bool = True,
    ) -> None:
        place = primary if isinstance(primary, Label) else Label(primary)
        object.__setattr__(self, "sure", sure)
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "primary", place)
        object.__setattr__(self, "labels", tuple(labels))
        object.__setattr__(self, "why", why)
        object.__setattr__(self, "fixes", tuple(fixes))
        object.__setattr__(self, "chain", tuple(chain))
        object.__setattr__(self, "severity", severity)
        object.__setattr__(self, "callee", callee)
