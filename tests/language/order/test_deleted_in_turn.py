"""Names that are deleted on one path and read on another one."""
# ruff: noqa: F821, F841 - the names are deleted, and bound, in other turns

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 1.2, 0.7, 0.9])


def made_in_the_handler(x):
    s = 0.0
    for k in range(4):
        try:
            s += w[0] * x[k]
            del w
        except UnboundLocalError:
            w = x[:2] * x[k]
    return s


def a_number(x):
    s = 0.0
    for k in range(4):
        try:
            s += w * x[k]
            del w
        except UnboundLocalError:
            w = x[k] * 2
    return s


def read_where_it_is_gone(x):
    w = x * x
    s = np.sum(w[:2] * x[:2])
    try:
        del w
        s += w[0]
    except NameError:
        w = x * x[0]
    return s * w[0]


def every_second_time(x):
    s = 0.0
    for k in range(4):
        if k % 2:
            s += w[0] * x[k]
            del w
        else:
            w = x[:2] * x[k]
    return s


def written_meanwhile(x):
    s = 0.0
    for k in range(4):
        if k % 2:
            w[1:] *= x[k]
            s += np.sum(w * w)
            del w
        else:
            w = x * x[k]
    return s


def only_in_some_turns(x):
    s = 0.0
    for k in range(3):
        if k == 1 and x[0] > 0.1:
            del w
            w = x[1:] * s
        elif k == 0:
            w = x[:3] * x[3]
        s += np.sum(w * w)
    return s


FUNCTIONS = [
    made_in_the_handler,
    a_number,
    read_where_it_is_gone,
    every_second_time,
    only_in_some_turns,
]


@pytest.mark.recorded
@pytest.mark.parametrize(
    ("f", "mode"),
    [*((f, m) for f in FUNCTIONS for m in ("refuse", "save")), (written_meanwhile, "save")],
)
def test_gradients(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
    assert ad.vjp(ad.differentiable(f, on_overwrite=mode), X)[0] == f(X)


def lost(x, n):
    w = x * x
    s = np.sum(w)
    if n:
        del w
    return s + np.sum(w[1:] * w[:-1])


def test_what_python_raises():
    check_grads(lost, (X, 0), wrt=0)
    for run in (ad.vjp, ad.value_and_grad(lost, wrt=0)):
        with pytest.raises(UnboundLocalError, match="'w'"):
            run(lost, X, 1) if run is ad.vjp else run(X, 1)
