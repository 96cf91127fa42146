"""`adtrans.tree.leaves` and `adtrans.tree.map` in functions that are differentiated."""

from collections import OrderedDict

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
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


def by_what_is_captured(p, x):
    rate, k = x[0], x * 0.5
    q = ad.tree.map(lambda a, b: a - rate * b + np.sum(k), p, p)
    return np.sum(q["W"]) + np.sum(q["c"][1]) * q["c"][0]


def captured_and_written(p, x):
    k = x.copy()
    q = ad.tree.map(lambda a: a * np.sum(k), p)
    k[0] = 5.0
    return np.sum(q["b"] * k)


def rebound_by_an_argument(p, x):
    k = x[0]

    def grown(tree):
        nonlocal k
        k = k * 3.0
        return tree

    q = ad.tree.map(lambda a: a * k, grown(p["c"]))
    return q[0] * k


def in_turn(x):
    found = [x, x * 2]
    for i in range(2):
        found = ad.tree.map(lambda v, w: v * x[0] + w * x[i], found, found)  # noqa: B023
    return np.sum(found[0] * found[1])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [by_what_is_captured, captured_and_written])
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_a_lambda_that_captures_something_maps_a_tree(f, on_overwrite):
    check_grads(f, (PARAMS, X), wrt=(0, 1), on_overwrite=on_overwrite)


@pytest.mark.recorded
def test_what_is_captured_varies_from_turn_to_turn():
    check_grads(in_turn, (X,), order=2)
    check_grads(in_turn, (X,), on_overwrite="save")


def test_what_is_captured_is_not_read_before_the_trees():
    """A value of another time is no value: whatever cannot be followed is an error."""
    with pytest.raises(CompileError):
        ad.grad(rebound_by_an_argument)(PARAMS, X)


@pytest.mark.recorded
def test_the_map_of_an_ordered_dictionary_is_one():
    def made(x):
        return ad.tree.map(lambda v: v * 2.0, OrderedDict(b=x, a=x * x))

    def f(x):
        doubled = made(x)
        doubled.move_to_end("b")
        return sum(np.sum(v) * (k + 1) for k, v in enumerate(doubled.values()))

    for found in (ad.vjp(made, X)[0], ad.jvp(made, (X,), (X,))[0]):
        assert type(found) is OrderedDict
        assert list(found) == ["b", "a"]
    check_grads(f, (X,))
    plain = ad.vjp(lambda x: ad.tree.map(np.add, {"a": x}, OrderedDict(a=x)), X)[0]
    assert type(plain) is dict
