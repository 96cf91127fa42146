"""What results of several runs have in common: the rank, the dtype, and sizes that one affine
expression gives in all of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np

from adtrans.analyses.kinds.examples import AnyArray, affines_in, value_of, values_in
from adtrans.analyses.kinds.lattice import join, list_of, tuple_of
from adtrans.analyses.kinds.values import kind_of_value, scalar_type
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import NEVER, UNKNOWN, Array, Kind, ListOf, Scalar, TupleOf

__all__ = ["Fit", "agreeing", "arrays_in", "nameless", "read"]


class Fit:
    """Finds the affine expression that a size is in all runs."""

    def __init__(self, kinds: Iterable[Kind], runs: list[Mapping[str, int]]) -> None:
        self.runs = runs
        self.atoms = list(dict.fromkeys(e for k in kinds for e in affines_in(k) if e.terms))
        self.not_one = {
            d
            for a in arrays_in(kinds)
            for n, d in enumerate(a.dims or ())
            if d is not None and n in a.not_one
        }

    def size(self, numbers: Sequence[int]) -> Affine | None:
        first = numbers[0]
        if all(n == first for n in numbers):
            return Affine.const(first)
        for e in self.candidates():
            values = [value_of(e, r) for r in self.runs]
            if all(max(v, 0) == n for v, n in zip(values, numbers, strict=True)):
                return e
        # Combined sizes: exact only if `max(e, 0)` is `e` in all operands.
        plain = [e for e in self.atoms if all(c > 0 for _, c in e.terms) and e.constant >= 0]
        for e in itertools.chain(
            plain,
            (a + b for a, b in itertools.combinations_with_replacement(plain, 2)),
            (a - b for a, b in itertools.permutations(plain, 2)),
        ):
            if sum(n > 0 for n in numbers) < 2:
                break  # one number is a difference of any two, but for what is added
            rest = {n - value_of(e, r) for n, r in zip(numbers, self.runs, strict=True) if n > 0}
            if len(rest) == 1 and abs(shift := rest.pop()) <= 8:
                fitted = e + shift
                if all(max(value_of(fitted, r), 0) == n
                       for n, r in zip(numbers, self.runs, strict=True)):  # fmt: skip
                    return fitted
        return None

    def candidates(self) -> list[Affine]:
        return self.atoms


def arrays_in(kinds: Iterable[Kind]) -> Iterator[Array]:
    return (v for k in kinds for v in values_in(k) if isinstance(v, Array))


def read(results: list[object], fit: Fit) -> Kind:
    """The kind that all results have."""
    first = results[0]
    if all(type(r) is np.ndarray for r in results):
        return _read_arrays([r for r in results if isinstance(r, np.ndarray)], fit)
    if all(isinstance(r, tuple) for r in results):
        tuples = [r for r in results if isinstance(r, tuple)]
        if len({len(t) for t in tuples}) == 1:
            return tuple_of(*(read(list(column), fit) for column in zip(*tuples, strict=True)))
        return UNKNOWN
    if all(type(r) is list for r in results):
        lists = [r for r in results if isinstance(r, list)]
        shortest = min(len(item) for item in lists)
        item: Kind = NEVER
        for n in range(shortest):
            item = join(item, read([row[n] for row in lists], fit))
        for row in lists:
            for element in row[shortest:]:
                item = join(item, nameless(kind_of_value(element)))
        return list_of(item)
    found: Kind = NEVER
    for r in results:
        found = join(found, nameless(kind_of_value(r)))
    return found if not isinstance(first, ModuleType) else UNKNOWN


def nameless(kind: Kind) -> Kind:
    """Without the numbers of this example."""
    match kind:
        case Scalar():
            return replace(kind, value=None)
        case Array():
            return Array(kind.dtype, None if kind.dims is None else (None,) * len(kind.dims))
        case TupleOf():
            return replace(kind, items=tuple(nameless(i) for i in kind.items))
        case ListOf():
            return ListOf(nameless(kind.item))
        case _:
            return kind


def _read_arrays(results: list[AnyArray], fit: Fit) -> Kind:
    if any(scalar_type(r.dtype) is None for r in results):
        return UNKNOWN
    dtypes = {r.dtype.name for r in results}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if len({r.ndim for r in results}) != 1:
        return Array(dtype, None, least=min(r.ndim for r in results))
    dims = tuple(fit.size(column) for column in zip(*(r.shape for r in results), strict=True))
    not_one = frozenset(
        n
        for n, d in enumerate(dims)
        if d is not None and (d in fit.not_one or (d.value is not None and d.value != 1))
    )
    return Array(dtype, dims, not_one)


def agreeing(kind: Kind, result: object, sizes: Mapping[str, int]) -> Kind:
    """What of `kind` is still right when `result` is looked at: a size that it has not is unknown.

    >>> n = Affine.symbol("n")
    >>> print(agreeing(Array("float64", (n, n + 1)), np.zeros((5, 5)), {"n": 5}))
    float64[n, ?]
    """
    match kind:
        case Array(dims=None):
            return kind
        case Array(dims=tuple() as dims):
            if not isinstance(result, np.ndarray):
                return UNKNOWN
            if result.ndim != len(dims):
                return Array(kind.dtype, None, least=min(result.ndim, len(dims)))
            right = tuple(
                d if d is not None and max(value_of(d, sizes), 0) == n else None
                for d, n in zip(dims, result.shape, strict=True)
            )
            sized = frozenset(n for n in kind.not_one if right[n] is not None)
            return Array(kind.dtype, right, sized)
        case TupleOf() if isinstance(result, tuple) and len(result) == len(kind.items):
            items = zip(kind.items, result, strict=True)
            return replace(kind, items=tuple(agreeing(k, r, sizes) for k, r in items))
        case ListOf(item=item) if isinstance(result, list):
            for r in result:
                item = agreeing(item, r, sizes)
            return replace(kind, item=item)
        case TupleOf() | ListOf():
            return UNKNOWN
        case Scalar():
            return UNKNOWN if isinstance(result, np.ndarray) else kind
        case _:
            return kind
