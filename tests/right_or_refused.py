"""Programs of which the derivatives are right, or refused with a clear error, in every mode.

A program is a text that defines `f`, and is built anew for each run: what one writes outside is not
seen by the next.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np

import adtrans as ad
from tests.programs import build

Outcome = Literal["right", "refused"]


def outcome(text: str, x: Any, helpers: str = "") -> Outcome:
    """Whether the gradient in both policies and the tangent are differences, or none is given."""
    slope = differences(text, x, helpers)
    direction = np.linspace(-0.7, 0.9, x.size).reshape(x.shape)
    found: set[Outcome] = set()
    for policy in ("refuse", "save"):
        try:
            got = ad.grad(build(text, helpers), on_overwrite=policy)(x.copy())
        except ad.AdtransError:
            found.add("refused")
            continue
        np.testing.assert_allclose(got, slope, rtol=1e-5, atol=1e-6, err_msg=policy)
        found.add("right")
    try:
        value, tangent = ad.jvp(build(text, helpers), (x.copy(),), (direction,))
    except ad.AdtransError:
        return "refused"
    np.testing.assert_allclose(value, build(text, helpers)(x.copy()), err_msg="value")
    np.testing.assert_allclose(tangent, np.sum(slope * direction), rtol=1e-5, atol=1e-6)
    return "refused" if "refused" in found else "right"


def differences(text: str, x: Any, helpers: str = "") -> Any:
    """The gradient by differences; every run is the first one."""
    slope, h = np.zeros(x.shape), 1e-6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at in np.ndindex(*x.shape):
            step = np.zeros(x.shape)
            step[at] = h
            above, below = (float(build(text, helpers)(x + d)) for d in (step, -step))
            slope[at] = (above - below) / (2 * h)
    return slope
