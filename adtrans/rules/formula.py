"""Derivative formulas: text parsed once to expressions, with what each of them needs.

>>> f = make(parse("y_bar * np.cos(x)", frozenset({"x"})))
>>> print(f.expr, sorted(f.values), sorted(f.shapes))
y_bar * np.cos(x) ['x'] []
>>> f = make(parse("np.reshape(y_bar, np.shape(x))", frozenset({"x"})))
>>> sorted(f.values), sorted(f.shapes)
([], ['x'])
"""

from __future__ import annotations

import ast
import builtins
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy

import adtrans.runtime
from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import Array, Kind, Scalar
from adtrans.ir.walk import rebuild
from adtrans.rules.signature import item

ROOTS: Mapping[str, object] = {"np": numpy, "math": math}
"""The modules that formulas name; generated code must provide those that it uses."""

_ADDED: dict[str, object] = {}
_MADE_UP = ("_pullback", "_pushforward", "_contents")
"""The ends of names that are added for the functions of users."""


def add_name(stem: str, obj: object) -> str:
    """Make `obj` known to formulas under a name like `stem`, which is returned.

    A name is never given another meaning: formulas that use it may have been compiled.
    """
    name, n = stem, 1
    while name in _ADDED or name in adtrans.runtime.__all__ or hasattr(builtins, name):
        n += 1
        name = f"{stem}_{n}"
    _ADDED[name] = obj
    return name


SHAPE_CALLS = {"np.shape", "np.ndim", "np.size", "len"}
_SHAPE_ATTRIBUTES = {"shape", "ndim", "size", "dtype"}


@dataclass(frozen=True, slots=True)
class Formula:
    """A contribution to an adjoint or tangent over formal parameters, `y`, `y_bar`, `<param>_dot`.

    `values`: names whose value is needed; `shapes`: names of which only the shape or dtype is.
    `elementwise`: it has the result's broadcast shape and must still be summed to the operand's.
    `thin`: it may have fewer elements than the operand, to whose shape it broadcasts.
    """

    expr: Expr
    values: frozenset[str]
    shapes: frozenset[str]
    elementwise: bool = False
    thin: bool = False

    def __str__(self) -> str:
        return E.text(self.expr)


def make(expr: Expr, *, elementwise: bool = False, thin: bool = False) -> Formula:
    """The formula `expr`, its needs read off the expression."""
    values: set[str] = set()
    shapes: set[str] = set()
    _needs(expr, values, shapes)
    return Formula(expr, frozenset(values), frozenset(shapes - values), elementwise, thin)


def is_seed(name: str) -> bool:
    """Whether a name of a formula is an adjoint or a tangent rather than a value of the primal.

    In a formula for the tangent, `dot` is the tangent of the parameter that the formula is for.

    >>> is_seed("y_bar"), is_seed("arrays[0]_dot"), is_seed("y")
    (True, True, False)
    """
    return name in ("y_bar", "dot") or name.endswith("_dot")


def formal_names(names: Iterable[str]) -> dict[str, str]:
    """What formulas call the parameters of a function: by their names, but for those that mean
    something else there.

    >>> formal_names(["x", "y", "q_dot", "y_"])
    {'x': 'x', 'y': 'y__', 'q_dot': 'q_dot_', 'y_': 'y_'}
    """
    names = [*names]
    found: dict[str, str] = {}
    taken = {n for n in names if not is_reserved(n)}
    for name in names:
        formal = name
        while is_reserved(formal) or (formal != name and formal in taken):
            formal += "_"
        taken.add(formal)
        found[name] = formal
    return found


def is_reserved(name: str) -> bool:
    """Whether a name means something in every formula, or ends as those do that are made up."""
    return name in ("y", "scipy", *ROOTS) or is_seed(name) or name.endswith(_MADE_UP)


def respelled(text: str, names: Mapping[str, str]) -> str:
    """A formula with other names for its parameters.

    >>> respelled("y_bar * 3 * y ** 2", {"y": "y_"})
    'y_bar * 3 * y_ ** 2'
    """
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return ast.unparse(tree)


