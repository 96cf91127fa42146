"""Functions of `scipy.ndimage`, in Python. What picks an element of each neighbourhood picks it
where of the ranks of the elements the same would be picked. An `output=` is not understood, nor is
a `structure=` with heights."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from adtrans.rules.written import labels
from adtrans.rules.written.elements_at_places import taken, with_border
from adtrans.runtime.fresh_updates import valued
from adtrans.runtime.with_scipy.written import as_computed, picked


def maximum_filter(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.maximum_filter`."""
    fn = ndimage.maximum_filter
    found = as_computed(fn, input, size, footprint, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def minimum_filter(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.minimum_filter`."""
    fn = ndimage.minimum_filter
    found = as_computed(fn, input, size, footprint, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def median_filter(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.median_filter`."""
    fn = ndimage.median_filter
    found = as_computed(fn, input, size, footprint, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def grey_dilation(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_dilation`, flat."""
    fn = ndimage.grey_dilation
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def grey_erosion(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_erosion`, flat."""
    fn = ndimage.grey_erosion
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def grey_opening(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_opening`, flat."""
    fn = ndimage.grey_opening
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def grey_closing(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_closing`, flat."""
    fn = ndimage.grey_closing
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, footprint=footprint, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def morphological_gradient(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.morphological_gradient`, flat."""
    fn = ndimage.morphological_gradient
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    above = grey_dilation(input, size, footprint, mode=mode, cval=cval, origin=origin)
    below = grey_erosion(input, size, footprint, mode=mode, cval=cval, origin=origin)
    return valued(found, above - below)


def white_tophat(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.white_tophat`, flat."""
    fn = ndimage.white_tophat
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    below = grey_opening(input, size, footprint, mode=mode, cval=cval, origin=origin)
    return valued(found, input - below)


def black_tophat(
    input: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.black_tophat`, flat."""
    fn = ndimage.black_tophat
    found = as_computed(fn, input, size, footprint, None, None, mode, cval, origin)
    above = grey_closing(input, size, footprint, mode=mode, cval=cval, origin=origin)
    return valued(found, above - input)


def maximum_filter1d(
    input: Any, size: Any, axis: int = -1, *, mode: str = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.maximum_filter1d`."""
    fn = ndimage.maximum_filter1d
    found = as_computed(fn, input, size, axis, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, axis=axis, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def minimum_filter1d(
    input: Any, size: Any, axis: int = -1, *, mode: str = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.minimum_filter1d`."""
    fn = ndimage.minimum_filter1d
    found = as_computed(fn, input, size, axis, None, mode, cval, origin)
    places = picked(fn, input, cval, size=size, axis=axis, mode=mode, origin=origin)
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def percentile_filter(
    input: Any, percentile: Any, size: Any = None, footprint: Any = None, *,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.percentile_filter`."""
    fn = ndimage.percentile_filter
    found = as_computed(fn, input, percentile, size, footprint, None, mode, cval, origin)
    places = picked(fn, input, cval, percentile=percentile, size=size, footprint=footprint,
                    mode=mode, origin=origin)  # fmt: skip
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def rank_filter(
    input: Any, rank: Any, size: Any = None, footprint: Any = None, *, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.rank_filter`."""
    fn = ndimage.rank_filter
    found = as_computed(fn, input, rank, size, footprint, None, mode, cval, origin)
    places = picked(fn, input, cval, rank=rank, size=size, footprint=footprint, mode=mode,
                    origin=origin)  # fmt: skip
    return valued(found, taken(with_border(input, cval), places, np.shape(input)))


def gaussian_laplace(
    input: Any, sigma: Any, *, mode: Any = "reflect", cval: Any = 0.0, truncate: float = 4.0
) -> Any:
    """`scipy.ndimage.gaussian_laplace`."""
    found = as_computed(ndimage.gaussian_laplace, input, sigma, None, mode, cval, truncate=truncate)
    same = np.zeros_like(input)
    for axis in range(np.ndim(input)):
        order = tuple(2 * (k == axis) for k in range(np.ndim(input)))
        way = mode if isinstance(mode, str) else mode[axis]
        same = same + ndimage.gaussian_filter(input, sigma, order, mode=way, cval=cval,
                                              truncate=truncate)  # fmt: skip
    return valued(found, same)


def gaussian_gradient_magnitude(
    input: Any, sigma: Any, *, mode: Any = "reflect", cval: Any = 0.0, truncate: float = 4.0
) -> Any:
    """`scipy.ndimage.gaussian_gradient_magnitude`."""
    fn = ndimage.gaussian_gradient_magnitude
    found = as_computed(fn, input, sigma, None, mode, cval, truncate=truncate)
    total = np.zeros_like(input)
    for axis in range(np.ndim(input)):
        order = tuple(1 * (k == axis) for k in range(np.ndim(input)))
        way = mode if isinstance(mode, str) else mode[axis]
        slope = ndimage.gaussian_filter(input, sigma, order, mode=way, cval=cval,
                                        truncate=truncate)  # fmt: skip
        total = total + slope * slope
    return valued(found, np.sqrt(total))


FUNCTIONS: tuple[tuple[object, Any], ...] = labels.FUNCTIONS + tuple(
    (getattr(ndimage, made.__name__), made)
    for made in (
        black_tophat, gaussian_gradient_magnitude, gaussian_laplace, grey_closing, grey_dilation,
        grey_erosion, grey_opening, maximum_filter, maximum_filter1d, median_filter,
        minimum_filter, minimum_filter1d, morphological_gradient, percentile_filter, rank_filter,
        white_tophat,
    )
)  # fmt: skip
