"""Probabilities at the bounds of their parameters, between the integers, and of singular
covariances: where a formula divides by zero, and where a distribution function is asked for
what is no integer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats

import adtrans as ad
from adtrans.testing import check_grads

STEP = 1e-6


def one_sided(f: Callable[[float], Any], at: float, side: float) -> float:
    return float((f(at + side * STEP) - f(at)) / (side * STEP))


BOUNDS: list[tuple[Callable[[float], Any], float, float]] = [
    (lambda p: scipy.stats.bernoulli.pmf(1, p), 0.0, 1.0),
    (lambda p: scipy.stats.bernoulli.pmf(0, p), 1.0, -1.0),
    (lambda p: scipy.stats.binom.pmf(3, 3, p), 1.0, -1.0),
    (lambda p: scipy.stats.binom.pmf(2, 3, p), 1.0, -1.0),
    (lambda p: scipy.stats.binom.logpmf(0, 3, p), 0.0, 1.0),
    (lambda m: scipy.stats.poisson.pmf(1, m), 0.0, 1.0),
    (lambda m: scipy.stats.poisson.logpmf(0, m), 0.0, 1.0),
    (lambda p: scipy.stats.geom.pmf(2, p), 1.0, -1.0),
    (lambda p: scipy.stats.nbinom.pmf(1, 2.5, p), 1.0, -1.0),
    (lambda p: scipy.stats.nbinom.logpmf(0, 2.5, p), 1.0, -1.0),
]


@pytest.mark.parametrize(("f", "at", "side"), BOUNDS)
def test_bounds_of_parameters_have_the_slope_inside(
    f: Callable[[float], Any], at: float, side: float
) -> None:
    slope = ad.grad(f)(at)
    assert ad.jvp(f, (at,), (1.0,))[1] == slope
    np.testing.assert_allclose(slope, one_sided(f, at, side), rtol=1e-4, atol=1e-5)


def test_slopes_of_probabilities_move_with_the_location() -> None:
    def f(p):
        return (scipy.stats.geom.pmf(3, p, loc=1) + scipy.stats.nbinom.pmf(3, 2.5, p, 1)
                + scipy.stats.bernoulli.pmf(1, p) + scipy.stats.binom.pmf(3, 5, p, 1)
                + scipy.stats.poisson.pmf(3, p, 1))  # fmt: skip

    check_grads(f, (0.4,), order=2)


def test_a_distribution_function_between_integers() -> None:
    def f(p):
        return (scipy.stats.poisson.cdf(2.5, 4 * p) + scipy.stats.binom.sf(2.5, 4, p)
                + scipy.stats.poisson.logcdf(3.0, p, loc=0.5))  # fmt: skip

    check_grads(f, (0.4,))


@pytest.mark.filterwarnings("ignore:non-integer arg n:DeprecationWarning")
def test_trials_that_are_no_integer_are_cut_off() -> None:
    check_grads(lambda p: scipy.special.bdtr(1.0, 2.7, p), (0.3,))
    check_grads(lambda p: scipy.special.bdtrc(1.0, 2.7, p), (0.3,))


def test_shapes_where_a_formula_would_divide_by_zero() -> None:
    check_grads(lambda b: scipy.stats.gennorm.logpdf(0.0, b), (1.5,))
    check_grads(lambda x: scipy.stats.t.logpdf(x, np.inf), (0.7,))
    check_grads(lambda s: scipy.stats.norm.cdf(np.inf, 0.0, s), (1.5,))
    for c in (0.0, 1e-9, 1e-6):
        slope = ad.grad(lambda c: scipy.stats.genpareto.logpdf(1.3, c))(c)
        np.testing.assert_allclose(slope, 1.3**2 / 2 - 1.3, rtol=1e-5)


def test_a_product_with_a_logarithm_is_flat_where_its_factor_is_zero() -> None:
    none, at = np.array([0.0, 0.0, 2.0]), np.array([0.0, 1.0, 4.0])
    for f in (scipy.special.xlogy, scipy.special.rel_entr):
        sign = 1.0 if f is scipy.special.xlogy else -1.0
        found = ad.grad(lambda b, f=f: np.sum(f(none, b)))(at)
        assert found.tolist() == [0.0, 0.0, sign * 0.5]
    bent = ad.hessian(lambda z: scipy.special.xlogy(z[0], z[1]))(np.array([0.0, 2.0]))
    assert bent.tolist() == [[0.0, 0.5], [0.5, 0.0]]


COV = np.array([[1.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 2.0, 4.0]])


def test_a_singular_covariance_is_inverted_as_scipy_does() -> None:
    def f(s):
        x = np.array([1.0, 1.0, 2.0]) * s
        return scipy.stats.multivariate_normal.logpdf(x, np.zeros(3), COV, allow_singular=True)

    check_grads(f, (0.7,))

    def of_covariance(c):
        return scipy.stats.multivariate_normal.logpdf(
            np.array([1.0, 1.0, 2.0]), np.zeros(3), c, allow_singular=True
        )

    with pytest.raises(ad.DerivativeError, match="singular"):
        ad.grad(of_covariance)(COV)
    plain = ad.grad(lambda c: scipy.stats.multivariate_normal.logpdf(
        np.array([1.0, 1.0, 2.0]), np.zeros(3), c))(COV + np.eye(3))  # fmt: skip
    np.testing.assert_allclose(ad.grad(of_covariance)(COV + np.eye(3)), plain, atol=1e-12)
