"""`checkpoint`: a part of a program that is computed again in the pullback, instead of kept.

>>> import numpy as np
>>> import adtrans as ad
>>> @checkpoint
... def block(x):
...     for _ in range(10):
...         x = np.sin(x) * x
...     return x
>>> ad.grad(lambda x: np.sum(block(x)))(np.array([0.5])).shape
(1,)
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from adtrans import tree
from adtrans.analyses.refused.undeclared import may_not_run_again
from adtrans.api.derived import recipe_of
from adtrans.api.pullbacks import differentiable
from adtrans.api.pushforwards import push
from adtrans.api.user_rules import Given, declare
from adtrans.arguments.cotangents import conform
from adtrans.arguments.inputs import Target, refuse
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.dispatch.compiled_version import Version
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options
from adtrans.driver.run_again import spoken_name
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.ir.kinds import Kind, is_differentiable
from adtrans.rules import lookup
from adtrans.rules.formula import formal_names

P = ParamSpec("P")
R = TypeVar("R")


@overload
def checkpoint(fn: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def checkpoint(*, on_overwrite: str = "refuse") -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def checkpoint(fn: Any = None, /, *, on_overwrite: str = "refuse") -> Any:
    """The same function, of which a pullback keeps the arguments alone.

    What its derivative needs beside them is computed again when the pullback comes to it: less
    memory for more time. `on_overwrite` is the option for the function itself. Of a method, the
    object is an argument: `ad.checkpoint(model.step)(x)`, and `@ad.checkpoint` in a class.

    Raises:
        CompileError: AD413, when it is differentiated, if the function may not run twice: it
            prints, draws random numbers, or writes into its arguments or what outlives it.
    """
    if fn is None:
        return functools.partial(checkpoint, on_overwrite=on_overwrite)
    options = Options(on_overwrite=on_overwrite)  # type: ignore[arg-type]  # it is checked there
    if isinstance(fn, functools.partial):
        made = checkpoint(on_overwrite=on_overwrite)(fn.func)
        return functools.partial(made, *fn.args, **fn.keywords)
    if (rule := lookup(fn)) is not None and rule.custom is None:
        return fn  # `np.sin`: its arguments or its result are all that is ever kept
    recipe = recipe_of(fn, options)
    target = recipe.target
    if len(target.bound) == 1 and not target.keywords:
        return _of_method(target.fn, target.bound[0], options)
    kinds = {p.kind for p in target.signature.parameters.values()}
    if target.bound or target.keywords or not kinds <= {
        inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.KEYWORD_ONLY,
    }:  # fmt: skip
        refuse(
            "AD410",
            f"`{target.fn.__name__}` cannot be a checkpoint",
            "it collects arguments, or some are bound already",
            "make it a function of its own",
        )
    return _made(fn, recipe, f"`{spoken_name([target.fn])}`")


def _made(fn: Any, recipe: Recipe, spoken: str) -> Any:
    """The checkpoint of a function without anything bound."""
    target = recipe.target

    @functools.wraps(fn)
    def again(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    pullback = Recomputed(recipe)
    again.__dict__.update(
        recomputed=pullback,
        __differentiates__=target.fn,
        stands_for=spoken,
        __signature__=inspect.signature(fn),
        reads_only=True,
    )
    given = Given(
        pullback=pullback, pushforward=Pushed(recipe), of=target.fn, formal=True, again=fn
    )
    declare(again, None, given)
    return again


_OF_METHODS: dict[tuple[FunctionType, Options], Any] = {}


def _of_method(fn: FunctionType, owner: object, options: Options) -> types.MethodType:
    """The method of an object, of which all objects of the class share the function."""
    key = fn, options
    if key not in _OF_METHODS:
        _OF_METHODS[key] = checkpoint(on_overwrite=options.on_overwrite)(fn)
    return types.MethodType(_OF_METHODS[key], owner)


class Recomputed:
    """The pullback of a function that is run again first."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.runs_again = recipe.target.fn
        self.names = recipe.target.params
        self.formal = formal_names(self.names)
        self.__signature__ = _signature("y_bar", *self.formal.values())

    def is_repeatable(self, values: tuple[Any, ...]) -> bool:
        """Whether it is known that the function may run twice with these values.

        Raises:
            AdtransError: it is not.
        """
        if len(values) != len(self.names):
            return False
        version = self.recipe.dispatcher(_numbers(self.recipe.target, values)).version(values)
        check_repeatable(version)
        return True

    def __call__(self, y_bar: Any, *values: Any) -> tuple[Any, ...]:
        target = self.recipe.target
        names = _numbers(target, values)
        version = self.recipe.dispatcher(names).version(values)
        check_repeatable(version)
        positional, keywords = target.call_form(values)
        _, residuals = version.functions[0](*positional, **keywords)
        found = version.functions[1](residuals, y_bar)
        bars = dict(zip(names, found if len(names) > 1 else (found,), strict=True))
        return tuple(bars.get(n) for n in target.params)

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        """The same as one function, for arguments of these kinds."""
        target = self.recipe.target
        own = {n: kinds[self.formal[n]] for n in self.names}
        names = tuple(n for n in self.names if is_differentiable(own[n]))
        version = self.recipe.dispatcher(names).compile(own)
        check_repeatable(version)
        local = Words({*self.formal.values(), "y_bar", "recomputed"})
        forward, pullback = (local.of(f.__name__, f) for f in version.functions)
        value, residuals = local.y, local.residuals
        bars = {n: local[f"{n}_adjoint"] for n in names}
        by_name = inspect.Parameter.KEYWORD_ONLY
        args = ", ".join(
            f"{n}={self.formal[n]}" if p.kind is by_name else self.formal[n]
            for n, p in target.signature.parameters.items()
        )
        made = ", ".join(bars.get(n, "None") for n in self.names)
        text = "\n".join([
            f"def recomputed(y_bar, {', '.join(self.formal.values())}):",
            f"    {value}, {residuals} = {forward}({args})",
            f"    {', '.join(bars.values())} = {pullback}({residuals}, y_bar)",
            f"    return ({made},)\n" if len(self.names) > 1 else f"    return {made}\n",
        ])  # fmt: skip
        return load(text, "recomputed", local.objects)["recomputed"]


