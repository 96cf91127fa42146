"""`linearize`: the value of a function and its derivative at one point, as a linear function.

>>> y, f_jvp = run_linearize(recipe_of(lambda x, w: x * w, Options()), (2.0, 3.0), None)
>>> y, f_jvp(1.0, 10.0), f_jvp(0.0, 1.0)
(6.0, 23.0, 2.0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TypeAlias

import numpy as np

from adtrans import tree
from adtrans.analyses.kept import can_be_written
from adtrans.api.derived import as_called, recipe_of
from adtrans.api.kept_copies import copied
from adtrans.api.pullbacks import differentiable, form_of, recorded, run_vjp
from adtrans.api.pushforwards import apply, own
from adtrans.arguments.cotangents import conform, cotangent, zero_like
from adtrans.arguments.inputs import Target, check_arguments, leaves, refuse
from adtrans.arguments.object_trees import check_apart, planned, returned
from adtrans.diagnostics.errors import AdtransError
from adtrans.dispatch.compiled_version import Version, isolated
from adtrans.dispatch.exact_keys import exact_key
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options, Wrt
from adtrans.guards.captured import Captured
from adtrans.recorder.memory import STATE
from adtrans.runtime import AdjointMemory
from adtrans.source import MISSING

__all__ = ["Linear", "Options", "recipe_of", "run_linearize"]

Call: TypeAlias = "Callable[[dict[str, Any]], Any]"
_CODE = (FunctionType, BuiltinFunctionType, ModuleType, np.ufunc)


@dataclass(frozen=True, slots=True, repr=False)
class Linear:
    """Tangents of the arguments -> tangent of the result. May be called many times."""

    _call: Callable[[dict[str, Any]], Any]
    _forms: dict[str, Any]  # of the arguments that have tangents, by name

    def __repr__(self) -> str:
        return f"<linear function of the tangents of {', '.join(self._forms)}>"

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the result; None stands for zero."""
        if len(tangents) != len(self._forms):
            refuse("AD405", f"there are {len(self._forms)} arguments and {len(tangents)} tangents",
                   "each argument that is differentiated has one tangent.",
                   "None stands for zero")  # fmt: skip
        dots = {
            n: cotangent(dot, form, f"the tangent of `{n}`", f"`{n}`")
            for (n, form), dot in zip(self._forms.items(), tangents, strict=True)
        }
        return own(self._call(dots), dots)


def run_linearize(recipe: Recipe, primals: tuple[Any, ...], wrt: Wrt) -> tuple[Any, Linear]:
    """The value, and the linear function. The function itself is run once, at this point.

    Where running it again changes nothing, the pushforward does so for each direction; else the
    pullback, which is linear, is transposed.
    """
    recipe = as_called(recipe, wrt, len(primals), ())
    target = recipe.target
    values = target.arguments(primals, {})
    wrt = recipe.options.wrt if wrt is None else wrt
    given = target.params[len(target.bound) : len(target.bound) + len(primals)]
    names = differentiable(target, values, given) if wrt is None else target.select(wrt)
    check_arguments(target, values, names or given[:1])
    asked = given if wrt is None else names
    forms = {n: form_of(target.value(n, values)) for n in asked}
    check_apart(names)
    plan = planned({n: target.value(n, values) for n in names}, names)
    selected, names = names, names if plan is None else plan.names
    dispatcher = recipe.dispatcher(names, "pushforward")
    version = None
    if not STATE.runs and recipe.options.on_unfollowed != "always":
        try:
            version = dispatcher.version(values)
        except AdtransError as error:
            if not dispatcher.falls(error, exact_key(values)):
                raise
    found: tuple[Any, Call] | None = None
    if version is not None:
        plain = version.compiled.repeatable and _is_plain(values)
        again = plain and _stays(version.captured, target.fn)
        found = (_replayed(target, version, values, names) if again
                 else _transposed(recipe, values, names))  # fmt: skip
    if found is None:
        return _recorded(recipe, values, asked, forms)
    y, call = found
    if plan is None:
        return y, Linear(call, forms)
    parts = plan

    def by_attributes(dots: dict[str, Any]) -> Any:
        spread = parts.spread([dots[n] for n in selected])
        return call(dict(zip(parts.names, spread, strict=True)))

    return y, Linear(by_attributes, forms)


def _recorded(
    recipe: Recipe, values: tuple[Any, ...], names: tuple[str, ...], forms: dict[str, Any]
) -> tuple[Any, Linear]:
    """The pullback of a recorded run, which is linear, transposed."""
    from adtrans.recorder.run import Given, by_position, reverse

    y, back = recorded(recipe, values, differentiable(recipe.target, values, names), names)
    zero = zero_like(y)
    ran = reverse(back, (zero,), by_position, [Given(0)])

    def call(dots: dict[str, Any]) -> Any:
        return conform(ran.pull(tuple(dots[n] for n in names))[0], zero)

    return y, Linear(call, forms)


def _replayed(
    target: Target, version: Version, values: tuple[Any, ...], names: tuple[str, ...]
) -> tuple[Any, Call]:
    pushforward = isolated(version, 0)
    values = copied(values, values)  # the caller may change them from now on
    zeros = {n: zero_like(target.value(n, values)) for n in names}
    y, _ = apply(target, version, pushforward, values, zeros)

    def call(dots: dict[str, Any]) -> Any:
        return apply(target, version, pushforward, values, {n: dots[n] for n in names})[1]

    return copied(y, values), call


def _transposed(
    recipe: Recipe, values: tuple[Any, ...], names: tuple[str, ...]
) -> tuple[Any, Call] | None:
    """The pullback differentiated; None for one that finds adjoints by addresses, where the
    function may be recorded."""
    version = recipe.dispatcher(names).version(values)
    used = version.compiled.module.globals.values()
    if recipe.options.on_unfollowed == "record" and any(v is AdjointMemory for v in used):
        return None
    positional, keywords = recipe.target.call_form(values)
    try:
        given, residuals = version.functions[0](*positional, **keywords)
    except Exception as error:
        raise version.located(error)  # noqa: B904  # it is the same exception
    data = tuple(version.captured.data())
    residuals = copied(residuals, (given, values, data))
    value = returned(given, version.compiled.results).value
    form = tree.map(form_of, given)  # the caller may change the value
    result = returned(form, version.compiled.results)
    pullback = recipe_of(isolated(version), Options())
    _, back = run_vjp(pullback, (residuals, result.seeds(None)), 1)

    def call(dots: dict[str, Any]) -> Any:
        found = tuple(dots[n] for n in names)
        return result.tangent(back(found[0] if len(names) == 1 else found)[0])

    return value, call


def _stays(captured: Captured, fn: FunctionType) -> bool:
    """Whether what was captured is the same when `fn` runs again: not what containers hold,
    defaults, and attributes, which are looked up anew. Arrays in globals are copied, and defaults
    of `fn` itself are values of its parameters."""
    names = [value for value in captured.values() if value is not MISSING]
    if any(map(_is_container, names)) or any(captured.attributes()):
        return False
    return _is_plain(names) and not any(map(can_be_written, captured.defaults(fn)))


def _is_container(value: object) -> bool:
    return isinstance(value, list | tuple | dict) and can_be_written(value)


def _is_plain(value: Any) -> bool:
    """Whether copies of arrays are all it takes to keep a value as it is."""
    kinds = (np.ndarray, np.generic, int, float, str, bytes, type(None), type, *_CODE)
    return all(isinstance(leaf, kinds) for leaf in leaves(value))
