"""A primitive called with arguments of certain kinds: which of them can carry a derivative.

Arguments are described by what the formulas of a rule may depend on: the dtype and rank of an
array, the class of a number, the value of an option. What was found for one description serves all
calls that fit it.

>>> import numpy as np
>>> describe(np.zeros((2, 3))), describe((0, "edge")), describe(1.5) is float
((dtype('float64'), 2), (<class 'tuple'>, ('=', 0), ('=', <class 'str'>, 'edge')), True)
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.expr import Const, Expr, Name, Sequence
from adtrans.ir.kinds import UNKNOWN, Array, Kind, Known, Scalar, TupleOf
from adtrans.recorder.formulas import Plan
from adtrans.recorder.numbers import PLAIN
from adtrans.rules.rule import Rule
from adtrans.rules.site import Site

_ndarray = np.ndarray
_LITERAL = (str, type(None), type(...))
_IDENTITY = (type, np.dtype, types.FunctionType, types.BuiltinFunctionType, np.ufunc)
_MANY = 64  # integers of one rule that are literals of a description
_WORDS: dict[str, Any] = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_PYTHON: dict[type, Kind] = {
    bool: Scalar("bool"), int: Scalar("int"), float: Scalar("float"), complex: Scalar("complex"),
}  # fmt: skip


def describe(v: Any, literal: bool = True) -> Any:
    """What the formulas of a rule may depend on. `literal`: whether an int counts by its value."""
    t = type(v)
    if t is _ndarray:
        return v.dtype, v.ndim
    if t in PLAIN:
        return PLAIN[t]
    if t is float or isinstance(v, np.generic):
        return t
    if t is int:
        return ("=", v) if literal else int
    if t is bool or t in _LITERAL:
        return "=", t, v  # `True` and 1 are equal
    if t is tuple or t is list:
        return (t, *[describe(i, literal) for i in v])
    if isinstance(v, _IDENTITY):
        return "is", v
    return "?", t


def kind_of(v: Any) -> Kind:
    """The kind of a value of which no size is known."""
    t = PLAIN.get(type(v), type(v))
    if t is _ndarray:
        if v.dtype.kind in _WORDS:
            return Array(v.dtype.name, (None,) * v.ndim)
        return UNKNOWN
    if t in _PYTHON:
        return _PYTHON[t]
    if isinstance(v, np.generic) and v.dtype.kind in _WORDS:
        return Scalar(_WORDS[v.dtype.kind], np.dtype(t).name)
    if t is tuple or (isinstance(v, tuple) and hasattr(t, "_fields")):
        return TupleOf(tuple(map(kind_of, v)))
    if v is None:
        return Known("None", None)
    return UNKNOWN


class Primitive:
    """A rule, and the arguments of a call by the names that its formulas use."""

    def __init__(self, rule: Rule, args: tuple[Any, ...], kwargs: Mapping[str, Any],
                 literal: bool) -> None:  # fmt: skip
        self.rule, self.literal = rule, literal
        self.paths: list[tuple[Any, ...]] = []
        self.at: dict[str, tuple[Any, ...]] = {}
        self.kinds_of_leaves: dict[str, Kind] = {}
        self.within: dict[int, tuple[Any, ...]] = {}
        given = [self._expr(v, (k,)) for k, v in enumerate(args)]
        named = {n: self._expr(v, (n,)) for n, v in kwargs.items()}
        self.bound = rule.bind(given, named)
        self.plans: dict[Any, Plan] = {}
        self.kinds: dict[str, Kind] = {}
        self.names: dict[tuple[Any, ...], str] = {}
        self.lists: tuple[tuple[Any, ...], ...] = ()  # paths of lists that mean arrays
        if self.bound is None:
            return
        self.active = frozenset(rule.active_in(self.bound))
        self.lists = tuple([
            self.within[id(e)] for n, e in self.bound.items()
            if id(e) in self.within and takes_array(rule, n)
            and not any(a.startswith(f"{n}[") for a in self.active)
        ])  # fmt: skip
        for name, e in self.bound.items():
            if isinstance(e, Name) and e.id in self.at:
                self.kinds[name] = self.kinds_of_leaves[e.id]
                path = self.at[e.id]
                if path not in self.names or name in self.active:
                    self.names[path] = name

    def _expr(self, v: Any, path: tuple[Any, ...]) -> Expr:
        t = type(v)
        if t is bool or t in _LITERAL or (t is int and self.literal):
            return Const(v)
        if t is tuple or t is list:
            items = tuple(self._expr(i, (*path, k)) for k, i in enumerate(v))
            made = Sequence("tuple" if t is tuple else "list", items)
            self.within[id(made)] = path
            return made
        name = f"v{len(self.at)}"
        self.at[name] = path
        self.kinds_of_leaves[name] = kind_of(v)
        return Name(name)

    def value(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """What a formula means by a name, in a call."""
        assert self.bound is not None
        return self._evaluated(self.bound[name], args, kwargs)

    def _evaluated(self, e: Expr, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        if isinstance(e, Name):
            return fetch(self.at[e.id], args, kwargs)
        if isinstance(e, Const):
            return e.value
        if isinstance(e, Sequence):
            items = [self._evaluated(i, args, kwargs) for i in e.items]
            return items if e.kind == "list" else tuple(items)
        if isinstance(e, E.Unary):
            return -self._evaluated(e.operand, args, kwargs)
        raise TypeError(f"an argument of a primitive: {e}")

    def plan(self, active: tuple[str, ...], y: Any, numbers: bool) -> Plan:
        """The formulas for a result like `y`, if those operands are active."""
        key = (active, describe(y))
        found = self.plans.get(key)
        if found is None:
            assert self.bound is not None
            kinds = {**self.kinds, "y": kind_of(y)}
            found = self.plans[key] = Plan(self.rule, active, self.bound, kinds, numbers)
        return found

    def refusal(self) -> str | None:
        """Why this use has no derivative."""
        assert self.bound is not None
        return self.rule.refusal(self.bound, self.kinds)

    def is_tuple(self) -> bool:
        """Is the result a tuple, and its cotangent one?"""
        assert self.bound is not None
        return self.rule.gives_tuple(self.bound)

    def site(self) -> Site:
        """The call, as the functions of rules see it."""
        assert self.bound is not None
        return Site(self.bound, self.kinds)


def takes_array(rule: Rule, name: str) -> bool:
    """Does a name of a formula mean an array, and no sequence of arrays?"""
    root, _, item = name.partition("[")
    if root not in rule.active_params:
        return False
    p = rule.param(root)
    listed = p.sequence or p.form == "varargs"
    return listed == bool(item) and item.count("[") == 0


def fetch(path: tuple[Any, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The part of the arguments of a call at a path."""
    first = path[0]
    found = kwargs[first] if type(first) is str else args[first]
    for k in path[1:]:
        found = found[k]
    return found


_TABLE: dict[int, dict[Any, Primitive]] = {}
_HELD: list[Rule] = []


def primitive(rule: Rule, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Primitive:
    """What is known of a call, made once for each description of its arguments."""
    table = _TABLE.get(id(rule))
    if table is None:
        table = _TABLE[id(rule)] = {}
        _HELD.append(rule)
    literal = len(table) < _MANY
    key: Any = tuple([describe(a, literal) for a in args])
    if kwargs:
        key = key, tuple([(n, describe(a, literal)) for n, a in kwargs.items()])
    found = table.get(key)
    if found is None:
        found = table[key] = Primitive(rule, args, kwargs, literal)
    return found
