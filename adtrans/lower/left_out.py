"""Parameters that mean an object, or None where a call leaves them out.

    def area(r, body=None):
        if body is None:
            body = Sphere(1.0)
        return r * body.factor

Which object `body` means is known once it is known whether it was given.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import gast
import numpy as np

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.makers import means_in
from adtrans.lower.syntax import parameters
from adtrans.source import SourceFunction, get_source
from adtrans.source.libraries import is_library

Means: TypeAlias = "Callable[[gast.AST], object]"
_PLAIN: Final = (np.ndarray, np.float64, list, dict, tuple, str, set)


def objects_or_none(
    source: SourceFunction, names: frozenset[str], is_object_class: Callable[[type], bool]
) -> frozenset[str]:
    """Those of the parameters `names` that are asked whether they are None, and are objects
    otherwise; also in the functions that they are handed on to.

    >>> class Sphere:
    ...     factor = 3.0
    >>> def area(r, body=None, scale=None):
    ...     if body is None:
    ...         body = Sphere()
    ...     return r * body.factor if scale is None else r * scale
    >>> source = get_source(area)
    >>> objects_or_none(source, frozenset({"r", "body"}), lambda cls: True)
    frozenset({'body'})
    """
    return frozenset(p for p in names if _Search(is_object_class).is_object_or_none(source, p))


@dataclass
class _Search:
    """Goes from function to function."""

    is_object_class: Callable[[type], bool]
    seen: set[tuple[types.FunctionType, str]] = field(default_factory=set)

    def is_object_or_none(self, source: SourceFunction, name: str) -> bool:
        if (source.fn, name) in self.seen:
            return False
        self.seen.add((source.fn, name))
        if not isinstance(source.node, gast.FunctionDef | gast.Lambda):
            return False
        nodes, means = list(gast.walk(source.node)), means_in(source.node, source)
        if any(_asks(n, name) for n in nodes):
            if any(self.is_used(n, name, means) for n in nodes):
                return True
        handed = (h for n in nodes if isinstance(n, gast.Call) for h in _handed(n, name, means))
        return any(self.is_object_or_none(of, p) for of, p in handed)

    def is_used(self, node: gast.AST, name: str, means: Means) -> bool:
        """Whether an attribute is read that only objects of classes have, or an object is made."""
        match node:
            case gast.Attribute(value=gast.Name(id=owner), attr=attr) if owner == name:
                return not any(hasattr(cls, attr) for cls in _PLAIN)
            case gast.Call(func=fn):
                made = (means(f) for f in (fn, getattr(fn, "value", fn)))
                return any(isinstance(m, type) and self.is_object_class(m) for m in made)
            case _:
                return False


def _asks(node: gast.AST, name: str) -> bool:
    """Whether something depends on whether a variable is None."""
    match node:
        case gast.Compare(
            left=gast.Name(id=left),
            ops=[gast.Is() | gast.IsNot()],
            comparators=[gast.Constant(value=None)],
        ):
            return left == name
        case gast.BoolOp(values=[gast.Name(id=first), *_]):
            return first == name
        case gast.If(test=gast.Name(id=test) | gast.UnaryOp(operand=gast.Name(id=test))):
            return test == name
        case _:
            return False


def _handed(call: gast.Call, name: str, means: Means) -> Iterator[tuple[SourceFunction, str]]:
    """The functions that a call hands a variable to, and as which parameter."""
    fn = means(call.func)
    if not isinstance(fn, types.FunctionType) or is_library(fn.__module__):
        return
    places = [k for k, a in enumerate(call.args) if isinstance(a, gast.Name) and a.id == name]
    words = [
        k.arg
        for k in call.keywords
        if k.arg and isinstance(k.value, gast.Name) and k.value.id == name
    ]
    if not places and not words:
        return
    try:
        of = get_source(fn)
    except CompileError:
        return
    if isinstance(of.node, gast.FunctionDef):
        own = [p.id for p in parameters(of.node.args)]
        yield from ((of, own[k]) for k in places if k < len(own))
        yield from ((of, w) for w in words if w in own)
