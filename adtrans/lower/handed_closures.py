"""Local functions that are handed on while they capture something, as objects that are called.

def f(x):                          def f(x):
    k = x[0]                           k = x[0]
    return solve(lambda v: k * v)      inner = Inner(k)
                                       return solve(inner)

`Inner` is a class made for this: it holds what the function captured, and calling it runs the
function. Objects are followed, also through other functions, so nothing else has to know closures.
A function is left as it is where a variable that it captures may be bound again later.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Iterator
from typing import TypeVar

import gast

from adtrans import tree
from adtrans.ir.names import NameAllocator
from adtrans.lower.later import bound_later
from adtrans.lower.local_names import LocalNames
from adtrans.lower.locals import Local, candidates, look_at
from adtrans.lower.makers import makers_in, meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment, nothing
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    declared_elsewhere,
    map_bodies,
    mentioned,
    nodes_in,
    own_fields,
    own_names,
    parameters,
)
from adtrans.lower.unliftable import SAID
from adtrans.rules import is_maker, lookup
from adtrans.rules.in_python import in_python
from adtrans.source import MISSING, SourceFunction
from adtrans.source.made import SPOKEN, made_class, made_functions

Node = TypeVar("Node", bound=gast.AST)


def with_objects(source: SourceFunction) -> SourceFunction:
    """The function with objects in place of closures that are used as values."""
    node = source.node
    assert isinstance(node, gast.FunctionDef)
    if not any(isinstance(n, Scope) for s in node.body for n in nodes_in(s)):
        return source
    names = NameAllocator(
        mentioned(node) | set(source.fn.__code__.co_freevars) | set(source.fn.__globals__)
    )
    node.body = _Named(source, node, names).block(node.body)
    classes: dict[str, type] = {}
    chosen = _chosen(source, node)
    if not chosen:
        return source
    made = copy.copy(node)
    made.body = [_replaced(s, chosen, source, names, classes) for s in node.body]
    return made_functions(source, made, (), classes)


def _chosen(source: SourceFunction, node: gast.FunctionDef) -> dict[int, Local]:
    """The functions that can be objects, by their definitions."""
    local = own_names(node)
    local -= set(declared_elsewhere(node.body))
    found = candidates(node)
    for g in found.values():
        look_at(g, found, frozenset(local))
    makers = makers_in(source, node)
    derived = {
        a.id
        for n in gast.walk(node)
        if id(n) in makers and isinstance(n, gast.Call)
        for a in n.args
        if isinstance(a, gast.Name)
    }
    return {
        id(g.statement): g
        for g in found.values()
        if g.name not in derived and _can_be_object(g, node)
    }


def _can_be_object(g: Local, node: gast.FunctionDef) -> bool:
    """Whether a function is used as a value, and what it captures stays what it is."""
    if not g.captured or g.calls:
        return False
    calls = {id(n.func) for n in gast.walk(node) if isinstance(n, gast.Call)}
    if any(isinstance(n, gast.Attribute) and isinstance(n.value, gast.Name)
           and n.value.id == g.name and n.attr[:2] == "__" and n.attr not in SAID
           for n in nodes_in(node)):  # fmt: skip
        return False
    uses = [n for n in gast.walk(node) if isinstance(n, gast.Name) and n.id == g.name]
    if not any(isinstance(n.ctx, gast.Load) and id(n) not in calls for n in uses):
        return False
    defaults = [*g.node.args.defaults, *(d for d in g.node.args.kw_defaults if d is not None)]
    if not all(isinstance(d, gast.Constant) for d in defaults):
        return False
    return all(_stays(v, g, node) for v in g.captured)


def _stays(var: str, g: Local, node: gast.FunctionDef) -> bool:
    """Whether a variable is surely bound when the function that captures it is defined, and by
    nothing afterwards."""
    before = {p.id for p in parameters(node.args)}
    for s in node.body:
        if any(n is g.statement for n in gast.walk(s)):
            break
        if isinstance(s, gast.Assign) or (isinstance(s, gast.AnnAssign) and s.value is not None):
            before |= set(bound_names([s]))
    return var in before and not bound_later(var, g.statement, node)


def _replaced(
    s: gast.stmt,
    chosen: dict[int, Local],
    source: SourceFunction,
    names: NameAllocator,
    classes: dict[str, type],
) -> gast.stmt:
    """A statement with the definitions inside it as constructions of objects."""
    g = chosen.get(id(s))
    if g is not None:
        cls = names.fresh(g.name.strip("_").title().replace("_", "") or "Closure")
        classes[cls] = _class(g, cls, source, names)
        args: list[gast.expr] = [name_node(v, s) for v in g.captured]
        call = gast.Call(name_node(cls, s), args, [])
        gast.copy_location(call, s)
        return assignment(name_node(g.name, s, gast.Store()), call, s)
    if isinstance(s, (*Scope, gast.ClassDef)):
        return s
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(s, name, None)
        if isinstance(inner, list):
            setattr(s, name, [_replaced(t, chosen, source, names, classes) for t in inner])
    for name in ("handlers", "cases"):
        for part in getattr(s, name, ()):
            part.body = [_replaced(t, chosen, source, names, classes) for t in part.body]
    return s


def _class(g: Local, name: str, source: SourceFunction, names: NameAllocator) -> type:
    """The class of the objects that stand for a function."""
    me, like = names.fresh("self"), g.statement

    def at(made: Node) -> Node:
        gast.copy_location(made, like)
        return made

    def attribute(v: str, ctx: gast.expr_context) -> gast.Attribute:
        return at(gast.Attribute(name_node(me, like), v, ctx))

    def param(v: str) -> gast.Name:
        return at(gast.Name(v, gast.Param(), None, None))

    def method(called: str, params: gast.arguments, body: list[gast.stmt]) -> gast.FunctionDef:
        return at(gast.FunctionDef(called, params, body, [], None, None, []))

    first = gast.arguments([param(me), *map(param, g.captured)], [], None, [], [], None, [])
    stores: list[gast.stmt] = [
        at(gast.Assign([attribute(v, gast.Store())], name_node(v, like), None)) for v in g.captured
    ]
    given = copy.copy(g.node.args)
    head = "posonlyargs" if given.posonlyargs else "args"
    setattr(given, head, [param(me), *getattr(given, head)])
    body: list[gast.stmt] = [
        assignment(name_node(v, like, gast.Store()), attribute(v, gast.Load()), like)
        for v in g.captured
    ]
    if isinstance(g.node, gast.Lambda):
        body.append(at(gast.Return(g.node.body)))
    else:
        body += g.node.body
    place = f"{source.qualname}.<locals>.{g.name}@{like.lineno}:{g.node.col_offset}"
    methods = [method("__init__", first, stores or [nothing(like)])]
    methods.append(method("__call__", given, body))
    held = {"__name__": "<lambda>", "__doc__": None}
    if isinstance(g.node, gast.FunctionDef):
        held = {"__name__": g.name, "__doc__": _description(g.node)}
    cls = made_class(source, name, place, methods, held=held)
    setattr(cls, SPOKEN, "a lambda" if isinstance(g.node, gast.Lambda) else f"`{held['__name__']}`")
    return cls


def _description(node: gast.FunctionDef) -> str | None:
    """The text that describes a function."""
    match node.body[0]:
        case gast.Expr(value=gast.Constant(value=str() as text)):
            return text
        case _:
            return None


class _Named:
    """Gives names to the lambdas that are handed to functions of the user's, stored or returned."""

    def __init__(
        self, source: SourceFunction, node: gast.FunctionDef, names: NameAllocator
    ) -> None:
        self.source, self.names = source, names
        self.local = LocalNames(node)

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            if isinstance(s, (*Scope, gast.ClassDef)):
                out.append(s)
                continue
            map_bodies(s, self.block)
            if isinstance(s, gast.While):
                out.append(s)  # its test is evaluated each time
                continue
            plain = isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)
            if not (plain and isinstance(getattr(s, "value", None), gast.Lambda)):
                for name in own_fields(s):
                    self.named(s, name, s, out)
            out.append(s)
        return out

    def named(self, owner: gast.AST, field: str, s: gast.stmt, out: list[gast.stmt]) -> None:
        """Replaces the lambdas in one field of a node."""
        value = getattr(owner, field, None)
        if isinstance(value, list):
            value[:] = [self.one(v, s, out) for v in value]
        elif isinstance(value, gast.AST):
            setattr(owner, field, self.one(value, s, out))

    def one(self, n: object, s: gast.stmt, out: list[gast.stmt]) -> object:
        if isinstance(n, gast.Lambda):
            if any(isinstance(d, gast.AST) for d in _computed(n)):
                return n
            name = self.names.fresh("inner")
            self.local.own.add(name)
            out.append(assignment(name_node(name, n, gast.Store()), n, s))
            return name_node(name, n)
        if not isinstance(n, gast.AST) or isinstance(n, (*Scope, *Comprehension)):
            return n
        if isinstance(n, gast.Call) and not self.is_users(n.func):
            for part in (*n.args, *(k.value for k in n.keywords)):
                if not isinstance(part, gast.Lambda):
                    self.one(part, s, out)
            self.one(n.func, s, out)
            return n
        for field in n._fields:
            self.named(n, field, s, out)
        return n

    def is_users(self, fn: gast.AST) -> bool:
        """Whether a call may be that of a function which adtrans reads."""
        match fn:
            case gast.Name(id=name) if name in self.local.own:
                return True
            case gast.Name(id=name):
                value = self.source.resolve(name)
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                base = MISSING if name in self.local.own else self.source.resolve(name)
                if base is MISSING:
                    return name in self.local.own
                value = getattr(base, attr, MISSING)
            case gast.Call(func=gast.Name(id=name)):  # of what is made for a function handed over
                return is_maker(self.source.resolve(name))
            case _:
                return meaning(fn, self.source, self.local) is tree.map
        if value is tree.map:
            return True
        if is_maker(value) or lookup(value) is not None:
            return False
        if in_python(value) is not None:
            return True
        if str(getattr(value, "__module__", "")).partition(".")[0] in ("numpy", "scipy", "adtrans"):
            return False
        return isinstance(value, types.FunctionType | type) and value not in (map, filter, reversed)


def _computed(n: gast.Lambda) -> Iterator[gast.AST]:
    """The defaults of a lambda that are not literals."""
    for d in (*n.args.defaults, *n.args.kw_defaults):
        if d is not None and not isinstance(d, gast.Constant):
            yield d
