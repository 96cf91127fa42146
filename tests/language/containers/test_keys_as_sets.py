"""`d.keys()` compared with others, and joined to them, as the set that it is."""

import numpy as np
import pytest

from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

X = np.array([0.3, 0.7, 1.1])


def joined(x):
    d = {"a": x[0]}
    return d["a"] ** 2 * len(d.keys() | {"b"}) * len(d.keys() & {"a"}) * len({"q"} - d.keys())


def in_both(x):
    d, e = {"a": x[0], "b": x[1]}, {"b": x[2]}
    return sum(d[k] * e[k] for k in sorted(d.keys() & e.keys()))


def compared(x):
    d, e = {"a": x[0], "b": x[1]}, {"b": x[2]}
    more = x[2] if d.keys() >= e.keys() else 0.0
    other = {"b": 1, "a": 2}
    return d["a"] ** 2 * more + d["b"] ** 2 * (d.keys() == other.keys())


def by_another_name(x):
    d = {"a": x[0], "b": x[1]}
    k = d.keys()
    j = k
    return d["b"] ** 2 * (j == {"b", "a"}) * (not j.isdisjoint({"a"}))


@pytest.mark.parametrize("f", [joined, in_both, compared, by_another_name])
def test_made_inside(f):
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.parametrize("f", [joined, compared])
def test_second_order(f):
    check_every_mode(f, X)


def of_an_argument(d):
    return d["a"] ** 2 * len(d.keys() - {"b"}) * (d.keys() <= {"c", "b", "a"})


def test_arguments():
    check_grads(of_an_argument, ({"a": 0.3, "b": 0.4},))
    check_grads(of_an_argument, ({"a": 0.3, "b": 0.4},), on_overwrite="save")
