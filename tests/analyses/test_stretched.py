"""Arrays of which several elements are one place in memory, with tangents."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def base_of_a_grid_is_written(x):
    y = x * 1.0
    a, b = np.meshgrid(y, y[:2], copy=False)
    y[0] = 5.0 * x[1] * x[2]
    return np.sum(a * b)


def base_of_broadcast_arrays_is_written(x):
    y = x * 1.0
    a, _ = np.broadcast_arrays(y, np.ones((2, 4)))
    y[0] = 5.0 * x[1] * x[2]
    return np.sum(a * x)


def base_of_windows_is_written(x):
    y = x * 1.0
    w = np.lib.stride_tricks.sliding_window_view(y, 2)
    y[1] = x[0] * x[2]
    return np.sum(w * w)


def row_of_a_grid_is_written(x):
    a, b = np.meshgrid(x * 1.0, x[:2] * 1.0, copy=False)
    a[0] *= b[1]
    return np.sum(a * b)


@pytest.mark.parametrize(
    "f",
    [base_of_a_grid_is_written, base_of_broadcast_arrays_is_written, base_of_windows_is_written],
)
def test_tangents_are_views_where_the_values_are(f):
    check_grads(f, (X,), modes=("forward",))


def test_writes_are_refused_in_both_directions():
    with pytest.raises(ad.CompileError, match="several elements of `a` are one place"):
        ad.jvp(row_of_a_grid_is_written, (X,), (X,))
    with pytest.raises(ad.CompileError, match="several elements of `a` are one place"):
        ad.vjp(row_of_a_grid_is_written, X)