def only_shape(e: Expr) -> str | None:
    """The name whose shape or dtype an expression asks for, if it does that and nothing else."""
    match e:
        case E.Call(fn=E.Ref(text=t), args=(E.Name(id=x),), kwargs=()) if t in SHAPE_CALLS:
            return x
        case E.Attribute(base=E.Name(id=x), attr=a) if a in _SHAPE_ATTRIBUTES:
            return x
        case _:
            return None


def _needs(e: Expr, values: set[str], shapes: set[str]) -> None:
    shaped = only_shape(e)
    match e:
        case E.Name():
            if not is_seed(e.id):
                values.add(e.id)
        case _ if shaped is not None:
            if not is_seed(shaped):
                shapes.add(shaped)
        case _:
            for child in E.children(e):
                _needs(child, values, shapes)


def contribution(seed: Expr, partial: Expr) -> Expr:
    """`seed * partial`, written as a person would.

    >>> g = E.Name("y_bar")
    >>> for partial in ("1", "-1", "1 / b", "-y / b", "2 * x", "1 - y * y", "-np.sin(x)"):
    ...     print(contribution(g, parse(partial, frozenset("bx"))))
    y_bar
    -y_bar
    y_bar / b
    -y_bar * y / b
    2 * y_bar * x
    y_bar * (1 - y * y)
    -y_bar * np.sin(x)
    """
    match partial:
        case E.Const(value=1):
            return seed
        case E.Const(value=int() | float()):
            return E.Binary("*", partial, seed)
        case E.Unary(op="-", operand=inner):
            return contribution(E.Unary("-", seed), inner)
        case E.Binary(op="/", left=left, right=right):
            return E.Binary("/", contribution(seed, left), right)
        case E.Binary(op="*", left=left, right=right):
            return E.Binary("*", contribution(seed, left), right)
        case _:
            return E.Binary("*", seed, partial)


def refine(e: Expr, kinds: Mapping[str, Kind]) -> Expr:
    """`e` with `np.shape(x)`, `np.size(x)`, `np.ndim(x)` as cheap as the kind of `x` allows.

    >>> e = parse("np.reshape(y_bar, np.shape(x))", frozenset({"x"}))
    >>> print(refine(e, {"x": Array("float64", None)}))
    np.reshape(y_bar, x.shape)
    """
    match e:
        case E.Call(fn=E.Ref(text=t), args=(E.Name() as x,)) if t in SHAPE_CALLS:
            match kinds.get(x.id):
                case Array() as kind:
                    if t == "np.ndim" and kind.ndim is not None:
                        return E.Const(kind.ndim)
                    return e if t == "len" else E.Attribute(x, t.removeprefix("np."))
                case Scalar():
                    if t == "np.shape":
                        return E.Sequence("tuple", ())
                    return E.Const(0 if t == "np.ndim" else 1)
                case _:
                    return e
        case _:
            return rebuild(e, lambda child: refine(child, kinds))


def in_arithmetic(e: Expr, listed: frozenset[str]) -> Expr:
    """`e` with arrays in the place of lists where it, or a helper, calculates with them.

    >>> e = parse("y_bar * np.exp(k) * (k - 1)", frozenset({"k"}))
    >>> print(in_arithmetic(e, frozenset({"k"})))
    y_bar * np.exp(k) * (np.asarray(k) - 1)
    """
    operates = isinstance(e, E.Binary | E.Unary | E.Compare | E.Index | E.Attribute)
    if isinstance(e, E.Call) and isinstance(e.fn, E.Ref):
        operates = e.fn.text in adtrans.runtime.names()

    def child(part: Expr) -> Expr:
        if operates and isinstance(part, E.Name) and part.id in listed:
            return E.Call(E.Ref("np.asarray", numpy.asarray), (part,))
        return in_arithmetic(part, listed)

    return rebuild(e, child)


