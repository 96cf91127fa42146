"""Arrays of which it is not known how many axes they have: new axes, numbers, slices, dots."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.analyses.kinds import kind_of_expr
from adtrans.ir import expr as E
from adtrans.ir.kinds import UNKNOWN, Array
from adtrans.testing import check_grads

X, P = np.array([0.3, 0.4]), np.array([[1.0, 0.2], [0.3, 2.0]])
ALL, NEW, ONE = E.Slice(None, None, None), E.NONE, E.Const(0)


@pytest.mark.parametrize(
    ("items", "least"),
    [((NEW,), 2), ((NEW, ALL, NEW), 3), ((ONE, E.ELLIPSIS), 0), ((ONE, ALL), 1), ((ALL, ALL), 2)],
)
def test_the_rank_it_has_at_least(items, least):
    a = Array("float64", None, least=1)
    found = kind_of_expr(E.Index(E.Name("a"), items), {"a": a})
    assert found == Array("float64", None, least=least)


def test_a_number_or_an_array():
    a = Array("float64", None, least=1)
    assert kind_of_expr(E.Index(E.Name("a"), (ONE,)), {"a": a}) == UNKNOWN


def in_a_list(x, p):
    stacks = [a[None] for a in (x, p)]
    return np.sum(stacks[0] ** 2) * np.sum(stacks[1])


def with_three_axes(v):
    if len(v.shape) == 1:
        return v[np.newaxis, :, np.newaxis]
    if len(v.shape) == 2:
        return v[np.newaxis, ...]
    return v


def product(mean, covariance):
    return np.matmul(covariance, mean), covariance * 2.0


def of_a_starred_list(x, p):
    shaped = [with_three_axes(a) for a in (x, p)]
    return product(*shaped)[0]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [in_a_list, of_a_starred_list])
def test_in_all_modes(f, mode):
    check_grads(f, (X, P), wrt=(0, 1), on_overwrite=mode)
