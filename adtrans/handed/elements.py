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
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from adtrans.api.checkpoints import check_repeatable
from adtrans.arguments.cotangents import conform
from adtrans.arguments.inputs import refuse
from adtrans.dispatch.compiled_version import Version
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.handed.base import Handed, Maker
from adtrans.ir.kinds import (
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    UNKNOWN,
    Array,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
    is_differentiable,
)
from adtrans.runtime import unbroadcast
from adtrans.runtime.failures import DerivativeError

_KINDS: Mapping[type, Kind] = {float: PY_FLOAT, int: PY_INT, bool: PY_BOOL}


class Vectorized(Handed):
    """`np.vectorize` of a function, which is called with Python numbers."""

    fixed: ClassVar[int] = 0

    def __init__(self, fn: Any, otypes: Any, count: int) -> None:
        self.otypes = otypes
        super().__init__("numpy.vectorize", fn, " ".join(f"args.{i}" for i in range(count)))

    def called(self, part: str) -> str:
        """As the function calls it, so that operands can be given by name."""
        parameters = self.recipe.target.signature.parameters.values()
        names = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        k = int(part.rpartition(".")[2])
        return names[k] if k < len(names) else super().called(part)

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it, and sees to it that there is one array of floats."""
        found = np.vectorize(fn, otypes=self.otypes)(*args)
        if not isinstance(found, np.ndarray) or found.dtype.kind != "f":
            raise DerivativeError(
                f"`np.vectorize` returns no array of floats for `{self.fn.__name__}`: what it "
                "returns for the first element decides",
                code="AD601",
            )
        return found

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """Numbers."""
        numbers = (self.number(kinds.get(self.formal[n])) for n in self.passed)
        return {
            p: _KINDS[make] if make else UNKNOWN
            for p, make in zip(self.recipe.target.params, numbers, strict=False)
        }

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

    def pullback_for(self, kinds: Mapping[str, Kind], active: tuple[str, ...]) -> FunctionType:
        """The pullback of each element in turn, as source."""
        numbers = {n: self.number(kinds.get(self.formal[n])) for n in self.passed}
        if not all(numbers.values()):
            refuse("AD410", f"`{self.spelling}` cannot be differentiated twice",
                   "it is not known which numbers its arguments are")  # fmt: skip
        plain = {n: _KINDS[make] for n, make in numbers.items() if make}
        inner = inner_version(self, plain, kinds, active)
        version, wanted, ours = inner.version, inner.wanted, inner.ours
        local = Words({*self.formal.values(), "y", "y_bar"})
        np_, summed = local.of("np", np), local.of("unbroadcast", unbroadcast)
        forward, pullback = (local.of(f.__name__, f) for f in version.functions)
        words = ("value", "residuals", "seeds", "k")
        value, residuals, seeds, k = (local[n] for n in words)
        rows = {n: local[f"{n}_flat"] for n in self.passed}
        adjoint = {n: local[f"{n}_adjoint"] for n in wanted}
        total = {n: local[f"{n}_all"] for n in wanted}
        args = [f"{make.__name__}({rows[n]}[{k}])" for n, make in numbers.items() if make]
        args += [f"{n}={self.formal[n]}" for n in self.captured]
        lines = [f"    {seeds} = {np_}.ravel(y_bar)"]
        lines += [f"    {row} = {np_}.ravel({np_}.broadcast_to({self.formal[n]}, y.shape))"
                  for n, row in rows.items()]  # fmt: skip
        results, sums = {}, []
        for n in wanted:
            of = self.formal[ours[n]]
            if ours[n] in rows:
                lines.append(f"    {total[n]} = {np_}.zeros(y.size)")
                sums.append(f"        {total[n]}[{k}] = {adjoint[n]}")
                results[ours[n]] = (
                    f"{summed}({np_}.reshape({total[n]}, y.shape), {np_}.shape({of}))"
                )
            else:
                lines.append(f"    {total[n]} = 0.0 * {of}")
                sums.append(f"        {total[n]} = {total[n]} + {adjoint[n]}")
                results[ours[n]] = total[n]
        lines += [
            f"    for {k} in range(y.size):",
            f"        {value}, {residuals} = {forward}({', '.join(args)})",
            f"        {', '.join(adjoint.values())} = {pullback}({residuals}, {seeds}[{k}])",
            *sums,
        ]
        found = ", ".join(results.get(n, "None") for n in active)
        text = "\n".join([
            f"def vectorized_pullback(y_bar, y, {', '.join(self.formal.values())}):", *lines,
            f"    return {found if len(active) == 1 else f'({found})'}\n",
        ])  # fmt: skip
        return load(text, "vectorized_pullback", local.objects)["vectorized_pullback"]

    def number(self, kind: Kind | None) -> type | None:
        """The type of Python's numbers that the elements of an operand become."""
        if isinstance(kind, Scalar):
            return {"float": float, "int": int, "bool": bool}.get(kind.type)
        if isinstance(kind, Array) and kind.dtype is not None:
            return {"f": float, "i": int, "b": bool}.get(np.dtype(kind.dtype).kind)
        return None

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


@dataclass(frozen=True)
class Inner:
    """The compiled function for one element: `wanted`, its parameters whose adjoints are taken,
    and `ours`, what all of them are called by the primitive."""

    version: Version
    wanted: list[str]
    ours: dict[str, str]


