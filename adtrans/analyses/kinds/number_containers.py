"""Lists, dictionaries and tuples of numbers and arrays that objects, or modules, hold.

>>> from adtrans.analyses.kinds import kind_of_value
>>> print(kind_of_numbers({"a": [1.0], "n": [2, 3]}, kind_of_value))
dict['a': list[float], 'n': list[int], list[float]]
>>> numbers_key([1.0, 2.0]) == numbers_key([3.0])
True

How many items a list has does not belong to its kind, nor which keys a dictionary has that may get
more of them from call to call, such as a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

import numpy as np

from adtrans.analyses.kinds.lattice import dict_of, join, list_of
from adtrans.ir.kinds import NEVER, PY_INT, TEXT, UNKNOWN, Kind, TupleOf

_MOST = 16  # keys that are told apart
_DEEPEST = 8  # containers in containers
_SINGLE = frozenset({bool, int, float, complex, type(None), np.float64})
_NUMBERS = _SINGLE | {np.ndarray}


def holds_numbers(value: object, depth: int = 0) -> bool:
    """Whether it is a list, dictionary or tuple of numbers, arrays and None, or of such containers.

    >>> holds_numbers([1.0, 2.0]), holds_numbers({"a": (np.ones(2),)}), holds_numbers([print])
    (True, True, False)
    """
    if type(value) is list:
        return _NUMBERS.issuperset(map(type, value)) or all(_fits(v, depth) for v in value)
    if isinstance(value, dict) and type(value) is dict:
        keys = all(type(k) in (str, int) for k in value)
        return keys and all(_fits(v, depth) for v in value.values())
    if type(value) is tuple:
        return len(value) <= _MOST and all(_fits(v, depth) for v in value)
    return False


def _fits(item: object, depth: int) -> bool:
    if type(item) in _NUMBERS or isinstance(item, np.generic):
        return True
    return depth < _DEEPEST and holds_numbers(item, depth + 1)


def _has_fields(value: dict[object, object]) -> bool:
    """Whether the keys of a dictionary among the attributes of an object belong to its kind: not of
    one that gets more of them from call to call, such as a cache."""
    return len(value) <= _MOST and all(type(k) is str for k in value)


def numbers_key(value: object) -> Hashable:
    """What the kind of such a container depends on."""
    if type(value) is list:
        classes = frozenset(map(type, value))  # long lists are looked through at each call
        return (list, classes if classes <= _SINGLE else frozenset(map(numbers_key, value)))
    if isinstance(value, dict):
        if _has_fields(value):
            return (dict, *[(k, numbers_key(v)) for k, v in value.items()])
        return (dict, frozenset((type(k), numbers_key(v)) for k, v in value.items()))
    if type(value) is tuple:
        return (tuple, *map(numbers_key, value))
    if isinstance(value, np.ndarray):
        return (value.dtype, *[min(n, 2) for n in value.shape])
    cls: type = type(value)
    return cls


def kind_of_numbers(value: object, leaf: Callable[[object], Kind]) -> Kind:
    """The kind of what `holds_numbers`, or is held there, without sizes and values."""
    if type(value) is list:
        return list_of(joined(kind_of_numbers(v, leaf) for v in value))
    if isinstance(value, dict):
        found = {k: kind_of_numbers(v, leaf) for k, v in value.items()}
        item, key = joined(found.values()), joined(map(kind_of_key, value))
        return dict_of(item, found if _has_fields(value) else {}, key)
    if type(value) is tuple:
        return TupleOf(tuple(kind_of_numbers(v, leaf) for v in value))
    return leaf(value)


def kind_of_key(key: object) -> Kind:
    """The kind of a key of a dictionary."""
    return TEXT if type(key) is str else PY_INT if type(key) is int else UNKNOWN


def joined(kinds: Iterable[Kind]) -> Kind:
    """The kind of what has one of these kinds."""
    found: Kind = NEVER
    for kind in kinds:
        found = join(found, kind)
    return found
