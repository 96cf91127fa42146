"""Why an object is no longer followed, with the statement at which that was found.

>>> why = Reason("it is passed to `print`", Span("f.py", 3, 4, 3, 12))
>>> why, why.bare
('it is passed to `print` (line 3)', 'it is passed to `print`')
"""

from __future__ import annotations

from adtrans.diagnostics.span import Span


class Reason(str):
    """A reason as a text. `span`: where; `bare`: the text without the line."""

    span: Span
    bare: str

    def __new__(cls, why: str, span: Span) -> Reason:
        """`why`, at `span`."""
        made = super().__new__(cls, f"{why} (line {span.line})")
        made.span, made.bare = span, why
        return made
