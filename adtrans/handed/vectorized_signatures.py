"""`np.vectorize` with `signature=`: a function that is called for each row, matrix or pair of rows.

>>> import adtrans as ad
>>> import numpy as np
>>> def length(v):
...     return np.sqrt(np.sum(v * v))
>>> lengths = np.vectorize(length, signature="(n)->()")
>>> ad.grad(lambda a: np.sum(lengths(a)))(np.array([[3.0, 4.0], [0.0, 2.0]]))
array([[0.6, 0.8],
       [0. , 1. ]])
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from adtrans.arguments.cotangents import conform
from adtrans.arguments.inputs import refuse
from adtrans.handed.elements import Vectorized, called, summed_to
from adtrans.ir.kinds import UNKNOWN, Array, Kind, Scalar
from adtrans.runtime.failures import DerivativeError

_CORE = r"\((?:\w+(?:,\w+)*)?\)"
_ONE = re.compile(rf"({_CORE}(?:,{_CORE})*)->({_CORE})")


def ranks(signature: str) -> tuple[tuple[int, ...], int] | None:
    """How many axes the function is given of each operand, and how many its result has; None for
    several results.

    >>> ranks("(n, m),(m)->()"), ranks("(n)->(),()")
    (((2, 1), 0), None)
    """
    found = _ONE.fullmatch(re.sub(r"\s", "", signature))
    if found is None:
        return None
    given, result = ([len(re.findall(r"\w+", c)) for c in re.findall(_CORE, part)]
                     for part in found.groups())  # fmt: skip
    return tuple(given), result[0]


class BySignature(Vectorized):
    """`np.vectorize` of a function which is called with parts of its operands."""

    def __init__(self, fn: Any, otypes: Any, signature: str, count: int) -> None:
        self.signature = signature
        said = ranks(signature)
        assert said is not None
        self.cores, self.rank = said
        super().__init__(fn, otypes, count)
        self.core = dict(zip(self.passed, self.cores, strict=False))

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it, and sees to it that there is one array of floats."""
        found = np.vectorize(fn, otypes=self.otypes, signature=self.signature)(*args)
        if not isinstance(found, np.ndarray) or found.dtype.kind != "f":
            raise DerivativeError(
                f"`np.vectorize` returns no array of floats for `{self.fn.__name__}`: what it "
                "returns for the first part decides",
                code="AD601",
            )
        return found

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """Rows and the like; numbers of NumPy's."""
        found: dict[str, Kind] = {}
        for p, n in zip(self.recipe.target.params, self.passed, strict=False):
            kind, core = kinds.get(self.formal[n]), self.core.get(n, 0)
            dtype = kind.dtype if isinstance(kind, Array) else None
            found[p] = Array(dtype, (None,) * core) if core else UNKNOWN
        return found

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """An array with the axes over which it goes, and those of the result."""
        axes = 0
        for n in self.passed:
            kind = kinds.get(self.formal[n])
            ndim = 0 if isinstance(kind, Scalar) else getattr(kind, "ndim", None)
            if ndim is None:
                return "value"
            axes = max(axes, ndim - self.core.get(n, 0))
        return f"np.zeros(({'int(1.5), ' * (axes + self.rank)}))"  # of sizes that are not known

    def parts(self, y: Any, values: Mapping[str, Any]) -> tuple[tuple[int, ...], dict[str, Any]]:
        """Over what it goes, and each operand with all of these axes."""
        over = np.shape(y)[: np.ndim(y) - self.rank]
        spread = {}
        for n, value in values.items():
            own = np.shape(value)[np.ndim(value) - self.core[n] :]
            spread[n] = np.broadcast_to(np.asarray(value), (*over, *own))
        return over, spread

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """The pullback of each call in turn."""
        over, spread = self.parts(y, {n: table[n] for n in self.passed})
        seeds = np.broadcast_to(y_bar, np.shape(y))
        found = {n: np.zeros(a.shape) for n, a in spread.items()}
        held: dict[str, Any] = {}
        for place in np.ndindex(*over):
            row = {**table, **{n: np.array(a[place])[()] for n, a in spread.items()}}
            version, args, kwargs, names = self.version(row, (), active)
            if not names:
                continue
            bars = called(version, args, kwargs, np.array(seeds[place])[()])
            by_name = dict(zip(names, bars if len(names) > 1 else (bars,), strict=True))
            for n, bar in self.ours(by_name, row).items():
                if n in found:
                    found[n][place] = bar
                else:
                    held[n] = bar if n not in held else held[n] + bar
        return {
            **{n: summed_to(found[n], table[n]) for n in self.passed if n in active},
            **{n: conform(bar, table[n]) for n, bar in held.items()},
        }

    def pullback_for(self, kinds: Mapping[str, Kind], active: tuple[str, ...]) -> FunctionType:
        """Not as source."""
        refuse("AD410", f"`{self.spelling}` cannot be differentiated twice",
               "with `signature=` it is differentiated once: call it in a loop")  # fmt: skip

    def pushed(self, dots: Mapping[str, Any], y: Any, table: Mapping[str, Any]) -> Any:
        """The pushforward of each call in turn."""
        over, spread = self.parts(y, {n: table[n] for n in self.passed})
        moved = self.parts(y, {n: d for n, d in dots.items() if n in self.passed})[1]
        total = np.zeros(np.shape(y))
        for place in np.ndindex(*over):
            row = {**table, **{n: np.array(a[place])[()] for n, a in spread.items()}}
            own = {n: np.array(moved[n][place])[()] if n in moved else d for n, d in dots.items()}
            total[place] = self.tangent(row, (), own)
        return total
