"""Bodies of generators in which a `StopIteration` may come up.

Python lets none out of a generator: it becomes a `RuntimeError` there. A body that stands in
another place would let it out, so that such a body has to stay where it is.

>>> import builtins
>>> means = lambda n: getattr(builtins, getattr(n, "id", ""), None)
>>> body = lambda text: gast.parse(text).body
>>> may_stop(body("yield next(it)"), means), may_stop(body("yield next(it, 0)"), means)
(True, False)
>>> may_stop(body("try:\\n    v = next(it)\\nexcept StopIteration:\\n    v = 0\\nyield v"), means)
False
"""

from __future__ import annotations

import builtins
import contextvars
import inspect
import types
from collections.abc import Callable, Iterable

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.makers import means_in
from adtrans.source import get_source
from adtrans.source.unwrap import in_python

_STOPS = (builtins.next, StopIteration)
_CATCH = (StopIteration, Exception, BaseException)
_METHODS = ("__next__", "send", "throw")
_LIBRARIES = ("adtrans", "numpy", "scipy")
_UNDER_WAY: contextvars.ContextVar[frozenset[int]] = contextvars.ContextVar(
    "functions", default=frozenset()
)

Means = Callable[[gast.AST], object]


def may_stop(nodes: Iterable[gast.AST], means: Means) -> bool:
    """Whether running `nodes`, or a function defined there, may raise a `StopIteration` by itself:
    by `raise`, or by asking an iterator, without catching it there."""
    return any(_stops(n, means) for n in nodes)


def _stops(n: gast.AST, means: Means) -> bool:
    match n:
        case gast.Try():
            inside = [*n.handlers, *n.orelse, *n.finalbody]
            return may_stop(inside if _catches(n, means) else [*n.body, *inside], means)
        case gast.ExceptHandler(body=body):  # what it is for raises nothing
            return may_stop(body, means)
        case gast.Call(func=fn, args=[_, _] as args) if _is(fn, (builtins.next,), means):
            return may_stop(args, means)
        case gast.Name() if _is(n, _STOPS, means):
            return True
        case gast.Attribute(attr=attr) if attr in _METHODS or _is(n, _STOPS, means):
            return True
        case gast.Name() | gast.Attribute() if _of_function(means(n)):
            return True
        case _:
            return may_stop(gast.iter_child_nodes(n), means)


def _of_function(meant: object) -> bool:
    """The same of a function of the user's that is named."""
    meant = in_python(meant)
    if not isinstance(meant, types.FunctionType) or id(meant) in _UNDER_WAY.get():
        return False
    if meant.__module__ is None or meant.__module__.partition(".")[0] in _LIBRARIES:
        return False
    code = meant.__code__
    if code.co_flags & inspect.CO_GENERATOR:  # it lets none out
        return False
    try:
        source = get_source(meant)
    except CompileError:
        return False
    if not isinstance(source.node, gast.FunctionDef):
        return False
    token = _UNDER_WAY.set(_UNDER_WAY.get() | {id(meant)})
    try:
        return may_stop(source.node.body, means_in(source.node, source))
    finally:
        _UNDER_WAY.reset(token)


def _catches(n: gast.Try, means: Means) -> bool:
    """Whether a `try` catches a `StopIteration`, and does not raise it again."""
    for h in n.handlers:
        kinds = h.type.elts if isinstance(h.type, gast.Tuple) else [h.type]
        if h.type is None or any(_is(t, _CATCH, means) for t in kinds):
            return not any(_again(r, h) for s in h.body for r in gast.walk(s))
    return False


def _again(n: gast.AST, h: gast.ExceptHandler) -> bool:
    if not isinstance(n, gast.Raise):
        return False
    name = h.name.id if isinstance(h.name, gast.Name) else h.name
    return n.exc is None or (isinstance(n.exc, gast.Name) and n.exc.id == name)


def _is(n: gast.AST | None, meant: tuple[object, ...], means: Means) -> bool:
    if n is None:
        return False
    found = means(n)
    if any(found is m for m in meant):
        return True
    # a name of the generator itself that is spelled like one of these may mean it, too
    return meant is not _CATCH and isinstance(n, gast.Name) and n.id in ("next", "StopIteration")
