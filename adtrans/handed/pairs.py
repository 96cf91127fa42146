"""Functions that return their value with its slope, as `jac=True` or `fprime=True` say.

The value is what is differentiated; the primitive is handed the function as it is.

>>> import adtrans as ad
>>> import scipy.optimize
>>> def square_root(p):
...     both = lambda x, p: (x * x - p, 2.0 * x)
...     return scipy.optimize.root_scalar(both, args=(p,), x0=1.0, fprime=True).root
>>> round(ad.grad(square_root)(4.0), 9)
0.25
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, ClassVar

from adtrans.api.derived import recipe_of
from adtrans.driver.options import Options
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.handed.base import Handed, Maker
from adtrans.handed.minima import MinimumOf
from adtrans.handed.roots import RootOf


def first_of(fn: Any) -> FunctionType:
    """The function that returns the first item of what `fn` returns."""
    signature = recipe_of(fn, Options()).target.signature
    own = Words(signature.parameters)
    of = own.of("pair_of", fn)
    given = ", ".join(
        f"{n}={n}" if p.kind is inspect.Parameter.KEYWORD_ONLY else n
        for n, p in signature.parameters.items()
    )
    text = f"def first{own.head(signature)}:\n    return {of}({given})[0]\n"
    return load(text, "first", own.objects)["first"]


class _Pair(Handed):
    """`flag`: the argument that says so."""

    flag: ClassVar[str] = "jac"

    def __init__(self, spelling: str, fn: Any, layout: str) -> None:
        super().__init__(spelling, first_of(fn), layout)
        self.run = fn

    def options(self, table: Any) -> dict[str, Any]:
        """The arguments of the primitive itself."""
        return {**super().options(table), self.flag: True}


class _Root(_Pair, RootOf):
    """`root(f, x0, jac=True)`."""


class _Minimum(_Pair, MinimumOf):
    """`minimize(f, x0, jac=True)`."""


class _Scalar(_Pair, RootOf):
    """`root_scalar(f, x0=1.0, fprime=True)`."""

    flag = "fprime"


def Root(spelling: str) -> Maker:
    """Makes roots of a function that returns its Jacobian, too."""
    return Maker(_Root, spelling)


def Minimum(spelling: str) -> Maker:
    """Makes minima of a function that returns its gradient, too."""
    return Maker(_Minimum, spelling)


def Scalar(spelling: str) -> Maker:
    """Makes roots of a function that returns its slope, too."""
    return Maker(_Scalar, spelling)
