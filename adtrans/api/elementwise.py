"""The derivative of each element of a result by the same element of an argument.

A result that is a tuple, a list, a dictionary or an object gives a value of its structure, with the
derivatives of each part: unless the arguments have this structure themselves, so that an element of
one belongs to an element of the other.

>>> import numpy as np
>>> both = ElementwiseGradient(recipe_of(lambda x: {"a": x * x, "b": 3.0 * x}, Options()), None)
>>> both(np.array([1.0, 2.0]))
{'a': array([2., 4.]), 'b': array([3., 3.])}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from adtrans import tree
from adtrans.api.derived import Derived, recipe_of
from adtrans.api.diagonal import is_diagonal
from adtrans.api.gradients import zero_text
from adtrans.api.jacobians import is_complex, refuse_complex
from adtrans.api.pullbacks import Pullback, run_vjp
from adtrans.arguments.inputs import refuse
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options, Wrt, caller_span
from adtrans.ir.kinds import Array, Kind, Scalar, TupleOf, is_differentiable
from adtrans.runtime.failures import DerivativeError

__all__ = ["ElementwiseGradient", "Options"]


class ElementwiseGradient(Derived):
    """The derivative of each element of the result by the same element of the argument."""

    def __init__(self, recipe: Recipe, wrt: Wrt) -> None:
        super().__init__(recipe, wrt, False, "elementwise_grad", "element-wise derivative")
        self.given = recipe.origin, recipe.options, wrt

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.collects:
            return self.for_call(len(args), tuple(kwargs))(*args, **kwargs)
        y, pullback = run_vjp(self.recipe, args, self.wrt, kwargs)
        parts = tree.leaves(y)
        if any(map(is_complex, parts)):
            refuse_complex(self.recipe.target.fn.__name__)
        every = [True] * len(parts)
        found = pullback(_seed(y, every, _one))
        if tree.is_leaf(y) or all(_corresponds(g, y) for g in found):
            self.check(y, pullback, found, every)
            return found[0] if self.single else found
        places = iter(range(len(parts)))

        def of_one(leaf: Any) -> Any:
            at = next(places)
            if not tree.carries(leaf):
                return None
            asked = [k == at for k in range(len(parts))]
            found = pullback(_seed(y, asked, _one))
            self.check(y, pullback, found, asked)
            return found[0] if self.single else found

        return tree.map(of_one, y)

    def check(self, y: Any, pullback: Pullback, found: tuple[Any, ...], asked: list[bool]) -> None:
        """Whether the elements of a result have to do with those at their places only. `asked`:
        which parts of the result `found` belongs to."""
        parts = [p for p, one in zip(tree.leaves(y), asked, strict=True) if one]
        whole = parts[0] if len(parts) == 1 else y
        alike = [_corresponds(g, whole) for g in found]
        like = [np.asarray(p) for p in parts if tree.carries(p)]
        if not any(alike) or sum(map(np.size, like)) < 2:
            return
        carrying = [k for k, p in enumerate(parts) if tree.carries(p)]
        own = [g for g, same in zip(found, alike, strict=True) if same]
        of = [carrying.index(k) for g in own for k, leaf in enumerate(tree.leaves(g))
              if leaf is not None and k in carrying]  # fmt: skip

        def matching(found: tuple[Any, ...]) -> list[Any]:
            own = (tree.leaves(g) for g, same in zip(found, alike, strict=True) if same)
            return [np.asarray(leaves[k]) for leaves in own for k in carrying
                    if leaves[k] is not None]  # fmt: skip

        def run(scales: Sequence[Any]) -> list[Any]:
            left = iter(scales)
            return matching(pullback(_seed(y, asked, lambda leaf: _as(next(left), leaf))))

        if not is_diagonal(run, matching(found), of, like):
            self.refuse()

    def refuse(self) -> None:
        """Say that the function is of another kind."""
        error = DerivativeError(
            f"`{self.recipe.target.fn.__name__}` is not element-wise here: elements of its "
            "result depend on several elements of the argument",
            code="AD607",
        )
        fix = Fix("use `ad.jacobian`, which gives the derivative by all elements")
        error.diagnostics = (Diagnostic("AD607", str(error.args[0]), caller_span(), fixes=[fix]),)
        raise error

    def __reduce__(self) -> tuple[object, ...]:
        return ElementwiseGradient._again, self.given

    @staticmethod
    def _again(origin: object, options: Options, wrt: Wrt) -> ElementwiseGradient:
        return ElementwiseGradient(recipe_of(origin, options), wrt)

    def function_for(self, kinds: dict[str, Kind]) -> FunctionType:
        """The same for a result that is an array, a number or a tuple of these, as one function."""
        args = self.again()
        version = self.recipe.dispatcher(self.wrt).compile(kinds)
        own, kind = self.words(), version.compiled.facts.kinds.result
        forward, pullback = (own.of(f.__name__, f) for f in version.functions)
        several = isinstance(kind, TupleOf) and kind.cls is None
        results = kind.items if isinstance(kind, TupleOf) else (kind,)
        if not all(isinstance(k, Array | Scalar) for k in results):
            self.refuse_again("the result is no array, no number and no tuple of these")
        if isinstance(kind, TupleOf) and (
            not several or any(isinstance(kinds.get(w), TupleOf) for w in self.wrt)
        ):
            self.refuse_again("the result or an argument is a tuple with elements of its own")
        np_ = own.of("np", np)
        places = [f"{own.y}[{k}]" for k in range(len(results))] if several else [own.y]
        ones = [f"{np_}.ones({p}.shape)" if isinstance(k, Array) else "1.0"
                for p, k in zip(places, results, strict=True)]  # fmt: skip
        zeros = [zero_text(k, p, own) for p, k in zip(places, results, strict=True)]
        parts = []
        for at, k in enumerate(results):
            seeds = [ones[i] if i == at else zero for i, zero in enumerate(zeros)]
            seed = f"({', '.join(seeds)},)" if several else ones[0]
            found = f"{pullback}({own.residuals}, {seed})"
            if not self.single and len(self.wrt) == 1:
                found = f"({found},)"
            parts.append(found if is_differentiable(k) or not several else "None")
        whole = f"({', '.join(parts)},)" if several else parts[0]
        lines = [f"{own.y}, {own.residuals} = {forward}({args})", f"return {whole}"]
        return self.written(lines, own)

    def refuse_again(self, why: str) -> None:
        """Say that this one is differentiated once."""
        refuse("AD410", f"`{self.__name__}` cannot be differentiated again", why)


def _one(leaf: Any) -> Any:
    return np.ones_like(leaf) if isinstance(leaf, np.ndarray) else type(leaf)(1.0)


def _as(value: Any, leaf: Any) -> Any:
    return value if isinstance(leaf, np.ndarray) else type(leaf)(value)


def _seed(y: Any, asked: list[bool], value: Callable[[Any], Any]) -> Any:
    """The cotangent with `value(leaf)` for the parts that are asked for, and zeros for others."""
    places = iter(asked)

    def one(leaf: Any) -> Any:
        here = next(places)
        if not tree.carries(leaf):
            return None
        return value(leaf) if here else np.zeros_like(leaf)[()]

    return tree.map(one, y)


def _corresponds(g: Any, y: Any) -> bool:
    """Whether each element of a gradient has a place in the result."""
    if tree.is_leaf(g) != tree.is_leaf(y):
        return False
    try:
        pairs = zip(tree.leaves(g), tree.leaves(tree.map(lambda a, b: b, g, y)), strict=True)
    except ValueError:
        return False
    return all(np.shape(a) == np.shape(b) for a, b in pairs if a is not None)
