"""Lists of objects that a function returns beside other things, and that others get."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from adtrans import vjp
from adtrans.testing import check_grads

X = np.array([0.2, 0.3])
YS = np.array([0.2, 0.7, 1.3])


@dataclass
class Step:
    m: np.ndarray
    p: np.ndarray


def filtered(x, ys):
    m, p = x, x * x
    steps = []
    total = 0.0
    for y in ys:
        m = m * y
        p = p + m
        total += np.sum(m)
        steps.append(Step(m, p))
    return steps, total


def smoothed(steps):
    ms = steps[-1].m
    out = [ms]
    for k in reversed(range(len(steps) - 1)):
        s, then = steps[k], steps[k + 1]
        ms = s.m + ms * then.p
        out.insert(0, ms)
    return np.stack(out), steps[0].p


def handed_on(x, ys):
    steps, total = filtered(x, ys)
    xs, p = smoothed(steps)
    return np.sum(xs**2) + np.sum(p) * total


def taken_out(x, ys):
    return np.sum(smoothed(filtered(x, ys)[0])[0] ** 2)


def longer(steps, m):
    steps.append(Step(m, m * m))
    steps[0].m = steps[0].m * 2.0
    return len(steps), steps


def changed(x, ys):
    steps, _ = filtered(x, ys)
    n, again = longer(steps, 3.0 * x)
    return np.sum(smoothed(again)[0] ** 2) * n + np.sum(steps[-1].p)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [handed_on, taken_out, changed])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, X, YS, on_overwrite=mode)[0] == f(X, YS)
    check_grads(f, (X, YS), on_overwrite=mode)
