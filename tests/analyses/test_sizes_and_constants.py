"""Sizes read off from examples that are smaller than a constant of the call."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind, Known, ListOf, Scalar
from adtrans.testing import check_grads

N, M = Affine.symbol("n"), Affine.symbol("m")


def _array(*dims: Affine | int | None) -> Array:
    return Array("float64", tuple(Affine.const(d) if isinstance(d, int) else d for d in dims))


def _int(value: Affine | int) -> Scalar:
    return Scalar("int", None, Affine.const(value) if isinstance(value, int) else value)


def _size(fn: Callable[..., object], *args: Kind) -> str:
    found = result_kind(fn, args)
    assert isinstance(found, Array)
    return str(found).removeprefix(found.dtype or "?")


SAME = Known("'same'", "same")


@pytest.mark.parametrize(
    ("fn", "args", "size"),
    [
        (np.convolve, (_array(N), _array(20), SAME), "[?]"),
        (np.convolve, (_array(None), _array(20), SAME), "[?]"),
        (np.convolve, (ListOf(Scalar("float")), _array(20), SAME), "[?]"),
        (np.convolve, (_array(N), _array(20)), "[n + 19]"),
        (np.polyadd, (_array(N), _array(15)), "[?]"),
        (np.arange, (_int(0), _int(N), _int(16)), "[?]"),
        (np.arange, (_int(14), _int(N)), "[n - 14]"),
        (np.arange, (_int(14), _int(N), _int(2)), "[?]"),
        (np.diff, (_array(N), _int(12)), "[n - 12]"),
        (np.diff, (ListOf(Scalar("float")), _int(12)), "[?]"),
        (np.diagonal, (_array(N, N), _int(15)), "[n - 15]"),
        (np.diagonal, (_array(N, M), _int(8)), "[?]"),
        (np.diagonal, (_array(N, N), _int(-15)), "[?]"),
        (np.diag, (_array(N, 20),), "[?]"),
        (np.fft.rfft, (_array(N, 50),), "[n, 26]"),
        (np.dot, (_array(N, 784), _array(784, 128)), "[n, 128]"),
        (np.convolve, (_array(N - 20), _array(30), SAME), "[?]"),
        (np.squeeze, (_array(N, 20),), "[...]"),
    ],
)  # fmt: skip
def test_a_size_is_believed_beyond_the_constants(
    fn: Callable[..., object], args: tuple[Kind, ...], size: str
) -> None:
    assert _size(fn, *args) in (size, "[?, ...]" if size == "[...]" else size)


def test_what_no_run_can_go_beyond_is_not_known() -> None:
    assert _size(np.fft.rfft, _array(N, 5000)) == "[?, ?]"


def smoothed(x):
    y = np.convolve(x, np.ones(20) / 20, "same")
    y[19] = x[0] * x[1]
    y[-1] = x[2] * x[3]
    return y[19] + 3.0 * y[-1]


def added(x):
    y = np.polyadd(x, np.ones(15))
    y[14] = x[0] * x[1]
    y[-1] = x[2] * x[3]
    return y[14] * y[-1]


def starts(x):
    w = np.arange(0, len(x), 16) * x[0]
    w[0] = x[1] * x[2]
    w[-1] = x[3] * x[4]
    return w[0] + 3.0 * w[-1]


def starts_in_a_product(x):
    w = np.exp(np.arange(0, len(x), 16) * 0.1 * x[0])
    return np.sum(w * np.array([1.0, 2.0, 3.0]) * x[1])


def differences(x):
    d = np.diff(x, 12) + 1.0
    d[0] = d[1] * x[2]
    return np.sum(d[:3])


def diagonal(x):
    d = np.diagonal(np.multiply.outer(x, x), 15) * x[0]
    e = d + np.array([x[1]])
    return e[0] * e[1]


def later(x):
    k = np.arange(14, len(x))
    b = x[k] * x[k]
    b[0] = x[0] * x[1]
    b[-1] = x[2] * x[3]
    return b[0] + b[-1] + np.sum(b)


@pytest.mark.parametrize(
    "f", [smoothed, added, starts, starts_in_a_product, differences, diagonal, later]
)
def test_gradients_of_sizes_beyond_constants(f: Callable[..., object]) -> None:
    x = np.linspace(0.4, 1.6, 40)
    check_grads(f, (x,))
