"""What is called counts, not its name: functions of the user's that are named as built-in ones are,
classes that are made by `type`, and classes that decide themselves what is one of them."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def id(d):
    d["a"] = d["a"] * 2.0
    return d


def type_of(d):
    d["a"] = d["a"] * 3.0
    return d["a"]


repr = hasattr = type_of


class Decides(type):
    def __instancecheck__(cls, held):
        held["a"] = held["a"] * 2.0
        return True

    def __subclasscheck__(cls, other):
        return True


class Special(metaclass=Decides):
    pass


class Base:
    def __init__(self, v):
        self.v = v


def changed_by_id(x):
    held = {"a": x}
    id(held)
    return held["a"] ** 2


def changed_by_repr(x):
    held = {"a": x}
    shown = repr(held)
    return held["a"] * shown


def changed_by_hasattr(x):
    held = {"a": x}
    return held["a"] ** 2 if hasattr(held) > 0.0 else x


def changed_by_a_question(x):
    held = {"a": x}
    known = isinstance(held, Special)
    return held["a"] ** 2 if known else x


def changed_by_one_of_several(x):
    held = {"a": x}
    known = isinstance(held, (int, Special))
    return held["a"] ** 2 if known else x


def made(x):
    return type("Made", (), {"spot": x})().spot ** 2


def made_and_handed_on(x):
    cls = type("Made", (), {"spot": x})
    return squared(cls())


def squared(m):
    return m.spot**2


def made_by_another_name(x):
    make = type
    return make("Made", (), {"spot": x}).spot ** 2


def made_with_a_method(x):
    return type("Made", (), {"spot": lambda self: x * x})().spot()


def made_of_a_base(x):
    return type("Made", (Base,), {})(x).v ** 2


def made_of_what_is_collected(x):
    held = {}
    held["spot"] = x
    return squared(type("Made", (), held))


PROGRAMS = [
    changed_by_id, changed_by_repr, changed_by_hasattr, changed_by_a_question,
    changed_by_one_of_several, made, made_and_handed_on, made_by_another_name, made_with_a_method,
    made_of_a_base, made_of_what_is_collected,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS)
def test_right(f):
    check_grads(f, (1.3,))


@pytest.mark.parametrize("f", PROGRAMS)
def test_right_or_refused(f):
    try:
        value, slope = ad.value_and_grad(f)(1.3)
    except ad.CompileError as error:
        assert not any(d.code == "AD901" for d in error.diagnostics)
        return
    assert value == f(1.3)
    assert np.isclose(slope, (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rtol=1e-6)
