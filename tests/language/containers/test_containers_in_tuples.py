"""Functions that return containers in a tuple, whose items share memory or are told by address."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.9])
A = X * 1.1


def two_named(x):
    r, s = x * 2.0, x * 3.0
    return {"p": r, "q": r[:2]}, {"p": s, "q": s[:2]}


def two_rows(x):
    r, s = x * 2.0, x * 3.0
    return [r, r[:2]], [s, s[:2]]


def with_number(x):
    r = x * 2.0
    return {"p": r, "q": r[:2]}, np.sum(r)


def numbers(x):
    return [x[0], x[1] * x[2]], [x[1]]


def apart(x):
    return {"p": x * 2.0}, {"q": x * 3.0}


def named(x, a):
    d, e = two_named(x)
    d["q"][...] *= a[:2]
    return np.sum(d["p"] * x * e["p"])


def rows(x, a):
    d, e = two_rows(x)
    d[1][...] *= a[:2]
    e[0][1:] = d[0][:2]
    return np.sum(d[0] * x * e[0])


def beside_a_number(x, a):
    d, s = with_number(x)
    d["q"][...] *= a[:2]
    return np.sum(d["p"] * x) * s


def by_position(x, a):
    t = two_named(x)
    t[0]["q"][...] *= a[:2]
    return np.sum(t[0]["p"] * x)


def one_of_two(x, a):
    d, e = apart(x)
    z = d if x[0] > 0.0 else {"p": a * 1.0}
    z["p"][...] *= a
    return np.sum(d["p"] * x * e["q"])


def one_of_two_lists(x, a):
    d, e = numbers(x)
    z = d if x[0] > 0.0 else e
    z[0] *= a[0]
    z.append(a[1])
    return d[0] * d[1] * d[2] + e[0] * x[0]


PROGRAMS = [named, rows, beside_a_number, by_position, one_of_two, one_of_two_lists]


@pytest.mark.parametrize("f", PROGRAMS)
def test_first_derivatives(f) -> None:
    check_grads(f, (X, A), wrt=("x", "a"), on_overwrite="save")
    x, a = X.copy(), A.copy()
    y, pullback = ad.vjp(f, x, a, on_overwrite="save")
    assert y == f(X, A)
    for once, again in zip(pullback(1.0), pullback(1.0), strict=True):
        np.testing.assert_array_equal(once, again)
    np.testing.assert_array_equal([x, a], [X, A])


@pytest.mark.parametrize("f", PROGRAMS)
def test_default_mode_is_right_or_refuses(f) -> None:
    try:
        ad.grad(f, wrt=("x", "a"))(X, A)
    except ad.CompileError:
        return
    check_grads(f, (X, A), wrt=("x", "a"))


def one_of_named(x):
    r = x * 2.0
    return {"p": r, "q": r[:2]}


def of_one_dictionary(x, a):
    d = one_of_named(x)
    d["q"][...] *= a[:2]
    return np.sum(d["p"] * x)


def of_nested(x, a):
    r = one_of_named(x)
    d = {"u": {"p": r["p"]}, "v": [r["q"]]}
    d["v"][0][...] *= a[:2]
    return np.sum(d["u"]["p"] * x)


@pytest.mark.parametrize("f", [of_one_dictionary, of_nested, *PROGRAMS])
def test_second_derivatives_are_right_or_refused(f) -> None:
    """A tangent is returned with the value, so that the pushforward of a function that returns one
    container returns two of them in a tuple."""
    check_grads(f, (X, A), wrt=("x", "a"), on_overwrite="save")
    try:
        hessian = ad.hessian(f, on_overwrite="save")(X, A)
    except ad.CompileError as error:
        assert {d.code for d in error.diagnostics} <= {"AD201", "AD206"}
        return
    gradient = ad.grad(f, on_overwrite="save")
    for k, e in enumerate(np.eye(3) * 1e-6):
        column = (gradient(X + e, A) - gradient(X - e, A)) / 2e-6
        np.testing.assert_allclose(hessian[:, k], column, rtol=1e-6, atol=1e-6)
