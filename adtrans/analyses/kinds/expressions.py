"""The kind of an expression, given the kinds of its variables; of calls in particular.

>>> import numpy as np
>>> from adtrans.ir.affine import Affine
>>> from adtrans.ir.expr import Binary, Call, Const, Name, Ref
>>> x = Array("float64", (Affine.symbol("x.shape[0]"), Affine.const(3)))
>>> print(kind_of_expr(Binary("*", Const(2.0), Name("x")), {"x": x}))
float64[x.shape[0], 3]
>>> total = Call(Ref("np.sum", np.sum), (Name("x"),), (("axis", Const(0)),))
>>> print(kind_of_expr(total, {"x": x}))
float64[3]
"""

from __future__ import annotations

import collections
import copy
import functools
import inspect
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from adtrans import runtime
from adtrans.analyses.assigned import assigned
from adtrans.analyses.kinds.arithmetic import binary, elementwise, product
from adtrans.analyses.kinds.by_values import as_far_as_certain
from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.analyses.kinds.folded import summed
from adtrans.analyses.kinds.lattice import dict_of, join, tuple_of
from adtrans.analyses.kinds.named import method_of_named
from adtrans.analyses.kinds.operations import Callee, Operations, is_pure
from adtrans.analyses.kinds.queues import queue_of
from adtrans.analyses.kinds.shapes import (
    SPLITTERS,
    Method,
    converted,
    divided,
    reduced,
    reshaped,
    somehow_spread,
    spread,
)
from adtrans.analyses.kinds.texts import is_text_kind, text_method
from adtrans.analyses.kinds.values import kind_of_new, kind_of_value
from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.prove import NO_FACTS, Facts
from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    EXTENTS,
    NEVER,
    NONE_KIND,
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
    Mixed,
    Never,
    Scalar,
    TupleOf,
    Unknown,
    is_anything,
    present,
)  # fmt: skip
from adtrans.ir.walk import names_in
from adtrans.rules import lookup, method
from adtrans.rules.rule import Rule
from adtrans.rules.scipy_grids import is_grid, kind_on_grid
from adtrans.rules.scipy_sparse import is_solver, is_sparse, made_sparse
from adtrans.rules.scipy_splines import interpolant, made_spline
from adtrans.runtime import unbroadcast
from adtrans.runtime.results import AT_NUMBERS, FRESH, LIKE

__all__ = ["Callee", "kind_of_expr"]

_GENERATORS = (np.random.Generator, np.random.RandomState)
_COPIES: tuple[object, ...] = (copy.copy, copy.deepcopy)
_GIVES_TUPLE = isinstance(np.broadcast_arrays(0, 0), tuple)  # before NumPy 2.0, a list
_MAKERS = (np.zeros, np.ones, np.empty, np.array, np.asarray)
"""Functions whose second argument is a dtype."""
_TURNED = (np.moveaxis, np.swapaxes, np.rollaxis)
"""They have as many axes as their operand, whichever of them are meant."""


def kind_of_expr(
    e: Expr,
    env: Mapping[str, Kind],
    facts: Facts = NO_FACTS,
    call: Callee | None = None,
) -> Kind:
    """What is known of the value of `e`; `env` gives the kinds of variables, `facts` inequalities.

    `call` says what a function without a rule returns. The kind is UNKNOWN where nothing is known.
    What is done with a number or an array gives what it gives with either; what only holds them
    holds what they are, perhaps None.
    """
    if isinstance(e, E.Name):  # most of what is asked
        return env.get(e.id, UNKNOWN)
    if not isinstance(e, E.Const | E.Ref | E.Sequence):
        mixed = {n: k for n in names_in(e) if isinstance(k := env.get(n), Mixed)}
        if 0 < len(mixed) <= _MIXED:
            found: Kind = NEVER
            arrays = set(names_in(e)) if isinstance(e, E.Binary) and e.op == "@" else _indexed(e)
            ways = ((k.array,) if n in arrays else k.alternatives() for n, k in mixed.items())
            for choice in itertools.product(*ways):
                given = {**env, **dict(zip(mixed, choice, strict=True))}
                found = join(found, _Look(given, facts, None).at(e))
            if not isinstance(found, Never) and not is_anything(found):
                return found
    return _Look(env, facts, call).at(e)


