"""Loops of which nothing is left but the last of what they run over."""

import numpy as np
import pytest

from adtrans.testing import check_grads


def decided_away(x):
    k, b = 0, 1.0
    for k in range(3):  # noqa: B007  # that is the point
        if isinstance(b, np.ndarray):
            b[0] *= 2.0
    for _ in range(2):
        b = x * 1.0
    return np.sum(x * k) + np.sum(b)


def empty(x):
    k = 0
    for k in range(x.size):  # noqa: B007  # that is the point
        pass
    return np.sum(x) * k


@pytest.mark.parametrize("f", [decided_away, empty])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    check_grads(f, (np.array([0.3, 1.2, -0.7]),), on_overwrite=mode)
