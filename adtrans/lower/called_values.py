"""Variables whose values are called as functions: objects with `__call__`.

s = Spring(k); ad.grad(s)(x)     # `s` is one: bound once, before, to what a class returns
for p in parts: ad.grad(p)(x)    # so is `p`, here and in a comprehension

They are bound where nothing leads round the binding, so that the name means the same value when
the derivative is made and when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import getattr_static
from types import FunctionType

import gast

from adtrans.lower.syntax import BLOCKS, PARTS, Comprehension
from adtrans.rules import is_maker
from adtrans.source import MISSING
from adtrans.source.libraries import is_library

Means = Callable[[gast.AST], object]


def is_called_object(meant: object) -> bool:
    """Whether something is an object of a class of the user's, with a method `__call__`."""
    cls = type(meant)
    if is_library(cls.__module__) or isinstance(meant, type) or cls.__module__ == "functools":
        return False
    return isinstance(getattr_static(cls, "__call__", None), FunctionType)


def made_before(
    node: gast.FunctionDef, times: Mapping[str, int], means: Means
) -> Iterator[tuple[str, gast.AST]]:
    """Variables that hold such values, each with every node that comes after it is bound."""
    yield from _in_block(node.body, times, means)


def _in_block(
    body: list[gast.stmt], times: Mapping[str, int], means: Means
) -> Iterator[tuple[str, gast.AST]]:
    for k, s in enumerate(body):
        after = s.body if isinstance(s, gast.For) else body[k + 1 :]
        for name in _bound_by(s, means):
            if times.get(name) == 1:
                yield from ((name, n) for t in after for n in gast.walk(t))
        for n in gast.walk(s):
            if isinstance(n, Comprehension):
                yield from _in_comprehension(n, times)
        for field in BLOCKS:
            inner = getattr(s, field, None)
            if isinstance(inner, list) and not isinstance(s, gast.FunctionDef | gast.ClassDef):
                yield from _in_block(inner, times, means)
        for field in PARTS:
            for part in getattr(s, field, None) or ():
                yield from _in_block(part.body, times, means)


def _in_comprehension(
    node: gast.ListComp | gast.SetComp | gast.DictComp | gast.GeneratorExp, times: Mapping[str, int]
) -> Iterator[tuple[str, gast.AST]]:
    for g in node.generators:
        for name in (n.id for n in gast.walk(g.target) if isinstance(n, gast.Name)):
            if times.get(name) == 1:
                parts = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
                yield from ((name, n) for p in (*parts, *g.ifs) for n in gast.walk(p))


def _bound_by(s: gast.stmt, means: Means) -> list[str]:
    """The variables that a statement binds to what may be called."""
    match s:
        case gast.For(target=gast.Name() | gast.Tuple() as target):
            return [n.id for n in gast.walk(target) if isinstance(n, gast.Name)]
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript() | gast.Attribute()):
            return [name]
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=fn)):
            meant = means(fn)
            if meant is MISSING:
                return [] if isinstance(fn, gast.Call) else [name]
            known = isinstance(meant, type | FunctionType) and not is_maker(meant)
            home = str(getattr(meant, "__module__", ""))
            own = not is_library(home) and home.partition(".")[0] not in ("builtins", "functools")
            return [name] if known and own else []
        case _:
            return []
