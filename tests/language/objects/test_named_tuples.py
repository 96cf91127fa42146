"""Named tuples are tuples: as arguments they are read by name, number and unpacking."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError, CompileError
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 0.9])
Pair = namedtuple("Pair", "a b")  # as it is found in programs


class Model(NamedTuple):
    gain: float
    grid: np.ndarray
    inner: Pair = Pair(0.5, 2.0)

    def scaled(self, v):
        return self.gain * v


def by_name(p, x):
    return np.sum(x * p.grid) * p.gain + p.inner.b * p.inner.a


def by_number(p, x):
    return np.sum(x * p[1]) * p.gain + p[-1].a


def unpacked(p, x):
    gain, grid, (a, b) = p
    return np.sum(x * grid * grid) * gain * a * b


def in_a_loop(p, x):
    s = 0.0
    for i in range(3):
        s += p.grid[i] * x[i] * p.gain
    return s * p.inner.a


def written(p, x):
    p.grid[0] = x[1] * p.gain
    return np.sum(p.grid * x)


def written_by_another_name(p, x):
    g = p.grid
    g[1:] *= p.inner.b
    return np.sum(p[1] * x)


def gain_of(p, v):
    return p.gain * v * p.grid[0]


def passed_on(p, x):
    return gain_of(p, x[0]) * gain_of(p, p.inner.a)


def in_an_array(p):
    return np.sum(np.array(p) ** 2 * np.array([1.0, 3.0]))


def listed(ps, x):
    s = 0.0
    for p in ps:
        s += p.a * p.b * x[0]
    return s


def model():
    return Model(1.5, np.array([0.3, -0.4, 0.8]), Pair(0.25, 3.0))


@pytest.mark.parametrize("f", [by_name, by_number, unpacked, in_a_loop, passed_on])
@pytest.mark.parametrize("wrt", ["p", "x", ("p", "x")])
def test_arguments(f, wrt):
    check_grads(f, (model(), X.copy()), wrt=wrt)


@pytest.mark.recorded
def test_arrays_in_them_are_written_as_those_in_tuples():
    check_grads(written, (model(), X.copy()), wrt="p")
    with pytest.raises(CompileError):
        ad.grad(written_by_another_name, wrt="p", on_unfollowed="refuse")(model(), X)


def test_second_derivatives():
    check_grads(by_name, (model(), X.copy()), wrt="p", order=2)


def test_in_arrays():
    check_grads(in_an_array, (Pair(0.5, 2.0),))


def test_in_lists():
    check_grads(listed, ([Pair(0.5, 2.0), Pair(0.25, 3.0)], X.copy()), wrt="ps")


def test_gradient_is_of_the_class():
    found = ad.grad(by_name, wrt="p")(model(), X)
    assert type(found) is Model and type(found.inner) is Pair
    assert found.gain == np.sum(X * model().grid)


def test_two_classes_are_two_versions():
    swapped = namedtuple("swapped", "b a")
    slope = ad.grad(lambda p: p.a * p.a * p.b)
    assert slope(Pair(3.0, 5.0)) == (30.0, 9.0)
    assert slope(swapped(5.0, 3.0)) == (9.0, 30.0)
    with pytest.raises(AdtransError):
        slope((3.0, 5.0))


def test_values_of_two_classes_are_not_mixed_up():
    with pytest.raises(CompileError):
        ad.grad(lambda p, q, c: (p if c > 0 else q).a * 2.0)(
            Pair(3.0, 5.0), namedtuple("R", "b a")(1.0, 2.0), 1.0
        )


def test_operators_of_their_own():
    class Vector(NamedTuple):
        a: float
        b: float

        def __sub__(self, other):
            return other.a * self.b

    assert ad.grad(lambda p: p - p)(Vector(1.0, 2.0)) == Vector(2.0, 1.0)


def test_one_item_is_no_argument():
    with pytest.raises(CompileError, match="AD402"):
        ad.grad(by_name, wrt="p.gain")(model(), X)


@dataclass
class Held:
    gain: float
    grid: np.ndarray


def assigned(p, x):
    p.grid[0] = x[0] * x[1]
    return np.sum(x * p.grid) * p.gain


def test_objects_that_are_assigned_have_gradients_by_attribute():
    whole = ad.grad(assigned, wrt="p")(Held(2.0, np.ones(3)), X)
    found = ad.grad(assigned, wrt=("p.gain", "p.grid", "x"))(Held(2.0, np.ones(3)), X)
    assert np.allclose(found[0], X[0] * X[0] * X[1] + X[1] + X[2])
    assert np.allclose(found[1], 2.0 * np.array([0.0, X[1], X[2]]))
    assert np.allclose(found[2], [4.0 * X[0] * X[1], 2.0 * X[0] ** 2 + 2.0, 2.0])
    assert type(whole) is Held and whole.gain == found[0]
    np.testing.assert_array_equal(whole.grid, found[1])


@pytest.mark.parametrize("wrt", ["x", "p.gain", "p.grid"])
def test_attributes_that_are_only_read(wrt):
    def f(p, x):
        return np.sum(x * x * p.grid) * p.gain

    p = Held(2.0, np.array([0.3, -0.4, 0.8]))
    want = {
        "x": 2.0 * X * p.grid * p.gain, "p.gain": np.sum(X * X * p.grid),
        "p.grid": X * X * p.gain,
    }  # fmt: skip
    assert np.allclose(ad.grad(f, wrt=wrt)(p, X), want[wrt])


def made_inside(x):
    State = namedtuple("State", ["position", "speed"], defaults=(0.5,))

    def step(s, h):
        return State(s.position + h * s.speed, s.speed - h * x[2] * s.position)

    s = State(x[0])
    for _ in range(4):
        s = step(s, 0.1)
    s = s._replace(position=2.0 * s.position)
    return s.position**2 + s.speed


def made_and_returned(x):
    Pair = namedtuple("Pair", "a b")
    return Pair(x[0] * x[1], x * 2.0)


@pytest.mark.recorded
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_classes_made_inside(on_overwrite):
    check_grads(made_inside, (np.array([0.6, 0.9, 1.3]),), on_overwrite=on_overwrite)
    check_grads(made_inside, (np.array([0.6, 0.9, 1.3]),), order=2, modes=("reverse",))


@pytest.mark.recorded
def test_a_class_made_inside_is_as_python_makes_it():
    x = np.array([0.6, 0.9, 1.3])
    expected = type(made_and_returned(x))
    made = type(ad.vjp(made_and_returned, x)[0])
    assert made.__name__ == expected.__name__ and made._fields == expected._fields
    assert made.__module__ == expected.__module__ == __name__


def made_on_some_paths(x):
    if x[0] > 5.0:
        Pair = namedtuple("Pair", "a b")
    return Pair(x[0], x[1]).a


def test_a_class_that_may_not_be_there_is_refused():
    with pytest.raises(ad.CompileError):
        ad.grad(made_on_some_paths)(np.array([0.6, 0.9]))
