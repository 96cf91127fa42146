"""Objects of libraries that operations keep, such as sparse matrices: as they are at that time.

The arrays inside of an object may be written later. So a copy of the object is kept, the same one
for all operations until one of the arrays is written, or is another one.

>>> class Table:
...     def __init__(self): self.rows = np.ones(2)
>>> table = Table()
>>> copied(table).rows is table.rows, copied(table).rows.tolist()
(False, [1.0, 1.0])
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.recorder.memory import STATE

if TYPE_CHECKING:
    from adtrans.recorder.levels import Level, Reverse

_HOMES = ("scipy.", "numpy.")


class Snapshot:
    """A copy of an object, and the arrays that it was made of; a write into one ends its use."""

    spare = None

    def __init__(self, value: Any) -> None:
        self.value, self.copy = value, copied(value)
        self.kept = list(_arrays(value))
        self.holds = True

    def is_of(self, value: Any) -> bool:
        """Is the object as it was?"""
        now = list(_arrays(value))
        same = len(now) == len(self.kept) and all(
            a is b for a, b in zip(now, self.kept, strict=True)
        )
        return self.holds and same

    def array(self, k: int) -> Any:
        """One of the arrays that may be written."""
        return self.kept[k]

    def lose(self, level: Level, k: int, copies: dict[Any, Any], saves: bool) -> bool:
        """An array is about to be written: what was kept is a copy."""
        self.holds = False
        return True

    def copy_kept(self, level: Level, k: int, copies: dict[Any, Any]) -> None:
        """Code that is not seen may write it."""
        self.holds = False


def kept(value: Any, level: Reverse) -> Any:
    """What an operation keeps of an object."""
    if not type(value).__module__.startswith(_HOMES) or not hasattr(value, "__dict__"):
        return value
    found = level.snapshots.get(id(value))
    if found is None or not found.is_of(value):
        found = level.snapshots[id(value)] = Snapshot(value)
        for k, a in enumerate(found.kept):
            level.need(STATE.note(a), found, k)
    return found.copy


def copied(value: Any) -> Any:
    """A copy of an object with copies of the arrays that it holds itself."""
    new = copy.copy(value)
    for name, v in vars(value).items():
        if isinstance(v, np.ndarray):
            vars(new)[name] = v.copy("K")
        elif isinstance(v, tuple) and any(isinstance(i, np.ndarray) for i in v):
            vars(new)[name] = tuple([i.copy("K") if isinstance(i, np.ndarray) else i for i in v])
        elif isinstance(v, dict | list):
            vars(new)[name] = copy.deepcopy(v)
    return new


def _arrays(value: Any) -> Iterator[Any]:
    for v in vars(value).values():
        for item in v if isinstance(v, tuple) else (v,):
            if isinstance(item, np.ndarray):
                yield item
