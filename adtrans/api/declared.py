"""Functions that users give for derivatives, as generated code calls them.

They are handed arrays that others hold, too, so that they cannot write them; what they return is
fitted to the parameters that it is for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import InputError
from adtrans.diagnostics.span import Span
from adtrans.driver.options import caller_span
from adtrans.emit.load import load
from adtrans.ir.names import NameAllocator
from adtrans.runtime import zeros_of
from adtrans.runtime.failures import MutationError
from adtrans.runtime.memory_checks import overlaps, overlaps_itself

_FLOAT = np.dtype(float)


class Adjoints:
    """A user's pullback as generated code calls it: a tuple over the active parameters."""

    def __init__(self, fn: Callable[..., Any], of: str, active: tuple[str, ...]) -> None:
        self.fn, self.of, self.active = fn, of, active
        self.__name__ = f"{of}_pullback"
        self.__differentiates__ = fn

    def __call__(self, *args: Any, **last: tuple[tuple[int, ...], ...]) -> tuple[Any, ...]:
        (forms,) = last.values()  # under the name that `shapes_of` tells
        found = _called(self.fn, self.of, args)
        if isinstance(found, Mapping):
            for name in found:
                if name not in self.active:
                    self.misfit(f"an adjoint for `{name}`", "no such parameter is differentiated")
            found = tuple(found.get(n) for n in self.active)
        elif len(self.active) == 1 and not isinstance(found, tuple):
            found = (found,)
        if not isinstance(found, tuple) or len(found) != len(self.active):
            had = f"{len(found)} adjoints" if isinstance(found, tuple) else "one adjoint"
            wanted = ", ".join(f"`{n}`" for n in self.active)
            named = parameters_of(self.fn)
            told = tuple(n for n in self.active if n in named)
            said = f"say which with `wrt={told}`" if 0 < len(told) < len(self.active) else None
            self.misfit(had, f"there are {len(self.active)} differentiated parameters: {wanted}",
                        said)  # fmt: skip
        return tuple(self.fitting(*item) for item in zip(self.active, found, forms, strict=True))

    def fitting(self, name: str, value: Any, form: Any, dtype: Any = _FLOAT) -> Any:
        """The adjoint of one parameter, of its form: a shape, or zeros for what is no array of
        float64; None stands for zero."""
        if not _is_shape(form):
            return self.held(name, value, form)
        shape: tuple[int, ...] = form
        if value is None:
            return np.zeros(shape) if shape else 0.0
        if np.shape(value) != shape:
            self.misfit(
                f"an adjoint of shape {np.shape(value)} for `{name}`", f"`{name}` is of {shape}"
            )
        if np.asarray(value).dtype.kind not in "fciub":
            self.misfit(
                f"an adjoint of type {type(value).__name__} for `{name}`", "adjoints are numbers"
            )
        return _own(np.asarray(value) if shape else value, dtype)

    def held(self, name: str, value: Any, form: Any) -> Any:
        """The adjoint of what holds numbers and arrays."""
        if value is None or form is None:
            return form
        if isinstance(form, dict):
            if not isinstance(value, dict):
                self.misfit(f"an adjoint of type {type(value).__name__} for `{name}`",
                            f"`{name}` is a dictionary")  # fmt: skip
            return {k: self.held(name, v, form[k]) if k in form else v for k, v in value.items()}
        if isinstance(form, list | tuple):
            if np.ndim(value) == 0 if isinstance(value, np.ndarray) else not isinstance(
                value, list | tuple
            ):
                self.misfit(f"an adjoint of type {type(value).__name__} for `{name}`",
                            f"`{name}` is a {type(form).__name__}")  # fmt: skip
            if len(value) != len(form):
                self.misfit(f"an adjoint of {len(value)} items for `{name}`",
                            f"`{name}` has {len(form)}")  # fmt: skip
            items = [self.held(name, v, f) for v, f in zip(value, form, strict=True)]
            return items if isinstance(form, list) else tuple(items)
        exact = getattr(form, "dtype", _FLOAT)
        return self.fitting(name, value, np.shape(form), exact if exact.kind in "fc" else _FLOAT)

    def misfit(self, had: str, why: str, fix: str | None = None) -> None:
        misfit(self.fn, f"the rule for `{self.of}` returned {had}", f"{why}.", fix)

    def function_for(self, kinds: Mapping[str, Any]) -> FunctionType:
        """The user's function in this form, so that it can be differentiated in its turn."""
        rule: Any = self.fn
        if hasattr(rule, "function_for"):
            rule = rule.function_for(kinds)
        args = ", ".join(parameters_of(self.fn))
        own = NameAllocator(parameters_of(self.fn)).fresh("rule")
        result = f"{own}({args})"
        if len(self.active) == 1:
            result = f"({result},)"
        text = f"def {self.__name__}({args}, {shapes_of(self.fn)}):\n    return {result}\n"
        return load(text, self.__name__, {own: rule})[self.__name__]

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        names = [*parameters_of(self.fn), shapes_of(self.fn)]
        return inspect.Signature([inspect.Parameter(n, kind) for n in names])


