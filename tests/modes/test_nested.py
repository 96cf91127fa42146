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


def waved(x):
    return np.sin(x) * x


def element_by_element(x):
    return np.sum(ad.elementwise_grad(waved)(x) * x)


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


def scaled_by(t, k):
    return np.sin(t * k) * t[0]


def by_jvp(x):
    y, dot = ad.jvp(cube, (x,), (x * x,))
    u, u_dot = ad.jvp(scaled_by, (x, y), (x * x, None))
    return np.sum(u * u_dot) * dot


def by_hvp(x):
    along = ad.hvp(weighted, (x, W), (np.sin(x),), wrt="t")
    return np.sum(along * ad.hvp(cube, (x,), (along,)))


def by_vjp(x):
    y, pullback = ad.vjp(scaled_by, x, x[1])
    by_t, by_k = pullback(np.cos(x))
    return np.sum(by_t * y) * by_k


def by_pullbacks(x):
    y, pullback = ad.vjp(cube, x)
    total = 0.0
    for k in range(3):
        (found,) = pullback(y * x[k])
        total = total + found[k] ** 2
    return total


def by_vjp_at_once(x):
    return np.sum(ad.vjp(scaled_by, x, 2.0, wrt="t")[1](x)[0] * x)


def by_linearize(x):
    y, slope = ad.linearize(scaled_by, x, 2.0, wrt="t")
    return np.sum(slope(x * y) * slope(x)) + ad.linearize(cube, x)[1](y)


def of_closures(x):
    y, dot = ad.jvp(lambda t: x[0] * t**3, (x[1],), (x[2],))
    z, pullback = ad.vjp(lambda t: x * t, x[0])
    return y * dot * np.sum(pullback(x * x)[0] * z)


def overwritten_after_the_vjp(x):
    x = x.copy()
    y, pullback = ad.vjp(scaled_by, x, 2.0)
    x[0] = 0.0
    y[1] = 1.0
    return np.sum(pullback(y)[0] * x)


def of_a_gradient(x):
    return ad.jvp(ad.grad(cube), (x,), (x,))[1] @ x + np.sum(ad.vjp(ad.grad(cube), x)[1](x)[0])


def tangents_of_two_levels(x):
    def inner(y):
        return ad.jvp(lambda z: z * y * x[0], (y,), (1.0,))[1] * y

    return ad.jvp(inner, (x[1],), (x[2],))[1]


def no_confusion_of_tangents(x):
    return x[0] * ad.jvp(lambda y: x[0] + y, (1.0,), (1.0,))[1]


@pytest.mark.recorded
@pytest.mark.parametrize("f", [
    by_jvp, by_hvp, by_vjp, by_pullbacks, by_vjp_at_once, by_linearize, of_closures,
    overwritten_after_the_vjp, of_a_gradient, tangents_of_two_levels, no_confusion_of_tangents,
])  # fmt: skip
def test_modes_with_arguments(f):
    check_grads(f, (X.copy(),), order=2)


@pytest.mark.recorded
def test_third_order_by_three_modes():
    def f(x):
        return ad.hvp(cube, (x,), (x,)) @ x  # 6 x^3

    np.testing.assert_allclose(ad.hvp(f, (X,), (W,)), 36.0 * X * W)
    np.testing.assert_allclose(ad.jacfwd(ad.hessian(f))(X)[1], np.diag([0.0, 36.0, 0.0]))


@pytest.mark.recorded
def test_no_confusion_of_perturbations():
    """The examples of Siskind and Pearlmutter, by `jvp`."""
    def slope(f):
        return lambda x: ad.jvp(f, (x,), (1.0,))[1]

    def outer(x):
        return x * ad.jvp(lambda y: x + y, (1.0,), (1.0,))[1]

    def deep(x):
        def middle(y):
            return ad.jvp(lambda z: x * y * z, (3.0,), (1.0,))[1]

        return x * ad.jvp(middle, (2.0,), (1.0,))[1]

    assert slope(outer)(1.0) == 1.0
    assert slope(deep)(5.0) == 10.0


def tells(x):
    pullback = ad.vjp(cube, x)[1]
    return np.sum(pullback(1.0)[0])


