"""Which attributes an object has when it has been made, by what makes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.source.find import get_source


def new_attributes(cls: type) -> Iterator[str]:
    """The attributes that a new object gets, in their order, as far as the text tells.

    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> list(new_attributes(Point))
    ['x', 'y']
    """
    if dataclasses.is_dataclass(cls) and "__init__" in vars(cls):
        yield from (f.name for f in dataclasses.fields(cls) if f.init)
        if hasattr(cls, "__post_init__"):
            yield from _assigned(cls, "__post_init__")
    else:
        yield from _assigned(cls, "__init__")


def _assigned(cls: type, method: str) -> Iterator[str]:
    """What a method assigns to its object, in the order of the text."""
    owner = next((c for c in cls.__mro__ if method in vars(c)), object)
    if owner is object:
        return
    try:
        node = get_source(vars(owner)[method]).node
    except CompileError:
        return
    if not isinstance(node, gast.FunctionDef) or not node.args.args:
        return
    me = node.args.args[0].id
    for n in (n for s in node.body for n in gast.walk(s)):
        match n:
            case gast.Attribute(value=gast.Name(id=name), attr=attr, ctx=gast.Store()):
                yield from (attr,) if name == me else ()
            case gast.Call(func=gast.Attribute(value=gast.Call(func=gast.Name(id="super")))):
                after = cls.__mro__[cls.__mro__.index(owner) + 1]
                yield from _assigned(after, method)
