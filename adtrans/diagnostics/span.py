"""A place in a user's source: file, first and last line, first and last column.

>>> s = Span("heat.py", 14, 8, 14, 15)
>>> str(s)
'heat.py:14:9'
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines count from 1. Columns count characters (not bytes) from 0; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`, in the same file."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def around(self, other: Span) -> Span:
        """The stretch that holds both spans, in the same file."""
        first = min((self.line, self.column), (other.line, other.column))
        last = max((self.end_line, self.end_column), (other.end_line, other.end_column))
        return Span(self.file, *first, *last)

    def meets(self, other: Span) -> bool:
        """Whether the two have a place in common."""
        return (
            self.file == other.file
            and (self.line, self.column) < (other.end_line, other.end_column)
            and (other.line, other.column) < (self.end_line, self.end_column)
        )

    def place(self, here: Span) -> str:
        """The line, and the file where that is not the one of `here`.

        >>> Span("a/b.py", 3, 0, 3, 1).place(Span("a.py", 1, 0, 1, 1))
        'b.py:3'
        """
        if self.file == here.file:
            return f"line {self.line}"
        return f"{self.file.replace(chr(92), '/').rpartition('/')[2]}:{self.line}"
