"""Class patterns of `match`: Python reads the attributes itself, so that none may be computed."""

from __future__ import annotations

import collections
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adtrans.recorder import escapes
from adtrans.recorder.recorded_refusals import refuse

_FIELD = type(inspect.getattr_static(collections.namedtuple("_Pair", "first"), "first"))
_STORED = (types.MemberDescriptorType, types.FunctionType, staticmethod, classmethod, _FIELD)


def matched(subject: Any, *patterns: tuple[Callable[[], Any], int, tuple[str, ...]]) -> Any:
    """The subject of a `match`; each pattern is a class, and the attributes that it reads, by place
    and by name."""
    if not escapes.reaches(subject):
        return subject
    for class_of, count, names in patterns:
        cls = class_of()
        if not isinstance(cls, type) or cls is np.ndarray:
            continue
        first = tuple(getattr(cls, "__match_args__", ()))[:count]
        for name in (*first, *names):
            if any(_is_computed(c, name) for c in _with_derived(cls)):
                refuse(f"a pattern that reads `{cls.__name__}.{name}`", "the attribute is computed",
                       fix="read the attribute before, and match what it is")  # fmt: skip
    return subject


def _is_computed(cls: type, name: str) -> bool:
    for hook in ("__getattr__", "__getattribute__"):
        if isinstance(inspect.getattr_static(cls, hook, None), types.FunctionType):
            return True
    found = inspect.getattr_static(cls, name, None)
    return hasattr(type(found), "__get__") and not isinstance(found, _STORED)


def _with_derived(cls: type) -> Iterator[type]:
    yield cls
    below: list[type] = type.__subclasses__(cls)
    for c in below:
        yield from _with_derived(c)
