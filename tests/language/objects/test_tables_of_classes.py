"""Lists and tuples that stand in a class, gone through by objects made in the program."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 0.5])


class Crop:
    stages: ClassVar = [("emerge", 0.2), ("grow", 0.9)]
    limits = (0.4, 1.7)

    def __init__(self, k):
        self.k = k
        self.sum = 0.0
        self.stage = "sown"

    def develop(self, t):
        self.sum += t
        for name, limit in self.stages:
            if self.sum >= limit:
                self.stage = name
                self.k = self.k * (1.0 + limit)

    def scaled(self):
        s = 0.0
        for v in self.limits:
            s += v * self.k
        return s


class Other(Crop):
    stages: ClassVar = [("only", 0.5)]


def once(x):
    return Crop(x[0]).scaled()


def in_turn(x):
    crop = Crop(x[0])
    for t in x:
        crop.develop(t)
    return crop.k * crop.sum + crop.scaled()


def of_two_classes(x):
    first, second = Crop(x[0]), Other(x[1])
    for t in x:
        first.develop(t)
        second.develop(t)
    return first.k * second.k


def its_own(x):
    crop = Crop(x[0])
    crop.stages = [("own", 0.1)]
    crop.develop(x[1])
    return crop.k * crop.sum


@pytest.mark.parametrize("f", [once, in_turn, of_two_classes, its_own], ids=lambda f: f.__name__)
def test_tables_of_classes(f):
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


FIELD = Crop(1.0)
FIELD.limits = (7.0, 8.0)


def from_outside(x):
    FIELD.k = x[0]
    return FIELD.scaled()


def test_an_object_from_outside_may_have_one_of_its_own():
    assert np.allclose(ad.grad(from_outside)(X), [15.0, 0.0, 0.0])


def test_another_one_from_call_to_call(monkeypatch):
    gradient = ad.grad(once)
    assert np.allclose(gradient(X), [2.1, 0.0, 0.0])
    monkeypatch.setattr(Crop, "limits", (1.0,))
    assert np.allclose(gradient(X), [1.0, 0.0, 0.0])


class Shared:
    seen: ClassVar = []

    def __init__(self, k):
        self.k = k

    def put(self):
        self.seen.append(self.k)
        return sum(self.seen)


def written(x):
    shared = Shared(x[0])
    return shared.put() * x[1]


def test_one_that_is_written_is_refused():
    with pytest.raises(ad.AdtransError):
        ad.grad(written)(X)
    Shared.seen.clear()


class Stages:
    stages: ClassVar = [("emerge", 1.0), ("grow", 2.0)]

    def __init__(self):
        self.sum, self.stage, self.leaves = 0.0, "sown", 0.1

    def day(self, t):
        self.sum += t
        for name, limit in self.stages:
            if self.sum >= limit:
                self.stage = name
        if self.stage in ("emerge", "grow"):
            self.leaves += 0.02 * t


def texts_out_of_a_table(x):
    crop = Stages()
    for t in x:
        crop.day(t)
    return crop.leaves


def test_texts_have_no_derivative():
    check_grads(texts_out_of_a_table, (np.array([0.7, 0.8, 0.9]),))


def test_what_the_table_holds_may_change(monkeypatch):
    x = np.array([0.7, 0.8, 0.9])
    check_grads(texts_out_of_a_table, (x,))
    monkeypatch.setattr(Stages, "stages", [("grow", 0.5)])
    check_grads(texts_out_of_a_table, (x,))
    Stages.stages[0] = ("grow", 3.0)
    check_grads(texts_out_of_a_table, (x,))
