"""The constants of a question about sizes: a run tells nothing of a size that it is not beyond.

`max(n, 20)` looks like 20, and `ceil(n / 16)` like 1, as long as the examples are small. So
constants are taken for sizes of their own, and what that cannot say is tried at sizes beyond them.

>>> x = Array("float64", (Affine.symbol("n"), Affine.const(20)))
>>> names = symbols_of_constants([x])
>>> print(with_symbols(x, names), with_constants(with_symbols(x, names), names))
float64[n, #0] float64[n, 20]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from adtrans.analyses.kinds.examples import affines_in, values_in
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind, ListOf, Scalar, TupleOf

_SMALL = 4
"""Constants up to here are smaller than some sizes of the examples, and larger than others."""
_MARK = "#"


def is_constant(symbol: str) -> bool:
    """Whether a symbol stands for a constant."""
    return symbol.startswith(_MARK)


def symbols_of_constants(kinds: Iterable[Kind]) -> Mapping[int, str]:
    """A symbol for each size and integer that is known and not small; none if all are known."""
    kinds = list(kinds)
    if not _is_open(kinds):
        return {}
    known = (abs(e.constant) for k in kinds for e in affines_in(k) if not e.terms)
    found = dict.fromkeys(c for c in known if c > _SMALL)
    return {c: f"{_MARK}{n}" for n, c in enumerate(found)}


def offsets_in(kinds: Iterable[Kind]) -> list[int]:
    """What is added to symbols and is not small."""
    offsets = (abs(e.constant) for k in kinds for e in affines_in(k) if e.terms)
    return [c for c in offsets if c > _SMALL]


def _is_open(kinds: list[Kind]) -> bool:
    """Whether a size is not a constant."""
    for value in (v for k in kinds for v in (k, *values_in(k))):
        match value:
            case Array(dims=None) | ListOf():
                return True
            case Array(dims=tuple() as dims) if any(d is None or d.terms for d in dims):
                return True
            case Scalar(type="int", value=number) if number is None or number.terms:
                return True
            case _:
                pass
    return False


def with_symbols(kind: Kind, names: Mapping[int, str]) -> Kind:
    """The kind with symbols for its constants."""

    def named(e: Affine) -> Affine:
        if e.terms or abs(e.constant) not in names:
            return e
        symbol = Affine.symbol(names[abs(e.constant)])
        return symbol if e.constant > 0 else -symbol

    return _each(kind, named)


def with_constants(kind: Kind, names: Mapping[int, str]) -> Kind:
    """The kind with constants for their symbols."""

    def numbered(e: Affine) -> Affine:
        for constant, symbol in names.items():
            e = e.substitute(symbol, Affine.const(constant))
        return e if e.terms else Affine.const(max(e.constant, 0))

    return _each(kind, numbered)


def _each(kind: Kind, change: Callable[[Affine], Affine]) -> Kind:
    match kind:
        case Scalar(type="int", value=Affine() as value):
            return replace(kind, value=change(value))
        case Array(dims=tuple() as dims):
            sizes = tuple(None if d is None else change(d) for d in dims)
            pairs = enumerate(zip(dims, sizes, strict=True))
            sized = {n for n, p in pairs if any(d and d.value not in (None, 1) for d in p)}
            return replace(kind, dims=sizes, not_one=kind.not_one | sized)
        case TupleOf():
            return replace(kind, items=tuple(_each(i, change) for i in kind.items))
        case ListOf():
            return replace(kind, item=_each(kind.item, change))
        case _:
            return kind


def has_sizes(kind: Kind) -> bool:
    """Whether some size is known of an array in it."""
    return any(isinstance(v, Array) and any(v.dims or ()) for v in values_in(kind))


def is_sized(kind: Kind) -> bool:
    """Whether all sizes of arrays in it are known, of at least one."""
    arrays = [v for v in values_in(kind) if isinstance(v, Array)]
    return bool(arrays) and all(a.dims is not None and None not in a.dims for a in arrays)


def beyond(kinds: Iterable[Kind]) -> Iterator[tuple[int, Mapping[str, int]]]:
    """Sizes that differ from each other, and from 0, by more than three times any constant:
    rising and falling ones, and a factor for what has no symbol."""
    affines = [e for k in kinds for e in affines_in(k)]
    largest = max((abs(e.constant) for e in affines), default=1)
    symbols = list(dict.fromkeys(s for e in affines for s in sorted(e.symbols)))
    sizes = [3 * (n + 1) * largest + n + 1 for n in range(len(symbols))]
    yield largest, dict(zip(symbols, sizes, strict=True))
    if len(symbols) > 1:
        yield largest, dict(zip(symbols, reversed(sizes), strict=True))
