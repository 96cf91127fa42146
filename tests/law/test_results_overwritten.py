"""What a call returned is overwritten, and the pullback of the call needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

B = np.array([0.4, 0.7])


def exponential(b):
    return np.exp(b)


def root(b):
    return np.sqrt(b)


def nested(b):
    return root(b)


def pair(b):
    t = np.exp(b)
    return t, np.sin(t)


def listed(b):
    t = np.exp(b)
    return [t, np.sin(t)]


def first(b):
    t = np.exp(b)
    return t[:1]


def consumed(b):
    y = np.exp(b)
    b[...] = 0.0
    return y


def element(b):
    y = exponential(b)
    z = y * 2.0
    y[0] = 1.0
    return np.sum(z)


def updated(b):
    y = nested(b)
    z = y * 2.0
    y *= b
    return np.sum(z) + np.sum(y)


def only_by_its_result(b):
    y = root(b)
    z = y * 2.0
    y[...] = 1.0
    return np.sum(z)


def through_a_view(b):
    y = first(b)
    z = y * 2.0
    y[0] = 1.0
    return np.sum(z)


def of_a_pair(b):
    t, u = pair(b)
    z = u * 3.0
    t[...] = 2.0
    return np.sum(z) + np.sum(t)


def of_a_list(b):
    parts = listed(b)
    z = parts[1] * 2.0
    parts[0][...] = 3.0
    return np.sum(z)


def in_a_loop(b):
    x = b.copy()
    for _ in range(3):
        y = exponential(0.1 * x)
        x[...] = y
        y[0] = b[1]
        x = x * y
    return np.sum(x)


def handed_on(b):
    x = b.copy()
    for _ in range(2):
        x = consumed(x)
    return np.sum(x)


PROGRAMS = (element, updated, only_by_its_result, through_a_view, of_a_pair, of_a_list, in_a_loop)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_right_or_refused(f: Callable[..., Any], mode: str) -> None:
    try:
        check_grads(f, (B,), on_overwrite=mode)
    except ad.CompileError as refused:
        assert mode == "refuse", "a copy would do"
        assert refused.diagnostics[0].code in ("AD301", "AD303")


def test_another_formula_is_chosen() -> None:
    d = ad.differentiable(element)
    d.grad(B)
    assert "y_bar * np.exp(b)" in d.source


def test_an_argument_that_is_a_result() -> None:
    for mode in ("refuse", "save"):
        try:
            check_grads(handed_on, (B,), on_overwrite=mode)
        except ad.CompileError as refused:
            assert refused.diagnostics[0].code == "AD303"
