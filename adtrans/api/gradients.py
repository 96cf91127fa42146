"""Gradients: functions made from others by differentiation.

>>> import numpy as np
>>> def f(x, w): return np.sum(x * w)
>>> gradient = Gradient(recipe_of(f, Options()), "w", has_aux=False, with_value=False)
>>> gradient(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
array([1., 2.])
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from adtrans import runtime
from adtrans.api.derived import Derived, OtherOrder, callee, recipe_of
from adtrans.arguments.cotangents import conform, outline, zero_like
from adtrans.arguments.inputs import refuse
from adtrans.arguments.object_trees import planned, returned
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import AdtransError
from adtrans.dispatch.compiled_version import DEFECTS, Version
from adtrans.dispatch.exact_keys import exact_key
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options, Wrt, caller_span
from adtrans.emit.words import Words
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    is_differentiable,
)
from adtrans.recorder.memory import STATE

_NUMBER = (float, np.float64)
_ONE = np.float64(1.0)
_FLOATS = ("float16", "float32", "float64", "longdouble")
_ndarray = np.ndarray


class Gradient(Derived):
    """`grad` or `value_and_grad` of a function, ready to be called with its arguments."""

    recorded_as = "itself"

    def __init__(self, recipe: Recipe, wrt: Wrt, has_aux: bool, with_value: bool) -> None:
        what = "value_and_grad" if with_value else "grad"
        noun = "value and the gradient" if with_value else "gradient"
        super().__init__(recipe, wrt, has_aux, what, noun)
        self.given = recipe.origin, recipe.options, wrt, has_aux, with_value
        self.with_value = with_value
        self.dispatcher = recipe.dispatcher(self.wrt)
        self.exact = self.dispatcher.exact
        self.simple = recipe.target.simple
        self.count = len(recipe.target.params)
        self.inner: dict[tuple[str, ...], Gradient] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.collects:
            return self.for_call(len(args), tuple(kwargs))(*args, **kwargs)
        if kwargs or len(args) != self.count or not self.simple:
            args = self.recipe.target.arguments(args, kwargs)
        return self.run(args)

    def run(self, args: tuple[Any, ...]) -> Any:
        """The gradient for these values of all parameters."""
        if STATE.runs or self.recipe.options.on_unfollowed == "always":
            return self.recorded(args)
        version = self.exact.get(key := exact_key(args))
        first = version is None or not version.holds()
        if first:
            if self.dispatcher.is_unfollowed(key):
                return self.recorded(args)
            if (whole := self.by_attributes(args)) is not None:
                return whole
        try:
            if version is None or first:
                version = self.dispatcher.version(args)
                if not version.guesses:
                    self.check_result_kind(version)
            elif version.checked:
                version.check(self.recipe.target, args)
        except AdtransError as error:
            if not self.dispatcher.falls(error, key):
                raise
            version = None
        if version is None:  # no longer in the handler, which code of the user's would see
            return self.recorded(args)
        forward, pullback = version.functions
        given = outline(args) if version.written else args  # a list may get longer
        held = self.outlined(args) if -1 in self.at else []
        try:
            if self.simple:
                y, residuals = forward(*args)
            else:
                positional, keywords = self.recipe.target.call_form(args)
                y, residuals = forward(*positional, **keywords)
        except Exception as error:
            if not version.gives_way(error, self.recipe.options):
                raise version.located(error)  # noqa: B904  # it is the same exception
            version = None
        if version is None:
            return self.recorded(args)
        if first or version.meter.always:
            version.meter.read(residuals, args)
        seed: Any = 1.0 if type(y) is float else _ONE
        if self.has_aux:
            result = returned(y, version.compiled.results)
            y = result.value
            seed = result.seeds(self.seed_with_aux(y)) if result.count else self.seed_with_aux(y)
        elif type(y) not in _NUMBER:
            seed = self.seed(y)
        try:
            found = pullback(residuals, seed)
            if -1 in self.at:
                parts = found if len(self.at) > 1 else (found,)
                gradient = tuple([_conform(g, v) for g, v in zip(parts, held, strict=True)])
                gradient = gradient[0] if self.single else gradient
            elif len(self.at) == 1:
                gradient = _conform(found, given[self.at[0]])
                gradient = gradient if self.single else (gradient,)
            else:
                gradient = tuple([_conform(g, given[k]) for g, k in zip(found, self.at)])  # noqa: B905
        except DEFECTS as error:
            defect = version.defect(error)
            if not version.gives_way(defect, self.recipe.options):
                raise defect from error
            version = None
        if version is None:
            return self.recorded(args)
        if self.with_value:
            return y, gradient
        return (gradient, y[1]) if self.has_aux else gradient

    def recorded(self, args: tuple[Any, ...]) -> Any:
        """The gradient from a recorded run."""
        from adtrans.recorder import recorded_modes
        from adtrans.recorder.arrays import plain_of

        f, target = callee(self.recipe), self.recipe.target
        ran, chosen = recorded_modes.run_reverse(f, target, args, self.wrt, self.recipe.options)
        y = ran.value
        try:
            value = plain_of(y)
            seed = self.seed_with_aux(value) if self.has_aux else self.seed(value)
            found = chosen.assembled(ran.pull(seed))
        finally:
            ran.level.close()
        gradient = found[0] if self.single else found
        if self.with_value:
            return y, gradient
        return (gradient, y[1]) if self.has_aux else gradient

    def by_attributes(self, args: tuple[Any, ...]) -> Any:
        """The gradient by whole objects, from that by their attributes; None without objects."""
        target = self.recipe.target
        plan = planned({n: target.value(n, args) for n in self.wrt}, self.wrt)
        if plan is None:
            return None
        inner = self.inner.get(plan.names)
        if inner is None:
            inner = Gradient(self.recipe, plan.names, self.has_aux, self.with_value)
            self.inner[plan.names] = inner
        found = inner.run(args)
        gradient = found
        if self.with_value:
            gradient = found[1]
        elif self.has_aux:
            gradient = found[0]
        whole: Any = plan.assembled(gradient)
        whole = whole[0] if self.single else whole
        if self.with_value:
            return found[0], whole
        return (whole, found[1]) if self.has_aux else whole

    def __reduce__(self) -> tuple[object, ...]:
        return _gradient, self.given

    def function_for(self, kinds: dict[str, Kind]) -> FunctionType:
        """The gradient as one function, for arguments of these kinds; to differentiate it again."""
        args = self.again()
        version = self.dispatcher.compile(kinds)
        self.check_result_kind(version)
        own = self.words()
        forward, pullback = (own.of(f.__name__, f) for f in version.functions)
        kind = version.compiled.facts.kinds.result
        if not self.has_aux:
            seed = _one_text(kind, own)
        elif isinstance(kind, TupleOf) and len(kind.items) == 2:
            zero = zero_text(kind.items[1], f"{own.y}[1]", own)
            seed = f"({_one_text(kind.items[0], own)}, {zero})"
        elif version.compiled.results:
            why = "what its function returns beside the value is or holds an object"
            fix = Fix("return its attributes in a tuple or a dictionary instead")
            title = f"`{self.__name__}` cannot be differentiated again"
            raise OtherOrder(Diagnostic("AD410", title, caller_span(), why=why, fixes=[fix]))
        else:
            self.seed_with_aux(kind)
        found = f"{pullback}({own.residuals}, {seed})"
        lines = [f"{own.y}, {own.residuals} = {forward}({args})"]
        if any(_holds_entries(kinds.get(w)) for w in self.wrt):
            # every entry of a dictionary has a gradient, in the order of the dictionary
            parts = [own[f"{w}_bar"] for w in self.wrt]
            lines.append(f"{', '.join(parts)} = {found}")
            for k, w in enumerate(self.wrt):
                if _holds_entries(kinds.get(w)):
                    zero = own[f"{w}_zero"]
                    lines.insert(0, f"{zero} = {own.of('zeros_of', runtime.zeros_of)}({w})")
                    parts[k] = f"{own.of('plus', runtime.plus)}({zero}, {parts[k]})"
            result = f"({', '.join(parts)},)" if not self.single else parts[0]
        elif not self.single and len(self.wrt) == 1:
            result = f"({found},)"
        else:
            result = found
        if self.with_value:
            result = f"{own.y}, {result}"
        elif self.has_aux:
            result = f"{result}, {own.y}[1]"
        lines.append(f"return {result}")
        return self.written(lines, own)

    def outlined(self, values: tuple[Any, ...]) -> list[Any]:
        """What is differentiated, as it is now: a list may get longer, also one in an object."""
        return [outline(self.recipe.target.value(n, values)) for n in self.wrt]

    def in_form(self, y: Any, held: list[Any]) -> Any:
        """What `function_for` returns as what a call returns: of the types of the arguments."""
        found = y[1] if self.with_value else y[0] if self.has_aux else y
        parts = (found,) if self.single else found
        whole = tuple(conform(g, v) for g, v in zip(parts, held, strict=True))
        gradient = whole[0] if self.single else whole
        if self.with_value:
            return y[0], gradient
        return (gradient, y[1]) if self.has_aux else gradient

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
        several = isinstance(kind, TupleOf | ListOf | DictOf)
        several = several or (isinstance(kind, Scalar) and kind.type == "complex")
        if several or isinstance(kind, Known) or (isinstance(kind, Array) and kind.ndim):
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


def _holds_entries(kind: Kind | None) -> bool:
    """Whether there is a dictionary in a value of this kind."""
    match kind:
        case DictOf():
            return True
        case TupleOf():
            return any(_holds_entries(k) for k in kind.items)
        case ListOf():
            return _holds_entries(kind.item)
        case _:
            return False


def _one_text(kind: Kind, own: Words) -> str:
    """The cotangent 1 of a number of this kind, as source."""
    if isinstance(kind, Scalar) and kind.dtype not in _FLOATS:
        return "1.0"
    dtype = kind.dtype if isinstance(kind, Scalar) else "float64"  # has the methods of arrays
    return f"{own.of('np', np)}.{dtype}(1.0)"


def zero_text(kind: Kind, value: str, own: Words) -> str:
    """The cotangent 0 of `value`, as source."""
    match kind:
        case TupleOf(items=items):
            parts = ", ".join(zero_text(k, f"{value}[{i}]", own) for i, k in enumerate(items))
            return f"({parts},)" if items else "()"
        case Array() if is_differentiable(kind):
            return f"{own.of('np', np)}.zeros({value}.shape, {value}.dtype)"
        case ListOf() | DictOf():
            return f"{own.of('zeros_of', runtime.zeros_of)}({value})"
        case _:
            return "0.0" if is_differentiable(kind) else "None"


def _gradient(
    origin: object, options: Options, wrt: Wrt, has_aux: bool, with_value: bool
) -> Gradient:
    return Gradient(recipe_of(origin, options), wrt, has_aux, with_value)


def _conform(found: Any, like: Any) -> Any:
    cls = type(found)
    if cls is type(like) and (
        cls is float
        or (
            cls is _ndarray
            and found.dtype == like.dtype
            and found.shape == like.shape
            and found.flags.forc
        )
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
    if isinstance(y, Scalar):
        return f"of type {y}"
    if isinstance(y, ListOf | DictOf):
        return "of type list" if isinstance(y, ListOf) else "of type dict"
    return "None" if y is None else f"of type {type(y).__name__}"
