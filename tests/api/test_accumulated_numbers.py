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
    assert total is buffer
    assert total["c"] == 1.0 + 3.0 * plain["c"] and type(total["c"]) is float


def test_none_stands_for_no_buffer():
    _, pullback = ad.vjp(f, argument())
    buffer = {"a": np.ones(2), "b": [np.zeros(2)], "c": None}
    (found,) = pullback(1.0, into={"p": buffer})
    assert found["a"] is buffer["a"] and buffer["c"] is None
    assert found["c"] == pullback(1.0)[0]["c"]


def test_numbers_in_lists_and_beside_what_carries_nothing():
    def g(p):
        return np.sum(p[0]) * p[1][0] * p[2]["n"]

    _, pullback = ad.vjp(g, (X, [2.0], {"n": 3, "s": "text"}))
    buffer = (np.zeros(2), [1.0], {"n": None, "s": None})
    pullback(1.0, into={"p": buffer})
    np.testing.assert_array_equal(buffer[0], [6.0, 6.0])
    assert buffer[1] == [1.0 + 9.0] and buffer[2] == {"n": None, "s": None}


def test_a_number_that_cannot_be_replaced_is_no_buffer():
    _, pullback = ad.vjp(lambda p, k: np.sum(p[0]) * p[1] * k, (X, 2.0), 3.0)
    for into in ({"k": 0.0}, {"p": (np.zeros(2), 0.0)}):
        with pytest.raises(ad.InputError, match="AD405"):
            pullback(1.0, into=into)


@pytest.mark.parametrize("wrong", ["one", True, np.ones(1), [1.0]])
def test_what_is_no_number_is_no_buffer_of_one(wrong):
    _, pullback = ad.vjp(f, argument())
    with pytest.raises(ad.InputError, match="AD405"):
        pullback(1.0, into={"p": {"a": np.ones(2), "b": [np.zeros(2)], "c": wrong}})


def test_one_list_in_two_places_gets_both_gradients():
    buffer = [1.0]
    _, pullback = ad.vjp(lambda p: p["a"][0] * p["b"][0], {"a": [2.0], "b": [3.0]})
    (found,) = pullback(1.0, into={"p": {"a": buffer, "b": buffer}})
    assert found["a"] is buffer
    assert buffer == [6.0]
    _, pullback = ad.vjp(lambda p, q: p[0] * q[0], [2.0], [3.0])
    assert pullback(1.0, into={"p": buffer, "q": buffer}) == ([11.0], [11.0])
