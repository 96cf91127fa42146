"""A compiled function as one operation of a recorded run.

A decorated function that recorded code calls stays compiled where it takes and returns numbers and
arrays, writes nothing, and can reach nothing else that varies.

>>> import numpy as np
>>> from adtrans.api.derived import recipe_of
>>> from adtrans.driver.options import Options
>>> recipe = recipe_of(lambda x, k: np.sum(k * x * x), Options())
>>> made = operation(recipe, (np.array([1.0, 2.0]), 3.0), {}, lambda v: isinstance(v, float))
>>> value, pull = made.run((np.array([1.0, 2.0]), 3.0))
>>> float(value), made.names, [float(g) for g in pull(1.0)]
(15.0, ('k',), [5.0])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adtrans.api.derived import recipe_of
from adtrans.api.kept_copies import copied
from adtrans.diagnostics.errors import AdtransError
from adtrans.dispatch.compiled_version import Version, isolated
from adtrans.dispatch.exact_keys import exact_key
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options
from adtrans.ir.effort import TooMuch, at_most
from adtrans.ir.kinds import Array, Scalar
from adtrans.recorder import compiled

_STEPS = 20_000  # of the compiler: about a second
_PLAIN = (int, float, str, bool, type(None), np.generic)


@dataclass(frozen=True)
class Operation:
    """`values`: those of all parameters; `names`: the parameters that vary."""

    version: Version
    recipe: Recipe
    values: tuple[Any, ...]
    names: tuple[str, ...]

    @property
    def fn(self) -> Any:
        """The function of Python."""
        return self.recipe.target.fn

    def arrays(self) -> list[Any]:
        """The arrays that the function is given, and those that it reads elsewhere."""
        found = [*self.values, *self.version.captured.data()]
        return [v for v in found if isinstance(v, np.ndarray)]

    def operands(self) -> list[Any]:
        """The arguments that vary."""
        params = self.recipe.target.params
        return [self.values[params.index(n)] for n in self.names]

    def run(self, values: tuple[Any, ...]) -> tuple[Any, Callable[..., tuple[Any, ...]]]:
        """The value, and the pullback, which keeps nothing that others can write."""
        version = self.version
        positional, keywords = self.recipe.target.call_form(values)
        try:
            y, residuals = version.functions[0](*positional, **keywords)
        except Exception as error:
            raise version.located(error)  # noqa: B904  # it is the same exception
        residuals = copied(residuals, (y, values, tuple(version.captured.data())))
        pullback, single = isolated(version), len(self.names) == 1

        def pull(bar: Any, call: Callable[..., Any] | None = None) -> tuple[Any, ...]:
            found = pullback(residuals, bar) if call is None else call(pullback, residuals, bar)
            return (found,) if single else tuple(found)

        return y, pull


def operation(
    recipe: Recipe, args: tuple[Any, ...], kwargs: Mapping[str, Any],
    varies: Callable[[Any], bool], plain: Callable[[Any], Any] = lambda v: v,
) -> Operation | None:  # fmt: skip
    """The compiled form of a call; None where the function has to be recorded itself."""
    target = recipe.target
    if recipe.options.on_unfollowed == "always" or target.bound or target.keywords:
        return None
    values = target.arguments(args, kwargs)
    if not all(type(v) is np.ndarray or isinstance(v, _PLAIN) for v in values):
        return None
    names = tuple([n for n, v in zip(target.params, values, strict=True) if varies(v)])
    given = tuple(map(plain, values))
    dispatcher, key = recipe.dispatcher(names), exact_key(given)
    if not names or dispatcher.is_unfollowed(key):
        return None
    try:
        version = dispatcher.version(given)
    except AdtransError as error:
        dispatcher.falls(error, key)
        return None
    result = version.compiled.facts.kinds.result
    real = isinstance(result, Scalar) and result.type == "float"
    if not real and not (isinstance(result, Array) and str(result.dtype).startswith("float")):
        return None
    attributes = version.compiled.attributes or version.compiled.results
    if attributes or not version.may_run_twice:
        return None
    return Operation(version, recipe, values, names)


def _compiled(
    fn: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], varies: Callable[[Any], bool],
    plain: Callable[[Any], Any], saves: bool,
) -> Operation | None:  # fmt: skip
    """A call of a function that is not decorated; None where it takes too long to compile, too."""
    options = Options(on_overwrite="save" if saves else "refuse")
    try:
        with at_most(_STEPS):
            return operation(recipe_of(fn, options), args, kwargs, varies, plain)
    except (AdtransError, TooMuch):
        return None


compiled.COMPILERS[:] = [_compiled]
