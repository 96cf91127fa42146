"""A list or tuple that meets a number of NumPy, an array, or an object that knows the operator.

NumPy makes an array of the list, and Python asks the other operand before it lengthens or repeats.
"""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing.numerical import finite_difference_jvp, finite_difference_vjp


class Scale:
    def __init__(self, v):
        self.v = v

    def __radd__(self, other):
        return np.array([sum(other) * self.v])

    def __rmul__(self, other):
        return np.array([sum(u * u for u in other) * self.v])


def added(x):
    return [x[0], 2.0] + x[1]


def added_from_left(x):
    return x[1] - (x[0], x[2])


def constant_number(x):
    return np.float64(3.0) / [x[0], x[1]]


def divided(x):
    return [x[0], [x[1]][0]] / x[2] + x[1] ** [x[2], 2.0]


def nested(x):
    return [[x[0], 1.0], [x[2], x[1]]] - x[1]


def lengthened_by_a_number(x):
    items = [x[0], 2.0]
    same = items
    items += x[1]
    return items * same[0]


def lengthened_by_an_array(x):
    items = {"p": [x[0], 2.0]}
    items["p"] += x[:2]
    return items["p"]


def taken_off(x):
    items = [x[0], 2.0]
    items -= x[1]
    items *= x[:2]
    return items


def list_times_array(x):
    items = [x[0], 2.0]
    items *= x[1:]
    return items


def tuple_and_number(x):
    items = (x[0], 2.0)
    items += x[1]
    return items


def object_asked_first(x):
    items = [x[0], 2.0]
    return items + Scale(x[1])


def object_asked_in_place(x):
    items = [x[0], x[2]]
    items *= Scale(x[1])
    return items


def lengthened_as_ever(x):
    items = [x[0], 2.0]
    same = items
    items += (u * x[1] for u in x)
    items += x[:2].tolist()
    items *= 2
    return np.array(same)


PROGRAMS = [
    added, added_from_left, constant_number, divided, nested, lengthened_by_a_number,
    lengthened_by_an_array, taken_off, list_times_array, tuple_and_number, object_asked_first,
    object_asked_in_place, lengthened_as_ever,
]  # fmt: skip
X = np.array([0.3, 0.7, 0.8])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_array_that_numpy_makes(f):
    value, pullback = ad.vjp(f, X, on_unfollowed="always")
    np.testing.assert_array_equal(value, f(X))
    assert type(value) is type(f(X))
    y_bar = np.cos(np.arange(1.0, value.size + 1.0)).reshape(value.shape)
    wanted = finite_difference_vjp(f, (X,), y_bar, (0,))[0]
    np.testing.assert_allclose(pullback(y_bar)[0], wanted, rtol=1e-6, atol=1e-8)
    x_dot = np.array([1.0, 2.0, -0.5])
    _, found = ad.jvp(f, (X,), (x_dot,), on_unfollowed="always")
    wanted = finite_difference_jvp(f, (X,), (x_dot,), (0,))
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


def repeated_in_place(x):
    items = [x[0], 2.0]
    items *= x[1]
    return np.sum(items)


def repeated_by_a_number(x):
    return np.sum(x[1] * [x[0], 2.0])


def constants_repeated(x):
    items = [1.0, 2.0]
    return np.sum(x[1] * items)


@pytest.mark.parametrize("f", [repeated_in_place, repeated_by_a_number, constants_repeated])
def test_numbers_do_not_repeat_sequences(f):
    for way in ("always", "record"):
        with pytest.raises(TypeError, match="can't multiply sequence"):
            ad.vjp(f, X, on_unfollowed=way)
    with pytest.raises((TypeError, ad.AdtransError)):
        ad.vjp(f, X, on_unfollowed="refuse")


@pytest.mark.parametrize("way", ["always", "refuse"])
def test_values_in_a_list_are_placed(way):
    def placed(x):
        a, b = x * 1.0, np.outer(x, x)
        np.place(a, a > 0.5, [x[0], x[1]])
        np.fill_diagonal(b, [x[0], 2.0, x[1]])
        return np.sum(a * a) + np.sum(b * b)

    found = ad.grad(placed, on_unfollowed=way, on_overwrite="save")(X)
    wanted = finite_difference_vjp(placed, (X,), 1.0, (0,))[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("way", ["always", "refuse"])
def test_nothing_in_the_order_of_memory(way):
    def f(x, a):
        return np.sum(a.ravel("K") * 2.0) + x[0] * x[1]

    with_none = np.zeros((6, 8))[:0, :4]
    found = ad.grad(f, wrt=(0, 1), on_unfollowed=way)(X, with_none)
    np.testing.assert_allclose(found[0], [X[1], X[0], 0.0])
    assert found[1].shape == (0, 4)