class Tangents:
    """A user's pushforward as generated code calls it."""

    def __init__(self, fn: Callable[..., Any], of: str) -> None:
        self.fn, self.of = fn, of
        self.__name__ = f"{of}_pushforward"
        self.__differentiates__ = fn

    def __call__(self, *args: Any, result: Any) -> Any:
        return self.fitting(_called(self.fn, self.of, args), result)

    def fitting(self, dot: Any, value: Any) -> Any:
        """The tangent of the result, or of a part of it."""
        if dot is None:
            return zeros_of(value)
        if isinstance(value, tuple):
            if not isinstance(dot, tuple) or len(dot) != len(value):
                misfit(self.fn, f"the rule for `{self.of}` returned no tuple of tangents",
                        f"the result is a tuple of {len(value)}.")  # fmt: skip
            return tuple(self.fitting(d, v) for d, v in zip(dot, value, strict=True))
        if isinstance(value, list) and isinstance(dot, list) and len(dot) == len(value):
            return [self.fitting(d, v) for d, v in zip(dot, value, strict=True)]
        if isinstance(value, dict) and isinstance(dot, dict) and dot.keys() <= value.keys():
            return {k: self.fitting(dot.get(k), v) for k, v in value.items()}
        if np.shape(dot) != np.shape(value):
            misfit(
                self.fn,
                f"the rule for `{self.of}` returned a tangent of shape {np.shape(dot)}",
                f"the result is of shape {np.shape(value)}.",
            )
        dtype = np.asarray(value).dtype
        return _own(dot, dtype if dtype.kind in "fc" else _FLOAT)


class Contents:
    """A function that writes one of its parameters as one that returns the final contents.

    It runs on the array itself, which may be kept, or be left written in part by an exception.
    """

    def __init__(self, fn: Any, params: list[str], writes: str) -> None:
        self.fn, self.writes, self.params = fn, writes, params
        self.at = params.index(writes)
        self.__name__ = f"{getattr(fn, '__name__', 'function')}_contents"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = {**dict(zip(self.params, args, strict=False)), **kwargs}
        written = given.pop(self.writes)
        self.check_apart(written, given)
        before = written.copy("K")
        found = self.fn(*args, **kwargs)
        if found is not None:
            misfit(self.fn, f"`{self.fn.__name__}` returns something beside what it writes",
                    "its rule says that it writes, and then its result is None.")  # fmt: skip
        after = written.copy("K")
        written[...] = before  # the statement that this call is a part of stores the others
        return after

    def check_apart(self, written: Any, others: Mapping[str, Any]) -> None:
        """That what is written has each of its elements once, and shares none with the others.

        Raises:
            MutationError: AD308 if it does: then `y_bar` would count them once.
        """
        name = getattr(self.fn, "__name__", "the function")
        if overlaps_itself(written):
            raise MutationError(f"elements of `{self.writes}`, which `{name}` writes, share memory",
                                code="AD308")  # fmt: skip
        for n, value in others.items():
            if any(overlaps(written, leaf) for leaf in tree.leaves(value)):
                said = f"`{n}` and `{self.writes}`, which `{name}` writes, share memory"
                raise MutationError(f"{said}: its rule takes them for two", code="AD308")


def _called(fn: Callable[..., Any], of: str, args: tuple[Any, ...]) -> Any:
    """What a user's function gives for `args`, which others hold, too: it cannot write them.

    Raises:
        InputError: AD412 if it does.
    """
    try:
        return fn(*_read_only(args))
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        misfit(fn, f"the rule for `{of}` writes into what it is handed",
                "adjoints and values are used by others, too; copy before writing.")  # fmt: skip


def _read_only(value: Any, views: dict[int, Any] | None = None) -> Any:
    """Views that cannot be written; of one array there is one, as a function may ask by `is`."""
    views = {} if views is None else views
    if type(value) is tuple:
        return tuple(_read_only(v, views) for v in value)
    if type(value) is not np.ndarray:
        return value
    if id(value) not in views:
        views[id(value)] = value.view()
        views[id(value)].flags.writeable = False
    return views[id(value)]


def _own(found: Any, dtype: Any) -> Any:
    """A number, or an array that nobody else has, so that others may write it; of this dtype, or of
    one that holds more."""
    if not isinstance(found, np.ndarray | np.generic | int | float | complex):
        return found
    had = np.asarray(found).dtype
    if had.kind not in "fciub":
        return found
    if (had.kind == "c" and dtype.kind == "f") or dtype == _FLOAT:
        dtype = np.promote_types(had, dtype)
    if isinstance(found, np.ndarray):
        return np.array(found, dtype)
    return found if isinstance(found, float) and dtype == _FLOAT else dtype.type(found)


def _is_shape(form: Any) -> bool:
    """Whether the form of an adjoint is the shape of an array or a number."""
    return type(form) is tuple and all(type(n) is int for n in form)


def parameters_of(fn: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(fn).parameters)


def shapes_of(fn: Callable[..., Any]) -> str:
    """The keyword under which the shapes of the parameters are handed to a user's pullback."""
    return NameAllocator(parameters_of(fn)).fresh("shapes")


def refuse(title: str, why: str, fix: str | None = None) -> Any:
    fixes = () if fix is None else (Fix(fix),)
    raise InputError(Diagnostic("AD410", title, caller_span(), why=why, fixes=fixes))


def misfit(fn: Any, title: str, why: str, fix: str | None = None) -> Any:
    code = getattr(fn, "__code__", None)
    if code is None:
        return refuse(title, why, *filter(None, (fix,)))
    span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
    raise InputError(Diagnostic("AD412", title, span, why=why, fixes=[Fix(fix)] if fix else []))
