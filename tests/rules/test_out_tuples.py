"""Results into the one array of a tuple: `out=(a,)`, where the tuple has a name."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime.failures import DerivativeError
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.9])
A, B = X * 1.1, X[::-1].copy()


def named(x, a, b):
    o = (a,)
    np.add(x, b, out=o)
    o[0][1:] *= 2.0
    return np.sum(a * x)


def new_array(x, a, b):
    c = np.zeros(3)
    o = (c,)
    y = np.multiply(x, a, out=o)
    y *= b
    return np.sum(c * x)


def part_of_a_tuple(x, a, b):
    o = (a, b)
    np.multiply(x, 2.0, out=o[:1])
    np.sin(a, out=o[1])
    return np.sum(a * b)


def each_in_a_loop(x, a, b):
    for o in [(a,), (b,)]:
        np.multiply(x, 2.0, out=o)
    return np.sum(a * b * x)


def _product(x, y, out):
    return np.multiply(x, y, out=out)


def in_a_callee(x, a, b):
    _product(x, b, (a,))
    y = _product(a, x, b)
    return np.sum(a * x * y)


@pytest.mark.parametrize("f", [named, new_array, part_of_a_tuple, each_in_a_loop, in_a_callee])
def test_tuple_of_one_array(f) -> None:
    check_grads(f, (X, A, B), wrt=("x", "a", "b"), on_overwrite="save")
    ours, python = [X.copy(), A.copy(), B.copy()], [X.copy(), A.copy(), B.copy()]
    y, pullback = ad.vjp(f, *ours, on_overwrite="save")
    assert y == f(*python)
    for once, again in zip(pullback(1.0), pullback(1.0), strict=True):
        np.testing.assert_array_equal(once, again)
    for mine, theirs in zip(ours, python, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def argument(x, o):
    np.multiply(x, 2.0, out=o)
    return np.sum(o[0] * x)


def test_tuple_that_is_an_argument() -> None:
    o = (np.ones(3),)
    np.testing.assert_allclose(ad.grad(argument, on_overwrite="save")(X, o), 4.0 * X)
    np.testing.assert_array_equal(o[0], 2.0 * X)


class Layer:
    def __init__(self, n):
        self.o = (np.zeros(n),)

    def run(self, x):
        np.exp(x, out=self.o)
        return np.sum(self.o[0] * x)


def in_an_attribute(x):
    layer = Layer(3)
    return layer.run(x) * layer.run(x * x)


def test_attribute_is_right_or_refused() -> None:
    try:
        ad.grad(in_an_attribute, on_overwrite="save")(X)
    except ad.CompileError as error:
        assert {d.code for d in error.diagnostics} <= {"AD206"}
        return
    check_grads(in_an_attribute, (X,), on_overwrite="save")


def both_by_position(x, a, b):
    found = np.modf(3.0 * x, a, b)
    return np.sum(a * a * x) + np.sum(found[0]) + np.sum(b)


def both_by_name(x, a, b):
    y, z = np.divmod(3.0 * x, a, out=(a, b))
    b *= x
    return np.sum(z * x) + np.sum(y)


def the_first_one(x, a, b):
    part, whole = np.modf(3.0 * x, a)
    a *= 2.0
    return np.sum(part * x) + np.sum(whole * b)


def the_second_one(x, a, b):
    q, r = np.divmod(x, 0.4 * b, None, a)
    mantissa, power = np.frexp(r, out=(b, None))
    return np.sum(a * q * x) + np.sum(mantissa * power)


@pytest.mark.parametrize("f", [both_by_position, both_by_name, the_first_one, the_second_one])
def test_two_results_into_arrays(f) -> None:
    args = X, A, B
    for options in ({"on_overwrite": "save"}, {"on_overwrite": "save", "order": 2}):
        check_grads(f, args, wrt=("x", "a", "b"), **options)
    ours, python = [a.copy() for a in args], [a.copy() for a in args]
    assert ad.vjp(f, *ours, on_overwrite="save")[0] == f(*python)
    np.testing.assert_array_equal(ours, python)


def test_one_array_for_two_results() -> None:
    def f(x):
        a = np.zeros(4)
        np.modf(x, a[:3], a[1:])
        return np.sum(a * x[0])

    with pytest.raises(DerivativeError, match="share memory"):
        ad.grad(f, on_overwrite="save")(X)


def test_a_tuple_with_a_name() -> None:
    def f(x):
        a = np.zeros(3)
        o = (a, None)
        part, whole = np.modf(3.0 * x, out=o)
        return np.sum(part * x) + np.sum(whole * a)

    check_grads(f, (X,), on_overwrite="save")
