"""`adtrans.tree.leaves` and `adtrans.tree.map` in functions that are differentiated."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
PARAMS = {"W": np.outer(X, X), "b": X + 0.2, "c": (0.5, X * 2), "l": [X * 3, X + 1]}


def penalty(p, x):
    return sum(np.sum(leaf**2) for leaf in ad.tree.leaves(p)) * x[0]


def made_inside(p, x):
    return sum(np.sum(leaf**2) for leaf in ad.tree.leaves((p["W"], [x, x * 2], {"k": x[0]})))


def stepped(p, x):
    q = ad.tree.map(lambda a, b: a - 0.1 * a * b, p, p)
    return np.sum(q["W"]) + np.sum(q["c"][1]) * q["c"][0] + sum(np.sum(v) for v in q["l"])


def of_ufuncs(p, x):
    q = ad.tree.map(np.sin, p)
    return np.sum(q["W"]) + np.sum(q["c"][1]) * q["c"][0]


@pytest.mark.parametrize(
    "f", [penalty, made_inside, stepped, of_ufuncs], ids=lambda f: f.__name__
)
def test_gradients(f):
    check_grads(f, (PARAMS, X))


def test_the_value_is_that_of_python():
    assert ad.vjp(stepped, PARAMS, X)[0] == stepped(PARAMS, X)
