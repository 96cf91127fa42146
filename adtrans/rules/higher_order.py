"""Primitives that are handed a function of the user's: who differentiates them.

A call such as `quad(f, a, b, args=(p,))` is seen as `quad_of(f, "a b args.0")(a, b, p)`: a function
that is made for `f` when the program is compiled, and knows its derivative.

>>> import scipy.optimize
>>> taker(scipy.optimize.brentq).function
'f'
>>> taker(len) is None
True
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adtrans.rules.registry import resolve


@dataclass(frozen=True)
class Taker:
    """`home`: the class that makes the function; `function`: the parameter that takes the one of
    the user's; `fields`: the attributes of the result that carry a derivative, where it is an
    object; `plain`: parameters that change what is returned, and must not be given; `flags`: those
    that, if they are written as true, take another class; `or_else`: flags that may be something
    else, which is an argument like others; `arrays`: those of which it makes arrays."""

    home: str
    function: str
    fields: tuple[str, ...] = ()
    plain: tuple[str, ...] = ("full_output",)
    spelling: str = ""
    flags: tuple[tuple[str, str], ...] = ()
    or_else: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()

    def maker(self, home: str = "") -> Any:
        """A function of a function and a layout."""
        return _found(home or self.home)(self.spelling)


_ROOTS, _QUAD = "adtrans.handed.roots.Root", "adtrans.handed.integrals.Integral"
_MINIMA, _PAIRS = "adtrans.handed.minima", "adtrans.handed.pairs"
TAKERS: Mapping[str, Taker] = {
    **{f"scipy.optimize.{name}": Taker(_ROOTS, "f")
       for name in ("brentq", "brenth", "bisect", "ridder", "toms748")},
    "scipy.optimize.newton": Taker(_ROOTS, "func"),
    "scipy.optimize.fsolve": Taker(_ROOTS, "func"),
    "scipy.optimize.fixed_point": Taker("adtrans.handed.roots.FixedPoint", "func"),
    "scipy.optimize.root": Taker(
        _ROOTS, "fun", ("x",), flags=(("jac", f"{_PAIRS}.Root"),), or_else=("jac",)
    ),
    "scipy.optimize.root_scalar": Taker(
        _ROOTS, "f", ("root",), flags=(("fprime", f"{_PAIRS}.Scalar"),), or_else=("fprime",)
    ),
    "scipy.optimize.minimize": Taker(
        f"{_MINIMA}.Minimum", "fun", ("x",), ("constraints", "callback"),
        flags=(("jac", f"{_PAIRS}.Minimum"),), or_else=("jac",),
    ),
    "scipy.optimize.minimize_scalar": Taker(f"{_MINIMA}.Minimum", "fun", ("x",), ()),
    "scipy.optimize.least_squares": Taker(
        f"{_MINIMA}.LeastSquares", "fun", ("x",),
        ("loss", "f_scale", "kwargs", "callback"),
    ),
    "scipy.integrate.quad": Taker(
        _QUAD, "func", plain=("complex_func",),
        flags=(("full_output", "adtrans.handed.integrals.IntegralWithInfo"),),
    ),
    "scipy.integrate.solve_ivp": Taker(
        "adtrans.handed.equations.Trajectory", "fun", ("y",), ("events", "vectorized"),
        arrays=("y0",),
    ),
    "scipy.integrate.odeint": Taker(
        "adtrans.handed.equations.Rows", "func", plain=("full_output",),
        flags=(("tfirst", "adtrans.handed.equations.RowsByTime"),), arrays=("y0",),
    ),
}  # fmt: skip
CONSTANT = frozenset({
    "converged", "flag", "function_calls", "iterations", "message", "method", "nfev", "nit", "njev",
    "nlu", "status", "success", "t",
})  # fmt: skip
"""Attributes of such objects that carry no derivative."""

NAMED_TUPLES: Mapping[str, tuple[str, ...]] = {
    "numpy.linalg.eig": ("eigenvalues", "eigenvectors"),
    "numpy.linalg.eigh": ("eigenvalues", "eigenvectors"),
    "numpy.linalg.qr": ("Q", "R"),
    "numpy.linalg.slogdet": ("sign", "logabsdet"),
    "numpy.linalg.svd": ("U", "S", "Vh"),
    "numpy.unique_all": ("values", "indices", "inverse_indices", "counts"),
    "numpy.unique_counts": ("values", "counts"),
    "numpy.unique_inverse": ("values", "inverse_indices"),
    "scipy.stats.linregress": ("slope", "intercept", "rvalue", "pvalue", "stderr"),
    "scipy.stats.pearsonr": ("statistic", "pvalue"),
}
"""Functions whose result is a tuple with names for its items."""


def item_names(obj: object) -> tuple[str, ...]:
    """The names of the items of what a function returns, in order; none for most."""
    home, short = str(getattr(obj, "__module__", "")), str(getattr(obj, "__name__", ""))
    root = home.partition(".")[0]
    if root not in ("numpy", "scipy"):
        return ()
    found = ((s, names) for s, names in NAMED_TUPLES.items()
             if s.startswith(root) and s.endswith(f".{short}"))  # fmt: skip
    return next((names for s, names in found if resolve(s) is obj), ())


def _found(dotted: str) -> Any:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


def made_in_place(*how: Any) -> Any:
    """What stands for a call that lets SciPy overwrite operands: see `handed.scratch_calls`."""
    return _found("adtrans.handed.scratch_calls.in_place")(*how)


def overwritten(*how: Any) -> Any:
    """An operand that SciPy may overwrite in such a call."""
    return _found("adtrans.handed.scratch_calls.Scratch")(*how)


def taker(obj: object) -> Taker | None:
    """Who differentiates a primitive, if it is one that is handed a function."""
    if str(getattr(obj, "__module__", "")).partition(".")[0] not in ("scipy", "numpy"):
        return None
    for spelling, found in TAKERS.items():
        try:
            if resolve(spelling) is obj:
                return replace(found, spelling=spelling)
        except LookupError:
            continue  # not imported
    return None
