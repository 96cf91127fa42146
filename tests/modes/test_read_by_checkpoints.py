"""What a checkpoint reads from outside, in whatever way, must be the same when it is run again."""

from __future__ import annotations

import types
from functools import cache

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.3, 1.2])
K = 2.0


class Holder:
    def __init__(self, k):
        self.k = k

    def get(self):
        return self.k

    def scaled(self, x):
        return x * K


holder = Holder(2.0)
method = holder.get
table = {"k": 2.0}
proxy = types.MappingProxyType(table)


def by_default(x, w=[2.0]):  # noqa: B006
    return np.sum(x**2 * w[0])


by_default.k = 2.0
remembered = cache(lambda n: 2.0)


@ad.checkpoint
def of_method(x):
    return np.sum(x**2 * method())


@ad.checkpoint
def of_proxy(x):
    return np.sum(x**2 * proxy["k"])


@ad.checkpoint
def of_default(x):
    return by_default(x)


@ad.checkpoint
def of_function(x):
    return np.sum(x**2 * by_default.k)


@ad.checkpoint
def of_global_in_method(x):
    return np.sum(holder.scaled(x) * x)


@ad.checkpoint
def of_cache(x):
    return np.sum(x**2 * remembered(len(x)))


CHANGES = {
    "method": (of_method, lambda v: setattr(holder, "k", v)),
    "proxy": (of_proxy, lambda v: table.__setitem__("k", v)),
    "default": (of_default, lambda v: by_default.__defaults__[0].__setitem__(0, v)),
    "attribute of a function": (of_function, lambda v: setattr(by_default, "k", v)),
    "global in a method": (of_global_in_method, lambda v: globals().__setitem__("K", v)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_between_vjp_and_its_pullback(name):
    part, change = CHANGES[name]

    def f(x):
        return part(x)

    change(2.0)
    _, pullback = ad.vjp(f, X)
    np.testing.assert_allclose(pullback(1.0)[0], 4.0 * X)
    change(5.0)
    with pytest.raises(ad.MutationError, match="AD301"):
        pullback(1.0)
    change(2.0)


def test_what_is_remembered_meanwhile_changes_nothing():
    def f(x):
        return of_cache(x)

    _, pullback = ad.vjp(f, X)
    remembered(17)
    np.testing.assert_allclose(pullback(1.0)[0], 4.0 * X)


def test_an_object_behind_a_method_is_assigned_afterwards():
    def f(x):
        y = of_method(x)
        holder.k = 7.0
        return y

    holder.k = 2.0
    with pytest.raises(ad.CompileError, match="AD207"):
        ad.grad(f)(X)
    holder.k = 2.0
