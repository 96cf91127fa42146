"""Calls with a star whose tuple is longer on one path than on another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def g(p, q=2.0, r=0.5):
    return p * q + r * r * p


def any_number(p, q=2.0, *rest):
    return p * q + sum(rest)


def doubled(a, b=None):
    a *= 2.0
    if b is not None:
        b += a
    return np.sum(a)


def in_one_line(x, far):
    args = (x[0], x[1]) if x[0] > far else (x[2],)
    return g(*args)


def on_three_paths(x, far):
    if x[0] > 2.0 * far:
        args = (x[0],)
    elif x[1] > far:
        args = (x[1], x[2])
    else:
        args = (x[0], x[1], x[2])
    return g(*args) * x[3]


def one_more(x, far):
    args = (x[0],)
    if x[1] > far:
        args = (x[1], x[2])
    return any_number(*args) * x[3]


def in_a_loop(x, far):
    total = 0.0
    for k in range(3):
        args = (x[k], x[k + 1]) if x[k] > far else (x[k],)
        total = total * x[k] + g(*args)
    return total


def read_again(x, far):
    args = (x[0], x[1]) if x[0] > far else (x[0],)
    y = g(*args)
    return y * len(args) + args[0] * g(*args, r=y)


def behind_an_update(x, far):
    a, b = x * 2.0, x * 3.0
    args = (a, b) if x[0] > far else (a,)
    a[0] = x[1] * x[2]
    y = doubled(*args)
    return y + np.sum(a) + np.sum(b)


def handed_on(f, *args):
    return f(*args)


def through_another(x, far):
    args = (x[0], x[1]) if x[0] > far else (x[0],)
    return handed_on(g, *args)


@pytest.mark.recorded
@pytest.mark.parametrize("far", [0.1, 0.8, 5.0])
@pytest.mark.parametrize(
    "f",
    [
        in_one_line,
        on_three_paths,
        one_more,
        in_a_loop,
        read_again,
        behind_an_update,
        through_another,
    ],
)
def test_each_path_has_its_call(f: Callable[..., Any], far: float) -> None:
    def of_x(x):
        return f(x, far)

    x = X.copy()
    check_grads(of_x, (x,), on_overwrite="save")
    value, pullback = ad.vjp(f, x, far, wrt=0, on_overwrite="save")
    assert value == f(X, far)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))
    d = np.array([0.3, -0.2, 0.5, 0.7])
    _, tangent = ad.jvp(of_x, (x,), (d,))
    np.testing.assert_allclose(tangent, ad.grad(of_x, on_overwrite="save")(x) @ d)


def another_name(x):
    args = (x[0], x[1]) if x[0] > 0.5 else (x[0],)
    kept = args
    args = (x[2],)
    return g(*kept) * g(*args)


def test_what_cannot_be_written_twice_is_one_error() -> None:
    with pytest.raises(ad.CompileError, match="how many arguments `g` is given") as caught:
        ad.jvp(another_name, (X,), (X,))
    assert len(caught.value.diagnostics) == 1


def far_away(x):
    args = (x[0],)
    for k in range(2):
        args = (x[k], x[1]) if k else args
    return g(*args)


def test_one_error_for_tuples_of_a_loop() -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(far_away)(X)
    assert [d.code for d in caught.value.diagnostics] == ["AD401"]
