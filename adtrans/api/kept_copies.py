"""What a pullback that outlives its call keeps of memory that others can write.

>>> x, own = np.array([1.0, 2.0]), np.array([3.0])
>>> kept = copied((x, own), [x])
>>> kept[0] is x, kept[1] is own
(False, True)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.analyses.held_by import held_by, is_alone
from adtrans.dispatch.compiled_version import Version
from adtrans.driver.free_names import names_of_code
from adtrans.driver.run_again import Read
from adtrans.guards.scipy_objects import contents, copied_object, is_foreign
from adtrans.runtime.addresses import Leaf

_NUMBERS = {bool, int, float, complex, np.float64, np.int64, np.bool_, type(None)}
_Array = np.ndarray[Any, Any]
_LASTING = (type, ModuleType)
_MANY = 5_000


def _arrays(values: tuple[Any, ...]) -> list[_Array] | None:
    """Every array that can be reached through containers and the attributes of objects; None where
    these lead to so many others that copies cost less than to look at them."""
    found: list[_Array] = []
    seen: dict[int, object] = {}  # what is seen stays, so that no other has its id
    waiting: list[Any] = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            found.append(value)
            if not value.dtype.hasobject:
                continue
        if not is_alone(value) and id(value) not in seen:
            seen[id(value)] = value
            waiting += [part for _, part in held_by(value)]
            if len(seen) > _MANY:
                return None
    return found


def copied(value: Any, outside: Iterable[Any], left: list[Any] | None = None) -> Any:
    """`value` with copies of its lists and of the arrays that share memory with some `outside`; the
    objects that are not copied are added to `left`."""
    left = [] if left is None else left
    return _copied(value, cache(lambda: _arrays(tuple(outside))), {}, left)


def _copied(
    value: Any, outside: Callable[[], list[_Array] | None], done: dict[int, Any], left: list[Any]
) -> Any:
    """`outside` is gone through where there is an array: objects may lead to many others."""
    if isinstance(value, np.ndarray):
        if id(value) not in done:
            others = outside()
            shared = others is None or any(np.may_share_memory(value, a) for a in others)
            done[id(value)] = value, (value.copy("K") if shared else value)
        return done[id(value)][1]
    if isinstance(value, list):
        if id(value) not in done:
            plain = {*map(type, value)} <= _NUMBERS  # thousands of them, in a loop
            made = value.copy() if plain else [_copied(v, outside, done, left) for v in value]
            done[id(value)] = value, made
        return done[id(value)][1]
    if isinstance(value, deque):
        if id(value) not in done:
            own = deque((_copied(v, outside, done, left) for v in value), value.maxlen)
            done[id(value)] = value, own
        return done[id(value)][1]
    if isinstance(value, tuple) and value:
        items = [_copied(v, outside, done, left) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, dict):
        return tree.dict_like(value, {k: _copied(v, outside, done, left) for k, v in value.items()})
    if is_foreign(value):
        if id(value) not in done:
            done[id(value)] = value, value  # for what holds itself
            done[id(value)] = value, copied_object(value, lambda v: _copied(v, outside, done, left))
        return done[id(value)][1]
    if isinstance(value, Leaf):
        alive = value.alive
        if isinstance(alive, tuple):  # nobody changes its length
            return value
        return Leaf(alive, done.setdefault(id(alive), (alive, alive.copy()))[1])
    if id(value) not in done and not (is_alone(value) or isinstance(value, _LASTING)):
        done[id(value)] = value, value
        if not type(value).__module__.startswith("adtrans."):
            left.append(value)
    return value


def watched(version: Version) -> list[tuple[Mapping[str, object], str, object, Any]]:
    """The data that the pullback reads as attributes of modules and classes, arrays with a copy,
    and the objects that it reads by their names."""
    found = []
    module = version.compiled.module.globals
    functions, names, waiting = version.compiled.functions, set[str](), [version.compiled.main[-1]]
    while waiting:  # what the forward function alone reads is its own matter
        f = functions.get(waiting.pop())
        more = names_of_code(f.__code__) - names if f is not None else frozenset()
        names |= more
        waiting += more
    by_name = ((module, n, module[n]) for n in sorted(names & module.keys()))
    objects = [item for item in by_name if is_foreign(item[2])]
    for table, name, value in (*objects, *version.captured.attributes()):
        if name in names:
            kept: Any = value.copy() if isinstance(value, np.ndarray) else None
            found.append((table, name, value, contents(value) if is_foreign(value) else kept))
    return found


def holds(value: object, kept: object) -> bool:
    """Whether a value still holds what it held."""
    if isinstance(kept, Read):
        return contents(value) == kept
    if kept is None:
        return True
    now, then = np.asarray(value), np.asarray(kept)
    return np.array_equal(now, then, equal_nan=now.dtype.kind in "fc" and then.dtype.kind in "fc")
