"""What lists and dictionaries hold, by names, as namespaces are read.

>>> sorted(Held([len, abs]))
['0', '1', '[2]']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class Held(Mapping[str, object]):
    """What a list or a dictionary holds, by name; which names there are is a further one."""

    def __init__(self, held: list[Any] | dict[Any, Any]) -> None:
        self.held = held

    def names(self) -> str:
        """A name that no other keys, or length, would have."""
        return f"[{len(self.held)}]" if isinstance(self.held, list) else f"{list(self.held)!r}"

    def __getitem__(self, name: str) -> object:
        if isinstance(self.held, dict) and name in self.held:
            return self.held[name]
        if isinstance(self.held, list) and name.isdecimal() and int(name) < len(self.held):
            return self.held[int(name)]
        if name == self.names():
            return True
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        yield self.names()
        known: Iterable[object] = self.held
        if isinstance(self.held, list):
            known = map(str, range(len(self.held)))
        yield from (k for k in known if isinstance(k, str))

    def __len__(self) -> int:
        return sum(1 for _ in self)
