"""Lists of lists that are made first and filled later: what they hold is not taken for unknown."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

A = [[4.0, 1.0, 0.3], [2.0, 3.0, 0.7], [0.1, 0.4, 2.5]]


def zeros(rows, columns):
    return [[0.0 for _ in range(columns)] for _ in range(rows)]


def one_store(a):
    u = [[0.0 for _ in range(2)] for _ in range(2)]
    u[0][0] = a[0][0] * a[0][1]
    return u[0][0] * a[1][1]


def product(a, b):
    c = [[0.0] * len(b[0]) for _ in range(len(a))]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                c[i][j] += a[i][k] * b[k][j]
    return c


def powers(a):
    return product(a, product(a, a))


def doolittle(a):
    n = len(a)
    upper = [[0.0 for _ in range(n)] for _ in range(n)]
    lower = [[0.0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for k in range(i, n):
            upper[i][k] = a[i][k] - sum([lower[i][j] * upper[j][k] for j in range(i)])
            if i == k:
                lower[i][i] = 1.0
                continue
            lower[k][i] = a[k][i] - sum([lower[k][j] * upper[j][i] for j in range(i)])
            try:
                lower[k][i] /= upper[i][i]
            except ZeroDivisionError:
                lower[k][i] = 0.0
    return lower, upper


def forward(lower, b):
    y = [0.0 for _ in range(len(b))]
    y[0] = b[0] / lower[0][0]
    for i in range(1, len(b)):
        y[i] = (b[i] - sum([lower[i][j] * y[j] for j in range(i)])) / lower[i][i]
    return y


def solved(a):
    b = [[1.0, 0.5], [2.0, -1.0], [0.3, 0.2]]
    x = zeros(3, 2)
    lower, upper = doolittle(a)
    for i in range(2):
        column = [row[i] for row in b]
        y = forward(lower, column)
        for j in range(3):
            x[j][i] = y[j] * upper[j][j]
    return x


def rows_that_change_places(a):
    u = zeros(2, 3)
    u[0][1] = a[0][0] * a[1][1]
    u[0], u[1] = u[1], u[0]
    row = u[1]
    row[0] = row[1] * a[0][1]
    return u[1][0] * u[1][1] + u[0][0]


def grown(a):
    table = [[0.0] for _ in range(2)]
    for v in a[0]:
        table[0].append(v * v)
        table[1].append(v * table[0][-1])
    return table[0][2] * table[1][3]


def left_early(a):
    u = zeros(2, 2)
    for i in range(2):
        u[i][0] = a[i][0] * a[i][1]
        if u[i][0] > 3.0:
            return u[i][0] * a[2][2]
        u[i][1] = u[i][0]
    return u[0][1]


PROGRAMS = [one_store, powers, solved, rows_that_change_places, grown, left_early]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_in_all_modes(f, mode):
    check_grads(f, (A,), on_overwrite=mode)


def test_second_order():
    def of_array(x):
        a = [[x[0], x[1], 0.3], [x[2], 3.0, 0.7], [0.1, x[3], 2.5]]
        return one_store(a) * grown(a)

    x = np.array([4.0, 1.0, 2.0, 0.4])
    check_grads(of_array, (x,))
    gradient, v, eps = ad.grad(of_array), np.array([0.3, -0.2, 0.5, 0.1]), 1e-6
    numbers = (gradient(x + eps * v) - gradient(x - eps * v)) / (2 * eps)
    assert np.allclose(ad.hvp(of_array, (x,), (v,)), numbers, rtol=1e-5, atol=1e-5)


def test_items_of_several_kinds():
    """What is put into one row counts for the other names of it, too."""

    def mixed(a):
        table = [[] for _ in range(2)]
        table[0].append(a[0][0])
        table[1].append([a[0][1], 2.0])
        return table[0][0] * table[1][0][0]

    try:
        check_grads(mixed, (A,))
    except ad.CompileError as error:
        assert error.diagnostics[0].code == "AD207"
