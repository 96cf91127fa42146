"""Integrals and derivatives of samples, by the places that they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, simpson

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def of_vector(n: int) -> Any:
    def f(x: Any) -> Any:
        return simpson(np.sin(np.arange(n) * x[0]), x=np.arange(n) * x[1] + np.arange(n) ** 2)

    return f


def along_columns(x: Any) -> Any:
    return np.sum(simpson(np.outer(x, x**2), x=np.cumsum(x), axis=0) ** 2)


def with_all_places(x: Any) -> Any:
    return np.sum(simpson(np.outer(x, x**2), x=np.cumsum(np.outer(x, x + 1), axis=1)) ** 2)


def with_distance(x: Any) -> Any:
    return simpson(x**2, dx=x[0]) ** 2


@pytest.mark.parametrize("f", [
    *(of_vector(n) for n in (2, 3, 4, 7, 8)), along_columns, with_all_places, with_distance,
])  # fmt: skip
def test_simpson(f: Any) -> None:
    check_grads(f, (X,), order=2)


def test_places_that_are_overwritten() -> None:
    def f(x: Any) -> Any:
        places = np.cumsum(x)
        total = simpson(x**2, x=places)
        places[...] = 0.0
        return total * np.sum(places + x)

    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("initial", [None, 0.5])
def test_running_simpson(n: int, initial: float | None) -> None:
    places = np.cumsum(np.linspace(0.3, 0.9, n))

    def by_places(x: Any) -> Any:
        y = np.outer(np.arange(1.0, n + 1.0), x) ** 2
        return np.sum(cumulative_simpson(y, x=places, axis=0, initial=initial) ** 2)

    def by_distance(x: Any) -> Any:
        y = np.outer(x, np.arange(1.0, n + 1.0)) ** 2
        return np.sum(cumulative_simpson(y, dx=0.3, initial=initial) ** 2)

    def by_moving(x: Any) -> Any:
        moving = np.cumsum(np.exp(0.1 * x[0] * np.arange(n)) + x[1])
        y = np.outer(np.arange(1.0, n + 1.0), x) ** 2
        columns = moving[:, None] * np.ones(4) + 0.1 * x
        total = np.sum(cumulative_simpson(y, x=moving, axis=0, initial=initial) ** 2)
        return total + np.sum(cumulative_simpson(y, x=columns, axis=0, initial=initial) ** 3)

    for f in (by_places, by_distance, by_moving):
        check_grads(f, (X,))


def by_two_vectors(x: Any) -> Any:
    a, b = np.gradient(np.outer(x, x**2), np.cumsum(x), x + np.arange(4), edge_order=2)
    return np.sum(a**2) + np.sum(b**3)


def by_vector_and_distance(x: Any) -> Any:
    cube = np.outer(x, x**2)[:, :, None] * np.ones(3)
    a, b = np.gradient(cube, np.cumsum(x), x[1], axis=(1, 0))
    return np.sum(a**2 * b)


def one_of_three(x: Any) -> Any:
    cube = np.outer(x, x**2)[:, :, None] * np.arange(3.0)
    found = np.gradient(cube, x[0], np.cumsum(x), 0.5)
    return np.sum(found[1] ** 2)


def written(x: Any) -> Any:
    a, b = np.gradient(np.outer(x, x), 0.3, np.arange(4.0) ** 2)
    a[0] = 0.0
    b *= a
    return np.sum(b * b)


@pytest.mark.parametrize("f", [by_two_vectors, by_vector_and_distance, one_of_three, written])
def test_gradient_along_several_axes(f: Any) -> None:
    check_grads(f, (X,), on_overwrite="save")