def hands_on(x):
    y, pullback = ad.vjp(cube, x)
    return np.sum(called(pullback, y)[0])


def called(f, y):
    return f(y)


def with_aux(x):
    y, pullback, _ = ad.vjp(lambda t: (t * t, 1.0), x, has_aux=True)
    return np.sum(pullback(y)[0])


def of_collected(x):
    return ad.jvp(cube, *[(x,), (x,)])[1]


@pytest.mark.parametrize("body", [tells, hands_on, with_aux, of_collected])
def test_other_forms_are_refused(body):
    with pytest.raises(CompileError, match=r"AD401.*`ad.[vj][jv]p`"):
        ad.grad(body)(X)


@pytest.mark.recorded
def test_what_does_not_fit_is_refused():
    def number_for_an_array(x):
        return ad.jvp(cube, (x,), (1.0,))[1]

    def of_another_shape(x):
        return ad.jvp(cube, (x,), (x[1:],))[1]

    def two_for_one(x):
        return ad.jvp(cube, (x,), (x, x))[1]

    for f in (number_for_an_array, two_for_one):
        with pytest.raises(AdtransError, match="AD405"):
            ad.grad(f)(X)
    with pytest.raises(ad.AdtransError, match=r"\(3,\).*\(2,\)"):
        ad.grad(of_another_shape)(X)

    def of_one_that_writes(x):
        y, pullback = ad.vjp(fill, x * 1.0, x)
        return np.sum(pullback(y)[1])

    check_grads(of_one_that_writes, (X,))


def keeps(x, x_dot):
    t_dot = x * x_dot
    return t_dot * x


def test_names_that_tangents_would_have():
    check_grads(lambda x: np.sum(keeps(x, x * x)), (X,), order=2)


@pytest.mark.recorded
def test_what_differentiates_where_it_runs_may_be_a_constant():
    check_grads(lambda x: ad.jvp(cube, (AT,), (AT,))[1] * np.sum(x * x), (X,))


@pytest.mark.recorded
def test_what_differentiates_where_it_runs_may_write():
    def f(x):
        b = np.ones(3)
        s = np.sum(x * b)
        tangent = np.ones(3)
        ad.jvp(fill, (b, AT), (tangent, AT))
        return np.sum(x * b * tangent) + s

    check_grads(f, (X,), on_overwrite="save")


def test_a_gradient_is_a_function_with_derivatives():
    slope = ad.differentiable(ad.grad(weighted))
    assert "def " in slope.source_for(X, W)
    out, pullback = slope.vjp(X, W)
    assert np.allclose(out, 3.0 * X**2 * W)
    assert np.allclose(pullback(np.ones(3))[0], 6.0 * X * W)
    total = ad.differentiable(ad.grad(lambda t: t**3 * 2.0))
    assert np.isclose(total.grad(0.5), 6.0) and np.isclose(total(0.5), 1.5)


@pytest.mark.recorded
def test_results_that_are_arguments_are_not_replaced_by_copies():
    def behind_the_first(x):
        return x[1:]

    def written_through_the_result(x):
        z = x * 1.0
        y, pullback = ad.vjp(behind_the_first, z)
        y[0] = x[2]
        return np.sum(z * x) * pullback(y)[0][1]

    check_grads(written_through_the_result, (X,), order=2)


def of_several_kinds(p):
    return np.sum(p["a"] ** 2) * p["b"]


def by_a_dictionary(x):
    return np.sum(ad.grad(of_several_kinds)({"a": x, "b": 2.0})["a"])


def by_both_entries(x):
    v, g = ad.value_and_grad(of_several_kinds)({"a": x, "b": x[0]})
    return np.sum(g["a"] * x) * g["b"] + v


def descended(x):
    p = {"a": x, "b": x[0]}
    for _ in range(3):
        g = ad.grad(of_several_kinds)(p)
        p = {"a": p["a"] - 0.1 * g["a"], "b": p["b"] - 0.1 * g["b"]}
    return of_several_kinds(p)


@pytest.mark.parametrize("f", [by_a_dictionary, by_both_entries, descended])
def test_gradients_by_dictionaries_of_several_kinds(f):
    check_grads(f, (np.array([0.3, 0.8, 1.2]),))
