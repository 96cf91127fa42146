"""Operators of users' classes that take an object or a number, and make an object of the number."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4])


class Vec:
    def __init__(self, x, y=0.0):
        self.x, self.y = x, y

    def __add__(self, other):
        other = other if isinstance(other, Vec) else Vec(other)
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, o):
        if not isinstance(o, Vec):
            o = Vec(o, o)
        return Vec(self.x * o.x, self.y * o.y)

    def __iadd__(self, o):
        if isinstance(o, (int, float)):
            o = Vec(o, o)
        self.x = self.x + o.x
        self.y = self.y + o.y
        return self

    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)

    __radd__ = __add__
    __rmul__ = __mul__


class Dual:
    def __init__(self, v, d=0.0):
        self.v, self.d = v, d

    @staticmethod
    def of(o):
        return o if isinstance(o, Dual) else Dual(o)

    def __add__(self, o):
        o = self.of(o)
        return Dual(self.v + o.v, self.d + o.d)

    def __mul__(self, o):
        o = Dual.of(o)
        return Dual(self.v * o.v, self.v * o.d + self.d * o.v)

    def __neg__(self):
        return Dual(-self.v, -self.d)

    def __sub__(self, o):
        return self + (-o)

    def __rsub__(self, o):
        return (-self) + o

    def __truediv__(self, o):
        o = Dual.of(o)
        return Dual(self.v / o.v, (self.d * o.v - self.v * o.d) / o.v**2)

    def __rtruediv__(self, o):
        return Dual(o) / self

    __radd__ = __add__
    __rmul__ = __mul__


class Short(Vec):
    pass


def both(x):
    a = Vec(x[0], x[1])
    b = a + a
    c = b + 2.0
    d = c * x[1]
    e = 2.0 * d * b
    return e.x * e.y


def in_a_loop(x):
    a = Vec(x[0], x[1])
    for _ in range(3):
        a = a * a + x[1]
    return a.x * a.y


def in_turn(x):
    s = Vec(0.0)
    for v in x:
        s = s + v * v
    return s.x * s.x + s.y


def changed_in_place(x):
    a = Vec(x[0], x[1])
    b = a
    a += 2.0
    a += Vec(x[2], x[0])
    return a.x * b.y


def of_results(x):
    a = Vec(x[0], x[1])
    b = a * (1.0 / a.norm())
    return (b + a.norm() * x[2]).x * b.y


def duals(x):
    a, b = Dual(x[0], 1.0), Dual(x[1])
    c = 2 * a * b + a / 3.0 - 1.0
    d = (1.0 - c) / (a + 4.0)
    return d.d * d.v


def polynomial(z):
    return z * z + 3.0 * z - 1.0


def through_a_function(x):
    return polynomial(Dual(x[0], 1.0)).d * polynomial(x[1])


def as_vec(o):
    return o if isinstance(o, Vec) else Vec(o)


def made_by_a_function(x):
    a = Vec(x[0], x[1])
    b = as_vec(a)  # the same object
    b.x = x[2] ** 2
    c = as_vec(x[1])
    c.x = c.x * a.x
    return a.x * x[0] + c.x


def of_a_subclass(x):
    a = Vec(x[0], x[1])
    return (a + Short(x[2], x[0])).y * a.x


def scaled(v, s):
    return v * s


def by_another_function(x):
    a = Vec(x[0], x[1])
    return scaled(a, x[2]).x * scaled(a, a).y


def asked_after_binding(o, x):
    o = Vec(x[0], x[1]) if o is None else o
    return o.x * o.y if isinstance(o, Vec) else o


def bound_before(x):
    return asked_after_binding(None, x)


def asked_in_a_loop(o, x):
    s = 0.0
    for k in range(3):
        s = s + (o.x * x[k] if isinstance(o, Vec) else o * x[k])
    return s


def looped(x):
    return asked_in_a_loop(Vec(x[0], x[1]), x) * asked_in_a_loop(x[2], x)


def branching(o, x):
    if isinstance(o, Vec) and o.y is not None:
        r = o.x
    elif isinstance(o, (int, float)):
        r = o * x[2]
    else:
        r = x[0]
    return r


def branches(x):
    return branching(Vec(x[0] ** 2), x) * branching(x[1], x) + branching(3.0, x)


def stretched(v, n):
    r = v
    for _ in range(2):
        if not isinstance(n, (int, float)):
            raise TypeError("a number")
        r = Vec(r.x * n, r.y)
    return r


def raising_in_a_loop(x):
    try:
        r = stretched(Vec(x[0]), Vec(x[1])).x
    except TypeError:
        r = x[2] ** 2
    return r


def rebound_by_a_handler(o, x):
    try:
        if x[0] > 0.0:
            raise ValueError(x)
    except ValueError as o:  # noqa: F841
        pass
    else:
        o = 1  # noqa: F841
    return x[1] ** 2


def handled(x):
    return rebound_by_a_handler(Vec(x[0]), x)


def named_twice(o, x):
    p = o
    if isinstance(p, Vec):
        p.x = x[2] * p.x
    q = o if isinstance(o, Vec) else Vec(o)
    q.y = x[1] * q.x
    return q


def aliases(x):
    v = Vec(x[0], x[1])
    w = named_twice(v, x)
    z = named_twice(x[1], x)
    return v.x * v.y + w.x * z.y


def of_arrays(x):
    a = Vec(x, x * 2.0)
    b = a + np.ones(3)
    return (b.x * (a + a).y).sum()


PROGRAMS = [
    raising_in_a_loop, pytest.param(handled, marks=pytest.mark.recorded), aliases, of_arrays,
    both, in_a_loop, in_turn, changed_in_place, of_results, duals, through_a_function,
    made_by_a_function, of_a_subclass, by_another_function, looped, branches,
]  # fmt: skip


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f, how):
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite=how)


@pytest.mark.parametrize("f", [both, in_turn, duals, made_by_a_function, looped])
def test_the_pullback_twice(f):
    before = X.copy()
    value, pullback = ad.vjp(f, X)
    assert value == f(X)
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("f", [both, changed_in_place, duals, made_by_a_function])
def test_second_derivatives(f):
    found = ad.hessian(f)(X)
    each = [(ad.grad(f)(X + d) - ad.grad(f)(X - d)) / 2e-5 for d in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(found, each, rtol=1e-5, atol=1e-5)


def one_or_the_other(x, c):
    a = Vec(x[0], x[1])
    t = a if c else x[2]
    return (a + t).x


def out_of_a_list(x):
    held = [Vec(x[0], x[1]), x[2]]
    s = Vec(0.0)
    for h in held:
        s = s + h
    return s.x * s.y


def caught(x, c):
    a = Vec(x[0], x[1])
    try:
        t = a if c else x[2]
        r = (a + t).x * x[1]
    except Exception:
        r = x[2]
    return r


def in_both_orders(x):
    a = Vec(x[0], x[1])
    return (a + x[2]).x * (a + a).y


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (one_or_the_other, (X, True)),
        (one_or_the_other, (X, False)),
        (out_of_a_list, (X,)),
        (caught, (X, True)),
        (caught, (X, False)),
        (in_both_orders, (X,)),
        (bound_before, (X,)),
    ],
)
@pytest.mark.parametrize("how", ["refuse", "save"])
def test_what_is_not_told_apart_is_right_or_refused(f, args, how):
    try:
        ad.grad(f, on_overwrite=how)(*args)
    except ad.CompileError:
        return
    check_grads(f, args, modes=("reverse", "forward"), on_overwrite=how)


def test_objects_from_outside():
    def f(v, x):
        return (v + x[0]).x * (v + v).y + (Vec(x[1], x[2]) + v).x

    v = Vec(0.5, 0.8)
    check_grads(f, (v, X), wrt=1)
    assert (v.x, v.y) == (0.5, 0.8)
