"""What gets hold of an object and is not followed: nothing that it reads counts as a constant."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError
from adtrans.testing import check_grads, finite_difference_vjp

X = np.array([0.7, 1.3, 2.1])


class Carried(Exception):
    pass


@dataclass
class Line:
    slope: float
    at: np.ndarray


class Holder:
    def __init__(self):
        self.q = X * 0.5
        self.state = X * 2.0
        self.called = lambda o, x: np.sum(o.q * x)

    @ad.checkpoint
    def step(self, u):
        return np.tanh(self.q * u)

    def under_a_checkpoint(self, x):
        return np.sum(self.step(x))

    def area(self, x):
        return np.sum(self.q * x)

    def by_its_dictionary(self, x):
        return np.sum(vars(self)["q"] * x)

    def by_a_callback(self, x):
        return self.called(self, x)

    def bound_beforehand(self, x):
        return functools.partial(Holder.area, self)(x)

    def in_a_set(self, x):
        return np.sum(next(o.q for o in {self}) * x)

    def in_an_array(self, x):
        return np.sum(np.array([self])[0].q * x)

    def by_an_iterator(self, x):
        return np.sum(next(iter([self])).q * x)

    def in_an_exception(self, x):
        try:
            raise Carried(self)
        except Carried as error:
            return np.sum(error.args[0].q * x)

    def tested(self, x):
        if isinstance(self, Holder) and self is not None:
            return np.sum(self.q * x * x)
        return 0.0

    def compared(self, x):
        if self == None or self == 3:  # noqa: E711  # as it is written
            return 0.0
        return np.sum(self.q * x * x)


@pytest.mark.parametrize(
    "name",
    ["by_a_callback", "in_a_set", "in_an_array", "by_an_iterator"],
)
def test_an_attribute_that_others_read_is_no_constant(name):
    with pytest.raises(AdtransError) as caught:
        ad.grad(getattr(Holder(), name), wrt="self.q")(X)
    assert {d.code for d in caught.value.diagnostics} <= {"AD207", "AD201"}
    with pytest.raises(AdtransError):
        ad.jvp(getattr(Holder(), name), (X,), (X,), wrt="self.q")


@pytest.mark.parametrize(
    "name",
    [
        "tested", "compared", "area",
        pytest.param("bound_beforehand", marks=pytest.mark.recorded),
        pytest.param("by_its_dictionary", marks=pytest.mark.recorded),
        pytest.param("under_a_checkpoint", marks=pytest.mark.recorded),
        pytest.param("in_an_exception", marks=pytest.mark.recorded),
    ],
)
def test_tests_do_not_hide_attributes(name):
    def at(q, x):
        holder.q = q
        return getattr(holder, name)(x)

    holder = Holder()
    found = ad.grad(getattr(holder, name), wrt=("self.q", "x"))(X.copy())
    (expected, _) = finite_difference_vjp(at, (holder.q, X), 1.0, wrt=(0, 1))
    np.testing.assert_allclose(found[0], expected, rtol=1e-6)


@ad.checkpoint
def at_a_line(line, u):
    return u * line.slope + line.at


@pytest.mark.recorded
def test_objects_are_arguments_of_checkpoints():
    found = ad.grad(lambda line: np.sum(at_a_line(line, X)))(Line(2.0, X))
    np.testing.assert_allclose(found.slope, np.sum(X))
    np.testing.assert_array_equal(found.at, np.ones(3))
    check_grads(lambda u: np.sum(at_a_line(Line(2.0, X), u)), (X,))


held = Holder()
store = np.zeros(3)


@ad.checkpoint
def reads_an_object(u):
    return u * held.state


@ad.checkpoint
def reads_an_array(u):
    return u * store


def writes_an_object(x):
    held.state = x * x
    return np.sum(reads_an_object(x))


def writes_an_array(x):
    store[:] = x * x
    return np.sum(reads_an_array(x))


@pytest.mark.parametrize("f", [writes_an_object, writes_an_array])
def test_what_a_checkpoint_reads_elsewhere_is_not_written(f):
    with pytest.raises(AdtransError):
        ad.grad(f)(X)


def test_a_checkpoint_reads_what_is_not_written():
    check_grads(lambda x: np.sum(reads_an_object(x) * x), (X,))
