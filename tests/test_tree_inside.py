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


def in_the_order_of_the_run(p, x):
    first = ad.tree.leaves({"z": x, "a": x * x, "m": x[0]})
    second = ad.tree.leaves({"z": x * 2, "a": x * x})
    total = sum(n * np.sum(v) for n, v in enumerate(first, start=1))
    return total + sum(n * np.sum(v) for n, v in enumerate(second, start=1))


def mapped_in_the_order_of_the_run(p, x):
    q = ad.tree.map(lambda t: t * t, {"z": x, "a": x * 3.0})
    return sum(n * np.sum(v) for n, v in enumerate(q.values(), start=1))


def nested(p, x):
    tree = ({"z": x, "a": [{"y": x * 2, "b": x[1]}, {"b": x[0], "y": x}]}, x[2])
    return sum(n * np.sum(v) for n, v in enumerate(ad.tree.leaves(tree), start=1))


@pytest.mark.parametrize(
    "f",
    [
        in_the_order_of_the_run,
        mapped_in_the_order_of_the_run,
        nested,
        penalty,
        made_inside,
        stepped,
        of_ufuncs,
    ],
    ids=lambda f: f.__name__,
)
def test_gradients(f):
    check_grads(f, (PARAMS, X))


def test_the_value_is_that_of_python():
    for f in (stepped, in_the_order_of_the_run, mapped_in_the_order_of_the_run, nested):
        assert ad.vjp(f, PARAMS, X)[0] == f(PARAMS, X)
