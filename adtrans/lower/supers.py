"""`super().m(x)` as the call of the method that it means: `Base_m(self, x)`.

Which class comes next depends on the class of `self`; only where all classes concerned have one
base is it known here. Elsewhere the call stays, and is refused.
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
    if not isinstance(node, gast.FunctionDef) or not _is_chain(cls):
        return source
    first = [*node.args.posonlyargs, *node.args.args][:1]
    if not first or first[0].id in bound_names(node.body):
        return source
    names = NameAllocator(mentioned(node) | set(source.fn.__globals__))
    found: dict[types.FunctionType, str] = {}
    for call in _calls(node):
        assert isinstance(call.func, gast.Attribute)
        attr = call.func.attr
        owner = next((c for c in cls.__mro__[1:] if attr in vars(c)), object)
        method = vars(owner).get(attr)
        if isinstance(method, types.FunctionType):
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
    owner = next((c for c in cls.__mro__[1:] if "__init__" in vars(c)), object)
    if owner is not object:
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


def _is_chain(cls: type) -> bool:
    """Whether the class, those it comes from and those that come from it have one base each."""
    below = [cls]
    for c in below:
        below += type.__subclasses__(c)
    return all(len(c.__bases__) == 1 for c in (*cls.__mro__[:-1], *below))
