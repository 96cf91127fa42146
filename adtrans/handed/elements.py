"""Functions that are called for each element, or for each row.

>>> import adtrans as ad
>>> import numpy as np
>>> def wave(s, k):
...     return np.sin(k * s) if s > 0.0 else 0.0
>>> ad.grad(lambda x: np.sum(np.vectorize(wave)(x, 2.0)))(np.array([-1.0, 0.0, 0.5])).round(6)
array([0.      , 0.      , 1.080605])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from adtrans.cotangents import conform
from adtrans.dispatch import Version
from adtrans.handed.base import Handed, Maker
from adtrans.ir.kinds import Array, Kind, Scalar
from adtrans.runtime.errors import DerivativeError


class Vectorized(Handed):
    """`np.vectorize` of a function, which is called with Python numbers."""

    fixed: ClassVar[int] = 0

    def __init__(self, fn: Any, otypes: Any, count: int) -> None:
        self.otypes = otypes
        super().__init__("numpy.vectorize", fn, " ".join(f"args.{i}" for i in range(count)))

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it, and sees to it that there is one array of floats."""
        found = np.vectorize(fn, otypes=self.otypes)(*args)
        if not isinstance(found, np.ndarray) or found.dtype.kind != "f":
            raise DerivativeError(
                f"`np.vectorize` returns no array of floats for `{self.fn.__name__}`: what it "
                "returns for the first element decides"
            )
        return found

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """An array of floats, of the shape of all operands together."""
        return f"np.asarray({' + '.join(f'{n} * 1.0' for n in self.passed)})"

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """The pullback of each element in turn."""
        arrays = np.broadcast_arrays(*(np.asarray(table[n], dtype=object) for n in self.passed))
        found = {n: np.zeros(np.shape(y)) for n in self.passed}
        held: dict[str, Any] = {}
        for place in np.ndindex(*np.shape(y)):
            row = {**table, **{n: a[place] for n, a in zip(self.passed, arrays, strict=True)}}
            for n, bar in self.one(float(np.asarray(y_bar)[place]), row, active).items():
                if n in found:
                    found[n][place] = bar
                else:
                    held[n] = bar if n not in held else held[n] + bar
        return {
            **{n: summed_to(found[n], table[n]) for n in self.passed if n in active},
            **{n: conform(bar, table[n]) for n, bar in held.items()},
        }

    def pushed(self, dots: Mapping[str, Any], y: Any, table: Mapping[str, Any]) -> Any:
        """The pushforward of each element in turn."""
        values = np.broadcast_arrays(*(np.asarray(table[n], dtype=object) for n in self.passed))
        spread = {n: np.broadcast_to(d, np.shape(y)) for n, d in dots.items() if n in self.passed}
        total = np.zeros(np.shape(y))
        for place in np.ndindex(*np.shape(y)):
            row = {**table, **{n: a[place] for n, a in zip(self.passed, values, strict=True)}}
            own = {n: spread[n][place] if n in spread else d for n, d in dots.items()}
            total[place] = self.tangent(row, (), own)
        return total

    def one(self, seed: float, row: Mapping[str, Any], active: tuple[str, ...]) -> dict[str, Any]:
        """The adjoints of one call."""
        version, args, kwargs, names = self.version(row, (), active)
        if not names:
            return {}
        bars = called(version, args, kwargs, seed)
        return self.ours(dict(zip(names, bars if len(names) > 1 else (bars,), strict=True)), row)


def called(version: Version, args: tuple[Any, ...], kwargs: dict[str, Any], seed: Any) -> Any:
    """The adjoints of a call, for the adjoint of its result."""
    forward, pullback = version.functions
    value, residuals = forward(*args, **kwargs)
    return pullback(residuals, conform(seed, value) if isinstance(value, float) else seed)


def summed_to(bar: Any, like: Any) -> Any:
    """The adjoint of what was broadcast."""
    shape = np.shape(like)
    extra = bar.ndim - len(shape)
    total = bar.sum(axis=tuple(range(extra))) if extra else bar
    ones = tuple(k for k, n in enumerate(shape) if n == 1 and total.shape[k] != 1)
    return conform(total.sum(axis=ones, keepdims=True) if ones else total, like)


