"""What was captured: functions that name very many others."""

from __future__ import annotations

import types

import numpy as np
import pytest

import adtrans as ad
import adtrans.guards.captured_walk
from adtrans.guards.captured import capture

X = np.array([0.3, 0.6])
scale = 2.0
chain = types.ModuleType("chain")
_LENGTH = 40
exec(
    "k = 1.0\n"
    + "\n".join(f"def f{i}(n): return f{i + 1}(n) * k" for i in range(_LENGTH))
    + f"\ndef f{_LENGTH}(n): return n",
    vars(chain),
)


def scaled(x):
    return scale * x * x


def far(x):
    return np.sum(scaled(x)) * chain.f0(1.0)


@pytest.fixture
def limit(monkeypatch):
    monkeypatch.setattr(adtrans.guards.captured_walk, "_MANY", 10)


@pytest.mark.parametrize("far_first", [False, True])
def test_what_code_was_made_from_is_looked_at_without_a_limit(limit, monkeypatch, far_first):
    def together(x):
        return np.sum(scaled(x)) + chain.f0(1.0)

    def reversed_(x):
        return chain.f0(1.0) + np.sum(scaled(x))

    f = reversed_ if far_first else together
    gradient, second = ad.grad(f), ad.hessian(f)
    assert capture([f]).cut
    for k in (2.0, 3.0, -1.0):
        monkeypatch.setattr(f"{__name__}.scale", k)
        np.testing.assert_allclose(gradient(X), 2.0 * k * X)
        np.testing.assert_allclose(second(X), 2.0 * k * np.eye(2))
        np.testing.assert_allclose(ad.jvp(f, (X,), (X,))[1], 2.0 * k * X @ X)


def test_another_function_beyond_the_limit(limit, monkeypatch):
    gradient = ad.grad(far)
    np.testing.assert_allclose(gradient(X), 4.0 * X)
    monkeypatch.setattr(f"{__name__}.scaled", lambda x: 3.0 * x)
    np.testing.assert_allclose(gradient(X), [3.0, 3.0])


def test_the_limit_is_noticed():
    found = capture([far])
    assert not found.cut
    assert found.with_read([scaled]) is found


def checked(x):
    assert x.size, "empty"  # pytest lets this read names of its own
    return scaled(x)


def test_what_a_rewritten_assertion_reads_is_not_followed():
    assert "@pytest_ar" in checked.__code__.co_names
    found = capture([checked])
    named = {name for space in found.spaces for name in space.names}
    assert {"scale", "scaled"} <= named
    assert all(name.isidentifier() for name in named)
    assert not any(fn.__module__.startswith("_pytest") for fn in (m.fn for m in found.meant))
