"""Branches for other classes of numbers, by name, are no obstacle where these are recorded; nothing
is concluded from what kinds do not tell."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def in_the_text_of_a_class(x):
    a = x[0]
    if "symbolics" in str(type(a)):
        import symbolics as sy

        symbolic = True
        s = sy.sin(a)
    else:
        symbolic = False
        s = np.sin(a)
    if symbolic:
        return sy.Matrix(s)
    return s * x[1]


def by_name(x):
    a = x[0]
    if type(a).__name__ == "Symbol":
        from symbolics import eye, sin

        m = eye(2)
    else:
        sin = np.sin
        m = np.eye(2)
    m[0, 1] = sin(a)
    return np.sum(m) * x[1]


def by_module(x):
    a = x[0]
    if type(a).__module__.startswith("symbolics") or a.__class__.__name__ == "Symbol":
        return a.diff()
    return a * x[1]


def by_attribute(x):
    if hasattr(x, "detach"):
        x = x.detach()
    if not hasattr(x, "shape"):
        x = x.values()
    return np.sum(x * x) * x[0]


def by_class(x):
    if type(x) is not np.ndarray or x[0].__class__ is type(None):
        x = x.values()
    return np.sum(x * x)


def never(x):
    return np.sum(x * x) if 1 else x.values()


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [in_the_text_of_a_class, by_name, by_module, by_attribute, by_class, never],
    ids=lambda f: f.__name__,
)
def test_what_is_asked_of_classes_is_no_obstacle(f):
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


def precision(x):
    a = x[0]
    if type(a).__name__ == "float64":
        return np.sum(x * x)
    return a.diff()


def other_class_later(x):
    a = x[0]
    t = type(a)
    for k in range(2):
        if t is type(None):
            return a.diff()
        t = type(None if k == 0 else a)
    return a * x[1]


def list_or_tuple(x):
    rows = []
    for v in x:
        rows.append(v * v)
    rows = tuple(rows)
    if isinstance(rows, list):
        return rows[0]
    return rows[0] * rows[1] if x[0] < 9.0 else rows.diff()


@pytest.mark.parametrize("f", [precision, other_class_later, list_or_tuple])
def test_what_kinds_do_not_tell_is_not_decided(f):
    with pytest.raises(CompileError):
        ad.grad(f)(X)
