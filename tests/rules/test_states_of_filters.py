"""A filter that goes on from a state, by its coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.signal import lfilter

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7, 0.2, 0.95, 0.5])
B, A = np.array([1.1, -0.4, 0.3]), np.array([1.4, 0.5, 0.2])


def in_pieces(x: Any, b: Any, a: Any, state: Any) -> Any:
    first, between = lfilter(b, a, x[:4], zi=state)
    second, last = lfilter(b, a, x[4:], zi=between)
    return np.concatenate([first, second, last])


def by_rows(x: Any, b: Any, a: Any, state: Any) -> Any:
    rows = np.stack([x, x**2])
    return lfilter(b[:1], a, rows, axis=0, zi=np.outer(state, x))[0]


@pytest.mark.parametrize("f", [in_pieces, by_rows])
def test_by_coefficients(f: Any) -> None:
    check_grads(f, (X, B, A, np.array([0.4, -0.3])), wrt=(0, 1, 2, 3))


def test_pieces_give_what_the_whole_gives() -> None:
    whole = np.concatenate(lfilter(B, A, X, zi=np.array([0.4, -0.3])))
    np.testing.assert_allclose(in_pieces(X, B, A, np.array([0.4, -0.3])), whole)
