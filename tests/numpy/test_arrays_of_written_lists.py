"""Lists of lists whose rows are written, and that NumPy makes arrays of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.5, 1.2, 0.7, 0.9])
SLOW = pytest.mark.slow


def filled(x: Any) -> Any:
    rows = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            rows[i][j] = x[i] * x[j] + (x[3] if i == j else 0.0)
    return np.linalg.det(np.array(rows))


def given_to_a_primitive(x: Any) -> Any:
    rows = [[x[0], 1], [0, x[1]]]
    rows[0][1] = x[2]
    y = np.zeros((2, 2))
    y[:] = rows
    y[0] += rows[1]
    return np.sum(y * y) + np.linalg.det(rows) + np.sum(rows)


def factorised(x: Any) -> Any:
    n = 3
    a = [[x[i] * x[j] + float(i == j) for j in range(n)] for i in range(n)]
    low = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = a[i][j]
            for k in range(j):
                s -= low[i][k] * low[j][k]
            low[i][j] = s**0.5 if i == j else s / low[j][j]
    return np.linalg.norm(np.array(low)) + np.array(low).T[0, 1]


def grown_after(x: Any) -> Any:
    a, b = [x[0], x[1]], [x[2], x[3]]
    rows = [a]
    rows.append(b)
    b.append(x[0])
    a.insert(0, x[1])
    return np.sum(np.asarray(rows) ** 2)


def in_three_levels(x: Any) -> Any:
    t = [[[0.0] * 2 for _ in range(2)] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            for k in range(2):
                t[i][j][k] = x[i] * x[j + 1] * x[k + 2]
    return np.sum(np.array(t)[1] ** 2) + np.sum(t)


def read_twice(x: Any) -> Any:
    rows = [[0.0] * 3 for _ in range(2)]
    for i, row in enumerate(rows):
        row[i] += x[i]
    first = np.array(rows)
    rows[0][2] = x[3]
    last = np.vstack(rows)
    return np.sum(first * first) + np.sum(last @ x[:3]) + np.dot(rows, x[:3])[0]


@pytest.mark.parametrize(
    "f",
    [
        filled,
        given_to_a_primitive,
        pytest.param(factorised, marks=SLOW),
        pytest.param(grown_after, marks=SLOW),
        pytest.param(in_three_levels, marks=SLOW),
        pytest.param(read_twice, marks=SLOW),
    ],
)
def test_gradient(f: Callable[[Any], Any]) -> None:
    check_grads(f, (X,))
