"""`np.vectorize` as the decorator of a function inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

X, Y = np.array([0.4, 0.9, 1.3]), np.array([0.7, 0.2, 1.6])


def plain(x: Any, y: Any) -> Any:
    scale = x[0] * y[1]

    @np.vectorize
    def g(a: Any, b: Any) -> Any:
        if a > b:
            return (a - b) * scale
        return a * b

    return g(x, y[:, None])


def with_types(x: Any, y: Any) -> Any:
    @np.vectorize(otypes=[float])
    def g(a: Any, b: Any) -> Any:
        return a * b if a > b else np.sin(b)

    return g(x, y) * g(x[0], 2.0)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [plain, with_types])
def test_a_function_of_elements(f: Any) -> None:
    check_grads(f, (X, Y), wrt=(0, 1))
