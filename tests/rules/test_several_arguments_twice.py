"""Second derivatives by several arguments at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.testing import check_grads

A = np.linspace(0.4, 1.6, 12).reshape(3, 4)


def test_both_operands_of_a_covariance() -> None:
    check_grads(
        lambda a, d: np.cov(a, d, rowvar=False), (A, A**2), wrt=(0, 1), order=2,
        modes=("forward",),
    )  # fmt: skip


def test_slopes_along_two_axes() -> None:
    def slopes(a: Any, h: Any, z: Any) -> Any:
        return np.gradient(a**2, h, np.cumsum(z))[1]

    places = np.array([0.3, 0.7, 0.5, 0.9])
    check_grads(slopes, (A, 0.7, places), wrt=(0, 1, 2), order=2, modes=("forward",))
