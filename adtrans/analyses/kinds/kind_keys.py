"""What the kinds of values depend on, quick to compute: of arguments, and of what is captured.

>>> import numpy as np
>>> settings = {"n": 3, "w": np.ones(3)}
>>> key = outside_key(settings)
>>> settings["n"] = 2
>>> outside_key(settings) == key
True
>>> settings["w"] = np.ones((3, 3))
>>> outside_key(settings) == key
False
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from types import SimpleNamespace

import numpy as np

from adtrans.analyses.kinds.named import is_named_tuple
from adtrans.analyses.kinds.number_containers import holds_numbers, numbers_key
from adtrans.analyses.kinds.values import (
    DEEPEST,
    HOLDERS,
    holds_objects,
    is_identity,
    is_inner,
    plain_attributes,
)
from adtrans.source.libraries import is_library

_PLAIN = frozenset({bool, int, float, complex, type(None), np.float64})
_MANY = 64  # keys; of a dictionary with more of them nothing is known


def kinds_key(args: tuple[object, ...]) -> Hashable:
    """A key, quick to compute: equal keys mean equal `param_kinds`, and the same known objects.

    >>> import numpy as np
    >>> a, b = np.ones(3), np.ones(4)
    >>> kinds_key((a, a)) == kinds_key((b, b)), kinds_key((a, b)) == kinds_key((b, b))
    (True, False)
    """
    sizes: dict[int, int] = {}
    return tuple([_key(a, sizes) for a in args])


def _key(obj: object, sizes: dict[int, int], depth: int = 0) -> Hashable:
    cls: type = type(obj)
    if cls is np.ndarray:
        assert isinstance(obj, np.ndarray)
        # Sizes 0 and 1 stand for themselves, others are numbered from 2 as they turn up.
        shape = [n if n < 2 else sizes.setdefault(n, len(sizes) + 2) for n in obj.shape]
        return (obj.dtype, *shape)
    if cls is int:
        assert isinstance(obj, int)
        return (cls, obj >= 0)
    if cls is tuple or cls is list or is_named_tuple(obj):
        assert isinstance(obj, tuple | list)
        inner = obj if depth <= DEEPEST else ()
        return (cls, *[_key(item, sizes, depth + 1) for item in inner])
    if cls is dict:
        assert isinstance(obj, dict)
        items = obj.items() if depth <= DEEPEST else ()
        return (cls, *[(k, _key(v, sizes, depth + 1)) for k, v in items])
    if isinstance(obj, np.generic) or cls in (float, bool, complex, type(None)):
        return cls
    if isinstance(obj, str | bytes | np.dtype):
        return obj
    if is_identity(obj):
        return (cls, _Same(obj))
    return _object_key(obj, ())


def _object_key(obj: object, around: tuple[object, ...]) -> Hashable:
    inner = (*around, obj)
    fields = [(name, _field_key(value, inner)) for name, value in plain_attributes(obj).items()]
    return (type(obj), *fields)


def _field_key(value: object, around: tuple[object, ...]) -> Hashable:
    """What `fields_of` depends on."""
    if type(value) is np.ndarray:
        return (value.dtype, *[min(n, 2) for n in value.shape])
    if is_identity(value):
        return (type(value), _Same(value))
    if is_inner(value, around[:-1]):
        return _object_key(value, around)
    if holds_numbers(value):
        return numbers_key(value)
    cls: type = type(value)
    if len(around) <= HOLDERS + 1 and holds_objects(value):
        assert isinstance(value, list | tuple | dict)
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return (cls, *[(k, _field_key(v, (*around, value))) for k, v in items])
    return cls


def may_become_another(value: object) -> bool:
    """Whether something that stays the same object may get another kind.

    >>> may_become_another((1.0, [2.0])), may_become_another((1.0, "a", len))
    (True, False)
    """
    cls = type(value)
    if cls in _PLAIN or is_identity(value) or isinstance(value, np.generic):
        return False
    if cls in (np.ndarray, list, dict):
        return True
    if isinstance(value, tuple) and (cls is tuple or is_named_tuple(value)):
        return any(map(may_become_another, value))
    return not is_library(cls.__module__) or cls is SimpleNamespace


def outside_key(value: object, depth: int = 0) -> Hashable:
    """What `kind_of_value` depends on of something captured, beside which object it is."""
    cls: type = type(value)
    if cls is np.ndarray:
        assert isinstance(value, np.ndarray)
        return (value.dtype, value.shape)
    if isinstance(value, tuple) and (cls is tuple or is_named_tuple(value)):
        return (cls, *[outside_key(v, depth + 1) for v in value if may_become_another(v)])
    return _held_key(value, depth)


def _held_key(value: object, depth: int) -> Hashable:
    """The same of what others may stand for, as the items of a list."""
    cls: type = type(value)
    if cls in _PLAIN:
        return cls
    if cls is np.ndarray:
        assert isinstance(value, np.ndarray)
        return (value.dtype, *[min(n, 2) for n in value.shape])
    if depth > DEEPEST:
        return cls
    if cls is list:
        assert isinstance(value, list)
        classes = frozenset(map(type, value))  # long lists are looked through at each call
        if classes <= _PLAIN:
            return (cls, classes)
        found = [_held_key(v, depth + 1) for v in value]
        return (cls, *found) if holds_objects(value) else (cls, frozenset(found))
    if isinstance(value, tuple) and (cls is tuple or is_named_tuple(value)):
        return (cls, *[_held_key(v, depth + 1) for v in value])
    if isinstance(value, dict) and cls is dict:
        return (cls, *_entries_key(value, depth + 1))
    return _key(value, {})


def _entries_key(value: dict[object, object], depth: int) -> Iterable[Hashable]:
    named = all(isinstance(k, str | int) for k in value)
    if named and len(value) > _MANY:
        return ()
    if named:
        return [(k, type(k), _held_key(v, depth)) for k, v in value.items()]
    classes = frozenset(map(type, value.values()))
    held = classes if classes <= _PLAIN else frozenset(_held_key(v, depth) for v in value.values())
    return (frozenset(map(type, value)), held)


class _Same:
    """Equal to itself only; keeps its object alive, so that the identity is not used again."""

    __slots__ = ("obj",)

    def __init__(self, obj: object) -> None:
        self.obj = obj

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.obj is other.obj

    def __hash__(self) -> int:
        return id(self.obj)
