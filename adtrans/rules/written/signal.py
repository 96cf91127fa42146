"""Functions of `scipy.signal`, in Python: spectra, and what changes the rate of a signal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import signal

from adtrans.runtime.updates import valued
from adtrans.runtime.with_scipy.written import as_computed, steady


def periodogram(
    x: Any, fs: Any = 1.0, window: Any = "boxcar", nfft: Any = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1,
) -> Any:  # fmt: skip
    """`scipy.signal.periodogram`, as long as the signal."""
    found = as_computed(signal.periodogram, x, steady(fs), window, None, detrend, return_onesided,
                        scaling, axis)  # fmt: skip
    rows = np.moveaxis(np.asarray(x), axis, -1)
    weights = as_computed(signal.get_window, window, np.shape(rows)[-1])
    same = _power(rows[..., None, :], weights, fs, np.shape(rows)[-1], detrend, return_onesided,
                  scaling)[..., 0, :]  # fmt: skip
    return found[0], valued(found[1], np.moveaxis(same, -1, axis))


FUNCTIONS: tuple[tuple[object, Any], ...] = ()
