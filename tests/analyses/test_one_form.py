"""Variables that are a list, a tuple or an array: decided, or refused before anything runs."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, -3.5])


def listed_if_flat(x):
    if len(x.shape) < 2:
        return list(x)
    return x.T


def of_a_callee(x):
    rows = listed_if_flat(x * x)
    return rows[0] * rows[1]


def only_returned(x):
    return listed_if_flat(x * x)


def by_a_number(x, k=3):
    if k > 2:
        y = list(x)
    else:
        y = x.T
    return y[0] * y[2]


def by_none(x, weights=None):
    if weights is None:
        weights = [x[1], x[2]]
    return weights[0] * x[0] + weights[1]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [of_a_callee, only_returned, by_a_number, by_none])
def test_decided(f, mode):
    check_grads(f, (X,), on_overwrite=mode)


def by_a_value(x):
    if x[0] > 0.5:
        y = [x[0] * x[1], x[2]]
    else:
        y = x * 2.0
    return y[0] * y[1]


def tuple_or_number(x):
    y = (x[0], x[1] * x[2]) if x[0] > 0.5 else x[0]
    return y[1] if isinstance(y, tuple) else y


@pytest.mark.parametrize("f", [by_a_value, tuple_or_number])
def test_not_decided(f):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].code in ("AD201", "AD207")


def test_the_message():
    with pytest.raises(ad.CompileError, match="`y` is a list here, and something else elsewhere"):
        ad.grad(by_a_value)(X)


def test_forwards_it_is_known_what_it_is():
    value, tangent = ad.jvp(by_a_value, (X,), (np.array([1.0, 0.5, 0.0]),))
    assert np.allclose((value, tangent), (2.0 * -3.5, 2.5 * -3.5))


def test_tuples_of_several_lengths_are_told_as_such() -> None:
    def f(x):
        r = (x * x, x)
        if x[0] > 0.5:
            r += (x,)
        return np.sum(r[0]) + len(r)

    with pytest.raises(ad.CompileError, match="a tuple here, and one of another length elsewhere"):
        ad.grad(f)(X)
