"""Fields of a global array of records as subscripts: one is an array, that of a row a number."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

EDGES = np.zeros(3, dtype=[("src", "i4"), ("dst", "i4"), ("g", "f8")])
EDGES["src"], EDGES["dst"], EDGES["g"] = [0, 1, 2], [1, 2, 3], [0.1, 0.2, 0.3]
X = np.array([1.0, 2.0, 3.0, 4.0])


def scattered(x):
    y = x * 1.0
    np.add.at(y, EDGES["dst"], EDGES["g"] * x[EDGES["src"]])
    return np.sum(y**2)


def gathered(x):
    return np.sum(x[EDGES["src"]] * EDGES["g"] * x[EDGES["dst"]])


def in_a_part(x):
    few = EDGES[1:]
    return np.sum(x[few["src"]] * few["g"]) + x[EDGES[0]["dst"]]


def row_by_row(x):
    y = x * 1.0
    for e in EDGES:
        y[e["dst"]] += e["g"] * y[e["src"]]
    return np.sum(y * X)


@pytest.mark.parametrize("f", [scattered, gathered, in_a_part, row_by_row])
def test_fields_as_subscripts(f):
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(4)]
    for way in ("record", "always"):
        np.testing.assert_allclose(ad.grad(f, on_unfollowed=way)(X.copy()), expected, rtol=1e-6)
    try:
        found = ad.grad(f, on_unfollowed="refuse")(X.copy())
    except ad.CompileError:
        return
    np.testing.assert_allclose(found, expected, rtol=1e-6)
