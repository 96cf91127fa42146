"""Jacobians, column by column (forward) or row by row (reverse), and what is made from them.

A Jacobian has the structure of the result and, inside, that of the argument; an array of shape `m`
by one of shape `n` gives one of shape `(*m, *n)`.

>>> import numpy as np
>>> squares = Jacobian(recipe_of(lambda x: x * x, Options()), None, False, "reverse")
>>> squares(np.array([1.0, 2.0]))
array([[2., 0.],
       [0., 4.]])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Literal

import numpy as np

from adtrans import tree
from adtrans.api.derived import Derived, recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.mixed import is_repeatable
from adtrans.api.pullbacks import pulled
from adtrans.api.pushforwards import by_attributes, in_objects, push
from adtrans.arguments.cotangents import zero_like
from adtrans.arguments.inputs import check_arguments, refuse
from adtrans.arguments.object_trees import in_attributes, overlapping
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options, Wrt
from adtrans.ir.kinds import Array, Kind, Scalar

__all__ = ["Hessian", "Jacobian", "Options", "recipe_of"]

Direction = Literal["forward", "reverse"]


_NAMES = {"forward": "jacfwd", "reverse": "jacrev"}


class Jacobian(Derived):
    """All derivatives of all results, a function of the same arguments.

    "forward" runs the function once for each number in the arguments, "reverse" once, and its
    pullback once for each number in the result. A function that may not be run several times
    (it prints, draws random numbers, writes) is always taken in reverse.
    """

    def __init__(self, recipe: Recipe, wrt: Wrt, has_aux: bool, direction: Direction) -> None:
        super().__init__(recipe, wrt, has_aux, _NAMES[direction], "Jacobian")
        self.given = recipe.origin, recipe.options, wrt, has_aux, direction
        self.direction = direction

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.collects:
            return self.for_call(len(args), tuple(kwargs))(*args, **kwargs)
        target = self.recipe.target
        values = target.arguments(args, kwargs)
        check_arguments(target, values, self.wrt)
        given = tuple(target.value(n, values) for n in self.wrt)
        selected = tree.map(lambda leaf: leaf, given)  # as on entry: a list may get longer
        size = sum(np.size(leaf) for leaf in tree.leaves(selected) if tree.carries(leaf))
        apart = overlapping(self.wrt) is None
        if self.direction == "forward" and size and apart and self.repeatable(values):
            y, table = self.by_columns(values, selected, size)
        else:
            y, table = self.by_rows(values, selected, size)
        found = _assembled(y[0] if self.has_aux else y, selected, table, self.single)
        return (found, y[1]) if self.has_aux else found

    def __reduce__(self) -> tuple[object, ...]:
        return _jacobian, self.given

    def repeatable(self, values: tuple[Any, ...]) -> bool:
        names = in_attributes(self.recipe.target, values, self.wrt)
        recipe = by_attributes(self.recipe, values)
        table = {n: self.recipe.target.value(n, values) for n in names}
        return is_repeatable(recipe, values, {n: zero_like(v) for n, v in table.items()})

    def by_columns(
        self, values: tuple[Any, ...], selected: tuple[Any, ...], size: int
    ) -> tuple[Any, Any]:
        """The result, and the matrix of its numbers by those of the arguments."""
        columns = []
        for seed in _basis(selected, size):
            y, y_dot = push(self.recipe, values, dict(zip(self.wrt, seed, strict=True)))
            columns.append(_numbers(y_dot[0] if self.has_aux else y_dot, self.result(y)))
        return y, np.stack(columns, axis=1)

    def by_rows(
        self, values: tuple[Any, ...], selected: tuple[Any, ...], size: int
    ) -> tuple[Any, Any]:
        """The same by pullbacks."""
        y, pullback = pulled(by_attributes(self.recipe, values), values, self.wrt, self.wrt)
        result = self.result(y)
        count = sum(np.size(leaf) for leaf in tree.leaves(result) if tree.carries(leaf))
        table = np.zeros((count, size))
        if size and tree.leaves(selected):
            table = table.astype(np.result_type(*_dtypes(selected)), copy=False)
        for k, seed in enumerate(_basis(result, count)):
            table[k] = _numbers(pullback((seed, None) if self.has_aux else seed), selected)
        return in_objects(self.recipe, values, y), table

    def result(self, y: Any) -> Any:
        """The part of the result that is differentiated.

        Raises:
            InputError: AD404 without one, AD407 where it is complex.
        """
        name = self.recipe.target.fn.__name__
        if self.has_aux and (not isinstance(y, tuple) or len(y) != 2):
            refuse("AD404", f"`{name}` does not return `(value, aux)`",
                   "`has_aux=True` was given.", "return a tuple of two")  # fmt: skip
        found = y[0] if self.has_aux else y
        if any(map(is_complex, tree.leaves(found))):
            refuse_complex(name)
        return found

    def function_for(self, kinds: dict[str, Kind]) -> FunctionType:
        """The Jacobian of an array or number by an array or number, as one function."""
        args = self.again()
        kind = kinds.get(self.wrt[0])
        dispatcher = self.recipe.dispatcher(self.wrt, "pullback")
        version = dispatcher.compile(kinds)
        result = version.compiled.facts.kinds.result
        plain = isinstance(result, Array | Scalar) and isinstance(kind, Array | Scalar)
        if not self.single or self.has_aux or not plain:
            refuse("AD410", f"`{self.__name__}` cannot be differentiated again",
                   "only the Jacobian of one array or number by one argument can")  # fmt: skip
        own, x = self.words(), self.wrt[0]
        forward, pullback = (own.of(f.__name__, f) for f in version.functions)
        lines = [f"{own.y}, {own.residuals} = {forward}({args})"]
        if isinstance(result, Scalar):
            lines.append(f"return {pullback}({own.residuals}, 1.0)")
            return self.written(lines, own)
        y, np_ = own.y, own.of("np", np)
        row = f"{pullback}({own.residuals}, {np_}.reshape({own.seed}, {np_}.shape({y})))"
        shape, columns = f"{y}.shape", "1"
        if isinstance(kind, Array):
            row, shape, columns = f"{np_}.reshape({row}, -1)", f"{y}.shape + {x}.shape", f"{x}.size"
        lines += [
            f"{own.jacobian} = {np_}.zeros(({y}.size, {columns}))",
            f"for {own.k} in range({y}.size):",
            f"    {own.seed} = {np_}.zeros({y}.size)",
            f"    {own.seed}[{own.k}] = 1.0",
            f"    {own.jacobian}[{own.k}] = {row}",
            f"return {np_}.reshape({own.jacobian}, {shape})",
        ]
        return self.written(lines, own)


class Hessian(Jacobian):
    """Forward over reverse: the Jacobian of the gradient."""

    def __init__(self, recipe: Recipe, wrt: Wrt, has_aux: bool) -> None:
        gradient = Gradient(recipe, wrt, has_aux, with_value=False)
        names: Wrt = gradient.wrt[0] if gradient.single else gradient.wrt
        super().__init__(recipe_of(gradient, recipe.options), names, has_aux, "forward")
        of = recipe.target.fn.__name__
        self.__name__ = self.__qualname__ = f"hessian_of_{of}"
        _, _, by = (self.__doc__ or "").rpartition("with respect to ")
        self.__doc__ = f"The Hessian of `{of}` with respect to {by}"
        self.collects = gradient.collects
        self.of = recipe.origin, recipe.options, wrt, has_aux

    def __reduce__(self) -> tuple[object, ...]:
        return _hessian, self.of


def _hessian(origin: object, options: Options, wrt: Wrt, has_aux: bool) -> Hessian:
    return Hessian(recipe_of(origin, options), wrt, has_aux)


def _jacobian(
    origin: object, options: Options, wrt: Wrt, has_aux: bool, direction: Direction
) -> Jacobian:
    return Jacobian(recipe_of(origin, options), wrt, has_aux, direction)


def _basis(value: Any, size: int) -> Iterator[Any]:
    """Trees like `value`, each with a one in one place and zeros in all others."""
    unravel = tree.ravel(value)[1]
    for k in range(size):
        flat = np.zeros(size)
        flat[k] = 1.0
        yield tree.map(lambda leaf: leaf if tree.carries(leaf) else None, unravel(flat))


def _numbers(found: Any, like: Any) -> Any:
    """The numbers of a derivative that has the structure of `like`, in one vector."""
    parts = [
        np.ravel(f)
        for f, leaf in zip(tree.leaves(found), tree.leaves(like), strict=True)
        if tree.carries(leaf)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def is_complex(leaf: Any) -> bool:
    return isinstance(leaf, np.ndarray | np.generic | complex) and np.iscomplexobj(leaf)


def refuse_complex(name: str) -> None:
    refuse("AD407", f"the result of `{name}` is complex", "derivatives are those of real results.",
           "return its real and its imaginary part")  # fmt: skip


def _dtypes(value: Any) -> list[Any]:
    return [np.asarray(leaf).dtype for leaf in tree.leaves(value) if tree.carries(leaf)]


def _assembled(y: Any, selected: tuple[Any, ...], table: Any, single: bool) -> Any:
    """The numbers of a Jacobian in their structure: that of the result, then the arguments'."""
    row = 0

    def result(leaf: Any) -> Any:
        nonlocal row
        if not tree.carries(leaf):
            return None
        rows = table[row : row + np.size(leaf)]
        row += np.size(leaf)
        found = tree.map(_block(rows, leaf), selected)
        return found[0] if single else found

    return tree.map(result, y)


def _block(rows: Any, out: Any) -> Callable[[Any], Any]:
    """Cuts the columns of one argument after the other from some rows."""
    column = 0

    def one(leaf: Any) -> Any:
        nonlocal column
        if not tree.carries(leaf):
            return None
        block = rows[:, column : column + np.size(leaf)]
        column += np.size(leaf)
        if not isinstance(leaf, np.ndarray) and not isinstance(out, np.ndarray):
            return type(leaf)(block[0, 0])
        dtype = leaf.dtype if isinstance(leaf, np.ndarray | np.generic) else block.dtype
        shape = (*np.shape(out), *np.shape(leaf))
        return np.ascontiguousarray(block).reshape(shape).astype(dtype)

    return one
