"""`super().m(x)` as the call of the method that it means: `Base_m(self, x)`.

Which class comes next depends on the class of `self`: it is looked for in the class of the method
and in all that come from it. Where these do not agree, the call is not followed. So is
`super(C, self).m(x)` in a method of `C`.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import (
    Scope,
    bound_names,
    in_scope,
    map_bodies,
    mentioned,
    nodes_in,
)
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def without_super(source: SourceFunction) -> SourceFunction:
    """A method with the calls through `super()` spelled out, where that is possible."""
    cls, node = source.resolve("__class__"), source.node
    if "__class__" not in source.fn.__code__.co_freevars or not isinstance(cls, type):
        return source
    if not isinstance(node, gast.FunctionDef):
        return source
    first = [*node.args.posonlyargs, *node.args.args][:1]
    if not first or first[0].id in bound_names(node.body):
        return source
    params = [n.id for n in nodes_in(node.args) if isinstance(n, gast.Name)]
    free = mentioned(node).difference(params, bound_names(node.body))
    own = {n for n in free if source.resolve(n) is cls}
    calls = list(_calls(node, first[0].id, own))
    names = NameAllocator(mentioned(node) | set(source.fn.__globals__))
    found: dict[object, str] = {}

    def named(value: object, text: str, like: gast.AST) -> gast.Name:
        if value not in found:
            found[value] = names.fresh(text)
        return name_node(found[value], like)

    for call in calls:
        assert isinstance(call.func, gast.Attribute)
        attr, owners = call.func.attr, _next(cls, call.func.attr)
        methods = {c: vars(owner).get(attr) for c, owner in owners.items()}
        usual = methods.pop(cls)
        others = any(m is not usual for m in methods.values())
        if others or not isinstance(usual, types.FunctionType):
            continue
        call.args = [name_node(first[0].id, call), *call.args]
        call.func = named(usual, f"{owners[cls].__name__}_{attr}", call)
    bare = _without_object(node, cls, calls)
    if not found and not bare:
        return source
    return made_functions(source, node, (), {name: value for value, name in found.items()})


def _without_object(node: gast.FunctionDef, cls: type, among: Iterable[gast.Call]) -> bool:
    """Takes out the statements `super().__init__()` that mean that of `object`, which does nothing;
    whether there were any."""
    if set(_next(cls, "__init__").values()) != {object}:
        return False
    calls = {id(c) for c in among if _is_init(c)}
    found = False

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        nonlocal found
        for k, s in enumerate(body):
            if isinstance(s, gast.Expr) and id(s.value) in calls:
                body[k], found = nothing(s), True
            elif not isinstance(s, (*Scope, gast.ClassDef)):
                map_bodies(s, block)
        return body

    node.body = block(node.body)
    return found


def _is_init(call: gast.Call) -> bool:
    plain = not call.args and not call.keywords
    return isinstance(call.func, gast.Attribute) and call.func.attr == "__init__" and plain


def _calls(node: gast.FunctionDef, first: str, own: set[str]) -> Iterator[gast.Call]:
    """The calls `super().m(...)` and `super(C, self).m(...)`, where `own` are the names of `C`."""
    for n in in_scope(node.body):
        match n:
            case gast.Call(
                func=gast.Attribute(
                    value=gast.Call(func=gast.Name(id="super"), args=args, keywords=[])
                )
            ):
                match args:
                    case []:
                        yield n
                    case [gast.Name(id=name), gast.Name(id=obj)] if name in own and obj == first:
                        yield n


def _next(cls: type, attr: str) -> dict[type, type]:
    """The class in which methods of `cls` find `super().attr`, by the class of the object."""
    every: list[type] = [cls]
    found: dict[type, type] = {}
    for c in every:
        below: list[type] = type.__subclasses__(c)
        every += [d for d in below if d not in every]
        behind = c.__mro__[c.__mro__.index(cls) + 1 :]
        found[c] = next((b for b in behind if attr in vars(b)), object)
    return found
