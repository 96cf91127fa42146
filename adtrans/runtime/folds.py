"""Universal functions of two operands that are folded along an axis: the chain of their partials.

>>> a = np.array([2.0, 3.0, 2.0])              # (2 ** 3) ** 2
>>> fold_pullback(1.0, "power", a, 0, False).round(6)
array([192.      ,  88.722839, 133.084259])
>>> fold_pushforward(np.array([1.0, 0.0, 0.0]), "power", a, 0, False)
np.float64(192.0)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from adtrans.runtime.partial_derivatives import log_or_zero, power_slope


def _slopes(name: str, a: Any, b: Any, y: Any) -> tuple[Any, Any]:
    """The partial derivatives of `y = name(a, b)`; of equal operands the first is the extremum."""
    one = np.ones_like(y)
    match name:
        case "add" | "subtract":
            return one, one if name == "add" else -one
        case "multiply":
            return b, a
        case "divide":
            return 1 / b, -y / b
        case "power" | "float_power":
            return power_slope(a, b), y * log_or_zero(a)
        case "remainder":
            return one, -np.floor_divide(a, b)
        case "fmod":
            return one, -np.trunc(a / b)
        case "hypot":
            return a / y, b / y
        case "arctan2":
            return b / (a * a + b * b), -a / (a * a + b * b)
        case "logaddexp":
            return np.exp(a - y), np.exp(b - y)
        case "logaddexp2":
            return np.exp2(a - y), np.exp2(b - y)
        case "copysign":
            return np.sign(a) * np.sign(y), 0 * one
        case "nextafter":
            return one, 0 * one
        case "heaviside":
            return 0 * one, (a == 0) * one
        case "maximum" | "minimum":
            first = a >= b if name == "maximum" else a <= b
            return first * one, ~first * one
        case _:  # fmax, fmin: what is no number loses
            return (y == a) * one, (y != a) * one


def _curves(name: str, a: Any, b: Any, y: Any) -> tuple[Any, Any, Any]:
    """The second partial derivatives by `a` twice, by both, by `b` twice; between jumps."""
    zero = np.zeros_like(y)
    match name:
        case "multiply":
            return zero, zero + 1, zero
        case "divide":
            return zero, -1 / (b * b), 2 * y / (b * b)
        case "power" | "float_power":
            log = log_or_zero(a)
            return b * power_slope(a, b - 1), (y + b * y * log) / a, y * log * log
        case "hypot":
            return b * b / y**3, -a * b / y**3, a * a / y**3
        case "arctan2":
            q = (a * a + b * b) ** 2
            return -2 * a * b / q, (a * a - b * b) / q, 2 * a * b / q
        case "logaddexp":
            p = np.exp(a + b - 2 * y)
            return p, -p, p
        case "logaddexp2":
            p = np.exp2(a + b - 2 * y) * np.log(2.0)
            return p, -p, p
        case _:
            return zero, zero, zero


def _results(name: str, rows: Any) -> list[Any]:
    """What the fold is after each row."""
    found = [rows[0]] if len(rows) else []
    for row in rows[1:]:
        found.append(getattr(np, name)(found[-1], row))
    return found


def _backwards(name: str, rows: Any, seeds: Any) -> Any:
    out = np.zeros_like(rows)
    found = _results(name, rows)
    bar = np.zeros_like(rows[0]) if len(rows) else 0.0
    for k in range(len(rows) - 1, 0, -1):
        bar = bar + seeds[k]
        left, right = _slopes(name, found[k - 1], rows[k], found[k])
        out[k] = bar * right
        bar = bar * left
    if len(rows):
        out[0] = bar + seeds[0]
    return out


def _forwards(name: str, rows: Any, dots: Any) -> Any:
    out = np.zeros_like(rows)
    found = _results(name, rows)
    for k in range(len(rows)):
        if not k:
            out[0] = dots[0]
            continue
        left, right = _slopes(name, found[k - 1], rows[k], found[k])
        out[k] = out[k - 1] * left + dots[k] * right
    return out


def _curved(name: str, rows: Any, seeds: Any, dots: Any) -> Any:
    """How `_backwards` changes with the rows."""
    out = np.zeros_like(rows)
    found, moved = _results(name, rows), _forwards(name, rows, dots)
    bar = bar_dot = np.zeros_like(rows[0]) if len(rows) else 0.0
    for k in range(len(rows) - 1, 0, -1):
        bar = bar + seeds[k]
        at = found[k - 1], rows[k], found[k]
        (left, right), (aa, ab, bb) = _slopes(name, *at), _curves(name, *at)
        out[k] = bar_dot * right + bar * (ab * moved[k - 1] + bb * dots[k])
        bar_dot = bar_dot * left + bar * (aa * moved[k - 1] + ab * dots[k])
        bar = bar * left
    if len(rows):
        out[0] = bar_dot
    return out


def scan_slope(t: Any, g: Any, name: str, a: Any, axis: int) -> Any:
    """The change of `scan_pullback(g, name, a, axis)` along a tangent of `a`: it is symmetric."""
    rows, seeds, dots = (np.moveaxis(v, axis, 0) for v in (a, g, t))
    return np.moveaxis(_curved(name, rows, seeds, dots), 0, axis)


def scan_pullback(g: Any, name: str, a: Any, axis: int) -> Any:
    """The adjoint of `np.<name>.accumulate(a, axis)`."""
    return np.moveaxis(_backwards(name, np.moveaxis(a, axis, 0), np.moveaxis(g, axis, 0)), 0, axis)


def scan_pushforward(t: Any, name: str, a: Any, axis: int) -> Any:
    """The tangent of `np.<name>.accumulate(a, axis)`."""
    return np.moveaxis(_forwards(name, np.moveaxis(a, axis, 0), np.moveaxis(t, axis, 0)), 0, axis)


def fold_slope(t: Any, g: Any, name: str, a: Any, axis: int, keepdims: bool) -> Any:
    """The change of `fold_pullback(g, name, a, axis, keepdims)` along a tangent of `a`."""
    rows, dots = np.moveaxis(a, axis, 0), np.moveaxis(t, axis, 0)
    seeds = np.zeros_like(rows)
    if len(rows):
        seeds[-1] = np.reshape(g, rows.shape[1:])
    return np.moveaxis(_curved(name, rows, seeds, dots), 0, axis)


def fold_pullback(g: Any, name: str, a: Any, axis: int, keepdims: bool) -> Any:
    """The adjoint of `np.<name>.reduce(a, axis)`."""
    rows = np.moveaxis(a, axis, 0)
    seeds = np.zeros_like(rows)
    if len(rows):
        seeds[-1] = np.reshape(g, rows.shape[1:])
    return np.moveaxis(_backwards(name, rows, seeds), 0, axis)


def fold_pushforward(t: Any, name: str, a: Any, axis: int, keepdims: bool) -> Any:
    """The tangent of `np.<name>.reduce(a, axis)`."""
    found = _forwards(name, np.moveaxis(a, axis, 0), np.moveaxis(t, axis, 0))
    last = found[-1] if len(found) else np.zeros(found.shape[1:])
    return np.expand_dims(last, axis) if keepdims else last[()]


def _parts(indices: Any, size: int) -> Iterator[slice]:
    """The parts of an axis that `reduceat` folds: one element where the next index is no larger."""
    places = [int(k) for k in np.ravel(indices)]
    for k, start in enumerate(places):
        stop = places[k + 1] if k + 1 < len(places) else size
        yield slice(start, max(stop, start + 1))


def reduceat_fold_pullback(g: Any, name: str, a: Any, indices: Any, axis: int) -> Any:
    """The adjoint of `np.<name>.reduceat(a, indices, axis)`.

    >>> a = np.array([2.0, 3.0, 5.0])
    >>> reduceat_fold_pullback(np.array([1.0, 10.0]), "multiply", a, [0, 2], 0)
    array([ 3.,  2., 10.])
    """
    rows, seeds = np.moveaxis(a, axis, 0), np.moveaxis(g, axis, 0)
    out = np.zeros_like(rows)
    for k, part in enumerate(_parts(indices, len(rows))):
        out[part] += fold_pullback(seeds[k], name, rows[part], 0, False)
    return np.moveaxis(out, 0, axis)


def reduceat_fold_pushforward(t: Any, name: str, a: Any, indices: Any, axis: int) -> Any:
    """The tangent of `np.<name>.reduceat(a, indices, axis)`."""
    rows, dots = np.moveaxis(a, axis, 0), np.moveaxis(t, axis, 0)
    parts = list(_parts(indices, len(rows)))
    out = np.zeros((len(parts), *rows.shape[1:]), rows.dtype)
    for k, part in enumerate(parts):
        out[k] = fold_pushforward(dots[part], name, rows[part], 0, False)
    return np.moveaxis(out, 0, axis)


def reduceat_fold_slope(t: Any, g: Any, name: str, a: Any, indices: Any, axis: int) -> Any:
    """The change of `reduceat_fold_pullback` along a tangent of `a`."""
    rows, seeds, dots = (np.moveaxis(v, axis, 0) for v in (a, g, t))
    out = np.zeros_like(rows)
    for k, part in enumerate(_parts(indices, len(rows))):
        out[part] += fold_slope(dots[part], seeds[k], name, rows[part], 0, False)
    return np.moveaxis(out, 0, axis)
