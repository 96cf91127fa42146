"""What the annotations of a function say about its parameters, as kinds.

>>> import numpy as np
>>> def f(x: np.ndarray, n: int, s): ...
>>> {name: str(kind) for name, kind in kinds_of_annotations(f).items()}
{'x': '?[...]', 'n': 'int=n'}
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adtrans.annotations.kind_texts import dtype_name, parse_type, scalar_of_dtype
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import (
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    UNKNOWN,
    Array,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
)

_SCALARS: Mapping[type, Kind] = {
    bool: PY_BOOL,
    float: PY_FLOAT,
    complex: Scalar("complex"),
}


def kinds_of_annotations(fn: Callable[..., Any]) -> dict[str, Kind]:
    """The kinds of the annotated parameters; those without a telling annotation are left out.

    An annotation may also be a text such as "float64[:, 3]".
    """
    given: Mapping[str, object] = _annotations(fn)
    found = ((name, _kind(name, given[name], fn)) for name in _parameters(fn) if name in given)
    return {name: kind for name, kind in found if kind != UNKNOWN}


def _annotations(fn: Callable[..., Any]) -> Mapping[str, object]:
    try:
        return dict(getattr(fn, "__annotations__", {}))
    except NameError:  # evaluated only now, where annotations are lazy
        return {}


def _parameters(fn: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(fn).parameters)


def _kind(name: str, annotation: object, fn: Callable[..., Any]) -> Kind:
    """The kind of one parameter; an annotation that cannot be understood says nothing."""
    if isinstance(annotation, str):
        try:
            return parse_type(annotation.strip("\"' "), name)
        except ValueError:
            pass

    def holder() -> None: ...

    holder.__annotations__ = {name: annotation}
    names = getattr(fn, "__globals__", {})
    try:
        return kind_of_hint(name, typing.get_type_hints(holder, names)[name])
    except (NameError, TypeError, AttributeError, SyntaxError):
        return UNKNOWN


def kind_of_hint(name: str, hint: object) -> Kind:
    """The kind that the annotation of `name` means, `UNKNOWN` where it says too little.

    >>> print(kind_of_hint("t", tuple[float, list[int]]))
    (float, list[int])
    """
    hint = _expanded(hint)
    if hint is int:
        return Scalar("int", None, Affine.symbol(name))
    if isinstance(hint, type) and hint in _SCALARS:
        return _SCALARS[hint]
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return scalar_of_dtype(hint)
    if hint is np.ndarray:
        return Array(None, None)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is np.ndarray:
        inner = typing.get_args(args[-1])
        known = inner and isinstance(inner[0], type) and issubclass(inner[0], np.generic)
        return Array(dtype_name(inner[0]) if known else None, None)
    if origin is tuple and Ellipsis not in args:
        return TupleOf(tuple(kind_of_hint(f"{name}[{k}]", a) for k, a in enumerate(args)))
    if origin is list:
        item = kind_of_hint(name, args[0])
        return ListOf(PY_INT if item == Scalar("int", None, Affine.symbol(name)) else item)
    return UNKNOWN


def _expanded(hint: object) -> object:
    """What an alias made by a `type` statement stands for; `NDArray` of newer NumPy is one."""
    origin: Any = typing.get_origin(hint)
    if hasattr(origin, "__value__"):
        return _expanded(origin.__value__[typing.get_args(hint)])
    return _expanded(hint.__value__) if hasattr(hint, "__value__") else hint