class Pushed:
    """The pushforward of such a function where it is not followed, as one that another function
    gets as an argument: it is run again, too."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.names = recipe.target.params
        formal = formal_names(self.names).values()
        self.__signature__ = _signature(*(f"{n}_dot" for n in formal), *formal)

    def __call__(self, *given: Any) -> Any:
        n = len(self.names)
        target, values = self.recipe.target, given[n:]
        names = _numbers(target, values)
        dots = dict(zip(self.names, given[:n], strict=True))
        table = dict(zip(self.names, values, strict=True))
        forms = {k: conform(_as_parts(dots[k], table[k]), table[k]) for k in names}
        check_repeatable(self.recipe.dispatcher(names, "pushforward").version(values))
        return push(self.recipe, values, forms)[1]


def _as_parts(dot: Any, value: Any) -> Any:
    """A tangent as the value is made up: one of a list that does not vary comes as an array."""
    return list(dot) if isinstance(value, list) and isinstance(dot, np.ndarray) else dot


def check_repeatable(version: Version, taker: str = "") -> None:
    """Refuse a function that does something beside computing its result; `taker`: what it is
    handed to."""
    if not version.compiled.repeatable:
        raise not_again(version.compiled.member.source.fn, taker)


def not_again(fn: FunctionType, taker: str = "") -> CompileError:
    """The error where a function does something beside computing its result, and is run again."""
    code = fn.__code__
    place = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
    return CompileError(may_not_run_again(f"`{spoken_name([fn])}`", place, taker))


def _numbers(target: Target, values: tuple[Any, ...]) -> tuple[str, ...]:
    """The differentiated parameters. Objects that a rule takes whole count as constants."""
    objects = {n for n, v in zip(target.params, values, strict=True) if tree.is_object(v)}
    return tuple(n for n in differentiable(target, values, target.params) if n not in objects)


def _signature(*names: str) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(n, kind) for n in names])
