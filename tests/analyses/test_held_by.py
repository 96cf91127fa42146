"""What a value holds."""

from __future__ import annotations

import weakref

import numpy as np

import adtrans as ad
from adtrans.analyses.held_by import held_by


class Owner:
    def __init__(self) -> None:
        self.items = [1.0]


def test_weak_proxies_are_no_parts() -> None:
    owner, gone = Owner(), Owner()
    value = [weakref.proxy(owner), weakref.proxy(gone), weakref.ref(owner)]
    del gone
    assert [step for step, _ in held_by(value)] == ["[2]"]
    assert held_by(value[2]) == [("()", owner)]


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
