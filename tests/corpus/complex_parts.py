"""Complex arrays that are changed in place: as a whole, and by their real and imaginary parts."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("complex_parts")
TURN = np.exp(1j * np.arange(6.0))


@CASES.add(vec(6), vec(6), wrt=(0, 1), verdicts={"z.real[:] =": "safe", "z.imag[:] =": "safe"})
def filled(a, b):
    z = np.zeros(6, complex)
    z.real[:] = a
    z.imag[:] = b
    return np.sum(np.abs(z * z))


@CASES.add(vec(6), vec(6), wrt=(0, 1))
def assigned(a, b):
    z = np.empty(6, complex)
    z.real = a
    z.imag = b * a
    return np.sum(np.abs(np.fft.fft(z)) ** 2 * a)


@CASES.add(vec(6), vec(6), wrt=(0, 1))
def one_number_for_all(a, b):
    z = a + 1j * b
    z.imag = a[0] * b[0]
    z.real = 0.5
    return np.sum(np.abs(z * z))


@CASES.add(vec(6), vec(6), 3, wrt=(0, 1))
def updated_in_a_loop(a, b, n):
    z = a + 1j * b
    for k in range(n):
        z.real += a * z.imag.copy()
        z.imag -= 0.1 * z.real
        z.imag[k] = b[k] ** 2
    return np.sum(np.abs(z) ** 3)


@CASES.refused(vec(6), vec(6), 3, wrt=(0, 1))
def part_is_needed_in_each_iteration(a, b, n):
    z = a + 1j * b
    s = 0.0
    for _ in range(n):
        s = s + np.sum(z.real * z.imag)
        z.real *= b
    return s


@CASES.refused(vec(6), vec(6), wrt=(0, 1))
def whole_is_needed(a, b):
    z = a + 1j * b
    w = z * z
    z.real[0] = 5.0
    z.imag = a
    return np.sum(np.abs(w) ** 3) + np.abs(z[2])


@CASES.refused(vec(6), vec(6), wrt=(0, 1))
def part_is_needed_when_the_whole_is_written(a, b):
    z = a + 1j * b
    r = z.real
    z *= 2j
    s = np.sum(r * a)
    z[:] = b
    return s + np.sum(r * r * a) + np.sum(np.abs(z))


@CASES.add(vec(6), vec(6), wrt=(0, 1), default="AD301")
def by_functions(a, b):
    z = a * 1j + b
    r, i = np.real(z), np.imag(z)
    r *= a
    i += r
    i[::2] = b[::2]
    return np.sum(np.abs(z) ** 3)


def _set(z, v):
    z.real[1:] = v[1:] * 2.0
    z.imag = z.real * v


def _halve(r):
    r *= 0.5
    r[0] = r[1] * r[2]


@CASES.add(vec(6), vec(6), wrt=(0, 1), default="AD301/AD303")
def by_callees(a, b):
    z = a * 1j + b
    _set(z, b)
    _halve(z.real)
    _halve(z.imag[1:])
    return np.sum(np.abs(z) ** 3)


@CASES.refused(vec(6), vec(6), wrt=(0, 1))
def views_of_parts(a, b):
    z = np.zeros((2, 6), dtype=complex)
    z.real = a
    z.imag[1] = b
    z[0].imag[2:] = a[:4]
    z[1].real += b
    z.T.real[3] *= a[3]
    return np.sum(np.abs(z + 1.0) ** 3)


@CASES.add(vec(6), vec(6), wrt=(0, 1))
def of_real_numbers(a, b):
    y = a * b
    y.real[1:] = b[1:]
    y.real = y + b * b
    return np.sum(y * np.real(y))


@CASES.add(vec(6), vec(6), wrt=(0, 1))
def given_for_out(a, b):
    z = a * 1j + b
    np.multiply(a, b, out=z.real)
    np.exp(z, out=z)
    np.multiply(z, TURN, out=z)
    np.add(z.imag, a, out=z.imag)
    return np.sum(np.abs(z) ** 3)


@CASES.never(vec(6), vec(6), wrt=(0, 1), code="AD407")
def one_part_or_the_other(a, b):
    z = a * 1j + b
    r = z.real if a[0] > 0.5 else z.imag
    r += b
    return np.sum(np.abs(z) ** 3)


@CASES.never(vec(6), vec(6), wrt=(0, 1), code="AD407")
def written_into_a_part(a, b):
    z = a * 1j + b
    z.real[1:] = np.fft.fft(b)[1:]
    return np.sum(np.abs(z) ** 3)


# Complex numbers are scaled by complex ones: the adjoint by their conjugates.


@CASES.add(vec(6))
def scaled_by_constants(x):
    z = np.fft.fft(x)
    z *= TURN
    z[1:3] *= 2 - 1j
    z /= TURN + 2
    z *= 1j
    z /= 3.0
    return np.sum(np.abs(z) * x)


@CASES.add(vec(6), 1.3, wrt=(0, 1), default="ok/AD301")
def scaled_by_numbers(x, c):
    z = np.fft.fft(x)
    z *= c
    z *= np.exp(1j * c)
    z /= c + 1j
    z[3] *= c * 1j
    return np.sum(np.abs(z) ** 3)


@CASES.add(vec(6), vec(6), wrt=(0, 1), default="AD301")
def scaled_by_arrays(x, y):
    z = np.fft.fft(x)
    w = np.exp(1j * y)
    z *= w
    z[2:4] *= y[:2]
    z *= y
    z /= w + 1
    z[0:2] /= y[3] + 1j * x[0]
    return np.sum(z.real**3 * x) + np.sum(z.imag)


@CASES.add(vec(6), 3)
def scaled_by_itself(x, n):
    z = np.fft.fft(x) / 8.0
    for _ in range(n):
        z *= z
        z += 1j * x
    return np.sum(np.abs(z))


@CASES.add(vec(6), 3)
def filtered_in_place(u, n):
    k = np.fft.fftfreq(6) * 6.0
    decay = np.exp(-0.1 * k**2 + 0.05j * k)
    spectrum = np.fft.fft(u)
    for _ in range(n):
        spectrum *= decay
        w = np.fft.ifft(spectrum).real
        spectrum -= 0.01j * k * np.fft.fft(w * w)
    return np.sum(np.fft.ifft(spectrum).real ** 2)
