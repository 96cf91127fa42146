"""Second derivatives of numbers of several types: what is wider never takes a narrower one for a
constant."""

import numpy as np
import pytest

import adtrans as ad

ALWAYS = {"on_unfollowed": "always"}
WIDE = [np.float64(1.0), np.longdouble(1.0), 1.0, 1, np.float32(1.0)]


def sums(wide):
    return lambda A, w: np.sum(np.real(wide + np.sum(A * A) * w * w))


def products(wide):
    return lambda A, w: wide * (A[0] * w * w) + w * wide


def powers(wide):
    return lambda A, w: wide / (A[1] * w) + (A[2] * w) ** 3 - wide * w


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize("wide", WIDE, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("made", [sums, products, powers])
def test_second_derivatives(made, wide, dtype):
    f = made(wide)
    A, w = np.array([0.3, 0.9, 0.8], dtype), 0.7
    exact = A.astype(float)
    slopes = {
        sums: 2.0 * np.sum(exact**2),
        products: 2.0 * exact[0],
        powers: 2.0 / (exact[1] * w**3) + 6.0 * exact[2] ** 3 * w,
    }
    want = pytest.approx(slopes[made], rel=1e-2 if dtype is np.float16 else 1e-5)
    gradient = ad.grad(f, wrt="w", **ALWAYS)
    assert ad.grad(gradient, wrt="w", **ALWAYS)(A, w) == want
    assert ad.jvp(gradient, (A, w), (None, 1.0), **ALWAYS)[1] == want

    def tangent(A, w):
        return ad.jvp(f, (A, w), (None, 1.0), **ALWAYS)[1]

    assert ad.jvp(tangent, (A, w), (None, 1.0), **ALWAYS)[1] == want
    assert ad.grad(tangent, wrt="w", **ALWAYS)(A, w) == want


def test_a_complex_number_and_a_real_one():
    def f(x, w):
        z = (1.0 + 2.0j) * w + np.float32(x[0]) * w * w
        return (z * z.conjugate()).real

    x, w = np.array([0.3]), 0.7
    gradient = ad.grad(f, wrt="w", **ALWAYS)
    a, u = x[0], w + x[0] * w * w  # the real part; the imaginary one is `2 * w`
    want = pytest.approx(2.0 * (1.0 + 2.0 * a * w) ** 2 + 4.0 * a * u + 8.0, rel=1e-5)
    assert ad.grad(gradient, wrt="w", **ALWAYS)(x, w) == want
    assert ad.jvp(gradient, (x, w), (None, 1.0), **ALWAYS)[1] == want


@pytest.mark.parametrize("kind", [complex, np.complex64, np.complex128])
def test_parts_of_complex_numbers(kind):
    def f(x):
        z = kind(1.0 + 2.0j) * x[0] + x[1]
        return float(z.real * z.imag + abs(z) + z.conjugate().imag + z.T.real if kind is not complex
                     else z.real * z.imag + abs(z) + z.conjugate().imag + z.real)  # fmt: skip

    x = np.array([0.7, 0.4])
    compiled = ad.grad(f)(x)
    np.testing.assert_allclose(ad.grad(f, **ALWAYS)(x), compiled, rtol=1e-5)
    h = 1e-2 if kind is np.complex64 else 1e-6
    for k, e in enumerate(np.eye(2) * h):
        assert (f(x + e) - f(x - e)) / (2 * h) == pytest.approx(compiled[k], rel=1e-3)
