"""Arrays that a loop writes into and then makes anew: the gradient has a gradient of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.5, 1.2, 0.8])


def relaxed(x: Any, k: float = 2.0) -> Any:
    u = x.copy()
    for _ in range(3):
        u[1:] += 0.1 * k * u[:-1]
        u = u * np.cos(u)
    return np.sum(u * u)


def boundary(x: Any, k: float = 2.0) -> Any:
    u = x.copy()
    for _ in range(3):
        u[0] = u[1] * k
        u[-1] = u[-2]
        u = u * np.cos(u)
    return np.sum(u * u)


def written_in_an_inner_loop(x: Any, k: float = 2.0) -> Any:
    u = x.copy()
    for _ in range(2):
        for i in range(1, 3):
            u[i] += 0.1 * k * u[i - 1]
        size = u.shape[0]
        u = u * u * size
    return np.sum(u)


@pytest.mark.parametrize(
    "f",
    [
        relaxed,
        pytest.param(boundary, marks=pytest.mark.slow),
        pytest.param(written_in_an_inner_loop, marks=pytest.mark.slow),
    ],
)
def test_reverse_over_reverse(f: Callable[..., Any]) -> None:
    gradient = ad.grad(f)
    expected = np.stack(
        [(gradient(X + e) - gradient(X - e)) / 2e-5 for e in 1e-5 * np.eye(3)], axis=-1
    )
    np.testing.assert_allclose(ad.jacrev(gradient)(X), expected, rtol=1e-6, atol=1e-6)


def test_kept_when_it_is_written() -> None:
    text = ad.differentiable(relaxed).source_for(X)
    assert text.index("u[1:] += ") < text.index("u_saved.append(u)")
