"""`vjp`: the value of a function, and a pullback that outlives the call.

Between the two the caller can write into the arguments and the result, so what the pullback needs
of them is copied; what it reads elsewhere is checked.

>>> import numpy as np
>>> def f(x, w): return np.sum(x * w)
>>> x = np.array([1.0, 2.0])
>>> y, pullback = run_vjp(recipe_of(f, Options()), (x, 3.0), None)
>>> x[:] = 100.0
>>> [np.asarray(g).tolist() for g in pullback(1.0)]
[[3.0, 3.0], 3.0]
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.api.derived import as_called, callee, recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.into_buffers import added, fits, without_numbers
from adtrans.api.kept_copies import copied, holds, watched
from adtrans.arguments.cotangents import conform, cotangent
from adtrans.arguments.inputs import Target, carries_derivative, check_arguments, refuse
from adtrans.arguments.object_trees import Result, planned, recorded_result, returned
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import AdtransError, CompileError, MutationError
from adtrans.dispatch.compiled_version import DEFECTS, Version, isolated
from adtrans.dispatch.exact_keys import exact_key
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options, Wrt, caller_span
from adtrans.driver.run_again import Read, contents_of, functions_in, read_by, spoken_name
from adtrans.recorder.memory import STATE

__all__ = ["Options", "Pullback", "recipe_of", "run_vjp"]


def _changed(name: str, how: str = "") -> MutationError:
    """The error where something outside was changed that a pullback reads."""
    what = f"what `{name}` {how}" if how else f"`{name}`"
    said = f"{what} was changed between `vjp` and its pullback, which needs it"
    error = MutationError(said, code="AD301")
    fix = Fix("call the pullback first, or call `vjp` again")
    error.diagnostics = (Diagnostic("AD301", said, caller_span(), fixes=[fix]),)
    return error


@dataclass(frozen=True, slots=True, repr=False)
class Pullback:
    """The second half of `vjp`: cotangent of the result -> gradients. May be called many times."""

    _call: Callable[..., tuple[Any, ...]]
    _value: Result  # of the form of the result
    _selected: tuple[int | None, ...]  # which gradients are returned
    _finals: Mapping[str, Any]  # the forms of the arguments whose final contents count
    _watch: list[tuple[Mapping[str, Any], str, object, Any]]
    _refused: Mapping[str, CompileError]  # why the final contents of others do not count
    _names: tuple[str, ...] = ()  # of the arguments whose gradients are returned
    _forms: tuple[Any, ...] = ()  # of all differentiated arguments
    _again: tuple[list[FunctionType], Read] = ([], Read())  # what it runs again
    _objects: list[tuple[Any, Read]] = field(default_factory=list)  # that it reads

    def __repr__(self) -> str:
        return f"<pullback, by {', '.join(self._names)}>"

    def __call__(
        self,
        y_bar: Any,
        final: Mapping[str, Any] | None = None,
        into: Mapping[str, Any] | None = None,
    ) -> tuple[Any, ...]:
        """The gradients for this cotangent; `final` gives cotangents of written arguments.

        `into` names arguments with buffers of their form, to which their gradients are added; the
        buffer is returned in the gradient's place. A number in a list or a dictionary is replaced
        by the sum. It may have None for a buffer, as numbers elsewhere do, and its gradient stands
        there in what is returned.
        """
        self._check_into({} if into is None else into)
        seed = self._value.seeds(y_bar)
        bars = self._final_bars(final or {})
        for table, name, value, kept in self._watch:
            now = table.get(name)
            if now is not value or not holds(now, kept):
                raise _changed(name)
        functions, before = self._again
        if functions and read_by(functions) != before:
            raise _changed(spoken_name(functions), "reads")
        for obj, held in self._objects:
            if contents_of([obj], code=False) != held:
                raise _changed(type(obj).__name__, "holds")
        found = self._call(seed, *bars)
        for k, (obj, _) in enumerate(self._objects):  # a rule may keep in it what it computes
            self._objects[k] = obj, contents_of([obj], code=False)
        if not into:
            return tuple([None if at is None else found[at] for at in self._selected])
        return tuple(
            [
                None if at is None else added(found[at], into.get(name))
                for at, name in zip(self._selected, self._names, strict=True)
            ]
        )

    def _check_into(self, into: Mapping[str, Any]) -> None:
        if not isinstance(into, Mapping):
            refuse("AD410", "`into` is no dictionary", "it names arguments, each with its buffer.",
                   'write `into={"x": buffer}`')  # fmt: skip
        for name, buffer in into.items():
            at = self._selected[self._names.index(name)] if name in self._names else None
            if at is None:
                known = ", ".join(
                    f"`{n}`" for n, k in zip(self._names, self._selected, strict=True)
                    if k is not None
                )  # fmt: skip
                refuse("AD403", f"`into` names `{name}`, which has no gradient here",
                       f"the gradients are those by {known}.")  # fmt: skip
            try:
                fitting = tree.leaves(tree.map(fits, self._forms[at], without_numbers(buffer)))
            except ValueError:  # another structure
                fitting = [False]
            if not all(fitting):
                refuse("AD405", f"the buffer for `{name}` does not have its form",
                       "each array of the argument has a buffer of its shape and dtype that can be "
                       "written, each element in a place of its own; in the place of a number "
                       "there is None, or, in a list or a dictionary, a number.")  # fmt: skip

    def _final_bars(self, final: Mapping[str, Any]) -> list[Any]:
        for name in final:
            if name not in self._finals:
                if name in self._refused:
                    raise self._refused[name]
                known = ", ".join(f"`{n}`" for n in self._finals) or "none"
                refuse(
                    "AD411",
                    f"`final` names `{name}`, which is nothing that the function writes",
                    f"the arguments whose final contents carry a derivative: {known}. What an "
                    "object holds in the end has to be returned.",
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
    recipe = as_called(recipe, wrt, len(primals), kwargs or ())
    target = recipe.target
    values = target.arguments(primals, kwargs or {})
    wrt = recipe.options.wrt if wrt is None else wrt
    given = target.params[len(target.bound) : len(target.bound) + len(primals)]
    names = differentiable(target, values, given) if wrt is None else target.select(wrt)
    if not names:
        check_arguments(target, values, given[:1])
    return pulled(recipe, values, names, given if wrt is None else names)


def pulled(
    recipe: Recipe, values: tuple[Any, ...], names: tuple[str, ...], wanted: tuple[str, ...]
) -> tuple[Any, Pullback]:
    """The same for values of all parameters, those differentiated, and those asked for."""
    if STATE.runs or recipe.options.on_unfollowed == "always":
        return recorded(recipe, values, names, wanted)
    target, key = recipe.target, exact_key(values)  # a dispatcher is of certain names
    table = dict(zip(target.params, values, strict=True))
    table.update({n: target.value(n, values) for n in names if n not in table})
    dispatcher = recipe.dispatcher(names)
    if dispatcher.is_unfollowed(key):
        return recorded(recipe, values, names, wanted)
    asked, plan = names, planned(table, names)
    if plan is not None:
        names = plan.names
        table.update({n: target.value(n, values) for n in names if n not in table})
    try:
        made = _with_finals(recipe, values, names)
    except AdtransError as error:
        if not dispatcher.falls(error, key):
            raise
        made = None
    if made is None:  # no longer in the handler, which code of the user's would see
        return recorded(recipe, values, asked, wanted)
    version, why = made
    positional, keywords = target.call_form(values)
    before = version.entry(target, values)
    held = recipe.origin.outlined(values) if isinstance(recipe.origin, Gradient) else []
    forms = tuple(form_of(table[n]) for n in names)  # as on entry: a list may get longer
    try:
        found, residuals = version.functions[0](*positional, **keywords)
    except Exception as error:
        if not version.gives_way(error, recipe.options):
            raise version.located(error)  # noqa: B904  # it is the same exception
        made = None
    if made is None:
        return recorded(recipe, values, asked, wanted)
    if isinstance(recipe.origin, Gradient):
        found = recipe.origin.in_form(found, held)
    result = returned(found, version.compiled.results)
    y = result.value
    call = isolated(version)
    captured = version.captured.data()
    outside = (y, values, tuple(captured), before)
    residuals = copied(residuals, outside, left := list[Any]())
    version.meter.read(residuals, values)
    again = functions_in(version.compiled.module.globals)
    count = len(names) + len([n for n in version.finals if n not in names])

    def pull(*seeds: Any) -> tuple[Any, ...]:
        try:
            found = call(residuals, *seeds)
            parts = found if count > 1 else (found,)  # finals follow, and are not returned
            parts = tuple([conform(g, form) for g, form in zip(parts, forms, strict=False)])
            return parts if plan is None else plan.assembled(parts)
        except DEFECTS as error:
            raise version.defect(error) from error

    refused = {} if why is None else dict.fromkeys(_written_into(target, values), why)
    return y, Pullback(
        pull,
        returned(form_of(found), version.compiled.results),
        tuple(asked.index(n) if n in asked else None for n in wanted),
        {n: form_of(table[n]) for n in version.finals},
        watched(version),
        refused,
        wanted,
        forms if plan is None else plan.assembled(forms),
        (again, read_by(again)),
        [(obj, contents_of([obj], code=False)) for obj in left],
    )


def recorded(
    recipe: Recipe, values: tuple[Any, ...], names: tuple[str, ...], wanted: tuple[str, ...]
) -> tuple[Any, Pullback]:
    """The same from a recorded run."""
    from adtrans.recorder import recorded_modes

    target = recipe.target
    ran, chosen = recorded_modes.run_reverse(callee(recipe), target, values, names, recipe.options)
    ran.keep()
    places = {n: k for k, n in enumerate(target.params) if k in ran.finals}
    finals = {n: form_of(values[k]) for n, k in places.items() if any(ran.finals[k])}
    inside = bool(STATE.runs)

    def pull(seed: Any, *bars: Any) -> tuple[Any, ...]:
        final = {places[n]: bar for n, bar in zip(finals, bars, strict=True)}
        parts = ran.pull(seed, final)
        if not inside and not STATE.runs:
            parts = [conform(g, form) for g, form in zip(parts, ran.forms, strict=True)]
        return chosen.assembled(parts)

    return ran.value, Pullback(
        pull,
        recorded_result(form_of(ran.value)),
        tuple(names.index(n) if n in names else None for n in wanted),
        finals,
        [],
        {},
        wanted,
        chosen.assembled(ran.forms),
    )


def form_of(value: Any) -> Any:
    """Something of the type, shape and dtype of `value` that needs no memory."""
    if type(value) is np.ndarray:
        return np.broadcast_to(np.zeros((), value.dtype), value.shape)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(form_of(v) for v in value)
    if isinstance(value, list):
        return [form_of(v) for v in value]
    if isinstance(value, dict):
        return {k: form_of(v) for k, v in value.items()}
    if tree.is_object(value):
        return tree.rebuilt(value, [form_of(v) for v in tree.children(value)])
    return value


def _with_finals(
    recipe: Recipe, values: tuple[Any, ...], wrt: tuple[str, ...]
) -> tuple[Version, CompileError | None]:
    """A version whose pullback takes final contents too, unless only that stands in the way."""
    finals = _written_into(recipe.target, values)
    if not finals:
        return recipe.dispatcher(wrt).version(values), None
    try:
        return recipe.dispatcher(wrt, finals=finals).version(values), None
    except CompileError as error:
        if not error.finals:
            raise
        why = error
    plain = recipe.dispatcher(wrt).version(values)
    arrays = _float_arrays(recipe.target, values)
    if arrays and arrays != finals:
        with contextlib.suppress(CompileError):
            return recipe.dispatcher(wrt, finals=arrays).version(values), why
    return plain, why


def _written_into(target: Target, values: tuple[Any, ...]) -> tuple[str, ...]:
    """The arguments of which a function may change what they hold, and with it a derivative."""
    pairs = zip(target.params, values, strict=True)
    return tuple(
        n
        for n, v in pairs
        if (type(v) is np.ndarray and v.dtype.kind == "f")
        or (type(v) in (list, dict) and not v)
        or (type(v) in (list, dict, tuple) and _carries(v))
    )


def _carries(value: Any) -> bool:
    """Whether a list, dictionary or tuple holds what a derivative goes through."""
    try:
        return any(map(tree.carries, tree.leaves(value)))
    except ValueError:  # it holds itself, which is refused where it is followed
        return False


def _float_arrays(target: Target, values: tuple[Any, ...]) -> tuple[str, ...]:
    pairs = zip(target.params, values, strict=True)
    return tuple(n for n, v in pairs if type(v) is np.ndarray and v.dtype.kind == "f")


def differentiable(
    target: Target, values: tuple[Any, ...], given: tuple[str, ...]
) -> tuple[str, ...]:
    """The parameters that carry a derivative, among those that were passed."""
    table = dict(zip(target.params, values, strict=True))
    return tuple(n for n in given if n in target.visible and carries_derivative(table[n]))


