"""`np.vectorize` of functions with defaults: what a call leaves out is no operand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.7, 1.2, -0.9])
WEIGHTS = np.array([1.0, 2.0])


def steep(z: Any, k: Any = 2.0) -> Any:
    return math.tanh(k * z) if z > 0 else k * z


def weighted(z: Any, w: Any = WEIGHTS, flag: Any = None, mode: str = "twice") -> Any:
    s = z * w[0] * w[1] if mode == "twice" else z
    return s * s if flag is None else s


def by_word(z: Any, *, k: Any = 2.0) -> Any:
    return z * z * k


def three(z: Any, a: Any = 2.0, b: Any = 3.0) -> Any:
    return z * a * b


made = np.vectorize(steep)


def left_out(x: Any) -> Any:
    return np.sum(np.vectorize(steep)(x))


def given(x: Any) -> Any:
    return np.sum(made(x) * made(x, x))


def given_by_name(x: Any) -> Any:
    return np.sum(np.vectorize(steep)(x, k=2.5)) + np.sum(made(k=x, z=x[::-1]))


def an_array(x: Any) -> Any:
    return np.sum(np.vectorize(weighted)(x) * x)


def only_by_word(x: Any) -> Any:
    return np.sum(np.vectorize(by_word)(x))


def a_word(x: Any) -> Any:
    return np.sum(np.vectorize(by_word)(x, k=x[::-1]))


def one_between(x: Any) -> Any:
    return np.sum(np.vectorize(three)(x, b=x))


@pytest.mark.parametrize("f", [left_out, given, given_by_name, an_array, only_by_word, a_word,
                               one_between],
                         ids=lambda f: str(f.__name__))  # fmt: skip
def test_defaults(f: Callable[..., Any]) -> None:
    check_grads(f, (X,))
    g = ad.grad(f)
    steps = np.eye(3) * 1e-6
    expected = np.array([(g(X + e) - g(X - e)) / 2e-6 for e in steps])
    np.testing.assert_allclose(ad.hessian(f)(X), expected, rtol=1e-5, atol=1e-6)
