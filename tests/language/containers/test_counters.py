"""`Counter.update`, which adds what it gets to what it has."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


def by_keyword(x):
    c = Counter(a=x[0])
    c.update(a=x[1], b=x[2])
    c["b"] += x[0]
    return c["a"] * c["b"] * (c["z"] + 1) + c["b"]


def by_computed_keys(x):
    c = Counter()
    for i in range(4):
        c.update({f"k{i % 2}": x[i] ** 2})
    return c["k0"] * c["k1"]


def by_another_one(x):
    c, d = Counter({"a": x[0]}), Counter({"a": x[1], "b": x[2]})
    c.update(d, b=x[0])
    d["b"] = x[3]
    return sum(c.values()) * c["b"] + d["b"]


def _noted(counts, v):
    counts.update({"n": 1, "e": v})


def in_a_callee(x):
    c = Counter()
    for v in x:
        _noted(c, v * v)
    return c["e"] * c["n"]


@pytest.mark.parametrize("f", [by_keyword, by_computed_keys, by_another_one, in_a_callee])
def test_what_is_added(f) -> None:
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


def signs(x):
    c, d = Counter({"a": -0.0}), Counter()
    c.update({"a": x[0] * 0.0, "b": -0.0 * x[1]})
    d.update({"a": -0.0 * x[0]})
    return np.array([c["a"], c["b"], d["a"]])


def test_zeros_have_the_sign_that_they_have() -> None:
    value, _ = ad.vjp(signs, X)
    np.testing.assert_array_equal(np.signbit(value), np.signbit(signs(X)))


def to_itself(x):
    c = Counter({"a": x[0]})
    c.update(c)
    return c["a"] ** 2
