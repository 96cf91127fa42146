"""What `scipy.ndimage` says of the parts of an image that labels tell, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from adtrans.runtime.fresh_updates import valued
from adtrans.runtime.with_scipy.written import as_computed


def parts_of(shape: Any, labels: Any, index: Any) -> Any:
    """For each element the number of its label in `index`; one more than there are for others.

    >>> parts_of((4,), np.array([1, 1, 0, 2]), [2, 1])
    array([1, 1, 2, 0])
    """
    if labels is None:
        return np.zeros(int(np.prod(shape)), np.int64)
    given = np.ravel(np.broadcast_to(labels, shape))
    if index is None:
        return np.where(given > 0, 0, 1)
    wanted = np.ravel(index)
    found = np.full(given.shape, len(wanted))
    for k, label in enumerate(wanted):
        found[given == label] = k
    return found


def numbers(values: Any, labels: Any, index: Any) -> Any:
    """The numbers of the parts, and how many there are."""
    places = np.zeros(np.size(values), np.int64)
    places[:] = as_computed(parts_of, np.shape(values), labels, index)
    return places, 1 if index is None else np.size(index)


def totals(values: Any, labels: Any, index: Any) -> Any:
    """The sum of the values of each part."""
    places, count = numbers(values, labels, index)
    return np.bincount(places, np.ravel(values), minlength=count + 1)[:count]


def sum_labels(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.sum_labels`."""
    found = as_computed(ndimage.sum_labels, input, labels, index)
    values = np.asarray(input)
    same = totals(values, labels, index).astype(values.dtype)
    return valued(found, np.reshape(same, np.shape(found)))


def mean(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.mean`."""
    found = as_computed(ndimage.mean, input, labels, index)
    same = totals(input, labels, index) / totals(np.ones(np.shape(input)), labels, index)
    return valued(found, np.reshape(same, np.shape(found)))


def variance(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.variance`."""
    found = as_computed(ndimage.variance, input, labels, index)
    counts = totals(np.ones(np.shape(input)), labels, index)
    middle = totals(input, labels, index) / counts
    places, count = numbers(input, labels, index)
    apart = np.ravel(input) - np.take(np.concatenate((middle, np.zeros(1))), places)
    same = np.bincount(places, apart * apart, minlength=count + 1)[:count] / counts
    return valued(found, np.reshape(same, np.shape(found)))


def standard_deviation(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.standard_deviation`."""
    found = as_computed(ndimage.standard_deviation, input, labels, index)
    return valued(found, np.sqrt(variance(input, labels, index)))


FUNCTIONS: tuple[tuple[object, Any], ...] = (
    (ndimage.mean, mean), (ndimage.sum, sum_labels), (ndimage.sum_labels, sum_labels),
    (ndimage.variance, variance), (ndimage.standard_deviation, standard_deviation),
)  # fmt: skip
