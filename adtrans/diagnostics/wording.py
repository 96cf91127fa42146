"""Names that stand for attributes and items, as the user writes these.

>>> from adtrans.diagnostics.span import Span
>>> d = Diagnostic("AD301", "`tank_level` is overwritten", Span("f.py", 3, 4, 3, 12))
>>> as_written(d, {"tank_level": "tank.level"}).title
'`tank.level` is overwritten'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label

_QUOTED = re.compile(r"`[^`]*`")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


def worded(text: str, shown: Mapping[str, str]) -> str:
    """A sentence with what is quoted in it in the user's words.

    >>> worded("`fill` writes `tank_level[0]`", {"tank_level": "tank.level"})
    '`fill` writes `tank.level[0]`'
    """
    return _QUOTED.sub(lambda q: code_worded(q[0], shown), text)


def code_worded(code: str, shown: Mapping[str, str]) -> str:
    """An expression, or a formula, in the user's words."""
    return _NAME.sub(lambda n: shown.get(n[0], n[0]), code)


def as_written(d: Diagnostic, shown: Mapping[str, str]) -> Diagnostic:
    """`d` with its texts in the user's words; edits are lines of the user's."""

    def text(words: str) -> str:
        return worded(words, shown)

    return replace(
        d,
        title=text(d.title),
        primary=Label(d.primary.span, text(d.primary.text)),
        labels=tuple(Label(label.span, text(label.text)) for label in d.labels),
        why=text(d.why),
        fixes=tuple(Fix(text(f.text), f.edits) for f in d.fixes),
        chain=tuple(map(text, d.chain)),
    )
