"""Functions handed to SciPy that are no names of functions: what is called for them, as a lambda.

quad(self.g, a, b)          ->   quad(lambda given: self.g(given), a, b)
quad(f, a, b)               ->   quad(lambda given: f(given), a, b)             # `f`: a variable
quad(Planck(t).g, a, b)     ->   quad(lambda given, *, handed: handed.g(given), a, b)

quad(partial(g, k=x), a, b) ->   quad(lambda given, *, bound: g(given, k=bound), a, b)

What is no variable (`Planck(t)`, `x`) is evaluated where the integral is made, and then given.

A lambda captures what it calls, and variables that functions capture are followed, also if they are
objects. Functions that are known by name stay as they are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import in_scope
from adtrans.source import MISSING
from adtrans.source.libraries import is_library

_PLAIN = (
    gast.Name, gast.Constant, gast.Attribute, gast.Subscript, gast.Slice, gast.BinOp, gast.UnaryOp,
    gast.Tuple, gast.List, gast.Load, gast.operator, gast.unaryop,
)  # fmt: skip
SLOPES = frozenset({"jac", "fprime", "fprime2", "hess", "Dfun"})
"""Parameters that take a function, which is called as the one that is differentiated."""
Means = Callable[[gast.AST], object]


def defined_once(node: gast.FunctionDef, times: Mapping[str, int]) -> frozenset[str]:
    """The names that are bound once, to a function that is written here."""
    found: set[str] = set()
    for n in in_scope(node.body):
        match n:
            case gast.FunctionDef(name=name) if times.get(name) == 1:
                found.add(name)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda()) if (
                times.get(name) == 1
            ):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def is_variable(fn: gast.expr, local: Iterable[str]) -> bool:
    """Whether this is an attribute of a variable of the function."""
    while isinstance(fn, gast.Attribute):
        fn = fn.value
    return isinstance(fn, gast.Name) and fn.id in local


def is_value(fn: gast.expr, local: Iterable[str], defined: frozenset[str], means: Means) -> bool:
    """Whether what is handed is no function that is known by its name. `local`: the variables of
    the function, `defined`: those that mean one function."""
    if isinstance(fn, gast.Lambda):
        return False
    if isinstance(fn, gast.Name) and fn.id in local:
        return fn.id not in defined
    meant = means(fn)
    if meant is MISSING:
        return isinstance(fn, gast.Name | gast.Attribute | gast.Call | gast.Subscript)
    home = getattr(type(meant), "__module__", "")
    plain = isinstance(meant, FunctionType | type) or home == "builtins" or is_library(home)
    return not plain and home.partition(".")[0] not in ("numpy", "adtrans", "functools")


def as_lambda(
    fn: gast.expr, count: int, names: NameAllocator, means: Means, *, more: bool
) -> tuple[gast.Lambda, list[tuple[str, gast.expr]]]:
    """A lambda of `count` arguments that calls `fn`, and what it is given by keyword: that of which
    `fn` is an attribute, or `fn` itself, where it is no variable. `more`: it is given further ones,
    it is not known how many."""
    params = [names.fresh("given") for _ in range(count)]
    rest = names.fresh("more") if more else None
    args: list[gast.expr] = [name_node(p, fn) for p in params]
    if rest is not None:
        args.append(gast.Starred(name_node(rest, fn), gast.Load()))
    if isinstance(fn, gast.Call) and means(fn.func) is functools.partial and _is_simple(fn):
        bound = [names.fresh("bound") for _ in (*fn.args[1:], *fn.keywords)]
        values = [*fn.args[1:], *(k.value for k in fn.keywords)]
        last = bound[len(fn.args) - 1 :]
        words = [
            gast.keyword(k.arg, name_node(b, fn))
            for k, b in zip(fn.keywords, last, strict=True)
        ]
        first = [name_node(b, fn) for b in bound[: len(fn.args) - 1]]
        call = gast.Call(fn.args[0], [*first, *args], words)
        return _lambda(params, rest, bound, call, fn), [*zip(bound, values, strict=True)]
    base, attrs = fn, list[str]()
    while isinstance(base, gast.Attribute):
        attrs.insert(0, base.attr)
        base = base.value
    held: list[tuple[str, gast.expr]] = []
    called: gast.expr = fn
    if not isinstance(base, gast.Name):
        held = [(names.fresh("handed"), base)]
        called = name_node(held[0][0], fn)
        for attr in attrs:
            called = gast.Attribute(called, attr, gast.Load())
    call = gast.Call(called, args, [])
    return _lambda(params, rest, [n for n, _ in held], call, fn), held


def _lambda(
    params: list[str], rest: str | None, held: list[str], body: gast.expr, like: gast.expr
) -> gast.Lambda:
    formal = gast.arguments(
        [_param(p, like) for p in params], [], None if rest is None else _param(rest, like),
        [_param(n, like) for n in held], [None for _ in held], None, [],
    )  # fmt: skip
    made = gast.Lambda(formal, body)
    for n in gast.walk(made):
        if n is not like and not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made


def _is_simple(fn: gast.Call) -> bool:
    """Whether an application is written without stars, and of what is a name or a lambda."""
    first = fn.args[0] if fn.args else None
    stars = any(isinstance(a, gast.Starred) for a in fn.args) or not all(k.arg for k in fn.keywords)
    return isinstance(first, gast.Name | gast.Attribute | gast.Lambda) and not stars


def _param(name: str, like: gast.AST) -> gast.Name:
    made = gast.Name(name, gast.Param(), None, None)
    gast.copy_location(made, like)
    return made


def are_plain(values: Iterable[gast.expr], means: Means) -> bool:
    """Whether it does not matter when these are evaluated: nothing is called but NumPy."""
    for value in values:
        for n in gast.walk(value):
            if isinstance(n, gast.Call):
                home = str(getattr(means(n.func), "__module__", ""))
                if means(n.func) is MISSING or home.partition(".")[0] not in ("numpy", "builtins"):
                    return False
            elif not isinstance(n, (*_PLAIN, gast.keyword, gast.expr_context)):
                return False
    return True
