"""Which operand of two objects Python asks first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 1.1, 1.3])


class V:
    def __init__(self, a):
        self.a = a

    def __add__(self, o):
        return V(self.a + o.a)

    def __radd__(self, o):
        return V(self.a + o.a * 5.0)


class W(V):
    def __radd__(self, o):
        return V(self.a * 3.0 + o.a)


class Same(V):
    pass


class Right:
    def __init__(self, a):
        self.a = a

    def __rsub__(self, o):
        return o.a - self.a * 2.0


class K:
    def __init__(self, a):
        self.a = a

    def __lt__(self, o):
        return self.a * 2.0 < o.a

    def __gt__(self, o):
        return self.a > o.a


class L(K):
    def __gt__(self, o):
        return self.a > 100.0


class Less:
    def __init__(self, a):
        self.a = a

    def __lt__(self, o):
        return self.a * 2.0 < o.a


class Equal:
    def __init__(self, a):
        self.a = a

    def __eq__(self, o):
        return self.a == o.a

    __hash__ = None


class Always(Equal):
    def __eq__(self, o):
        return True

    __hash__ = None


class Other:
    def __init__(self, a):
        self.a = a

    def __ne__(self, o):
        return True

    def __eq__(self, o):
        return True

    __hash__ = None


def added(x):
    return (V(x[0]) + W(x[1])).a * x[2]


def the_other_way(x):
    return (W(x[0]) + V(x[1])).a * x[2]


def no_method_of_its_own(x):
    return (V(x[0]) + Same(x[1])).a * x[2]


def in_place(x):
    v = V(x[0])
    v += W(x[1])
    v += V(x[3])
    return v.a * x[2]


def only_the_other_can(x):
    return (V(x[0]) - Right(x[1])) * x[2]


def one_of_two(x):
    w = W(x[1]) if x[0] > 0.1 else V(x[2])
    return (V(x[0]) + w).a * x[3]


def less(x):
    return x[0] * x[1] if K(x[0]) < L(x[1]) else x[2] * x[3]


def less_the_other_way(x):
    return x[0] * x[1] if L(x[0]) < K(x[3]) else x[2] * x[3]


def greater_of_less(x):
    return x[0] * x[1] if Less(x[3]) > Less(x[0]) else x[2] * x[3]


def kept_greater_of_less(x):
    found = Less(x[1]) > Less(x[0])
    return x[0] * x[1] if found else x[2] * x[3]


def equal(x):
    return x[0] * x[1] if Equal(x[0]) == Always(x[1]) else x[2] * x[3]


def unequal(x):
    return x[0] * x[1] if Equal(x[0]) != Always(x[1]) else x[2] * x[3]


def unequal_by_the_first(x):
    return x[0] * x[1] if Equal(x[0]) != Other(x[0]) else x[2] * x[3]


def identical(x):
    a, b = Less(x[0]), Less(x[1])
    if x[0] > 0.1:
        a, b = b, a
    c = a
    c.a = c.a * x[2]
    return a.a * b.a * (2.0 if c is a else 3.0)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        added, the_other_way, no_method_of_its_own, in_place, only_the_other_can, less,
        less_the_other_way, greater_of_less, kept_greater_of_less, equal, unequal,
        unequal_by_the_first, identical,
    ],
)  # fmt: skip
def test_the_operand_that_python_asks_first(f: Callable[..., object]) -> None:
    check_grads(f, (X,))


def test_one_of_two_is_right_or_refused() -> None:
    try:
        check_grads(one_of_two, (X,))
    except ad.CompileError as error:
        assert error.diagnostics[0].code == "AD201"
