"""Class patterns of objects that lack an attribute: they do not match, as in Python."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


class OfA:
    def __init__(self, a):
        self.a = a


class OfB:
    def __init__(self, b):
        self.b = b


class Pair:
    __match_args__ = ("a", "other")

    def __init__(self, a):
        self.a = a


def of_a_number(o, x):
    match o:
        case object(absent=w):
            return x * w
        case _:
            return x * x


def either(o, x):
    match o:
        case object(b=w):
            return x * w
        case object(a=w):
            return x * w * 3.0
        case _:
            return x * x


def by_place(x):
    o = Pair(x[0])
    match o:
        case Pair(_, _):
            return x[1]
        case Pair(a):
            return a * a


def of_an_array(x):
    match x:
        case np.ndarray(nope=n):
            return x[0] * n
        case np.ndarray(ndim=1, size=s):
            return x[1] * s


def of_an_int(x):
    match len(x):
        case int(real=_, foo=_):
            return x[0]
        case int(real=r):
            return x[1] * r


@pytest.mark.recorded
@pytest.mark.parametrize("f", [by_place, of_an_array, of_an_int])
def test_an_attribute_that_is_not_there(f):
    check_grads(f, (np.array([0.3, 0.7, 1.1]),))


@pytest.mark.recorded
@pytest.mark.parametrize(
    ("f", "o"),
    [(of_a_number, 3), (either, OfA(2.0)), (either, OfB(2.0)), (either, 4)],
)
def test_an_attribute_that_an_argument_lacks(f, o):
    check_grads(f, (o, 2.0), wrt=1)


class PerhapsCounted:
    def __init__(self, count=None):
        self.weight = 2.0
        if count is not None:
            self.count = count

    def scaled(self, x, count=-1):
        if count == -1:
            count = self.count
        return x * count * self.weight


def test_an_attribute_that_a_condition_sets_is_an_error_of_the_users():
    """Not one of adtrans, nor one that only the run meets."""

    def set_in_time(x):
        return PerhapsCounted(3.0).scaled(x)

    def given(x):
        return PerhapsCounted().scaled(x, 3.0)

    for f in (set_in_time, given):
        try:
            check_grads(f, (np.array([0.4, 0.9]),))
        except ad.CompileError as error:
            assert error.diagnostics[0].code == "AD401"
