"""What was read while each function was looked into, so that none is looked into again for nothing.

What a function does with objects depends on its statements, on which of its objects are lost, and
on what the functions that it calls do. As long as none of these changes, the answer is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from adtrans.analyses.objects.model import Key, Seen

K = TypeVar("K")
Lost = Mapping[Key, str]


@dataclass
class Visits(Generic[K]):
    """`K` identifies a function and the shapes of its arguments."""

    _under_way: list[dict[K, Seen]] = field(default_factory=list)
    _last: dict[K, tuple[Lost, dict[K, Seen]]] = field(default_factory=dict)

    def reads(self, key: K, seen: Seen) -> Seen:
        """What is known of a callee is asked for by the function that is being looked into."""
        if self._under_way:
            self._under_way[-1][key] = seen
        return seen

    @contextmanager
    def visit(self, key: K, lost: Lost) -> Iterator[None]:
        """A function is looked into, of whose objects these are lost."""
        read: dict[K, Seen] = {}
        self._under_way.append(read)
        try:
            yield
        finally:
            self._under_way.pop()
        self._last[key] = (lost, read)

    def unchanged(self, key: K, lost: Lost, again: Callable[[K], Seen]) -> bool:
        """Whether the last visit would read the same: `again` asks for a callee once more, in the
        same order."""
        if key not in self._last or self._last[key][0] != lost:
            return False
        return all(again(callee) is seen for callee, seen in self._last[key][1].items())

    def clear(self) -> None:
        """What was found out does not count."""
        self._last.clear()
