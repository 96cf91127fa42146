"""Complex numbers on the way from the inputs to the result are refused, beside it they are fine."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError

X = np.array([1.0, 2.0, 3.0])


def phase(x):
    return np.exp(1j * x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: abs(np.sum(np.exp(1j * x))),
        lambda x: np.sum((x + 0j).real),
        lambda x: np.sum(np.sqrt(x.astype(complex)).real),
        lambda x: np.real(np.sum(x * (2.0 - 1.0j))),
        lambda x: np.sum(np.abs(phase(x))),
        lambda x: np.abs(np.sum(x * np.array([1j, 2.0, 3.0]))),
        lambda x: np.sum((x * 1j).imag),
        lambda x: np.sum(np.imag(x * 1j)),
        lambda x: np.sum(np.angle(x + 1j)),
        lambda x: np.sum(np.abs(np.sign(x + 1j) - 1.0)),
    ],
)
def test_complex_values_are_refused(f):
    for call in (
        lambda: ad.grad(f)(X),
        lambda: ad.vjp(f, X),
        lambda: ad.jvp(f, (X,), (X,)),
    ):
        with pytest.raises(CompileError) as caught:
            call()
        assert caught.value.diagnostics[0].code in ("AD407", "AD401")


def test_the_refusal_shows_where_it_becomes_complex():
    def f(x):
        y = x * 2.0
        z = y * 1j
        return np.abs(np.sum(z))

    with pytest.raises(CompileError, match="AD407") as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].primary.span.line == f.__code__.co_firstlineno + 2


def test_a_complex_array_is_written():
    def f(x):
        y = np.zeros(3, complex)
        y[0] = x[0] * 2.0
        return np.abs(y[0])

    with pytest.raises(CompileError):
        ad.grad(f)(X)


def test_complex_constants_beside_it_are_fine():
    def f(x):
        roots = np.roots([1.0, 0.0, 1.0])
        weight = float(np.sum(np.abs(roots)))
        return np.sum(x * x) * weight

    np.testing.assert_allclose(ad.grad(f)(X), 4.0 * X)
