"""Objects that NumPy asks for an array, a number, or for what it shall compute instead."""

from __future__ import annotations

import math

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3])
K = np.array([2.0, 3.0])
HELD: list[object] = [None]


class Quantity:
    def __init__(self, v):
        self.v = v

    def __array_ufunc__(self, ufunc, method, *given, **options):
        given = [g.v if isinstance(g, Quantity) else g for g in given]
        if "out" in options:
            options["out"] = tuple(o.v if isinstance(o, Quantity) else o for o in options["out"])
        return Quantity(getattr(ufunc, method)(*given, **options))


class Wide(Quantity):
    def __array_ufunc__(self, ufunc, method, *given, **options):
        return Quantity(super().__array_ufunc__(ufunc, method, *given, **options).v * 10.0)


class Unwilling(Quantity):
    def __array_ufunc__(self, ufunc, method, *given, **options):
        return NotImplemented


class Named:
    def __init__(self, v):
        self.v = v

    def __array_function__(self, f, types, args, kwargs):
        return Named(f(*[a.v if isinstance(a, Named) else a for a in args], **kwargs))


class Doubled:
    def __init__(self, v):
        self.v = v

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.v * 2.0, dtype)


class Outside:
    def __array__(self, dtype=None, copy=None):
        return np.asarray(HELD[0], dtype)


class Number:
    def __init__(self, v=None):
        self.v = v

    def __float__(self):
        return float(HELD[0][0] if self.v is None else self.v)


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __len__(self):
        return 2

    def __getitem__(self, k):
        if k > 1:
            raise IndexError
        return self.b if k else self.a


def constant_operand(x):
    return np.sum(np.multiply(x, Quantity(K)).v)


def operators(x):
    q = x * Quantity(K)
    r = np.exp(np.divide(q, 3.0))
    return np.sum((x[1] * r.v) ** 2) + np.add.reduce(q).v


def subclass_first(x):
    return np.sum(np.add(Quantity(x), Wide(x * x)).v)


def unwilling(x):
    return np.sum(np.add(Unwilling(x), Quantity(x * x)).v)


def in_place(x):
    y = x * 1.0
    z = y
    z *= Doubled(x)
    z += Doubled(x)
    return np.sum(y * y)


def functions(x):
    return np.mean(Named(x * x)).v * np.dot(Named(K), x).v + np.concatenate([x, Doubled(x)])[3]


def arrays(x):
    y = np.zeros(2)
    y[:] = Doubled(x)
    chosen = np.where(x > 1, Doubled(y), x)
    return np.sum(np.sin(Doubled(x)) * y) + np.asarray(Doubled(x)) @ x + chosen[1]


def outside(x):
    HELD[0] = x * x
    y = np.zeros(2)
    y[:] = Outside()
    return np.sum(y * np.sin(Outside())) + np.sum(x * Outside()) + np.stack([Outside(), x])[0, 1]


def a_global(x):
    HELD[0] = x * x
    y = np.zeros(3)
    np.copyto(y[:2], GLOBAL)
    y[2] = NUMBER
    return np.sum(y * y)


def numbers(x):
    HELD[0] = x * x
    y = np.zeros(3)
    y[0] = Number(x[1])
    y[1:].fill(Number())
    last = np.array([Number(x[0])], float)[0]
    return math.sin(Number()) + y[0] * y[1] * np.full(2, Number(), float)[1] + last


def sequences(x):
    y = np.array([Pair(x[0], x[1]), Pair(2.0, x[0] * x[1])])
    return np.linalg.det(y) + np.sum(np.sin(Pair(x[1], 1.0)) * x) + np.max(x * Pair(1.0, x[0]))


GLOBAL, NUMBER = Outside(), Number()
PROGRAMS = [constant_operand, operators, subclass_first, in_place, functions, arrays, outside,
            a_global, numbers, sequences]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("how", ["record", "always"])
def test_what_numpy_asks_objects_for_is_recorded(f, how):
    check_grads(f, (X,), on_unfollowed=how, on_overwrite="save")


def test_where_none_of_the_objects_can_the_error_is_numpys():
    check_grads(ad.recorded(unwilling), (X,))
    with pytest.raises(TypeError, match="NotImplemented"):
        ad.grad(ad.recorded(lambda x: np.sum(np.add(Unwilling(x), 1.0).v)))(X)


@pytest.mark.parametrize("f", [outside, a_global, numbers], ids=lambda f: f.__name__)
def test_a_write_may_run_code_that_reads_what_is_written_outside(f):
    with pytest.raises(ad.AdtransError):
        ad.grad(f, on_unfollowed="refuse", on_overwrite="save")(X)
