"""What is said of a call of a function that cannot be followed: the reason inside of it, with its
place, and not that it could not be read."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0])


def with_an_old_name(x):
    if x is None:
        return np.complex(x)  # noqa: NPY001
    return x * x


def with_text(x):
    exec("pass")
    return x * 2.0


def collecting(x, *q):
    return x * q[0] + q[1] ** 2


def leaving_in_finally(x):
    def inner(y):
        try:
            return y * y
        finally:
            return y * y * y  # noqa: B012, SIM107

    return inner(x)


def rebinding(x):
    k = 1.0

    def put(v):
        nonlocal k
        k = v

    puts = [put]
    put(x)
    return k * len(puts)


TOLD = [
    (lambda x: with_an_old_name(x) + 1.0, 2.0, "`np.complex` is not defined", "np.complex(x)"),
    (lambda x: with_text(x) + 1.0, 2.0, "`exec()` cannot be differentiated", 'exec("pass")'),
    (lambda p: collecting(2.0, *p), X, "it collects arguments in `*q`", "collecting(2.0, *p)"),
    (lambda p, g=collecting: g(2.0, *p), X, "it collects arguments in `*q`", "g(2.0, *p)"),
    (leaving_in_finally, 2.0, "`return` inside `finally`", "return y * y * y"),
]  # fmt: skip


@pytest.mark.parametrize(("f", "value", "why", "line"), TOLD)
def test_the_reason_is_told_at_its_place(f, value, why, line):
    with pytest.raises(ad.CompileError, match="cannot be followed") as caught:
        ad.grad(f)(value)
    said = " ".join(str(caught.value).split())
    assert why in said
    assert " ".join(line.split()) in said
    assert "nor one with a rule" not in said


@pytest.mark.parametrize(("f", "value", "why", "line"), TOLD)
def test_it_is_recorded(f, value, why, line):
    if "exec" in why:
        return
    found = ad.grad(f, on_unfollowed="record")(value)
    step = 1e-6 * np.eye(2) if isinstance(value, np.ndarray) else np.array([1e-6])
    expected = [(f(value + h) - f(value - h)) / 2e-6 for h in step]
    np.testing.assert_allclose(np.ravel(found), expected, rtol=1e-6)


def test_what_is_not_written_is_not_said_to_be():
    def f(p, g=collecting):
        return np.sum(g(X, *p))

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(np.array([1.0, 2.0]))
    assert "`X` is written" not in str(caught.value)
