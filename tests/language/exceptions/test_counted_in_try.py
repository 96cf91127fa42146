"""What a loop inside `try` counts with may raise before its first turn, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])
THREE = np.int64(3)


def checked(v: Any) -> Any:
    if v > 50.0:
        raise ValueError
    return v


def to_a_fraction(x: Any) -> Any:
    s = 1.0
    try:
        for i in range(len(x) / 2):
            s = checked(s * x[i])
    except TypeError:
        s = s * x[1]
    return s


def from_a_fraction(x: Any) -> Any:
    s = 1.0
    try:
        for i, v in enumerate(x, 1.5):
            s = checked(s * v * i)
    except TypeError:
        s = s * x[1]
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("f", [to_a_fraction, from_a_fraction])
def test_what_is_no_whole_number_raises_inside(f: Any) -> None:
    assert ad.jvp(f, (X,), (np.ones(4),)) == (f(X), 1.0)
    check_grads(f, (X,), on_overwrite="save")


def divided_by_nothing(x: Any) -> Any:
    s = 1.0
    k = int(x[3] - x[3])
    try:
        s = s * x[3]
        for i in range(4 // k):
            s = s * checked(x[i])
            s = s + 1.0
    except ValueError:
        s = s * x[1]
    except ZeroDivisionError:
        s = s * x[2]
    return s


def to_a_quotient(x: Any) -> Any:
    s = 1.0
    k = int(x[3] - x[3]) + 2
    try:
        for i, v in enumerate(x[: 8 // k], 9 % k):
            s = s * checked(v + 20 * i)
            s = s + 1.0
    except ValueError:
        s = s * x[1]
    return s


def to_a_global(x: Any) -> Any:
    s = 1.0
    try:
        for i in range(THREE - 2, len(x)):
            s = s * checked(x[i] + 20 * i)
            s = s + 1.0
    except ValueError:
        s = s * x[1]
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("f", [divided_by_nothing, to_a_quotient, to_a_global])
def test_what_is_evaluated_first_raises_inside(f: Any) -> None:
    assert ad.vjp(ad.differentiable(f, on_overwrite="save"), X)[0] == f(X)
    check_grads(f, (X,), on_overwrite="save")
