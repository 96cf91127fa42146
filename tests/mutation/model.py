"""A mutant: one change of one file, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Mutant:
    """`old` is replaced by `new` in `file`; `by`: the tests that notice at once.

    `at`: where `old` stands, for one that may stand there several times. `put`: makes the change in
    the running process, where it is one of what a module made, and of no text.
    """

    name: str
    file: str
    old: str
    new: str
    by: tuple[str, ...] = ()
    at: int | None = None
    put: Callable[[], None] | None = field(default=None, compare=False)

    def applied(self, text: str) -> str:
        """The text of the file with the change.

        Raises:
            LookupError: if the place is not there (any more), or not just once.
        """
        start = self.start(text)
        return text[:start] + self.new + text[start + len(self.old) :]

    def start(self, text: str) -> int:
        """Where the change begins."""
        if self.at is not None:
            if not text.startswith(self.old, self.at):
                raise LookupError(f"{self.name}: not at {self.at} in {self.file}")
            return self.at
        if text.count(self.old) != 1:
            raise LookupError(f"{self.name}: {text.count(self.old)} times in {self.file}")
        return text.index(self.old)

    def lines(self, text: str) -> range:
        """The lines that are changed."""
        start = self.start(text)
        first = text.count("\n", 0, start) + 1
        return range(first, first + self.old.count("\n") + 1)
