"""Joins of kinds, and forgetting what a kind says in symbols that lose their meaning.

>>> from adtrans.ir.kinds import PY_FLOAT, PY_INT
>>> n = Affine.symbol("n")
>>> print(join(Array("float64", (n, Affine.const(3))), Array("float64", (n, n))))
float64[n, ?]
>>> join(PY_INT, PY_FLOAT)
Scalar(type='float', dtype='?', value=None, truth=None)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from adtrans.analyses.kinds.text_kinds import is_text_kind
from adtrans.ir.affine import Affine
from adtrans.ir.effort import spend
from adtrans.ir.kinds import (
    EXTENTS,
    NEVER,
    TEXT,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Mixed,
    Never,
    Scalar,
    TupleOf,
    is_anything,
    is_optional,
    present,
)

__all__ = ["dict_of", "forget", "join", "join_held", "list_of", "map_affine", "of_any_truth",
           "tuple_of"]

_ORDER = ("bool", "int", "float", "complex")
_COMPLEX = ("complex", "clongdouble")
_DEPTH = 8
_NESTED, _LEAVES = 16, 200  # of tuples: residuals hold those of the functions that are called
_MANY = 1000
"""Kinds, at most, that a tuple is made of. Where a function calls itself twice, its residuals hold
those of two calls, these those of four: 8 deep, that would be hundreds of thousands."""


def join(a: Kind, b: Kind) -> Kind:
    """The kind of a value that has the kind `a` or the kind `b`.

    Numbers of two types join to the wider one with dtype "?": a `float` may then be an int too.

    >>> print(join(Known("None", None), Scalar("float")))
    float or None
    """
    if a is b or (a == b and not isinstance(a, Known | Instance)):
        return a
    match a, b:
        case Never(), _:
            return b
        case _, Never():
            return a
        case Scalar(), Scalar():
            return _join_scalars(a, b)
        case Maybe(), _:
            return _optional(a.item, b)
        case _, Maybe():
            return _optional(b.item, a)
        case Scalar() | TupleOf() | ListOf() | DictOf(), Known(value=None):
            return Maybe(a)
        case Known(value=None), Scalar() | TupleOf() | ListOf() | DictOf():
            return Maybe(b)
        case Array(), Array():
            return _join_arrays(a, b)
        case (Array() | Mixed(), _) | (_, Array() | Mixed()):
            return _mixed(a, b)
        case TupleOf(), TupleOf() if len(a.items) == len(b.items) and a.cls is b.cls:
            items = (join(x, y) for x, y in zip(a.items, b.items, strict=True))
            return tuple_of(*items, cls=a.cls)
        case DictOf(), DictOf():
            return _join_dicts(a, b)
        case ListOf(), ListOf():
            return list_of(join(a.item, b.item), a.frozen or b.frozen)
        case Known(), Known() if a.name == b.name and _same(a.value, b.value):
            return a
        case _ if is_text_kind(a) and is_text_kind(b):
            return TEXT
        case _ if _is_shape(a) and _is_shape(b):
            return EXTENTS
        case Instance(), Instance() if a.cls is b.cls:
            if a.fields == b.fields and a.followed == b.followed:
                return a
            return Instance(a.name, a.cls, _join_fields(a, b), a.followed and b.followed)
        case _:
            return UNKNOWN


def _join_fields(a: Instance, b: Instance) -> tuple[tuple[str, Kind], ...]:
    """What both have; a function that only one of them has may hide a method of the class."""
    of_a, of_b = dict(a.fields), dict(b.fields)
    found = {n: join(k, of_b[n]) for n, k in of_a.items() if n in of_b}
    for n, k in (*a.fields, *b.fields):
        if n not in found and (k == UNKNOWN or (isinstance(k, Known) and callable(k.value))):
            found[n] = UNKNOWN
    return tuple(sorted(found.items()))


def join_held(a: Kind, b: Kind) -> Kind:
    """The kind of a variable that holds the one or the other.

    A tuple meets a list, as which a tuple counts that is made of one (`frozen_tuples` makes it so).

    >>> print(join_held(TupleOf((Scalar("float"), Scalar("float"))), ListOf(Scalar("float"))))
    list[float]
    """
    match a, b:
        case (TupleOf(items=items, cls=None), ListOf() as held) | (
            ListOf() as held, TupleOf(items=items, cls=None)
        ):  # fmt: skip
            item = held.item
            for i in items:
                item = join(item, i)
            return UNKNOWN if is_anything(item) else list_of(item, frozen=True)
        case _:
            return join(a, b)


def _optional(item: Kind, other: Kind) -> Kind:
    """The kind of an item, or None, or the other."""
    if isinstance(other, Known) and other.value is None:
        found = item
    elif isinstance(other, Array | Mixed):
        return _mixed(item, _mixed(other, Known("None", None)))
    else:
        found = join(item, present(other))
    return Maybe(found) if isinstance(found, Scalar | TupleOf | ListOf | DictOf) else UNKNOWN


def _mixed(a: Kind, b: Kind) -> Kind:
    """A number or an array of numbers, or None, if both are real; of any size."""
    numbers: set[Scalar] = set()
    array: Kind = NEVER
    none = False
    for kind in (a, b):
        match kind:
            case Scalar():
                numbers.add(kind)
            case Array():
                array = join(array, kind)
            case Mixed():
                numbers |= set(kind.numbers)
                array, none = join(array, kind.array), none or kind.none
            case Known(value=None):
                none = True
            case _:
                return UNKNOWN
    assert isinstance(array, Array)
    if any(n.type == "complex" for n in numbers) or (array.dtype or "").startswith(_COMPLEX):
        return UNKNOWN
    found = {Scalar(n.type, n.dtype) for n in numbers}
    dims = None if array.dims is None else (None,) * len(array.dims)
    plain = Array(array.dtype, dims, array.not_one, array.least)
    order = sorted(found, key=lambda n: (n.type, n.dtype or ""))  # the same in every run
    return Mixed(tuple(order), plain, none)


def _join_dicts(a: DictOf, b: DictOf) -> Kind:
    """A key that one of them lacks is as it is in the other."""
    fields = dict(a.fields)
    for key, kind in b.fields:
        fields[key] = join(fields.get(key, NEVER), kind)
    return dict_of(join(a.item, b.item), fields, join(a.key, b.key))


def _is_shape(kind: Kind) -> bool:
    """Whether a value is a plain tuple of integers, of known length or not."""
    if isinstance(kind, TupleOf):
        whole = all(isinstance(i, Scalar) and i.type == "int" for i in kind.items)
        return whole and kind.cls is None
    return kind == EXTENTS


def _same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, str | bytes) and type(a) is type(b) and a == b)


def _join_scalars(a: Scalar, b: Scalar) -> Scalar:
    if a.type == b.type:
        return Scalar(
            a.type,
            a.dtype if a.dtype == b.dtype else "?",
            a.value if a.value == b.value else None,
            a.truth if a.truth is b.truth else None,
        )
    wider = max(a.type, b.type, key=_ORDER.index)
    return Scalar(wider, "?")


def _join_arrays(a: Array, b: Array) -> Array:
    dtype = a.dtype if a.dtype == b.dtype else None
    if a.dims is None or b.dims is None or len(a.dims) != len(b.dims):
        return Array(dtype, None, least=min(a.least_ndim, b.least_ndim))
    dims = tuple(x if x == y else None for x, y in zip(a.dims, b.dims, strict=True))
    return Array(dtype, dims, a.not_one & b.not_one)


def depth(kind: Kind) -> int:
    """How deep containers nest in a kind."""
    match kind:
        case TupleOf():
            return 1 + max((depth(i) for i in kind.items), default=0)
        case DictOf():
            held = (kind.item, kind.key, *dict(kind.fields).values())
            return 1 + max(map(depth, held), default=0)
        case ListOf():
            return 1 + depth(kind.item)
        case Maybe():
            return depth(kind.item)
        case _:
            return 0


def list_of(item: Kind, frozen: bool = False) -> Kind:
    """A list of `item`, unless it nests too deep (so that fixed points end)."""
    return ListOf(_item(item), frozen=frozen) if depth(item) < _DEPTH else UNKNOWN


def _item(kind: Kind) -> Kind:
    """What is known of an item of a list or dictionary: of those that may be None only numbers, and
    which one a bool is not: others may be put there."""
    if is_optional(kind):
        return UNKNOWN
    return of_any_truth(kind)


def of_any_truth(kind: Kind) -> Kind:
    """`kind` without which of the two a bool is."""
    match kind:
        case Scalar(truth=bool()):
            return replace(kind, truth=None)
        case TupleOf():
            return replace(kind, items=tuple(map(of_any_truth, kind.items)))
        case _:
            return kind


def dict_of(item: Kind, fields: Mapping[str | int, Kind], key: Kind = UNKNOWN) -> Kind:
    """A dictionary, unless it nests too deep or has too many keys (so that fixed points end)."""
    order = sorted(((name, _item(k)) for name, k in fields.items()), key=lambda f: repr(f[0]))
    found = DictOf(_item(item), tuple(order), key)
    return found if depth(found) <= _DEPTH and len(fields) <= 64 else UNKNOWN


def tuple_of(*items: Kind, cls: type | None = None) -> Kind:
    """A tuple of `items`, unless it nests too deep or is too long (so that fixed points end)."""
    found = TupleOf(items, cls)
    deep = depth(found)
    most = _MANY if deep <= _DEPTH else _LEAVES if deep <= _NESTED else 0
    small = len(items) <= 64 and (deep < 3 <= most or leaves(found) <= most)
    return found if small else UNKNOWN


def leaves(kind: Kind) -> int:
    """How many kinds a tuple is made of, with those of what is in it."""
    match kind:
        case TupleOf():
            return sum(map(leaves, kind.items))
        case DictOf():
            return leaves(kind.item) + leaves(kind.key) + sum(leaves(k) for _, k in kind.fields)
        case ListOf() | Maybe():
            return leaves(kind.item)
        case _:
            return 1


def map_affine(kind: Kind, f: Callable[[Affine], Affine | None]) -> Kind:
    """`kind` with `f` applied to the sizes and values in it."""
    match kind:
        case Scalar(value=Affine() as value):
            return Scalar(kind.type, kind.dtype, f(value))
        case Maybe():
            item = map_affine(kind.item, f)
            return Maybe(item) if isinstance(item, Scalar | TupleOf | ListOf | DictOf) else item
        case Array(dims=tuple() as dims):
            return Array(
                kind.dtype, tuple(None if d is None else f(d) for d in dims), kind.not_one
            )
        case TupleOf():
            spend(len(kind.items) / 16)
            return replace(kind, items=tuple(map_affine(i, f) for i in kind.items))
        case DictOf():
            fields = tuple((key, map_affine(k, f)) for key, k in kind.fields)
            return replace(kind, item=map_affine(kind.item, f), fields=fields,
                           key=map_affine(kind.key, f))  # fmt: skip
        case ListOf():
            return ListOf(map_affine(kind.item, f), frozen=kind.frozen)
        case _:
            return kind


def forget(kind: Kind, is_dead: Callable[[str], bool]) -> Kind:
    """`kind` without what it says in symbols that are `dead`; the same object where there is none.

    >>> forget(PAIR := TupleOf((Scalar("int", value=Affine.symbol("n")),)), "#".__eq__) is PAIR
    True
    """

    if isinstance(kind, Scalar) and kind.value is None:
        return kind

    def lives(e: Affine) -> Affine | None:
        return e if not e.terms or not any(is_dead(s) for s, _ in e.terms) else None

    # most say nothing of the kind, and who compares kinds looks at the objects first
    return kind if _lasts(kind, lives) else map_affine(kind, lives)


def _lasts(kind: Kind, lives: Callable[[Affine], Affine | None]) -> bool:
    """Whether `map_affine` would leave a kind as it is."""
    match kind:
        case Scalar():
            return kind.value is None or lives(kind.value) is not None
        case Array():
            return all(d is None or lives(d) is not None for d in kind.dims or ())
        case Maybe():
            return _lasts(kind.item, lives)
        case TupleOf():
            return all(_lasts(i, lives) for i in kind.items)
        case DictOf():
            held = (kind.item, kind.key, *(k for _, k in kind.fields))
            return all(_lasts(k, lives) for k in held)
        case ListOf():
            return not kind.items and _lasts(kind.item, lives)
        case _:
            return True
