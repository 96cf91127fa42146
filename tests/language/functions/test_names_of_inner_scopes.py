"""A name means in an inner function what Python says it means there: not what the same name means
outside, or in another inner function."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import integrate, linalg, optimize, sparse, stats
from scipy.interpolate import CubicSpline

import adtrans as ad
from adtrans.testing import check_grads

newton, brentq, root = optimize.newton, optimize.brentq, optimize.root
fsolve, minimize, solve = optimize.fsolve, optimize.minimize, linalg.solve
quad, solve_ivp, odeint = integrate.quad, integrate.solve_ivp, integrate.odeint
csr_matrix, diags = sparse.csr_matrix, sparse.diags

X = np.array([0.8, 1.3, 0.6])


def scale(v, k):
    return v + 100.0 * k


def apply(fn, v):
    return fn(v)


# --- partial applications


def of_an_inner_function(x):
    def inner(y):
        def scale(v, k):
            return v * k * y

        return apply(partial(scale, k=x[0]), y)

    return inner(x[1])


def of_the_outer_one_beside_it(x):
    def inner(y):
        def scale(v, k):
            return v * k * y

        return apply(partial(scale, k=x[0]), y)

    def other(y):
        return apply(lambda v: scale(v, x[2]), y)

    return inner(x[1]) * other(x[0])


def of_a_parameter(x):
    def inner(scale, y):
        return apply(partial(scale, x[0]), y)

    return inner(lambda v, w: v * w * x[2], x[1]) + apply(partial(scale, k=x[0]), x[1])


def partial_as_a_parameter(x):
    def inner(partial, y):
        return partial(scale, y)

    return inner(lambda g, k: k * x[0], x[1]) + apply(partial(scale, k=x[1]), x[2])


def partial_as_a_function(x):
    def inner(y):
        def partial(g, k):
            return k * x[0]

        return partial(scale, k=y)

    return inner(x[1]) * x[2]


def partial_of_a_comprehension(x):
    makers = (lambda g, k: k * x[0],)
    return sum(partial(scale, x[1]) for partial in makers) + apply(partial(scale, k=x[2]), x[1])


# --- functions handed to SciPy


def newton_as_a_parameter(x):
    def inner(newton):
        return newton(lambda v: v * v - x[0], 1.0)

    return inner(lambda g, a: g(a) * x[1])


def newton_as_both(x):
    def inner(newton):
        return newton(lambda v: v * v - x[0], 1.0)

    return inner(lambda g, a: g(a) * x[1]) + newton(lambda v: v * v - x[2], 1.0)


def newton_around_the_inner_one(x):
    def middle(newton):
        def inner(y):
            return newton(lambda v: v * v - y, 1.0)

        return inner(x[0]) * x[2]

    return middle(lambda g, a: g(a) * x[1])


def newton_inside_of_a_function_that_has_it(x):
    def middle(y):
        def inner(newton):
            return newton(lambda v: v * v - x[0], 1.0)

        return newton(lambda v: v * v - y, 1.0) * inner(lambda g, a: g(a) * x[1])

    return middle(x[2])


def newton_assigned_later(x):
    def inner(y):
        newton = lambda g, a: g(a) * y  # noqa: E731
        return newton(lambda v: v * v - x[0], 1.0)

    return inner(x[1])


def quad_as_a_function(x):
    def inner(y):
        def quad(g, a, b):
            return [g(b) * y]

        return quad(lambda t: t * x[0], 0.0, 1.0)[0]

    return inner(x[1])


def quad_as_both(x):
    def inner(y):
        def quad(g, a, b):
            return [g(b) * y]

        return quad(lambda t: t * x[0], 0.0, 1.0)[0]

    return inner(x[1]) * quad(lambda t: t * x[2], 0.0, 1.0)[0]


def brentq_of_a_loop(x):
    def inner(y):
        total = 0.0
        for brentq in (lambda g, a, b: g(b) * y,):
            total = total + brentq(lambda t: t * x[0], 0.0, 1.0)
        return total

    return inner(x[1]) * brentq(lambda t: t * t - x[2], 0.0, 3.0)


def root_as_a_parameter(x):
    def inner(root):
        return root(lambda v: v - x[:1], np.zeros(1)).x[0]

    return inner(lambda g, y: SimpleNamespace(x=x * x))


def fsolve_as_a_parameter(x):
    def inner(fsolve):
        return fsolve(lambda v: v - x[:1], np.zeros(1))[0]

    return inner(lambda g, y: x * x)


def minimize_as_a_parameter(x):
    def inner(minimize):
        return minimize(lambda v: np.sum((v - x[:1]) ** 2), np.zeros(1)).x[0]

    return inner(lambda g, y: SimpleNamespace(x=x * x))


def solve_ivp_as_a_parameter(x):
    def inner(solve_ivp):
        return solve_ivp(lambda t, y: -y * x[0], (0.0, 1.0), [x[1]]).y[0, -1]

    return inner(lambda g, t, y: SimpleNamespace(y=np.outer(x, x)))


def odeint_as_a_parameter(x):
    def inner(odeint):
        return odeint(lambda y, t: -y * x[0], x[1], np.array([0.0, 1.0]))[-1, 0]

    return inner(lambda g, y, t: np.outer(x, x))


def solve_as_a_parameter(x):
    def inner(solve):
        return np.sum(solve(np.eye(3) + np.outer(x, x), x, overwrite_b=True))

    return inner(lambda a, b, overwrite_b: b * b)


# --- objects of SciPy


def matrix_as_a_function(x):
    def inner(y):
        def csr_matrix(given):
            return np.diag(given[0]) * y

        return np.sum(csr_matrix((x, (np.arange(3), np.arange(3)))) @ x)

    return inner(x[1])


def diagonals_as_a_parameter(x):
    def inner(diags):
        return np.sum(diags(x) @ x)

    return inner(lambda a: np.outer(a, a))


def spline_as_a_function(x):
    def inner(y):
        def CubicSpline(a, b):
            return np.sum(b) * y

        return CubicSpline(np.arange(3.0), x)

    return inner(x[1])


# --- derivatives


def jvp_as_a_parameter(x):
    def inner(jvp):
        return jvp(lambda v: v * v, (x[0],), (1.0,))[1]

    return inner(lambda g, a, b: (0.0, g(a[0]) * x[1]))


def grad_as_a_parameter(x):
    def inner(grad):
        return grad(lambda v: v * v * x[1])

    return inner(lambda g: g(x[0]) * x[2])


def named_derivative_as_a_parameter(x):
    def cube(y):
        return y * y * y

    d = ad.grad(cube)

    def inner(d):
        return d(x[0])

    return d(x[1]) + inner(lambda t: 5.0 * t)


PROGRAMS = [
    of_an_inner_function, of_the_outer_one_beside_it, partial_as_a_parameter, partial_as_a_function,
    partial_of_a_comprehension, newton_as_a_parameter, newton_as_both,
    newton_around_the_inner_one, newton_inside_of_a_function_that_has_it, newton_assigned_later,
    quad_as_a_function, quad_as_both, brentq_of_a_loop, root_as_a_parameter, fsolve_as_a_parameter,
    minimize_as_a_parameter, solve_ivp_as_a_parameter, odeint_as_a_parameter, solve_as_a_parameter,
    matrix_as_a_function, diagonals_as_a_parameter, spline_as_a_function,
    jvp_as_a_parameter, grad_as_a_parameter, named_derivative_as_a_parameter,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_name_means_what_it_means_there(f: Callable[..., Any]) -> None:
    x = X.copy()
    assert ad.value_and_grad(f)(x)[0] == f(X)
    assert (x == X).all()
    check_grads(f, (x,), modes=("reverse", "forward"))


def variable_that_is_a_function_elsewhere(x):
    s = CubicSpline(np.arange(3.0), x)

    def inner(t):
        def s(u):
            return u * t

        return s(1.5)

    return s(0.5) * inner(x[1])


def frozen_where_the_name_is_another(x):
    d = stats.norm(x[0], x[1])

    def inner(stats):
        return d.logpdf(x[2]) * stats

    return inner(x[1])


@pytest.mark.parametrize(
    "f",
    [variable_that_is_a_function_elsewhere, frozen_where_the_name_is_another, of_a_parameter],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_a_name_of_two_things_is_not_followed(f: Callable[..., Any]) -> None:
    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(f)(X)
