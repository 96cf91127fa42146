"""The kind of a primitive's result, read off from what NumPy really does with small examples.

Sizes that are called by symbols get different numbers in several runs; a size of the result is
believed when one affine expression fits all of them.

>>> import numpy as np
>>> x = Array("float64", (Affine.symbol("n"), Affine.symbol("m")))
>>> print(result_kind(np.outer, (x, x)), result_kind(np.transpose, (x,)))
float64[?, ?] float64[m, n]
>>> print(result_kind(np.diff, (Array("float64", (Affine.symbol("n"),)),)))
float64[n - 1]
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from adtrans.analyses.kinds.examples import (
    OTHER,
    SIZES,
    TINY,
    Examples,
    Impossible,
    affines_in,
    value_of,
)
from adtrans.analyses.kinds.fitted import Fit, agreeing, arrays_in, nameless, read
from adtrans.analyses.kinds.lattice import join
from adtrans.analyses.kinds.size_constants import (
    beyond,
    has_sizes,
    is_constant,
    is_sized,
    offsets_in,
    symbols_of_constants,
    with_constants,
    with_symbols,
)
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import (
    NEVER,
    UNKNOWN,
    Array,
    Instance,
    Kind,
    Known,
    ListOf,
    Never,
    Scalar,
    TupleOf,
    Unknown,
)  # fmt: skip

__all__ = ["elementwise_dims", "result_kind"]

_VARIANTS = 24
_AXES = ("axis", "axis1", "axis2", "source", "destination")
_METHODS = {".swapaxes": ("self", "axis1", "axis2")}
_DTYPES = ("float64", "float32", "int64")
_UNCHECKED = ("lu_solve", "lu_solve_right", "lu_solve_factor", "lu_solve_pushforward")
"""They swap rows of any number, also those that are not there."""

_Key = tuple[object, tuple[Kind, ...], tuple[tuple[str, Kind], ...], tuple[object, ...]]


def result_kind(
    fn: Callable[..., object],
    args: Sequence[Kind],
    kwargs: Mapping[str, Kind] | None = None,
    *,
    token: object = None,
) -> Kind:
    """The kind of `fn(*args, **kwargs)`, where `fn` is pure; UNKNOWN if that cannot be said.

    `Known` arguments are passed as they are. `token` stands for `fn` in the cache where `fn` itself
    is made anew for each question.
    """
    named = tuple(sorted((kwargs or {}).items()))
    if open_axes := _open_axes(fn, args, kwargs or {}, token):
        return _along_some_axis(fn, args, kwargs or {}, token, open_axes)
    try:
        identities = tuple(_identity(k) for k in (*args, *(v for _, v in named)))
        variants = list(itertools.islice(_variants((*args, *(v for _, v in named))), _VARIANTS + 1))
    except Impossible:
        return UNKNOWN
    if len(variants) > _VARIANTS:
        return UNKNOWN
    found: Kind = NEVER
    for variant in variants:
        positional = variant[: len(args)]
        by_name = tuple(
            (name, v) for (name, _), v in zip(named, variant[len(args) :], strict=True)
        )
        key = (fn if token is None else token, positional, by_name, identities)
        found = join(found, _cached(key, _Wrapped(fn)))
    return UNKNOWN if isinstance(found, Never) else found


def _is_constant(kind: Scalar) -> bool:
    return kind.value is not None and kind.value.value is not None


def _open_axes(
    fn: Callable[..., object], args: Sequence[Kind], kwargs: Mapping[str, Kind], token: object
) -> list[int | str]:
    """The arguments that say which axis is meant, by place or name, where only the run knows."""
    given: list[tuple[int | str, str, Kind]] = [(n, n, k) for n, k in kwargs.items()]
    if any(isinstance(a, Scalar) and a.type == "int" and not _is_constant(a) for a in args[1:]):
        names = _METHODS.get(str(token)) or _parameters(fn)
        given += [(i, n, k) for i, (n, k) in enumerate(zip(names, args, strict=False))]
    return [
        at for at, name, kind in given
        if name in _AXES and isinstance(kind, Scalar) and kind.type == "int"
        if not _is_constant(kind)
    ]  # fmt: skip


def _parameters(fn: Callable[..., object]) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        return ()


def _along_some_axis(
    fn: Callable[..., object], args: Sequence[Kind], kwargs: Mapping[str, Kind], token: object,
    open_axes: Sequence[int | str],
) -> Kind:  # fmt: skip
    """The kind of what `fn` gives along whichever axis its arguments have: only the run knows."""
    if not all(isinstance(a, Array | Scalar | Known) for a in args):
        return UNKNOWN
    ranks = [a.ndim for a in args if isinstance(a, Array)]
    if not ranks or None in ranks:
        return UNKNOWN
    rank = max(r for r in ranks if r is not None)
    found: Kind = NEVER
    for axes in itertools.product(range(rank + 1), repeat=len(open_axes)):
        numbers = [Scalar("int", value=Affine((), k)) for k in axes]
        known = dict(zip(open_axes, numbers, strict=True))
        kind = result_kind(
            fn, [known.get(i, a) for i, a in enumerate(args)],
            {n: known.get(n, k) for n, k in kwargs.items()}, token=token,
        )  # fmt: skip
        if kind == UNKNOWN and max(axes) < rank:
            return UNKNOWN
        found = found if kind == UNKNOWN else join(found, kind)  # a new axis may be the last one
    return UNKNOWN if isinstance(found, Never) else found


class _Wrapped:
    """A function that does not take part in the comparison of cache keys."""

    def __init__(self, fn: Callable[..., object]) -> None:
        self.fn = fn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Wrapped)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=8192)
def _cached(key: _Key, fn: _Wrapped) -> Kind:
    return _evaluate(fn.fn, key[1], dict(key[2]))


def _identity(kind: Kind) -> object:
    """What a cache key must know of a kind beyond its equality."""
    match kind:
        case Known():
            value = kind.value
            if callable(value) and not _is_harmless(value):
                raise Impossible
            return id(value) if not isinstance(value, str | int | float) else kind.name
        case TupleOf():
            return tuple(_identity(i) for i in kind.items)
        case ListOf():
            return _identity(kind.item)
        case _:
            return None


def _is_harmless(value: object) -> bool:
    """Whether a callable argument runs no code of the user's."""
    if isinstance(value, np.ufunc | type(np.argmax)):
        return True  # functions of NumPy itself
    return isinstance(value, type) and value.__module__ in ("builtins", "numpy")


