"""A name that is not bound raises wherever it is read: what was done before it in a `try` stays."""
# ruff: noqa: F841

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


def another_name(x):
    s = x[0] * x[1]
    try:
        s = s * x[2]
        t = extra
        s = s * t
    except NameError:
        s = s * s
    if x[0] < 0.0:
        extra = 1.0
    return s


def a_tuple(x):
    s = x[0] * x[1]
    try:
        s = s * x[2]
        t = (extra, s)
        s = s * t[1]
    except NameError:
        s = s * s
    if x[0] < 0.0:
        extra = 1.0
    return s


def a_test(x):
    s = x[0] * x[1]
    try:
        s = s * x[2]
        if extra:
            s = s * 2.0
    except NameError:
        s = s * s
    if x[0] < 0.0:
        extra = True
    return s


def an_array_as_a_test(x):
    s = x[0] * x[1]
    c = x > 0.5
    try:
        s = s * x[2]
        if c:
            s = s * 2.0
    except ValueError:
        s = s * s
    return s


def deleted(x):
    s = x[0] * x[1]
    c = x[2]
    try:
        s = s * 2.0
        del c
        s = s * x[1]
        t = c
        s = s * t
    except NameError:
        s = s * s
    return s


@pytest.mark.parametrize("f", [another_name, a_tuple, a_test, an_array_as_a_test, deleted])
def test_what_was_done_before_stays(f):
    for mode in ("refuse", "save"):
        assert ad.vjp(ad.differentiable(f, on_overwrite=mode), X)[0] == f(X)
        check_grads(f, (X,), on_overwrite=mode)


def in_a_loop(x):
    s = x[0] * x[1]
    try:
        for v in x:
            s = s * v
            t = extra
            s = s * t
    except NameError:
        s = s * s
    if x[0] < 0.0:
        extra = 1.0
    return s


@pytest.mark.recorded
def test_in_the_middle_of_a_loop():
    check_grads(in_a_loop, (X,), on_overwrite="save")
