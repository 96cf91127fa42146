"""What functions are asked about themselves is not looked into: it is no part of the derivative."""

from __future__ import annotations

import inspect

import numpy as np

from adtrans.driver.callees import python_function
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 0.5])


def power(v, w=2.0):
    return v**w


def by_names(x):
    names = inspect.getfullargspec(power).args
    return np.sum(power(x)) * len(names)


def by_default(x):
    default = inspect.signature(power).parameters["w"].default
    return np.sum(power(x, default)) * x[0]


def test_signatures_are_asked_for():
    assert python_function(inspect.getfullargspec) is None
    assert python_function(inspect.signature) is None
    check_grads(by_names, (X,))
    check_grads(by_default, (X,))
