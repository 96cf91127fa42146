"""Objects whose `__getattr__` raises something else than AttributeError."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.source.held import held

X = np.array([0.1, 0.2, 0.3])


class Record(dict):
    __getattr__ = dict.__getitem__


class Deep:
    def __init__(self, values):
        self.__dict__["values"] = values

    def __getattr__(self, name):
        return self.__dict__["values"][name]


class Strict:
    k = 2.0

    def __getattr__(self, name):
        raise RuntimeError(name)


def programs():
    """Functions that read them: not at module level, where test runners ask everything, too."""
    settings, deep, strict = Record(k=2.0, w=np.ones(3)), Deep({"k": 2.0}), Strict()

    def by_attribute(x):
        return np.sum(x * settings.k)

    def by_item(x):
        return np.sum(x * settings["k"] * settings.w)

    def behind_a_method(x):
        return np.sum(x * deep.k)

    def of_the_class(x):
        return np.sum(x * strict.k)

    return by_attribute, by_item, behind_a_method, of_the_class


@pytest.mark.parametrize("f", programs(), ids=lambda f: f.__name__)
def test_constants_in_them(f):
    np.testing.assert_allclose(ad.grad(f)(X), 2.0)
    assert ad.jvp(f, (X,), (X,))[1] == pytest.approx(1.2)


def test_slots_and_properties_are_asked():
    class Slotted:
        __slots__ = ("__wrapped__",)

    slotted = Slotted()
    assert held(slotted, "__wrapped__") is None
    slotted.__wrapped__ = len
    assert held(slotted, "__wrapped__") is len
