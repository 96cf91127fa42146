"""Derivatives by central differences of fourth order: slow, and independent of everything else.

>>> finite_difference_vjp(lambda x, n: np.sum(x ** n), (np.array([1.0, 2.0]), 3), 1.0)[0].round(6)
array([ 3., 12.])
>>> round(float(finite_difference_jvp(lambda x: x * x, (3.0,), (1.0,))), 6)
6.0
"""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.testing import value_trees

# f'(x) = sum(weight * f(x + k * eps)) / eps, an error of eps**4.
_STENCIL = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))


def finite_difference_vjp(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    y_bar: object,
    wrt: tuple[int, ...] = (0,),
    eps: float = 1e-4,
) -> tuple[Any, ...]:
    """`<y_bar, f>` differentiated by each element of the arguments at the positions in `wrt`.

    `f` is called on copies. The result has one entry for each of `wrt`, of the structure of the
    argument, with None for leaves that carry no derivative. Costs four calls for each element.

    >>> finite_difference_vjp(lambda a: [a[0], 7], ([2.0, "s"],), [3.0, None])
    ([3.0000..., None],)
    """

    def gradient(k: int) -> Any:
        return value_trees.rebuild(
            primals[k], lambda path, leaf: _leaf_gradient(f, primals, k, path, leaf, y_bar, eps)
        )

    return tuple(gradient(k) for k in wrt)


def finite_difference_jvp(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    wrt: tuple[int, ...] = (0,),
    eps: float = 1e-4,
) -> Any:
    """The derivative of `f` along `tangents` (one for each of `wrt`); None for other leaves."""

    def shifted(value: Any, tangent: object, step: float) -> Any:
        direction = dict(value_trees.leaves(tangent))

        def shift(path: str, leaf: Any) -> Any:
            if direction.get(path) is None or not value_trees.is_float(leaf):
                return leaf
            return _typed(leaf + step * direction[path], leaf)

        return value_trees.rebuild(value, shift)

    def moved(step: float) -> Any:
        args = _own(primals)
        for k, tangent in zip(wrt, tangents, strict=True):
            args[k] = shifted(args[k], tangent, step)
        return quietly(f, args)

    values = [(weight, dict(value_trees.leaves(moved(k * eps)))) for k, weight in _STENCIL]

    def combine(path: str, leaf: Any) -> Any:
        if not value_trees.is_float(leaf):
            return None
        return sum(weight * np.asarray(found[path]) for weight, found in values) / eps

    return value_trees.rebuild(moved(0.0), combine)


def quietly(f: Callable[..., Any], args: list[Any]) -> Any:
    """`f(*args)` without what it prints and without NumPy's floating-point warnings."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        return f(*args)


def _leaf_gradient(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    position: int,
    path: str,
    leaf: Any,
    y_bar: object,
    eps: float,
) -> Any:
    if not value_trees.is_float(leaf):
        return None

    def at(index: tuple[int, ...], step: complex) -> float:
        args = _own(primals)
        args[position] = value_trees.rebuild(
            args[position], lambda p, old: _nudged(old, index, step) if p == path else old
        )
        return value_trees.inner(y_bar, quietly(f, args))

    def derivative(index: tuple[int, ...], unit: complex = 1.0) -> Any:
        return sum([w * at(index, k * eps * unit) for k, w in _STENCIL], 0.0) / eps

    gradient = np.zeros(np.shape(leaf), np.result_type(np.asarray(leaf).dtype, np.float64))
    for index in np.ndindex(gradient.shape):
        gradient[index] = derivative(index)
        if np.iscomplexobj(gradient):
            gradient[index] += 1j * derivative(index, 1j)
    return gradient if isinstance(leaf, np.ndarray) else gradient[()].item()


def _own(primals: tuple[Any, ...]) -> list[Any]:
    """Copies that share with each other what the originals share (one memo for all)."""
    return list(copy.deepcopy(primals))


def _nudged(leaf: Any, index: tuple[int, ...], step: complex) -> Any:
    if isinstance(leaf, np.ndarray):
        leaf[index] += step  # in place: the copies of an argument given twice stay one array
        return leaf
    return _typed(leaf + step, leaf)


def _typed(value: Any, like: Any) -> Any:
    if isinstance(like, np.ndarray):
        like[...] = value
        return like
    return value if isinstance(like, float | complex) else type(like)(value)
