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
from adtrans.lower.syntax import bound_names, in_scope, mentioned
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
    if not found:
        return source
    return made_functions(source, node, (), {name: fn for fn, name in found.items()})


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
