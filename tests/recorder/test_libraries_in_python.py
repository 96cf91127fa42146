"""What NumPy, SciPy and others write in Python is followed where there is no rule, or none for the
arguments at hand; what it overwrites is copied, as its lines are not the user's to change."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.stats
from numpy.polynomial import Chebyshev, Polynomial
from numpy.polynomial import chebyshev as C
from numpy.polynomial import polynomial as P

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 0.4, 1.3, 0.9])


def number_minus_polynomial(x):
    return P.polysub(x[0], x)


def changed_basis(x):
    return C.cheb2poly(x)


def from_roots(x):
    return P.polyfromroots(x)


def number_times_polynomial(x):
    p = x[0] * Polynomial([1.0, 2.0]) ** 2
    return p.coef * x[1] + Chebyshev(x).integ()(0.4)


def pulse(x):
    return scipy.signal.gausspulse(x * 0.1, fc=5)


def filter_of_zeros(x):
    return np.concatenate(scipy.signal.zpk2tf(x[:2], x[2:], 2.0))


def transformed_filter(x):
    return np.concatenate(scipy.signal.bilinear(x[:2], x[1:], fs=2.0))


def window(x):
    return scipy.signal.firwin(7, 0.3 * x[0])


def vector_integral(x):
    return scipy.integrate.quad_vec(lambda t: np.array([np.exp(-x[0] * t), x[1] * t]), 0.0, 1.0)[0]


def test_of_means(x):
    return scipy.stats.ttest_ind(x[:3], x[1:] ** 2).statistic


def start_of_a_filter(x):
    return scipy.signal.lfilter_zi(x[:3], [1.0, -0.4, 0.2])


test_of_means.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize("f", [
    number_minus_polynomial, changed_basis, from_roots, number_times_polynomial, pulse,
    filter_of_zeros, transformed_filter, window, vector_integral, test_of_means, start_of_a_filter,
])  # fmt: skip
def test_right_as_recorded(f):
    check_grads(f, (X,))
    check_grads(f, (X,), on_unfollowed="always")


def test_what_scipy_writes_for_us_is_differentiated_itself():
    for f in (scipy.optimize.rosen, scipy.optimize.rosen_der):
        check_grads(f, (X,))


def test_a_text_that_a_function_keeps_is_its_source():
    text = "def doubled(x):\n    y = x * x\n    return 2.0 * y\n"
    names: dict[str, object] = {}
    exec(compile(text, "<class 'made'> compilation 3", "exec"), names)
    f = names["doubled"]
    with pytest.raises(ad.AdtransError) as told:
        ad.grad(f)(1.5)
    assert told.value.diagnostics[0].code == "AD101"
    f._code = text.replace("2.0", "3.0")  # type: ignore[attr-defined]  # of another function
    with pytest.raises(ad.AdtransError):
        ad.grad(f)(1.5)
    f._code = text  # type: ignore[attr-defined]  # as decorators of networkx do
    assert ad.grad(f)(1.5) == ad.grad(ad.recorded(f))(1.5) == 6.0
