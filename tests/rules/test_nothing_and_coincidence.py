"""Signals and images without elements, places that coincide, weights that are zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.special
import scipy.stats

import adtrans as ad
from adtrans.testing import check_grads

EMPTY: dict[str, Callable[[Any], Any]] = {
    "correlate": lambda x: scipy.ndimage.correlate(x, np.array([[1.0, 2.0]])),
    "gaussian": lambda x: scipy.ndimage.gaussian_filter(x, 0.7),
    "sobel": lambda x: scipy.ndimage.sobel(x),
    "shift": lambda x: scipy.ndimage.shift(x, 0.4),
    "uniform": lambda x: scipy.ndimage.uniform_filter1d(x, 3),
    "fft": lambda x: scipy.signal.fftconvolve(x, np.ones((1, 1)), mode="valid", axes=[0]),
}


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_image_without_elements(name: str, shape: tuple[int, int]) -> None:
    f, x = EMPTY[name], np.zeros(shape)
    try:
        f(x)
    except (RuntimeError, ValueError):
        return
    value, pullback = ad.vjp(f, x)
    assert pullback(value)[0].shape == shape
    assert ad.jvp(f, (x,), (x,))[1].shape == value.shape


def test_weights_of_an_image_without_elements() -> None:
    def f(x, w):
        return scipy.ndimage.correlate1d(x, w)

    value, pullback = ad.vjp(f, np.zeros(0), np.ones(3), wrt=("x", "w"))
    assert [g.tolist() for g in pullback(value)] == [[], [0.0, 0.0, 0.0]]


@pytest.mark.parametrize("places", [
    [0, 0, 1, 2, 3], [0, 1, 1, 2, 3], [0, 1, 2, 2, 3, 3], [0, 1, 2, 2], [0, 0, 0, 0],
])  # fmt: skip
def test_simpson_between_places_that_coincide(places: list[int]) -> None:
    x = np.array(places, float)
    check_grads(lambda y, x: scipy.integrate.simpson(y, x=x), (np.linspace(0.5, 2, x.size), x))


def test_simpson_is_still_differentiated_twice() -> None:
    def f(y, x):
        return np.sum(scipy.integrate.simpson(y, x=x) ** 2)

    check_grads(f, (np.arange(6.0) ** 2, np.array([0.0, 1.0, 3.0, 4.0, 6.0, 6.5])),
                wrt=("y", "x"), order=2)  # fmt: skip


def test_simpson_with_a_distance_for_each_interval_is_refused() -> None:
    with pytest.raises(ad.CompileError, match="array of distances"):
        ad.vjp(lambda d: scipy.integrate.simpson(np.arange(5.0), dx=d), np.ones(4))
    check_grads(lambda d: scipy.integrate.simpson(np.arange(5.0) ** 2, dx=d), (np.array(0.5),))


def test_entropy_of_shares_of_which_one_is_zero() -> None:
    p, q = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    for f, first in ((lambda p: scipy.stats.entropy(p), np.inf),
                     (lambda p: scipy.stats.entropy(p, q), -np.inf)):  # fmt: skip
        with np.errstate(divide="ignore"):
            slope = ad.grad(f)(p)
        near = ad.grad(f)(p + np.array([1e-9, 0.0, 0.0]))
        assert slope[0] == first
        np.testing.assert_allclose(slope[1:], near[1:], rtol=1e-5)


def test_an_exponential_that_overflows() -> None:
    """SciPy does not come back from `hyp1f1` of infinity."""
    slope = ad.grad(lambda x: np.sum(scipy.special.exprel(x)))(np.array([np.inf, -np.inf, 0.0]))
    assert slope.tolist() == [np.inf, 0.0, 0.5]
    check_grads(lambda x: scipy.special.exprel(x), (np.array([0.5, -2.0]),), order=2)


def test_polynomials_of_no_degree_at_the_ends() -> None:
    x = np.array([-1.0, 0.0, 1.0])
    degrees = np.arange(3.0)[:, None]
    for name in ("legendre", "chebyt", "chebyu", "chebyc", "chebys", "sh_legendre", "sh_chebyt",
                 "sh_chebyu"):  # fmt: skip
        f = getattr(scipy.special, f"eval_{name}")
        for n in (0, 0.0, 1, 3):
            assert np.isfinite(ad.grad(lambda x, f=f, n=n: np.sum(f(n, x)))(x)).all()
        check_grads(lambda x, f=f: f(degrees, x), (x,))
    check_grads(lambda x: scipy.special.eval_jacobi(0, 0.5, 1.5, x), (x,))
    check_grads(lambda x: scipy.special.eval_gegenbauer(0.0, 1.5, x), (x,))


@pytest.mark.filterwarnings("ignore:non-integer arg n:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:.*floating point number truncated:RuntimeWarning")
def test_orders_that_are_cut_off() -> None:
    x = np.array([0.5, 2.0])
    for n in (0.5, 1.5, 2.0):
        check_grads(lambda x, n=n: scipy.special.expn(n, x), (x,))
        check_grads(lambda x, n=n: scipy.special.kn(n, x), (x,))
        check_grads(lambda x, n=n: scipy.special.yn(n, x), (x,))


def test_an_incomplete_gamma_function_at_infinity() -> None:
    slope = ad.grad(lambda x: np.sum(scipy.special.gammainc(2.5, x)))(np.array([np.inf, 1.0]))
    assert slope[0] == 0.0 and slope[1] > 0.0
    check_grads(lambda x: scipy.special.gammainc(2.5, x), (np.array([0.5, 2.0]),), order=2)


@pytest.mark.recorded
def test_what_is_nan_in_a_derivative_is_no_error() -> None:
    x, places = np.arange(5.0), np.array([1.5, np.nan])

    def spline(y):
        return scipy.interpolate.CubicSpline(x, y, bc_type="natural")(places)

    value, pullback = ad.vjp(spline, x**2)
    assert np.isnan(value[1]) and np.isnan(pullback(np.ones(2))[0]).any()

    a = np.array([[2.0, 0.5], [0.5, 1.0]])
    seed = np.array([np.nan, 1.0])
    for solve in (
        lambda a, b: scipy.linalg.cho_solve(scipy.linalg.cho_factor(a), b),
        lambda a, b: scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), b),
        lambda a, b: scipy.linalg.solve_triangular(a, b),
        lambda a, b: scipy.linalg.solveh_banded(a, b),
    ):
        _, pullback = ad.vjp(solve, a, np.ones(2), wrt=("a", "b"))
        assert all(np.isnan(g).any() for g in pullback(seed))
