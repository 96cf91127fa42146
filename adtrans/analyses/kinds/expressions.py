"""The kind of an expression, given the kinds of its variables.

>>> import numpy as np
>>> from adtrans.ir.expr import Binary, Call, Const, Name, Ref
>>> x = Array("float64", (Affine.symbol("x.shape[0]"), Affine.const(3)))
>>> print(kind_of_expr(Binary("*", Const(2.0), Name("x")), {"x": x}))
float64[x.shape[0], 3]
>>> total = Call(Ref("np.sum", np.sum), (Name("x"),), (("axis", Const(0)),))
>>> print(kind_of_expr(total, {"x": x}))
float64[3]
"""

from __future__ import annotations

import copy
import inspect
import operator as python
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from adtrans import runtime
from adtrans.analyses.assigned import assigned
from adtrans.analyses.kinds.arithmetic import BINARY, binary, elementwise, product, unary
from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.analyses.kinds.folded import summed
from adtrans.analyses.kinds.indexing import Part, index_kind
from adtrans.analyses.kinds.lattice import join, list_of, tuple_of
from adtrans.analyses.kinds.shapes import (
    SPLITTERS,
    Method,
    converted,
    divided,
    reshaped,
    somehow_spread,
    spread,
)
from adtrans.analyses.kinds.values import kind_of_new, kind_of_value
from adtrans.analyses.prove import NO_FACTS, Facts, proves_nonneg
from adtrans.ir import expr as E
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    SLICE,
    UNKNOWN,
    Array,
    Container,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Scalar,
    TupleOf,
    is_differentiable,
    present,
)  # fmt: skip
from adtrans.lower.opaque import is_text
from adtrans.rules import attribute, lookup, method
from adtrans.rules.rule import Rule
from adtrans.rules.scipy_sparse import is_solver, is_sparse
from adtrans.rules.scipy_splines import is_real_spline, made_spline
from adtrans.runtime import unbroadcast

__all__ = ["Callee", "kind_of_expr"]

Callee: TypeAlias = Callable[[object, tuple[Kind, ...], Mapping[str, Kind]], Kind]

TEXT = Instance("builtins.str", str)
_GENERATORS = (np.random.Generator, np.random.RandomState)


def kind_of_expr(
    e: Expr,
    env: Mapping[str, Kind],
    facts: Facts = NO_FACTS,
    call: Callee | None = None,
) -> Kind:
    """What is known of the value of `e`; `env` gives the kinds of variables, `facts` inequalities.

    `call` says what a function without a rule returns. The kind is UNKNOWN where nothing is known.
    """
    return _Look(env, facts, call).at(e)


def _counts(kind: Array) -> bool:
    """Whether an array holds places or numbers of things."""
    return kind.dtype is not None and kind.dtype.startswith(("int", "uint", "bool"))


def is_helper(fn: object) -> bool:
    """Whether a function is one that generated code calls, and does nothing but compute."""
    module = str(getattr(fn, "__module__", ""))
    inner = module.removeprefix("adtrans.runtime.")
    return inner != module and inner not in ("checks", "containers", "errors", "pools")


def method_of(base: Instance, name: str) -> FunctionType | None:
    """The function that `base.name(...)` calls with `base` first, where the class tells it."""
    if not isinstance(base.cls, type) or dict(base.fields).get(name) is not None:
        return None
    found = inspect.getattr_static(base.cls, name, None)
    if not isinstance(found, FunctionType) or name in assigned(base.cls):
        return None
    return found


