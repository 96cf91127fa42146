"""Sparse matrices that are made of diagonals and places, as SciPy reads them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_matrix, csr_matrix, diags

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 1.0, 2.0])


def more_than_offsets(x):
    ds = [x, x[1:]]
    return diags(ds, [0]) @ x


def more_rows_than_offsets(x):
    ds = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) * x
    return diags(ds, [0]) @ x


def a_list_without_offsets(x):
    ds = [x]
    return diags(ds) @ x


def a_row_with_one_offset(x):
    return diags(x.reshape(1, 3), 0) @ x


WRONG = [more_than_offsets, more_rows_than_offsets, a_list_without_offsets, a_row_with_one_offset]


@pytest.mark.parametrize("f", WRONG)
def test_another_number_of_diagonals_raises_what_python_raises(f) -> None:
    with pytest.raises(ValueError, match="Different number") as python:
        f(X)
    for run in (lambda: ad.vjp(f, X), lambda: ad.jvp(f, (X,), (X,))):
        with pytest.raises(ValueError, match="Different number") as mine:
            run()
        assert str(mine.value) == str(python.value)


def caught(x):
    ds = [x, x[1:]]
    try:
        return np.sum(diags(ds, [0]) @ x)
    except ValueError:
        return np.sum(x * 3.0)


def test_what_is_raised_is_caught() -> None:
    value, gradient = ad.value_and_grad(caught)(X)
    assert value == caught(X)
    np.testing.assert_array_equal(gradient, [3.0, 3.0, 3.0])


LOG: list[str] = []


def told(value, what):
    LOG.append(what)
    return value


def diagonals_first(x):
    a = diags([told(x, "first"), told(x[1:], "second")], [told(0, "at 0"), told(1, "at 1")])
    return np.sum((a @ x) ** 2)


def offsets_first(x):
    a = diags(shape=told((3, 3), "shape"), offsets=[told(1, "at")], diagonals=[told(x[1:], "of")])
    return np.sum((a @ x) ** 2)


@pytest.mark.parametrize("f", [diagonals_first, offsets_first])
def test_the_order_is_that_of_the_program(f) -> None:
    LOG.clear()
    f(X)
    expected = LOG.copy()
    for run in (lambda: ad.vjp(f, X), lambda: ad.jvp(f, (X,), (X,))):
        LOG.clear()
        run()
        assert expected == LOG
    check_grads(f, (X,))


def offsets_in_a_variable(x):
    where = [0, -1]
    a = diags((x, x[:2] ** 2), where)
    where = np.array([1, 0])
    b = diags([x[0], x], where, shape=(3, 3))
    return np.sum((a @ x) ** 2) + np.sum((b @ x) ** 3)


def rows_of_an_array(x):
    ds = np.stack((x, x * x))
    line = [1.0, x[0], x[1]]
    return np.sum((diags(ds, [0, 1], shape=(3, 3)) @ x) ** 2) + np.sum(diags(line, -1) @ np.ones(4))


@pytest.mark.parametrize("f", [offsets_in_a_variable, rows_of_an_array])
def test_diagonals_of_a_variable(f) -> None:
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save", order=2)


def places_as_booleans(x):
    labels = x > 0.7
    a = csr_matrix((x, (np.arange(3), labels)), shape=(3, 2))
    b = coo_array((x, (labels, np.arange(3))), shape=(2, 3))
    c = csc_matrix((x[:2], (np.array([True, False]), np.array([False, True]))), shape=(2, 2))
    rows = csr_matrix((x, labels, np.arange(4)), shape=(3, 2))
    y = a @ x[:2] + rows @ x[1:]
    return np.sum(y**2) + np.sum((b @ y) ** 2) + np.sum(c @ x[1:]) ** 2


def small_integers(x):
    a = csr_matrix((x, (np.array([0, 1, 1], np.uint8), np.array([0, 0, 1], np.uint8))))
    b = csr_matrix((x, np.array([0, 1, 1], np.uint8), np.array([0, 1, 2, 3], np.uint8)))
    return np.sum((a.T @ x[:2]) ** 2) + np.sum((b @ x[:2]) ** 2)


@pytest.mark.parametrize("f", [places_as_booleans, small_integers])
def test_places_of_other_types(f) -> None:
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save", order=2)
