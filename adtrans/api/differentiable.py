"""What users call.

>>> import numpy as np
>>> @differentiable
... def loss(x, w):
...     return np.sum(w * x * x)
>>> loss.grad(np.array([1.0, 2.0]), 3.0)
array([ 6., 12.])
>>> [float(number) for number in value_and_grad(loss, wrt="w")(np.array([1.0, 2.0]), 3.0)]
[15.0, 5.0]
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import cached_property, update_wrapper
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import numpy as np

from adtrans.api.deferred import Deferred
from adtrans.driver.options import Options, Wrt

if TYPE_CHECKING:
    from adtrans.api import engine
    from adtrans.api.engine import Linear, Pullback, Recipe, Report
else:
    engine = Deferred("adtrans.api.engine")

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
T = TypeVar("T")


class Differentiable(Generic[P, R]):
    """A function that knows its derivatives; calling it calls the function, unchanged."""

    __wrapped__: Callable[P, R]
    __qualname__: str
    recorded_as = "wrapped"  # a call in recorded code is one of the function
    modes = frozenset({"grad", "value_and_grad", "jacobian", "hessian", "elementwise_grad"})

    def __init__(self, fn: Callable[P, R], options: Options) -> None:
        update_wrapper(self, fn)
        self.__dict__.pop("__adtrans__", None)
        self.__wrapped__ = fn
        self._options = options
        self._is_method = False

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.__wrapped__(*args, **kwargs)

    @cached_property
    def _recipe(self) -> Recipe:
        derived = isinstance(self.__wrapped__, engine.Derived)
        of = self.__wrapped__ if derived else self
        return engine.recipe_of(of, self._options, method=self._is_method)

    def operation(self, args: Any, kwargs: Any, varies: Any, plain: Any) -> Any:
        """A call as one operation of a recorded run, compiled; None where it is recorded itself."""
        return engine.operation(self._recipe, args, kwargs, varies, plain)

    @cached_property
    def grad(self) -> Callable[P, Any]:
        """The gradient, a function of the same arguments."""
        return engine.Gradient(self._recipe, None, has_aux=False, with_value=False)

    @cached_property
    def value_and_grad(self) -> Callable[P, tuple[R, Any]]:
        """The value and the gradient, a function of the same arguments."""
        return engine.Gradient(self._recipe, None, has_aux=False, with_value=True)

    def vjp(self, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Pullback]:
        """The value and the pullback, as `adtrans.vjp`."""
        return engine.run_vjp(self._recipe, args, None, kwargs)

    def jvp(self, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[R, Any]:
        """The value and its tangent, as `adtrans.jvp`."""
        return engine.run_jvp(self._recipe, primals, tangents, None)

    def linearize(self, *primals: Any) -> tuple[R, Linear]:
        """The value and the derivative as a linear function, as `adtrans.linearize`."""
        return engine.run_linearize(self._recipe, primals, None)

    @cached_property
    def jacobian(self) -> Callable[P, Any]:
        """The Jacobian by pullbacks, a function of the same arguments."""
        return engine.Jacobian(self._recipe, None, False, "reverse")

    @cached_property
    def hessian(self) -> Callable[P, Any]:
        """The Hessian, a function of the same arguments."""
        return engine.Hessian(self._recipe, None, False)

    def hvp(self, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        """The Hessian times a vector, as `adtrans.hvp`."""
        return engine.run_hvp(self._recipe, primals, tangents, None)

    @cached_property
    def elementwise_grad(self) -> Callable[P, Any]:
        """The derivative of each element by its own, a function of the same arguments."""
        return engine.ElementwiseGradient(self._recipe, None)

    @property
    def source(self) -> str:
        """The source of the version compiled last; before the first call, of the general one.

        Of a function that is recorded, the rewritten source.
        """
        return self._recipe.source()

    def source_for(self, *args: P.args, **kwargs: P.kwargs) -> str:
        """The source for arguments like these; the function is not called."""
        recipe = engine.as_called(self._recipe, self._options.wrt, len(args), kwargs)
        values = recipe.target.arguments(args, kwargs)
        wrt = engine.in_attributes(recipe.target, values, recipe.select())
        return recipe.source(lambda: recipe.dispatcher(wrt).version(values).compiled)

    def report(self) -> Report:
        """What becomes of every write and what is kept, for the version that `source` shows; of a
        function that is recorded, why it is not compiled."""
        return self._recipe.report()

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Differentiable[P, R]: ...
    @overload
    def __get__(
        self: Differentiable[Concatenate[Any, Q], T], instance: object, owner: type | None = None
    ) -> Differentiable[Q, T]: ...
    def __get__(self, instance: object, owner: type | None = None) -> Any:
        fn: Any = self.__wrapped__
        if isinstance(fn, staticmethod):
            return self
        if isinstance(fn, classmethod):
            instance = owner if instance is None else type(instance)
            fn = fn.__func__
        if instance is None:
            return self
        return Differentiable(MethodType(fn, instance), self._options)

    def __set_name__(self, owner: type, name: str) -> None:
        self._is_method = not isinstance(self.__wrapped__, staticmethod)

    def __reduce__(self) -> str | tuple[Any, ...]:
        fn = self.__wrapped__
        if isinstance(fn, MethodType):
            return getattr, (fn.__self__, fn.__name__)
        if not hasattr(self, "__qualname__"):  # a partial, or an object that is called
            return Differentiable, (fn, self._recipe.options)
        held: Any = sys.modules.get(fn.__module__)
        for name in self.__qualname__.split("."):
            held = getattr(held, name, None)
        if held is fn:  # it has another name, or none
            return Differentiable, (fn, self._recipe.options)
        return self.__qualname__

    def __repr__(self) -> str:
        name = getattr(self, "__qualname__", f"{type(self.__wrapped__).__qualname__} object")
        try:
            return f"<differentiable {name}{inspect.signature(self)}>"
        except (TypeError, ValueError):  # no function, or one that does not tell
            return f"<differentiable {name}>"

    def _repr_html_(self) -> str:
        from html import escape

        try:
            code = f"<pre><code>{escape(self.source)}</code></pre>"
        except engine.CompileError as refused:
            code = f"<pre>{escape(str(refused))}</pre>"
            return code if refused.report is None else f"{code}{self.report()._repr_html_()}"
        return f"{code}{self.report()._repr_html_()}"


@overload
def differentiable(fn: Callable[P, R], /) -> Differentiable[P, R]: ...
@overload
def differentiable(
    *, wrt: Wrt = None, on_overwrite: str = "refuse", on_unproven: str = "check",
    backend: str = "numpy", eager: bool = False,
) -> Callable[[Callable[P, R]], Differentiable[P, R]]: ...  # fmt: skip
def differentiable(fn: Any = None, /, *, eager: bool = False, **options: Any) -> Any:
    """Give a function `.grad`, `.value_and_grad`, `.vjp`, `.jvp`, `.source` and `.report()`.

    And `.jacobian`, `.hessian`, `.hvp`, `.linearize` and `.elementwise_grad`.

    Bare, or with options: `wrt` (a name, a position or a tuple of them; default the first
    parameter), `on_overwrite="save"` to keep copies of needed values that are overwritten,
    `on_unproven="refuse"`. With `eager=True` it is compiled at once, for what annotations say.
    """
    chosen = _options(Options(), options)

    def wrap(fn: Callable[P, R]) -> Differentiable[P, R]:
        found = Differentiable(fn, chosen)
        if eager:
            found._recipe.prepare()
        return found

    return wrap if fn is None else wrap(fn)


def recorded(fn: Callable[P, R], /, **options: Any) -> Differentiable[P, R]:
    """A function whose derivatives are recorded while it runs, without asking the compiler.

    >>> def f(xs):
    ...     return sum(x * x for x in xs)
    >>> grad(recorded(f))([1.0, 2.0])
    [2.0, 4.0]
    """
    return Differentiable(fn, _options(Options(), {**options, "on_unfollowed": "always"}))


def grad(
    f: Callable[..., Any], wrt: Wrt = None, has_aux: bool = False, *, argnums: Wrt = None,
    **options: Any,
) -> Callable[..., Any]:  # fmt: skip
    """A function of the same arguments as `f` that returns the gradient of its result, a number.

    `wrt` (or `argnums`) takes a name, a position or a tuple of them; the default is the first
    parameter (after `self`). One gives one gradient, a tuple gives a tuple. With `has_aux`, `f`
    returns `(value, aux)` and the gradient comes as `(gradient, aux)`.

    Raises:
        InputError: AD402 to AD408, when called with arguments that cannot be differentiated.
        CompileError: when called, with everything that stands in the way.

    >>> grad(lambda x, k: k * x * x)(3.0, 2)
    12.0
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return engine.Gradient(recipe, wrt, has_aux, with_value=False)


