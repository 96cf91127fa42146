"""A refused function is not compiled again for the final contents of arguments that it leaves."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans import pipeline

X = np.array([0.5, 1.0, 1.5])


def unwritten(x, out):
    y = x * 1.0
    s = np.sum(y * y)
    y[0] = 0.0
    return s + np.sum(y * out)


def written(x, out):
    out[:] = x * x
    y = x * 1.0
    s = np.sum(y * y)
    y[0] = 0.0
    return s + np.sum(y)


def filled(x, out):
    y = x * 1.0
    s = np.sum(y * y)
    y[0] = 0.0
    out.append(s)
    return s + np.sum(y)


@pytest.mark.parametrize(
    ("f", "out", "times"), [(unwritten, X, 1), (written, X, 2), (filled, [], 2)]
)
def test_refused(f, out, times, monkeypatch) -> None:
    asked = []
    real = pipeline._compiled

    def noted(*args):
        asked.append(args[5])
        return real(*args)

    monkeypatch.setattr(pipeline, "_compiled", noted)
    with pytest.raises(ad.CompileError, match="AD301"):
        ad.vjp(f, X, type(out)(out) if isinstance(out, list) else out.copy())
    assert len(asked) == times


def _both(a, b, k):
    a[0] = a[0] * k
    b[0] = np.sum(b * b)
    return a[0] * b[0]


def numbers_of_one(x, k):
    a, b = x * 1.0, x * 2.0
    s = _both(a, b, k)
    a[:] = 0.0
    b[1] = 3.0
    return s + np.sum(a) + np.sum(b)


def test_one_of_two_arguments_is_kept_by_value() -> None:
    with pytest.raises(ad.CompileError) as info:
        ad.vjp(numbers_of_one, X, 2.0, wrt=(0, 1))
    assert all("`a`" not in d.title for d in info.value.diagnostics)
    ad.vjp(numbers_of_one, X, 2.0, wrt=(0, 1), on_overwrite="save")
