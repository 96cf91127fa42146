"""Lists of lists of None, or of numbers, that are filled with arrays later."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def filled(x):
    g = [[None] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            g[i][j] = x * (i + j + 1.0)
    return sum(np.sum(g[i][j] ** 2) for i in range(2) for j in range(3))


def of_zeros(x):
    table = [[0.0] * 3 for _ in range(2)]
    table[0][1] = x * x
    table[1][2] = x[0]
    s = 0.0
    for row in table:
        for v in row:
            s = s + np.sum(v * x)
    return s


def neville(x):
    """Each column is computed from the one before."""
    n = 3
    t = [[None for _ in range(n)] for _ in range(n)]
    for i in range(n):
        t[i][0] = x * (i + 1.0)
    for j in range(1, n):
        for i in range(n - j):
            t[i][j] = 2.0 * t[i + 1][j - 1] - t[i][j - 1] * np.sin(t[i][j - 1])
    return np.sum(t[0][n - 1])


def some_left_out(x):
    g = [[None] * 2 for _ in range(2)]
    g[0][1] = x * x
    g[1][0] = x[1] ** 2
    s = 0.0
    for row in g:
        for v in row:
            if v is not None:
                s = s + np.sum(v * x)
    return s


def one_row_several_times(x):
    g = [[None]] * 3
    g[0][0] = x * x
    return np.sum(g[2][0] * x)


def rows_that_change_places(x):
    g = [[None] * 2 for _ in range(2)]
    for i in range(2):
        row = g[i]
        row[0], row[1] = x * (i + 1), x[i]
    g[0] = g[1]
    g[1][0] = x * x
    return np.sum(g[0][0] * g[1][1])


def fill(row, x, k):
    for j in range(len(row)):
        row[j] = x * (j + k + 1.0)


def filled_by_a_function(x):
    g = [[None] * 3 for _ in range(2)]
    for k, row in enumerate(g):
        fill(row, x, k)
    return np.sum(g[0][0] * g[1][1] * g[1][2])


def rows_in_a_dictionary(x):
    d, g = {}, [[None] * 2 for _ in range(2)]
    for i in range(2):
        g[i][0], g[i][1] = x * (i + 1.0), x[i]
        d[i] = g[i]
    return sum(np.sum(v**2) for row in d.values() for v in row)


PROGRAMS = [
    filled, of_zeros, neville, some_left_out, one_row_several_times, rows_that_change_places,
    filled_by_a_function, rows_in_a_dictionary,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f) -> None:
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.parametrize("f", [filled, neville], ids=lambda f: f.__name__)
def test_second_derivatives(f) -> None:
    h = ad.hessian(f)(X)
    step = 1e-5 * np.eye(4)
    expected = [(ad.grad(f)(X + e) - ad.grad(f)(X - e)) / 2e-5 for e in step]
    np.testing.assert_allclose(h, expected, rtol=1e-6, atol=1e-8)


def item_written(x):
    g = [[None] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            g[i][j] = x * (i + j + 1.0)
    g[int(x[0] > 0.5)][1][0] = 5.0 * x[1]
    return sum(np.sum(g[i][j] ** 2) for i in range(2) for j in range(3))


def written_under_its_own_name(x):
    y = x * x
    g = [[None] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            g[i][j] = y
    y[0] = x[1] * x[1]
    return sum(np.sum(g[i][j]) for i in range(2) for j in range(3))


def written_through_a_view(x):
    y = x * x
    g = [[None] for _ in range(2)]
    for i in range(2):
        g[i].append(y[1:])
    y[2] = x[0] * x[1]
    return sum(np.sum(v * v) for r in g for v in r if v is not None)


def scale(v):
    v *= 2.0


def written_by_a_function(x):
    y = x * x
    g = [[None] * 2 for _ in range(2)]
    for i in range(2):
        g[i][1] = y
    scale(y)
    return sum(np.sum(v) for r in g for v in r if v is not None)


WRITTEN = [item_written, written_under_its_own_name, written_through_a_view, written_by_a_function]


@pytest.mark.parametrize("f", WRITTEN, ids=lambda f: f.__name__)
def test_arrays_in_them_are_written(f) -> None:
    check_grads(f, (X,), on_overwrite="save")


def made_row(x):
    t = [[None] for _ in range(2)]
    t[0][0] = x
    t[1] = [v * v for v in (x,)]
    return np.sum(t[1][0])


def grown_row(x):
    t, r = [[None] * 2 for _ in range(2)], []
    r.append(x * x[0])
    r.append(x * x)
    t[1] = r
    return np.sum(t[1][0] * t[1][1])


def made_of_a_row(x):
    t = [[None] * 2 for _ in range(2)]
    t[0][0], t[0][1] = x * x, x
    t[1] = [v * v for v in t[0]]
    return np.sum(t[1][0] * t[0][1])


@pytest.mark.parametrize("f", [made_row, grown_row, made_of_a_row])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_rows_that_hold_nothing_but_arrays_are_not_among_them(f, mode):
    try:
        check_grads(f, (np.array([0.5, 1.2, 0.7]),), on_overwrite=mode)
    except ad.CompileError as error:
        assert error.diagnostics[0].code == "AD206"
