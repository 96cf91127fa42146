"""What can be done with a derivative: gradients, pullbacks that are kept, tangents.

Everything here works on a `Recipe`: a function, the options, and the compiled versions so far.

>>> import numpy as np
>>> def f(x, w): return np.sum(x * w)
>>> recipe = recipe_of(f, Options())
>>> run_vjp(recipe, (np.array([1.0, 2.0]), 3.0), None)[1](1.0)
(array([3., 3.]), 3.0)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from adtrans.annotations import kinds_of_annotations
from adtrans.cotangents import conform, cotangent, zero_like
from adtrans.diagnostics.errors import CompileError, MutationError
from adtrans.dispatch import Dispatcher, FunctionFor, Version, exact_key, isolated
from adtrans.emit.load import load
from adtrans.inputs import (
    Target,
    carries_derivative,
    check_arguments,
    check_overlap,
    refuse,
    target_of,
)
from adtrans.ir.kinds import Array, Kind, Known, Scalar, TupleOf
from adtrans.options import Options, Wrt
from adtrans.pipeline import Compiled, Mode

_NUMBER = (float, np.float64)
_ONE = np.float64(1.0)
_FLOATS = ("float16", "float32", "float64", "longdouble")
_ndarray = np.ndarray
_PLAIN = (int, float, complex, str, bytes, np.generic, type, ModuleType, FunctionType, type(None))


@dataclass(slots=True)
class Family:
    """All that was compiled of one function, by selection, mode and options."""

    fn: FunctionType
    members: dict[object, Dispatcher] = field(default_factory=dict)
    last: dict[Options, Dispatcher] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def __reduce__(self) -> tuple[object, ...]:
        return _no_family, ()  # a pickled or copied function starts with nothing compiled


def _no_family() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function to differentiate and how."""

    target: Target
    options: Options
    family: Family
    function_for: FunctionFor | None = None

    def dispatcher(
        self, wrt: tuple[str, ...], mode: Mode = "pullback", finals: tuple[str, ...] = ()
    ) -> Dispatcher:
        """The versions for this selection of parameters."""
        options = replace(self.options, wrt=None)
        key = (options, wrt, mode, finals)
        with self.family.lock:
            found = self.family.members.get(key)
            if found is None:
                found = Dispatcher(self.target, options, wrt, mode, finals, self.function_for)
                self.family.members[key] = found
            self.family.last[options] = found
        return found

    def select(self, wrt: Wrt = None) -> tuple[str, ...]:
        """The names of the parameters that are differentiated."""
        return self.target.select(self.options.wrt if wrt is None else wrt)

    def latest(self) -> Compiled:
        """What was compiled last; before the first call, a version for what annotations say."""
        last = self.family.last.get(replace(self.options, wrt=None))
        if last is not None and last.last is not None:
            return last.last.compiled
        return self.general().compiled

    def general(self) -> Version:
        """The version for what the annotations say."""
        kinds = kinds_of_annotations(self.target.fn)
        return self.dispatcher(self.select()).general(kinds)


def recipe_of(fn: object, options: Options, *, method: bool = False) -> Recipe:
    """The recipe for a callable; what was compiled for the same function before is found again."""
    if isinstance(fn, Gradient):
        target = fn.recipe.target
        return Recipe(target, options, fn.family, fn.function_for)
    target = target_of(fn, method=method)
    family = target.fn.__dict__.get("__adtrans__")
    if not isinstance(family, Family) or family.fn is not target.fn:
        family = target.fn.__dict__["__adtrans__"] = Family(target.fn)
    return Recipe(target, options, family)


