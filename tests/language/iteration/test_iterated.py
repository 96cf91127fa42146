"""Loops over arrays that are written, or whose names are bound again, while the loop runs."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError, InternalError, MutationError
from adtrans.testing import check_grads


def scaled_by_its_elements(x):
    y = x.copy()
    s = 0.0
    for v in y:
        s += v
        y *= v
    return s


def running_sum(x):
    y = x.copy()
    for i, v in enumerate(y[:-1]):
        y[i + 1] += v
    return y[-1]


def rebound(x):
    y = x.copy()
    s = 0.0
    for v in y:
        s += v * v
        y = y * 2.0
    return s + np.sum(y)


def neighbours(x):
    grid = np.outer(x, x)
    for previous, current in zip(grid[:-1], grid[1:]):  # noqa: B905, RUF007  # other forms are not differentiated
        current[:] = 0.9 * previous + 1.0
    return np.sum(grid * grid)


def backwards(x):
    y = x.copy()
    i = len(x) - 1
    for v in reversed(y[1:]):
        y[i - 1] += 0.5 * v
        i -= 1
    return np.sum(y * y)


def filled(x):
    y = x.copy()
    s = 0.0
    for v in y:
        s += np.sum(y * y) * v
        y.fill(v)
    return s


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [scaled_by_its_elements, running_sum, rebound, neighbours, backwards, filled]
)
def test_right_or_refused(f, mode):
    x = np.array([0.7, -1.2, 0.4, 1.1])
    try:
        check_grads(f, (x,), on_overwrite=mode)
    except InternalError:
        raise
    except (CompileError, MutationError) as refusal:
        assert refusal.diagnostics[0].code in ("AD301", "AD302", "AD308")


@pytest.mark.parametrize("f", [running_sum, rebound, backwards])
def test_accepted(f):
    x = np.array([0.7, -1.2, 0.4, 1.1])
    gradient = ad.grad(f, on_overwrite="save")(x)
    steps = 1e-6 * np.eye(4)
    numeric = [(f(x + h) - f(x - h)) / 2e-6 for h in steps]
    np.testing.assert_allclose(gradient, numeric, rtol=1e-7, atol=1e-7)


def test_shape_of_a_swapped_variable():
    """`x` is bound in a loop, then means something else: its shape is taken in between."""

    def f(x, b):
        x = x.copy()
        b[1:4] *= 0.5 * b[2:-1]
        n = 0
        while n < 2:
            n += 1
            x[:] *= b
        b, x = x, b
        x = b
        x[5] = 3.0
        return np.sum(x) + np.sum(b)

    check_grads(f, (np.ones(6), np.full(6, 2.0)), wrt=(0, 1), on_overwrite="save")


def rows_together(x, n):
    s = 0.0
    for a, b, c in zip(*[x[:n], x[:n], x * 3], strict=True):
        s += a * b * c
    return s


def columns(x, n):
    a, b = zip(*[(x * i, x + i) for i in range(n)], strict=True)
    return np.sum(np.stack(a) * np.stack(b))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [rows_together, columns], ids=lambda f: f.__name__)
def test_transposed_strictly(f):
    check_grads(f, (np.array([0.3, 0.5, 0.7]), 3), wrt=0)


@pytest.mark.recorded
@pytest.mark.parametrize("n", [0, 2])
def test_transposed_strictly_of_different_lengths(n):
    x = np.array([0.3, 0.5, 0.7])
    with pytest.raises(ValueError, match="argument 3 is longer than arguments 1-2") as python:
        rows_together(x, n)
    with pytest.raises(ValueError, match="argument 3") as ours:
        ad.vjp(rows_together, x, n)
    assert str(ours.value) == str(python.value)
