"""`jvp`: the value of a function and its derivative along a direction.

>>> run_jvp(recipe_of(lambda x, w: x * w, Options()), (2.0, 3.0), (1.0, None), None)
(6.0, 3.0)
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.api.derived import as_called, callee, recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.mixed import Mixed, either, words
from adtrans.arguments.cotangents import conform, cotangent, laid_as, zero_like
from adtrans.arguments.inputs import Target, check_arguments, refuse
from adtrans.arguments.object_trees import Plan, check_apart, planned, returned
from adtrans.diagnostics.errors import AdtransError
from adtrans.dispatch.compiled_version import Version
from adtrans.dispatch.exact_keys import exact_key
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options, Wrt
from adtrans.recorder.memory import STATE

__all__ = ["Options", "recipe_of", "run_hvp", "run_jvp"]


def run_jvp(
    recipe: Recipe, primals: tuple[Any, ...], tangents: tuple[Any, ...], wrt: Wrt
) -> tuple[Any, Any]:
    """The value and its tangent; `tangents` has one for each primal, or for each of `wrt`."""
    recipe = as_called(recipe, wrt, _count(primals), ())
    values, dots = directions(recipe, primals, tangents, wrt)
    y, y_dot = push(recipe, values, dots)
    return y, own(y_dot, dots)


def _count(primals: object) -> int:
    return len(primals) if isinstance(primals, tuple | list) else 0


def own(found: Any, dots: dict[str, Any]) -> Any:
    """A tangent with copies of what it shares with those that were passed: both can be written."""
    given = [leaf for leaf in tree.leaves(dots) if isinstance(leaf, np.ndarray)]

    def shares(leaf: Any) -> bool:
        return isinstance(leaf, np.ndarray) and any(np.may_share_memory(leaf, g) for g in given)

    if not any(map(shares, tree.leaves(found))):
        return found
    return tree.map(lambda leaf: leaf.copy("K") if shares(leaf) else leaf, found)


def run_hvp(
    recipe: Recipe, primals: tuple[Any, ...], tangents: tuple[Any, ...], wrt: Wrt, *,
    has_aux: bool = False,
) -> Any:  # fmt: skip
    """The tangent of the gradient; with what the function returns beside its value."""
    recipe = as_called(recipe, wrt, _count(primals), ())
    gradient = Gradient(recipe, wrt, has_aux, with_value=False)
    found, dot = run_jvp(recipe_of(gradient, recipe.options), primals, tangents, wrt)
    return (dot[0], found[1]) if has_aux else dot


def directions(
    recipe: Recipe, primals: tuple[Any, ...], tangents: tuple[Any, ...], wrt: Wrt
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The values of all parameters, and the tangents of those that have one, checked."""
    target = recipe.target
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        refuse("AD410", "`primals` and `tangents` are tuples", "one item for each argument.",
               "write `jvp(f, (x, w), (x_dot, w_dot))`")  # fmt: skip
    values = target.arguments(tuple(primals), {})
    table: dict[str, Any] = dict(zip(target.params, values, strict=True))
    given = target.params[len(target.bound) : len(target.bound) + len(primals)]
    wrt = recipe.options.wrt if wrt is None else wrt
    names = given if wrt is None else target.select(wrt)
    if len(tangents) != len(names):
        named = "" if wrt is None else f" in `wrt` ({', '.join(f'`{n}`' for n in names)})"
        refuse("AD405", f"there are {len(names)} arguments{named} and {len(tangents)} tangents",
               "each argument that is differentiated has one tangent.",
               "None stands for zero")  # fmt: skip
    dots = dict(zip(names, tangents, strict=True))
    if wrt is None:
        names = tuple(n for n in names if dots[n] is not None)
    check_arguments(target, values, names)
    table.update({n: target.value(n, values) for n in names if n not in table})
    return values, {
        n: cotangent(dots[n], table[n], f"the tangent of `{n}`", f"`{n}`") for n in names
    }


def push(recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]) -> tuple[Any, Any]:
    """The value and its tangent, for checked tangents of some parameters."""
    target = recipe.target
    if not dots:
        positional, keywords = target.call_form(values)
        y = target.fn(*positional, **keywords)
        return y, zero_like(y)
    dispatcher, key = recipe.dispatcher(tuple(dots), "pushforward"), exact_key(values)
    always = STATE.runs or recipe.options.on_unfollowed == "always"
    if always or dispatcher.is_unfollowed(key):
        return _recorded(recipe, values, dots)
    try:
        return _compiled(recipe, values, dots)
    except NotCompiled as stopped:
        if not stopped.undone and not dispatcher.falls(stopped.error, key):
            raise stopped.error from None
    # not in the handler, which code of the user's would see
    return _recorded(recipe, values, dots)