class Gradient:
    """`grad` or `value_and_grad` of a function, ready to be called with its arguments."""

    def __init__(self, recipe: Recipe, wrt: Wrt, has_aux: bool, with_value: bool) -> None:
        self.recipe = recipe
        self.has_aux, self.with_value = has_aux, with_value
        self.wrt = recipe.select(wrt)
        self.single = len(self.wrt) == 1 and not isinstance(
            recipe.options.wrt if wrt is None else wrt, tuple
        )
        self.at = tuple(recipe.target.params.index(name) for name in self.wrt)
        self.dispatcher = recipe.dispatcher(self.wrt)
        self.exact = self.dispatcher.exact
        self.simple = recipe.target.simple
        self.count = len(recipe.target.params)
        fn = recipe.target.fn
        what = "value_and_grad" if with_value else "grad"
        self.__name__ = f"{what}_of_{fn.__name__}"
        self.__qualname__ = self.__name__
        self.__module__ = fn.__module__
        by = ", ".join(f"`{name}`" for name in self.wrt)
        self.__signature__ = recipe.target.public_signature()
        self.family = Family(fn)
        self.__doc__ = f"The gradient of `{fn.__name__}` with respect to {by}."

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != self.count:
            args = self.recipe.target.arguments(args, kwargs)
        version = self.exact.get(exact_key(args))
        if version is None or not version.captured.holds():
            version = self.dispatcher.version(args)
            self.check_result_kind(version)
        elif version.written:
            check_overlap(self.recipe.target, args, version.written, version.captured.data())
        forward, pullback = version.functions
        if self.simple:
            y, residuals = forward(*args)
        else:
            positional, keywords = self.recipe.target.call_form(args)
            y, residuals = forward(*positional, **keywords)
        seed: Any = 1.0 if type(y) is float else _ONE
        if self.has_aux:
            seed = self.seed_with_aux(y)
        elif type(y) not in _NUMBER:
            seed = self.seed(y)
        found = pullback(residuals, seed)
        if len(self.at) == 1:
            gradient = _conform(found, args[self.at[0]])
            gradient = gradient if self.single else (gradient,)
        else:
            gradient = tuple([_conform(g, args[k]) for g, k in zip(found, self.at)])  # noqa: B905
        if self.with_value:
            return y, gradient
        return (gradient, y[1]) if self.has_aux else gradient

    def function_for(self, kinds: dict[str, Kind]) -> FunctionType:
        """The gradient as one function, for arguments of these kinds; to differentiate it again."""
        if self.has_aux or not self.simple:
            refuse(
                "AD410",
                f"`{self.__name__}` cannot be differentiated again",
                "it has `has_aux`, or parameters without a position",
            )
        version = self.dispatcher.compile(kinds)
        forward, pullback = (f.__name__ for f in version.functions)
        kind = version.compiled.facts.kinds.result
        seed = "1.0"
        if isinstance(kind, Scalar) and kind.dtype in _FLOATS:
            seed = f"np.{kind.dtype}(1.0)"
        result = f"{pullback}(residuals, {seed})"
        if not self.single and len(self.wrt) == 1:
            result = f"({result},)"
        args = ", ".join(self.recipe.target.params)
        lines = [
            f"def {self.__name__}({args}):",
            f"    y, residuals = {forward}({args})",
            f"    return {f'y, {result}' if self.with_value else result}",
        ]
        names = {"np": np, **{f.__name__: f for f in version.functions}}
        return load("\n".join(lines) + "\n", self.__name__, names)[self.__name__]

    def seed(self, y: Any) -> Any:
        """The cotangent 1 for a result that is one number; AD404 for any other."""
        if isinstance(y, float | np.floating):
            return type(y)(1.0)
        if isinstance(y, np.ndarray) and y.ndim == 0 and y.dtype.kind == "f":
            return np.ones((), y.dtype)
        if type(y) is int and self.may_be_float():
            return 1.0  # such as `return 0` beside `return np.sum(x)`
        self.refuse_result(y)

    def seed_with_aux(self, y: Any) -> tuple[Any, Any]:
        """The cotangent of a result `(value, aux)`: 1 and zeros."""
        if not isinstance(y, tuple) or len(y) != 2:
            refuse(
                "AD404",
                f"`{self.recipe.target.fn.__name__}` does not return `(value, aux)`",
                f"`has_aux=True` was given, and the result is {_described(y)}.",
                "return a tuple of two, or leave out `has_aux`",
            )
        return self.seed(y[0]), zero_like(y[1])

    def may_be_float(self) -> bool:
        """Whether the analysis saw a result that is no integer."""
        last = self.dispatcher.last
        kind = last.compiled.facts.kinds.result if last is not None else None
        if self.has_aux and isinstance(kind, TupleOf):
            kind = kind.items[0]
        return not (isinstance(kind, Scalar) and kind.type in ("int", "bool"))

    def check_result_kind(self, version: Version) -> None:
        """Refuse, before anything runs, a function whose result is certainly not a number."""
        kind = version.compiled.facts.kinds.result
        if self.has_aux:
            return
        if isinstance(kind, TupleOf | Known) or (isinstance(kind, Array) and kind.ndim):
            self.refuse_result(kind)

    def refuse_result(self, y: Any) -> Any:
        what = _described(y)
        name = self.recipe.target.fn.__name__
        advice = "use `ad.vjp` with a cotangent for the result, or return `np.sum(...)` of it"
        if isinstance(y, tuple | TupleOf):
            advice += "; `has_aux=True` is for results of the form (value, other things)"
        refuse(
            "AD404",
            f"`{name}` does not return one floating-point number",
            f"a gradient belongs to one number, and the result is {what}.",
            advice,
        )


def _conform(found: Any, like: Any) -> Any:
    cls = type(found)
    if cls is type(like) and (
        cls is float or (cls is _ndarray and found.dtype == like.dtype and found.flags.forc)
    ):
        return found
    return conform(found, like)


