"""Functions handed to SciPy that are methods, callable objects, partial applications or closures,
and parameters in objects, tuples and dictionaries."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, minimize, root

import adtrans as ad
from adtrans import AdtransError, DerivativeError
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.4])


class Decay:
    def __init__(self, k: Any, q: Any) -> None:
        self.k, self.q = k, q
        self.calls = 0

    def at(self, t: float) -> Any:
        return self.q * np.exp(-self.k * t)

    def shifted(self, t: float, by: Any) -> Any:
        return self.at(t + by)

    def total(self, b: Any) -> Any:
        return quad(self.at, 0.0, b)[0]

    def rhs(self, t: float, y: Any) -> Any:
        return np.array([-self.k * y[0], self.k * y[0] - self.q * y[1]])

    def counted(self, t: float) -> Any:
        self.calls += 1
        return self.k * t

    def asked(self, t: float) -> Any:
        return self.k * t if hasattr(self, "extra") else self.k * t * t

    def __call__(self, t: float) -> Any:
        return self.at(t) * t


class Chain:
    def __init__(self, first: Decay, rate: Any) -> None:
        self.first, self.rate = first, rate

    def at(self, t: float) -> Any:
        return self.first.at(t) * self.rate


@dataclass(frozen=True)
class Rates:
    k: float
    q: float


def decay(t: float, k: Any, q: Any) -> Any:
    return q * np.exp(-k * t)


def of_table(t: float, p: Any) -> Any:
    return p["q"] * np.exp(-p["k"] * t)


def of_rates(t: float, p: Rates) -> Any:
    return p.q * np.exp(-p.k * t)


def method(x):
    return Decay(x[0], x[1]).total(x[2])


def method_of_a_variable(x):
    d = Decay(x[0], x[1])
    return quad(d.shifted, 0.0, 1.0, args=(x[2],))[0]


def method_of_what_is_made(x):
    return quad(Decay(x[0], x[1]).at, 0.0, x[2])[0]


def called_object(x):
    d = Decay(x[0], x[1])
    return quad(d, 0.0, x[2])[0]


def changed_afterwards(x):
    d = Decay(x[0], x[1])
    first = quad(d.at, 0.0, 1.0)[0]
    d.k = x[2]
    return first * quad(d.at, 0.0, 1.0)[0]


def object_in_object(x):
    return quad(Chain(Decay(x[0], x[1]), x[2]).at, 0.0, 1.0)[0]


def applied(x):
    return quad(functools.partial(decay, k=x[0], q=x[1]), 0.0, x[2])[0]


def closure(x):
    def made(k):
        return lambda t: np.exp(-k * t)

    return quad(made(x[0]), 0.0, x[2])[0]


def helper(x):
    def integral(f, b):
        return quad(f, 0.0, b)[0]

    return integral(lambda t: np.exp(-x[0] * t), x[2])


def pair_in_a_variable(x):
    pair = (x[0], x[1])
    return quad(decay, 0.0, x[2], args=pair)[0]


def one_argument(x):
    return quad(lambda t, k: np.exp(-k * t), 0.0, 1.0, args=x[0])[0]


def dictionary(x):
    return quad(of_table, 0.0, 1.0, args=({"q": x[1], "k": x[0]},))[0]


def dataclass_of_rates(x):
    return quad(of_rates, 0.0, 1.0, args=(Rates(x[0], x[1]),))[0]


def captured_tuple(x):
    p = (x[0], x[1])

    def f(t):
        k, q = p
        return q * np.exp(-k * t)

    return quad(f, 0.0, 1.0)[0]


FAST = (changed_afterwards, applied, helper, dictionary)
MORE = (
    method, method_of_a_variable, method_of_what_is_made, called_object, object_in_object, closure,
    pair_in_a_variable, one_argument, dataclass_of_rates, captured_tuple,
)  # fmt: skip
EVERY = (*FAST, *(pytest.param(f, marks=pytest.mark.slow) for f in MORE))


@pytest.mark.recorded
@pytest.mark.parametrize("f", EVERY, ids=lambda f: f.__name__)
def test_integrals(f):
    v, g = ad.value_and_grad(f)(X)
    assert v == f(X)
    moved = 1e-6 * np.eye(3)
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in moved]
    np.testing.assert_allclose(g, expected, rtol=1e-6, atol=1e-8)
    y, dot = ad.jvp(f, (X,), (np.array([0.3, -0.2, 0.5]),))
    assert y == v
    assert dot == pytest.approx(g @ np.array([0.3, -0.2, 0.5]))


@pytest.mark.slow
def test_array_of_an_object_is_needed():
    class Modes:
        def __init__(self, rates):
            self.rates = rates

        def at(self, t):
            return np.sum(np.exp(-self.rates * t))

    def f(x):
        m = Modes(x * 1.0)
        total = quad(m.at, 0.0, 1.0)[0]
        m.rates[0] = 5.0
        return total * m.rates[1]

    check_grads(f, (X,), on_overwrite="save")


def test_object_from_outside_is_constant():
    def f(d, x):
        return quad(d.at, 0.0, x[0])[0] * x[1]

    d = Decay(0.7, 1.1)
    g = ad.grad(f, wrt="x")(d, X)
    np.testing.assert_allclose(g, [d.at(X[0]) * X[1], quad(d.at, 0.0, X[0])[0], 0.0])
    assert d.calls == 0


@pytest.mark.slow
def test_equations_and_roots():
    def f(x):
        d = Decay(x[0], x[1])
        y = solve_ivp(d.rhs, (0.0, 1.0), [x[2], 0.1], rtol=1e-9, atol=1e-10).y[:, -1]
        at = brentq(lambda t: d.at(t) - 0.5, 0.0, 5.0, xtol=1e-13)
        return y[0] * y[1] + at

    check_grads(f, (X,), rtol=1e-5)


@pytest.mark.slow
def test_equation_with_a_dictionary():
    def rhs(t, y, p):
        return np.array([-p["k"] * y[0], p["k"] * y[0] - p["q"] * y[1]])

    def f(x):
        p = {"k": x[0], "q": x[1]}
        return solve_ivp(rhs, (0, 2.0), [x[2], 0.0], args=(p,), rtol=1e-9, atol=1e-10).y[1, -1]

    check_grads(f, (X,), rtol=1e-5)


@pytest.mark.slow
def test_roots_of_a_method():
    class Balance:
        def __init__(self, x):
            self.x = x

        def residuals(self, v):
            return np.array([v[0] ** 2 + self.x[0] * v[1] - 2.0, v[1] - self.x[1] * v[0]])

        def solve(self):
            return root(self.residuals, np.ones(2), tol=1e-13).x

    check_grads(lambda x: np.sum(Balance(x).solve() ** 2), (X,))


@pytest.mark.slow
def test_method_that_counts_is_refused():
    def f(x):
        return quad(Decay(x[0], x[1]).counted, 0.0, 1.0)[0]

    with pytest.raises(AdtransError, match="AD409"):
        ad.grad(f)(X)


def test_method_that_asks_for_attributes_is_refused():
    def f(x):
        d = Decay(x[0], x[1])
        d.extra = 1
        return quad(d.asked, 0.0, 1.0)[0]

    with pytest.raises(AdtransError, match="AD409"):
        ad.grad(f)(X)


def test_order_of_a_dictionary():
    def first(t, p):
        a, _ = p.values()
        return a * t

    def f(x):
        return quad(first, 0.0, 1.0, args=({"b": x[0], "a": x[1]},))[0]

    def g(x):
        return quad(first, 0.0, 1.0, args=({"a": x[0], "b": x[1]},))[0]

    with pytest.raises(DerivativeError, match="order"):
        ad.grad(f)(X)
    np.testing.assert_allclose(ad.grad(g)(X), [0.5, 0.0, 0.0])


def test_order_of_a_dictionary_in_a_dictionary():
    def first(t, p):
        a, _ = p["in"].values()
        return a * t

    def f(x):
        return quad(first, 0.0, 1.0, args=({"in": {"b": x[0], "a": x[1]}},))[0]

    with pytest.raises(AdtransError):
        ad.grad(f)(X)


@pytest.mark.slow
def test_another_key_of_a_dictionary():
    def either(t, p):
        return p["a"] * t if "b" in p else p["a"] * t * t

    def f(x, name):
        return quad(either, 0.0, 1.0, args=({"a": x[0], name: x[1]},))[0]

    with pytest.raises(AdtransError):
        ad.grad(f)(X, "b")


@pytest.mark.recorded
@pytest.mark.parametrize("by_method", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_slope_that_captures(by_method):
    class Cost:
        def __init__(self, k):
            self.k = k

        def value(self, v):
            return np.sum((v - self.k) ** 2) + self.k * v[0] ** 4

        def slope(self, v):
            return 2.0 * (v - self.k) + np.array([4.0 * self.k * v[0] ** 3, 0.0])

    def method(x):
        c = Cost(x[0])
        return np.sum(minimize(c.value, np.ones(2), jac=c.slope, tol=1e-12).x)

    def function(x):
        def res(v):
            return np.array([v[0] ** 2 - x[0], v[1] - x[1] * v[0]])

        def jac(v):
            return np.array([[2.0 * v[0], 0.0], [-x[1], 1.0]])

        return np.sum(root(res, np.ones(2), jac=jac, tol=1e-13).x)

    f = method if by_method else function
    y, g = ad.value_and_grad(f)(X)
    assert y == f(X)
    expected = [(f(X + h) - f(X - h)) / 2e-5 for h in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(g, expected, rtol=1e-4, atol=1e-7)


def test_which_array_it_is():
    def f(x):
        a = x * 2.0
        b = a

        def by_identity(t):
            return t * a[0] if a is b else t * t * a[0]

        return quad(by_identity, 0.0, 1.0)[0]

    with pytest.raises(AdtransError, match="asks which object"):
        ad.grad(f)(X)


@pytest.mark.recorded
def test_an_integral_that_does_not_vary_is_given_the_parts_too():
    def f(k):
        line = Line(2.0)
        return quad(line.height, 0.0, 1.0)[0] * k

    def g(k):
        line = Line(k)
        return k * k if quad(lambda t: line.height(t), 0.0, 1.0)[0] > 0.1 else k

    check_grads(f, (1.3,))
    check_grads(g, (1.3,))


class Line:
    def __init__(self, slope):
        self.slope = slope

    def height(self, t):
        return self.slope * t
