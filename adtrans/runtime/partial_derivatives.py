"""Partial derivatives that take more than a line.

>>> import numpy as np
>>> power_slope(np.array([0.0, 2.0]), np.array([0, 3]))
array([ 0., 12.])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


def power_slope(a: Any, b: Any) -> Any:
    """The derivative of `a ** b` for `a`: `b * a ** (b - 1)`, and 0 where `b` is 0."""
    if np.ndim(b) == 0:
        return b * a ** (b - 1) if b else 0.0 * a
    return b * a ** np.where(b == 0, np.ones_like(b), b - 1)


def log_or_zero(a: Any) -> Any:
    """`np.log(a)`, and 0 where `a` is 0: the factor in the derivative of `a ** b` for `b`.

    >>> log_or_zero(np.array([0.0, 1.0]))
    array([0., 0.])
    """
    if np.ndim(a) == 0:
        return np.log(a) if a else 0.0
    return np.log(np.where(a == 0, np.ones_like(a), a))


def sinc_slope(x: Any, n: int = 1) -> Any:
    """The n-th derivative of `np.sinc`: by its series around 0, where the quotient would cancel.

    >>> round(float(sinc_slope(0.0, 2)), 12) == round(-np.pi**2 / 3, 12)
    True
    """
    near = np.abs(x) < 0.5 * n
    far = np.where(near, np.ones_like(x), x)
    found = np.sinc(far)
    for k in range(1, n + 1):
        turned = np.pi ** (k - 1) * np.sin(np.pi * far + 0.5 * k * np.pi)
        found = (turned - k * found) / far
    small = np.where(near, x, np.zeros_like(x))
    power = np.pi * small if n % 2 else np.ones_like(small)  # (pi x)^m / m!
    total = 0.0 * small
    for m in range(n % 2, 40, 2):
        sign = -1.0 if (n + m) // 2 % 2 else 1.0
        total = total + sign * np.pi**n / (n + m + 1) * power
        power = power * (np.pi * small) ** 2 / ((m + 1) * (m + 2))
    return np.where(near, total, found)[()]


def first_of(arg: Callable[..., Any], a: Any, axis: Any = None) -> Any:
    """A mask with the element that `arg` (such as `np.argmax`) finds along `axis` (int or tuple).

    >>> first_of(np.argmax, np.array([1.0, 3.0, 3.0]))
    array([False,  True, False])
    """
    a = np.asarray(a)
    mask = np.zeros(a.shape, bool)
    if not a.size:
        return mask
    if arg in (np.nanargmax, np.nanargmin):  # of nothing but NaN there is none
        found, highest = ~np.isnan(a), arg is np.nanargmax
        a = np.where(found, a, -np.inf if highest else np.inf)
        return first_of(np.argmax if highest else np.argmin, a, axis) & found
    if axis is None or not a.ndim:
        mask.reshape(-1)[arg(a)] = True
    elif a.ndim and not isinstance(axis, tuple):
        np.put_along_axis(mask, np.expand_dims(arg(a, axis=axis), axis), True, axis)
    elif a.ndim:
        last = tuple(range(-len(axis), 0))
        moved = np.moveaxis(a, axis, last)
        kept = moved.shape[: a.ndim - len(axis)]
        flat = moved.reshape(*kept, math.prod(moved.shape[len(kept) :]))
        found = np.zeros(flat.shape, bool)
        np.put_along_axis(found, arg(flat, axis=-1)[..., None], True, -1)
        mask = np.moveaxis(found.reshape(moved.shape), last, axis)
    return mask


def first_in_line(arg: Callable[..., Any], items: Any) -> Any:
    """`first_of` for what `max` or `min` finds among numbers.

    Raises:
        DerivativeError: for an array of rows, of which Python returns the only one.
    """
    if np.ndim(items) > 1:
        raise DerivativeError(
            "`max` and `min` of rows have no rule: use `np.max` or `np.min`", code="AD601"
        )
    return first_of(arg, items)


def of_first(arg: Callable[..., Any], g: Any, a: Any, axis: Any = None) -> Any:
    """`g` where `arg` (such as `np.argmax`) finds an element of `a` along `axis`, 0 elsewhere.

    >>> of_first(np.argmax, 2.0, np.array([1.0, 3.0, 3.0]))
    array([0., 2., 0.])
    """
    a = np.asarray(a)
    if not a.size or arg in (np.nanargmax, np.nanargmin):
        return np.where(first_of(arg, a, axis), g, np.zeros_like(a))
    if axis is None and a.ndim:
        flat = np.zeros(a.size, a.dtype)
        flat[arg(a)] = np.reshape(g, ())
        return flat.reshape(a.shape)
    if isinstance(axis, tuple) or not a.ndim:
        return np.where(first_of(arg, a, axis), g, np.zeros_like(a))
    out = np.zeros(a.shape, a.dtype)
    np.put_along_axis(out, np.expand_dims(arg(a, axis=axis), axis), g, axis)
    return out


def median_weights(a: Any, axis: Any = None) -> Any:
    """How much each element counts in `np.median`: 1 (middle one) or 1/2 (middle two)."""
    a = np.asarray(a)
    axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, last)
    kept = moved.shape[: a.ndim - len(axes)]
    flat = moved.reshape(*kept, math.prod(moved.shape[len(kept) :]))
    order = np.argsort(flat, axis=-1, kind="stable")
    n = flat.shape[-1]
    out = np.zeros(flat.shape, a.dtype)
    middle = order[..., (n - 1) // 2 : n // 2 + 1]
    np.put_along_axis(out, middle, 1.0 if n % 2 else 0.5, -1)
    return np.moveaxis(out.reshape(moved.shape), last, axes)


def selected(conditions: Any, i: int) -> Any:
    """Where `np.select` takes its i-th choice; -1: where it takes the default."""
    taken = np.zeros((), bool)
    for k, condition in enumerate(conditions):
        if k == i:
            return condition & ~taken
        taken = taken | condition
    return ~taken


def interp_slope(x: Any, xp: Any, fp: Any, left: Any, right: Any) -> Any:
    """The derivative of `np.interp` for `x`: the slope of the piece that `x` is in, 0 outside."""
    xp, fp = np.asarray(xp), np.asarray(fp)
    if len(xp) < 2:
        return 0.0 * x
    k = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    slope = (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])
    return np.where((x >= xp[0]) & (x <= xp[-1]), slope, 0.0 * slope)[()]


def interp_pullback(g: Any, x: Any, xp: Any, shape: tuple[int, ...], left: Any, right: Any) -> Any:
    """The adjoint of `np.interp` for `fp`."""
    xp = np.asarray(xp)
    g, x = np.asarray(g), np.asarray(x)
    if left is not None:
        g = np.where(x < xp[0], 0.0 * g, g)
    if right is not None:
        g = np.where(x > xp[-1], 0.0 * g, g)
    n = shape[0]
    k = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, max(n - 2, 0))
    upper = np.minimum(k + 1, n - 1)
    width = xp[upper] - xp[k]  # 0 where the last places are the same: the value is the last one
    w = np.where(width > 0, np.clip((x - xp[k]) / np.where(width > 0, width, 1.0), 0.0, 1.0), 1.0)
    out = np.bincount(k.ravel(), (g * (1 - w)).ravel(), n)
    out += np.bincount(upper.ravel(), (g * w).ravel(), n)
    return out.astype(g.dtype, copy=False)


def one_period(x: Any, xp: Any, fp: Any, period: float) -> tuple[Any, Any, Any]:
    """What `np.interp` with `period=` interpolates: one period of the points, and a bit more."""
    order, xp = _wrapped(xp, period)
    fp = np.asarray(fp)[order]
    return np.asarray(x) % abs(period), xp, np.concatenate((fp[-1:], fp, fp[:1]))


def _wrapped(xp: Any, period: float) -> tuple[Any, Any]:
    """The order of the points within a period, and the points with one more at each end."""
    period = abs(period)
    xp = np.asarray(xp, float) % period
    order = np.argsort(xp)
    xp = xp[order]
    return order, np.concatenate((xp[-1:] - period, xp, xp[:1] + period))


def interp_period_pullback(
    g: Any, x: Any, xp: Any, shape: tuple[int, ...], period: float
) -> Any:
    """The adjoint of `np.interp` with `period=` for `fp`."""
    order, points = _wrapped(xp, period)
    inner = interp_pullback(g, np.asarray(x) % abs(period), points, (len(points),), None, None)
    parts = inner[1:-1].copy()
    parts[-1] += inner[0]
    parts[0] += inner[-1]
    out = np.empty(shape, parts.dtype)
    out[order] = parts
    return out