def _described(y: Any) -> str:
    if isinstance(y, np.ndarray):
        return f"an array of {y.dtype} and shape {y.shape}"
    if isinstance(y, TupleOf | tuple):
        return f"a tuple of {len(y.items if isinstance(y, TupleOf) else y)}"
    if isinstance(y, Array):
        return f"an array, {y}"
    if isinstance(y, Known):
        return y.name
    return "None" if y is None else f"of type {type(y).__name__}"


# -- pullbacks that outlive the call -------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Pullback:
    """The second half of `vjp`: cotangent of the result -> gradients. May be called many times."""

    _call: Callable[..., tuple[Any, ...]]
    _value: Any  # of the form of the result
    _forms: tuple[Any, ...]  # of the forms of the differentiated arguments
    _selected: tuple[int | None, ...]  # which gradients are returned
    _finals: Mapping[str, Any]  # the forms of the arguments whose final contents count
    _watch: list[tuple[Mapping[str, object], str, object, Any]]
    _refused: Mapping[str, CompileError]  # why the final contents of others do not count

    def __call__(self, y_bar: Any, final: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """The gradients for this cotangent; `final` gives cotangents of written arguments."""
        seed = cotangent(y_bar, self._value)
        bars = self._final_bars(final or {})
        for table, name, value, contents in self._watch:
            now: Any = table.get(name)
            if now is not value or (contents is not None and not np.array_equal(now, contents)):
                raise MutationError(
                    f"`{name}` was changed between `vjp` and its pullback, which needs it"
                )
        found = self._call(seed, *bars)
        return tuple(
            [None if at is None else conform(found[at], self._forms[at]) for at in self._selected]
        )

    def _final_bars(self, final: Mapping[str, Any]) -> list[Any]:
        for name in final:
            if name not in self._finals:
                if name in self._refused:
                    raise self._refused[name]
                known = ", ".join(f"`{n}`" for n in self._finals) or "none"
                refuse(
                    "AD411",
                    f"`final` names `{name}`, which is no argument that the function writes",
                    f"the arguments whose final contents carry a derivative: {known}.",
                    "leave it out",
                )
        return [
            cotangent(final.get(n), v, f"final[{n!r}]", f"the final `{n}`")
            for n, v in self._finals.items()
        ]


def run_vjp(
    recipe: Recipe, primals: tuple[Any, ...], wrt: Wrt, kwargs: Mapping[str, Any] | None = None
) -> tuple[Any, Pullback]:
    """The value, and the pullback: a tuple over `wrt`, or over all primals where that is None."""
    target = recipe.target
    values = target.arguments(primals, kwargs or {})
    wrt = recipe.options.wrt if wrt is None else wrt
    given = target.params[len(target.bound) : len(target.bound) + len(primals)]
    names = _differentiable(target, values, given) if wrt is None else target.select(wrt)
    if not names:
        check_arguments(target, values, given[:1])
    version, why = _with_finals(recipe, values, names)
    positional, keywords = target.call_form(values)
    y, residuals = version.functions[0](*positional, **keywords)
    table = dict(zip(target.params, values, strict=True))
    call = isolated(version)
    captured = (value for _, value in version.captured.data())
    outside = list(_arrays((y, values, tuple(captured)), set()))
    residuals = _copied(residuals, outside, {})
    count = len(names) + len([n for n in version.finals if n not in names])

    def pull(*seeds: Any) -> tuple[Any, ...]:
        found = call(residuals, *seeds)
        return found if count > 1 else (found,)

    wanted = given if wrt is None else names
    refused = {} if why is None else dict.fromkeys(_float_arrays(target, values), why)
    return y, Pullback(
        pull,
        _form_of(y),
        tuple(_form_of(table[n]) for n in names),
        tuple(names.index(n) if n in names else None for n in wanted),
        {n: _form_of(table[n]) for n in version.finals},
        _watched(version),
        refused,
    )


def _form_of(value: Any) -> Any:
    """Something of the type, shape and dtype of `value` that needs no memory."""
    if type(value) is np.ndarray:
        return np.broadcast_to(np.zeros((), value.dtype), value.shape)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_form_of(v) for v in value)
    if isinstance(value, list):
        return [_form_of(v) for v in value]
    if isinstance(value, dict):
        return {k: _form_of(v) for k, v in value.items()}
    return value


def _with_finals(
    recipe: Recipe, values: tuple[Any, ...], wrt: tuple[str, ...]
) -> tuple[Version, CompileError | None]:
    """A version whose pullback takes final contents too, unless only that stands in the way."""
    finals = _float_arrays(recipe.target, values)
    if finals:
        try:
            return recipe.dispatcher(wrt, finals=finals).version(values), None
        except CompileError as error:
            why = error
        return recipe.dispatcher(wrt).version(values), why
    return recipe.dispatcher(wrt).version(values), None


