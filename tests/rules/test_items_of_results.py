"""What is taken out of a tuple that NumPy returned, and written: the derivative may read it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def matrix(x: Any) -> Any:
    return np.outer(x, x) + np.diag(x)


def vectors(x: Any) -> Any:
    w, v = np.linalg.eigh(matrix(x))
    v[0] = 0.0
    return np.sum(v**4 * w)


def values(x: Any) -> Any:
    w, v = np.linalg.eigh(matrix(x))
    w *= 2.0
    return np.sum(v**4 * w)


def by_index(x: Any) -> Any:
    e = np.linalg.eigh(matrix(x))
    e[1][0] = 0.0
    return np.sum(e[1] ** 4 * e[0])


def by_name(x: Any) -> Any:
    e = np.linalg.eigh(matrix(x))
    v = e.eigenvectors
    v[0] = 0.0
    return np.sum(v**4 * e.eigenvalues)


def by_view(x: Any) -> Any:
    w, v = np.linalg.eigh(matrix(x))
    u = v.T
    u[0] = 0.0
    return np.sum(v**4 * w)


def by_other_name(x: Any) -> Any:
    e = np.linalg.eigh(matrix(x))
    f = e
    w, v = f
    v *= 2.0
    return np.sum(v**4 * w)


def factors(x: Any) -> Any:
    q, r = np.linalg.qr(matrix(x))
    r[0, 0] = 1.0
    return np.sum(q @ r)


def in_turn(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        w, v = np.linalg.eigh(matrix(x * (k + 1.0)))
        v *= 2.0
        total += np.sum(v**4 * w)
    return total


def decomposed(m: Any) -> Any:
    w, v = np.linalg.eigh(m)
    return w, v


def of_a_callee(x: Any) -> Any:
    w, v = decomposed(matrix(x))
    v *= 2.0
    return np.sum(v**4 * w)


def quotient(x: Any) -> Any:
    q, r = np.divmod(x * 3.0, x[::-1])
    q[:] = 1.0
    return np.sum(r**2 * q)


def along_axes(x: Any) -> Any:
    a, b = np.gradient(np.outer(x, x), x[0], 2 * x[0])
    b *= 2.0
    return np.sum(b * b * a)


READ = [vectors, values, by_index, by_name, by_view, by_other_name, factors, in_turn, of_a_callee,
        quotient, along_axes]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", READ)
def test_an_item_that_is_read_may_be_overwritten(f: Any, mode: Any) -> None:
    if f is by_other_name:
        with pytest.raises(ad.CompileError, match="AD206"):
            ad.grad(f, on_overwrite=mode)(X)
    else:
        check_grads(f, (X,), on_overwrite=mode)


@pytest.mark.parametrize("f", READ[:7])
def test_forwards_everything_may_be_written(f: Any) -> None:
    check_grads(f, (X,), modes=("forward",))


def remainder(x: Any) -> Any:
    q, r = np.divmod(x * 3.0, x[::-1])
    r *= r
    return np.sum(r * q)


def copied(x: Any) -> Any:
    w, v = np.linalg.eigh(matrix(x))
    v = v.copy()
    v *= 2.0
    return np.sum(v**4 * w)


def parted(x: Any) -> Any:
    a, b = np.split(x * 2.0, 2)
    a *= b
    return np.sum(a * a)


def fraction(x: Any) -> Any:
    part, whole = np.modf(x * 3.0)
    whole[:] = 2.0
    part *= 2.0
    return np.sum(part * whole)


@pytest.mark.parametrize("f", [remainder, copied, parted, fraction])
def test_an_item_that_nothing_reads_may_be_written(f: Any) -> None:
    check_grads(f, (X,), on_overwrite="save")
