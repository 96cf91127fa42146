"""What an array is taken apart into: the items beside one axis, and parts of complex arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

A = np.linspace(0.4, 1.6, 12).reshape(3, 4)
pytestmark = pytest.mark.skipif(not hasattr(np, "unstack"), reason="`np.unstack` is of NumPy 2.1")


def by_number(a: Any) -> Any:
    p = np.unstack(a, axis=1)
    return np.sum(p[2] ** 2 * p[0])


def unpacked(a: Any) -> Any:
    p, q, _ = np.unstack(a)
    return p**2 * q


def looped(a: Any) -> Any:
    return sum(np.sum(r**2) * k for k, r in enumerate(np.unstack(a)))


def listed(a: Any) -> Any:
    return [np.sum(r) ** 2 for r in np.unstack(a)][1]


def turned(a: Any) -> Any:
    return np.stack(np.unstack(a, axis=-1)[::-1]) ** 2 * np.arange(3.0)


def numbers(a: Any) -> Any:
    s, t, *r = np.unstack(a[1])
    return s * t + sum(r)


def written(a: Any) -> Any:
    b = a * 2.0
    p = np.unstack(b)
    p[0][1] *= p[1][1]
    return b**2


def complex_parts(a: Any) -> Any:
    z = a + 1j * a**2
    p, q = np.split(z, 2, axis=1)
    rows = np.unstack(z)
    return np.sum((p * q).imag) + np.sum((rows[0] * rows[2]).real)


def complex_part_written(a: Any) -> Any:
    z = a + 1j * a**2
    p = np.split(z, 2, axis=1)
    p[0] *= 2j
    return z.real * z.imag


@pytest.mark.parametrize("f", [
    unpacked, looped, listed, turned, numbers, complex_parts,
])  # fmt: skip
def test_parts(f: Any) -> None:
    check_grads(f, (A,))


def test_twice() -> None:
    check_grads(by_number, (A,), order=2)


@pytest.mark.slow
def test_the_gradient_of_a_gradient() -> None:
    check_grads(lambda a: ad.grad(by_number)(a), (A,), modes=("reverse",))


@pytest.mark.parametrize("f", [written, complex_part_written])
def test_parts_that_are_written(f: Any) -> None:
    check_grads(f, (A,), on_overwrite="save")


def overwritten(a: Any) -> Any:
    p = np.unstack(a)
    p[0][1] = 7.0
    return a**2


def test_the_argument_is_written_through_a_part() -> None:
    check_grads(overwritten, (A,), final=("a",))


def test_in_single_precision() -> None:
    check_grads(by_number, (A.astype(np.float32),))


def test_no_items_and_items_without_elements() -> None:
    for shape in ((0, 3), (3, 0)):
        gradient = ad.grad(lambda a: np.sum([np.sum(r**2) for r in np.unstack(a)]))(np.zeros(shape))
        assert gradient.shape == shape


def test_an_array_without_axes() -> None:
    with pytest.raises(ValueError, match="at least 1-d"):
        ad.grad(lambda x: np.unstack(x)[0])(np.array(1.0))