def _indexed(e: Expr) -> set[str]:
    """What an expression takes elements of: that is no number."""
    return set(names_in(e.base)) if isinstance(e, E.Index) else set()


_MIXED = 3  # variables that may be numbers or arrays


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


def _in_lines(places: Kind, values: Kind, dtype: str | None) -> Kind:
    """The values at places of what goes through several lines of values."""
    axes, lines = _rank(places), _rank(values)
    return UNKNOWN if axes is None or not lines else Array(dtype, (None,) * (axes + lines - 1))


def _rank(kind: Kind) -> int | None:
    return 0 if isinstance(kind, Scalar) else kind.ndim if isinstance(kind, Array) else None


def _counts(kind: Array) -> bool:
    """Whether an array holds places or numbers of things."""
    return kind.dtype is not None and kind.dtype.startswith(("int", "uint", "bool"))


def is_helper(fn: object) -> bool:
    """Whether a function is one that generated code calls, and does nothing but compute."""
    module = str(getattr(fn, "__module__", ""))
    inner = module.removeprefix("adtrans.runtime.")
    return inner != module and inner not in ("checks", "containers", "errors", "pools")


def method_of(base: Kind, name: str) -> FunctionType | None:
    """The function that `base.name(...)` calls with `base` first, where the class tells it."""
    if isinstance(base, TupleOf):
        return None if base.cls is None else method_of_named(base.cls, name)
    if not isinstance(base, Instance) or not isinstance(base.cls, type):
        return None
    if dict(base.fields).get(name) is not None:
        return None
    if method(name, base.cls) is not None:
        return None
    found = inspect.getattr_static(base.cls, name, None)
    if not isinstance(found, FunctionType) or name in assigned(base.cls):
        return None
    return found


