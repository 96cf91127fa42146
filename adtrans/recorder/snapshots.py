"""Objects of libraries that operations keep, such as sparse matrices: as they are at that time.

The arrays inside of an object may be written later. So a copy of the object is kept, the same one
for all operations until one of the arrays is written, or is another one. A sparse matrix of lists,
or of a dictionary, is copied for each operation: nobody sees writes into these.
"""

from __future__ import annotations

import copy
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.guards.scipy_objects import attributes, copied_object
from adtrans.recorder.memory import STATE

if TYPE_CHECKING:
    from adtrans.recorder.levels import Level, Reverse

_HOMES = ("scipy.", "numpy.")
_SPARSE = "scipy.sparse."


class Snapshot:
    """A copy of an object, and the arrays that it was made of; a write into one ends its use."""

    spare = None

    def __init__(self, value: Any, arrays: list[Any]) -> None:
        self.value, self.copy = value, copied_object(value, _copied)
        self.kept = arrays
        self.holds = True

    def is_of(self, arrays: list[Any]) -> bool:
        """Is an object that holds these arrays as it was?"""
        same = len(arrays) == len(self.kept) and all(map(is_, arrays, self.kept))
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
    homes = [c.__module__ for c in type(value).__mro__]
    if not any(home.startswith(_HOMES) for home in homes):
        return value
    if any(home.startswith(_SPARSE) for home in homes) and _is_of_lists(value):
        return copy.deepcopy(value)
    arrays = _arrays(value)
    found = level.snapshots.get(id(value))
    if found is None or not found.is_of(arrays):
        found = level.snapshots[id(value)] = Snapshot(value, arrays)
        for k, a in enumerate(arrays):
            level.need(STATE.note(a), found, k)
    return found.copy


def _is_of_lists(matrix: Any) -> bool:
    parts = [part for _, part in attributes(matrix)]
    return isinstance(matrix, dict) or any(
        isinstance(p, dict | list) or (isinstance(p, np.ndarray) and p.dtype.kind == "O")
        for p in parts
    )


def _arrays(value: Any) -> list[Any]:
    """The arrays that an object holds itself."""
    held = (p if isinstance(p, tuple) else (p,) for _, p in attributes(value))
    return [item for items in held for item in items if isinstance(item, np.ndarray)]


def _copied(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(map(_copied, part))
    return part.copy("K") if isinstance(part, np.ndarray) else part
