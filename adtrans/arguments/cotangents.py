"""Seeds: the cotangents and tangents that users pass, checked against what they belong to.

>>> import numpy as np
>>> y = (np.zeros(3, dtype="float32"), 1.5)
>>> cotangent((np.ones(3), None), y)
(array([1., 1., 1.], dtype=float32), 0.0)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from adtrans import tree
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import InputError
from adtrans.driver.options import caller_span
from adtrans.runtime.failures import DerivativeError

_NUMBERS = (int, float, np.integer, np.floating)


@dataclass
class _Recording:
    """How a run that is recorded does an operation, and the plain class of each of its classes of
    active numbers: both are entered by the recorder."""

    call: Callable[..., Any] = lambda operation, *args: operation(*args)
    plain: Mapping[type, type] = field(default_factory=dict)


RECORDING = _Recording()


@dataclass(frozen=True)
class Opaque:
    """Stands for an object of a class in a result, of which nothing is known."""

    name: str


def cotangent(given: Any, value: Any, what: str = "the cotangent", of: str = "the result") -> Any:
    """`given` in the form of `value`: same structure, shapes and dtypes; None stands for zero.

    Raises:
        InputError: AD405 for another structure or shape, AD406 for another sort of number.
    """
    if given is None:
        return zero_like(value)
    if isinstance(value, np.ndarray):
        return _array(given, value, what, of)
    if isinstance(value, float | np.floating | int | np.integer) and not isinstance(value, bool):
        number = _number(given, what, of)
        return _of_class(number, value) if isinstance(value, float | np.floating) else number
    if isinstance(value, tuple | list):
        if not isinstance(given, tuple | list) or len(given) != len(value):
            had = f"{len(given)} items" if isinstance(given, tuple | list) else _form(given)
            _refuse(
                "AD405",
                f"{what} does not have the structure of {of}",
                f"{of} is a {type(value).__name__} of {len(value)} items, {what} is {had}.",
                f"pass a {type(value).__name__} of {len(value)} items; None stands for zero",
            )
        items = [
            cotangent(g, v, f"item {i} of {what}", f"item {i} of {of}")
            for i, (g, v) in enumerate(zip(given, value, strict=True))
        ]
        return _rebuilt(value, items)
    if isinstance(value, dict):
        if not isinstance(given, dict) or given.keys() != value.keys():
            _refuse(
                "AD405",
                f"{what} does not have the structure of {of}",
                f"{of} is a dict with the keys {list(value)!r}.",
                "pass a dict with the same keys; None stands for zero",
            )
        return {
            k: cotangent(given[k], v, f"{what}[{k!r}]", f"{of}[{k!r}]") for k, v in value.items()
        }
    if isinstance(value, Opaque):
        _refuse("AD405", f"{what} belongs to an object that is not followed",
                f"{of} is a {value.name}, and cotangents belong to numbers and arrays.",
                "return the attributes that matter, in a tuple or a dictionary")  # fmt: skip
    if tree.is_object(value):
        if type(given) is not type(value):
            _refuse("AD405", f"{what} does not have the structure of {of}",
                    f"{of} is a {type(value).__name__}, {what} is {_form(given)}.",
                    f"pass a {type(value).__name__}; None stands for zero")  # fmt: skip
        names = [n or str(k) for k, n in enumerate(tree.attributes(value))]
        pairs = zip(names, tree.children(given), tree.children(value), strict=True)
        parts = [
            cotangent(g, v, f"`{n}` of {what}", f"`{n}` of {of}") if _carries(v) else None
            for n, g, v in pairs
        ]
        return tree.rebuilt(value, parts)
    _refuse(
        "AD405",
        f"{what} belongs to something that has no derivative",
        f"{of} is {_form(value)}.",
        "pass None for it",
    )


def zero_like(value: Any) -> Any:
    """A zero of the structure of `value`, None for what carries no derivative.

    >>> zero_like((1.5, [2.0, "text"], 3))
    (0.0, [0.0, None], None)
    """
    if isinstance(value, np.ndarray):
        return np.zeros(value.shape, value.dtype) if value.dtype.kind in "fc" else None
    if isinstance(value, float | complex | np.inexact):
        number = next(c for c in type(value).__mro__ if c.__module__ in ("builtins", "numpy"))
        return number(0.0)  # not of the class of a recorded number, which has a place in a record
    if isinstance(value, tuple | list):
        return _rebuilt(value, [zero_like(v) for v in value])
    if isinstance(value, dict):
        return tree.dict_like(value, {k: zero_like(v) for k, v in value.items()})
    if tree.is_object(value) and not isinstance(value, Opaque):
        return tree.rebuilt(value, [zero_like(v) for v in tree.children(value)])
    return None


def laid_as(tangent: Any, value: Any) -> Any:
    """A tangent with its arrays laid out as those of the value: what is a view of one is a view of
    the other.

    >>> like = np.zeros((2, 3), order="F")[::-1]
    >>> made = laid_as(np.ones((2, 3)), like)
    >>> made.strides == like.strides, made.tolist()
    (True, [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    """
    if isinstance(value, np.ndarray) and isinstance(tangent, np.ndarray):
        return _strided(tangent, value)
    if isinstance(value, tuple | list) and isinstance(tangent, tuple | list):
        return _rebuilt(value, [laid_as(t, v) for t, v in zip(tangent, value, strict=True)])
    if isinstance(value, dict) and isinstance(tangent, dict):
        return {k: laid_as(t, value[k]) for k, t in tangent.items()}
    return tangent


def _strided(tangent: Any, value: Any) -> Any:
    """The same of an array; axes that lie apart in the value, or can be joined, do here."""
    strides, size = list(value.strides), value.itemsize
    long = [k for k in range(value.ndim) if value.shape[k] > 1]
    if tangent.strides == value.strides or not value.size or not long:
        return tangent
    joined, extent = size, size
    for k in sorted(long, key=lambda k: abs(strides[k])):
        if abs(strides[k]) < joined:
            return tangent  # elements share memory
        extent += size * (abs(strides[k]) > joined)
        joined = abs(strides[k]) * value.shape[k]
        strides[k] = extent if strides[k] > 0 else -extent
        extent *= value.shape[k]
    first = sum(-strides[k] * (value.shape[k] - 1) for k in long if strides[k] < 0)
    made = np.ndarray(value.shape, value.dtype, np.zeros(extent, np.uint8), first, strides)
    made[...] = tangent
    return made


def outline(value: Any) -> Any:
    """The lists and dictionaries of a value as they are now, around the same items.

    >>> held = [1.0]
    >>> now = outline(held)
    >>> held.append(2.0)
    >>> now
    [1.0]
    """
    if isinstance(value, tuple | list):
        return _rebuilt(value, [outline(v) for v in value])
    if isinstance(value, dict):
        return tree.dict_like(value, {k: outline(v) for k, v in value.items()})
    return value


def conform(found: Any, like: Any) -> Any:
    """A derivative in the form of the value it belongs to: type, dtype, structure.

    >>> import numpy as np
    >>> conform(np.float64(2.0), 1.0), conform(0.0, np.ones(2)), conform(1.0, 3)
    (2.0, array([0., 0.]), None)

    Raises:
        ValueError: for an array of another shape, which only a defect of a rule can produce.
        DerivativeError: for a complex derivative of real numbers.
    """
    if isinstance(like, np.ndarray):
        if like.dtype.kind not in "fc":
            return None
        if found is None:
            return np.zeros(like.shape, like.dtype)
        if type(found) is np.ndarray and found.dtype == like.dtype and found.shape == like.shape:
            return found if found.flags.forc else found.copy()
        if np.ndim(found) and np.shape(found) != like.shape:
            raise ValueError(f"a derivative of shape {np.shape(found)}, not {like.shape}")
        _check_real(found, like.dtype.kind)
        return np.broadcast_to(np.asarray(found, like.dtype), like.shape).copy()
    if isinstance(like, float | complex | np.inexact):
        number = 0.0 if found is None else found
        if type(number) is type(like):
            return number
        _check_real(number, "f" if isinstance(like, float | np.floating) else "c")
        return _of_class(_element(number) if isinstance(number, np.ndarray) else number, like)
    if isinstance(like, tuple | list):
        along = isinstance(found, np.ndarray) and found.ndim > 0
        if along and len(found) != len(like):
            raise ValueError(f"a derivative of shape {found.shape} for {len(like)} items")
        items = list(found) if along or isinstance(found, tuple | list) else [found] * len(like)
        return _rebuilt(like, [conform(f, v) for f, v in zip(items, like, strict=True)])
    if isinstance(like, dict):
        parts = found if isinstance(found, dict) else {}
        return tree.dict_like(like, {k: conform(parts.get(k), v) for k, v in like.items()})
    if isinstance(like, Opaque):
        _refuse("AD405", "no tangent is computed for a part of the result",
                f"the result holds a {like.name}, and tangents belong to numbers and arrays.",
                "return the attributes that matter, in a tuple or a dictionary")  # fmt: skip
    if tree.is_object(like):
        own = list(tree.children(like))
        given = tree.children(found) if tree.is_object(found) else [None] * len(own)
        pairs = zip(given, own, strict=True)
        return tree.rebuilt(like, [conform(f, v) for f, v in pairs])
    nothing = isinstance(like, int | str | bytes | np.generic | None)
    return None if nothing or isinstance(found, _NUMBERS) else found


def _carries(value: Any) -> bool:
    return any(map(tree.carries, tree.leaves(value)))


def _check_real(found: Any, kind: str) -> None:
    """Refuse to cut off an imaginary part: what counted as real was complex in this run."""
    if kind == "f" and np.iscomplexobj(found):
        raise DerivativeError("a value that counts as real was complex in this run", code="AD602")


def _array(given: Any, value: np.ndarray[Any, Any], what: str, of: str) -> Any:
    if value.dtype.kind not in "fc":
        _refuse("AD405", f"{what} belongs to an array of {value.dtype}",
                "only floating-point values have derivatives.", "pass None for it")  # fmt: skip
    if value.dtype.kind == "c":
        _refuse("AD407", f"{of} is complex", "derivatives are those of real results.",
                "return its real and its imaginary part")  # fmt: skip
    if type(given) is not np.ndarray:
        if value.ndim == 0 and isinstance(given, (*_NUMBERS, complex, np.complexfloating)):
            return _cast(_number(given, what, of), value.dtype)
        if hasattr(type(given), "__array__") and not isinstance(given, np.generic):
            _refuse("AD408", f"{what} is {_form(given)}",
                    "other classes of arrays behave differently from plain arrays.",
                    "pass a plain array: np.asarray(...)")  # fmt: skip
        _refuse(
            "AD405",
            f"{what} does not have the shape of {of}",
            f"{of} is an array of shape {value.shape}, {what} is {_form(given)}.",
            f"pass an array of that shape, such as `np.ones({value.shape})`",
        )
    if given.dtype.kind not in "fiu":
        _refuse_dtype(what, of, str(given.dtype), str(value.dtype))
    if given.shape != value.shape:
        _refuse(
            "AD405",
            f"{what} does not have the shape of {of}",
            f"{of} has the shape {value.shape}, {what} {given.shape}; it is not broadcast.",
            "pass an array of the same shape",
        )
    return given if given.dtype == value.dtype else _cast(given, value.dtype)


def _number(given: Any, what: str, of: str) -> Any:
    if isinstance(given, np.ndarray) and given.shape == ():
        given = _element(given)
    if isinstance(given, np.ndarray | tuple | list | dict):
        _refuse("AD405", f"{what} does not have the shape of {of}",
                f"{of} is a number, {what} is {_form(given)}.", "pass a number")  # fmt: skip
    if isinstance(given, bool | np.bool_) or not isinstance(given, _NUMBERS):
        _refuse_dtype(what, of, type(given).__name__, "a real number")
    return float(given) if isinstance(given, int | np.integer) else given


def _of_class(number: Any, like: Any) -> Any:
    """A number of the class of another one; an active one, in a recorded run, as it is."""
    plain = RECORDING.plain
    return number if type(number) in plain else plain.get(type(like), type(like))(number)


def _element(a: Any) -> Any:
    """The element of an array without axes."""
    return RECORDING.call(operator.getitem, a, ())


def _cast(value: Any, dtype: Any) -> Any:
    """A number or an array as an array of that dtype."""
    return RECORDING.call(np.array, value, dtype)


def _rebuilt(like: Any, items: list[Any]) -> Any:
    if isinstance(like, list):
        return items
    return type(like)(*items) if hasattr(like, "_fields") else tuple(items)


def _form(value: Any) -> str:
    if isinstance(value, np.ndarray):
        name = "array" if type(value) is np.ndarray else type(value).__name__
        return f"an {name} of {value.dtype} and shape {value.shape}"
    return "None" if value is None else f"of type {type(value).__name__}"


def _refuse_dtype(what: str, of: str, had: str, wanted: str) -> NoReturn:
    _refuse(
        "AD406",
        f"{what} is of type {had}",
        f"{of} is {wanted}, and so must be {what}.",
        "pass floating-point numbers",
    )


def _refuse(code: str, title: str, why: str, fix: str) -> NoReturn:
    raise InputError(Diagnostic(code, title, caller_span(), why=why, fixes=[Fix(fix)]))