class _Look(Operations):
    """Operations and calls."""

    def called(self, e: E.Call) -> Kind:
        if any(isinstance(a, E.Star) for a in e.args) or any(not k for k, _ in e.kwargs):
            return self.spread(e)
        out = dict(e.kwargs).get("out")
        if out is not None and out != E.NONE:
            found = self.at(out)
            if isinstance(found, TupleOf) and len(found.items) == 1:
                found = found.items[0]
            if not isinstance(found, Known) or found.value is not None:
                return found
            kept = tuple((k, v) for k, v in e.kwargs if k != "out")  # None: nothing is written
            return self.called(replace(e, kwargs=kept))
        if isinstance(e.fn, E.Attribute):
            return self.method(present(self.at(e.fn.base)), e.fn.attr, e)
        fn = self.at(e.fn)
        if is_grid(fn):
            return kind_on_grid(fn, self.at(e.args[0])) if e.args else UNKNOWN
        if interpolant(fn) is not None:
            return self.at_places(e)
        if isinstance(e.fn, E.Ref):
            return self.function(e.fn.value, e)
        return self.function(fn.value, e) if isinstance(fn, Known) else UNKNOWN

    def spread(self, e: E.Call) -> Kind:
        """The result of a call with `*args` or `**kwargs`: a float of a rule for `math`."""
        fn = e.fn.value if isinstance(e.fn, E.Ref) else None
        rule = lookup(fn) if getattr(fn, "__module__", "") == "math" else None
        return PY_FLOAT if rule is not None and rule.bind(e.args, e.kwargs) else UNKNOWN

    def at_places(self, e: E.Call) -> Kind:
        """The values of a spline: an array like that of the places."""
        if any(isinstance(a, E.Star) for a in e.args) or not (e.args or e.kwargs):
            return UNKNOWN
        places = self.at(e.args[0]) if e.args else self.at(e.kwargs[0][1])
        match places:
            case Array():
                return Array("float64", places.dims, places.not_one)
            case Scalar():
                return Array("float64", ())
            case _:
                return UNKNOWN

    def function(self, fn: object, e: E.Call) -> Kind:
        args = tuple(self.argument(a) for a in e.args)
        if isinstance(fn, type) and (made := made_spline(fn, args)) is not None:
            return made
        kwargs = {k: self.argument(v) for k, v in e.kwargs}
        if is_sparse(fn) and (matrix := made_sparse(fn, args, kwargs)) is not None:
            return matrix
        dtype = kwargs.get("dtype", args[1] if fn in _MAKERS and len(args) > 1 else None)
        if isinstance(dtype, ListOf | TupleOf):
            return UNKNOWN  # records
        if fn is np.random.default_rng or fn is np.random.RandomState:
            return kind_of_value(np.random.default_rng(0) if fn is not _GENERATORS[1] else _draws())
        if any(fn is f for f in SPLITTERS) and (parts := divided(fn, args, kwargs)) is not None:
            return parts
        if fn is abs and (own := self.named(e, *map(present, args))) is not None:
            return own
        special = self.special(fn, e, args)
        if special is not None:
            return special
        if makes_new(fn) and len(args) == 1 and isinstance(args[0], Known):
            return kind_of_new(args[0].value)
        if getattr(fn, "__name__", "") in LIKE and is_helper(fn) and callable(fn):
            return self.like(fn, e)
        rule = lookup(fn)
        if rule is None and getattr(fn, "__name__", "") in FRESH:
            return result_kind(fn, args, kwargs) if callable(fn) else UNKNOWN
        if rule is None:
            if self.call is None:
                return UNKNOWN
            by_name = {k: self.at(v) for k, v in e.kwargs}
            told = self.call(fn, tuple(self.at(a) for a in e.args), by_name)
            if told == UNKNOWN and is_helper(fn) and callable(fn):
                return result_kind(fn, args, kwargs)
            return told
        if rule.custom is not None:
            return self.declared(rule, e)
        if rule.spelling == "adtrans.stop_gradient" and len(args) == 1:
            return args[0]  # the same, or a copy
        if rule.impure:
            return self.drawn(fn, args, kwargs)
        if not is_pure(rule) or not callable(fn):
            silent = rule.form in ("writes", "scatter") and rule.returns is None
            return NONE_KIND if silent and rule.writes else UNKNOWN
        each = _is_plain_ufunc(fn) or rule.form == "elementwise"
        if each and getattr(fn, "__module__", "") == "math":
            return PY_FLOAT  # or it raises, as examples would outside of its domain
        each = each and not (fn is np.where and len(args) == 1)
        if fn in (np.matmul, np.dot) and len(args) == 2 and not kwargs:
            return product(fn, args[0], args[1])
        if each and not any(isinstance(a, TupleOf | ListOf) for a in args):
            return elementwise(fn, args, kwargs)
        found = as_far_as_certain(fn, reduced(fn, args, kwargs))
        if found == UNKNOWN and any(fn is f for f in _TURNED) and isinstance(args[0], Array):
            return Array(args[0].dtype, args[0].dims and (None,) * len(args[0].dims))
        if found == UNKNOWN and fn is np.broadcast_arrays and not kwargs and _GIVES_TUPLE:
            if not any(isinstance(a, E.Star) for a in e.args):
                return tuple_of(*(somehow_spread(a) or Array(None, None) for a in args))
        return self.alike(rule, e) if found == UNKNOWN and rule.like else found

    def alike(self, rule: Rule, e: E.Call) -> Kind:
        """The result of a primitive that takes no examples: arrays like some arguments."""
        bound = rule.bind(e.args, e.kwargs)
        kinds = {name: self.at(a) for name, a in (bound or {}).items()}
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

    def like(self, fn: Callable[..., object], e: E.Call) -> Kind:
        """The result of a helper: an array like one that it is given, or of a shape that it is."""
        given = inspect.signature(fn).bind(*e.args, **dict(e.kwargs)).arguments
        kinds = {name: self.at(a) for name, a in given.items()}
        found = {k.dtype for k in kinds.values() if isinstance(k, Array) and not _counts(k)}
        seeded = isinstance(kinds.get("g", NONE_KIND), Array | Scalar | Known)
        dtype = found.pop() if len(found) == 1 and seeded else None
        model, _, lines = LIKE[fn.__name__].partition("+")
        of = kinds[model.rstrip("*")]
        if lines and _rank(kinds[lines]) != 1:
            return _in_lines(of, kinds[lines], dtype)
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

    def declared(self, rule: Rule, e: E.Call) -> Kind:
        """The result of a function that has a rule of the user, and is not tried out."""
        assert rule.custom is not None
        if rule.form in ("writes", "scatter"):
            return NONE_KIND
        bound = rule.bind(e.args, e.kwargs) or {}
        if rule.custom.like in bound:
            return self.at(bound[rule.custom.like])
        if rule.form == "elementwise" and not any(
            isinstance(self.at(a), TupleOf | ListOf) for a in bound.values()
        ):
            found = elementwise(_sum_of, [self.argument(a) for a in bound.values()], {})
            return Scalar(found.type, "?") if isinstance(found, Scalar) else found
        if self.call is None:
            return UNKNOWN
        by_name = {k: self.at(v) for k, v in e.kwargs}
        return self.call(rule.custom.fn, tuple(self.at(a) for a in e.args), by_name)

    def special(self, fn: object, e: E.Call, args: tuple[Kind, ...]) -> Kind | None:
        """Functions of sizes, and those that give a number whatever they get."""
        if fn is collections.deque:
            return queue_of(args, "maxlen" in dict(e.kwargs) or len(args) > 1)
        if fn is np.linalg.lstsq:  # how many residuals there are depends on the numbers
            args = tuple(_array_of(k) or k for k in args)
            found = result_kind(np.linalg.lstsq, args, {k: self.argument(v) for k, v in e.kwargs})
            if isinstance(found, TupleOf) and isinstance(found.items[1], Array):
                some = Array(found.items[1].dtype, (None,))
                return TupleOf((found.items[0], some, *found.items[2:]))
            return found
        if fn is np.arange:  # as long as the numbers say, which no examples of them tell
            by_name = {k: self.argument(v) for k, v in e.kwargs}
            found = result_kind(np.arange, args, by_name)
            numbers = [k for k in (*args, *by_name.values()) if isinstance(k, Scalar)]
            if isinstance(found, Array) and any(k.value is None for k in numbers):
                return Array(found.dtype, (None,))
            return found
        if fn is np.ndindex and e.args and not e.kwargs:
            sizes = args[0].items if len(args) == 1 and isinstance(args[0], TupleOf) else args
            item = tuple_of(*(PY_INT for _ in sizes))
            return Instance("numpy.ndindex", np.ndindex, (("item", item),))
        if fn is slice and 1 <= len(args) <= 3:
            return SLICE
        if fn is range and 1 <= len(args) <= 3:
            return RANGE
        if fn in (runtime.flat_index, runtime.flat_slice) and isinstance(args[-1], TupleOf):
            return _places(args[0] if fn is runtime.flat_index else SLICE, len(args[-1].items))
        if fn is runtime.put_places:
            return Array("int64", (None,))
        if fn is runtime.order_of:
            return ListOf(PY_INT)
        if fn in (runtime.place_of, runtime.place_of_max, runtime.place_of_min, runtime.key_of, id):
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
                return reshaped(self.at(e.args[0]), [args[1]], self.facts)
            if is_solver(fn) and len(args) == 2 and isinstance(args[1], Array):
                return args[1]
            if fn is unbroadcast and args[1:] == (TupleOf(()),):
                return Scalar("float", "?")
            if fn is runtime.placed and isinstance(args[0], Array):
                return args[0]
            if fn is np.broadcast_to and args[1:] in ((UNKNOWN,), (EXTENTS,)) and not e.kwargs:
                return somehow_spread(self.at(e.args[0]))
            if fn in (np.broadcast_to, unbroadcast) and len(args) == 2 and not e.kwargs:
                return spread(self.at(e.args[0]), args[1], self.facts)
            if fn is isinstance:
                return PY_BOOL
            if (fn is max or fn is min) and e.args and not e.kwargs:
                return self.extreme(args)
            if fn in (np.shape, np.size) and len(e.args) == 2 and isinstance(args[0], Array):
                return PY_INT
            return None
        kind = self.at(e.args[0])
        if fn in (len, list, tuple, dict):  # None has no items
            kind = present(kind)
        if fn is len:
            return self.length(kind)
        if isinstance(kind, Array | Scalar) and any(fn is f for f in _COPIES):
            return kind
        if isinstance(kind, Instance) and any(fn is f for f in _COPIES):
            return kind if kind.followed else UNKNOWN
        if isinstance(kind, DictOf) and fn is list:
            return ListOf(kind.key)
        if isinstance(kind, ListOf) and any(fn is f for f in _COPIES + (list, tuple)):
            return kind if fn in _COPIES else replace(kind, queue="", frozen=fn is tuple)
        if isinstance(kind, DictOf) and any(fn is f for f in _COPIES + (dict,)):
            return kind
        if fn is float.__float__:
            return PY_FLOAT
        if fn in (float, bool, int, complex) and isinstance(fn, type):
            if fn is int and isinstance(kind, Scalar) and kind.type == "int":
                return Scalar("int", None, kind.value)
            return {float: PY_FLOAT, bool: PY_BOOL, int: PY_INT, complex: Scalar("complex")}[fn]
        for function, attr in ((np.shape, "shape"), (np.ndim, "ndim"), (np.size, "size")):
            if fn is function and isinstance(kind, Array | Scalar):
                return self.attribute(kind, attr)
            if fn is function and isinstance(kind, Unknown):
                return EXTENTS if fn is np.shape else PY_INT
        return None

    def extreme(self, args: tuple[Kind, ...]) -> Kind:
        """`max(a, b)` returns one of its arguments."""
        if len(args) < 2 or not all(_plain_number(a) for a in args):
            return UNKNOWN
        found: Kind = NEVER
        for a in args:
            found = join(found, kind_of_value(a.value) if isinstance(a, Known) else a)
        return found

    def method(self, base: Kind, name: str, e: E.Call) -> Kind:
        args = tuple(self.argument(a) for a in e.args)
        kwargs = {k: self.argument(v) for k, v in e.kwargs}
        if is_text_kind(base):
            return text_method(name)
        match base:
            case Array():
                rule = method(name)
                if rule is None or rule.impure or not is_pure(rule):
                    return NONE_KIND if rule is not None and rule.form == "writes" else UNKNOWN
                if name == "reshape" and not kwargs:
                    return reshaped(base, args, self.facts)
                if name == "dot" and len(args) == 1 and not kwargs:
                    return product(np.dot, base, args[0])
                if name == "astype" or name == "copy":
                    return converted(base, name, args, kwargs)
                found = reduced(Method(name), (base, *args), kwargs, f".{name}")
                return as_far_as_certain(getattr(np, name, None), found)
            case Scalar():
                return result_kind(Method(name), (base, *args), kwargs, token=f".{name}")
            case ListOf():
                known = {"pop": base.item, "copy": base, "index": PY_INT, "count": PY_INT}
                known["popleft"] = base.item
                cls = collections.deque if base.queue else list
                return known.get(name, NONE_KIND) if hasattr(cls, name) else UNKNOWN
            case TupleOf(cls=type() as cls) if name == "_replace" and not args:
                given = {k: self.at(v) for k, v in e.kwargs}
                fields: tuple[str, ...] = getattr(cls, "_fields", ())
                if len(fields) != len(base.items) or given.keys() - set(fields):
                    return UNKNOWN
                kept = zip(fields, base.items, strict=True)
                return tuple_of(*(given.get(f, item) for f, item in kept), cls=cls)
            case TupleOf(cls=type() as cls, items=items) if name == "_asdict" and not e.args:
                names: tuple[str, ...] = getattr(cls, "_fields", ())
                held: Kind = NEVER
                for item in items:
                    held = join(held, item)
                return dict_of(held, dict(zip(names, items, strict=True)))
            case TupleOf() if name in ("index", "count"):
                return PY_INT
            case Known(value=np.ufunc() as ufunc) if hasattr(ufunc, name):  # `np.add.reduce`
                return self.function(getattr(ufunc, name), e)
            case Instance() if is_sparse(base.cls) and name == "dot" and len(args) == 1:
                return binary("@", base, args[0], e.args[0])
            case Instance() | TupleOf() if (fn := method_of(base, name)) is not None:
                if self.call is None:
                    return UNKNOWN
                by_name = {k: self.at(v) for k, v in e.kwargs}
                return self.call(fn, (base, *(self.at(a) for a in e.args)), by_name)
            case Instance() if base.cls in _GENERATORS:
                generator = np.random.default_rng(0) if base.cls is _GENERATORS[0] else _draws()
                fn = getattr(generator, name, None)
                if fn is None or name in ("shuffle", "seed", "set_state", "spawn"):
                    return UNKNOWN
                return result_kind(fn, args, kwargs, token=(base.name, name))
            case _:
                return UNKNOWN

    def drawn(self, fn: object, args: tuple[Kind, ...], kwargs: Mapping[str, Kind]) -> Kind:
        """Random draws, tried out on a generator of our own."""
        name = getattr(fn, "__name__", "")
        owner = getattr(fn, "__self__", None)
        if not isinstance(owner, np.random.RandomState | np.random.Generator):
            return UNKNOWN
        if name in ("shuffle", "seed", "set_state", "spawn", "get_state"):
            return UNKNOWN
        own = np.random.default_rng(0) if isinstance(owner, np.random.Generator) else _draws()
        found = getattr(own, name, None)
        if found is None:
            return UNKNOWN
        return result_kind(found, args, kwargs, token=(type(owner).__name__, name))


