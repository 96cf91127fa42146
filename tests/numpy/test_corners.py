"""Values at kinks, ties and singular points: the same in both modes, as docs/corners.md says."""

from __future__ import annotations

import math

import numpy as np
import pytest

import adtrans as ad

ZERO = np.zeros(2)


def both(f, x):
    """The derivative of a function of one number, by both modes, which must agree."""
    with np.errstate(all="ignore"):
        reverse = ad.grad(f)(x)
        forward = ad.jvp(f, (x,), (1.0,))[1]
    assert reverse == forward or (np.isnan(reverse) and np.isnan(forward))
    return float(reverse)


@pytest.mark.parametrize(("f", "x", "expected"), [
    (lambda x: abs(x), 0.0, 0.0),
    (lambda x: np.abs(x), 0.0, 0.0),
    (lambda x: np.sign(x) * x, 0.0, 0.0),
    (lambda x: max(x, 0.0), 0.0, 1.0),
    (lambda x: max(0.0, x), 0.0, 0.0),
    (lambda x: np.clip(x, 0.0, 1.0), 0.0, 1.0),
    (lambda x: np.clip(x, 0.0, 1.0), 1.0, 1.0),
    (lambda x: np.clip(x, 0.0, 1.0), 1.5, 0.0),
    (lambda x: x**2, 0.0, 0.0),
    (lambda x: x**1, 0.0, 1.0),
    (lambda x: x**0, 0.0, 0.0),
    (lambda x: x**2.0, 0.0, 0.0),
    (lambda x: np.floor(x) * x, 2.0, 2.0),
    (lambda x: np.round(x) * 1.0, 0.5, 0.0),
    (lambda x: np.heaviside(x, 0.5) * 1.0, 0.0, 0.0),
])  # fmt: skip
def test_numbers(f, x, expected):
    assert both(f, x) == expected


def test_sqrt_at_zero_is_infinite():
    assert both(lambda x: np.sqrt(x), 0.0) == np.inf


def test_ties_of_arrays():
    a, b = np.array([1.0, 2.0]), np.array([1.0, 3.0])
    by_a, by_b = ad.grad(lambda a, b: np.sum(np.maximum(a, b)), wrt=("a", "b"))(a, b)
    assert by_a[0] + by_b[0] == 1.0
    assert list(ad.grad(lambda x: np.max(x))(np.array([2.0, 2.0, 1.0]))) == [1.0, 0.0, 0.0]
    assert np.sum(ad.grad(lambda x: np.sum(np.sort(x) * np.arange(3)))(np.ones(3))) == 3.0


def test_norm_at_zero():
    with np.errstate(all="ignore"):
        gradient = ad.grad(lambda x: np.linalg.norm(x))(ZERO)
    assert np.all((gradient == 0.0) | np.isnan(gradient))  # never a number that looks right


def guarded_by_where(x):
    return np.sum(np.where(x > 0.0, np.sqrt(x), 0.0))


def guarded_twice(x):
    safe = np.where(x > 0.0, x, 1.0)
    return np.sum(np.where(x > 0.0, np.sqrt(safe), 0.0))


def guarded_by_a_branch(x):
    s = 0.0
    for v in x:
        if v > 0.0:
            s += np.sqrt(v)
    return s


def guarded_by_a_mask(x):
    y = np.zeros(len(x))
    positive = x > 0.0
    y[positive] = np.sqrt(x[positive])
    return np.sum(y)


@pytest.mark.parametrize("f", [guarded_twice, guarded_by_a_branch, guarded_by_a_mask])
def test_singular_branches_that_are_not_taken(f):
    x = np.array([4.0, 0.0])
    np.testing.assert_array_equal(ad.grad(f)(x), [0.25, 0.0])
    np.testing.assert_array_equal(ad.jvp(f, (x,), (np.ones(2),))[1], 0.25)


def test_where_alone_does_not_guard():
    with np.errstate(all="ignore"):
        gradient = ad.grad(guarded_by_where)(np.array([4.0, 0.0]))
    assert gradient[0] == 0.25
    assert np.isnan(gradient[1]) or gradient[1] == 0.0


def test_infinite_slopes_at_python_floats_in_both_modes():
    def guarded(x):
        return np.where(x > 0, np.log(x), 0.0)

    with np.errstate(all="ignore"):
        assert ad.jvp(np.sqrt, (0.0,), (1.0,)) == (0.0, np.inf)
        assert ad.grad(np.sqrt)(0.0) == np.inf
        assert ad.jvp(guarded, (0.0,), (1.0,)) == (0.0, 0.0)


@pytest.mark.parametrize("f", [
    lambda x: math.sqrt(x) * 2, lambda x: math.hypot(x, x), lambda x: x**0.5,
    lambda x: math.acosh(x + 1.0), lambda x: math.atan2(x, x),
])  # fmt: skip
def test_formulas_that_divide_numbers_of_python_by_zero(f):
    """Python raises where NumPy gives `inf`: the pullback says what that means."""
    with pytest.raises(ad.DerivativeError, match="divides by zero") as caught:
        ad.grad(f)(0.0)
    assert caught.value.code == "AD603" and caught.value.diagnostics[0].code == "AD603"
    _, pullback = ad.vjp(f, 0.0)
    with pytest.raises(ad.DerivativeError, match="divides by zero"):
        pullback(1.0)


def doubled(x):
    return 2.0 * x


def test_what_a_rule_of_the_user_raises_passes():
    def slope(y_bar, y, x):
        return y_bar / x  # which is wrong, and raises

    ad.rule(doubled, slope)
    with pytest.raises(ZeroDivisionError):
        ad.grad(lambda x: doubled(x) * 3.0)(0.0)
