"""`pullback(..., into=)`: buffers of the form of the argument, which may hold numbers."""

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0])


def f(p):
    return np.sum(p["a"] * p["b"][0] ** 2) * p["c"]


def argument():
    return {"a": X.copy(), "b": [2.0 * X], "c": 3.0}


def test_numbers_are_added_like_arrays():
    _, pullback = ad.vjp(f, argument())
    (plain,) = pullback(1.0)
    buffer = {"a": np.ones(2), "b": [np.zeros(2)], "c": 1.0}
    (total,) = pullback(1.0, into={"p": buffer})
    (total,) = pullback(2.0, into={"p": total})
    assert total["a"] is buffer["a"] and total["b"][0] is buffer["b"][0]
    np.testing.assert_allclose(total["a"], 1.0 + 3.0 * plain["a"])
    np.testing.assert_allclose(buffer["b"][0], 3.0 * plain["b"][0])
    assert total["c"] == 1.0 + 3.0 * plain["c"]
    assert type(total["c"]) is float and buffer["c"] == 1.0


def test_a_number_alone():
    _, pullback = ad.vjp(lambda x, k: np.sum(x) * k, X, 3.0)
    assert pullback(1.0, into={"k": 10.0})[1] == 13.0
    assert pullback(1.0, into={"k": None})[1] == 3.0


@pytest.mark.parametrize("wrong", ["one", True, np.ones(1), [1.0]])
def test_what_is_no_number_is_no_buffer_of_one(wrong):
    _, pullback = ad.vjp(f, argument())
    with pytest.raises(ad.InputError, match="AD405"):
        pullback(1.0, into={"p": {"a": np.ones(2), "b": [np.zeros(2)], "c": wrong}})
