"""An assignment to an attribute of a frozen dataclass raises, and assigns nothing."""

from __future__ import annotations

import dataclasses as dc

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.9, 1.3, 0.4, 1.1])


@dc.dataclass(frozen=True)
class Pair:
    a: object
    b: float = 2.0


SHARED = Pair(2.0, 3.0)


def plain(x):
    f = Pair(x[0])
    r = 0.0
    try:
        f.a = x[1]
    except dc.FrozenInstanceError:
        r = x[2]
    return r * f.a


def updated(x):
    f = Pair(x[0])
    r = 0.0
    try:
        f.b += 1.0
    except AttributeError:
        r += x[2]
    return r * f.b * f.a


def updated_array(x):
    f = Pair(x * 1.0)
    r = x[0]
    try:
        f.a *= 3.0
    except AttributeError:
        r = r * x[1]
    return r * np.sum(f.a)


def by_name(x):
    f = Pair(x[0])
    r = 0.0
    try:
        setattr(f, "a", x[1])  # noqa: B010
    except AttributeError:
        r += x[2]
    return r * f.b * f.a


def in_a_loop(x):
    f = Pair(x[0])
    r = 0.0
    for k in range(3):
        try:
            r += x[k]
            f.b = x[k]
            r = 0.0 * r
        except AttributeError:
            r += x[2] * k
    return r * f.b * f.a


def one_of_several(x):
    fs = []
    for k in range(3):
        fs.append(Pair(x[k], x[k + 1]))
    r = 0.0
    for f in fs:
        try:
            r = r + f.a
            f.b = r
        except AttributeError:
            r *= f.b
    return r + fs[0].b * fs[1].a


def new_attribute(x):
    f = Pair(x[0])
    r = 0.0
    try:
        f.other = x[1]
    except AttributeError:
        r = x[2]
    return r * f.a


def global_object(x):
    r = 0.0
    try:
        SHARED.b = x[0]
    except AttributeError:
        r = x[1]
    return r * SHARED.b + x[2]


def argument(f, x):
    r = f.a * x[0]
    try:
        f.a = x[1] * r
    except dc.FrozenInstanceError:
        r = r * x[2]
    return r * f.a


def of_a_callee(x):
    return argument(Pair(x[0] * x[1]), x)


def past_the_lock(x):
    f = Pair(x[0])
    object.__setattr__(f, "a", x[1] * f.a)
    return f.a * f.b


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        plain,
        updated,
        updated_array,
        by_name,
        in_a_loop,
        one_of_several,
        new_attribute,
        global_object,
        of_a_callee,
        past_the_lock,
    ],
    ids=lambda f: f.__name__,
)
def test_the_handler_runs(f):
    for options in ({}, {"on_overwrite": "save"}):
        check_grads(f, (X,), **options)
    assert vars(SHARED) == {"a": 2.0, "b": 3.0}


def test_the_object_is_not_changed():
    f = Pair(2.0, 3.0)
    expected = argument(f, X)
    assert ad.vjp(argument, f, X, wrt=1)[0] == expected
    assert ad.vjp(argument, f, X, wrt=(0, 1))[0] == expected
    assert ad.jvp(argument, (f, X), (None, X))[0] == expected
    assert vars(f) == {"a": 2.0, "b": 3.0}


def test_without_a_handler():
    def assigns(x):
        f = Pair(x[0])
        f.a = x[1]
        return f.a

    for run in (lambda: ad.grad(assigns)(X), lambda: ad.jvp(assigns, (X,), (X,))):
        with pytest.raises(dc.FrozenInstanceError):
            run()
