"""Defaults of parameters mean what they meant when the function was defined."""

from __future__ import annotations

import types

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

K, SCALE = 2.0, 1.0
BUFFER = np.zeros(2)


class Mask:
    STANDARD = 7.0


def by_name(x, k=K):
    return k * x * x + K * x


def by_attribute(x, k=Mask.STANDARD, *, more=Mask.STANDARD):
    return k * x * x + more * x + Mask.STANDARD * x


@pytest.mark.parametrize("helper", [by_name, by_attribute])
def test_a_name_that_was_a_default_may_be_bound_again(monkeypatch, helper):
    def f(x):
        return helper(x) * SCALE

    fn = ad.differentiable(f)
    for change in (lambda: None, lambda: monkeypatch.setitem(globals(), "K", 5.0),
                   lambda: monkeypatch.setattr(Mask, "STANDARD", 1.0),
                   lambda: monkeypatch.setitem(globals(), "SCALE", 3.0)):  # fmt: skip
        change()
        slope = (f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6
        np.testing.assert_allclose(fn.grad(2.0), slope, rtol=1e-6)
        np.testing.assert_allclose(ad.jvp(f, (2.0,), (1.0,))[1], slope, rtol=1e-6)


ELSEWHERE = types.ModuleType("elsewhere")
exec(
    compile("class Cap:\n    ALL = 3.0\n\ndef area(x, cap=1.0):\n    return cap * x * x\n",
            "<elsewhere>", "exec"),
    vars(ELSEWHERE),
)  # fmt: skip


def area(x, cap=ELSEWHERE.Cap.ALL, by=np.multiply, root=abs):
    return root(by(cap * x, x))


def test_a_default_that_the_body_does_not_name():
    def f(x):
        return area(x)

    check_grads(f, (2.0,))
    assert ad.grad(ad.grad(f))(2.0) == 6.0
    fn = ad.differentiable(f)
    fn.grad(2.0)
    assert "cap=3.0" in fn.source


def reads_its_default(x, buf=BUFFER):
    z = buf * x
    BUFFER[0] = 5.0 * x
    return z[0] * x + buf[0]


@pytest.mark.recorded
def test_a_default_that_is_written_under_another_name_is_the_same_array():
    def f(x):
        BUFFER[0] = 1.0
        return reads_its_default(x) + BUFFER[0]

    expected = ad.jvp(f, (2.0,), (1.0,))[1]
    np.testing.assert_allclose((f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6, expected, rtol=1e-6)
    np.testing.assert_allclose(ad.grad(f, on_overwrite="save")(2.0), expected)
