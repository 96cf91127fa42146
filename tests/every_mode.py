"""One function of an array in every mode: both derivatives, both policies, and second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import adtrans as ad
from adtrans.testing import check_grads


def check_every_mode(f: Callable[[Any], Any], x: Any) -> None:
    """Differences of the function and of its gradient, which is the same in save mode."""
    check_grads(f, (x,))
    gradient, h = ad.grad(f), 1e-5
    assert np.allclose(ad.grad(f, on_overwrite="save")(x), gradient(x))
    steps = [gradient(x + h * e) - gradient(x - h * e) for e in np.eye(x.size)]
    assert np.allclose(ad.hessian(f)(x), np.array(steps) / (2 * h), rtol=1e-4, atol=1e-5)
