"""Checkpoints that return dictionaries of numbers and arrays."""

from collections import OrderedDict

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

X = np.array([0.3, 0.7, 1.1])


@ad.checkpoint
def moments(x):
    return {"a": x**2, "b": np.sum(x)}


@ad.checkpoint
def ordered(x, k):
    return OrderedDict(a=np.sin(x) * k, b=x[0] * k)


def whole(x):
    d = moments(x)
    return np.sum(d["a"]) * d["b"]


def a_part(x):
    return np.sum(moments(x)["a"])


def in_a_loop(x):
    s = 0.0
    for i in range(3):
        d = moments(x * (i + 1))
        s += d["b"] * d["a"][i]
    return s


def of_another_class(x):
    d = ordered(x, x[1])
    return np.sum(d["a"]) * d["b"] * (type(d) is OrderedDict)


OF_ANOTHER_CLASS = pytest.param(of_another_class, marks=pytest.mark.recorded)


@pytest.mark.parametrize("f", [whole, a_part, in_a_loop, OF_ANOTHER_CLASS])
def test_modes(f):
    check_every_mode(f, X)
    check_grads(f, (X,), on_overwrite="save")


def each(x):
    return sum(np.sum(v) for v in moments(x).values())


def test_all_entries():
    check_grads(each, (X,))
    check_grads(each, (X,), on_overwrite="save")


@ad.checkpoint
def nested(x):
    return {"a": {"b": x**2}}


def written(x):
    d = moments(x)
    d["a"] *= 2.0
    return np.sum(d["a"])


@pytest.mark.parametrize(
    ("f", "code"), [(lambda x: np.sum(nested(x)["a"]["b"]), "AD207"), (written, "AD413")]
)
def test_others_are_refused(f, code):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].code == code
