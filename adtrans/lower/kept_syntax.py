"""What may happen in code that is kept as it was written, as far as its syntax tells.

>>> [assigns_attributes(n) for n in gast.parse("p.a = 1; print('p.a = 1'); setattr(p)").body]
[True, False, True]
>>> [calls_nothing(n) for n in gast.parse("n = x.shape[0]; m = p.count; f(x)").body]
[True, False, False]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import gast

_ASSIGNING = re.compile("setattr|delattr|vars|__dict__|exec|eval")
_OF_ARRAYS = frozenset({"shape", "ndim", "size", "dtype", "T"})
_BUILT_IN = frozenset(
    {"len", "range", "isinstance", "float", "int", "str", "type", "print", "repr", "ValueError",
     "TypeError", "RuntimeError", "KeyError", "IndexError", "NotImplementedError"}
)  # fmt: skip


def assigns_attributes(node: object) -> bool:
    """Whether code assigns to an attribute, or may: the texts in it say nothing."""
    assert isinstance(node, gast.AST)
    for n in gast.walk(node):
        match n:
            case gast.Attribute(ctx=gast.Store() | gast.Del()) | gast.Delete():
                return True
            case gast.Attribute(attr=name) | gast.Name(id=name) | gast.alias(name=name):
                if _ASSIGNING.search(name):
                    return True
    return False


def calls_nothing(node: object) -> bool:
    """Whether code calls no function of the user's, nor reads what a property might compute."""
    assert isinstance(node, gast.AST)
    return all(map(_is_plain, gast.walk(node)))


def is_of_arrays(attr: str) -> bool:
    """Whether an attribute is one that arrays have."""
    return attr in _OF_ARRAYS


def _is_plain(n: gast.AST) -> bool:
    match n:
        case gast.Attribute(attr=attr):
            return attr in _OF_ARRAYS
        case gast.Call(func=gast.Name(id=name)):
            return name in _BUILT_IN
        case gast.Call():
            return False
        case _:
            return True


def held_by_exception(node: object) -> Iterator[str]:
    """The variables that the exception may hold which a statement raises: all that is made no text,
    number or size of."""
    match node:
        case gast.Raise():
            yield from _held(node.exc)
            yield from _held(node.cause)
        case gast.Assert():
            yield from _held(node.msg)


def _held(node: object) -> Iterator[str]:
    match node:
        case gast.Name(id=name):
            yield name
        case gast.Attribute(attr="shape" | "ndim" | "size" | "dtype" | "__name__"):
            pass
        case gast.JoinedStr() | gast.BinOp(left=gast.Constant(value=str())):
            pass
        case gast.Call(func=gast.Name(id="len" | "str" | "repr" | "type" | "float" | "int")):
            pass
        case gast.Call(func=gast.Attribute(value=gast.Constant(value=str()), attr="format")):
            pass
        case gast.AST():
            for inner in gast.iter_child_nodes(node):
                yield from _held(inner)
