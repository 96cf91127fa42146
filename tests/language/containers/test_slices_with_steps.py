"""Slices of lists that are written with a step."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

X = np.array([0.3, 0.7, 1.1, 0.2])


def literal(x):
    items = [x[0], x[1], x[2], x[3]]
    items[::2] = [x[1] * x[2], x[3] ** 2]
    return items[0] * items[1] + items[2] * items[3]


def from_itself(x):
    items = list(x)
    items[1::2] = [v * v for v in items[::2]]
    items[::2] = items[1::2]
    return items[0] * items[1] + items[2] * items[3] + items[2] ** 3


def turned_round(x):
    items = list(x)
    items[::-1] = items
    items[-1:0:-2] = items[:2]
    return sum((k + 1) * v * v for k, v in enumerate(items))


def of_arrays(x):
    rows = [x, x * 2, x * 3]
    rows[::2] = [x**2, x**3]
    return np.sum(rows[0] * rows[1] * rows[2])


def by_an_array(x):
    items = [x[0], 1.0, x[1], 2.0]
    items[::2] = x[2:] ** 2
    return items[0] * items[2] + items[1]


def at_computed_places(x):
    items, total = [x[0]] * 6, 0.0
    for k in range(1, 4):
        items[k - 1 : 6 : k] = [x[k] * v for v in items[k - 1 : 6 : k]]
        total += items[k] ** 2
    return total + sum(items)


@pytest.mark.parametrize(
    "f", [literal, from_itself, turned_round, of_arrays, by_an_array, at_computed_places]
)
def test_modes(f):
    check_every_mode(f, X)
    check_grads(f, (X,), on_overwrite="save")


def of_an_argument(items):
    items[::2] = [items[0] * items[1], items[2] * items[3]]
    return items[0] * items[2] + items[1]


def test_arguments_are_written():
    for policy in ("refuse", "save"):
        check_grads(of_an_argument, ([0.2, 0.4, 1.3, 0.7],), on_overwrite=policy)


def too_many(x):
    items = list(x)
    items[::2] = [v * v for v in items]
    return items[0]


def test_the_error_is_that_of_python():
    with pytest.raises(ValueError, match="sequence of size 4 to extended slice of size 2"):
        ad.grad(too_many)(X)
