"""Flattenings of arguments: whether one is a view depends on how the argument lies in memory.

Code is compiled for arrays in C order; for others such a function is recorded, which sees what each
flattening is.
"""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

C = np.arange(1.0, 7.0).reshape(2, 3)
LAYOUTS = {
    "C": C, "Fortran": np.asfortranarray(C), "strided": np.repeat(C, 2, axis=1)[:, ::2],
    "reversed": C[::-1],
}  # fmt: skip


def ravelled(x):
    r = x.ravel()
    r[1] = r[1] * 2 + r[0]
    return np.sum(x * np.arange(6.0).reshape(2, 3)) + np.sum(r)


def transposed(x):
    r = x.T.reshape(-1)
    r += 1.0
    r *= 2.0
    return np.sum(x * np.arange(6.0).reshape(2, 3)) + np.sum(r) * x[0, 1]


def _first(b, v):
    b.reshape(-1)[0] = v


def in_a_helper(x):
    _first(x, x[1, 1] * 3.0)
    return np.sum(x * np.arange(1.0, 7.0).reshape(2, 3))


def in_a_dictionary(x):
    return _of_a_dictionary({"a": x})


def _of_a_dictionary(p):
    r = p["a"].ravel()
    r[0] = r[1] * 2.0
    return np.sum(p["a"] * np.arange(1.0, 7.0).reshape(2, 3))


PROGRAMS = [ravelled, transposed, in_a_helper, in_a_dictionary]


def lying_as(like, values):
    """A copy with the strides of `like`."""
    if like.flags.forc:
        return np.copy(values, order="K" if values.flags.forc else "C")
    raw = np.zeros((2, 6)) if like.strides[1] > 8 else np.zeros((2, 3))
    made = raw[:, ::2] if like.strides[1] > 8 else raw[::-1]
    made[...] = values
    return made


def differences(f, x):
    found = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        up, down = lying_as(x, x), lying_as(x, x)
        up[at] += 1e-6
        down[at] -= 1e-6
        found[at] = (f(up) - f(down)) / 2e-6
    return found


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_one_derivative_for_all_layouts(f):
    gradient = ad.grad(f, on_unfollowed="record")
    for like in (*LAYOUTS.values(), C, LAYOUTS["Fortran"]):
        expected = differences(f, like)
        found = gradient(lying_as(like, like))
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
        along = np.array([[1.0, 0.5, 2.0], [0.0, 1.0, 0.3]])
        value, dot = ad.jvp(f, (lying_as(like, like),), (along.copy(),), on_unfollowed="record")
        assert value == f(lying_as(like, like))
        np.testing.assert_allclose(dot, np.sum(expected * along), rtol=1e-6)
        _, back = ad.vjp(f, lying_as(like, like), on_unfollowed="record")
        np.testing.assert_allclose(back(2.0)[0], 2.0 * expected, rtol=1e-6, atol=1e-6)


def test_arrays_in_a_dictionary():
    gradient = ad.grad(_of_a_dictionary, on_unfollowed="record")
    for like in (C, LAYOUTS["Fortran"], C):
        found = gradient({"a": lying_as(like, like)})["a"]
        expected = differences(in_a_dictionary, like)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_the_report_says_why():
    gradient = ad.differentiable(ravelled, on_unfollowed="record")
    gradient.grad(LAYOUTS["Fortran"].copy(order="K"))
    said = str(gradient.report())
    assert "recorded" in said
    assert "AD206" in said
    with pytest.raises(ad.AdtransError, match="AD206"):  # the compiler's own check, in the run
        ad.grad(ravelled, on_unfollowed="refuse")(LAYOUTS["Fortran"].copy(order="K"))
