"""The tangent of a gradient, as the gradient of a tangent: reverse over forward.

A gradient is differentiated by the pushforward of its source. That source changes structures of
adjoints where the function builds structures, and not all of that has a pushforward. The
pushforward of the function itself is a program of the same form as the function; and second
derivatives are symmetric, so that the gradient of the tangent along a direction is the tangent of
the gradient along it. So a gradient that cannot be differentiated again is taken in this order.

>>> def f(x):
...     return x * x * x
>>> gradient = Gradient(recipe_of(f, Options()), None, has_aux=False, with_value=False)
>>> mixed = prepared(recipe_of(gradient, Options()), (2.0,), {"x": 1.0})
>>> mixed.run()
(12.0, 12.0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.api.derived import OtherOrder, recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.kept_copies import copied
from adtrans.api.pullbacks import form_of
from adtrans.arguments.cotangents import conform
from adtrans.arguments.inputs import Target
from adtrans.arguments.object_trees import Result, returned
from adtrans.diagnostics.errors import AdtransError, CompileError, DerivativeError
from adtrans.dispatch.compiled_version import DEFECTS, Version
from adtrans.dispatch.exact_keys import exact_key
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options
from adtrans.recorder.memory import STATE

__all__ = ["Mixed", "Options", "either", "is_repeatable", "prepared", "words"]


@dataclass(frozen=True, slots=True)
class Mixed:
    """A gradient, the pushforward of its function, and the derivative of that with its arguments.

    `values` are those of the parameters of the function.
    """

    gradient: Gradient
    values: tuple[Any, ...]
    pushed: Version
    target: Target
    version: Version
    given: tuple[Any, ...]

    def run(self) -> tuple[Any, Any]:
        """The gradient and its tangent.

        Raises:
            DerivativeError: where the function may run only once, and its gradient has no value.
        """
        whole = self.gradient
        held = self.gradient.outlined(self.values)
        once = not self.pushed.compiled.repeatable
        before = None if once else whole.run(self.values)
        forms = tuple(map(form_of, held))
        found, residuals = self.forward()
        both = returned(found, self.version.compiled.results)
        first, first_dot = both.value
        outer = returned(first, self.pushed.compiled.results)
        y, y_dot = outer.value, outer.tangent(first_dot)
        one = whole.seed_with_aux(y)[0] if whole.has_aux else whole.seed(y)

        def gradient(at: int) -> tuple[Any, ...]:
            seed = (one, None) if whole.has_aux else one
            seed = (seed, *[None] * outer.count) if outer.count else seed
            return self.pull(residuals, both, (None, seed) if at else (seed, None), forms)

        tangent = self._formed(y_dot, gradient(1))
        if not once:
            return before, conform(tangent, before)
        parts = gradient(0)
        if any(np.isnan(leaf).any() for leaf in tree.leaves(parts) if tree.carries(leaf)):
            # zero times a second derivative that is infinite, perhaps
            raise DerivativeError("the gradient is not a number here, or its slope infinite")
        value = whole.in_form(self._formed(y, parts), held)
        return value, conform(tangent, value)

    def _formed(self, y: Any, parts: tuple[Any, ...]) -> Any:
        """Gradients as the function of the gradient returns them, with what stands beside them."""
        whole = self.gradient
        found = parts[0] if whole.single else parts
        if whole.with_value:
            return y, found
        return (found, y[1]) if whole.has_aux else found

    def forward(self) -> tuple[Any, Any]:
        """The pushforward of the function, with what its pullback needs."""
        positional, keywords = self.target.call_form(self.given)
        try:
            try:
                found: tuple[Any, Any] = self.version.functions[0](*positional, **keywords)
                return found
            except Exception as error:
                raise self.version.located(error)  # noqa: B904  # it is the same exception
        except Exception as error:
            raise self.pushed.located(error)  # noqa: B904  # it is the same exception

    def gives_way(self, error: Exception, options: Options) -> bool:
        """As that of a version: is the call recorded after this error?"""
        return all(v.gives_way(error, options) for v in (self.pushed, self.version))

    def pull(
        self, residuals: Any, result: Result, seed: Any, forms: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """The gradients for a cotangent of the value and its tangent."""
        try:
            found = self.version.functions[1](residuals, result.seeds(seed))
            parts = found if len(forms) > 1 else (found,)
            return tuple([conform(g, form) for g, form in zip(parts, forms, strict=True)])
        except DEFECTS as error:
            raise self.version.defect(error) from error


def prepared(recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]) -> Mixed:
    """The tangent of a gradient in this order, compiled; for values and tangents of parameters.

    Raises:
        CompileError: with what stands in the way.
    """
    whole = recipe.origin
    assert isinstance(whole, Gradient)
    target = whole.recipe.target
    pushed = whole.recipe.dispatcher(tuple(dots), "pushforward").version(values)
    inner = recipe_of(pushed.functions[0], recipe.options)
    positional, keywords = target.call_form(values)
    given = inner.target.arguments(
        positional, {**keywords, **words(target, pushed, pushed.functions[0], dots)}
    )
    version = inner.dispatcher(whole.wrt).version(given)
    return Mixed(whole, values, pushed, inner.target, version, given)


def either(recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]) -> Version | Mixed:
    """The pushforward; of a gradient that has none, what is done instead.

    Raises:
        CompileError: with what stands in the way of the pushforward.
    """
    dispatcher, key = recipe.dispatcher(tuple(dots), "pushforward"), exact_key(values)
    if not isinstance(recipe.origin, Gradient):
        return dispatcher.version(values)
    if key in dispatcher.otherwise:
        try:
            return prepared(recipe, values, dots)
        except CompileError:  # it may have been the captured variables
            dispatcher.otherwise.discard(key)
    if changes_structures(recipe.origin, values):
        try:
            found = prepared(recipe, values, dots)
        except CompileError:
            pass  # then the pushforward may say more
        else:
            if found.pushed.compiled.repeatable:
                dispatcher.otherwise.add(key)
                return found
    try:
        return dispatcher.version(values)
    except (CompileError, OtherOrder) as refused:
        try:
            found = prepared(recipe, values, dots)
        except CompileError:
            raise refused from None
    dispatcher.otherwise.add(key)
    return found


def changes_structures(whole: Gradient, values: tuple[Any, ...]) -> bool:
    """Whether the pullback changes lists or dictionaries of adjoints: the analysis of that takes
    long, or ends in an error, where the pushforward of the function is as simple as it is."""
    try:
        return whole.dispatcher.version(values).compiled.holding
    except CompileError:
        return False


def is_repeatable(recipe: Recipe, values: tuple[Any, ...], dots: dict[str, Any]) -> bool:
    """Whether a pushforward may run several times: it does nothing but compute."""
    if STATE.runs or recipe.options.on_unfollowed == "always":
        return False
    try:
        found = either(recipe, values, dots)
    except AdtransError as error:
        if recipe.dispatcher(tuple(dots), "pushforward").falls(error, exact_key(values)):
            return False
        raise
    return (found.pushed if isinstance(found, Mixed) else found).compiled.repeatable


def words(
    target: Target, version: Version, pushforward: FunctionType, dots: dict[str, Any]
) -> dict[str, Any]:
    """The keyword arguments of a pushforward that are the tangents."""
    for n in version.written_paths & dots.keys():  # the tangent of what is written is written, too
        dots = {**dots, n: copied(dots[n], [dots[n]])}
    attributes = [a.path for a in version.compiled.attributes]
    ordered = [dots[n] for n in (*target.params, *attributes) if n in dots]
    # as in a pullback, where a slope is infinite the tangent is, instead of `ZeroDivisionError`
    ordered = [np.float64(v) if type(v) is float else v for v in ordered]
    return dict(zip(_tangent_names(target, pushforward), ordered, strict=True))


def _tangent_names(target: Target, pushforward: Callable[..., Any]) -> tuple[str, ...]:
    """The keyword parameters that take tangents, in the order of the function's parameters."""
    code = pushforward.__code__
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return tuple(w for w in names if w not in target.params)
