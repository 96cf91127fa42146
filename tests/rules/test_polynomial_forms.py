"""Forms of polynomials: no derivative at all, numbers for coefficients, weights of another
precision; and what is made of nothing or of one point."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

P = np.array([1.5, -0.5, 2.0])


@pytest.mark.parametrize("p", [P, 1.5, np.array(1.5), np.arange(6.0).reshape(2, 3)])
def test_no_derivative_and_no_integral_are_the_same(p: object) -> None:
    check_grads(lambda p: np.polyint(p, 0) * np.polyint(p, 0), (p,))
    if np.ndim(p):
        check_grads(lambda p: np.polyder(p, 0) * 2.0, (p,))


def test_a_matrix_of_coefficients_is_refused() -> None:
    with pytest.raises(ad.CompileError, match="must be a vector"):
        ad.grad(lambda p: np.sum(np.polyder(p)))(np.ones((3, 2)))


@pytest.mark.parametrize("q", [1.5, np.array(1.5), np.float64(1.5)])
def test_products_with_numbers(q: object) -> None:
    check_grads(lambda p, q: np.polymul(p, q), (P, q), wrt=("p", "q"), order=2)
    check_grads(lambda p, q: np.polymul(q, p), (P, q), wrt=("p", "q"))


def test_the_polynomial_without_roots() -> None:
    check_grads(lambda p: np.poly(p), (np.zeros(0),))


@pytest.mark.parametrize("how", ["full=True", "cov=True", "rcond=1e-8"])
def test_weights_do_not_widen_the_data(how: str) -> None:
    x, w = np.arange(6.0), np.linspace(0.5, 2.0, 6)
    y = (np.sin(x) + 1.5).astype(np.float32)
    fits = {
        "full=True": lambda y, w: np.polyfit(x, y, 1, w=w, full=True)[0],
        "cov=True": lambda y, w: np.polyfit(x, y, 1, w=w, cov=True)[0],
        "rcond=1e-8": lambda y, w: np.polyfit(x, y, 1, w=w, rcond=1e-8),
    }
    value, pullback = ad.vjp(fits[how], y, w, wrt=("y", "w"))
    assert value.tolist() == fits[how](y, w).tolist()
    y_bar, _ = pullback(np.ones(2))
    assert y_bar.dtype == np.float32


def test_the_step_between_no_points() -> None:
    def f(x, n):
        return np.linspace(x, 2.0, n, retstep=True)[1]

    for n, slope in ((0, 0.0), (1, 0.0), (2, -1.0), (5, -0.25)):
        assert ad.grad(f)(1.0, n) == slope == ad.jvp(f, (1.0, n), (1.0, None))[1]


def test_astype_takes_no_lists() -> None:
    def f(x):
        return np.sum(np.astype(x, np.float64))

    with pytest.raises(TypeError):
        f([1.0, 2.0])
    with pytest.raises(TypeError):
        ad.vjp(f, [1.0, 2.0])
    check_grads(f, (np.ones(2),))


def test_an_array_without_rows_is_read_by_fromiter() -> None:
    _, pullback = ad.vjp(lambda x: np.fromiter(x, float), np.zeros((0, 2)))
    assert pullback(np.zeros(0))[0].shape == (0, 2)
