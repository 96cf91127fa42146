"""Functions of SciPy that are written in C, in NumPy: what its own Python code calls.

>>> import numpy as np
>>> out = np.zeros((1, 1))
>>> evaluate(np.array([[[2.0]], [[1.0]]]), np.array([0.0, 1.0]), np.array([0.5]), 0, True, out)
>>> out
array([[2.]])
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import runtime  # noqa: F401  # which fills in its names
from adtrans.recorder.late import call
from adtrans.recorder.numbers import plain
from adtrans.recorder.rewritten import from_text


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
    "    out[...] = total + (exact - still(total))\n", {"np": np, "still": _still}
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


_KERNELS: dict[str, Callable[..., Any]] = {"evaluate": evaluate, "integrate": integrate}


def replaced(f: Any) -> Any:
    """What stands for a function in C; None for others."""
    name = getattr(f, "__name__", "").removeprefix("function ")  # of LAPACK and FITPACK
    for module, known in _HOMES.items():
        home = sys.modules.get(module)
        if home is not None and getattr(home, name, None) is f:
            return known(f)
    return None


def _of_sparse(f: Any) -> Any:
    from adtrans.recorder import sparse_kernels

    return sparse_kernels.kernel(f)


def _of_splines(f: Any) -> Any:
    from adtrans.recorder import spline_kernels

    return spline_kernels.kernel(f)


_HOMES: dict[str, Callable[[Any], Any]] = {
    "scipy.interpolate._ppoly": lambda f: _KERNELS.get(f.__name__),
    "scipy.sparse._sparsetools": _of_sparse, "scipy.sparse.linalg._dsolve._superlu": _of_sparse,
    **dict.fromkeys(
        ("scipy.interpolate._dierckx", "scipy.interpolate._dfitpack", "scipy.linalg._flapack",
         "scipy.interpolate._rgi_cython", "scipy.interpolate._interpnd"), _of_splines),
}  # fmt: skip


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
