"""What a rule of the user's returns is made an adjoint, or a tangent, that others may write."""

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0, 3.0])
M = np.array([1, 2, 3])
C = np.array([2.0, 2.0, 2.0])


def made(rule_of, pushed=None):
    def twice(x):
        return 2.0 * x

    ad.rule(twice, rule_of, pushed)
    return twice


@pytest.mark.parametrize("two", [
    np.array([2, 2, 2]), np.array([2, 2, 2], np.float32), [2, 2, 2],
])  # fmt: skip
def test_integers_and_narrow_numbers(two):
    twice = made(lambda y_bar: two, lambda x_dot: two if isinstance(two, list) else 1 * two)

    def f(x):
        y = x * 1.0
        y[2] = 0.1 * y[0]
        return np.sum(twice(y))

    def pushed(x):
        y = twice(x)
        y[1] *= 0.1
        return np.sum(y)

    np.testing.assert_allclose(ad.grad(f)(X), [2.2, 2.0, 0.0], rtol=1e-15)
    if not isinstance(two, list):
        assert ad.jvp(pushed, (X,), (np.ones(3),))[1] == pytest.approx(4.2, rel=1e-15)


def test_truths():
    mask = np.array([True, False, True])

    def chosen(x):
        return np.sum(x[mask])

    ad.rule(chosen, lambda y_bar: mask)

    def f(x):
        y = x * 1.0
        y[1] = 0.5 * y[0]
        y[2] += 0.5 * y[0]
        return chosen(y)

    np.testing.assert_array_equal(ad.grad(f)(X), [1.5, 0.0, 1.0])


def test_numbers_are_of_the_kind_of_the_parameter():
    def count(x):
        return 2.0 * x

    ad.rule(count, lambda y_bar: True + True, lambda x_dot: np.int8(2))
    assert type(ad.vjp(count, 1.0)[1](1.0)[0]) is float
    assert ad.grad(lambda x: count(x * 0.1))(1.0) == 0.2
    assert ad.jvp(lambda x: 100.0 * count(x), (1.0,), (1.0,))[1] == 200.0


def test_single_precision():
    def twice(x):
        return x + x

    ad.rule(twice, lambda y_bar: np.array([2, 2]), lambda x_dot: np.array([2, 2]))

    def f(x):
        y = x * 1
        y[0] *= 0.5
        z = twice(y)
        z[1] *= 0.5
        return z.sum()

    x = np.array([1.0, 2.0], np.float32)
    found = ad.grad(f)(x)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, [1.0, 2.0])
    assert ad.jvp(f, (x,), (np.ones(2, np.float32),))[1] == 3.0


def test_none_is_zero_in_forward_mode():
    twice = made(lambda y_bar: None, lambda x_dot: None)
    assert ad.jvp(lambda x: np.sum(twice(x) * x), (X,), (np.ones(3),))[1] == 12.0
    np.testing.assert_array_equal(ad.jvp(twice, (X,), (np.ones(3),))[1], np.zeros(3))

    def both(x):
        return 2.0 * x, 3.0 * x

    ad.rule(both, pushforward=lambda x_dot: (None, 3.0 * x_dot))
    found = ad.jvp(lambda x: np.sum(both(x)[0] * both(x)[1]), (X,), (np.ones(3),))
    assert found[1] == 36.0


def test_arrays_of_the_users_are_not_written():
    mine = C.copy()
    twice = made(lambda y_bar: mine, lambda x_dot: mine)

    def f(x):
        y = x * 1.0
        y[2] = 0.5 * y[0]
        return np.sum(twice(y))

    def pushed(x):
        y = twice(x)
        y[0] = 0.0
        return y

    np.testing.assert_array_equal(ad.grad(f)(X), [3.0, 2.0, 0.0])
    np.testing.assert_array_equal(ad.jvp(pushed, (X,), (np.ones(3),))[1], [0.0, 2.0, 2.0])
    for found in (ad.vjp(twice, X)[1](np.ones(3))[0], ad.jvp(twice, (X,), (np.ones(3),))[1]):
        found[0] = 77.0
    np.testing.assert_array_equal(mine, C)


def test_dictionaries_of_the_users_are_not_written():
    mine = {"a": np.array([2, 2, 2])}

    def first(d):
        return np.sum(2.0 * d["a"])

    ad.rule(first, lambda y_bar: {"d": mine})

    def f(x):
        d = {"a": x * 1.0, "b": x * x}
        return first(d) + np.sum(d["a"]) * 0.5

    np.testing.assert_array_equal(ad.grad(f)(X), [2.5, 2.5, 2.5])
    np.testing.assert_array_equal(mine["a"], [2, 2, 2])
    ad.rule(first, lambda y_bar: {"d": {"a": np.ones(2)}})
    with pytest.raises(ad.InputError, match=r"AD412.*an adjoint of shape \(2,\)"):
        ad.grad(f)(X)


def test_second_derivatives_of_integers():
    def count(x):
        return M @ x

    ad.rule(count, lambda y_bar: M * y_bar, lambda x_dot: M @ x_dot)

    def f(x):
        y = x * x
        y[2] = 0.5 * y[0]
        return count(y)

    np.testing.assert_allclose(ad.hessian(f)(X), np.diag([5.0, 4.0, 0.0]))