def _sum_of(*args: Any) -> Any:
    """Stands for an element-wise function: the dtype and shape that arithmetic gives."""
    return sum(args[1:], args[0] * 1.0)


def _is_plain_ufunc(fn: object) -> bool:
    return isinstance(fn, np.ufunc) and fn.signature is None


def _draws() -> np.random.RandomState:
    return np.random.RandomState(0)


def _places(index: Kind, rank: int) -> Kind:
    """What `flat_index` returns: no examples of numbers tell, which lie in the shape or do not."""
    if isinstance(index, Scalar):
        return TupleOf((Scalar("int", "int64"),) * rank)
    counted = isinstance(index, Array) and index.dtype != "bool" and index.ndim == 1
    dims = index.dims if counted and isinstance(index, Array) else (None,)
    return TupleOf((Array("int64", dims),) * rank)


def _has_rank(kind: Kind, least: int, most: int) -> bool:
    """Whether an array, or each array of a tuple, certainly has so many axes."""
    if isinstance(kind, TupleOf):
        return all(_has_rank(k, least, most) for k in kind.items)
    return isinstance(kind, Array) and kind.ndim is not None and least <= kind.ndim <= most


def _plain_number(kind: Kind) -> bool:
    return isinstance(kind, Scalar) or (isinstance(kind, Known) and isinstance(kind.value, float))
