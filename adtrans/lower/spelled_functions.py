"""Functions of NumPy that call one of the user's, spelled out: what they do is an expression.

np.fromfunction(f, (3, n))       ->   f(np.indices((3, n), dtype=float)[0], ...[1])
np.piecewise(x, [c], [f, 0.0])   ->   d = ~c
                                      placed(placed(np.zeros_like(x), c, f(x[c])), d, 0.0)

Arguments are evaluated once, and before any function is called.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import gast
import numpy as np

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.runtime import placed
from adtrans.source import MISSING

SPELLED = (np.fromfunction, np.piecewise)


class Spelling:
    """Writes such calls; `objects`: what the new names in them mean, `meaning`: the others."""

    def __init__(
        self, names: NameAllocator, objects: dict[str, object],
        meaning: Callable[[gast.AST], object],
    ) -> None:  # fmt: skip
        self.names, self.objects, self.meaning = names, objects, meaning
        self.functions = frozenset[str]()  # those that are defined inside
        self.changing = frozenset[str]()  # what may be bound inside an expression
        self.known: dict[int, str] = {}

    def expression(self, node: gast.Call, meant: object) -> gast.expr | None:
        """The same as an expression; None for a form that is not understood."""
        if any(isinstance(a, gast.Starred) for a in node.args):
            return None
        if any(k.arg is None for k in node.keywords):
            return None
        made = self.indices(node) if meant is np.fromfunction else self.pieces(node)
        if made is not None:
            for n in gast.walk(made):
                if not hasattr(n, "lineno"):
                    gast.copy_location(n, node)
        return made

    def ref(self, obj: object, hint: str, like: gast.AST) -> gast.Name:
        """A name for an object."""
        if id(obj) not in self.known:
            self.known[id(obj)] = self.names.fresh(hint)
            self.objects[self.known[id(obj)]] = obj
        return name_node(self.known[id(obj)], like)

    def call(self, obj: object, hint: str, args: list[gast.expr], like: gast.AST) -> gast.Call:
        return gast.Call(self.ref(obj, hint, like), args, [])

    def kept(self, node: gast.expr, first: list[gast.expr]) -> gast.expr:
        """An expression that may stand later, and again: a name for its value, evaluated `first`,
        unless there is nothing to evaluate."""
        inner = node.operand if isinstance(node, gast.UnaryOp) else node
        known = isinstance(node, gast.Attribute) and self.meaning(node) is not MISSING
        steady = isinstance(inner, gast.Name) and inner.id not in self.changing
        if known or steady or isinstance(inner, gast.Constant | gast.Lambda):
            return node
        name = self.names.fresh("given")
        first.append(gast.NamedExpr(name_node(name, node, gast.Store()), node))
        return name_node(name, node)

    def indices(self, node: gast.Call) -> gast.expr | None:
        """`np.fromfunction`: the function of the indices."""
        if len(node.args) != 2 or not isinstance(node.args[1], gast.Tuple | gast.List):
            return None
        first: list[gast.expr] = []
        fn = self.kept(node.args[0], first)
        sizes = [self.kept(e, first) for e in node.args[1].elts]
        if any(isinstance(e, gast.Starred) for e in sizes):
            return None
        dtype: gast.expr = self.ref(float, "float_", node)
        rest = []
        for k in node.keywords:
            if k.arg == "like":
                return None
            value = self.kept(k.value, first)
            if k.arg == "dtype":
                dtype = value
            else:
                rest.append(gast.keyword(k.arg, value))
        args: list[gast.expr] = []
        for i in range(len(sizes)):
            shape = type(node.args[1])(copy.deepcopy(sizes), gast.Load())
            places = self.call(np.indices, "indices", [shape], node)
            places.keywords = [gast.keyword("dtype", copy.deepcopy(dtype))]
            args.append(gast.Subscript(places, gast.Constant(i, None), gast.Load()))
        return _behind(first, gast.Call(fn, args, rest))

    def pieces(self, node: gast.Call) -> gast.expr | None:
        """`np.piecewise`: one piece after the other, when all conditions are known."""
        if len(node.args) < 3:
            return None
        given, conditions, functions, *more = node.args
        if not isinstance(given, gast.Name):
            return None
        if not isinstance(conditions, gast.List) or not isinstance(functions, gast.List):
            return None
        tests, values = list(conditions.elts), list(functions.elts)
        if len(values) not in (len(tests), len(tests) + 1) or not tests:
            return None
        if any(isinstance(e, gast.Starred) for e in (*tests, *values)):
            return None
        first: list[gast.expr] = []
        x = self.kept(given, first)
        assert isinstance(x, gast.Name)
        marks = [self.names.fresh("piece") for _ in values]
        for name, test in zip(marks, tests, strict=False):
            if isinstance(test, gast.Name | gast.Attribute | gast.Subscript):
                test = self.call(np.array, "array", [test], node)  # a function may change it
            first.append(gast.NamedExpr(name_node(name, node, gast.Store()), test))
        values = [self.kept(v, first) for v in values]
        args = [self.kept(a, first) for a in more]
        words = [gast.keyword(k.arg, self.kept(k.value, first)) for k in node.keywords]
        if len(values) > len(tests):
            union: gast.expr = name_node(marks[0], node)
            for m in marks[1:-1]:
                union = gast.BinOp(union, gast.BitOr(), name_node(m, node))
            rest = gast.UnaryOp(gast.Invert(), union)
            first.append(gast.NamedExpr(name_node(marks[-1], node, gast.Store()), rest))
        whole: gast.expr = self.call(np.zeros_like, "zeros_like", [name_node(x.id, node)], node)
        for mark, value in zip(marks, values, strict=True):
            made = gast.Call(value, list(args), words)
            piece = self.piece(value, x, mark, made, node)
            whole = self.call(placed, "placed", [whole, name_node(mark, node), piece], node)
        return _behind(first, whole)

    def piece(
        self, value: gast.expr, x: gast.Name, mark: str, of: gast.Call, node: gast.Call
    ) -> gast.expr:
        """What belongs to a part: a number, or a function of the part, unless that is empty."""
        if isinstance(value, gast.Lambda) and isinstance(value.body, gast.Constant):
            value = value.body
        if not isinstance(value, gast.Lambda | gast.Name | gast.Attribute):
            return value
        array = self.call(np.asarray, "asarray", [name_node(x.id, node)], node)
        part = gast.Subscript(array, name_node(mark, node), gast.Load())
        words = copy.deepcopy(of.keywords)
        called = gast.Call(value, [part, *copy.deepcopy(of.args)], words)
        meant = MISSING if isinstance(value, gast.Lambda) else self.meaning(value)
        if meant is not MISSING and not callable(meant):
            return value
        sure = isinstance(value, gast.Lambda) or meant is not MISSING
        some = self.call(np.any, "any_", [name_node(mark, node)], node)
        nothing = self.call(np.zeros, "zeros", [gast.Constant(0, None)], node)
        whole = gast.IfExp(some, called, nothing)
        if sure or (isinstance(value, gast.Name) and value.id in self.functions):
            return whole
        test = self.call(callable, "callable_", [copy.deepcopy(value)], node)
        return gast.IfExp(test, whole, copy.deepcopy(value))  # it may be a number


def _behind(first: list[gast.expr], node: gast.expr) -> gast.expr:
    """`(first, ..., node)[-1]`: an expression, when others are evaluated."""
    if not first:
        return node
    return gast.Subscript(
        gast.Tuple([*first, node], gast.Load()), gast.Constant(len(first), None), gast.Load()
    )
