"""Classes whose objects stand for the methods of other objects, and are called.

>>> from adtrans.source import get_source
>>> class Box:
...     def __init__(self, k): self.k = k
...     def times(self, x): return self.k * x
>>> cls = method_class(Box, "times", Box.times, get_source(Box.times))
>>> method = cls(Box(2.0))
>>> method(3.0), method.__self__.k, method.__name__
(6.0, 2.0, 'times')
"""

from __future__ import annotations

import ast
import inspect
import types
from dataclasses import replace
from typing import Any

import gast

from adtrans.source.find import MADE, SourceFunction
from adtrans.source.made import SPOKEN, made_class

METHOD = "_adtrans_method"  # of a class: the one whose method its objects stand for, and its name
_CALLS = "_adtrans_calls"  # of such a class: the function that its objects call


def stands_for_function(cls: type | None) -> bool:
    """Whether objects of a class stand for methods, or for functions defined inside: where one is
    lost from sight, the function itself is there."""
    return cls is not None and (METHOD in vars(cls) or hasattr(cls, SPOKEN))


class _Method:
    """Says of itself what the method would, where code that is not followed asks."""

    __self__: object

    @property  # type: ignore[misc]  # for `isinstance`
    def __class__(self) -> type:
        return types.MethodType

    @property
    def __func__(self) -> Any:
        return getattr(type(self), _CALLS)

    @property
    def __name__(self) -> str:
        return str(self.__func__.__name__)

    @property
    def __code__(self) -> types.CodeType:
        found: types.CodeType = self.__func__.__code__
        return found

    def method(self) -> types.MethodType:
        return types.MethodType(self.__func__, self.__self__)

    def __repr__(self) -> str:
        return repr(self.method())

    def __hash__(self) -> int:
        return hash(self.method())

    def __eq__(self, other: object) -> bool:
        meant: Any = other
        return self.method() == (meant.method() if METHOD in vars(type(other)) else other)


def method_class(cls: type, attr: str, fn: Any, source: SourceFunction) -> type | None:
    """The class of the objects that stand for a method; None where it cannot be told how it is
    called."""
    params = list(inspect.signature(fn, follow_wrapped=False).parameters.values())
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not params or params[0].kind not in positional or params[0].default is not params[0].empty:
        return None
    own, rest = params[0].name, params[1:]
    plain = [p.replace(annotation=p.empty, default=None if p.default is not p.empty else p.empty)
             for p in rest]  # fmt: skip
    first = [inspect.Parameter(own, rest[0].kind if rest and rest[0].kind in positional[:1] else
                               positional[1])]  # fmt: skip
    given = ", ".join(map(_given, rest))
    text = (
        f"def __init__({own}, {own}_):\n    {own}.__self__ = {own}_\n"
        f"def __call__{inspect.Signature([*first, *plain])}:\n"
        f"    return {own}.__self__.{attr}({given})\n"
    )
    parsed = ast.parse(text)
    trees = [gast.ast_to_gast(n) for n in parsed.body]
    for n in (n for tree in trees for n in gast.walk(tree)):
        if "lineno" in n._attributes:
            gast.copy_location(n, source.node)
    place = f"{source.qualname}@method"
    name = f"Method_{cls.__name__}_{attr.strip('_')}"  # another than that of the function
    methods = [t for t in trees if isinstance(t, gast.FunctionDef)]
    made = made_class(source, name, place, methods, (_Method,))
    called: Any = vars(made)["__call__"]
    called.__defaults__, called.__kwdefaults__ = fn.__defaults__, fn.__kwdefaults__
    called.__qualname__ = f"{cls.__name__}.{attr}"  # in messages
    told = {"qualname": called.__qualname__, "signature": inspect.signature(called)}
    called.__dict__[MADE] = replace(called.__dict__[MADE], **told)
    setattr(made, METHOD, (cls, attr))
    setattr(vars(made)["__init__"], METHOD, True)
    setattr(made, _CALLS, fn)
    return made


def _given(p: inspect.Parameter) -> str:
    """How a parameter is handed on."""
    stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}
    if p.kind in stars:
        return stars[p.kind] + p.name
    return f"{p.name}={p.name}" if p.kind == p.KEYWORD_ONLY else p.name