def value_and_grad(
    f: Callable[..., Any], wrt: Wrt = None, has_aux: bool = False, *, argnums: Wrt = None,
    **options: Any,
) -> Callable[..., tuple[Any, Any]]:  # fmt: skip
    """As `grad`, but returns `(value, gradient)`: what `scipy.optimize.minimize(jac=True)` takes.

    >>> value_and_grad(lambda x, k: k * x * x)(3.0, 2)
    (18.0, 12.0)
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return engine.Gradient(recipe, wrt, has_aux, with_value=True)


def vjp(
    f: Callable[..., Any], *primals: Any, wrt: Wrt = None, argnums: Wrt = None,
    has_aux: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """The value of `f` and its pullback: `(out, pullback)`, or `(out, pullback, aux)`.

    `pullback(y_bar)` returns a tuple over the primals, None for those that carry no derivative; or
    over `wrt`, where that is given. `pullback(y_bar, final={"C": C_bar})` adds cotangents of what
    the function left in its arguments; `pullback(y_bar, into={"x": buffer})` adds a gradient to a
    buffer of yours. What it needs of arguments and results is copied.

    >>> out, pullback = vjp(lambda x, k: k * x * x, 3.0, 2)
    >>> out, pullback(1.0)
    (18.0, (12.0, None))
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    out, pullback = engine.run_vjp(recipe, primals, wrt)
    if not has_aux:
        return out, pullback
    value, aux = with_aux(out)
    return value, _WithoutAux(pullback), aux