class _Look:
    """One question, with what it may be answered from."""

    def __init__(self, env: Mapping[str, Kind], facts: Facts, call: Callee | None) -> None:
        self.env, self.facts, self.call = env, facts, call

    def at(self, e: Expr) -> Kind:
        match e:
            case E.Name():
                return self.env.get(e.id, UNKNOWN)
            case E.Const():
                return kind_of_value(e.value)
            case E.Ref():
                kind = kind_of_value(e.value)  # a list of the module's may be filled here
                return UNKNOWN if isinstance(kind, Container) and kind.item == NEVER else kind
            case E.Call():
                return self.called(e)
            case E.Index():
                return self.indexed(self.at(e.base), e.items)
            case E.Attribute():
                return self.attribute(self.at(e.base), e.attr)
            case E.Unary():
                return unary(e.op, present(self.at(e.operand)))
            case E.Binary():
                left, right = present(self.at(e.left)), present(self.at(e.right))
                return binary(e.op, left, right, e.right)
            case E.Compare():
                return self.compared(e)
            case E.BoolOp():
                found: Kind = NEVER
                for v in e.values:
                    found = join(found, self.at(v))
                return found
            case E.IfExp():
                return join(self.at(e.then), self.at(e.orelse))
            case E.Sequence():
                return self.display(e)
            case E.Verbatim():
                # a text that tells of values with a derivative might be read as a number again
                known = not any(is_differentiable(self.env.get(r, UNKNOWN)) for r in e.reads)
                return TEXT if known and is_text(e) else UNKNOWN
            case E.Slice() | E.Star():
                return UNKNOWN

    def display(self, e: E.Sequence) -> Kind:
        kinds = self.spliced(e, self.at)
        if kinds is None:
            return UNKNOWN if e.kind == "tuple" else list_of(UNKNOWN)
        if e.kind == "tuple":
            return tuple_of(*kinds)
        item: Kind = NEVER
        for k in kinds:
            item = join(item, k)
        return list_of(item)

    def spliced(self, e: E.Sequence, look: Callable[[Expr], Kind]) -> list[Kind] | None:
        """The kinds of all items, those of `*t` included; None where `t` is no known tuple."""
        found: list[Kind] = []
        for i in e.items:
            if not isinstance(i, E.Star):
                found.append(look(i))
                continue
            inner = self.at(i.value)
            if not isinstance(inner, TupleOf):
                return None
            found.extend(inner.items)
        return found

    def argument(self, e: Expr) -> Kind:
        """Like `at`, but a literal that is no int stands for itself, and a list for its items."""
        if isinstance(e, E.Ref) and isinstance(e.value, type(np.argmax)):
            return Known(e.text, e.value)  # a function of NumPy, passed to a helper
        if isinstance(e, E.Const) and type(e.value) is not int:
            return Known(f"{type(e.value).__name__} {e.value!r}", e.value)
        if isinstance(e, E.Sequence) and (kinds := self.spliced(e, self.argument)) is not None:
            # A displayed list has a known length: for an example a tuple serves as well.
            return TupleOf(tuple(kinds))
        if isinstance(e, E.Unary) and e.op == "-" and isinstance(e.operand, E.Const):
            value = e.operand.value
            if isinstance(value, float):
                return Known(f"float {-value!r}", -value)
        return self.at(e)

    # Calls

    def called(self, e: E.Call) -> Kind:
        if any(isinstance(a, E.Star) for a in e.args) or any(not k for k, _ in e.kwargs):
            return UNKNOWN
        out = dict(e.kwargs).get("out")
        if out is not None and out != E.NONE:
            return self.at(out)
        if isinstance(e.fn, E.Attribute):
            return self.method(self.at(e.fn.base), e.fn.attr, e)
        fn = self.at(e.fn)
        if is_real_spline(fn):
            return self.at_places(e)
        if isinstance(e.fn, E.Ref):
            return self.function(e.fn.value, e)
        return self.function(fn.value, e) if isinstance(fn, Known) else UNKNOWN

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
        dtype = kwargs.get("dtype", args[1] if fn in _MAKERS and len(args) > 1 else None)
        if isinstance(dtype, ListOf | TupleOf):
            return UNKNOWN  # records
        if fn is np.random.default_rng or fn is np.random.RandomState:
            return kind_of_value(np.random.default_rng(0) if fn is not _GENERATORS[1] else _draws())
        if any(fn is f for f in SPLITTERS) and (parts := divided(fn, args, kwargs)) is not None:
            return parts
        special = self.special(fn, e, args)
        if special is not None:
            return special
        if fn is object.__new__ and len(args) == 1 and isinstance(args[0], Known):
            return kind_of_new(args[0].value)
        if getattr(fn, "__name__", "") in runtime.LIKE and is_helper(fn) and callable(fn):
            return self.like(fn, e)
        rule = lookup(fn)
        if rule is None and getattr(fn, "__name__", "") in runtime.FRESH:
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
        if rule.impure:
            return self.drawn(fn, args, kwargs)
        if not _is_pure(rule) or not callable(fn):
            silent = rule.form in ("writes", "scatter") and rule.returns is None
            return NONE_KIND if silent and rule.writes else UNKNOWN
        each = _is_plain_ufunc(fn) or rule.form == "elementwise"
        each = each and not (fn is np.where and len(args) == 1)
        if fn in (np.matmul, np.dot) and len(args) == 2 and not kwargs:
            return product(fn, args[0], args[1])
        if each and not any(isinstance(a, TupleOf | ListOf) for a in args):
            return elementwise(fn, args, kwargs)
        found = result_kind(fn, args, kwargs)
        return self.alike(rule, e) if found == UNKNOWN and rule.like else found

    def alike(self, rule: Rule, e: E.Call) -> Kind:
        """The result of a primitive that takes no examples: arrays like some arguments."""
        bound = rule.bind(e.args, e.kwargs)
        kinds = {name: self.at(a) for name, a in (bound or {}).items()}
        doubles = {k.dtype for k in kinds.values() if isinstance(k, Array)} == {"float64"}
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
        model = runtime.LIKE[fn.__name__]
        of = kinds[model.rstrip("*")]
        if isinstance(of, Array) and model.endswith("*"):  # of other sizes
            return Array(dtype, None if of.dims is None else (None,) * len(of.dims))
        match of:
            case Array(dims=dims, not_one=not_one):
                return Array(dtype, dims, not_one)
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
        if fn is np.linalg.lstsq:  # how many residuals there are depends on the numbers
            found = result_kind(np.linalg.lstsq, args, {k: self.argument(v) for k, v in e.kwargs})
            if isinstance(found, TupleOf) and isinstance(found.items[1], Array):
                some = Array(found.items[1].dtype, (None,))
                return TupleOf((found.items[0], some, *found.items[2:]))
            return found
        if fn is np.ndindex and e.args and not e.kwargs:
            sizes = args[0].items if len(args) == 1 and isinstance(args[0], TupleOf) else args
            item = tuple_of(*(PY_INT for _ in sizes))
            return Instance("numpy.ndindex", np.ndindex, (("item", item),))
        if fn is slice and 1 <= len(args) <= 3:
            return SLICE
        if fn is runtime.order_of:
            return ListOf(PY_INT)
        if fn is runtime.place_of_max or fn is runtime.place_of_min:
            return PY_INT
        if fn is runtime.whole_number:
            return Scalar("int", "?")
        if fn is sum and len(args) == 2 and not isinstance(args[1], Scalar | Array):
            return UNKNOWN  # of lists, which examples take for tuples
        if fn is sum and args and isinstance(args[0], ListOf) and not e.kwargs:
            return summed(args[0].item, args[1] if args[1:] else PY_INT)
        if len(e.args) != 1 or e.kwargs:
            if fn is np.reshape and len(args) == 2 and not e.kwargs:
                return reshaped(self.at(e.args[0]), [args[1]], self.facts)
            if is_solver(fn) and len(args) == 2 and isinstance(args[1], Array):
                return args[1]
            if fn is unbroadcast and args[1:] == (TupleOf(()),):
                return Scalar("float", "?")
            if fn is runtime.placed and isinstance(args[0], Array):
                return args[0]
            if fn is np.broadcast_to and args[1:] == (UNKNOWN,) and not e.kwargs:
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
        if fn is len:
            return self.length(kind)
        if isinstance(kind, Array | Scalar) and any(fn is f for f in _COPIES):
            return kind
        if isinstance(kind, Instance) and any(fn is f for f in _COPIES):
            return kind if kind.followed else UNKNOWN
        if isinstance(kind, DictOf) and fn is list:
            return ListOf(kind.key)
        if isinstance(kind, ListOf) and any(fn is f for f in _COPIES + (list, tuple)):
            return kind
        if isinstance(kind, DictOf) and any(fn is f for f in _COPIES + (dict,)):
            return kind
        if fn in (float, bool, int, complex) and isinstance(fn, type):
            if fn is int and isinstance(kind, Scalar) and kind.type == "int":
                return Scalar("int", None, kind.value)
            return {float: PY_FLOAT, bool: PY_BOOL, int: PY_INT, complex: Scalar("complex")}[fn]
        for function, attr in ((np.shape, "shape"), (np.ndim, "ndim"), (np.size, "size")):
            if fn is function and isinstance(kind, Array | Scalar):
                return self.attribute(kind, attr)
        return None

    def extreme(self, args: tuple[Kind, ...]) -> Kind:
        """`max(a, b)` returns one of its arguments."""
        if len(args) < 2 or not all(_plain_number(a) for a in args):
            return UNKNOWN
        found: Kind = NEVER
        for a in args:
            found = join(found, kind_of_value(a.value) if isinstance(a, Known) else a)
        return found

    def length(self, kind: Kind) -> Kind:
        match kind:
            case Array(dims=(first, *_)):
                return self.size(first)
            case TupleOf():
                return Scalar("int", None, Affine.const(len(kind.items)))
            case _:
                return PY_INT

    def size(self, dim: Affine | None) -> Kind:
        """The int that a dimension is: `max(dim, 0)`."""
        known = dim is not None and proves_nonneg(dim, self.facts)
        return Scalar("int", None, dim if known else None)

    def method(self, base: Kind, name: str, e: E.Call) -> Kind:
        args = tuple(self.argument(a) for a in e.args)
        kwargs = {k: self.argument(v) for k, v in e.kwargs}
        match base:
            case Array():
                rule = method(name)
                if rule is None or rule.impure or not _is_pure(rule):
                    return NONE_KIND if rule is not None and rule.form == "writes" else UNKNOWN
                if name == "reshape" and not kwargs:
                    return reshaped(base, args, self.facts)
                if name == "dot" and len(args) == 1 and not kwargs:
                    return product(np.dot, base, args[0])
                if name == "astype" or name == "copy":
                    return converted(base, name, args, kwargs)
                return result_kind(Method(name), (base, *args), kwargs, token=f".{name}")
            case Scalar():
                return result_kind(Method(name), (base, *args), kwargs, token=f".{name}")
            case ListOf():
                known = {"pop": base.item, "copy": base, "index": PY_INT, "count": PY_INT}
                return known.get(name, NONE_KIND if hasattr(list, name) else UNKNOWN)
            case TupleOf():
                return PY_INT if name in ("index", "count") else UNKNOWN
            case Known(value=np.ufunc() as ufunc) if hasattr(ufunc, name):  # `np.add.reduce`
                return self.function(getattr(ufunc, name), e)
            case Instance() if is_sparse(base.cls) and name == "dot" and len(args) == 1:
                return binary("@", base, args[0], e.args[0])
            case Instance() if (fn := method_of(base, name)) is not None:
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

    def compared(self, e: E.Compare) -> Kind:
        kinds = [self.at(x) for x in (e.left, *e.rights)]
        if all(op in ("is", "is not", "in", "not in") for op in e.ops):
            return PY_BOOL
        if any(isinstance(k, Maybe) for k in kinds):
            kinds = [present(k) for k in kinds]  # `None < 1` raises, `None == 1` is a bool
            return Scalar("bool", "?") if all(isinstance(k, Scalar) for k in kinds) else UNKNOWN
        if len(e.ops) == 1 and all(isinstance(k, Scalar | Array) for k in kinds):
            return elementwise(BINARY[e.ops[0]], kinds, {})
        if all(isinstance(k, Scalar) for k in kinds):
            plain = all(isinstance(k, Scalar) and k.dtype is None for k in kinds)
            return PY_BOOL if plain else Scalar("bool", "?")
        if all(isinstance(k, Known | Scalar | TupleOf) for k in kinds):
            known = all(isinstance(k, Known) for k in kinds)
            return PY_BOOL if known else UNKNOWN
        return UNKNOWN

    # Attributes and subscripts

    def attribute(self, base: Kind, attr: str) -> Kind:
        match base:
            case Array():
                if attr == "shape" and base.dims is not None:
                    return tuple_of(*(self.size(d) for d in base.dims))
                if attr == "ndim":
                    rank = None if base.dims is None else Affine.const(len(base.dims))
                    return Scalar("int", None, rank)
                if attr == "size":
                    return self.count(base)
                if attr == "dtype" and base.dtype is not None:
                    return kind_of_value(np.dtype(base.dtype))
                rule = attribute(attr)
                if rule is None or rule.impure or not _is_pure(rule):
                    return UNKNOWN
                return result_kind(python.attrgetter(attr), (base,), token=f"attribute {attr}")
            case Scalar():
                if not hasattr(np.float64, attr) or (base.dtype is None and attr not in _NUMBER):
                    return UNKNOWN
                return result_kind(python.attrgetter(attr), (base,), token=f"attribute {attr}")
            case Instance() if is_sparse(base.cls) and attr == "T":
                return base
            case Instance(cls=cls) if cls is slice and attr in ("start", "stop", "step"):
                return Maybe(Scalar("int", "?"))
            case Instance():
                return base.attribute(attr) or UNKNOWN
            case TupleOf() if (at := base.position(attr)) is not None:
                return base.items[at]
            case _:
                return UNKNOWN

    def count(self, base: Array) -> Kind:
        dims = [] if base.dims is None else [d for d in base.dims if d != Affine.const(1)]
        if base.dims is None:
            return PY_INT
        if not dims:
            return Scalar("int", None, Affine.const(1))
        if all(d is not None and d.value is not None for d in dims):
            total = int(np.prod([max(d.value or 0, 0) for d in dims if d is not None]))
            return Scalar("int", None, Affine.const(total))
        return self.size(dims[0]) if len(dims) == 1 else PY_INT

    def indexed(self, base: Kind, items: tuple[Expr, ...]) -> Kind:
        match base:
            case Array():
                if len(items) == 1 and isinstance(items[0], E.Sequence):
                    if items[0].kind == "tuple":
                        items = items[0].items
                parts = [self.part(i) for i in items]
                if len(parts) == 1 and isinstance(parts[0].kind, TupleOf):
                    parts = [Part(parts[0].expr, k) for k in parts[0].kind.items]
                return index_kind(base, tuple(parts), self.facts)
            case DictOf() if len(items) == 1:
                key = items[0].value if isinstance(items[0], E.Const) else None
                if isinstance(items[0], E.Name) and isinstance(known := self.at(items[0]), Known):
                    key = known.value if type(known.value) is str else None
                return base.item if key is None else base.field(key)
            case TupleOf() | ListOf() if len(items) == 1:
                return self.of_container(base, items[0])
            case _:
                return UNKNOWN

    def part(self, item: Expr) -> Part:
        if isinstance(item, E.Slice):
            lower, upper, step = (
                None if b is None or b == E.NONE else self.at(b)
                for b in (item.lower, item.upper, item.step)
            )
            return Part(item, UNKNOWN, (lower, upper, step))
        length = len(item.items) if isinstance(item, E.Sequence) else None
        return Part(item, self.at(item), length=length)

    def of_container(self, base: TupleOf | ListOf, item: Expr) -> Kind:
        if isinstance(item, E.Slice):
            if isinstance(base, ListOf):
                return base
            bounds = [None if b is None else _constant(self.at(b))
                      for b in (item.lower, item.upper, item.step)]  # fmt: skip
            given = (item.lower, item.upper, item.step)
            if any(b is not None and v is None for b, v in zip(given, bounds, strict=True)):
                return UNKNOWN
            return tuple_of(*base.items[slice(*bounds)])
        kind = self.at(item)
        if not isinstance(kind, Scalar) or kind.type != "int":
            return UNKNOWN
        if isinstance(base, ListOf):
            return base.item
        at = _constant(kind)
        if at is not None:
            return base.items[at] if -len(base.items) <= at < len(base.items) else UNKNOWN
        found: Kind = NEVER
        for i in base.items:
            found = join(found, i)
        return found


_COPIES: tuple[object, ...] = (copy.copy, copy.deepcopy)
_NUMBER = ("real", "imag")


def _sum_of(*args: Any) -> Any:
    """Stands for an element-wise function: the dtype and shape that arithmetic gives."""
    return sum(args[1:], args[0] * 1.0)


def _is_pure(rule: Rule) -> bool:
    return not rule.impure and not rule.writes and rule.form not in ("writes", "scatter")




def _is_plain_ufunc(fn: object) -> bool:
    return isinstance(fn, np.ufunc) and fn.signature is None


def _draws() -> np.random.RandomState:
    return np.random.RandomState(0)


def _plain_number(kind: Kind) -> bool:
    return isinstance(kind, Scalar) or (isinstance(kind, Known) and isinstance(kind.value, float))






def _constant(kind: Kind) -> int | None:
    if isinstance(kind, Scalar) and kind.type == "int" and kind.value is not None:
        return kind.value.value
    return None




_MAKERS = (np.zeros, np.ones, np.empty, np.array, np.asarray)
"""Functions whose second argument is a dtype."""
