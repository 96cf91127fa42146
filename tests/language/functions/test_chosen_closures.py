"""One name for several local functions, partial applications, and what makes them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.5, 2.0, 3.0])
Y = np.array([0.3, 2.0, 3.0])


def product(a, b):
    return a * b + np.sin(a)


def square(a):
    return lambda y: a * y**2


def cube(a):
    def made(y):
        return a + y**3

    return made


class Scaled:
    def __init__(self, a):
        self.a = a

    def __call__(self, y):
        return self.a * y


def lambdas(x):
    if x[0] > 0.4:
        f = lambda y: y * x[0]  # noqa: E731
    else:
        f = lambda y: y**2 * x[1]  # noqa: E731
    return f(x[2])


def or_a_partial(x):
    if x[0] > 0.4:
        f = lambda y: y * x[0]  # noqa: E731
    else:
        f = partial(product, x[1])
    return f(x[2])


def definitions(x):
    if x[0] > 0.4:

        def f(y):
            return y * x[0]

    else:

        def f(y):
            return y * x[1] ** 2

    return f(x[2])


def or_none(x):
    f = None
    if x[0] > 0.4:
        f = lambda y: y * x[0]  # noqa: E731
    if f is None:
        return x[1] ** 2
    return f(x[2])


def one_after_the_other(x):
    f = lambda y: y * x[0]  # noqa: E731
    a = f(x[1])
    f = lambda y: y**2 * a  # noqa: E731
    return f(x[2])


def in_a_while(x):
    k, s = 0, 0.0
    while k < 2:
        if k == 0:
            f = lambda y: y * x[0]  # noqa: E731
        else:
            f = lambda y: y**2 * x[1]  # noqa: E731
        s = s + f(x[2])
        k += 1
    return s


def makers(x):
    make = cube if x[0] > 0.4 else square
    f = make(x[1])
    return f(x[2])


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [lambdas, or_a_partial, definitions, or_none, one_after_the_other, in_a_while, makers]
)
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_functions_that_a_branch_chooses(f, on_overwrite):
    check_grads(f, (X,), order=2 if on_overwrite == "refuse" else 1, on_overwrite=on_overwrite)
    check_grads(f, (Y,), on_overwrite=on_overwrite)


def another_name(x):
    make = square
    f, g = make(x[0]), make(x[1])
    return f(x[2]) * g(x[0])


def seen_inside(x):
    make = cube
    g = lambda y: make(y)  # noqa: E731
    return g(x[1])(x[2])


def rebound(x):
    s = 0.0
    for k in range(3):
        if k == 1:
            make = cube
        elif k == 0:
            make = square
        s = s + make(x[k])(x[0])
    return s


def a_class(x):
    make = Scaled
    return make(x[0])(x[1])


def a_dictionary(x):
    table = {"a": Scaled, "b": cube}
    return table["a"](x[0])(x[1]) + table["b"](x[1])(x[2])


def a_tuple(x):
    table = (Scaled, square)
    return table[0](x[0])(x[1]) * table[1](x[0])(x[1])


def a_list(x):
    table = [square]
    table.append(cube)
    return sum(make(x[0])(x[1]) for make in table)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [another_name, seen_inside, rebound, a_class, a_dictionary, a_tuple, a_list]
)
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_makers_under_another_name(f, on_overwrite):
    check_grads(f, (X,), order=2 if f in (seen_inside, a_list) else 1, on_overwrite=on_overwrite)


def names(x):
    if x[0] > 0.4:

        def f(y):
            return y * x[0]

    else:
        f = lambda y: y**2  # noqa: E731
    print(f.__name__)
    return f(x[1])


@pytest.mark.recorded
@pytest.mark.parametrize("x", [X, Y])
def test_what_is_called_f_says_so(x):
    check_grads(names, (x,))


class Sine:
    def __call__(self, v):
        return np.sin(v)


def beside_numpy(x):
    f = np.sin
    if x[0] > 0.4:
        f = partial(product, x[1])
    return f(x[2])


def beside_what_captures_nothing(x):
    f = lambda a, b: np.maximum(a, b)  # noqa: E731
    if x[0] > 0.4:
        f = lambda a, b: a * b * x[0]  # noqa: E731
    return f(x[1], x[2])


def beside_an_object(x):
    if x[0] > 0.4:
        f = Sine()
    else:
        f = lambda v: v * x[0]  # noqa: E731
    return f(x[1])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [beside_numpy, beside_what_captures_nothing, beside_an_object])
@pytest.mark.parametrize("x", [X, Y])
def test_functions_beside_closures(f, x):
    check_grads(f, (x,), order=2 if x is X else 1)
    check_grads(f, (x,), on_overwrite="save")


def not_bound(x):
    if x[0] > 5:
        make = square
    try:
        return make(x[0])(x[1])
    except UnboundLocalError:
        return x[2] ** 2


def test_a_name_that_is_not_bound_raises_as_in_python():
    check_grads(not_bound, (X,))
