"""`np.vectorize` with a signature: functions of rows and matrices."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.arange(12.0).reshape(3, 4) / 5.0 + 0.3
W = np.cos(np.arange(4.0))


def length(v):
    total = 0.0
    for k in range(len(v)):
        total = total + v[k] ** 2
    return np.sqrt(total)


def product(a, b):
    return np.sum(a * b * b)


def scaled(v, s):
    return np.sin(v) * s


LENGTHS = np.vectorize(length, signature="(n)->()")


def of_rows(x, w):
    return np.sum(LENGTHS(x) * w[:3])


def of_one_row(x, w):
    return np.vectorize(length, signature="(n)->()")(x[1]) ** 2 + w[0]


def of_pairs(x, w):
    found = np.vectorize(product, signature="(n),(n)->()")(x * 2.0, w)
    found[0] = found[1] * w[1]
    return np.sum(found**2)


def of_columns(x, w):
    found = np.vectorize(product, signature="(n),(n)->()")(x[:, None, :], x[None, :2] * w)
    return np.sum(found * x[:, :2])


def to_rows(x, w):
    return np.sum(np.vectorize(scaled, signature="(n),()->(n)")(x, w[:3]) ** 2)


def of_matrices(x, w):
    found = np.vectorize(np.linalg.det, signature="(n,n)->()")(x[:, :2, None] * w[:2] + np.eye(2))
    return np.sum(found * w[:3])


def with_captured(x, w):
    def turned(v):
        return np.sum(v * w) * w[0]

    return np.sum(np.vectorize(turned, signature="(n)->()")(x) ** 2)


def same_twice(x, w):
    return np.sum(np.vectorize(product, signature="(n),(n)->()", otypes=[float])(x, x)) * w[0]


PROGRAMS = [of_rows, of_one_row, of_pairs, of_columns, to_rows, of_matrices, with_captured,
            same_twice]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_parts_of_arrays(f) -> None:
    check_grads(f, (X, W), wrt=(0, 1))
    assert ad.vjp(f, X, W)[0] == f(X, W)


@pytest.mark.parametrize("f", [of_pairs, with_captured])
def test_with_copies_instead_of_recomputation(f) -> None:
    check_grads(f, (X, W), wrt=(0, 1), on_overwrite="save")


def test_twice() -> None:
    check_grads(of_rows, (X, W), wrt=(0, 1), order=2)


def test_ints_first_are_an_error() -> None:
    def first(v):
        return v[0] if v[0] > 0.0 else 0

    def f(x):
        return np.sum(np.vectorize(first, signature="(n)->()")(x))

    with pytest.raises(ad.AdtransError):
        ad.grad(f)(X - 1.0)


def test_several_results() -> None:
    def f(x):
        return np.sum(np.vectorize(lambda v: (v[0], v[1]), signature="(n)->(),()")(x)[0])

    check_grads(f, (X,))


def test_what_is_not_of_the_signature_fails_as_in_the_program() -> None:
    def f(x, w):
        return np.sum(np.vectorize(product, signature="(n),(n)->()")(x, w))

    for call in (f, ad.grad(f)):
        with pytest.raises(ValueError, match="core dimension"):
            call(X, W[:3])


def test_a_function_that_writes_its_row() -> None:
    def cleared(v):
        v[0] = 0.0
        return np.sum(v)

    def f(x):
        return np.sum(np.vectorize(cleared, signature="(n)->()")(x))

    with pytest.raises((ad.AdtransError, ValueError)):
        ad.grad(f)(X.copy())
