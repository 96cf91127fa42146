"""Forms in which functions are handed to SciPy: defaults, `*args`, values together with slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq, curve_fit, minimize, root, root_scalar

import adtrans as ad
from adtrans.lower.collected import for_call
from adtrans.testing import check_grads


def by_default(a: float) -> Any:
    return brentq(lambda x, k=a: x**3 + k * x - 1.0, 0.0, 3.0, xtol=1e-14)


def by_its_own_name(a: float) -> Any:
    return brentq(lambda x, a=a, c=1.0: x**3 + a * x - c, 0.0, 3.0, xtol=1e-14)


def collected(a: float) -> Any:
    return brentq(lambda x, *p: x**3 + p[0] * x - p[1], 0.0, 3.0, args=(a, 1.0), xtol=1e-14)


def with_jacobian(a: float) -> Any:
    def both(x: Any, c: Any) -> Any:
        return np.array([x[0] ** 3 - c * a]), np.array([[3 * x[0] ** 2]])

    return root(both, np.array([1.0]), (a,), jac=True, tol=1e-13).x[0]


def with_slope(a: float) -> Any:
    return root_scalar(lambda x, jac: (x**3 - jac, 3 * x**2), args=(a,), x0=1.0, fprime=True,
                       xtol=1e-14).root  # fmt: skip


def slope_beside(a: float) -> Any:
    return root_scalar(lambda x: x**3 - a, x0=1.0, fprime=lambda x: 3 * x**2, xtol=1e-14).root


def with_gradient(a: float) -> Any:
    return minimize(lambda x: (np.sum((x - a) ** 2) + np.sum(x**4), 2 * (x - a) + 4 * x**3),
                    np.zeros(2), jac=True, tol=1e-12).x[0]  # fmt: skip


@pytest.mark.parametrize("f", [by_default, by_its_own_name, collected, with_jacobian, with_slope,
                               slope_beside, with_gradient])  # fmt: skip
def test_of_first_and_second_order(f: Any) -> None:
    check_grads(f, (0.5,), rtol=1e-4, atol=1e-6)
    h = 1e-4
    slopes = (ad.grad(f)(0.5 + h) - ad.grad(f)(0.5 - h)) / (2 * h)
    assert ad.hessian(f)(0.5) == pytest.approx(slopes, rel=1e-4)


def test_a_name_that_the_body_binds() -> None:
    def f(a: float) -> Any:
        return quad(lambda t, k=a: sum(a * t for a in (k, k)), 0.0, 1.0)[0]

    with pytest.raises(ad.AdtransError) as found:
        ad.grad(f)(0.5)
    assert found.value.diagnostics[0].code == "AD409"
    assert "default for `k`" in str(found.value)


def test_a_computed_default_is_refused() -> None:
    def f(a: float) -> Any:
        def g(x: float, b: float = 2 * a) -> float:
            return x**3 + b * x - 1.0

        return brentq(g, 0.0, 3.0)

    with pytest.raises(ad.AdtransError) as found:
        ad.grad(f)(0.5)
    assert found.value.diagnostics[0].code == "AD409"


def test_what_has_a_reason_is_not_looked_into() -> None:
    assert for_call(curve_fit, 3, (), {}) is curve_fit
