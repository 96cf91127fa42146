"""Pieces of `np.split` that share elements, and places of `np.interp` that move or coincide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.arange(1.0, 7.0)
AT = [4, 2]

PIECES: dict[str, Callable[[Any], Any]] = {
    "turned": lambda x: np.array_split(x, [3, 1])[0] * np.array_split(x, [3, 1])[2][:3],
    "split": lambda x: np.split(x, [3, 1])[2] ** 2,
    "negative": lambda x: np.array_split(x, [-2, 8])[1] ** 2,
    "crossing": lambda x: np.array_split(x[:2], [2, -1])[2] ** 2,
    "captured": lambda x: np.split(x, AT)[0] ** 2,
    "array": lambda x: np.split(x, np.array([2, 5]))[1] ** 2,
    "axis": lambda x: np.split(x.reshape(2, 3), [2, 1], axis=1)[2] ** 2,
    "columns": lambda x: np.hsplit(x.reshape(2, 3), [2, 1])[2] ** 2,
    "equal": lambda x: np.split(x, 3)[1] ** 2,
}


@pytest.mark.parametrize("name", PIECES)
def test_pieces(name: str) -> None:
    check_grads(PIECES[name], (X,))


def test_pieces_twice() -> None:
    def f(x):
        return np.sum(np.split(x, [3, 1])[2] ** 3)

    check_grads(f, (X,), order=2)


def test_places_of_a_periodic_interpolant() -> None:
    x = np.array([0.1, 0.7, 1.45, -0.2])
    for xp in (np.array([0.0, 0.3, 0.6]), np.array([0.6, 1.2, -0.95])):
        fp = np.array([1.0, 2.0, -1.0])
        check_grads(lambda xp, fp: np.interp(x, xp, fp, period=1.0), (xp, fp), wrt=("xp", "fp"))


def test_the_last_of_places_that_coincide() -> None:
    def f(fp):
        return np.interp(np.array([0.5, 1.0, 2.0]), np.array([0.0, 1.0, 1.0]), fp)

    check_grads(f, (np.array([1.0, 2.0, 5.0]),))
    assert ad.grad(lambda fp: f(fp)[1])(np.array([1.0, 2.0, 5.0])).tolist() == [0.0, 0.0, 1.0]
