"""Functions of SciPy that are written in C, in NumPy: what its own Python code calls.

>>> import numpy as np
>>> out = np.zeros((1, 1))
>>> evaluate(np.array([[[2.0]], [[1.0]]]), np.array([0.0, 1.0]), np.array([0.5]), 0, True, out)
>>> out
array([[2.]])
"""

from __future__ import annotations

import functools
import importlib
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import arrays, runtime, stores  # noqa: F401  # which fills in its names
from adtrans.recorder.late import call
from adtrans.recorder.numbers import plain
from adtrans.recorder.recorded_needs import saving
from adtrans.recorder.recorded_refusals import refuse
from adtrans.recorder.rewritten import from_text
from adtrans.runtime.fresh_updates import valued


def _still(a: Any) -> Any:
    """The numbers of an array, which do not vary."""
    return a.copy()


_EVALUATE = from_text(
    "def formula(c, x, xp, places, nu, exact, out):\n"
    "    s = xp - x[places]\n"
    "    total = np.zeros(out.shape)\n"
    "    last = len(c) - 1\n"
    "    for k in range(last + 1 - nu):\n"
    "        power = last - k - nu\n"
    "        scale = 1.0\n"
    "        for n in range(power + 1, power + nu + 1):\n"
    "            scale *= n\n"
    "        total = total * s[:, None] + scale * c[k, places]\n"
    "    out[...] = np.where(np.isnan(exact), exact, total + (exact - still(total)))\n",
    {"np": np, "still": _still}
)  # fmt: skip
_INTEGRATE = from_text(
    "def formula(c, x, a, b, exact, out):\n"
    "    last = len(c) - 1\n"
    "    total = np.zeros(out.shape)\n"
    "    for j in range(len(x) - 1):\n"
    "        low = a if j == 0 else np.maximum(a, x[j])\n"
    "        high = b if j == len(x) - 2 else np.minimum(b, x[j + 1])\n"
    "        if high <= low:\n"
    "            continue\n"
    "        u, v = high - x[j], low - x[j]\n"
    "        for k in range(last + 1):\n"
    "            p = last - k + 1\n"
    "            total = total + c[k, j] * ((u**p - v**p) / p)\n"
    "    out[...] = total + (exact - still(total))\n", {"np": np, "still": _still}
)  # fmt: skip

_JOIN = from_text(
    "def formula(c, x, order, exact):\n"
    "    last = len(c) - 1\n"
    "    width = np.diff(x)[:-1, None]\n"
    "    for p in range(order, -1, -1):\n"
    "        rise = 0.0\n"
    "        for k in range(p + 1, last + 1):\n"
    "            rise = rise + comb(k, p) * width ** (k - p) * c[last - k, :-1]\n"
    "        c[last - p, 1:] = c[last - p, 0] + np.cumsum(rise, axis=0)\n"
    "    c[...] = c + (exact - still(c))\n", {"np": np, "still": _still, "comb": math.comb}
)  # fmt: skip


def evaluate(c: Any, x: Any, xp: Any, nu: int, extrapolate: Any, out: Any) -> None:
    """A piecewise polynomial, or a derivative of it; the values are SciPy's own."""
    from scipy.interpolate import _ppoly

    exact = np.zeros(out.shape)
    _ppoly.evaluate(c, x, xp, nu, extrapolate, exact)
    places = np.clip(np.searchsorted(x, xp, "right") - 1, 0, len(x) - 2)
    _EVALUATE(c, x, xp, places, int(nu), exact, out)


def integrate(c: Any, x: Any, a: Any, b: Any, extrapolate: Any, out: Any) -> None:
    """Its integral between two places."""
    from scipy.interpolate import _ppoly

    exact = np.zeros(out.shape)
    _ppoly.integrate(c, x, plain(a), plain(b), extrapolate, exact)
    _INTEGRATE(c, x, a, b, exact, out)


def fix_continuity(c: Any, x: Any, order: int) -> None:
    """The constants of integration, which are written into `c`: no piece begins with a jump."""
    from scipy.interpolate import _ppoly

    exact = c.copy()
    _ppoly.fix_continuity(exact, x, order)
    _JOIN(c, x, int(order), exact)