def _float_arrays(target: Target, values: tuple[Any, ...]) -> tuple[str, ...]:
    pairs = zip(target.params, values, strict=True)
    return tuple(n for n, v in pairs if type(v) is np.ndarray and v.dtype.kind == "f")


def _differentiable(
    target: Target, values: tuple[Any, ...], given: tuple[str, ...]
) -> tuple[str, ...]:
    """The parameters that carry a derivative, among those that were passed."""
    table = dict(zip(target.params, values, strict=True))
    return tuple(n for n in given if n in target.visible and carries_derivative(table[n]))


def _arrays(value: Any, seen: set[int]) -> Iterator[np.ndarray[Any, Any]]:
    """Every array that can be reached through containers and the attributes of objects."""
    if isinstance(value, np.ndarray):
        yield value
        return
    if isinstance(value, _PLAIN) or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict):
        value = tuple(value.values())
    elif not isinstance(value, tuple | list | set | frozenset):
        value = tuple(getattr(value, "__dict__", {}).values())
    for item in value:
        yield from _arrays(item, seen)


def _copied(value: Any, outside: list[np.ndarray[Any, Any]], done: dict[int, Any]) -> Any:
    """`value` with copies of the arrays in it that the caller can write to, and of its lists."""
    if isinstance(value, np.ndarray):
        if id(value) not in done:
            shared = any(np.may_share_memory(value, a) for a in outside)
            done[id(value)] = value, (value.copy("K") if shared else value)
        return done[id(value)][1]
    if isinstance(value, list):
        if id(value) not in done:
            done[id(value)] = value, [_copied(v, outside, done) for v in value]
        return done[id(value)][1]
    if isinstance(value, tuple) and value:
        items = [_copied(v, outside, done) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, dict):
        return {k: _copied(v, outside, done) for k, v in value.items()}
    return value


def _watched(version: Version) -> list[tuple[Mapping[str, object], str, object, Any]]:
    """The data that the pullback reads as attributes of modules and classes, arrays with a copy."""
    found = []
    for table, name, value in version.captured.attributes():
        if any(name in f.__code__.co_names for f in version.compiled.functions.values()):
            contents = value.copy() if isinstance(value, np.ndarray) else None
            found.append((table, name, value, contents))
    return found


# -- tangents ------------------------------------------------------------------------------------


def run_jvp(
    recipe: Recipe, primals: tuple[Any, ...], tangents: tuple[Any, ...], wrt: Wrt
) -> tuple[Any, Any]:
    """The value and its tangent; `tangents` has one for each primal, or for each of `wrt`."""
    target = recipe.target
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        refuse("AD410", "`primals` and `tangents` are tuples", "one item for each argument.",
               "write `jvp(f, (x, w), (x_dot, w_dot))`")  # fmt: skip
    values = target.arguments(tuple(primals), {})
    table = dict(zip(target.params, values, strict=True))
    given = target.params[len(target.bound) : len(target.bound) + len(primals)]
    wrt = recipe.options.wrt if wrt is None else wrt
    names = given if wrt is None else target.select(wrt)
    if len(tangents) != len(names):
        refuse("AD405", f"there are {len(names)} arguments and {len(tangents)} tangents",
               "each argument that is differentiated has one tangent.",
               "None stands for zero")  # fmt: skip
    dots = dict(zip(names, tangents, strict=True))
    if wrt is None:
        names = tuple(n for n in names if dots[n] is not None)
    check_arguments(target, values, names)
    dots = {n: cotangent(dots[n], table[n], f"the tangent of `{n}`", f"`{n}`") for n in names}
    if not names:
        y = target.fn(*target.call_form(values)[0], **target.call_form(values)[1])
        return y, zero_like(y)
    version = recipe.dispatcher(names, "pushforward").version(values)
    (pushforward,) = version.functions
    positional, keywords = target.call_form(values)
    for n in version.written & dots.keys():  # the tangent of what is written is written, too
        dots[n] = _copied(dots[n], list(_arrays(dots[n], set())), {})
    seeds = dict(zip(_tangent_names(target, pushforward), _ordered(target, dots), strict=True))
    y, y_dot = pushforward(*positional, **keywords, **seeds)
    return y, conform(y_dot, y)


def _tangent_names(target: Target, pushforward: Callable[..., Any]) -> tuple[str, ...]:
    """The keyword parameters that take tangents, in the order of the function's parameters."""
    code = cast(FunctionType, pushforward).__code__
    words = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return tuple(w for w in words if w not in target.params)


def _ordered(target: Target, dots: dict[str, Any]) -> list[Any]:
    return [dots[n] for n in target.params if n in dots]
