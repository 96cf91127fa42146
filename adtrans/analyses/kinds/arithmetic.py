"""Kinds of what operators make: dtypes as for small arrays, shapes by broadcasting."""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from adtrans.analyses.kinds.exemplars import elementwise_dims, result_kind
from adtrans.analyses.kinds.lattice import join, tuple_of
from adtrans.analyses.kinds.sparse_systems import another, combined
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Mixed,
    Never,
    Scalar,
    TupleOf,
)  # fmt: skip
from adtrans.rules.scipy_sparse import is_sparse, sparse_product

BINARY: Mapping[str, Callable[[Any, Any], object]] = {
    "+": python.add, "-": python.sub, "*": python.mul, "/": python.truediv, "//": python.floordiv,
    "%": python.mod, "**": python.pow, "@": python.matmul, "&": python.and_, "|": python.or_,
    "^": python.xor, "<<": python.lshift, ">>": python.rshift, "<": python.lt, "<=": python.le,
    ">": python.gt, ">=": python.ge, "==": python.eq, "!=": python.ne,
}  # fmt: skip
_UNARY: Mapping[str, Callable[[Any], object]] = {
    "-": python.neg, "+": python.pos, "~": python.invert,
}  # fmt: skip


def elementwise(
    fn: Callable[..., object], args: Sequence[Kind], kwargs: Mapping[str, Kind]
) -> Kind:
    """The dtype as NumPy gives it to small arrays, the shape by broadcasting."""
    arrays = [a for a in (*args, *kwargs.values()) if isinstance(a, Array)]
    model = _of_one_axis if all(a.least_ndim for a in arrays) else model_of
    models = [model(a) for a in args]
    named = {k: model(v) for k, v in kwargs.items()}
    found = result_kind(fn, models, named)
    if not arrays:
        return found
    if any(a.dims is None for a in arrays):
        least = max(a.least_ndim for a in arrays)
        if isinstance(found, Mixed):
            return _without_sizes(found)
        if not least or not isinstance(found, Array):
            return UNKNOWN
        return Array(found.dtype, None, least=least)
    dims, not_one = elementwise_dims(arrays)
    return _shaped(found, dims, not_one)


def _shaped(
    found: Kind, dims: tuple[Affine | None, ...], not_one: frozenset[int]
) -> Kind:
    match found:
        case Array(dims=tuple() as model) if len(model) == len(dims):
            return Array(found.dtype, dims, not_one)
        case TupleOf():  # `np.modf`, `np.divmod`
            return tuple_of(*(_shaped(i, dims, not_one) for i in found.items))
        case Scalar():
            return found if not dims else UNKNOWN
        case _:
            return UNKNOWN


def product(fn: Callable[..., object], a: Kind, b: Kind) -> Kind:
    """`a @ b`: the axes that are summed over agree, or it raises."""
    if any(isinstance(k, Scalar) or (isinstance(k, Array) and k.dims == ()) for k in (a, b)):
        return elementwise(fn, (a, b), {})  # `np.dot` with a number multiplies
    found = result_kind(fn, (model_of(a), model_of(b)))
    if not isinstance(a, Array) or not isinstance(b, Array) or not isinstance(found, Array):
        return _without_sizes(found)
    if a.dims is None or b.dims is None:
        return Array(found.dtype, None)
    if len(a.dims) > 2 or len(b.dims) > 2:
        return Array(found.dtype, (None,) * len(found.dims or ()) if found.dims else None)
    left, right = len(a.dims) - 1, len(b.dims) - 1
    dims = (*a.dims[:left], *b.dims[right:])[: left + right]
    sized = [0 in a.not_one] * left + [right in b.not_one] * right
    return Array(found.dtype, dims, frozenset(n for n, known in enumerate(sized) if known))


def unary(op: str, kind: Kind) -> Kind:
    if op == "not":
        return PY_BOOL
    if isinstance(kind, Scalar) and kind.type == "int" and kind.dtype is None and op in "+-":
        value = kind.value if op == "+" or kind.value is None else -kind.value
        return Scalar("int", None, value)
    if isinstance(kind, Instance) and is_sparse(kind.cls) and op == "-":
        return another(kind)
    if not isinstance(kind, Scalar | Array):
        return UNKNOWN
    return elementwise(_UNARY[op], (kind,), {})


