"""Loops over generators that are methods: `for t, y in model.run(n)`."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 0.5])


class Model:
    def __init__(self, k):
        self.k = k
        self.y = np.zeros(3)
        self.steps = 0

    def energy(self):
        return np.sum(self.y**2)

    def run(self, n, dt=0.5):
        for i in range(n):
            self.steps += 1
            self.y += dt * self.k
            print("step", i)
            yield i, self.energy()

    def until(self, limit):
        while True:
            self.y = self.y + self.k
            if self.energy() > limit:
                return
            yield self.y

    def total(self):
        s = 0.0
        for i, e in self.run(2):
            s += (i + 1) * e
        return s

    def pairs(self):
        for i, e in self.run(2, dt=0.1):
            yield self.k[0] * e
            yield self.k[i] * e


def looped(x):
    model = Model(x)
    s = 0.0
    for i, e in model.run(3):
        s += e * (i + model.steps)
    return s + model.energy()


def listed(x):
    model = Model(x)
    es = [e for _, e in model.run(3, dt=0.2)]
    return max(es) + sum(es)


def changed_between(x):
    model = Model(x)
    s = 0.0
    for _, e in model.run(3):
        model.y *= x[1]
        s += e
    return s * model.energy()


def left(x):
    model = Model(x)
    s = 0.0
    for i, e in model.run(5):
        if i == 2:
            break
        if i == 1:
            continue
        s += e
    else:
        s = 0.0
    return s + model.energy()


def ended(x):
    model = Model(x)
    s = 0.0
    for y in model.until(4.0):
        s += np.sum(y * x)
    return s + model.energy()


def inside(x):
    return Model(x).total()


def nested(x):
    model = Model(x)
    return sum(model.pairs())


def made_there(x):
    s = 0.0
    for _, e in Model(x).run(2):
        s += e
    return s


def order(x):
    seen = []

    def told(v):
        seen.append(len(seen))
        print("given")
        return v

    model = Model(x)
    for _, e in model.run(dt=told(0.5), n=told(2)):
        seen.append(e)
    return seen[-1] * len(seen)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [looped, listed, changed_between, left, ended, inside, nested, made_there]
)
def test_the_body_stands_in_the_loop(f):
    with contextlib.redirect_stdout(io.StringIO()):
        check_grads(f, (X,), on_overwrite="save")
        if f is not inside:  # which overwrites the attribute of an object of its caller
            check_grads(f, (X,))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [looped, listed, changed_between, left, nested, order])
def test_what_is_printed_stays(f):
    told, own = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told):
        value = f(X.copy())
    with contextlib.redirect_stdout(own):
        result, _ = ad.vjp(ad.differentiable(f, on_overwrite="save"), X.copy())
    assert result == value and own.getvalue() == told.getvalue()


class Known:
    def __init__(self, k):
        self.k = k

    def items(self):
        yield self.k

    def total(self):
        s = 0.0
        for v in self.items():
            s += v
        return s


def by_class(x):
    return Known(x[0]).total()


@pytest.mark.recorded
def test_a_class_that_is_derived_later_has_its_own():
    assert np.array_equal(ad.grad(by_class)(X), [1.0, 0.0, 0.0])

    class Twice(Known):
        def items(self):
            yield 2.0 * self.k

    def other(x):
        return Twice(x[0]).total()

    assert np.array_equal(ad.grad(other)(X), [2.0, 0.0, 0.0])


class Owned:
    def __init__(self, k):
        self.k = k

    def items(self):
        yield self.k


def tripled(owned):
    owned.items = lambda: [3.0 * owned.k]


def replaced(x):
    owned = Owned(x[0])
    tripled(owned)
    s = 0.0
    for v in owned.items():
        s += v
    return s


def test_a_method_that_an_object_has_itself_is_not_the_one_of_its_class():
    with pytest.raises(ad.AdtransError):
        ad.grad(replaced)(X)


class Base:
    def __init__(self, k):
        self.__k = k

    def items(self):
        yield self.__k
        yield 2.0


class Derived(Base):
    def items(self):
        for v in super().items():
            yield v * v


def private(x):
    s = 0.0
    for v in Derived(x[0]).items():
        s += v
    return s


def test_names_that_mean_something_in_their_class_only():
    try:
        found = ad.grad(private)(X)
    except ad.AdtransError:
        return
    assert np.allclose(found, [2.0 * X[0], 0.0, 0.0])


def patched(x):
    known = Known(x[0])
    s = 0.0
    for v in known.items():
        s += v
    return s


@pytest.mark.recorded
def test_a_method_that_is_replaced_in_its_class(monkeypatch):
    gradient = ad.grad(patched)
    assert np.array_equal(gradient(X), [1.0, 0.0, 0.0])

    def items(self):
        yield 3.0 * self.k

    monkeypatch.setattr(Known, "items", items)
    try:
        found = gradient(X)
    except ad.AdtransError:
        return
    assert np.array_equal(found, [3.0, 0.0, 0.0])
