"""`super().m(x)` as the call of the method that it means: `Base_m(self, x)`.

Which class comes next depends on the class of `self`: it is looked for in the class of the method
and in all that come from it. Where these do not agree, the call stays, and is refused.
"""

from __future__ import annotations

import types
from collections.abc import Iterator

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Scope, bound_names, in_scope, map_bodies, mentioned
from adtrans.lower.trees import nothing
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
    names = NameAllocator(mentioned(node) | set(source.fn.__globals__))
    found: dict[types.FunctionType, str] = {}
    for call in _calls(node):
        assert isinstance(call.func, gast.Attribute)
        attr = call.func.attr
        owner = _next(cls, attr)
        method = None if owner is None else vars(owner).get(attr)
        if owner is not None and isinstance(method, types.FunctionType):
            if method not in found:
                found[method] = names.fresh(f"{owner.__name__}_{attr}")
            call.func = name_node(found[method], call)
            call.args = [name_node(first[0].id, call), *call.args]
    bare = _without_object(node, cls)
    if not found and not bare:
        return source
    return made_functions(source, node, (), {name: fn for fn, name in found.items()})


def _without_object(node: gast.FunctionDef, cls: type) -> bool:
    """Takes out the statements `super().__init__()` that mean that of `object`, which does nothing;
    whether there were any."""
    if _next(cls, "__init__") is not object:
        return False
    calls = {id(c) for c in _calls(node) if _is_init(c)}
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


def _calls(node: gast.FunctionDef) -> Iterator[gast.Call]:
    """The calls `super().m(...)`."""
    for n in in_scope(node.body):
        match n:
            case gast.Call(
                func=gast.Attribute(
                    value=gast.Call(func=gast.Name(id="super"), args=[], keywords=[])
                )
            ):
                yield n


def _next(cls: type, attr: str) -> type | None:
    """The class in which `super().attr` is found in methods of `cls`; None where it depends on the
    class of the object."""
    every: list[type] = [cls]
    found = set[type]()
    for c in every:
        below: list[type] = type.__subclasses__(c)
        every += [d for d in below if d not in every]
        behind = c.__mro__[c.__mro__.index(cls) + 1 :]
        found.add(next((b for b in behind if attr in vars(b)), object))
    return found.pop() if len(found) == 1 else None
