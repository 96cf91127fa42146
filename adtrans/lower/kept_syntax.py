"""What may happen in code that is kept as it was written, as far as its syntax tells.

>>> [assigns_attributes(n) for n in gast.parse("p.a = 1; print('p.a = 1'); setattr(p)").body]
[True, False, True]
>>> [calls_nothing(n) for n in gast.parse("n = x.shape[0]; m = p.count; f(x)").body]
[True, False, False]
"""

from __future__ import annotations

import re

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
