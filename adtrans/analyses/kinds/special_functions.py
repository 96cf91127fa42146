"""The results of functions of which examples tell too little: of sizes, of numbers, of copies."""

from __future__ import annotations

import copy
import functools
import itertools
from dataclasses import replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.analyses.kinds.folded import summed
from adtrans.analyses.kinds.header_kinds import PLACES
from adtrans.analyses.kinds.lattice import join, tuple_of
from adtrans.analyses.kinds.operation_kinds import Operations
from adtrans.analyses.kinds.shape_kinds import reshaped, somehow_spread, spread
from adtrans.analyses.kinds.sparse_systems import solution
from adtrans.analyses.kinds.values import kind_of_value
from adtrans.ir import expr as E
from adtrans.ir.kinds import (
    EXTENTS,
    NEVER,
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    RANGE,
    SLICE,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
    present,
)  # fmt: skip
from adtrans.rules.scipy_sparse import is_solver
from adtrans.runtime import unbroadcast

_COPIES: tuple[object, ...] = (copy.copy, copy.deepcopy)



def special(look: Operations, fn: object, e: E.Call, args: tuple[Kind, ...]) -> Kind | None:
    """Functions of sizes, and those that give a number whatever they get."""
    if fn is np.linalg.lstsq:  # how many residuals there are depends on the numbers
        args = tuple(_array_of(k) or k for k in args)
        found = result_kind(np.linalg.lstsq, args, {k: look.argument(v) for k, v in e.kwargs})
        if isinstance(found, TupleOf) and isinstance(found.items[1], Array):
            some = Array(found.items[1].dtype, (None,))
            return TupleOf((found.items[0], some, *found.items[2:]))
        return found
    if fn is np.arange:  # as long as the numbers say, which no examples of them tell
        by_name = {k: look.argument(v) for k, v in e.kwargs}
        found = result_kind(np.arange, args, by_name)
        numbers = [k for k in (*args, *by_name.values()) if isinstance(k, Scalar)]
        if isinstance(found, Array) and any(k.value is None for k in numbers):
            return Array(found.dtype, (None,))
        return found
    if isinstance(fn, type) and fn in PLACES:
        count = _places_at_a_time(fn, e, args)
        if count is not None:
            return Instance(fn.__name__, fn, (("item", tuple_of(*(PY_INT,) * count)),))
    if fn is slice and 1 <= len(args) <= 3:
        real = any(isinstance(a, Scalar | Array) and is_differentiable(a) for a in args)
        return UNKNOWN if real else SLICE  # between real numbers: what is cut with it varies
    if fn is range and 1 <= len(args) <= 3:
        return RANGE
    if fn in (runtime.flat_index, runtime.flat_slice) and isinstance(args[-1], TupleOf):
        return _places(args[0] if fn is runtime.flat_index else SLICE, len(args[-1].items))
    if fn is runtime.as_mask:
        return Array("bool", None)
    if fn is runtime.put_places:
        return Array("int64", (None,))
    if fn is runtime.memory_axes and isinstance(args[0], Array) and args[0].ndim:
        return TupleOf((PY_INT,) * args[0].ndim)
    if fn is runtime.as_it_lies and isinstance(args[0], Array) and args[0].ndim is not None:
        return Array(args[0].dtype, (None,) * args[0].ndim)
    if fn is runtime.grid_line:
        return Array("float64", (None,))
    if fn is runtime.places_at:
        return Array("int64", None)
    if fn is runtime.turns_at:
        return ListOf(Array("int64", (None,)))
    if fn in (runtime.order_of, runtime.places_in):
        return ListOf(PY_INT)
    if fn in (runtime.place_of, runtime.place_of_max, runtime.place_of_min, id):
        return PY_INT
    if fn is runtime.whole_number:
        return Scalar("int", "?")
    if fn is sum and len(args) == 2 and not isinstance(args[1], Scalar | Array):
        return UNKNOWN  # of lists, which examples take for tuples
    if fn is sum and args and isinstance(args[0], ListOf) and not e.kwargs:
        return summed(args[0].item, args[1] if args[1:] else PY_INT)
    if fn in (max, min) and len(args) > 1 and not e.kwargs:
        if all(isinstance(present(a), TupleOf) for a in args):  # one of them, as a whole
            return functools.reduce(join, map(present, args))
    if len(e.args) != 1 or e.kwargs:
        if fn is np.reshape and len(args) == 2 and not e.kwargs:
            return reshaped(look.at(e.args[0]), [args[1]], look.facts)
        if is_solver(fn) and len(args) == 2 and isinstance(args[1], Array):
            return solution(args[0], args[1])
        if fn is unbroadcast and args[1:] == (TupleOf(()),):
            return Scalar("float", "?")
        if fn is np.broadcast_to and args[1:] in ((UNKNOWN,), (EXTENTS,)) and not e.kwargs:
            return somehow_spread(look.at(e.args[0]))
        if fn in (np.broadcast_to, unbroadcast) and len(args) == 2 and not e.kwargs:
            return spread(look.at(e.args[0]), args[1], look.facts)
        if fn is isinstance:
            return PY_BOOL
        if (fn is max or fn is min) and e.args and not e.kwargs:
            return _extreme(args)
        if fn in (np.shape, np.size) and len(e.args) == 2 and isinstance(args[0], Array):
            return PY_INT
        return None
    kind = look.at(e.args[0])
    if fn in (len, list, tuple, dict):  # None has no items
        kind = present(kind)
    if fn is len:
        return look.length(kind)
    if isinstance(kind, Array | Scalar) and any(fn is f for f in _COPIES):
        return kind
    if isinstance(kind, Instance) and any(fn is f for f in _COPIES):
        return kind if kind.followed else UNKNOWN
    if isinstance(kind, DictOf) and fn is list:
        return ListOf(kind.key)
    if isinstance(kind, ListOf) and any(fn is f for f in _COPIES + (list, tuple)):
        return kind if fn in _COPIES else replace(kind, frozen=fn is tuple)
    if isinstance(kind, DictOf) and any(fn is f for f in (*_COPIES, dict)):
        return kind
    if fn is float.__float__:
        return PY_FLOAT
    if fn in (float, bool, int, complex) and isinstance(fn, type):
        if fn is int and isinstance(kind, Scalar) and kind.type == "int":
            return Scalar("int", None, kind.value)
        return {float: PY_FLOAT, bool: PY_BOOL, int: PY_INT, complex: Scalar("complex")}[fn]
    for function, attr in ((np.shape, "shape"), (np.ndim, "ndim"), (np.size, "size")):
        if fn is function and isinstance(kind, Array | Scalar):
            return look.attribute(kind, attr)
        if fn is function and isinstance(kind, Unknown):
            return EXTENTS if fn is np.shape else PY_INT
    return None