class _VectorizedCall:
    """`np.vectorize(f)`, of which it is known when it is called how many arguments there are."""

    stands_in = True

    def __init__(self, fn: Any, otypes: Any) -> None:
        self.fn, self.otypes = fn, otypes
        self.versions = 0
        whole = Vectorized(fn, otypes, 0)
        self.captured = whole.captured
        self.__differentiates__ = whole.__differentiates__
        self.__name__ = whole.__name__
        self.__signature__ = whole.recipe.target.public_signature()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return np.vectorize(self.fn, otypes=self.otypes)(*args, **kwargs)

    def function_for(self, kinds: Mapping[str, Kind]) -> Any:
        """The function for arguments of these kinds."""
        inner = Vectorized(self.fn, self.otypes, len(kinds) - len(self.captured))
        inner.versions = self.versions
        self.versions += 1
        plain = [n for n in kinds if n not in inner.captured]
        renamed = dict(zip(inner.passed, (kinds[n] for n in plain), strict=True))
        return inner.function_for({**renamed, **{n: kinds[n] for n in inner.captured}})


def vectorized(
    pyfunc: Any, otypes: Any = None, doc: Any = None, excluded: Any = None, cache: bool = False,
    signature: Any = None,
) -> Any:  # fmt: skip
    """What stands for `np.vectorize`; None for a form of it that is not differentiated."""
    if excluded is not None or cache or signature is not None or not callable(pyfunc):
        return None
    if isinstance(otypes, tuple):
        otypes = list(otypes)
    return _VectorizedCall(pyfunc, otypes)


class AlongAxisOf(Handed):
    """`np.apply_along_axis`."""

    function = "func1d"
    inert = ("axis",)

    def carries(self, part: str) -> bool:
        """The array carries a derivative, too."""
        return part == "arr" or part.startswith("args.")

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it."""
        found = np.apply_along_axis(fn, arguments["axis"], arguments["arr"], *args)
        if found.dtype.kind != "f":
            raise DerivativeError("`np.apply_along_axis` returns no array of floats here: what the "
                                  "function returns for the first row decides")  # fmt: skip
        return found

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """Without the axis where the function returns a number, else with one of another size."""
        arr, axis = self.names["arr"], self.names["axis"]
        target = self.recipe.target
        given: dict[str, Kind] = {target.params[0]: Array("float64", (None,))}
        given.update(
            {p: kinds[n] for p, n in zip(target.params[1:], self.passed, strict=False)}
        )
        given.update({n: kinds[n] for n in self.captured if n in kinds})
        version = self.recipe.dispatcher((target.params[0],)).compile(given)
        result = version.compiled.facts.kinds.result
        if isinstance(result, Scalar):
            return f"np.sum({arr} * 1.0, axis={axis})"
        if isinstance(result, Array) and result.ndim == 1:
            return f"np.repeat({arr} * 1.0, int({arr}.size), axis={axis})"
        return "value"

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """The pullback of each row in turn."""
        name = self.names["arr"]
        rows = np.moveaxis(table[name], table[self.names["axis"]], -1)
        inner = np.ndim(y) - (np.ndim(table[name]) - 1)  # the rank of what one row gives
        axis = table[self.names["axis"]] % np.ndim(table[name])
        places = tuple(range(axis, axis + inner))
        seeds = np.moveaxis(y_bar, places, tuple(range(np.ndim(y) - inner, np.ndim(y))))
        found, held = np.zeros(rows.shape), dict[str, Any]()
        first = self.recipe.target.params[0]
        for place in np.ndindex(*rows.shape[:-1]):
            row = np.array(rows[place])
            version, args, kwargs, names = self.version(table, (row,), active)
            bars = called(version, args, kwargs, np.array(seeds[place])[()])
            by_name = dict(zip(names, bars if len(names) > 1 else (bars,), strict=True))
            found[place] = by_name.pop(first, 0.0)
            for n, bar in self.ours(by_name, table).items():
                held[n] = bar if n not in held else held[n] + bar
        back = np.moveaxis(found, -1, table[self.names["axis"]])
        return {name: conform(np.ascontiguousarray(back), table[name]), **held}


    def pushed(self, dots: Mapping[str, Any], y: Any, table: Mapping[str, Any]) -> Any:
        """The pushforward of each row in turn."""
        name, axis = self.names["arr"], table[self.names["axis"]]
        rows = np.moveaxis(table[name], axis, -1)
        moved = np.moveaxis(dots[name], axis, -1) if name in dots else np.zeros(rows.shape)
        first = self.recipe.target.params[0]
        rest = {n: d for n, d in dots.items() if n != name}
        parts = [
            np.asarray(self.tangent(table, (np.array(rows[p]),), {first: moved[p], **rest}))
            for p in np.ndindex(*rows.shape[:-1])
        ]
        inner = parts[0].shape
        stacked = np.stack(parts).reshape((*rows.shape[:-1], *inner))
        at = axis % np.ndim(table[name])
        places = tuple(range(at, at + len(inner)))
        return np.moveaxis(stacked, tuple(range(stacked.ndim - len(inner), stacked.ndim)), places)


def AlongAxis(spelling: str) -> Maker:
    """Makes functions of all rows."""
    return Maker(AlongAxisOf, spelling)
