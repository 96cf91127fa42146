"""What a value holds."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

import adtrans as ad
from adtrans.analyses.held_by import held_by


class Owner:
    def __init__(self) -> None:
        self.items = [1.0]


def test_weak_proxies_are_what_they_stand_for() -> None:
    owner, gone = Owner(), Owner()
    value = [weakref.proxy(owner), weakref.proxy(gone), weakref.ref(owner)]
    del gone
    (_, first), (_, second), (_, third) = held_by(value)
    assert first is owner and second is None and held_by(third) == [("()", owner)]


class Scaled:
    def __init__(self, k: float) -> None:
        self.k, self.kept = k, np.ones(2)
        self.back = weakref.proxy(Owner())  # which is gone at once

    def __call__(self, x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[object]:
        return [x * self.k, self.kept]


def test_a_proxy_of_what_is_gone_does_not_stop_a_pullback() -> None:
    scaled = Scaled(2.0)
    y, pullback = ad.vjp(lambda x: np.sum(scaled(x)[0]), np.ones(2))
    assert y == 4.0 and pullback(1.0)[0].tolist() == [2.0, 2.0]


class Part:
    def __init__(self, whole: Whole) -> None:
        self.whole = weakref.proxy(whole)


class Whole:
    def __init__(self, k: float) -> None:
        self.k = k
        self.part = Part(self)


def through_a_proxy(x: np.ndarray[tuple[int], np.dtype[np.float64]], whole: Whole) -> object:
    return np.sum(whole.part.whole.k * x) + whole.k * x[0]


def test_an_object_that_is_reached_twice_is_refused() -> None:
    with pytest.raises(ad.AdtransError, match="AD308"):
        ad.grad(through_a_proxy, wrt="whole.k")(np.ones(2), Whole(2.0))
