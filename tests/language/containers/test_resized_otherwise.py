"""Dictionaries that get a key while a loop goes over them, under another name of theirs."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


class Box:
    pass


def by_an_inner_function(x):
    d = {"a": x[0], "b": x[1]}

    def grow():
        d["c"] = x[2]

    s = 0.0
    for k in d:
        s = s + d[k] * x[3]
        grow()
    return s


def by_an_attribute(x):
    d, b, s = {"a": x[0], "b": x[1]}, Box(), 0.0
    b.d = d
    for v in d.values():
        s = s + v * x[3]
        b.d["n"] = v
    return s


def as_an_attribute(x):
    b, s = Box(), 0.0
    b.d = {"a": x[0], "b": x[1]}
    for v in b.d.values():
        s = s + v * x[3]
        b.d["n"] = v
    return s


@pytest.mark.parametrize("f", [by_an_inner_function, by_an_attribute, as_an_attribute])
def test_the_loop_raises(f):
    with pytest.raises(RuntimeError, match="changed size"):
        f(X)
    with pytest.raises(RuntimeError, match="changed size"):
        ad.grad(f)(X)
    with pytest.raises(RuntimeError, match="changed size"):
        ad.jvp(f, (X,), (X,))


def caught(x):
    d, b, s = {"a": x[0], "b": x[1]}, Box(), 0.0
    b.d = d
    try:
        for v in d.values():
            s = s + v * x[3]
            b.d["n"] = v
    except RuntimeError:
        s = s * x[2]
    return s


@pytest.mark.recorded
def test_what_it_raises_is_caught():
    check_grads(caught, (X,), on_overwrite="save")


def known_keys(x):
    d, b, s = {"a": x[0], "b": x[1]}, Box(), 0.0
    b.d = d
    for v in d.values():
        s = s + v * x[3]
        b.d["a"] = v * s
    return s + d["a"]


def test_keys_that_are_there_change_nothing():
    check_grads(known_keys, (X,))
