"""`np.piecewise` and `np.fromfunction`: arguments are evaluated once, before any function runs."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7, 1.1])


def conditions_first(x):
    y = [1.0]

    def f(v):
        y.append(2.0)
        return v * v

    return np.sum(np.piecewise(x, [x < 1.0, x > len(y) + 0.2], [f, lambda v: v * y[-1]]))


def arguments_once(x):
    y = [x[0], x[1], x[2]]

    def f(v, k):
        return v * k

    made = np.piecewise(x, [x < 0.8, x > 1.2], [f, f, lambda v, k: k * k * v], k=y.pop())
    return np.sum(made) + len(y)


def values_first(x):
    y = [2.0, 3.0, 4.0]

    def f(v):
        y.append(9.0)
        return v * v

    return np.sum(np.piecewise(x, [x < 0.8, x > 1.2], [f, y[-1], y.pop()])) + len(y)


class Level:
    height = 2.0


def an_attribute_first(x):
    level = Level()
    level.height = 2.0

    def f(v):
        level.height = 7.0
        return v * v

    return np.sum(np.piecewise(x, [x < 0.8, x > 1.2], [f, level.height, 1.0]))


def a_name_first(x):
    height = 2.0

    def f(v):
        nonlocal height
        height = 7.0
        return v * v

    return np.sum(np.piecewise(x, [x < 0.8, x > 1.2], [f, height, 1.0])) * height


def conditions_that_change(x):
    low, high = x < 0.8, x > 1.0

    def f(v):
        high[:] = False
        return v * v

    return np.sum(np.piecewise(x, [low, high], [f, lambda v: v * 3, lambda v: v**4]))


def sizes_once(x):
    y = [2, 3, 4]

    def f(i, j, k):
        return i * x[0] + j * x[1] + k * x[2]

    return np.sum(np.fromfunction(f, (y.pop(), y.pop()), k=y.pop()))


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [conditions_first, arguments_once, values_first, an_attribute_first, a_name_first,
     conditions_that_change, sizes_once],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_values_and_gradients(f):
    assert ad.value_and_grad(f)(X)[0] == f(X)
    assert ad.jvp(f, (X,), (np.ones(5),))[0] == f(X)
    check_grads(f, (X,))


def printing(x):
    def f(v):
        print("f")
        return v * v

    def below(k):
        print("below", k)
        return x < k

    return np.sum(np.piecewise(x, [below(0.8), below(1.2)], [f, f, 0.5]))


def test_what_is_printed(capsys):
    ad.grad(printing)(X)
    assert capsys.readouterr().out == "below 0.8\nbelow 1.2\nf\nf\n"


def of_the_first_element(x):
    return np.sum(np.piecewise(x, [x[0] > 0.5, x[1] > 2.5], [np.sin, np.cos]))


def test_a_condition_that_is_no_array():
    check_grads(of_the_first_element, (X[:2],))
