"""Functions of `scipy.optimize`, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from adtrans.runtime.fresh_updates import valued
from adtrans.runtime.with_scipy.written import as_computed


def rosen(x: Any) -> Any:
    """`scipy.optimize.rosen`."""
    given = np.asarray(x)
    rest = given[1:] - given[:-1] ** 2
    same = np.sum(100.0 * rest**2 + (1 - given[:-1]) ** 2, axis=0)
    return valued(as_computed(optimize.rosen, x), same)


def rosen_der(x: Any) -> Any:
    """`scipy.optimize.rosen_der`, of a vector."""
    given = np.asarray(x)
    rest = given[1:] - given[:-1] ** 2
    above = -400.0 * rest * given[:-1] - 2.0 * (1 - given[:-1])
    none = np.zeros(1, given.dtype)
    same = np.concatenate((above, none)) + np.concatenate((none, 200.0 * rest))
    return valued(as_computed(optimize.rosen_der, x), same)


FUNCTIONS: tuple[tuple[object, Any], ...] = (
    (optimize.rosen, rosen), (optimize.rosen_der, rosen_der),
)  # fmt: skip
