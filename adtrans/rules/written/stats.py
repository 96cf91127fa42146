"""Functions of samples of `scipy.stats`, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from adtrans.runtime.fresh_updates import valued
from adtrans.runtime.with_scipy.written import as_computed, steady


def zmap(scores: Any, compare: Any, axis: Any = 0, ddof: int = 0) -> Any:
    """`scipy.stats.zmap`."""
    found = as_computed(stats.zmap, scores, compare, axis, ddof)
    others = np.asarray(compare)
    middle = np.mean(others, axis=axis, keepdims=True)
    return valued(found, (scores - middle) / np.std(others, axis=axis, ddof=ddof, keepdims=True))


def tvar(a: Any, *, axis: Any = 0, ddof: int = 1) -> Any:
    """`scipy.stats.tvar`, without limits."""
    return valued(as_computed(stats.tvar, a, axis=axis, ddof=ddof), np.var(a, axis, ddof=ddof))


def tstd(a: Any, *, axis: Any = 0, ddof: int = 1) -> Any:
    """`scipy.stats.tstd`, without limits."""
    return valued(as_computed(stats.tstd, a, axis=axis, ddof=ddof), np.std(a, axis, ddof=ddof))


def iqr(x: Any, axis: Any = None, rng: Any = (25, 75)) -> Any:
    """`scipy.stats.iqr`."""
    found = as_computed(stats.iqr, x, axis, rng)
    low, high = steady(rng[0]), steady(rng[1])
    return valued(found, np.percentile(x, high, axis=axis) - np.percentile(x, low, axis=axis))


def circmean(samples: Any, high: Any = 2 * np.pi, low: Any = 0, axis: Any = None) -> Any:
    """`scipy.stats.circmean`."""
    found = as_computed(stats.circmean, samples, high, low, axis)
    whole = (high - low) / (2 * np.pi)
    angles = (samples - low) / whole
    middle = np.arctan2(np.mean(np.sin(angles), axis=axis), np.mean(np.cos(angles), axis=axis))
    turns = as_computed(np.rint, (found - middle * whole - low) / (high - low))
    return valued(found, middle * whole + low + turns * (high - low))


FUNCTIONS: tuple[tuple[object, Any], ...] = (
    (stats.circmean, circmean), (stats.iqr, iqr), (stats.tstd, tstd), (stats.tvar, tvar),
    (stats.zmap, zmap),
)  # fmt: skip
