"""Dictionaries that helpers return, and that are copied or spread before an array in them is
written: the gradient is right or the program refused."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.3, 0.5, 0.7, 0.2])
A = np.arange(12.0).reshape(3, 4) / 10 + 0.1


def named(**parts):
    return parts


def in_a_tuple(**parts):
    return parts, 2.0


def copied(x, a):
    d = dict(named(p=x, q=a[0].copy()))
    x[:-1] *= 2.0
    return np.sum(d["q"] ** 2) + np.sum(d["p"] * a)


def spread(x, a):
    d = {**named(p=x, q=a[0].copy())}
    x[:-1] *= 2.0
    return np.sum(d["q"] ** 2) + np.sum(d["p"] * a)


def spread_with_another(x, a):
    d = named(p=x, q=a[0].copy())
    d = {**d, "r": x}
    x[:-1] *= 2.0
    return np.sum(d["q"] ** 2) + np.sum(d["r"] * a)


def gone_through(x, a):
    d = named(p=x, q=a[0].copy())
    d = {**d, "p": x}
    x[:-1] *= np.sum(a)
    return sum(np.sum(r) for r in d.values()) + np.sum(x * a)


def taken_apart(x, a):
    d, k = in_a_tuple(p=x, q=a[0].copy())
    d = dict(d)
    x[:-1] *= k
    return np.sum(d["q"] ** 2) + np.sum(d["p"] * a)


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [copied, spread, spread_with_another, gone_through, taken_apart], ids=lambda f: f.__name__
)
def test_right_or_refused(f, mode) -> None:
    try:
        check_grads(f, (X, A), wrt=("x", "a"), on_overwrite=mode)
    except CompileError as error:
        assert error.diagnostics[0].code in ("AD206", "AD301")


def test_right_where_nothing_is_written() -> None:
    def f(x, a):
        d = {**named(p=x, q=a[0]), "r": x * 2.0}
        return np.sum(d["q"] ** 2) + np.sum(d["p"] * a) + np.sum(dict(d)["r"])

    check_grads(f, (X, A), wrt=("x", "a"))
