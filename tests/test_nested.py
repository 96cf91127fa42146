"""Derivatives taken inside functions that are differentiated."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError, CompileError
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 0.9])
W = np.array([1.0, -2.0, 0.3])


def cube(t):
    return np.sum(t**3)


def weighted(t, w):
    return np.sum(t**3 * w)


cube_slope = ad.grad(cube)


@ad.differentiable
def energy(t):
    return np.sum(np.sin(t) * t)


def scaled(x):
    return x * x[0]


def at_once(x):
    return np.sum(ad.grad(cube)(x) * x)


def by_a_global(x):
    return np.sum(x * cube_slope(x))


def by_a_local_name(x):
    slope = ad.grad(cube)
    return np.sum(slope(x) + slope(2.0 * x) * x)


def of_two_kinds(x):
    return ad.grad(cube)(x)[0] * ad.grad(cube)(x[0])


def with_options(x):
    a, b = ad.grad(weighted, wrt=("t", 1))(x, W)
    return np.sum(a * b) + ad.grad(weighted, argnums=-1)(x, W)[0]


def by_an_attribute(x):
    value, slope = energy.value_and_grad(x)
    return value * np.sum(slope * energy.grad(2.0 * x))


def of_the_second_order(x):
    return x[0] * ad.grad(ad.grad(cube))(x[1]) + np.sum(ad.hessian(energy)(x) @ x)


def descent(x):
    for _ in range(3):
        x = x - 0.1 * energy.grad(x)
    return energy(x)


def jacobians(x):
    return np.sum(ad.jacfwd(scaled)(x) ** 2) + np.sum(ad.jacrev(scaled)(x) * x)


def element_by_element(x):
    return np.sum(ad.elementwise_grad(scaled)(x) * x)


def of_what_does_not_vary(x, n=2.0):
    return x[0] * ad.grad(cube)(n)


@pytest.mark.parametrize("f", [
    at_once, by_a_global, by_a_local_name, of_two_kinds, with_options, by_an_attribute,
    of_the_second_order, descent, jacobians, element_by_element, of_what_does_not_vary,
])  # fmt: skip
def test_against_differences(f):
    check_grads(f, (X.copy(),))


def test_second_derivatives_of_it():
    check_grads(by_a_global, (X.copy(),), order=2)


K = 2.0


def stretched(t):
    return np.sum(t**2) * K


def uses_it(x):
    return np.sum(ad.grad(stretched)(x) * x)


def test_what_the_inner_function_reads_is_noticed():
    global K
    gradient = ad.grad(uses_it)
    np.testing.assert_allclose(gradient(X), 8.0 * X)
    K = 3.0
    try:
        np.testing.assert_allclose(gradient(X), 12.0 * X)
    finally:
        K = 2.0


def broken(t):
    return t * undefined_here  # noqa: F821


def test_errors_show_the_inner_function():
    with pytest.raises(AdtransError, match="undefined_here"):
        ad.grad(lambda x: x * ad.grad(broken)(x))(2.0)
    with pytest.raises(AdtransError, match="AD404"):
        ad.grad(lambda x: np.sum(ad.grad(scaled)(x)))(X)


def power(k):
    def g(t):
        return t**k

    return g


square, third = power(2), power(3)


def applied(f, x):
    return f(x)


def test_functions_of_one_name_are_two_functions():
    def main(x):
        return applied(square, x) + applied(third, x)

    try:
        assert ad.grad(main)(2.0) == pytest.approx(16.0)
    except ad.CompileError as refused:
        assert refused.diagnostics[0].code == "AD105"
    gradient = ad.grad(applied, wrt="x")
    assert (gradient(square, 2.0), gradient(third, 2.0)) == (4.0, 12.0)


# -- local functions, which see the outer variable ------------------------------------------------


def closure(x):
    def h(y):
        return np.sum(x * y * y)

    return np.sum(ad.grad(h)(x) * x)


def anonymous(x):
    return x[0] * ad.grad(lambda y: x[1] * y**3)(x[2])


def perturbation_confusion(x):
    return x[0] * ad.grad(lambda y: x[0] + y)(1.0)


def three_deep(x):
    def h(y):
        return x[0] * ad.grad(lambda z: z * z * y * x[1])(y)

    return ad.grad(h)(2.0 * x[2])


def kept_under_a_name(x):
    slope = ad.grad(lambda y: np.sum(x * y**3))
    return np.sum(slope(x) + slope(2.0 * x))


def again(x):
    def h(y):
        return x[0] * y**4

    return ad.grad(ad.grad(h))(x[1])


def solved_by_newton(x):
    def residual(r):
        return r**3 + r * x[0] - x[1]

    slope = ad.grad(residual)
    r = 1.0
    for _ in range(4):
        r = r - residual(r) / slope(r)
    return r


def in_a_branch(x):
    if x[0] > 0.0:
        y = ad.grad(lambda t: t * t * x[1])(x[0])
    else:
        y = x[2]
    return y * y


def rebound_variable(x):
    a = x[0]

    def h(y):
        return a * y * y

    first = ad.grad(h)(x[1])
    a = a * x[2]
    return first * ad.grad(h)(x[1])


def with_a_selection(x):
    def h(a, b):
        return a * a * b * x[2]

    by_a, by_b = ad.grad(h, wrt=("a", "b"))(x[0], x[1])
    return by_a * by_b


@pytest.mark.parametrize("f", [
    closure, anonymous, perturbation_confusion, three_deep, kept_under_a_name, again,
    solved_by_newton, in_a_branch, rebound_variable, with_a_selection,
])  # fmt: skip
def test_local_functions(f):
    check_grads(f, (X.copy(),))


def test_the_inner_derivative_of_a_sum_does_not_see_the_outer_direction():
    gradient = ad.grad(lambda x: x * ad.grad(lambda y: x + y)(1.0))
    assert gradient(2.0) == 1.0
    assert ad.jvp(lambda x: x * ad.grad(lambda y: x + y)(1.0), (2.0,), (1.0,)) == (2.0, 1.0)


AT = np.ones(3)


def fill(b, z):
    b[0] = 5.0
    return np.sum(b * z)


def by_vjp(x):
    y, pullback = ad.vjp(cube, x)
    return np.sum(pullback(y))


def by_jvp(x):
    return ad.jvp(cube, (x,), (x,))[1]


def by_hvp(x):
    return np.sum(ad.hvp(cube, (x,), (x,)))


def by_linearize(x):
    return ad.linearize(cube, x)[1](x)


@pytest.mark.parametrize("body", [by_vjp, by_jvp, by_hvp, by_linearize])
def test_what_differentiates_where_it_runs_is_refused_where_it_carries(body):
    with pytest.raises(CompileError, match=f"AD401.*`ad.{body.__name__[3:]}`"):
        ad.grad(body)(X)


def test_what_differentiates_where_it_runs_may_be_a_constant():
    check_grads(lambda x: ad.jvp(cube, (AT,), (AT,))[1] * np.sum(x * x), (X,))


def test_what_differentiates_where_it_runs_may_write():
    def f(x):
        b = np.ones(3)
        s = np.sum(x * b)
        ad.jvp(fill, (b, AT), (AT, AT))
        return np.sum(x * b) + s

    with pytest.raises(CompileError, match="AD307"):
        ad.grad(f)(X)


def test_a_gradient_is_a_function_with_derivatives():
    slope = ad.differentiable(ad.grad(weighted))
    assert "def " in slope.source_for(X, W)
    out, pullback = slope.vjp(X, W)
    assert np.allclose(out, 3.0 * X**2 * W)
    assert np.allclose(pullback(np.ones(3))[0], 6.0 * X * W)
    total = ad.differentiable(ad.grad(lambda t: t**3 * 2.0))
    assert np.isclose(total.grad(0.5), 6.0) and np.isclose(total(0.5), 1.5)
