"""`np.einsum` of one operand whose axes it only rearranges: a view that is written through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adtrans import MutationError, grad
from adtrans.testing import check_grads

A = np.sin(np.arange(9.0).reshape(3, 3) * 1.7) * 0.3 + 0.8


def diagonal_set(a):
    b = a.copy()
    np.einsum("ii->i", b)[:] = a[0] * a[1]
    return np.sum(b * b)


def diagonal_named(a):
    b = a @ a
    d = np.einsum("ii->i", b)
    d *= 2.0
    d += a[:, 0]
    return np.sum(b**2)


def transposed(a):
    b = a.copy()
    t = np.einsum("ij->ji", b)
    t[0] = a[1] * a[2]
    return np.sum(b * a)


def implicit_output(a):
    b = a.copy()
    t = np.einsum("ji", b)
    t[0] = a[1] * a[0]
    return np.sum(b**2)


def of_a_stack(a):
    b = np.stack([a, a * a])
    d = np.einsum("bii->bi", b)
    d[1] = d[0] * a[2]
    return np.sum(b * b)


def copied_by_a_reshape(a):
    b = np.outer(a[0], a[1])
    d = np.einsum("ii->i", b).reshape(3, 1)
    d[0] = a[1, 1]
    return np.sum(b**2) + np.sum(d**2)


def one_of_two(a):
    b, c = a.copy(), 2.0 * a
    d = np.einsum("ii->i", b if a[0, 0] > 0.0 else c)
    d[0] = a[1, 1]
    return np.sum(b) + np.sum(c * a)


def of_an_argument(a):
    np.einsum("ii->i", a)[:] = 1.0
    return np.sum(a**2)


PROGRAMS = [
    diagonal_set, diagonal_named, transposed, implicit_output, of_a_stack, copied_by_a_reshape,
    one_of_two, of_an_argument,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_what_is_written_through_the_view_is_in_its_base(f: Callable[..., Any], mode: str) -> None:
    check_grads(f, (A,), on_overwrite=mode)


def test_a_second_derivative() -> None:
    check_grads(diagonal_named, (A,), order=2)


def diagonal_needed(a):
    b = a.copy()
    d = np.einsum("ii->i", b)
    z = d * d
    b[0] = a[1]
    return np.sum(z) + np.sum(b)


def test_its_base_is_not_overwritten_while_it_is_needed() -> None:
    with pytest.raises(MutationError, match="overwrites elements of `d`"):
        grad(diagonal_needed)(A)
    check_grads(diagonal_needed, (A,), on_overwrite="save")