def with_aux(out: Any) -> tuple[Any, Any]:
    """What a function returned as its value, and what is returned beside it.

    Raises:
        InputError: AD404 for anything but a tuple of two.
    """
    if not isinstance(out, tuple) or len(out) != 2:
        engine.refuse("AD404", "the function does not return `(value, aux)`",
               "`has_aux=True` was given.", "return a tuple of two")  # fmt: skip
    return out


class _WithoutAux:
    """A pullback that takes the cotangent of the value alone."""

    def __init__(self, pullback: Pullback) -> None:
        self.pullback = pullback

    def __call__(self, y_bar: Any, final: Any = None, into: Any = None) -> tuple[Any, ...]:
        return self.pullback((y_bar, None), final, into)


def jvp(
    f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], wrt: Wrt = None, *,
    argnums: Wrt = None, has_aux: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """The value of `f` and its derivative along `tangents`: `(out, out_dot)`, or
    `(out, out_dot, aux)` where `f` returns `(value, aux)` and `has_aux` is given.

    There is one tangent for each primal, or for each of `wrt`; None stands for zero.

    >>> jvp(lambda x, k: k * x * x, (3.0, 2), (1.0, None))
    (18.0, 12.0)
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    out, out_dot = engine.run_jvp(recipe, primals, tangents, wrt)
    if not has_aux:
        return out, out_dot
    value, aux = with_aux(out)
    return value, out_dot[0], aux


def stop_gradient(x: T) -> T:
    """`x` as a constant: no derivative flows through it. An array is copied.

    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """
    return x.copy() if isinstance(x, np.ndarray) else x


stop_gradient.recorded_as = "constant"  # type: ignore[attr-defined]  # see `recorder.movers`


def recipe_for(f: Any, wrt: Wrt, argnums: Wrt, options: dict[str, Any]) -> tuple[Recipe, Wrt]:
    """The recipe for what a user passes to an entry point, and the selection of parameters."""
    if argnums is not None:
        if wrt is not None:
            engine.refuse("AD410", "`wrt` and `argnums` are the same option", "give one of them")
        wrt = argnums
    wrt = Options(wrt=wrt).wrt
    if not isinstance(f, Differentiable):
        return engine.recipe_of(f, _options(Options(), options)), wrt
    if options:
        return engine.recipe_of(f, _options(f._options, options), method=f._is_method), wrt
    return f._recipe, wrt


def _options(base: Options, given: dict[str, Any]) -> Options:
    known = [f.name for f in fields(Options)]
    for name in given:
        if name not in known:
            engine.refuse(
                "AD410",
                f"there is no option `{name}`",
                f"the options are {', '.join(f'`{k}`' for k in known)}; arguments of the function "
                "are no options.",
            )
    return Options(**{name: getattr(base, name) for name in known} | given)
