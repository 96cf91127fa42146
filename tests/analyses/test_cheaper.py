"""Copies are kept of results that would take long to compute again; without copies they are."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

A = np.eye(3) * 3 + np.arange(9.0).reshape(3, 3) / 7


def inverse(a):
    y = np.linalg.inv(a)
    y[0] = a[1]
    return np.sum(y * a)


def in_a_loop(a):
    for _ in range(2):
        y = np.linalg.solve(a, a[0])
        y += np.sin(y)
        a = a + np.outer(y, y)
    return np.sum(a)


@pytest.mark.parametrize("f", [inverse, in_a_loop])
def test_values_do_not_depend_on_the_mode(f) -> None:
    for mode in ("refuse", "save"):
        check_grads(f, (A,), on_overwrite=mode)


@pytest.mark.parametrize(("mode", "solves"), [("refuse", 2), ("save", 0)])
def test_an_inverse_is_copied_where_copies_are_kept(mode: str, solves: int) -> None:
    f = ad.differentiable(inverse, on_overwrite=mode)
    f.grad(A)
    assert f.source.count("np.linalg.solve(") == solves
