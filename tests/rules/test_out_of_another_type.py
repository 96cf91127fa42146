"""`out=` of another type than the result: what NumPy and SciPy round on the way is rounded too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import ndimage

import adtrans as ad

DOUBLE = np.random.default_rng(0).random((50, 6))
CALLS = {
    "mean": lambda m, o: np.mean(m, axis=0, out=o),
    "method": lambda m, o: m.mean(axis=0, out=o),
    "std": lambda m, o: np.std(m, axis=0, out=o),
    "sum": lambda m, o: np.sum(m, axis=0, out=o),
    "reduce": lambda m, o: np.add.reduce(m, axis=0, out=o),
    "quantile": lambda m, o: np.quantile(m, 0.3, axis=0, out=o),
    "einsum": lambda m, o: np.einsum("ij->j", m, out=o, casting="unsafe"),
    "sobel": lambda m, o: ndimage.sobel(m[:1], output=o),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("given, wanted", [(np.float64, np.float32), (np.float32, np.float64)])
def test_the_value_is_that_of_the_call(name: str, given: Any, wanted: Any) -> None:
    call = CALLS[name]
    m = DOUBLE.astype(given)

    def f(m: Any) -> Any:
        out = np.zeros((1, 6) if name == "sobel" else 6, wanted)
        call(m, out)
        return out * m[0]

    value, tangent = ad.jvp(f, (m,), (m,))
    np.testing.assert_array_equal(value, f(m))
    y, pullback = ad.vjp(f, m)
    np.testing.assert_array_equal(y, f(m))
    np.testing.assert_allclose(tangent, 2 * f(m), rtol=1e-5)
    back = pullback(np.ones_like(y))[0]
    np.testing.assert_allclose(np.sum(back * m), np.sum(tangent), rtol=1e-5)


def test_the_tangent_of_weights_is_no_integer() -> None:
    image, weights = np.arange(20).reshape(4, 5), np.array([[0.3, 0.4], [0.7, 0.9]])
    for f in (lambda k: ndimage.convolve(image, k, output=float),
              lambda k: ndimage.correlate(image, k[0], axes=1, output=float),
              lambda k: ndimage.correlate1d(image, k[0], output=float)):  # fmt: skip
        value, tangent = ad.jvp(f, (weights,), (0.5 * weights,))
        np.testing.assert_allclose(tangent, 0.5 * value, rtol=1e-14)