def _variants(kinds: tuple[Kind, ...]) -> Iterator[tuple[Kind, ...]]:
    """The kinds with each unknown dtype and rank replaced by the possible ones."""
    return itertools.product(*(tuple(_definite(k)) for k in kinds))


def _definite(kind: Kind) -> Iterable[Kind]:
    match kind:
        case Unknown() | Never() | Instance():
            raise Impossible
        case Scalar(dtype="?"):
            return _numbers(kind)
        case Array():
            least = kind.least_ndim
            ranks = range(least, max(least, 3) + 1) if kind.dims is None else [least]
            dtypes = _DTYPES if kind.dtype is None else [kind.dtype]
            dims = [kind.dims if kind.dims is not None else (None,) * r for r in ranks]
            return [Array(t, d, kind.not_one) for t in dtypes for d in dims]
        case TupleOf():
            parts = [tuple(_definite(i)) for i in kind.items]
            return [TupleOf(p) for p in itertools.islice(itertools.product(*parts), _VARIANTS + 1)]
        case ListOf(item=Never()):
            return [kind]
        case ListOf():
            return [ListOf(i) for i in _definite(kind.item)]
        case _:
            return [kind]


def _numbers(kind: Scalar) -> list[Kind]:
    match kind.type:
        case "bool":
            return [Scalar("bool"), Scalar("bool", "bool")]
        case "int":
            return [Scalar("int"), Scalar("int", "int64"), Scalar("int", "int32")]
        case "float":
            floats = [Scalar("float", d) for d in (None, "float64", "float32")]
            return [Scalar("int"), *floats]
        case _:
            return [Scalar("float"), *(Scalar("complex", d) for d in (None, "complex128"))]


def _tried(
    fn: Callable[..., object],
    example: Examples,
    args: tuple[Kind, ...],
    kwargs: Mapping[str, Kind],
) -> object:
    """What `fn` makes of an example; raises `Impossible` where it is not for such arguments."""
    example.within = getattr(fn, "__name__", "") in _UNCHECKED
    positional = [example.of(k) for k in args]
    named = {name: example.of(k) for name, k in kwargs.items()}
    try:
        return _called(fn, positional, named)
    except Impossible:
        lists = [_as_lists(a) for a in positional]
        if all(a is b for a, b in zip(lists, positional, strict=True)):
            raise
        return _called(fn, lists, named)  # a display of a list is known item by item, too


