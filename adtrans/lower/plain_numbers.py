"""Which expressions are numbers for certain, by how they are written.

What stands beside a sparse matrix in `A * dt` tells whether the result is a matrix.

>>> tree = gast.parse("def f(x, dt: float, c=1):\\n    h = dt / (len(x) + 1)\\n    y = c * x")
>>> known = numbers_in(tree.body[0], lambda n: len if getattr(n, "id", "") == "len" else None)
>>> sorted(known.names)
['c', 'dt', 'h']
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import gast
import numpy as np

from adtrans.lower.syntax import parameters

Meaning: TypeAlias = "Callable[[gast.AST], object]"
_GIVE_NUMBERS = (len, int, float, np.float64, np.size, np.ndim)
_KEEP_NUMBERS = (abs, min, max, pow, round)


@dataclass
class Numbers:
    """`names`: the variables that hold nothing but numbers; `given`: what is given as one."""

    meaning: Meaning
    names: set[str] = field(default_factory=set)
    given: frozenset[str] = frozenset()

    def is_number(self, node: gast.AST) -> bool:
        """Whether an expression is a number for certain."""
        match node:
            case gast.Constant(value=value):
                return _is_number(value)
            case gast.Name(id=name) if name in self.names:
                return True
            case gast.Name() | gast.Attribute() if is_given(node, self.given):
                return True
            case gast.UnaryOp(operand=operand):
                return self.is_number(operand)
            case gast.BinOp(left=left, right=right):
                return self.is_number(left) and self.is_number(right)
            case gast.IfExp(body=body, orelse=orelse):
                return self.is_number(body) and self.is_number(orelse)
            case gast.Attribute(value=gast.Name(), attr="size" | "ndim"):
                return True
            case gast.Subscript(value=gast.Attribute(attr="shape"), slice=index):
                return self.is_number(index)
            case gast.Call(func=fn, args=args, keywords=[]):
                return self.gives_number(self.meaning(fn), args)
        return _is_number(self.meaning(node))

    def gives_number(self, meant: object, args: list[gast.expr]) -> bool:
        """Whether a call gives a number."""
        if any(meant is f for f in _GIVE_NUMBERS) or getattr(meant, "__module__", "") == "math":
            return True
        keeps = any(meant is f for f in _KEEP_NUMBERS) or isinstance(meant, np.ufunc)
        return keeps and all(map(self.is_number, args))


def is_given(node: gast.AST, given: frozenset[str]) -> bool:
    """Whether a name, or an attribute of one, is among these.

    >>> is_given(gast.parse("self.dt").body[0].value, frozenset({"self.dt"}))
    True
    """
    match node:
        case gast.Name(id=name):
            return name in given
        case gast.Attribute(value=gast.Name(id=name), attr=attr):
            return f"{name}.{attr}" in given
    return False


def numbers_in(
    fn: gast.FunctionDef, meaning: Meaning, given: frozenset[str] = frozenset()
) -> Numbers:
    """The variables of a function, by all that is bound to their names in it; `given`: parameters,
    and attributes of them, that are numbers."""
    found = Numbers(meaning, given=given)
    values: dict[str, list[gast.AST]] = {}
    other: set[str] = set()
    understood: set[int] = set()

    def bind(target: gast.AST, value: gast.AST) -> None:
        if isinstance(target, gast.Name):
            understood.add(id(target))
            values.setdefault(target.id, []).append(value)

    for n in gast.walk(fn):
        match n:
            case gast.Assign(targets=targets, value=value):
                for t in targets:
                    bind(t, value)
            case gast.AugAssign(target=target, value=value) | gast.NamedExpr(
                target=target, value=value
            ):
                bind(target, value)
            case gast.For(target=target, iter=gast.Call(func=maker)) if meaning(maker) is range:
                bind(target, gast.Constant(0, None))
            case gast.FunctionDef(args=args) | gast.Lambda(args=args) if n is fn:
                understood |= _of_parameters(args, values)
            case gast.Global(names=names) | gast.Nonlocal(names=names):
                other.update(names)
    for n in gast.walk(fn):
        if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load):
            if id(n) not in understood:
                other.add(n.id)
    found.names = values.keys() - other
    while True:  # what is no number is taken out, and what is computed of it
        kept = {v for v in found.names if all(map(found.is_number, values[v]))}
        if kept == found.names:
            return found
        found.names = kept


def _of_parameters(args: gast.arguments, values: dict[str, list[gast.AST]]) -> set[int]:
    """Parameters that are said to be numbers, or have numbers as defaults."""
    ordinary = [*args.posonlyargs, *args.args]
    given = dict(zip([p.id for p in ordinary][::-1], args.defaults[::-1], strict=False))
    given |= {p.id: d for p, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d}
    understood = set()
    for p in parameters(args):
        said = getattr(p.annotation, "id", "") in ("float", "int")
        if said or _is_number(getattr(given.get(p.id), "value", None)):
            understood.add(id(p))
            values.setdefault(p.id, []).append(gast.Constant(0, None))
    return understood


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Number) and not isinstance(value, bool)