class NotCompiled(Exception):
    """A pushforward that could not be compiled; nothing has run that can be seen. `undone`: it ran
    until a check failed."""

    def __init__(self, error: AdtransError, *, undone: bool = False) -> None:
        super().__init__(str(error))
        self.error, self.undone = error, undone


def _recorded(recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]) -> tuple[Any, Any]:
    """The value and its tangent from a recorded run."""
    from adtrans.recorder import recorded_modes

    return recorded_modes.run_forward(callee(recipe), recipe.target, values, dots, recipe.options)


def _compiled(recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]) -> tuple[Any, Any]:
    target = recipe.target
    if isinstance(recipe.origin, Gradient) and (found := _by_parts(recipe, values, dots)):
        return found
    plan = _plan(target, values, tuple(dots))
    table = {n: target.value(n, values) for n in dots}
    dots = {n: laid_as(dot, table[n]) for n, dot in dots.items()}
    if plan is not None:
        dots = dict(zip(plan.names, plan.spread(tuple(dots.values())), strict=True))
    try:
        version = either(recipe, values, dots)
    except AdtransError as error:
        raise NotCompiled(error) from None
    held = recipe.origin.outlined(values) if isinstance(recipe.origin, Gradient) else []
    try:
        if isinstance(version, Mixed):
            return version.run()
        y, y_dot = apply(target, version, version.functions[0], values, dots)
    except AdtransError as error:
        if version.gives_way(error, recipe.options):
            raise NotCompiled(error, undone=True) from error
        raise
    if isinstance(recipe.origin, Gradient):
        y = recipe.origin.in_form(y, held)
        y_dot = conform(y_dot, y)
    return y, y_dot


def _plan(target: Target, values: tuple[Any, ...], names: tuple[str, ...]) -> Plan | None:
    table = dict(zip(target.params, values, strict=True))
    table.update({n: target.value(n, values) for n in names if n not in table})
    check_apart(names)
    return planned(table, names)


def _by_parts(
    recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]
) -> tuple[Any, Any] | None:
    """The tangent of a gradient by objects, from that by their attributes; None if by none."""
    by_parts = by_attributes(recipe, values)
    if by_parts is recipe:
        return None
    y, y_dot = push(by_parts, values, dots)
    return in_objects(recipe, values, y), in_objects(recipe, values, y_dot)


def in_objects(recipe: Recipe, values: tuple[Any, ...], found: Any) -> Any:
    """The gradient by objects, from what the function of `by_attributes` returns."""
    whole = recipe.origin
    if not isinstance(whole, Gradient):
        return found
    plan = _plan(whole.recipe.target, values, whole.wrt)
    if plan is None:
        return found
    first, second = found if whole.has_aux or whole.with_value else (None, found)
    gradients = plan.assembled(first if whole.has_aux and not whole.with_value else second)
    gradient = gradients[0] if whole.single else gradients
    if whole.with_value:
        return first, gradient
    return (gradient, second) if whole.has_aux else gradient


def by_attributes(recipe: Recipe, values: tuple[Any, ...]) -> Recipe:
    """That of the gradient by the attributes, for a gradient by objects; others as they are."""
    whole = recipe.origin
    if not isinstance(whole, Gradient):
        return recipe
    plan = _plan(whole.recipe.target, values, whole.wrt)
    if plan is None:
        return recipe
    parts = Gradient(whole.recipe, plan.names, whole.has_aux, with_value=whole.with_value)
    return recipe_of(parts, recipe.options)


def apply(
    target: Target, version: Version, pushforward: FunctionType, values: tuple[Any, ...],
    dots: dict[str, Any],
) -> tuple[Any, Any]:  # fmt: skip
    """Run a pushforward."""
    positional, keywords = target.call_form(values)
    seeds = words(target, version, pushforward, dots)
    try:
        found, found_dot = pushforward(*positional, **keywords, **seeds)
    except Exception as error:
        raise version.located(error)  # noqa: B904  # it is the same exception
    result = returned(found, version.compiled.results)
    return result.value, result.tangent(found_dot)