def _places_at_a_time(fn: type, e: E.Call, args: tuple[Kind, ...]) -> int | None:
    """How many integers an element of what makes places of ranges or sizes has, if that is known.

    `product(range(m), range(n))` makes two.
    """
    if fn is np.ndindex and args and not e.kwargs:
        return len(args[0].items) if len(args) == 1 and isinstance(args[0], TupleOf) else len(args)
    if fn is itertools.product and args and all(a == RANGE for a in args):
        match e.kwargs:
            case ():
                return len(args)
            case (("repeat", E.Const(value=int() as times)),) if times > 0:
                return times * len(args)
            case _:
                return None
    match e.args:
        case (_, E.Const(value=int() as count)) if args[0] == RANGE and not e.kwargs and count > 0:
            return count
        case _:
            return None


def _extreme(args: tuple[Kind, ...]) -> Kind:
    """`max(a, b)` returns one of its arguments."""
    if NEVER in args:  # not known yet, as the result of a recursion
        return NEVER
    if len(args) < 2 or not all(_plain_number(a) for a in args):
        return UNKNOWN
    found: Kind = NEVER
    for a in args:
        found = join(found, kind_of_value(a.value) if isinstance(a, Known) else a)
    return found


def _array_of(kind: Kind) -> Array | None:
    """The array that NumPy makes of floats in a list or tuple."""
    match kind:
        case ListOf(item=item):
            inner = [item]
        case TupleOf(items=items) if items:
            inner = list(items)
        case _:
            return None
    if all(k == PY_FLOAT or (isinstance(k, Known) and type(k.value) is float) for k in inner):
        return Array("float64", (None,))
    rows = [_array_of(k) for k in inner]
    alike = all(r is not None and r.ndim == 1 for r in rows)
    return Array("float64", (None, None)) if alike else None


def _places(index: Kind, rank: int) -> Kind:
    """What `flat_index` returns: no examples of numbers tell, which lie in the shape or do not."""
    if isinstance(index, Scalar):
        return TupleOf((Scalar("int", "int64"),) * rank)
    counted = isinstance(index, Array) and index.dtype != "bool" and index.ndim == 1
    dims = index.dims if counted and isinstance(index, Array) else (None,)
    return TupleOf((Array("int64", dims),) * rank)


def _plain_number(kind: Kind) -> bool:
    return isinstance(kind, Scalar) or (isinstance(kind, Known) and isinstance(kind.value, float))