_LINEAR = from_text(
    "def formula(values, at, within):\n"
    "    i, j = at\n"
    "    s, t = within\n"
    "    return (values[i, j] * (1 - s) * (1 - t) + values[i, j + 1] * (1 - s) * t\n"
    "            + values[i + 1, j] * s * (1 - t) + values[i + 1, j + 1] * s * t)\n", {}
)  # fmt: skip
_WITHIN = from_text(
    "def formula(grid, xi, at):\n"
    "    rows = []\n"
    "    for x, g, k in zip(xi, grid, at):\n"
    "        width = g[k + 1] - g[k]\n"
    "        rows.append((x - g[k]) / np.where(width == 0, 1.0, width) * (width != 0))\n"
    "    return np.stack(rows)\n", {"np": np}
)  # fmt: skip
_COORDINATES = from_text(
    "def formula(points, axes):\n"
    "    if isinstance(points, tuple) and len(points) == 1:\n"
    "        points = points[0]\n"
    "    if isinstance(points, tuple):\n"
    "        return np.stack(np.broadcast_arrays(*points), -1)\n"
    "    points = np.asarray(points)\n"
    "    if points.ndim == 1:\n"
    "        return points.reshape(-1, 1 if axes is None else axes)\n"
    "    return points\n", {"np": np}
)  # fmt: skip
_DENSITY = from_text(
    "def formula(points, values, xi, factor):\n"
    "    a = np.linalg.solve(factor, points.T)\n"
    "    b = np.linalg.solve(factor, xi.T)\n"
    "    square = np.sum((a[:, :, None] - b[:, None, :]) ** 2, 0)\n"
    "    scale = (2 * np.pi) ** (-0.5 * len(factor)) / np.prod(np.diag(factor))\n"
    "    return np.exp(-0.5 * square).T @ values * scale\n", {"np": np}
)  # fmt: skip
_LOG = from_text(
    "def formula(points, values, xi, factor, density):\n"
    "    return np.log(density(points, values, xi, factor))\n", {"np": np}
)  # fmt: skip


def linear(values: Any, at: Any, within: Any, grid: Any, out: Any) -> Any:
    """Interpolation on a grid with two axes, which fills and returns `out`."""
    from scipy.interpolate import _rgi_cython

    _rgi_cython.evaluate_linear_2d(values, at, within, grid, out)
    stores.setitem(out, ..., _valued("evaluate_linear_2d", out.copy(), _LINEAR(values, at, within)))
    return out


def found_indices(grid: Any, xi: Any) -> Any:
    """The cells of a grid that places are in, and where in them, from 0 to 1."""
    from scipy.interpolate import _rgi_cython

    at, within = _rgi_cython.find_indices(grid, xi)
    return at, _valued("find_indices", within, _WITHIN(grid, xi, at))


def coordinates(points: Any, ndim: int | None = None) -> Any:
    """Places as rows of one array."""
    from scipy.interpolate import _interpnd

    exact = _interpnd._ndim_coords_from_arrays(arrays.plain_of(points), ndim)
    return _valued("_ndim_coords_from_arrays", exact.copy(), _COORDINATES(points, ndim))


def density(points: Any, values: Any, xi: Any, factor: Any, dtype: Any, *rest: Any) -> Any:
    """A sum of normal densities, as of `scipy.stats.gaussian_kde`."""
    from scipy.stats import _stats

    f: Any = _stats.gaussian_kernel_estimate["double"]
    exact = f(points, values, xi, factor, dtype, *rest)
    return _valued("gaussian_kernel_estimate", exact, _DENSITY(points, values, xi, factor))


def log_density(points: Any, values: Any, xi: Any, factor: Any, dtype: Any, *rest: Any) -> Any:
    """The logarithm of such a sum."""
    from scipy.stats import _stats

    f: Any = _stats.gaussian_kernel_estimate_log["double"]
    exact = f(points, values, xi, factor, dtype, *rest)
    same = _LOG(points, values, xi, factor, _DENSITY)
    return _valued("gaussian_kernel_estimate_log", exact, same)


def _solved(a: Any, b: Any, **_: Any) -> Any:
    return arrays.call(np.linalg.solve, a, b)


_KERNELS: dict[tuple[str, str], Callable[..., Any]] = {
    ("scipy.interpolate._ppoly", "evaluate"): evaluate,
    ("scipy.interpolate._ppoly", "integrate"): integrate,
    ("scipy.interpolate._ppoly", "fix_continuity"): fix_continuity,
    ("scipy.interpolate._rgi_cython", "evaluate_linear_2d"): linear,
    ("scipy.interpolate._rgi_cython", "find_indices"): found_indices,
    ("scipy.interpolate._interpnd", "_ndim_coords_from_arrays"): coordinates,
    ("scipy.stats._stats", "__pyx_fuse_1gaussian_kernel_estimate"): density,
    ("scipy.stats._stats", "__pyx_fuse_1gaussian_kernel_estimate_log"): log_density,
}
_GUFUNCS: dict[str, Callable[..., Any]] = {
    "solve": _solved, "solve1": _solved,
    "inv": lambda a, **_: arrays.call(np.linalg.inv, a),
    "det": lambda a, **_: arrays.call(np.linalg.det, a),
}  # fmt: skip
_TWINS = {
    "scipy.spatial.transform._rotation_cy": "scipy.spatial.transform._rotation_xp",
    "scipy.spatial.transform._rigid_transform_cy": "scipy.spatial.transform._rigid_transform_xp",
}
"""Modules in C, and those in Python in which SciPy computes the same for other arrays."""


