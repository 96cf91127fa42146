"""Values that share memory have tangents that do."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime import zeros_beside
from adtrans.testing import check_grads

X = np.array([0.6, 0.7])


def two_names():
    y = np.ones(2)
    return y, y


def a_part():
    y = np.ones((3, 2), order="F")
    return y, y[1:, 1]


def one_row_twice():
    row = [0.0, 0.0]
    return [row, row]


def two_lists():
    found = [1.0]
    return found, found


def two_entries():
    entries = {"a": 1.0}
    return entries, entries


def two_arrays(n):
    return np.zeros(n), np.ones(n)


def same_array(x):
    a, b = two_names()
    a[0] = x[0]
    return b[0] * x[1]


def part_of_it(x):
    a, b = a_part()
    a[2, 1] = x[0]
    b[0] = x[1]
    return b[1] * x[1] + a[1, 1]


def same_row(x):
    rows = one_row_twice()
    rows[0][0] = x[0]
    return rows[1][0] * x[1]


def same_list(x):
    a, b = two_lists()
    a[0] = x[0]
    a.append(x[1])
    return b[0] * b[1]


def same_entries(x):
    a, b = two_entries()
    a["a"] = x[0]
    return b["a"] * x[1]


class Pair:
    def __init__(self):
        self.a = np.ones(2)
        self.b = self.a


def same_attribute(x):
    pair = Pair()
    pair.a[0] = x[0]
    return pair.b[0] * x[1]


def apart(x):
    a, b = two_arrays(2)
    a[0] = x[0]
    b[1] = x[1]
    return a[0] * b[1] + a[1] * b[0]


def in_a_loop(x):
    s = 0.0
    for v in x:
        a, b = two_names()
        a[1] = v
        s = s + b[1] * b[1] + b[0]
    return s


PROGRAMS = [same_array, part_of_it, same_row, same_list, same_entries, same_attribute, apart,
            in_a_loop]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("direction", [0, 1])
def test_tangents(f, direction):
    step = np.eye(2)[direction]
    expected = (f(X + 1e-6 * step) - f(X - 1e-6 * step)) / 2e-6
    value, dot = ad.jvp(f, (X,), (step,))
    assert value == f(X)
    np.testing.assert_allclose(dot, expected, rtol=1e-7)


@pytest.mark.parametrize("f", [same_array, part_of_it, same_attribute, apart, in_a_loop])
def test_both_modes(f):
    check_grads(f, (X,))


def test_layout():
    y = np.arange(24.0).reshape(2, 3, 4)
    for a in (y, np.asfortranarray(y), y.astype(np.float32), y + 1j):
        made = {}
        whole = zeros_beside(a, made)
        for part in (a[::-1], a[1, ::2].T, a.real, a[..., 1:3]):
            dot = zeros_beside(part, made)
            assert (dot.shape, dot.dtype, dot.strides) == (part.shape, part.dtype, part.strides)
            dot += 1.0
            assert np.count_nonzero(whole) == part.size
            whole[...] = 0.0


@pytest.mark.parametrize("value", [[1.0], {"a": 1.0}], ids=["list", "dictionary"])
def test_what_got_longer_without_its_tangent(value) -> None:
    made = {}
    dot = zeros_beside(value, made)
    assert zeros_beside(value, made) is dot
    if isinstance(value, list):
        value.append(2.0)
    else:
        value["b"] = 2.0
    with pytest.raises(ad.AdtransError, match="was changed by code that is not differentiated"):
        zeros_beside(value, made)


def one_list():
    return None, [1.0, 2.0]


def only_list(x):
    _, a = one_list()
    a.append(x[0] * x[1])
    a[0] = x[1]
    return a[0] * a[2] + a[1]


def one_list_in_a_loop(x):
    s = 0.0
    for v in x:
        _, a = one_list()
        a.append(v * v)
        s = s + a[2] * a[0]
    return s


@pytest.mark.parametrize("f", [only_list, one_list_in_a_loop])
def test_a_list_of_numbers_that_is_the_only_one(f):
    check_grads(f, (X,))
    check_grads(f, (X,), order=2, modes=("reverse",))
