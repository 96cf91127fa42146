"""`y.shape = ...`: right where the array has one name by then, refused where it may have others."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([1.1, 0.2, 0.3, 0.4])


def on_a_branch(x):
    y = x * x
    if x[0] > 1.0:
        y.shape = (-1, 1)
        return np.sum(y @ y.T)
    return y @ y


def without_gaps_in_another_order(x):
    y = x.reshape(2, 2).T * 1.0
    try:
        y.shape = (4,)
    except AttributeError:
        return 5 * y.sum()
    return y[1] * y[2] ** 2


def of_another_size(x):
    y = x * x
    try:
        y.shape = (3,)
    except ValueError:
        return 7 * y.sum()
    return y.sum()


def one_is_told(x):
    y = x[::2] * 3.0
    y.shape = -1, 1
    return np.sum(y * y.T)


def written_before_and_after(x):
    y = np.zeros((2, 3))
    y[0] = x[:3]
    y[1, 1:] = x[2:] ** 2
    y.shape = (6,)
    y[1:] += y[:-1].copy() * 0.5
    y.shape = 3, 2
    return (y[0] * y[2]).sum()


def of_a_view(x):
    y = x * 1.0
    z = y[1:3]
    z.shape = (2, 1)
    z *= 3.0
    return y.sum() + z[0, 0] * y.ndim


def asked_by_a_function(x):
    y = x * x
    g = lambda: y.ndim  # noqa: E731
    y.shape = (2, 2)
    return g() * y.sum()


def bound_again_before(x):
    y = np.outer(x, x)[::2, ::2]
    z = y
    y = y + 1.0
    y.shape = (1, 4)
    return z.ndim * (y * y).sum() + z.sum()


def asked_before(x):
    y = x * x
    (n,) = y.shape
    top, low = y.max(), len(y)
    if y.any():
        y.shape = (1, n)
    return top * np.sum(y[:, :low] * x) * y.ndim


def two_at_once(x):
    a, b = x * 2.0, x * 3.0
    a.shape = b.shape = (2, 2)
    a, b = b, a
    return (a @ b).sum()


def of_a_constant(x):
    w = np.arange(4.0)
    w.shape = (2, 2)
    return (x[:2] @ w).sum() * w.ndim


def given_a_name_afterwards(x):
    y = np.sin(x)
    y.shape = x.shape + (1,)
    z = y
    z *= 2.0
    return (y * x).sum()


ACCEPTED = [
    on_a_branch, without_gaps_in_another_order, of_another_size, one_is_told,
    written_before_and_after, of_a_view, asked_by_a_function, bound_again_before, asked_before,
    two_at_once, of_a_constant, given_a_name_afterwards,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", ACCEPTED)
def test_one_name(f, mode):
    for x in (X, X - 0.5):
        check_grads(f, (x,), on_overwrite=mode)


def in_a_list(x):
    out = []
    y = x * x
    for _ in range(2):
        out.append(y)
        y.shape = (2, 2)
    return out[0].ndim * np.sum(out[0])


def of_another_name(x):
    y = x * x
    z = y
    z.shape = (2, 2)
    return y.ndim * y.sum()


def meanwhile(x):
    y = x * 2.0
    s = 0.0
    for row in y:
        s = s + np.sum(row) * 2
        y.shape = (2, 2)
    return s


def while_it_is_counted(x):
    y = x * 2.0
    s = 0.0
    for i, row in enumerate(y):
        s = s + np.sum(row) * (i + 1)
        if s > 0.0:
            y.shape = (2, 2)
    return s


def computed_into(x):
    z = x * 2.0
    y = np.add(z, 1.0, out=z)
    y.shape = (2, 2)
    return z.ndim * z.sum()


def converted_in_place(x):
    z = x * 2.0
    y = np.nan_to_num(z, copy=False)
    y.shape = (2, 2)
    return z.ndim * z.sum()


def clipped_into(x):
    z = x * 2.0
    y = z.clip(0.0, 1.0, out=z)
    y.shape = (2, 2)
    return z.ndim * z.sum()


def _itself(v):
    return v


def through_a_function(x):
    y = x * x
    h = _itself(y)
    y.shape = 2, 2
    return h.ndim * h.sum()


def in_a_local_function(x):
    y = x * x

    def shaped():
        y.shape = (2, 2)

    shaped()
    return y.ndim * y.sum()


def returned_meanwhile(x):
    y = x * 2.0
    try:
        return y
    finally:
        y.shape = (2, 2)


def of_the_caller(x):
    x.shape = (2, 2)
    return x.sum()


def the_very_argument(x):
    y = np.asarray(x)
    y.shape = (2, 2)
    return y.sum() * x.ndim


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [
        in_a_list, of_another_name, through_a_function, in_a_local_function, returned_meanwhile,
        of_the_caller, the_very_argument, meanwhile, while_it_is_counted, computed_into,
        converted_in_place, clipped_into,
    ],
)  # fmt: skip
def test_several_names(f, mode):
    with pytest.raises(CompileError) as caught:
        ad.vjp(f, X.copy(), on_overwrite=mode)
    (told,) = caught.value.diagnostics
    assert told.code == "AD201"
    assert "the shape of" in told.primary.text
    assert ".reshape(...)" in told.fixes[0].text
