"""Signatures of primitives, written as Python writes them, and the matching of arguments to them.

Four annotations are understood: `xs: seq` marks a parameter that takes a sequence of arrays,
`a: nest` one that takes an array or nested sequences of numbers, as `np.array` does, and `f: "y"`
gives the keyword under which a parameter is passed when it differs from its name here (in formulas
`y` always means the result); `a: "x|y"` gives two of them, `xs: seq("tup")` that of a sequence.
`*xs: whole` has formulas for all of an array or list that is spread out: `f(*v)`.

>>> path, params = parse("np.concatenate(arrays: seq, axis=0)")
>>> path, [p.name for p in params], params[0].sequence
('np.concatenate', ['arrays', 'axis'], True)
>>> from adtrans.ir.expr import Name, Sequence
>>> for name, e in bind(params, (Sequence("list", (Name("u"), Name("v"))),), ()).items():
...     print(name, "=", e)
arrays = [u, v]
arrays[0] = u
arrays[1] = v
axis = 0
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from adtrans.ir.expr import Const, Expr, Sequence, Star, Unary

Bound: TypeAlias = "dict[str, Expr]"


@dataclass(frozen=True, slots=True)
class FormalParam:
    """A formal parameter; `form` as in `inspect.Parameter.kind`, `default` None: it is required."""

    name: str
    form: Literal["positional", "standard", "varargs", "keyword"] = "standard"
    default: Const | None = None
    keyword: str = ""
    synonym: str = ""
    sequence: bool = False
    nested: bool = False
    whole: bool = False

    def __str__(self) -> str:
        star = "*" if self.form == "varargs" else ""
        return star + self.name + ("" if self.default is None else f"={self.default}")


def item(name: str, i: int) -> str:
    """The name that formulas use for the i-th item of a sequence parameter.

    >>> item("arrays", 0)
    'arrays[0]'
    """
    return f"{name}[{i}]"


@cache
def parse(text: str) -> tuple[str, tuple[FormalParam, ...]]:
    """The dotted path and the parameters of a signature such as `"np.sum(a, axis=None)"`."""
    path, _, rest = text.partition("(")
    tree = ast.parse(f"def f({rest}: pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    a = tree.args
    positional = [*a.posonlyargs, *a.args]
    defaults = [None] * (len(positional) - len(a.defaults)) + [_const(d) for d in a.defaults]
    params = []
    for k, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
        params.append(_param(arg, "positional" if k < len(a.posonlyargs) else "standard", default))
    if a.vararg is not None:
        params.append(_param(a.vararg, "varargs", None))
    for arg, value in zip(a.kwonlyargs, a.kw_defaults, strict=True):
        params.append(_param(arg, "keyword", None if value is None else _const(value)))
    return path, tuple(params)


def renamed(text: str, to: Mapping[str, str]) -> str:
    """A signature with other names for its parameters, which keep their keywords.

    >>> renamed("(x, y=2.0)", {"x": "x", "y": "y_"})
    "(x, y_: 'y'=2.0)"
    """
    if all(name == other for name, other in to.items()):
        return text
    tree = ast.parse(f"def f{text}: pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    for arg in ast.walk(tree.args):
        if isinstance(arg, ast.arg) and to.get(arg.arg, arg.arg) != arg.arg:
            keyword = ast.Constant(arg.arg)
            note = arg.annotation or keyword
            if isinstance(note, ast.Name):
                note = ast.Call(note, [keyword], [])
            arg.arg, arg.annotation = to[arg.arg], note
    return f"({ast.unparse(tree.args)})"


def first(text: str) -> str:
    """The name of the first parameter, without parsing the rest.

    >>> first("np.sum(a, axis=None)")
    'a'
    """
    return text.partition("(")[2].partition(",")[0].partition(":")[0].partition("=")[0].rstrip(") ")


def _const(node: ast.expr) -> Const:
    return Const(ast.literal_eval(node))


def _param(
    arg: ast.arg,
    form: Literal["positional", "standard", "varargs", "keyword"],
    default: Const | None,
) -> FormalParam:
    note = arg.annotation
    mark, spelled = "", note
    if isinstance(note, ast.Call):
        spelled, note = note.args[0], note.func
    if isinstance(note, ast.Name):
        mark = note.id
    alias = str(spelled.value) if isinstance(spelled, ast.Constant) else arg.arg
    keyword, _, synonym = alias.partition("|")
    sequence = form == "varargs" or mark in ("seq", "nest")
    return FormalParam(
        arg.arg, form, default, keyword, synonym, sequence, mark == "nest", mark == "whole"
    )


def bind(
    params: tuple[FormalParam, ...],
    args: Iterable[Expr],
    kwargs: Mapping[str, Expr] | Iterable[tuple[str, Expr]],
) -> Bound | None:
    """Arguments by formal name, defaults filled in; None if they do not fit.

    The items of a sequence that is spelled out are there too, under `item(name, i)`.
    """
    rest = list(args)
    by_keyword = dict(kwargs.items() if isinstance(kwargs, Mapping) else kwargs)
    spread = any(isinstance(e, Star) for e in rest)
    if spread and not (len(rest) == 1 and params[0].whole):
        return None
    bound: Bound = {}
    for p in params:
        if p.whole and len(rest) == 1 and isinstance(only := rest[0], Star):
            bound[p.name] = only.value
            rest = []
        elif p.form == "varargs":
            bound[p.name] = Sequence("tuple", tuple(rest))
            rest = []
        elif p.form != "keyword" and rest:
            bound[p.name] = rest.pop(0)
        elif p.form != "positional" and p.keyword in by_keyword:
            bound[p.name] = by_keyword.pop(p.keyword)
        elif p.synonym and p.synonym in by_keyword:
            bound[p.name] = by_keyword.pop(p.synonym)
        elif p.default is not None:
            bound[p.name] = p.default
        else:
            return None
        value = bound[p.name]
        if p.name == "out" and isinstance(value, Sequence) and value.kind == "tuple":
            bound[p.name] = value.items[0] if len(value.items) == 1 else value
        if p.sequence:
            _bind_items(bound, p.name, value, p.nested)
    return None if rest or by_keyword else bound


def bind_any(
    args: Iterable[Expr], kwargs: Mapping[str, Expr] | Iterable[tuple[str, Expr]]
) -> Bound | None:
    """Arguments of a function whose signature does not matter: `arg0`, `arg1`, and the keywords."""
    rest = tuple(args)
    pairs = kwargs.items() if isinstance(kwargs, Mapping) else kwargs
    if any(isinstance(e, Star) for e in rest):
        return None
    return {f"arg{i}": e for i, e in enumerate(rest)} | dict(pairs)


def _bind_items(bound: Bound, name: str, value: Expr, nested: bool) -> None:
    if isinstance(value, Sequence) and not any(isinstance(i, Star) for i in value.items):
        for i, e in enumerate(value.items):
            bound[item(name, i)] = e
            if nested:
                _bind_items(bound, item(name, i), e, nested)


def leaves(bound: Mapping[str, Expr], name: str) -> tuple[str, ...]:
    """The innermost items that `bound` has for a sequence parameter; the parameter itself if none.

    >>> _, params = parse("np.array(a: nest)")
    >>> rows = Sequence("list", (Sequence("list", (Const(1), Const(2))), Const(3)))
    >>> leaves(bind(params, (rows,), ()), "a")
    ('a[0][0]', 'a[0][1]', 'a[1]')
    """
    found: list[str] = []
    i = 0
    while item(name, i) in bound:
        found.extend(leaves(bound, item(name, i)))
        i += 1
    held = bound.get(name)
    empty = isinstance(held, Sequence) and not held.items
    return tuple(found) if i or empty else (name,)


def path_of(name: str) -> tuple[int, ...]:
    """The indices in the name of an item.

    >>> path_of("a[0][12]"), path_of("a")
    ((0, 12), ())
    """
    return tuple(int(part.rstrip("]")) for part in name.split("[")[1:])


class NotLiteral:
    """The type of `NOT_LITERAL`."""


NOT_LITERAL = NotLiteral()


def literal(e: Expr | None) -> object:
    """The value of an expression that is written out (`-1`, `(0, 1)`), else `NOT_LITERAL`.

    >>> literal(Unary("-", Const(1))), literal(Sequence("tuple", (Const(0), Const(1))))
    (-1, (0, 1))
    """
    match e:
        case Const():
            return e.value
        case Unary(op="-", operand=Const(value=int() | float() as v)):
            return -v
        case Sequence():
            values = tuple(literal(i) for i in e.items)
            if any(isinstance(v, NotLiteral) for v in values):
                return NOT_LITERAL
            return values if e.kind == "tuple" else list(values)
        case _:
            return NOT_LITERAL
