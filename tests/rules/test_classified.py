"""Functions that jump give places and masks for what has a derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7, 0.2, 0.95, 0.5])


def labelled(x: Any) -> Any:
    n, count = scipy.ndimage.label(x > 0.8)
    total = 0.0
    for k in range(1, count + 1):
        total += np.sum(x[n == k]) ** 2 * k
    return total


def dilated(x: Any) -> Any:
    return np.sum(x[scipy.ndimage.binary_dilation(x > 1.0)] ** 2)


def far_away(x: Any) -> Any:
    distance, nearest = scipy.ndimage.distance_transform_edt(x > 0.8, return_indices=True)
    return np.sum(distance * x[nearest[0]] ** 2)


def peaks(x: Any) -> Any:
    found, _ = scipy.signal.find_peaks(x, distance=2)
    return np.sum(x[found] ** 2)


def relative_maxima(x: Any) -> Any:
    return np.sum(x[scipy.signal.argrelmax(x)[0]] ** 2)


def overwritten(x: Any) -> Any:
    mask = scipy.ndimage.binary_erosion(x > 0.3)
    y = x * 1.0
    y[mask] *= x[mask]
    return np.sum(y**2)


def converted(x: Any) -> Any:
    b, a = scipy.signal.zpk2tf([0.1], [0.5], 2.0)
    return np.sum(scipy.signal.lfilter(b, a, x) ** 2)


@pytest.mark.parametrize("f", [
    labelled, dilated, far_away, peaks, relative_maxima, overwritten, converted,
])  # fmt: skip
def test_places_are_constant(f: Any) -> None:
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


def written(x: Any) -> Any:
    mask = np.zeros(7, bool)
    scipy.ndimage.binary_dilation(x > 1.0, output=mask)
    return np.sum(x[mask] ** 2)


def heights(x: Any) -> Any:
    _, found = scipy.signal.find_peaks(x, height=0.1)
    return np.sum(found["peak_heights"])


def sampled(x: Any) -> Any:
    return np.sum(scipy.ndimage.distance_transform_edt(x > 0.8, sampling=x[0]))


def designed(x: Any) -> Any:
    return np.sum(scipy.signal.zpk2tf(x[:1], [0.5], 2.0)[0])


@pytest.mark.parametrize("f", [heights, sampled, designed])
def test_what_varies_is_refused(f: Any) -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].code in ("AD401", "AD409")


def test_what_is_written_into_an_output_is_seen() -> None:
    try:
        found = ad.grad(written)(X)
    except ad.CompileError:
        return
    np.testing.assert_array_equal(found, [0.0, 1.8, 2.6, 1.4, 0.0, 0.0, 0.0])
