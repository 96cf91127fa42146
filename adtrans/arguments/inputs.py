"""Which parameters are differentiated, and whether the arguments of a call allow it.

>>> def f(x, w): return x * w
>>> target_of(f).select(("w", 0))
('w', 'x')
"""

from __future__ import annotations

import difflib
import inspect
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from adtrans import tree
from adtrans.analyses.kinds.values import plain_attributes
from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.displays import is_item, key_of
from adtrans.analyses.objects.part_paths import joined, steps
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import InputError
from adtrans.driver.options import Wrt, caller_span
from adtrans.source import unwrap

_PLAIN_LEAVES = (
    str, bytes, int, float, complex, np.ndarray, np.generic, type, type(None), ModuleType,
    FunctionType,
)  # fmt: skip
_PLAIN = (tuple, list, dict, str, bytes, int, np.ndarray, np.generic, type(None))
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Target:
    """The Python function to differentiate, and the arguments that wrappers bind already.

    `params`: all parameters of `fn`. `visible`: those that positions in `wrt` count, without `self`
    and without what is bound. `simple`: whether all parameters can be passed by position.
    """

    fn: FunctionType
    bound: tuple[object, ...]
    keywords: Mapping[str, object]
    signature: inspect.Signature
    params: tuple[str, ...]
    visible: tuple[str, ...]
    simple: bool

    def arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        """The value of each parameter, in order, defaults included.

        Raises:
            TypeError: what calling the function with these arguments would raise.
        """
        given = (*self.bound, *args)
        missing = len(self.params) - len(given)
        defaults = self.fn.__defaults__ or ()
        if self.simple and not kwargs and not self.keywords and 0 <= missing <= len(defaults):
            return given + defaults[len(defaults) - missing :]
        try:
            found = self.signature.bind(*given, **{**self.keywords, **kwargs})
        except TypeError:
            self.fn(*given, **{**self.keywords, **kwargs})  # the error in Python's own words
            raise
        passed = {*found.arguments}
        found.apply_defaults()
        now = _defaults(self.fn)  # which may be others than when the signature was looked at
        return tuple(v if n in passed else now.get(n, v) for n, v in found.arguments.items())

    def value(self, selector: str, values: tuple[Any, ...]) -> Any:
        """The value of a parameter, or of a part of one: `self.Q`, `layers[0].w`.

        Raises:
            InputError: AD403 for an attribute or item that does not exist.
        """
        name, *path = steps(selector)
        found = values[self.params.index(name)]
        try:
            for step in path:
                found = found[key_of(step)] if is_item(step) else getattr(found, step)
        except AttributeError as error:
            refuse("AD403", f"there is no attribute `{selector}`", f"{error}.", None)
        except (IndexError, KeyError, TypeError) as error:
            why = f"{type(error).__name__}: {error}."
            refuse("AD403", f"there is no item `{selector}`", why, None)
        return found

    def call_form(self, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments that give the parameters these values."""
        if self.simple:
            return values, {}
        table = dict(zip(self.params, values, strict=True))
        found = inspect.BoundArguments(self.signature, OrderedDict(table))
        return found.args, found.kwargs

    def public_signature(self) -> inspect.Signature:
        """The signature without what is bound already."""
        free = list(_parameters(self.fn))[len(self.bound) :]
        return inspect.Signature([p for p in free if p.name not in self.keywords])

    def select(self, wrt: Wrt) -> tuple[str, ...]:
        """The names of the parameters that `wrt` means; the first one for None.

        Raises:
            InputError: AD403 for one that does not exist, AD410 for one that is named twice.
        """
        if wrt is None:
            if not self.visible:
                self._unknown("nothing can be differentiated: there is no parameter", "")
            return (self.visible[0],)
        chosen = tuple(self._one(w) for w in (wrt if isinstance(wrt, tuple) else (wrt,)))
        if len(set(chosen)) != len(chosen):
            refuse("AD410", f"`wrt` names a parameter twice: {wrt!r}",
                   "each parameter has one gradient")  # fmt: skip
        return chosen

    def _one(self, selector: int | str) -> str:
        if isinstance(selector, str):
            if selector in self.params:
                return selector
            try:
                parts = steps(selector)
            except ValueError:
                parts = ("",)
            if parts[0] in self.params:
                return joined(parts)
            near = difflib.get_close_matches(selector, self.visible, 1)
            self._unknown(f"there is no parameter `{selector}`", near[0] if near else "")
        forms = self.signature.parameters
        placed = [n for n in self.visible if forms[n].kind in _POSITIONAL]
        if -len(placed) <= selector < len(placed):
            return placed[selector]
        known = ", ".join(f"`{n}`" for n in placed) or "none"
        why = f"the arguments by position of `{self.fn.__name__}` are: {known}."
        refuse("AD403", f"there is no parameter at position {selector}", why)

    def _unknown(self, title: str, near: str) -> NoReturn:
        known = ", ".join(f"`{n}`" for n in self.visible) or "none"
        why = f"the parameters of `{self.fn.__name__}` are: {known}."
        refuse("AD403", title, why, f"did you mean `{near}`?" if near else None)


def target_of(fn: object, *, method: bool = False) -> Target:
    """The target that a callable stands for. `method`: its first parameter is `self`.

    >>> import functools
    >>> def f(x, k=2.0): return k * x
    >>> target_of(functools.partial(f, k=3.0)).visible
    ('x',)

    Raises:
        CompileError: AD104 or AD106, where there is no Python function.
    """
    u = unwrap(fn)
    signature = inspect.Signature([p.replace(annotation=p.empty) for p in _parameters(u.fn)])
    params = tuple(signature.parameters)
    free = [n for n in params[len(u.args) :] if n not in u.kwargs]
    if free and not u.args and (method or _is_method(u.fn, free[0])):
        free = free[1:]
    listed = list(signature.parameters.values())
    simple = all(p.kind in _POSITIONAL for p in listed)
    return Target(u.fn, u.args, u.kwargs, signature, params, tuple(free), simple)


def _defaults(fn: FunctionType) -> dict[str, object]:
    """The defaults of the parameters of a function, as they are now."""
    code, last = fn.__code__, fn.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(last) : code.co_argcount]
    return dict(zip(names, last, strict=True)) | (fn.__kwdefaults__ or {})


def _parameters(fn: FunctionType) -> Iterable[inspect.Parameter]:
    return inspect.signature(fn, follow_wrapped=False).parameters.values()


def _is_method(fn: FunctionType, first: str) -> bool:
    owner = fn.__qualname__.rpartition(".")[0]
    return first == "self" and bool(owner) and not owner.endswith("<locals>")


def check_arguments(
    target: Target, values: tuple[Any, ...], wrt: tuple[str, ...], what: str = "argument"
) -> None:
    """Refuse arguments that cannot be differentiated, or that are not what they look like.

    Raises:
        InputError: AD402 for `wrt` arguments that are no floats, AD407 for complex numbers, AD408
            for subclasses of ndarray and the arrays of other libraries.
    """
    for name, value in zip(target.params, values, strict=True):
        for leaf in leaves(value):
            _check_any(name, leaf)
    for name in wrt:
        if steps(name)[0] not in target.params:
            continue
        value = target.value(name, values)
        check_ends(f"`{name}`", value)
        if not carries_derivative(value):
            _check_wrt(name, value)


def check_ends(name: str, value: object) -> None:
    """Refuse a list or dictionary that holds itself."""
    try:
        tree.leaves(value)
    except ValueError as error:
        refuse("AD402", f"{name} holds itself", f"{error}.", _ENDS)


def carries_derivative(value: object) -> bool:
    """Whether something in `value` is a floating-point number.

    >>> carries_derivative(1.5), carries_derivative((1, [2.0])), carries_derivative(np.arange(3))
    (True, True, False)
    """
    for leaf in leaves(value):
        if isinstance(leaf, float | np.floating):
            return True
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f" and leaf.dtype.isnative:
            return True
        if tree.is_object(leaf) and any(map(tree.carries, tree.leaves(leaf))):
            return True
    if can_follow(type(value)):
        return any(isinstance(n, float | np.inexact) or tree.carries(n) for n in _inside(value))
    return hasattr(type(value), "__dict__") and not callable(value) and not _is_plain(value)


def _inside(value: object) -> Iterator[object]:
    """What is held by an object, by those that it holds, and so on."""
    seen: dict[int, object] = {}
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple | list | dict):
            waiting += leaves(here)
        elif isinstance(here, _PLAIN_LEAVES):
            yield here
        elif id(here) not in seen:
            seen[id(here)] = here
            waiting += plain_attributes(here).values()


def leaves(value: object, around: tuple[object, ...] = ()) -> Iterator[object]:
    """The parts of tuples, lists and dictionaries that are none themselves.

    `around`: the containers that `value` was found in; one that holds itself is gone into once.
    """
    if not isinstance(value, tuple | list | dict):
        yield value
    elif not any(value is o for o in around):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item, (*around, value))


def _is_plain(value: object) -> bool:
    return isinstance(value, _PLAIN)


def _check_any(name: str, leaf: object) -> None:
    if isinstance(leaf, complex | np.complexfloating) or (
        isinstance(leaf, np.ndarray) and leaf.dtype.kind == "c"
    ):
        refuse("AD407", f"`{name}` is complex", "derivatives are real here.",
               f"pass `{name}.real` and `{name}.imag` as two arguments")  # fmt: skip
    cls = type(leaf)
    if cls is np.ndarray or isinstance(leaf, np.generic):
        return
    if isinstance(leaf, np.ndarray):
        refuse("AD408", f"`{name}` is a `{cls.__name__}`",
               "subclasses of `np.ndarray` compute differently from plain arrays.",
               f"pass `np.asarray({name})`, if the plain array is what you mean")  # fmt: skip
    if hasattr(cls, "__array__") or hasattr(cls, "__array_interface__"):
        refuse("AD408", f"`{name}` is a `{cls.__module__}.{cls.__qualname__}`",
               "the arrays of other libraries are not NumPy arrays.",
               f"pass `np.asarray({name})`")  # fmt: skip


def _check_wrt(name: str, value: object) -> None:
    if isinstance(value, np.ndarray):
        had = f"an array of {value.dtype}"
        fix = f"{name}.astype(float)" if value.dtype.kind in "iubfO" else ""
        if value.dtype.kind == "f":
            had += " in foreign byte order"
    else:
        had = "None" if value is None else f"of type {type(value).__name__}"
        fix = f"float({name})" if isinstance(value, int | np.integer) else ""
    refuse(
        "AD402",
        f"cannot differentiate with respect to `{name}`: it is {had}",
        "only floating-point numbers and arrays have derivatives.",
        f"pass `{fix}`" if fix else f"choose another parameter than `{name}` in `wrt`",
    )


_ENDS = "pass values that are lists, dictionaries or tuples of others, and so on, to an end"


def refuse(code: str, title: str, why: str, fix: str | None = None) -> NoReturn:
    """Raise an `InputError` that points at the caller."""
    fixes = () if fix is None else (Fix(fix),)
    raise InputError(Diagnostic(code, title, caller_span(), why=why, fixes=fixes))
