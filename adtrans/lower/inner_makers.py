"""Derivatives of functions that a variable holds, as those of lambdas that call them.

ad.grad(h)(x)                  ->   ad.grad(lambda z: h(z))(x)           (a parameter `h`)
ad.grad(o.h)(x)                ->   ad.grad(lambda z: o.h(z))(x)

A lambda is lifted, with what it captures as parameters.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.looked_up import is_assigned
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import defined
from adtrans.lower.syntax import Scope, mentioned, nodes_in, parameters
from adtrans.rules import is_maker
from adtrans.source import SourceFunction


def with_inner_makers(source: SourceFunction) -> SourceFunction:
    """The function with such derivatives rewritten; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return source
    local = LocalNames(node)

    def derives(n: gast.AST) -> bool:
        meant = meaning(n.func, source, local) if isinstance(n, gast.Call) and n.args else None
        return is_maker(meant)

    if not any(map(derives, nodes_in(node))):
        return source
    made = defined(copy.deepcopy(node), source.name)
    work = _Work(source, made)
    for s in made.body:
        work.look(s)
    return replace(source, node=made) if work.changed else source


class _Work:
    """Gives lambdas to the makers of one function."""

    def __init__(self, source: SourceFunction, node: gast.FunctionDef) -> None:
        self.source, self.node, self.local = source, node, LocalNames(node)
        self.names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
        self.changed = False
        self.params = {p.id for p in parameters(node.args)}
        self.times: dict[str, int] = {}  # how often each name is bound, here or inside
        for n in gast.walk(node):
            if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load):
                self.times[n.id] = self.times.get(n.id, 0) + 1
            elif isinstance(n, gast.FunctionDef) and n is not node:
                self.times[n.name] = self.times.get(n.name, 0) + 1

    def means(self, node: gast.AST) -> object:
        return meaning(node, self.source, self.local)

    def look(self, node: gast.AST) -> None:
        if isinstance(node, (*Scope, gast.ClassDef)):
            return
        if isinstance(node, gast.Call) and node.args and is_maker(self.means(node.func)):
            self.maker(node, self.count(node))
        for child in gast.iter_child_nodes(node):
            self.look(child)

    def maker(self, node: gast.Call, count: int | None) -> None:
        """`grad(h)`: what it is given becomes a lambda of `count` parameters, if that is not known
        otherwise."""
        given = node.args[0]
        if count is None or not self.is_held(given) or not _by_places(node):
            return
        params = [self.names.fresh("v") for _ in range(count)]
        body = gast.Call(copy.deepcopy(given), [name_node(p, given) for p in params], [])
        args = [name_node(p, given, gast.Param()) for p in params]
        made = gast.Lambda(gast.arguments(args, [], None, [], [], None, []), body)
        for n in gast.walk(made):
            if not hasattr(n, "lineno"):
                gast.copy_location(n, given)
        node.args[0] = made
        self.changed = True

    def is_held(self, given: gast.expr) -> bool:
        """Whether something is a parameter, or an attribute of a variable, which stay what they
        are."""
        match given:
            case gast.Name(id=name):
                return name in self.params and self.times[name] == 1
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                once = name in self.local.own and self.times.get(name) == 1
                return once and not is_assigned(self.source.fn, attr)
            case _:
                return False

    def count(self, node: gast.Call) -> int | None:
        """How many arguments the derivative is called with, always the same number."""
        around: gast.AST = node
        found: set[int | None] = set()
        for n in gast.walk(self.node):
            match n:
                case gast.Call(func=func) if func is around:
                    found.add(_number(n))
                case gast.Call(args=[first, *_]) if first is around:
                    return self.count(n) if is_maker(self.means(n.func)) else None
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if value is around:
                    found |= set(self.calls_of(name))
                case _:
                    pass
        return found.pop() if len(found) == 1 else None

    def calls_of(self, name: str) -> Iterator[int | None]:
        """The numbers of arguments that a variable is called with; None for another use of it."""
        called = {}
        for n in gast.walk(self.node):
            if isinstance(n, gast.Call) and isinstance(n.func, gast.Name):
                called[id(n.func)] = n
        for n in gast.walk(self.node):
            if isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load):
                yield _number(called[id(n)]) if id(n) in called else None


def _by_places(node: gast.Call) -> bool:
    """Whether parameters are told by their places: those of a lambda have other names."""
    words = [k.value for k in node.keywords if k.arg in ("wrt", "argnums", None)]
    return all(
        isinstance(n, gast.Tuple | gast.List | gast.Load)
        or (isinstance(n, gast.Constant) and (n.value is None or type(n.value) is int))
        for e in (*node.args[1:2], *words)
        for n in gast.walk(e)
    )


def _number(call: gast.Call) -> int | None:
    """How many arguments are passed, all by position and one by one."""
    starred = any(isinstance(a, gast.Starred) for a in call.args)
    return None if starred or call.keywords else len(call.args)