@cache
def parse(text: str, params: frozenset[str], sequences: frozenset[str] = frozenset()) -> Expr:
    """The expression that `text` spells.

    Names are formal parameters, `y`, `y_bar`, `<param>_dot`, `np`, `math`, functions of
    `adtrans.runtime` and builtins. `arrays[0]` is the item's own name if `sequences` has `arrays`,
    `arrays[0, 1]` that of an item of the item.

    Raises:
        ValueError: for a name that is none of these, and for syntax that formulas do not use.
    """
    return _Reader(text, params, sequences).read(ast.parse(text, mode="eval").body)


_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not", ast.Invert: "~"}
_COMPARE = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


@dataclass(frozen=True)
class _Reader:
    text: str
    params: frozenset[str]
    sequences: frozenset[str]

    def read(self, node: ast.expr) -> Expr:
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Constant(value=value):
                return E.Const(value)
            case ast.Attribute(value=base, attr=attr):
                read = self.read(base)
                if isinstance(read, E.Ref):
                    return E.Ref(f"{read.text}.{attr}", getattr(read.value, attr))
                return E.Attribute(read, attr)
            case ast.Call(func=fn, args=args, keywords=keywords):
                kwargs = tuple((k.arg or "", self.read(k.value)) for k in keywords)
                return E.Call(self.read(fn), tuple(self.read(a) for a in args), kwargs)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as i)) if (
                name in self.sequences
            ):
                return E.Name(item(name, i))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=items)) if (
                name in self.sequences
            ):
                for index in items:  # an item of an item
                    name = item(name, int(ast.literal_eval(index)))
                return E.Name(name)
            case ast.Subscript(value=base, slice=ast.Tuple(elts=items)) if items:
                return E.Index(self.read(base), tuple(self.read(i) for i in items))
            case ast.Subscript(value=base, slice=index):
                return E.Index(self.read(base), (self.read(index),))
            case ast.Slice(lower=lower, upper=upper, step=step):
                parts = (None if p is None else self.read(p) for p in (lower, upper, step))
                return E.Slice(*parts)
            case ast.UnaryOp(op=op, operand=operand):
                return E.Unary(_UNARY[type(op)], self.read(operand))
            case ast.BinOp(left=left, op=op2, right=right):
                return E.Binary(_BINARY[type(op2)], self.read(left), self.read(right))
            case ast.Compare(left=left, ops=ops, comparators=rights):
                words = tuple(_COMPARE[type(op)] for op in ops)
                return E.Compare(self.read(left), words, tuple(self.read(r) for r in rights))
            case ast.BoolOp(op=op3, values=values):
                operands = tuple(self.read(v) for v in values)
                return E.BoolOp("and" if isinstance(op3, ast.And) else "or", operands)
            case ast.IfExp(test=test, body=then, orelse=orelse):
                return E.IfExp(self.read(test), self.read(then), self.read(orelse))
            case ast.Tuple(elts=items):
                return E.Sequence("tuple", tuple(self.read(i) for i in items))
            case ast.List(elts=items):
                return E.Sequence("list", tuple(self.read(i) for i in items))
            case ast.Starred(value=value):
                return E.Star(self.read(value))
            case _:
                raise ValueError(f"formula {self.text!r}: {type(node).__name__} is not used here")

    def _name(self, name: str) -> Expr:
        if name in self.params or name == "y" or is_seed(name):
            return E.Name(name)
        try:
            return E.Ref(name, meaning(name))
        except LookupError:
            raise ValueError(f"formula {self.text!r}: unknown name {name!r}") from None


def meaning(name: str) -> object:
    """What a name means in formulas that is none of theirs: a module, a helper, a builtin.

    >>> meaning("np") is numpy, meaning("len") is len
    (True, True)

    Raises:
        LookupError: if it means nothing.
    """
    if name in ROOTS:
        return ROOTS[name]
    if name == "scipy" and name in sys.modules:  # its rules are used only if it is imported
        return sys.modules[name]
    try:
        return adtrans.runtime.find(name)
    except LookupError:
        pass
    if name in _ADDED:
        return _ADDED[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise LookupError(name)
