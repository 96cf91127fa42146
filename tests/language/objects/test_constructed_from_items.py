"""Objects that are made of the items of a tuple, or of a dictionary whose keys are written out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Line:
    def __init__(self, a, b=1.0, *, power=2.0):
        self.a, self.b, self.power = a, b, power

    def at(self, x):
        return np.sum(self.a * x**self.power + self.b)


@dataclass
class Point:
    u: float
    v: float = 2.0

    def norm(self):
        return self.u * self.u + self.v * self.v


def a_tuple_and_a_default(x):
    one, both = (x[0],), (x[1], x[2])
    return Line(*one).at(x) * Line(*both, power=x[0]).at(x)


def a_dictionary(x):
    options = {"a": x[0], "power": x[1]}
    return Line(**options).at(x) * Line(b=x[2], **options).at(x)


def of_a_dataclass(x):
    p = {"u": x[0], "v": x[1]}
    q = {"u": x[2]}
    return Point(**p).norm() * Point(**q).norm() + p["u"] * q["u"]


def made_in_a_loop(x):
    s = 1.0
    for v in x:
        p = {"u": v * v, "v": s}
        s = s + Point(**p).norm()
    return s


def one_twice(x):
    p = {"u": x[0], "v": x[1], "u": x[2]}  # noqa: F601
    return Point(**p).norm()


PROGRAMS = [a_tuple_and_a_default, a_dictionary, of_a_dataclass, made_in_a_loop, one_twice]


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f) -> None:
    check_grads(f, (X,), order=2)


def changed(x):
    p = {"u": x[0], "v": x[1]}
    if x[0] > 0.5:
        p["v"] = x[2]
    return Point(**p).norm()


def changed_under_another_name(x):
    p = {"u": x[0], "v": x[1]}
    q = p
    q["v"] = x[2]
    return Point(**p).norm()


def taken_away(x):
    p = {"u": x[0], "v": x[1]}
    p.pop("v")
    return Point(**p).norm()


@pytest.mark.parametrize(
    "f", [changed, changed_under_another_name, taken_away], ids=lambda f: f.__name__
)
def test_dictionaries_that_change(f) -> None:
    try:
        check_grads(f, (X,))
    except ad.CompileError as error:
        assert error.diagnostics[0].code in ("AD201", "AD401")


def test_what_python_refuses() -> None:
    def twice(x):
        p = {"u": x[0]}
        return Point(u=x[1], **p).norm()

    with pytest.raises((TypeError, ad.CompileError)):
        ad.grad(twice)(X)


class State:
    def __init__(self, u=0.0, v=0.0, w=1.0):
        self.u, self.v, self.w = u, v, w

    def parts(self):
        return self.u, self.v, self.w

    def shifted(self, d, dt):
        return State(*[a + dt * b for a, b in zip(self.parts(), d, strict=True)])

    def moved(self, du, dv=0.0):
        return State(self.u + du, self.v + dv)


def steps(x):
    s = State(x[0], x[1])
    for _ in range(3):
        half = s.shifted((s.v, -s.u, x[2]), 0.5)
        s = s.shifted((half.v, -half.u, half.w * x[0]), 0.1)
    return s.u * s.v * s.w


def all_that_it_takes(x):
    s = State(*[2.0 * v for v in x[:3]])
    return s.u * s.v + s.w


def by_a_method(x):
    s = State(x[0]).moved(*[v * v for v in x[1:3]])
    return s.u * s.v


@pytest.mark.recorded
@pytest.mark.parametrize("f", [steps, all_that_it_takes, by_a_method], ids=lambda f: f.__name__)
def test_a_class_that_may_be_given_fewer_is_given_as_many_as_it_takes(f) -> None:
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.recorded
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_one_that_is_given_fewer_has_its_defaults(count) -> None:
    def fewer(x):
        s = State(*[2.0 * v for v in x[1 : count + 1]])
        s = State(*[s.u + x[0], s.v * x[0], s.w])
        return s.u * s.v + s.w

    check_grads(fewer, (X,))


def test_one_that_is_given_more_is_an_error() -> None:
    def more(x):
        s = State(*[2.0 * v for v in x])
        return s.u * s.v + s.w

    with pytest.raises((TypeError, ad.AdtransError)):
        ad.grad(more)(X)


def test_a_method_that_is_given_fewer_is_an_error() -> None:
    def fewer(x):
        s = State(x[0]).moved(*[v * v for v in x[1:2]])
        return s.u + s.v

    with pytest.raises(ad.AdtransError):
        ad.grad(fewer)(X)


def test_what_carries_no_derivative_may_be_given_fewer() -> None:
    def told(x):
        s = State(*["a", "b"])
        assert s.v == "b"
        return x[0] * x[1]

    check_grads(told, (X,))
