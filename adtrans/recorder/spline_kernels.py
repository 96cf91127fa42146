"""What SciPy's splines and tables call in C, where their values, or the places asked for, vary.

A spline of given knots is linear in its coefficients, and these in the values that it goes through:
what a kernel makes of each unit alone says what it makes of all. In the places it is followed by
its derivatives, as many as are asked for. The values are SciPy's.

>>> import scipy.interpolate as ip
>>> import adtrans as ad
>>> def f(c):
...     return ip.BSpline(np.array([0.0, 0.0, 1.0, 2.0, 2.0]), c, 1)(0.5)
>>> ad.recorded(f).grad(np.array([1.0, 4.0, 2.0])).tolist()
[0.5, 0.5, 0.0]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder.escapes import reaches
from adtrans.recorder.memory import STATE
from adtrans.recorder.recorded_refusals import refuse
from adtrans.recorder.rewritten import from_text
from adtrans.recorder.sparse_kernels import still

_ENV = {"np": np, "still": still}
_ALONG = from_text(
    "def formula(bases, c, d, exact):\n"
    "    total, power = 0.0, 1.0\n"
    "    for k, basis in enumerate(bases):\n"
    "        if k > 0:\n"
    "            power = power * d / k\n"
    "        total = total + (basis @ c) * power\n"
    "    return total + (exact - still(total))\n", _ENV
)  # fmt: skip
_LINEAR = from_text(
    "def formula(m, v, exact):\n"
    "    total = m @ v\n"
    "    return total + (exact - still(total))\n", _ENV
)  # fmt: skip
_BESIDE = from_text("def formula(x):\n    return x - still(x)\n", _ENV)
_COLUMN = from_text("def formula(d):\n    return np.reshape(d, (-1, 1))\n", _ENV)


def _fixed(name: str, *given: Any) -> None:
    if reaches(given):
        refuse(f"`{name}`", "it has derivatives by values of a spline and places where it "
               "is asked, by no knots, weights or places between which it goes")  # fmt: skip


def _orders() -> range:
    return range(max(1, len(STATE.runs)) + 1)


def _taylor(basis: Callable[[int], Any], c: Any, x: Any, exact: Any) -> Any:
    """The value at places: `basis(n)` times the coefficients is the n-th derivative there."""
    orders = _orders() if reaches(x) else range(1)
    bases = [np.where(np.isfinite(b), b, 0.0) for b in map(basis, orders)]
    d = _BESIDE(x)
    return _ALONG(bases, c, _COLUMN(d) if np.ndim(c) == 2 else d, exact)


# -- B-splines ------------------------------------------------------------------------------------


def evaluate_spline(f: Any, t: Any, c: Any, k: int, x: Any, nu: int, extrapolate: Any) -> Any:
    """`_dierckx.evaluate_spline`: the rows of the result are places, its columns splines."""
    _fixed("BSpline", t)
    at, units = still(x), np.eye(c.shape[0])

    def basis(n: int) -> Any:
        if nu + n > k:
            return np.zeros((len(at), len(units)))
        return f(t, units, k, at, nu + n, extrapolate)

    return _taylor(basis, c, x, f(t, still(c), k, at, nu, extrapolate))


def _fitpack_basis(t: Any, k: int, count: int, at: Any, nu: int, ext: int) -> Callable[[int], Any]:
    """For an order, what each unit gives at the places; beside the ends as `ext` says."""
    from scipy.interpolate import splev

    inside = (at >= t[k]) & (at <= t[len(t) - k - 1])

    def basis(n: int) -> Any:
        found = np.zeros((np.size(at), count))
        if nu + n <= k:
            for j in range(len(t) - k - 1):
                unit = np.zeros(count)
                unit[j] = 1.0
                found[:, j] = splev(at, (t, unit, k), nu + n, ext if ext != 2 else 0)
        if n > 0 and ext in (1, 3):
            found[~inside] = 0.0
        return found

    return basis


def splev(f: Any, t: Any, c: Any, k: int, x: Any, e: int = 0) -> Any:
    """`dfitpack.splev`"""
    return splder(lambda t, c, k, x, nu, e: f(t, c, k, x, e), t, c, k, x, 0, e)


def splder(f: Any, t: Any, c: Any, k: int, x: Any, nu: int = 1, e: int = 0) -> Any:
    """`dfitpack.splder`"""
    _fixed("splev", t)
    at = still(x)
    exact, failed = f(t, still(c), k, at, nu, e)
    if failed:
        return exact, failed
    return _taylor(_fitpack_basis(t, k, len(c), at, nu, e), c, x, exact), failed


def splint(f: Any, t: Any, c: Any, k: int, a: Any, b: Any) -> Any:
    """`dfitpack.splint`, by its coefficients"""
    _fixed("splint", t)
    if reaches((a, b)):
        refuse("`splint`", "it has a derivative by the coefficients alone; ask `splantider` at "
               "both ends")  # fmt: skip
    exact, work = f(t, still(c), k, a, b)
    weights = np.array([f(t, unit, k, a, b)[0] for unit in np.eye(len(c))])
    return float_of(_LINEAR(weights, c, exact)), work


def float_of(x: Any) -> Any:
    """A number of NumPy as one of Python."""
    from adtrans.recorder.moved_numbers import to_float

    return to_float(x)


def _through(make: Callable[[Any], Any], y: Any, s: Any, name: str) -> Any:
    """The coefficients of the spline through values."""
    if s is None or s != 0:
        refuse(f"`{name}`", "a spline that goes between its values chooses its places by them; "
               "with `s=0` it goes through them, and is followed")  # fmt: skip
    columns = [make(unit) for unit in np.eye(len(y))]
    return _LINEAR(np.stack(columns, axis=1), y, make(still(y)))


def fpcurf0(f: Any, x: Any, y: Any, k: int, **options: Any) -> Any:
    """`dfitpack.fpcurf0`"""
    _fixed("UnivariateSpline", x, options)
    found = list(f(x, still(y), k, **options))
    found[9] = _through(lambda v: f(x, v, k, **options)[9], y, options.get("s"), "UnivariateSpline")
    return tuple(found)


def curfit(f: Any, task: int, x: Any, y: Any, w: Any, t: Any, wrk: Any, iwrk: Any, xb: Any, xe: Any,
           k: int, s: Any) -> Any:  # fmt: skip
    """`dfitpack.curfit`, which writes the knots"""
    _fixed("splrep", x, w, t, xb, xe)

    def make(v: Any) -> Any:
        return f(task, x, v, w, t.copy(), wrk.copy(), iwrk.copy(), xb, xe, k, s)[1]

    c = _through(make, y, s, "splrep")
    n, _, fp, failed = f(task, x, still(y), w, t, wrk, iwrk, xb, xe, k, s)
    return n, c, fp, failed


def gbsv(f: Any, kl: int, ku: int, ab: Any, b: Any, **options: Any) -> Any:
    """LAPACK's `gbsv`, by the right-hand side"""
    _fixed("gbsv", ab)
    import scipy.linalg

    bands = ab.copy()
    lu, pivots, exact, failed = f(kl, ku, ab.copy(), still(b))
    if failed:
        return lu, pivots, exact, failed
    inverse = scipy.linalg.solve_banded((kl, ku), bands[kl:], np.eye(bands.shape[1]))
    return lu, pivots, _LINEAR(inverse, b, exact), failed


_KERNELS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (evaluate_spline, splev, splder, splint, fpcurf0, curfit)
}
_KERNELS["dgbsv"] = gbsv


def kernel(f: Any) -> Callable[..., Any] | None:
    """What stands for a function in C that splines call."""
    stands = _KERNELS.get(f.__name__.removeprefix("function "))
    return None if stands is None else lambda *args, **named: stands(f, *args, **named)
