"""Evaluates expressions of the small language, and reads calls from text."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import UNKNOWN, Array, Kind, Scalar
from adtrans.rules import Rule, attribute, formula, lookup, method
from adtrans.rules import operator as operator_rule

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne, "is": operator.is_, "is not": operator.is_not,
}  # fmt: skip
UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_,
}  # fmt: skip


def evaluate(e: E.Expr, env: Mapping[str, Any]) -> Any:
    def ev(sub: E.Expr) -> Any:
        return evaluate(sub, env)

    match e:
        case E.Name():
            return env[e.id]
        case E.Const() | E.Ref():
            return e.value
        case E.Call():
            args: list[Any] = []
            for a in e.args:
                args.extend(ev(a.value)) if isinstance(a, E.Star) else args.append(ev(a))
            return ev(e.fn)(*args, **{k: ev(v) for k, v in e.kwargs})
        case E.Index():
            items = tuple(ev(i) for i in e.items)
            return ev(e.base)[items if len(items) > 1 else items[0]]
        case E.Slice():
            return slice(*(None if p is None else ev(p) for p in (e.lower, e.upper, e.step)))
        case E.Attribute():
            return getattr(ev(e.base), e.attr)
        case E.Unary():
            return UNARY[e.op](ev(e.operand))
        case E.Binary():
            return BINARY[e.op](ev(e.left), ev(e.right))
        case E.Compare():
            left, result = ev(e.left), True
            for op, right in zip(e.ops, map(ev, e.rights), strict=True):
                result, left = result and COMPARE[op](left, right), right
            return result
        case E.BoolOp():
            value: Any = None
            for part in e.values:
                value = ev(part)
                if bool(value) == (e.op == "or"):
                    break
            return value
        case E.IfExp():
            return ev(e.then) if ev(e.test) else ev(e.orelse)
        case E.Sequence():
            values = []
            for i in e.items:
                values.extend(ev(i.value)) if isinstance(i, E.Star) else values.append(ev(i))
            return tuple(values) if e.kind == "tuple" else values
        case _:
            raise AssertionError(e)


@dataclass(frozen=True)
class Use:
    """A call as text, with its rule and its arguments by formal name."""

    expr: E.Expr
    rule: Rule
    bound: dict[str, E.Expr]


def names_of(text: str) -> list[str]:
    tree = ast.parse(text, mode="eval")
    roots = {"np", "math", "scipy"}
    found = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    return [n for n in found if n not in roots and not hasattr(builtins, n)]


def read(text: str, names: frozenset[str]) -> Use | None:
    """The use of a rule that `text` spells; None if this NumPy lacks the function."""
    try:
        e = formula.parse(text, names)
    except AttributeError:
        return None
    match e:
        case E.Index(base=E.Ref(value=joiner), items=items):  # `np.r_`, `np.c_`
            rule, args, kwargs = lookup(joiner.__getitem__), (E.Sequence("tuple", items),), ()
        case E.Call(fn=E.Attribute(base=base, attr=attr)):
            rule, args, kwargs = method(attr), (base, *e.args), e.kwargs
        case E.Call(fn=E.Ref(value=obj)):
            rule, args, kwargs = lookup(obj), e.args, e.kwargs
        case E.Attribute(base=base, attr=attr):
            rule, args, kwargs = attribute(attr), (base,), ()
        case E.Unary():
            rule, args, kwargs = operator_rule(e.op, 1), (e.operand,), ()
        case E.Binary():
            rule, args, kwargs = operator_rule(e.op, 2), (e.left, e.right), ()
        case _:
            raise AssertionError(text)
    assert rule is not None, f"no rule for {text}"
    bound = rule.bind(args, kwargs)
    assert bound is not None, f"{text} does not bind"
    return Use(e, rule, bound)


def kind_of(value: object) -> Kind:
    """The kind of a concrete value (numbers and arrays; anything else is unknown)."""
    if isinstance(value, np.ndarray):
        dims = tuple(Affine.const(n) for n in value.shape)
        ones = frozenset(k for k, n in enumerate(value.shape) if n != 1)
        return Array(value.dtype.name, dims, ones)
    if isinstance(value, bool):
        return Scalar("bool")
    if isinstance(value, int):
        return Scalar("int", None, Affine.const(value))
    if isinstance(value, float):
        return Scalar("float", value.dtype.name if isinstance(value, np.generic) else None)
    if isinstance(value, np.floating):
        return Scalar("float", value.dtype.name)
    return UNKNOWN