def _called(
    fn: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return fn(*args, **kwargs)
    except Exception as error:  # every library has its own way to say no: `_flapack.error`
        raise Impossible from error


def _as_lists(value: object) -> object:
    """Tuples as lists, which is all that `np.block` takes."""
    return [_as_lists(v) for v in value] if isinstance(value, tuple) else value


def _evaluate(
    fn: Callable[..., object], args: tuple[Kind, ...], kwargs: Mapping[str, Kind]
) -> Kind:
    """The kind that all runs have, which runs beyond the constants of the question confirm."""
    every = (*args, *kwargs.values())
    names = symbols_of_constants(every)
    if not names and not offsets_in(every):
        return _fitted(fn, args, kwargs)
    # As if the constants were sizes themselves: then some are smaller and some larger than others.
    general = with_constants(
        _fitted(
            fn, tuple(with_symbols(k, names) for k in args),
            {name: with_symbols(k, names) for name, k in kwargs.items()},
        ), names,
    )  # fmt: skip
    if not offsets_in(every) and is_sized(general):
        sizes = next(_assignments(every))
        with contextlib.suppress(Impossible):
            general = agreeing(general, _tried(fn, Examples(sizes, 0, False), args, kwargs), sizes)
        if is_sized(general):
            return general
    found = _fitted(fn, args, kwargs)
    for scale, sizes in beyond(every):
        if not has_sizes(found):
            return found
        try:
            result = _tried(fn, Examples(sizes, 0, False, scale=scale), args, kwargs)
        except Impossible:
            return nameless(found)
        found = agreeing(found, result, sizes)
    return found


def _fitted(
    fn: Callable[..., object], args: tuple[Kind, ...], kwargs: Mapping[str, Kind]
) -> Kind:
    every = (*args, *kwargs.values())
    runs: list[tuple[object, Mapping[str, int]]] = []
    for n, sizes in enumerate(_assignments(every)):
        required = n < len(SIZES)
        for odd in (False, True) if n == 1 else (False,):
            example = Examples(sizes, n, odd)
            try:
                runs.append((_tried(fn, example, args, kwargs), sizes))
            except Impossible:
                if required and not odd:
                    return _of_equal_sizes(fn, args, kwargs)
    return read([r for r, _ in runs], Fit(every, [s for _, s in runs]))


def _of_equal_sizes(
    fn: Callable[..., object], args: tuple[Kind, ...], kwargs: Mapping[str, Kind]
) -> Kind:
    """Rank and dtype, when sizes have to agree that are not known to: all are one number.

    NEVER if the primitive does not accept that either.
    """
    every = (*args, *kwargs.values())
    constants = {d.value for a in arrays_in(every) for d in a.dims or () if d and d.value}
    # not one, of which axes are dropped that others would keep; 6 are all pairs of four points
    for size in (*sorted(c for c in constants if c is not None and 1 < c < 100), 4, 6):
        if (found := _of_one_size(fn, args, kwargs, size)) != NEVER:
            return found
    # what is for vectors of the plane or of space only: `np.cross`, once with a number for a plane
    return join(_of_one_size(fn, args, kwargs, 3), _of_one_size(fn, args, kwargs, 2))


def _of_one_size(
    fn: Callable[..., object], args: tuple[Kind, ...], kwargs: Mapping[str, Kind], size: int
) -> Kind:
    """Rank and dtype, if all sizes that are open are `size`; NEVER if that is not accepted."""
    results: list[object] = []
    for run in (0, 1):
        try:
            results.append(_tried(fn, Examples({}, run, False, size), args, kwargs))
        except Impossible:
            return NEVER
    return nameless(read(results, Fit((), [{}, {}])))


def _assignments(kinds: Iterable[Kind]) -> Iterator[Mapping[str, int]]:
    """Numbers for the symbols that leave no dimension empty."""
    affines = [e for k in kinds for e in affines_in(k)]
    symbols = list(dict.fromkeys(s for e in affines for s in sorted(e.symbols)))
    sizes_of = [e for e in affines if any(c > 0 for _, c in e.terms)]
    for sizes in (*SIZES, *TINY, *([OTHER] if len(symbols) > 1 else [])):
        for shift in (0, 1, 2, 4, 8, 40):
            numbers = {s: sizes[n % len(sizes)] + 11 * (n // len(sizes)) + shift
                       for n, s in enumerate(symbols)}  # fmt: skip
            if sizes == TINY[1]:
                numbers.update({s: 2 + n for n, s in enumerate(symbols) if is_constant(s)})
            if all(value_of(e, numbers) >= 1 for e in sizes_of):
                break
        yield numbers


def elementwise_dims(arrays: Sequence[Array]) -> tuple[tuple[Affine | None, ...], frozenset[int]]:
    """The broadcast dimensions of arrays of known rank, and which of them are not 1.

    >>> n, m = Affine.symbol("n"), Affine.symbol("m")
    >>> elementwise_dims([Array("f", (n, m), frozenset((0,))), Array("f", (m,))])[0] == (n, m)
    True
    """
    rank = max((len(a.dims) for a in arrays if a.dims is not None), default=0)
    dims: list[Affine | None] = [Affine.const(1)] * rank
    not_one: set[int] = set()
    for a in arrays:
        assert a.dims is not None
        for own, d in enumerate(a.dims):
            n = rank - len(a.dims) + own
            sized = own in a.not_one or (d is not None and d.value is not None and d.value != 1)
            dims[n] = _broadcast(dims[n], n in not_one, d, sized)
            if sized:
                not_one.add(n)
    return tuple(dims), frozenset(not_one)


def _broadcast(a: Affine | None, a_sized: bool, b: Affine | None, b_sized: bool) -> Affine | None:
    one = Affine.const(1)
    if a == b:
        return a
    if a_sized and b_sized:
        return b if a is None else a  # they are equal, or the operation raises
    if a == one or b_sized:
        return b
    if b == one or a_sized:
        return a
    return None
