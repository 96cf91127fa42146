"""What stands first in an expression is evaluated first: the function of a call, before arguments
that assign it; what is read, before a generator runs that binds it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def square(v):
    return v * v


def cube(v):
    return v**3


class Net:
    def __init__(self):
        self.act = np.tanh
        self.k = 2.0

    def layer(self, v):
        self.act = np.sin
        return v * 2.0

    def several(self, v):
        self.act = cube
        return [v]

    def scaled(self, v):
        self.k = self.k * 1.5
        return v * self.k

    def run(self, v):
        return np.sum(self.act(self.layer(v)))

    def spread(self, v):
        return np.sum(self.act(*self.several(v)))

    def by_name(self, v):
        self.act = square
        return self.act(v=self.layer(v[0]))

    def nested(self, v):
        return np.sum(self.act(self.act(self.layer(v))))


def replaced(net, v):
    net.act = cube
    return v


def replaced_by_name(net, v):
    setattr(net, "act", cube)  # noqa: B010
    return v


def in_a_method(x):
    net = Net()
    return net.run(x) + net.run(x)


def spread(x):
    net = Net()
    return net.spread(x) + net.spread(x)


def keyword(x):
    return Net().by_name(x)


def nested(x):
    return Net().nested(x)


def in_a_function(x):
    net = Net()
    return net.act(replaced(net, x[0])) + net.act(replaced_by_name(net, x[1]))


def in_a_loop(x):
    nets, y = [Net(), Net()], 0.0
    for net in nets:
        y = y + net.act(replaced(net, x[0]))
    return y


def methods(x):
    net = Net()
    return net.scaled(net.scaled(x[0])) + np.sum(net.scaled(x))


PROGRAMS = [in_a_method, spread, keyword, nested, in_a_function, in_a_loop, methods]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.recorded
def test_the_function_is_looked_up_before_the_arguments(f):
    value, pullback = ad.vjp(f, X)
    np.testing.assert_array_equal(value, f(X))
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))
    np.testing.assert_array_equal(ad.jvp(f, (X,), (np.ones(4),))[0], f(X))
    check_grads(f, (X,))


def test_of_an_object_that_is_given():
    def of_given(x, net):
        return net.run(x) + net.run(x)

    mine, theirs = Net(), Net()
    expected = of_given(X, theirs)
    value, pullback = ad.vjp(of_given, X, mine, wrt=0)
    np.testing.assert_array_equal(value, expected)
    assert mine.act is theirs.act
    y = 2 * X
    (gradient,) = np.reshape(pullback(1.0), (1, 4))
    np.testing.assert_allclose(gradient, 2 * (1 - np.tanh(y) ** 2 + np.cos(y)), rtol=1e-12)


# --- generators


def bound_by_what_it_calls(x):
    total = x[0]

    def bump(v):
        nonlocal total
        total = total + v

    def numbers():
        for v in x:
            bump(v)
            yield v * v

    g = numbers()
    y = total * next(g)
    return total + next(g) * y


def bound_twice(x):
    k = x[0]

    def double():
        nonlocal k
        k = k * 2.0

    def numbers():
        double()
        yield x[1]
        double()
        yield x[2]

    g = numbers()
    return k * next(g) + k * next(g)


def bound_in_a_list(x):
    k = 0

    def bump():
        nonlocal k
        k = k + 1

    def numbers():
        while True:
            bump()
            yield 1.0 * k

    g = numbers()
    items = [x[k], next(g), x[k], next(g)]
    return items[0] * items[1] + items[2] * items[3]


def not_bound(x):
    k = x[0]

    def numbers():
        for v in x:
            yield v * k

    g = numbers()
    return k * next(g) + k * next(g)


GENERATORS = [bound_by_what_it_calls, bound_twice, bound_in_a_list, not_bound]


@pytest.mark.recorded
@pytest.mark.parametrize("f", GENERATORS, ids=lambda f: f.__name__)
def test_what_is_read_before_a_generator_runs(f):
    value, pullback = ad.vjp(f, X)
    np.testing.assert_array_equal(value, f(X))
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))
    np.testing.assert_array_equal(ad.jvp(f, (X,), (np.ones(4),))[0], f(X))
    check_grads(f, (X,))


def test_the_function_is_looked_up_before_a_generator_runs():
    def of_an_attribute(x):
        net = Net()

        def numbers():
            for v in x:
                net.act = cube
                yield v

        g = numbers()
        return net.act(next(g)) + net.act(next(g))

    with pytest.raises(ad.CompileError, match="AD401"):
        ad.vjp(of_an_attribute, X)


# --- distributions


def told(v):
    print("told", round(float(v), 2))
    return v


def frozen_at_once(x):
    return stats.norm(told(x[0]), scale=told(x[1])).logpdf(told(x[2])) * x[3]


def frozen_in_a_loop(x):
    y = 0.0
    for k in range(2):
        y = y + stats.norm(x[k], x[k + 1]).logpdf(x[3])
    return y


def frozen_in_a_lambda(x):
    density = lambda v: stats.norm(x[0], x[1]).pdf(v[0])  # noqa: E731
    return density(x[2:]) * sum(stats.norm(x[0], x[1]).pdf(v[0]) for v in [x[2:], x[1:]])


@pytest.mark.parametrize(
    "f", [frozen_at_once, frozen_in_a_loop, frozen_in_a_lambda], ids=lambda f: f.__name__
)
def test_parameters_of_a_distribution_come_first(f, capsys):
    expected = f(X)
    printed = capsys.readouterr().out
    value, pullback = ad.vjp(f, X)
    assert capsys.readouterr().out == printed
    np.testing.assert_array_equal(value, expected)
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))
    np.testing.assert_array_equal(ad.jvp(f, (X,), (np.ones(4),))[0], expected)
    check_grads(f, (X,))


def of_a_table(x, table):
    try:
        return stats.norm(table["mean"], 1.0).logpdf(x[10])
    except KeyError:
        return x[0] * 2.0
    except IndexError:
        return x[0] * 3.0


def test_errors_come_in_the_order_of_python():
    for table, slope in (({}, 2.0), ({"mean": 0.5}, 3.0)):
        value, pullback = ad.vjp(of_a_table, X, table, wrt=0)
        assert value == of_a_table(X, table) == slope * X[0]
        np.testing.assert_array_equal(np.ravel(pullback(1.0)), [slope, 0.0, 0.0, 0.0])


# --- texts


def told_in_turn(x):
    net = Net()
    print(f"{net.k:.3f} {net.scaled(x[0]):.3f} {net.k}")
    return net.k * x[1]


def test_attributes_in_texts_are_read_in_turn(capsys):
    expected = told_in_turn(X)
    printed = capsys.readouterr().out
    value, pullback = ad.vjp(told_in_turn, X)
    assert capsys.readouterr().out == printed
    assert value == expected
    np.testing.assert_array_equal(np.ravel(pullback(1.0)), [0.0, 3.0, 0.0, 0.0])