_FROM_ROTVEC = from_text(
    "def formula(rotvec, degrees=False):\n"
    "    r = rotvec * (np.pi / 180.0) if degrees else rotvec\n"
    "    square = np.sum(r * r, -1, keepdims=True)\n"
    "    small = square <= 1e-6\n"
    "    angle = np.sqrt(np.where(small, 1.0, square))\n"
    "    scale = np.where(small, 0.5 - square / 48 + square**2 / 3840, np.sin(angle / 2) / angle)\n"
    "    w = np.where(small, 1 - square / 8 + square**2 / 384, np.cos(angle / 2))\n"
    "    return np.concatenate([r * scale, w], -1)\n", {"np": np}
)  # fmt: skip
_AS_ROTVEC = from_text(
    "def formula(quat, degrees=False):\n"
    "    q = quat * np.where(quat[..., 3:] < 0, -1.0, 1.0)\n"
    "    v, w = q[..., :3], q[..., 3:]\n"
    "    square = np.sum(v * v, -1, keepdims=True)\n"
    "    small = square <= 1e-6\n"
    "    sine = np.sqrt(np.where(small, 1.0, square))\n"
    "    near = 2 / w - 2 * square / (3 * w**3) + 2 * square**2 / (5 * w**5)\n"
    "    scale = np.where(small, near, 2 * np.arctan2(sine, w) / sine)\n"
    "    scale = scale * np.sqrt(square + w * w)\n"
    "    return v * (scale * (180.0 / np.pi) if degrees else scale)\n", {"np": np}
)  # fmt: skip
_OWN: dict[str, Any] = {"from_rotvec": _FROM_ROTVEC, "as_rotvec": _AS_ROTVEC}
"""In place of those in which the slope of a norm at zero is undefined."""


def replaced(f: Any) -> Any:
    """What stands for a function in C; None for others."""
    home, name = str(getattr(f, "__module__", "")), getattr(f, "__name__", "")
    if isinstance(f, np.ufunc):
        inside: Any = sys.modules.get("numpy.linalg._umath_linalg")
        return _GUFUNCS.get(name) if getattr(inside, name, None) is f else None
    if home in _TWINS and name != "setitem":
        other = _OWN.get(name) or getattr(importlib.import_module(_TWINS[home]), name, None)
        return None if other is None else functools.partial(_by_twin, f, other)
    known = _KERNELS.get((home, name))
    if known is not None:
        return known
    name = name.removeprefix("function ")  # of LAPACK and FITPACK
    for module, find in _HOMES.items():
        if getattr(sys.modules.get(module), name, None) is f:
            return find(f)
    return None


def _of_sparse(f: Any) -> Any:
    from adtrans.recorder import sparse_kernels

    return sparse_kernels.kernel(f)


def _of_splines(f: Any) -> Any:
    from adtrans.recorder import spline_kernels

    return spline_kernels.kernel(f)


_HOMES: dict[str, Callable[[Any], Any]] = {
    "scipy.sparse._sparsetools": _of_sparse, "scipy.sparse.linalg._dsolve._superlu": _of_sparse,
    **dict.fromkeys(
        ("scipy.interpolate._dierckx", "scipy.interpolate._dfitpack", "scipy.linalg._flapack"),
        _of_splines),
}  # fmt: skip


def _by_twin(f: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
    """The value of a function in C, with the derivative of the one in Python."""
    given = [a.copy() if isinstance(a, np.ndarray) else arrays.plain_of(a) for a in args]
    exact = f(*given, **{n: arrays.plain_of(v) for n, v in kwargs.items()})
    for a, b in zip(args, given, strict=True):
        if isinstance(a, np.ndarray) and a.tobytes() != b.tobytes():
            refuse(f"`{f.__name__}`", "it writes what it is given, in C")
    own = [call(np.copy, a) if isinstance(a, np.ndarray) else a for a in args]
    with saving():
        same = call(other, *own, **kwargs)
    return _valued(f.__name__, exact, same)


_INTEGER = np.dtype(int)


def _valued(name: str, exact: Any, same: Any) -> Any:
    """What was computed in C, with the derivative of the same in Python."""
    if isinstance(exact, tuple) and isinstance(same, tuple):
        return tuple(_valued(name, a, b) for a, b in zip(exact, same, strict=True))
    if isinstance(exact, np.ndarray) or (exact is not None and np.ndim(exact)):
        exact = np.asarray(exact)  # not one of Cython's views of memory
    if not isinstance(exact, float) and getattr(exact, "dtype", _INTEGER).kind != "f":
        return exact
    now = arrays.plain_of(same)
    if np.shape(now) != np.shape(exact) or not np.allclose(now, exact, equal_nan=True):
        refuse(f"`{name}`", "what is computed in Python in its place is another value")
    return call(valued, exact, same)


class Frozen:
    """A distribution with parameters that vary, as `scipy.stats.norm(loc=x)`."""

    def __init__(self, dist: Any, args: tuple[Any, ...], kwds: dict[str, Any]) -> None:
        self.dist, self.args, self.kwds = dist, args, kwds

    def __getattr__(self, name: str) -> Any:
        f = getattr(self.dist, name)
        if not callable(f):
            return f

        def run(*given: Any, **named: Any) -> Any:
            return call(f, *given, *self.args, **self.kwds, **named)

        return run


def is_distribution(f: Any) -> bool:
    """Is an object one of SciPy's distributions, that gives frozen ones?"""
    return type(f).__module__.startswith("scipy.stats") and any(
        c.__name__ == "rv_generic" for c in type(f).__mro__
    )
