"""Where the order of several steps can be seen, they are taken in Python's order."""

from contextlib import suppress

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

T = np.arange(5.0)
W = np.array([0.3, 1.1, 0.7, 0.9, 0.4])


def bound_where_an_error_is_kept(x):
    q = x[0]
    with suppress(IndexError):
        q, s, r = x[1] * 3, CubicSpline(T, 2 * x * x), [1.0][len(x) - 4]
        return s(1.5) * q * r
    return q


def bound_where_a_closure_looks(x):
    q = x[0]

    def g():
        return q

    q, s, r = x[1] * 3, CubicSpline(T, 2 * x * x), g()
    return s(1.5) * q * r


def direction_with_effects(x):
    y = [x[0], x[1], x[2]]
    k = 1.0
    r = sorted(y, key=lambda v: v * k, reverse=bool(k := -1.0))
    return r[0] * 2 + r[1] * 3 + r[2] * 5


@pytest.mark.parametrize(
    "f", [bound_where_an_error_is_kept, bound_where_a_closure_looks, direction_with_effects]
)
def test_what_could_be_seen_out_of_order_is_refused(f):
    with pytest.raises(CompileError, match="AD401"):
        check_grads(f, (W,))


def direction_before_the_keys(x):
    y = [x[0], x[1], x[2]]
    seen = [0]

    def key(v):
        seen[0] += 1
        return v

    r = sorted(y, key=key, reverse=seen[0] > 0)
    return r[0] * 2 + r[1] * 3 + r[2] * 5


def bound_at_once(x):
    s, q = CubicSpline(T, 2 * x * x), x[1]
    return s(1.5) * q


@pytest.mark.parametrize("f", [direction_before_the_keys, bound_at_once])
def test_in_order(f):
    check_grads(f, (W,))
