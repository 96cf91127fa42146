"""Decorated functions inside the function, as definitions and calls of what decorates them.

@scaled(k)                  deco = scaled(k)
def g(v):             ->    def g_inner(v):
    return v * v                return v * v
                            g = deco(g_inner)

Only of the user's decorators, which are followed like any call, of those of adtrans, which make
functions of functions (`@ad.checkpoint`), of `np.vectorize`, and of `functools.wraps`, which is
left out. One that looks at the name of what it is given is left alone: it would see another one.
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Iterator
from dataclasses import replace

import gast
import numpy as np

from adtrans.diagnostics.errors import CompileError
from adtrans.ir.names import NameAllocator
from adtrans.lower.class_uses import codes, reached
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import Scope, in_scope, map_bodies, mentioned, nodes_in
from adtrans.rules import is_maker
from adtrans.source import MISSING, SourceFunction, get_source

_OF_FUNCTIONS = frozenset({
    "__name__", "__qualname__", "__doc__", "__module__", "__dict__", "__wrapped__", "__code__",
    "__defaults__", "__kwdefaults__", "__closure__", "__annotations__",
})  # fmt: skip
_OTHERS = ("functools", "contextlib", "numpy", "scipy", "numba", "adtrans")


def with_plain_definitions(source: SourceFunction) -> SourceFunction:
    """The function without such decorators; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    if not any(isinstance(n, gast.FunctionDef) and n.decorator_list for n in in_scope(node.body)):
        return source
    made = copy.deepcopy(node)
    outer = set(source.fn.__globals__) | set(source.fn.__code__.co_freevars)
    work = _Plain(source, made, NameAllocator(mentioned(made) | outer))
    made.body = work.block(made.body)
    return replace(source, node=made) if work.changed else source


class _Plain:
    """Rewrites the statements of a function, in place."""

    def __init__(
        self, source: SourceFunction, node: gast.FunctionDef, names: NameAllocator
    ) -> None:
        self.source, self.names, self.changed = source, names, False
        self.local = LocalNames(node)
        self.asked = _ask_for_names(source.fn)
        self.named = self.asked or any(_is_special(n) for n in nodes_in(node))
        self.inside = {s.name: s for s in in_scope(node.body) if isinstance(s, gast.FunctionDef)}

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [t for s in body for t in self.statement(s)]

    def statement(self, s: gast.stmt) -> Iterator[gast.stmt]:
        if isinstance(s, gast.FunctionDef) and s.decorator_list:
            yield from self.plain(s)
            return
        if not isinstance(s, (*Scope, gast.ClassDef)):
            map_bodies(s, self.block)
        yield s

    def plain(self, s: gast.FunctionDef) -> Iterator[gast.stmt]:
        if not self.named:  # what a wrapper is called, and says of itself, is seen by nobody
            given = [d for d in s.decorator_list if not self.is_wraps(d)]
            self.changed |= len(given) < len(s.decorator_list)
            s.decorator_list = given
        own = s.decorator_list
        taken = [self.is_maker(d) or (not self.asked and self.is_users(d)) for d in own]
        if not taken or not all(taken):
            yield s
            return
        self.changed = True
        made: list[gast.expr] = []
        for d in s.decorator_list:  # evaluated from top to bottom, called from bottom to top
            if isinstance(d, gast.Name) or self.is_maker(d):
                made.append(d)
                continue
            name = self.names.fresh("decorator")
            yield assignment(name_node(name, s, gast.Store()), d, s)
            made.append(name_node(name, s))
        inner, called = self.names.fresh(f"{s.name}_inner"), s.name
        s.decorator_list, s.name = [], inner
        yield s
        value: gast.expr = name_node(inner, s)
        for k, fn in enumerate(reversed(made)):
            options = fn.keywords if isinstance(fn, gast.Call) else []
            call = gast.Call(fn.func if isinstance(fn, gast.Call) else fn, [value], options)
            gast.copy_location(call, s)
            last = k == len(made) - 1
            name = called if last else self.names.fresh(f"{called}_inner")
            yield assignment(name_node(name, s, gast.Store()), call, s)
            value = name_node(name, s)

    def is_wraps(self, d: gast.expr) -> bool:
        made = d.func if isinstance(d, gast.Call) else d
        return meaning(made, self.source, self.local) is functools.wraps

    def is_maker(self, d: gast.expr) -> bool:
        """Whether a decorator is one of adtrans, or what it makes with literal options; or
        `np.vectorize`, for which one of adtrans stands in."""
        fn = d
        if isinstance(d, gast.Call):
            literal = all(k.arg and _is_literal(k.value) for k in d.keywords)
            if d.args or not literal:
                return False
            fn = d.func
        meant = meaning(fn, self.source, self.local)
        ours = str(getattr(meant, "__module__", "")).partition(".")[0] == "adtrans"
        return (ours or meant is np.vectorize) and is_maker(meant)

    def is_users(self, d: gast.expr) -> bool:
        """Whether a decorator is, or is made by, a function that adtrans can read."""
        fn = d.func if isinstance(d, gast.Call) else d
        if isinstance(fn, gast.Name) and fn.id in self.inside:
            return not any(_is_special(n) for n in nodes_in(self.inside[fn.id]))
        meant = meaning(fn, self.source, self.local)
        if meant is MISSING or not isinstance(meant, types.FunctionType):
            return False
        if (meant.__module__ or "").partition(".")[0] in _OTHERS:
            return False
        return not any(name.startswith("__") for name in _names(meant.__code__))


def _ask_for_names(fn: types.FunctionType) -> bool:
    """Whether a function that `fn` may reach asks another one what it is called, or the like."""
    return any(_asks(f) for f in reached(fn))


def _asks(fn: types.FunctionType) -> bool:
    words = {
        n for c in codes(fn.__code__) for n in (*c.co_names, *c.co_consts) if n in _OF_FUNCTIONS
    }
    if not words:
        return False
    try:
        nodes = nodes_in(get_source(fn).node)
    except CompileError:
        return True
    for n in nodes:
        match n:
            case gast.Attribute(value=gast.Call(func=gast.Name(id="type"))):
                pass  # what a class is called
            case gast.Attribute(value=gast.Attribute(attr="__class__")):
                pass
            case gast.Attribute(attr=word) | gast.Constant(value=str(word)):
                if word in _OF_FUNCTIONS:
                    return True
            case _:
                pass
    return False


def _is_literal(e: gast.expr) -> bool:
    """Whether an option is the same wherever it is evaluated: a constant, a type, some of them."""
    if isinstance(e, gast.List | gast.Tuple):
        return all(map(_is_literal, e.elts))
    if isinstance(e, gast.Name):
        return e.id in ("float", "int", "bool", "complex")
    return isinstance(e, gast.Constant)


def _is_special(n: gast.AST) -> bool:
    return isinstance(n, gast.Attribute) and n.attr.startswith("__")


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)
