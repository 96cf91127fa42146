"""What `operator` makes of keys and names that are written out, as a function that is written out.

pick = operator.itemgetter(2, 0)             ->   pick = lambda v: (v[2], v[0])
rows.sort(key=operator.attrgetter("a.b"))    ->   rows.sort(key=lambda v: v.a.b)
operator.methodcaller("scaled", 2)(p)        ->   p.scaled(2)
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import mentioned
from adtrans.source import SourceFunction

_MAKERS = {
    "itemgetter": operator.itemgetter,
    "attrgetter": operator.attrgetter,
    "methodcaller": operator.methodcaller,
}


def with_getters(source: SourceFunction) -> SourceFunction:
    """The function with such functions written out; `source` where there are none."""
    if not isinstance(source.node, gast.FunctionDef) or not any(_mentions(source)):
        return source
    node = copy.deepcopy(source.node)
    work = _Getters(source, node)
    made = work.visit(node)
    return replace(source, node=made) if work.found else source


def _mentions(source: SourceFunction) -> Iterator[bool]:
    """Whether some name or attribute may mean one of them: a quick look."""
    for n in gast.walk(source.node):
        if isinstance(n, gast.Attribute):
            yield n.attr in _MAKERS
        elif isinstance(n, gast.Name):
            yield n.id in _MAKERS or any(source.resolve(n.id) is m for m in _MAKERS.values())


class _Getters(gast.NodeTransformer):
    def __init__(self, source: SourceFunction, node: gast.FunctionDef) -> None:
        self.source, self.local = source, LocalNames(node)
        self.names = NameAllocator(mentioned(node) | set(source.fn.__globals__))
        self.found = False

    def visit_Call(self, node: Any) -> Any:
        """The function that is written out, or what it does where it is called at once."""
        called = node.func if isinstance(node.func, gast.Call) else None
        if called is not None and len(node.args) == 1 and not node.keywords:
            (value,) = node.args
            once = self.means(called) is operator.methodcaller or len(called.args) == 1
            body = self.body(called, value) if once else None
            if body is not None and not isinstance(value, gast.Starred):
                self.found = True
                return self.generic_visit(body)
        name = self.names.fresh("v")
        body = self.body(node, name_node(name, node))
        if body is None:
            return self.generic_visit(node)
        self.found = True
        param = name_node(name, node, gast.Param())
        return _at(gast.Lambda(gast.arguments([param], [], None, [], [], None, []), body), node)

    def means(self, node: gast.Call) -> object:
        """The object that is called."""
        return meaning(node.func, self.source, self.local)

    def body(self, node: gast.Call, value: gast.expr) -> gast.expr | None:
        """What the function that a call makes does to `value`; None for any other call."""
        made = self.means(node)
        constant = all(_is_constant(a) for a in (*node.args, *(k.value for k in node.keywords)))
        if not node.args or not constant or any(k.arg is None for k in node.keywords):
            return None
        parts: list[gast.expr | None]
        if made is operator.methodcaller:
            method = _attribute(value, node.args[0])
            return method and _at(gast.Call(method, node.args[1:], node.keywords), node)
        if node.keywords:
            return None
        if made is operator.itemgetter:
            parts = [gast.Subscript(copy.deepcopy(value), a, gast.Load()) for a in node.args]
        elif made is operator.attrgetter:
            parts = [_attribute(copy.deepcopy(value), a) for a in node.args]
        else:
            return None
        known = [_at(p, node) for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        return known[0] if len(known) == 1 else _at(gast.Tuple(known, gast.Load()), node)


def _at(made: gast.expr, like: gast.AST) -> gast.expr:
    """A new expression, with the place of another one."""
    gast.copy_location(made, like)
    return made


def _is_constant(node: gast.expr) -> bool:
    number = node.operand if isinstance(node, gast.UnaryOp) else node
    return isinstance(number, gast.Constant)


def _attribute(value: gast.expr, path: gast.expr) -> gast.expr | None:
    """`value.a.b` for a text `"a.b"`; None for a text that is no path, or names what is private."""
    if not isinstance(path, gast.Constant) or not isinstance(path.value, str):
        return None
    for name in path.value.split("."):
        if not name.isidentifier() or (name.startswith("__") and not name.endswith("__")):
            return None
        value = _at(gast.Attribute(value, name, gast.Load()), path)
    return value