def inner_version(
    handed: Handed, plain: Mapping[str, Kind], kinds: Mapping[str, Kind], active: tuple[str, ...]
) -> Inner:
    """What is called for each element, whose kinds are `plain`."""
    target = handed.recipe.target
    first = [n for n in plain if n not in handed.passed]
    outer = dict(zip(target.params, (*first, *handed.passed), strict=False))
    ours = {n: outer.get(n, n) for n in target.params}
    given: dict[str, Kind] = {}
    for n, o in ours.items():
        kind = plain.get(o, kinds.get(handed.formal.get(o, o)))
        if kind is not None:
            given[n] = kind
    wanted = [n for n, o in ours.items() if o in active and n in given
              and is_differentiable(given[n])]  # fmt: skip
    version = handed.recipe.dispatcher(tuple(wanted)).compile(given)
    check_repeatable(version)
    return Inner(version, wanted, ours)


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


def _rank(kind: Kind) -> int | None:
    """How many axes NumPy makes of a number, an array, or a list or tuple of numbers."""
    match kind:
        case Scalar():
            return 0
        case Array():
            return kind.ndim
        case ListOf(item=item):
            items: tuple[Kind, ...] = (item,)
        case TupleOf(items=items):
            pass
        case _:
            return None
    return 1 if all(isinstance(k, Scalar) for k in items) else None


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
            raise DerivativeError(
                "`np.apply_along_axis` returns no array of floats here: what the function returns "
                "for the first row decides",
                code="AD601",
            )
        return found

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """A row, which is a part of the array if NumPy finds that it can be one."""
        of = kinds.get(self.names["arr"])
        row = Array(of.dtype if isinstance(of, Array) else None, (None,))
        return {self.recipe.target.params[0]: row}

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
        of = kinds.get(arr)
        rank = None if not isinstance(of, Array) or of.ndim is None else of.ndim
        own = _rank(result)
        if rank is not None and own == 0:
            rank -= 1
        if rank and own in (0, 1):
            return f"np.zeros(({'int(1.5), ' * rank}))"  # of sizes that are not known
        if isinstance(result, Scalar):
            return f"np.sum({arr} * 1.0, axis={axis})"
        if own == 1:
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

    def pullback_for(self, kinds: Mapping[str, Kind], active: tuple[str, ...]) -> FunctionType:
        """The pullback of each row in turn, as source."""
        arr, axis = self.names["arr"], self.names["axis"]
        of = kinds.get(self.formal[arr])
        several = isinstance(of, Array) and of.ndim is not None
        row = Array(of.dtype if isinstance(of, Array) else None, (None,))
        inner = inner_version(self, {arr: row}, kinds, active)
        result = inner.version.compiled.facts.kinds.result
        number = isinstance(result, Scalar)
        if not several or not (number or (isinstance(result, Array) and result.ndim == 1)):
            refuse("AD410", f"`{self.spelling}` cannot be differentiated twice",
                   "only that of an array is, with a number or a vector for each row")  # fmt: skip
        local = Words({*self.formal.values(), "y", "y_bar"})
        np_ = local.of("np", np)
        forward, pullback = (local.of(f.__name__, f) for f in inner.version.functions)
        words = ("value", "residuals", "seeds", "k", "rows", "flat")
        value, residuals, seeds, k, rows, flat = (local[n] for n in words)
        adjoint = {n: local[f"{n}_adjoint"] for n in inner.wanted}
        total = {n: local[f"{n}_all"] for n in inner.wanted}
        along, results, sums = self.formal[axis], {}, []
        lines = [
            f"    {rows} = {np_}.moveaxis({self.formal[arr]}, {along}, -1)",
            f"    {flat} = {np_}.reshape({rows}, (-1, {rows}.shape[-1]))",
            f"    {seeds} = {np_}.ravel(y_bar)" if number else
            f"    {seeds} = {np_}.moveaxis(y_bar, {along}, -1)",
        ]  # fmt: skip
        if not number:
            lines.append(f"    {seeds} = {np_}.reshape({seeds}, (-1, {seeds}.shape[-1]))")
        for n in inner.wanted:
            if inner.ours[n] == arr:
                lines.append(f"    {total[n]} = {np_}.zeros({flat}.shape)")
                sums.append(f"        {total[n]}[{k}] = {adjoint[n]}")
                whole = f"{np_}.reshape({total[n]}, {rows}.shape)"
                results[arr] = f"{np_}.moveaxis({whole}, -1, {along})"
            else:
                lines.append(f"    {total[n]} = 0.0 * {self.formal[inner.ours[n]]}")
                sums.append(f"        {total[n]} = {total[n]} + {adjoint[n]}")
                results[inner.ours[n]] = total[n]
        given = [f"{flat}[{k}].copy()", *(self.formal[n] for n in self.passed)]
        given += [f"{n}={self.formal[n]}" for n in self.captured]
        found = ", ".join(results.get(n, "None") for n in active)
        text = "\n".join([
            f"def rows_pullback(y_bar, y, {', '.join(self.formal.values())}):", *lines,
            f"    for {k} in range({flat}.shape[0]):",
            f"        {value}, {residuals} = {forward}({', '.join(given)})",
            f"        {', '.join(adjoint.values())} = {pullback}({residuals}, {seeds}[{k}])",
            *sums, f"    return {found if len(active) == 1 else f'({found})'}\n",
        ])  # fmt: skip
        return load(text, "rows_pullback", local.objects)["rows_pullback"]

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
