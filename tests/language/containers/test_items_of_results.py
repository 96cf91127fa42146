"""Items of what a call returns, some of which are its arguments, taken from either end."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4])


def scaled(u, s):
    u[0] = u[0] * s
    return s * 2.0, u


def both(u, w, s):
    u[0] = u[0] * s
    w[1] = w[1] * u[0]
    return u, s * 3.0, w


def from_the_end(x):
    r = scaled(x.copy(), x[1])
    return r[-1][0] * r[0]


def asked(x):
    r = scaled(x.copy(), x[1])
    last = r[-1]
    return r[0] if last is None else r[0] * last[0]


def all_from_the_end(x):
    r = both(x.copy(), x * 2.0, x[2])
    return r[-3][0] * r[-2] + r[-1][1]


def with_a_star(x):
    first, *rest = both(x.copy(), x * 2.0, x[2])
    return first[0] * rest[0] + rest[1][1]


def with_a_star_in_front(x):
    *rest, last = both(x.copy(), x * 2.0, x[2])
    return rest[0][0] * rest[1] + last[1]


def with_a_star_in_the_middle(x):
    first, *rest, last = both(x.copy(), x * 2.0, x[2])
    return first[0] * rest[0] + last[1]


@pytest.mark.parametrize(
    "f",
    [
        from_the_end, asked, all_from_the_end, with_a_star, with_a_star_in_front,
        with_a_star_in_the_middle,
    ],
)  # fmt: skip
def test_items_are_those_of_the_tuple(f):
    assert ad.vjp(ad.differentiable(f), X)[0] == f(X)
    check_grads(f, (X,))


def _twice(x):
    b = np.zeros(x.shape)
    return b, b


def _beside_a_part(x):
    b = np.zeros(x.shape)
    return b, b[1:]


def the_same_array(x):
    b, v = _twice(x)
    v[:] = x
    return np.sum(b * x)


def a_part_of_it(x):
    b, v = _beside_a_part(x)
    v[:] = x[1:] ** 2
    return np.sum(b * x)


def _scaled(x):
    return x * 2.0, 3.0


def _product(p, x, n):
    if n > 0:
        p = _scaled(x)
    a, b = p
    return np.sum(a * b)


def given_or_computed(x):
    return _product((x, x * x), x, 0) + _product((x, np.sum(x)), x, int(x[0] > 0.0))


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [the_same_array, a_part_of_it, given_or_computed])
def test_items_that_are_no_constants(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
