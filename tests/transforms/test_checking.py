"""The marks of what is needed: of an array, of its elements, of the parts of complex ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def whole_then_part(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(np.abs(z[:n]) ** 2)
    z.imag[2:] = x[0]
    return s + z.real.sum()


def part_then_itself(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(z.imag[:n] ** 2)
    z.imag[2:] = x[0]
    return s + z.real.sum()


def part_then_whole(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(z.imag[:n] ** 2)
    z[2:] = x[0]
    return s + z.real.sum()


def called_part_then_whole(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(np.imag(z)[:n] ** 2)
    z[2:] = x[0]
    return s + z.real.sum()


def whole_then_called_part(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(np.abs(z[:n]) ** 2)
    part = np.imag(z)
    part[2:] = x[0]
    return s + z.real.sum()


def turned(x: np.ndarray, n: int) -> Any:
    z = np.outer(x, x) * (1 + 1j)
    s = np.sum(np.abs(z.T[:n]) ** 2)
    z.imag.T[2:] = x[0]
    return s + z.real.sum()


def real_all_along(x: np.ndarray, n: int) -> Any:
    y = x * 2.0
    s = np.sum(y[:n] ** 2)
    y.real[2:] = x[0]
    return s + y.sum()


def one_part_then_the_other(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(z.imag[:n] ** 2)
    z.real[2:] = x[0]
    return s + z.real.sum()


def the_other_part_first(x: np.ndarray, n: int) -> Any:
    z = x * (1 + 1j)
    s = np.sum(z.real[:n] ** 2)
    z.imag[2:] = x[0]
    return s + z.imag.sum()


HIT = [whole_then_part, part_then_itself, part_then_whole, called_part_then_whole,
       whole_then_called_part, turned, real_all_along]  # fmt: skip
MISSED = [one_part_then_the_other, the_other_part_first]


@pytest.mark.parametrize("f", [*HIT, *MISSED], ids=lambda f: f.__name__)
def test_parts_that_do_not_meet(f: Callable[..., Any]) -> None:
    check_grads(f, (X.copy(), 2), wrt=0, on_overwrite="refuse")
    check_grads(f, (X.copy(), 3), wrt=0, on_overwrite="save")


@pytest.mark.parametrize("f", HIT, ids=lambda f: f.__name__)
def test_parts_that_meet(f: Callable[..., Any]) -> None:
    with pytest.raises(ad.AdtransError, match="overwrite"):
        ad.vjp(f, X.copy(), 3, wrt=0)


@pytest.mark.parametrize("f", MISSED, ids=lambda f: f.__name__)
def test_the_parts_are_two(f: Callable[..., Any]) -> None:
    check_grads(f, (X.copy(), 3), wrt=0, on_overwrite="refuse")


def used_and_overwritten(x: np.ndarray) -> Any:
    z = x * (1 + 1j)
    z.real += z.imag * x
    z.imag -= z.real
    z.imag **= 2
    return z.imag.sum()


def test_an_update_of_what_is_needed_is_refused() -> None:
    with pytest.raises(ad.AdtransError, match="overwrite"):
        ad.vjp(used_and_overwritten, X.copy())
    check_grads(used_and_overwritten, (X.copy(),), on_overwrite="save")
