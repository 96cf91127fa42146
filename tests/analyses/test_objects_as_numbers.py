"""`float` of an object is what its `__float__` returns; objects in a returned tuple."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 0.5])


class Angle:
    """What varies is set in a method that asks what it was given."""

    def __init__(self, *args, **kwargs):
        self.degrees = 0.0
        self.set(*args, **kwargs)

    def set(self, *args, **kwargs):
        given = args[0]
        if isinstance(given, Angle):
            self.degrees = given.degrees
        elif isinstance(given, (int, float)):
            self.degrees = float(given) * (57.0 if "radians" in kwargs else 1.0)
        else:
            raise TypeError(given)

    def __float__(self):
        return float(self.degrees)

    def __add__(self, other):
        if isinstance(other, (int, float)):
            return Angle(self.degrees + float(other))
        return Angle(self.degrees + other.degrees)


class Precise(Angle):
    def __float__(self):
        return super().__float__() ** 2


class Whole:
    def __init__(self, v):
        self.v, self.n = v, 3

    def __float__(self):
        return self.n


def once(x):
    return float(Angle(x[0], radians=True)) * x[1]


def of_a_sum(x):
    return float(Angle(x[0]) + 2.0 + Angle(Angle(x[1]))) * x[1] + float(Precise(x[2]))


def in_a_loop(x):
    a, s = Angle(x[0]), 0.0
    for k in range(3):
        s += float(a) * x[k]
        a = Angle(s)
    return s


def both(a, b):
    return Angle(np.sin(a) * 1.0), Angle(a * b, radians=True)


def returned_together(x):
    p, q = both(x[0], x[1])
    return float(p) + 2.0 * float(q)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [once, of_a_sum, in_a_loop, returned_together], ids=lambda f: f.__name__
)
def test_float_of_an_object(f):
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.recorded
def test_an_error_stays_one():
    def f(x):
        return float(Whole(x[0])) * x[1]

    with pytest.raises(TypeError):
        f(X)
    with pytest.raises(TypeError):
        ad.grad(f)(X)


class Part:
    def __init__(self, v, z=None):
        self.v, self.z = v, z


def obstacle(x):
    return eval("np.sin(x)")


def asked(z, v):
    return v * v if z is None else obstacle(v)


def pair(x):
    return Part(x[0]), Part(x[1])


def changed_by_the_caller(x):
    parts = pair(x)
    for p in parts:
        p.z = 2.0
    return asked(parts[0].z, parts[0].v)


unseen: dict[str, object] = {}
exec("def changes(parts):\n    for p in parts:\n        p.z = 3.0\n", unseen)
changes = unseen["changes"]


def changed_out_of_sight(x):
    parts = pair(x)
    changes(parts)
    return asked(parts[0].z, parts[0].v)


def changed_in_a_list(x):
    parts = [pair(x)]
    changes(parts[0][:1])
    return asked(parts[0][0].z, parts[0][0].v)


def kept_elsewhere(x, kept=[]):  # noqa: B006
    parts = pair(x)
    kept.append(parts)
    changes(kept[-1])
    return asked(parts[0].z, parts[0].v)


@pytest.mark.parametrize(
    "f", [changed_by_the_caller, changed_out_of_sight, changed_in_a_list, kept_elsewhere]
)
def test_attributes_of_what_was_returned_may_have_changed(f):
    with pytest.raises(CompileError):
        ad.grad(f)(X)


def test_what_was_returned_decides():
    def f(x):
        p, q = pair(x)
        return asked(p.z, p.v) * q.v

    check_grads(f, (X,))
