"""Dictionaries of arrays and numbers that a loop makes anew beside a gradient: training loops."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

ARGS = (0.05, np.array([0.5, 0.7]))


def fit(p):
    return np.sum((p["w"] * p["b"] - 1.0) ** 2) + np.sum(np.sin(p["w"]))


def descent(rate, x):
    p = {"w": x, "b": 0.5}
    for _ in range(2):
        g = ad.grad(fit)(p)
        p = {n: p[n] - rate * g[n] for n in p}
    return fit(p)


def adam(rate, x):
    p = {"w": x, "b": 0.5}
    m = {n: 0.0 * p[n] for n in p}
    s = {n: 0.0 * v for n, v in p.items()}
    for k in range(1, 3):
        g = ad.grad(fit)(p)
        m = {n: 0.9 * m[n] + 0.1 * g[n] for n in p}
        s = {n: 0.99 * s[n] + 0.01 * g[n] ** 2 for n in p}
        p = {n: p[n] - rate * (m[n] / (1 - 0.9**k)) / (np.sqrt(s[n]) + 1e-3) for n in p}
    return fit(p)


def with_the_one_before(rate, x):
    p = {"w": x, "b": 0.5}
    q = p
    for k in range(3):
        g = ad.grad(fit)(p)
        q = p
        p = {n: p[n] - rate * g[n] for n in p if n != "b" or k > 0}
        if "b" not in p:
            p["b"] = 0.4 * rate
    return fit(p) + fit(q)


def written_in_place(rate, x):
    p = {"w": x, "b": 0.5}
    for _ in range(2):
        g = ad.grad(fit)(p)
        p = {n: p[n] - rate * g[n] for n in p}
        p["w"][0] = rate
    return fit(p)


def all_arrays_in_the_end(rate, x):
    p = {"w": x, "b": 0.5 * x}
    v = {"w": 0.0, "b": 0.0}
    for _ in range(2):
        g = ad.grad(fit)(p)
        v = {n: 0.9 * v[n] + g[n] for n in p}
        p = {n: p[n] - rate * v[n] for n in p}
    return fit(p)


@pytest.mark.slow
@pytest.mark.parametrize("f", [descent, adam, with_the_one_before], ids=lambda f: f.__name__)
def test_what_is_trained_is_differentiated(f) -> None:
    check_grads(f, ARGS)


@pytest.mark.slow
def test_momentum_that_begins_as_numbers() -> None:
    check_grads(all_arrays_in_the_end, ARGS)


@pytest.mark.slow
def test_a_write_into_a_dictionary_made_anew_is_right_or_refused() -> None:
    try:
        ad.grad(written_in_place)(*ARGS)
    except ad.CompileError:
        return
    check_grads(written_in_place, ARGS)
