"""Arrays that an exception is made of: whoever has it, its class included, may write into them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Found(Exception):
    def __init__(self, value):
        self.value = value


class Overwriting(Exception):
    def __init__(self, value):
        value[0] = 4.0


def by_an_item(x):
    y = x.copy()
    try:
        raise Found(y)
    except Found as e:
        e.value[2] = 3.0 * e.value[0]
    return np.sum(y * np.arange(3.0))


def by_out(x):
    y = x.copy()
    try:
        raise Found(y)
    except Found as e:
        np.multiply(e.value, 2.0, out=e.value)
    return np.sum(y * y)


def in_a_loop(x):
    y = x.copy()
    try:
        raise Found((1, y))
    except Found as e:
        for i in range(2):
            e.value[1][i] = 2.0
    return np.sum(y * y)


def by_the_exception_under_way(x):
    y = x.copy()
    try:
        raise Found(y)
    except Found:
        sys.exc_info()[1].value[0] = 9.0
    return np.sum(y * y)


def by_its_class(x):
    y = x.copy()
    try:
        raise Overwriting(y)
    except Overwriting:
        pass
    return np.sum(y * y)


def by_a_function_inside(x):
    y = x.copy()
    try:
        raise Found(y)
    except Found as e:
        (lambda: e.value.__setitem__(1, 7.0))()  # noqa: F821
    return np.sum(y * y)


def told(x):
    if x.shape[0] > 5:
        raise ValueError(f"too many: {x}", len(x), x.shape)
    try:
        y = np.sum(x * x)
    except FloatingPointError:
        y = x[0]
    return y


PROGRAMS = [by_an_item, by_out, in_a_loop, by_the_exception_under_way, by_its_class,
            by_a_function_inside]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_is_written_through_it_is_seen(f):
    check_grads(f, (X,), modes=("reverse", "forward"))
    with pytest.raises(ad.CompileError, match="AD201.*handed to an exception"):
        ad.grad(f, on_unfollowed="refuse")(X)


def test_texts_and_sizes_are_no_arrays():
    check_grads(told, (X,), on_unfollowed="refuse")
