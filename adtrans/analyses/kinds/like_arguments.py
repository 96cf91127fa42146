"""The results of functions that are not tried out on examples: what they are like is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from adtrans.analyses.kinds.arithmetic import elementwise
from adtrans.analyses.kinds.lattice import tuple_of
from adtrans.analyses.kinds.operation_kinds import Operations
from adtrans.analyses.kinds.sparse_systems import may_be_column
from adtrans.ir import expr as E
from adtrans.ir.kinds import (
    NONE_KIND,
    UNKNOWN,
    Array,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
)  # fmt: skip
from adtrans.rules.rule import Rule
from adtrans.runtime.results import AT_NUMBERS, LIKE


def alike(look: Operations, rule: Rule, e: E.Call) -> Kind:
    """The result of a primitive that takes no examples: arrays like some arguments."""
    bound = rule.bind(e.args, e.kwargs)
    kinds = {name: look.at(a) for name, a in (bound or {}).items()}
    doubles = {k.dtype for k in kinds.values() if isinstance(k, Array)} == {"float64"}
    ranks = {n: axes for n, axes in rule.ranks.items() if "[" not in n}
    if not all(_has_rank(kinds.get(n, UNKNOWN), *axes) for n, axes in ranks.items()):
        return UNKNOWN  # of a stack the result is one, too
    parts: list[Kind] = []
    for i, name in enumerate(rule.like):
        of = kinds.get(name, UNKNOWN)
        if not isinstance(of, Array):
            return UNKNOWN
        dims = of.dims if i == 0 or of.dims is None else (None,) * len(of.dims)
        not_one = of.not_one if i == 0 else frozenset()
        parts.append(Array("float64" if doubles else None, dims, not_one))
    return tuple_of(*parts) if bound and rule.gives_tuple(bound) else parts[0]


def like(look: Operations, fn: Callable[..., object], e: E.Call) -> Kind:
    """The result of a helper: an array like one that it is given, or of a shape that it is."""
    given = inspect.signature(fn).bind(*e.args, **dict(e.kwargs)).arguments
    kinds = {name: look.at(a) for name, a in given.items()}
    found = {k.dtype for k in kinds.values() if isinstance(k, Array) and not _counts(k)}
    seeded = isinstance(kinds.get("g", NONE_KIND), Array | Scalar | Known)
    dtype = found.pop() if len(found) == 1 and seeded else None
    model, _, lines = LIKE[fn.__name__].partition("+")
    of = kinds[model.rstrip("*/")]
    if lines and _rank(kinds[lines]) != 1:
        return _in_lines(of, kinds[lines], dtype)
    if isinstance(of, Array) and model.endswith("/"):
        return Array(dtype, None, least=1) if may_be_column(of) else Array(dtype, of.dims)
    if isinstance(of, Array) and model.endswith("*"):  # of other sizes
        return Array(dtype, None if of.dims is None else (None,) * len(of.dims))
    match of:
        case Array(dims=dims, not_one=not_one):
            return Array(dtype, dims, not_one)
        case Scalar() if fn.__name__ in AT_NUMBERS:
            return Array(dtype, ())
        case TupleOf(items=items) if all(isinstance(i, Scalar) for i in items):
            sizes = tuple(i.value if isinstance(i, Scalar) else None for i in items)
            return Array(dtype, sizes)
        case _:
            return UNKNOWN


def declared(look: Operations, rule: Rule, e: E.Call) -> Kind:
    """The result of a function that has a rule of the user, and is not tried out."""
    assert rule.custom is not None
    if rule.form in ("writes", "scatter"):
        return NONE_KIND
    bound = rule.bind(e.args, e.kwargs) or {}
    if rule.custom.like in bound:
        return look.at(bound[rule.custom.like])
    if rule.form == "elementwise" and not any(
        isinstance(look.at(a), TupleOf | ListOf) for a in bound.values()
    ):
        found = elementwise(_sum_of, [look.argument(a) for a in bound.values()], {})
        return Scalar(found.type, "?") if isinstance(found, Scalar) else found
    if look.call is None:
        return UNKNOWN
    by_name = {k: look.at(v) for k, v in e.kwargs}
    return look.call(rule.custom.fn, tuple(look.at(a) for a in e.args), by_name)


def _in_lines(places: Kind, values: Kind, dtype: str | None) -> Kind:
    """The values at places of what goes through several lines of values."""
    axes, lines = _rank(places), _rank(values)
    return UNKNOWN if axes is None or not lines else Array(dtype, (None,) * (axes + lines - 1))


def _rank(kind: Kind) -> int | None:
    return 0 if isinstance(kind, Scalar) else kind.ndim if isinstance(kind, Array) else None


def _counts(kind: Array) -> bool:
    """Whether an array holds places or numbers of things."""
    return kind.dtype is not None and kind.dtype.startswith(("int", "uint", "bool"))


def _sum_of(*args: Any) -> Any:
    """Stands for an element-wise function: the dtype and shape that arithmetic gives."""
    return sum(args[1:], args[0] * 1.0)


def _has_rank(kind: Kind, least: int, most: int) -> bool:
    """Whether an array, or each array of a tuple, certainly has so many axes."""
    if isinstance(kind, TupleOf):
        return all(_has_rank(k, least, most) for k in kind.items)
    return isinstance(kind, Array) and kind.ndim is not None and least <= kind.ndim <= most
