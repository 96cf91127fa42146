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

import inspect
import itertools
import linecache
from collections.abc import Mapping
from types import FunctionType

import numpy as np

from adtrans.analyses.kinds.arithmetic import binary, elementwise, product
from adtrans.analyses.kinds.by_values import as_far_as_certain
from adtrans.analyses.kinds.draw_kinds import GENERATORS, drawn, drawn_by, generator_like
from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.analyses.kinds.given_out import (
    is_ellipsis,
    never_a_number,
    without_out,
    writes_nothing,
)
from adtrans.analyses.kinds.lattice import dict_of, join, tuple_of
from adtrans.analyses.kinds.like_arguments import alike, declared, like
from adtrans.analyses.kinds.named import method_of_named
from adtrans.analyses.kinds.operation_kinds import Callee, Operations, is_pure
from adtrans.analyses.kinds.shape_kinds import (
    SPLITTERS,
    Method,
    converted,
    divided,
    reduced,
    reshaped,
    somehow_spread,
)
from adtrans.analyses.kinds.sparse_systems import KEEP, another, made_by
from adtrans.analyses.kinds.special_functions import special
from adtrans.analyses.kinds.special_methods import as_operation
from adtrans.analyses.kinds.text_kinds import is_text_kind, text_method
from adtrans.analyses.kinds.values import kind_of_new, kind_of_value
from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.prove import NO_FACTS, Facts
from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    PY_FLOAT,
    PY_INT,
    UNKNOWN,
    Array,
    Instance,
    Kind,
    Known,
    ListOf,
    Mixed,
    Never,
    Scalar,
    TupleOf,
    is_anything,
    present,
)  # fmt: skip
from adtrans.ir.walk import names_in
from adtrans.rules import lookup, method
from adtrans.rules.scipy_grids import is_grid, kind_on_grid
from adtrans.rules.scipy_sparse import is_sparse, made_sparse
from adtrans.rules.scipy_splines import interpolant, made_spline
from adtrans.runtime.results import FRESH, LIKE
from adtrans.source.assigned import assigned
from adtrans.source.method_classes import stands_for_function

__all__ = ["Callee", "kind_of_expr"]

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
    if is_sparse(base.cls):
        return None  # machinery of SciPy, to look into which takes minutes
    if dict(base.fields).get(name) is not None:
        return None
    if method(name, base.cls) is not None:
        return None
    found = inspect.getattr_static(base.cls, name, None)
    if not isinstance(found, FunctionType) or name in assigned(base.cls):
        return None
    return found


def call_of(kind: Kind) -> FunctionType | None:
    """The function that a call of such an object runs, with the object first. One that stands for
    a function may be the function itself, which has no attributes."""
    if not isinstance(kind, Instance) or not isinstance(kind.cls, type):
        return None
    found = None if stands_for_function(kind.cls) else method_of(kind, "__call__")
    read = found is not None and linecache.getlines(found.__code__.co_filename)
    return found if read else None  # one that is not known may look at what it is given


class _Look(Operations):
    """Operations and calls."""

    def called(self, e: E.Call) -> Kind:
        if any(isinstance(a, E.Star) for a in e.args) or any(not k for k, _ in e.kwargs):
            return self.spread(e)
        out = dict(e.kwargs).get("out")
        if out is not None and out != E.NONE:
            return self.into(self.at(out), e)
        if (operation := as_operation(e, self.at)) is not None:
            return self.at(operation)
        if isinstance(e.fn, E.Attribute):
            return self.method(present(self.at(e.fn.base)), e.fn.attr, e)
        fn = self.at(e.fn)
        if is_grid(fn):
            return kind_on_grid(fn, self.at(e.args[0])) if e.args else UNKNOWN
        if interpolant(fn) is not None:
            return self.at_places(e)
        if isinstance(e.fn, E.Ref):
            return self.function(e.fn.value, e)
        if call_of(fn) is not None:
            return self.method(fn, "__call__", e)
        return self.function(fn.value, e) if isinstance(fn, Known) else UNKNOWN

    def into(self, out: Kind, e: E.Call) -> Kind:
        """The result of a call with `out=`: what is given there, unless nothing is written."""
        items = out.items if isinstance(out, TupleOf) else (out,)
        if not writes_nothing(out):
            return out if len(items) > 1 else items[0]
        found = self.called(without_out(e))
        return never_a_number(found) if is_ellipsis(out) else found

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
        if (matrix := made_by(fn, args, kwargs)) is not None:
            return matrix
        dtype = kwargs.get("dtype", args[1] if fn in _MAKERS and len(args) > 1 else None)
        if isinstance(dtype, ListOf | TupleOf):
            return UNKNOWN  # records
        if fn is np.random.default_rng or fn is np.random.RandomState:
            return kind_of_value(generator_like(fn))
        if any(fn is f for f in SPLITTERS) and (parts := divided(fn, args, kwargs)) is not None:
            return parts
        if fn is abs and (own := self.named(e, *map(present, args))) is not None:
            return own
        if (known := special(self, fn, e, args)) is not None:
            return known
        if makes_new(fn) and len(args) == 1 and isinstance(args[0], Known):
            return kind_of_new(args[0].value)
        if getattr(fn, "__name__", "") in LIKE and is_helper(fn) and callable(fn):
            return like(self, fn, e)
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
            return declared(self, rule, e)
        if rule.spelling == "adtrans.stop_gradient" and len(args) == 1:
            return self.at(e.args[0])  # the same, or a copy
        if rule.impure:
            return drawn(fn, args, kwargs)
        if not is_pure(rule) or not callable(fn):
            silent = rule.form in ("writes", "scatter") and rule.returns is None
            return NONE_KIND if silent and rule.writes else UNKNOWN
        each = _is_plain_ufunc(fn) or rule.form == "elementwise"
        if each and getattr(fn, "__module__", "") == "math":
            return PY_FLOAT  # or it raises, as examples would outside of its domain
        each = each and not (fn is np.where and len(args) == 1)
        if fn in (np.matmul, np.dot) and len(args) == 2 and not kwargs:
            return product(fn, args[0], args[1])
        if each and any(isinstance(a, Never) for a in args):
            return NEVER  # as yet, as of an operator
        if each and not any(isinstance(a, TupleOf | ListOf) for a in args):
            return elementwise(fn, args, kwargs)
        found = as_far_as_certain(fn, reduced(fn, args, kwargs))
        if found == UNKNOWN and any(fn is f for f in _TURNED) and isinstance(args[0], Array):
            return Array(args[0].dtype, args[0].dims and (None,) * len(args[0].dims))
        if found == UNKNOWN and fn is np.broadcast_arrays and not kwargs and _GIVES_TUPLE:
            if not any(isinstance(a, E.Star) for a in e.args):
                return tuple_of(*(somehow_spread(a) or Array(None, None) for a in args))
        return alike(self, rule, e) if found == UNKNOWN and rule.like else found

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
                return known.get(name, NONE_KIND) if hasattr(list, name) else UNKNOWN
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
            case Instance() if is_sparse(base.cls) and name in KEEP:
                return another(base)
            case Instance() | TupleOf() if (fn := method_of(base, name)) is not None:
                if self.call is None:
                    return UNKNOWN
                by_name = {k: self.at(v) for k, v in e.kwargs}
                return self.call(fn, (base, *(self.at(a) for a in e.args)), by_name)
            case Instance(cls=type() as cls) if cls in GENERATORS:
                return drawn_by(cls, base.name, name, args, kwargs)
            case _:
                return UNKNOWN


def _is_plain_ufunc(fn: object) -> bool:
    return isinstance(fn, np.ufunc) and fn.signature is None
