"""What is handed to a primitive and writes: refused, whether or not anything varies in it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

import adtrans as ad
from adtrans.testing import check_grads

P = np.array([1.3, 0.4, 0.7])
STORE = np.ones(3)


def an_array_that_it_captures(x):
    w = np.ones(3)
    y = np.sum(w * x * x)

    def g(t):
        w.fill(4.0)
        return t - 1.0

    return y + np.sum(w * x * x) * brentq(g, 0.0, 3.0)


def fills(t, w):
    w[0] += t
    return t - 1.0


def an_array_that_it_is_passed(x):
    w = np.ones(3)
    y = np.sum(w * x * x)
    return y + np.sum(w * x * x) * quad(fills, 0.0, 2.0, args=(w,))[0]


def a_row(x):
    w = np.ones((2, 3))
    y = x * w[0]
    np.apply_along_axis(lambda r: r.fill(2.0) or r, 1, w)
    return np.sum(y * y + x * w[0])


def a_captured_array_for_each_element(x):
    w = np.ones(3)
    y = np.sum(w * x * x)

    def g(v):
        w[0] = 7.0
        return v

    return y + np.sum(w * x) * np.sum(np.vectorize(g)(np.arange(3.0)))


def an_array_of_the_module(x):
    def g(t):
        STORE[0] = t
        return t - 1.0

    return np.sum(STORE * x * x) * brentq(g, 0.0, 3.0)


def the_unknowns(x):
    def g(t, y):
        y *= 2.0
        return y

    start = np.ones(3)
    found = np.sum(start * x * x)
    return found * solve_ivp(g, (0.0, 1.0), start).y[0, 0]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [
        an_array_that_it_captures,
        an_array_that_it_is_passed,
        an_array_of_the_module,
        the_unknowns,
    ],
)
def test_writes_out_of_sight_are_refused(f, mode) -> None:
    with pytest.raises(ad.AdtransError, match=r"AD409(.|\n)*which others see"):
        ad.grad(f, on_overwrite=mode)(P)
    with pytest.raises(ad.AdtransError, match=r"AD409(.|\n)*which others see"):
        ad.jvp(f, (P,), (P,))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [a_row, a_captured_array_for_each_element])
def test_writes_for_each_element(f) -> None:
    with pytest.raises(ad.AdtransError, match="AD301"):
        ad.grad(f)(P)
    check_grads(f, (P,), on_overwrite="save")


def arrays_of_its_own(x):
    w = np.linspace(1.0, 2.0, 3)

    def g(t):
        t = t * 1.0
        t -= 0.5
        work = w.copy()
        work[0] = t
        return np.sum(work) - 3.0

    def h(r):
        r = r.copy()
        r[0] = 0.0
        return r

    rows = np.apply_along_axis(h, 1, np.ones((2, 3)))
    return np.sum(w * x * x) * brentq(g, -9.0, 9.0, xtol=1e-14) + np.sum(rows[0] * x)


def test_arrays_of_its_own_are_written() -> None:
    check_grads(arrays_of_its_own, (P,))


def a_constant_of_captured_arrays(x):
    w = np.linspace(1.0, 2.0, 3)
    n = 2

    def g(v):
        return v * w[n] + len(w)

    return np.sum(np.vectorize(g)(np.arange(3.0)) * x * x)


def test_captured_arrays_are_no_operands() -> None:
    """Also where nothing varies in the call: NumPy would go through them element by element."""
    check_grads(a_constant_of_captured_arrays, (P,))
    assert ad.jvp(a_constant_of_captured_arrays, (P,), (P,))[0] == a_constant_of_captured_arrays(P)