def binary(op: str, a: Kind, b: Kind, right: Expr) -> Kind:
    match a, b:
        case (Never(), _) | (_, Never()):
            return NEVER  # as yet: what a recursive call returns is being found out
        case Scalar(type="int", dtype=None), Scalar(type="int", dtype=None):
            return _of_ints(op, a, b)
        case ListOf(), ListOf() if op == "+":
            return join(a, b)
        case ListOf(), Scalar(type="int") if op == "*":
            return a
        case Scalar(type="int"), ListOf() if op == "*":
            return b
        case DictOf(), DictOf() if op == "|":
            return join(a, b)
        case TupleOf(), TupleOf() if op == "+":
            return tuple_of(*a.items, *b.items)
        case TupleOf(), Scalar(type="int", value=Affine(terms=(), constant=n)) if op == "*":
            return tuple_of(*(a.items * n)) if n * len(a.items) <= 64 else UNKNOWN
        case (Scalar() | Array(), Scalar() | Array()):
            if op == "@":
                return product(np.matmul, a, b)
            return elementwise(BINARY[op], (a, b), {})
        case (Scalar() | Array(), ListOf() | TupleOf()) | (ListOf() | TupleOf(), Array()):
            return result_kind(BINARY[op], (a, b)) if _has_axes(a) or _has_axes(b) else UNKNOWN
        case (Instance(), Array()) | (Array(), Instance()):
            return _sparse(op, a, b)
        case (Instance(), _) | (_, Instance()):
            return combined(op, a, b) or UNKNOWN
        case _:
            return UNKNOWN


def _sparse(op: str, a: Kind, b: Kind) -> Kind:
    """The product of a sparse matrix with an array."""
    matrix, other = (a, b) if isinstance(a, Instance) else (b, a)
    assert isinstance(matrix, Instance) and isinstance(other, Array)
    classes = (k.cls if isinstance(k, Instance) else None for k in (a, b))
    data = matrix.attribute("data")
    if sparse_product(op, *classes) is None or not isinstance(data, Array):
        return UNKNOWN
    if data.dtype is None or other.dtype is None or not other.dims:
        return UNKNOWN
    dims: tuple[Affine | None, ...] = (None, *other.dims[1:])
    if other is a and len(dims) == 2:
        dims = (other.dims[0], None)
    return Array(np.result_type(data.dtype, other.dtype).name, dims)



def _without_sizes(kind: Kind) -> Kind:
    if isinstance(kind, Mixed):
        return replace(kind, array=Array(kind.array.dtype, None))
    if isinstance(kind, Array) and kind.dims is not None:
        return Array(kind.dtype, (None,) * len(kind.dims))
    return kind



def _has_axes(kind: Kind) -> bool:
    return isinstance(kind, Array) and bool(kind.dims)



def model_of(kind: Kind) -> Kind:
    """An array of the same rank with two elements along each axis."""
    if isinstance(kind, Array) and kind.dims is not None:
        return Array(kind.dtype, (Affine.const(2),) * len(kind.dims))
    return kind



def _of_one_axis(kind: Kind) -> Kind:
    """The same where the number of axes, which is unknown, does not matter: ranks are not tried one
    with another then."""
    if isinstance(kind, Array) and kind.dims is None:
        return Array(kind.dtype, (Affine.const(2),))
    return model_of(kind)



def _of_ints(op: str, a: Scalar, b: Scalar) -> Kind:
    """Arithmetic of Python ints, with their values where these stay affine."""
    x, y = a.value, b.value
    match op:
        case "/":
            return PY_FLOAT
        case "**":  # a negative exponent gives a float
            counts = y is not None and y.value is not None and y.value >= 0
            return PY_INT if counts else Scalar("float", "?")
        case "@":
            return UNKNOWN
    if x is None or y is None:
        return PY_INT
    if op in ("//", "%") and x.value is not None and y.value:
        whole, rest = divmod(x.value, y.value)
        return Scalar("int", None, Affine.const(whole if op == "//" else rest))
    match op:
        case "+":
            return Scalar("int", None, x + y)
        case "-":
            return Scalar("int", None, x - y)
        case "*" if y.value is not None:
            return Scalar("int", None, x * y.value)
        case "*" if x.value is not None:
            return Scalar("int", None, y * x.value)
        case _:
            return PY_INT
