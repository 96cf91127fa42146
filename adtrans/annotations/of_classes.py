"""What a class says about its objects, as kinds: annotations, and what `__init__` assigns.

>>> import numpy as np
>>> class Oscillator:
...     mass: float
...     def __init__(self, x: np.ndarray):
...         self.x, self.steps = x.copy(), 0
>>> kind = kind_of_objects(Oscillator)
>>> {name: str(field) for name, field in kind.fields}
{'mass': 'float', 'steps': 'int', 'x': '?[...]'}
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adtrans.analyses.kinds import infer, join, kind_of_value
from adtrans.analyses.kinds.lattice import map_affine
from adtrans.annotations.of_functions import kind_of_hint, kinds_of_annotations
from adtrans.diagnostics.errors import AdtransError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import NEVER, Array, Instance, Kind, Scalar
from adtrans.ir.walk import statements
from adtrans.lower import lower
from adtrans.lower.lift import lifted
from adtrans.source import get_source

_DEPTH = 3  # objects in objects


def kinds_of_parameters(fn: Callable[..., Any]) -> dict[str, Kind]:
    """What annotations say of the parameters, also of those that are objects of users' classes,
    and the class of what a method is called on.
    """
    found = kinds_of_annotations(fn)
    given: dict[str, object] = _hints(fn)
    names = list(inspect.signature(fn).parameters)
    own = _class_of(fn)
    if own is not None and names:
        given.setdefault(names[0], own)
    for name in names:
        cls = given.get(name)
        if name not in found and isinstance(cls, type) and _is_plain(cls):
            found[name] = kind_of_objects(cls)
    return found


def kind_of_objects(cls: type, depth: int = 0) -> Instance:
    """The kind of an object of `cls`, with the numbers, arrays and objects that it surely has."""
    found: dict[str, Kind] = {}
    for base in reversed(cls.__mro__[:-1]):
        found |= _assigned_by(vars(base).get("__init__"))
    for name, hint in _hints(cls).items():
        if isinstance(hint, type) and _is_plain(hint):
            found |= {name: kind_of_objects(hint, depth + 1)} if depth < _DEPTH else {}
        else:
            found[name] = kind_of_hint(name, hint)
    fields = ((n, map_affine(k, lambda e: None)) for n, k in sorted(found.items()))
    known = tuple((n, k) for n, k in fields if isinstance(k, Scalar | Array | Instance))
    return Instance(f"{cls.__module__}.{cls.__qualname__}", cls, known)


def _is_plain(cls: type) -> bool:
    """Whether an object is what its class says: written in Python, its attributes as stored."""
    if cls.__module__ == "builtins" or hasattr(cls, "__getattr__"):
        return False
    return not issubclass(cls, np.ndarray | np.generic | tuple | list | dict)


def _hints(described: object) -> dict[str, object]:
    try:
        return typing.get_type_hints(described)
    except (NameError, TypeError, AttributeError, SyntaxError):
        return {}


def _class_of(fn: Callable[..., Any]) -> type | None:
    """The class of its module that `fn` is a method of."""
    module: Mapping[str, object] = getattr(fn, "__globals__", {})
    *around, name = getattr(fn, "__qualname__", "").split(".")
    found: object = None
    for k, part in enumerate(around):
        found = (module if k == 0 else vars(found) if isinstance(found, type) else {}).get(part)
    member = vars(found).get(name) if isinstance(found, type) else None
    method = member.fget if isinstance(member, property) else member
    return found if isinstance(found, type) and method is fn else None


def _assigned_by(init: object) -> dict[str, Kind]:
    """The kinds of the attributes that a constructor assigns."""
    if not isinstance(init, types.FunctionType):
        return {}
    try:
        fn = lower(lifted(get_source(init)))
    except AdtransError:
        return {}
    kinds = infer(fn, kinds_of_annotations(init))
    found: dict[str, Kind] = {}
    for s in statements(fn.body):
        if isinstance(s, S.SetAttr) and s.base == E.Name(fn.params[0].name):
            kind = kind_of_value(s.value.value) if isinstance(s.value, E.Const) else None
            kind = kinds.at(s.site, s.value.id) if isinstance(s.value, E.Name) else kind
            if kind is not None:
                found[s.attr] = join(found.get(s.attr, NEVER), kind)
    return found
