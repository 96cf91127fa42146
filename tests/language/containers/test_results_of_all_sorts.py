"""Results in dictionaries with integers, None and flags beside what carries a derivative."""

import numpy as np

import adtrans as ad

X = np.array([1.0, 2.0])


def several(x, n, flag, opt):
    y = x**n
    if flag:
        y = y * 2.0
    if opt is not None:
        y = y * opt
    return {"y": y, "n": n, "s": (np.sum(y), None, flag)}


def test_what_is_no_number_has_none():
    _, y_dot = ad.jvp(several, (X, 2, True, None), (np.ones(2), None, None, None))
    np.testing.assert_array_equal(y_dot["y"], 4.0 * X)
    assert y_dot["n"] is None and y_dot["s"] == (12.0, None, None)
    value, pullback = ad.vjp(several, X, 2, True, None, wrt="x")
    assert value["s"] == (10.0, None, True)
    seed = {"y": np.ones(2), "n": None, "s": (1.0, None, None)}
    np.testing.assert_array_equal(pullback(seed)[0], 8.0 * X)
    for jacobian in (ad.jacfwd, ad.jacrev):
        found = jacobian(several)(X, 2, True, None)
        np.testing.assert_array_equal(found["y"], np.diag(4.0 * X))
        assert found["n"] is None and found["s"][1:] == (None, None)
