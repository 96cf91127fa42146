"""What an object holds, without asking it: a user's `__getattr__` may do, or raise, anything."""

from __future__ import annotations

import types
from inspect import getattr_static
from typing import Any

_BOUND = (
    property, staticmethod, classmethod, types.GetSetDescriptorType, types.MemberDescriptorType,
)  # fmt: skip


def held(obj: Any, name: str) -> Any:
    """The attribute of that name; None where neither the object nor its class has it.

    >>> import functools
    >>> class Record(dict):
    ...     __getattr__ = dict.__getitem__
    >>> held(Record(), "__wrapped__")
    >>> held(functools.lru_cache(len), "__wrapped__")
    <built-in function len>
    """
    found = getattr_static(obj, name, None)
    return getattr(obj, name, None) if isinstance(found, _BOUND) else found
