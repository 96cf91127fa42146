"""Derivatives inside a function of what is not known by name there: closures, parameters, objects
of `differentiable`."""

import contextlib
import time
from functools import partial

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

X = np.array([0.3, 0.7, 1.1])


def cubes(a):
    """Defines a function, and returns it."""

    def h(z):
        return np.sum(a * z**3)

    return h


def quartics(a):
    return lambda z: a * z**4


def two(a):
    def h(z, w):
        return np.sum(a * z**2 * w)

    return h


def loss(a, z):
    return np.sum(a * z**3)


def bumps(z):
    return np.sum(z**2 * np.sin(z))


def of_a_closure(x):
    return np.sum(ad.grad(cubes(x[0]))(x) * x)


def of_a_closure_with_a_name(x):
    y = x.copy()
    h = cubes(y[0])
    g = ad.grad(h)
    y[0] = 5.0
    return np.sum(g(x) * y)


def of_one_in_each_turn(x):
    s = 0.0
    for i in range(3):
        h = cubes(x[i] * 2)
        s += np.sum(ad.grad(h)(x) * x) + h(x)
    return s


def by_two_arguments(x):
    v, (a, b) = ad.value_and_grad(two(x[0]), wrt=(0, 1))(x, x * 2)
    return v * np.sum(a * b)


def of_a_derivative(x):
    g = ad.grad(ad.grad(quartics(x[0])))
    return g(x[1]) * x[2]


def of_an_application(x):
    f = partial(loss, x[0])
    return f(x) + np.sum(ad.grad(f)(x))


def of_a_lambda_that_calls_one(x):
    h = cubes(x[0])
    return np.sum(ad.grad(lambda z: h(z) + np.sum(z))(x) * x)


def descended(f, z):
    g = ad.grad(f)
    for _ in range(2):
        z = z - 0.1 * g(z)
    return z


def of_a_parameter(x):
    return np.sum(descended(bumps, x) * descended(lambda z: np.sum(z**3), x))


def of_what_is_differentiable(x):
    f = ad.differentiable(bumps)
    return f(x) * np.sum(f.grad(x)) + np.sum(f.jacobian(x))


def at_once(x):
    value, gradient = ad.differentiable(bumps, on_overwrite="save").value_and_grad(x)
    return value * np.sum(gradient)


def of_a_differentiable_lambda(x):
    f = ad.differentiable(lambda z: np.sum(z**3) * x[0])
    return f(x) + np.sum(f.grad(x) * x)


def of_a_decorated_definition(x):
    @ad.differentiable
    def f(z):
        return np.sum(z**3) * x[0]

    return f(x) + np.sum(f.grad(x) * x)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        of_a_closure, of_a_closure_with_a_name, by_two_arguments,
        pytest.param(of_one_in_each_turn, marks=pytest.mark.slow),
        of_a_derivative, of_an_application, of_a_lambda_that_calls_one, of_a_parameter,
        of_what_is_differentiable, at_once, of_a_differentiable_lambda, of_a_decorated_definition,
    ],
)  # fmt: skip
def test_modes(f):
    check_every_mode(f, X)
    check_grads(f, (X,), on_overwrite="save")


MADE = []


def noted(a):
    MADE.append(a)
    return lambda z: np.sum(a * z**3)


class Model:
    def __init__(self, a):
        self.a = a

    def model_loss(self, z):
        return np.sum(self.a * z**3)

    def step(self, z):
        return ad.grad(self.model_loss)(z)


def of_what_does_more(x):
    return np.sum(ad.grad(noted(3.0))(x) * x)


def of_a_method(x):
    return np.sum(Model(x[0]).step(x) * x)


@pytest.mark.recorded
def test_by_what_the_object_of_a_method_holds():
    check_grads(of_a_method, (X,))


@pytest.mark.parametrize(("f", "said"), [(of_what_does_more, "when the program is compiled")])
def test_what_is_refused_is_refused_soon(f, said):
    """The machinery of adtrans is not looked into, which took minutes."""
    began = time.perf_counter()
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].code == "AD401"
    assert said in str(caught.value)
    assert time.perf_counter() - began < 15
    assert not MADE


def changed(x):
    x[0] = 2.0
    return 1.0


def after_a_change(x):
    y = x.copy()
    return changed(y) + np.sum(ad.grad(cubes(y[0]))(x) * x)


def in_a_branch(x):
    return x[0] if x[1] > 0 else np.sum(ad.grad(cubes(x[9]))(x))


def counting(a):
    def h(z):
        nonlocal a
        a = a + 1.0
        return np.sum(a * z**3)

    return h


def with_a_state(x):
    h = counting(x[0])
    return h(x) + np.sum(ad.grad(h)(x))


@pytest.mark.parametrize("f", [after_a_change, in_a_branch, with_a_state])
def test_the_order_stays_as_it_is(f):
    """Right, or refused: what is given is not evaluated too early, nor a state lost."""
    with contextlib.suppress(ad.CompileError):
        check_grads(f, (X,))


class Weighted:  # no class of the whole suite assigns an attribute of the name of its method
    def __init__(self, w):
        self.w = w

    def weighted_loss(self, y):
        return np.sum(self.w * y**2)

    def step(self, y):
        return y - 0.1 * ad.grad(self.weighted_loss)(y)

    def run(self, y):
        slope = ad.grad(self.weighted_loss)
        for _ in range(2):
            y = y - 0.1 * slope(y)
        return y

    def scaled(self, y):
        value, slope = ad.value_and_grad(self.weighted_loss)(y)
        return value * slope

    def stored(self, y):
        self.w = y * y
        return ad.grad(self.weighted_loss)(y)


def one_step(x, m):
    return np.sum(m.step(x) ** 2)


def steps(x, m):
    return np.sum(m.run(x) ** 2)


def scaled(x, m):
    return np.sum(m.scaled(x))


def outside(x, m):
    return np.sum(ad.grad(m.weighted_loss)(x) ** 2)


@pytest.mark.parametrize("f", [one_step, steps, scaled, outside])
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_derivatives_of_methods(f, on_overwrite):
    x = np.array([0.5, 2.0, 3.0])
    check_grads(f, (x, Weighted(x * 1.5)), on_overwrite=on_overwrite)


@pytest.mark.recorded
def test_what_an_object_holds_is_no_constant_in_the_derivative_of_a_method():
    x = np.array([0.5, 2.0, 3.0])
    w = x * 1.5
    slope = ad.grad(one_step, wrt="m.w")(x, Weighted(w))
    np.testing.assert_allclose(slope, -0.4 * x**2 * (1.0 - 0.2 * w), rtol=1e-12)
    found = ad.grad(lambda x, m: np.sum(m.stored(x)))(x, Weighted(w))
    np.testing.assert_allclose(found, 6.0 * x**2, rtol=1e-12)
