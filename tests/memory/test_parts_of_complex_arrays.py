"""Real and imaginary parts look into a complex array, with gaps: flattened, they are copied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.1])


def imaginary(x: Any) -> Any:
    z = x + 1j * np.sin(x)
    y = np.imag(z)
    v = y.ravel()
    y[::-1] = 2.0 * x
    return np.sum(v * x) + np.sum(y)


def real(x: Any) -> Any:
    z = x * x + 1j * x
    y = np.real(z)
    v = np.ascontiguousarray(y)
    y[0] = x[2]
    v[1:] *= x[0]
    return np.sum(v * x) + np.sum(np.real(z) * x)


def of_rows(x: Any) -> Any:
    z = np.outer(x, x) + 1j * np.outer(x, np.cos(x))
    y = np.imag(z)[1:]
    v = y.reshape(-1)
    y[0] = 3.0
    return np.sum(v * v) + np.sum(np.imag(z) * np.real(z))


def of_real_numbers(x: Any) -> Any:
    y = x * 2.0
    v = np.real(y).ravel()
    y[0] = x[1] * x[2]
    return np.sum(v * x)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [imaginary, real, of_rows, of_real_numbers])
@pytest.mark.parametrize("how", ["record", "always"])
def test_gradients(f: Any, how: str) -> None:
    check_grads(f, (X,), on_unfollowed=how, on_overwrite="save")


@pytest.mark.parametrize("f", [imaginary, real, of_rows, of_real_numbers])
def test_compiled_it_is_right_or_refused(f: Any) -> None:
    try:
        found = ad.grad(f, on_unfollowed="refuse", on_overwrite="save")(X)
    except ad.AdtransError:
        return
    np.testing.assert_allclose(found, ad.grad(f, on_unfollowed="always", on_overwrite="save")(X))
