"""Context managers that may end an exception of their block."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from types import FunctionType

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.syntax import in_scope
from adtrans.source import get_source
from adtrans.source.libraries import is_library


def may_swallow(context: gast.expr, means: Callable[[gast.AST], object]) -> bool:
    """Whether control may go on behind a `with` of which the block ended in an exception.

    >>> def swallows(text):
    ...     return may_swallow(gast.parse(text).body[0].value, lambda n: eval(gast.unparse(n)))
    >>> import warnings
    >>> swallows("contextlib.suppress(ValueError)"), swallows("warnings.catch_warnings()")
    (True, False)
    """
    called = context.func if isinstance(context, gast.Call) else context
    meant = means(called)
    if isinstance(meant, type):
        if issubclass(meant, contextlib.suppress | contextlib.ExitStack):
            return True
        left = inspect.getattr_static(meant, "__exit__", None)
        return not is_library(meant.__module__) and keeps_back(left)
    fn = inspect.unwrap(meant) if callable(meant) else None
    if is_library(getattr(fn, "__module__", None) or ""):
        return False
    return not inspect.isgeneratorfunction(fn) or _any_in(fn, handles)


def keeps_back(method: object) -> bool:
    """Whether an `__exit__` may keep an exception back.

    >>> class Quiet:
    ...     def __exit__(self, *error): return True
    >>> keeps_back(Quiet.__exit__)
    True
    """
    return _any_in(method, _returns_something)


def handles(n: gast.AST) -> bool:
    """Whether a part of a generator may keep back what its block raises."""
    return isinstance(n, gast.With) or (isinstance(n, gast.Try) and bool(n.handlers))


def _returns_something(n: gast.AST) -> bool:
    if not isinstance(n, gast.Return) or n.value is None:
        return False
    return not isinstance(n.value, gast.Constant) or bool(n.value.value)


def _any_in(fn: object, test: Callable[[gast.AST], bool]) -> bool:
    """Whether there is such a part in the body of a function, or there may be."""
    if not isinstance(fn, FunctionType):
        return True
    try:
        node = get_source(fn).node
    except CompileError:
        return True
    return not isinstance(node, gast.FunctionDef) or any(map(test, in_scope(node.body)))
