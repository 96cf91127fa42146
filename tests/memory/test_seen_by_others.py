"""Arrays that others hold are changed in their place: no new one is put there (`visible`)."""

from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.3, 0.5, 0.7])


class Store:
    def __init__(self):
        self.held, self.log = None, []


@dataclass
class Pair:
    a: np.ndarray


def in_a_new_object(x, store):
    y = 2.0 * x
    store.held = Pair(y)
    y *= x
    return np.sum(y)


def in_an_object_in_an_object(x, store):
    y = 2.0 * x
    store.held = Pair(Pair(y))
    y *= x
    return np.sum(y)


def in_a_new_list(x, store):
    store.log = [2.0 * x, 3.0 * x]
    a, b = store.log
    a *= x
    return np.sum(a) + np.sum(b)


def under_two_attributes(x, store):
    y = 2.0 * x
    store.held = y
    store.log = store.held
    store.held *= x
    return np.sum(store.log)


PROGRAMS = [in_a_new_object, in_an_object_in_an_object, in_a_new_list, under_two_attributes]


def numbers_in(value):
    if isinstance(value, Store | Pair):
        value = list(vars(value).values())
    if isinstance(value, list):
        return [n for v in value for n in numbers_in(v)]
    return [] if value is None else value.tolist()


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("mode", ["refuse", "save", "forward"])
def test_what_others_see(f, mode):
    expected, found = Store(), Store()
    value = f(X.copy(), expected)
    try:
        if mode == "forward":
            got, _ = ad.jvp(f, (X.copy(), found), (X, None))
        else:
            got, _ = ad.value_and_grad(f, on_overwrite=mode)(X.copy(), found)
    except ad.CompileError as error:
        assert mode == "refuse" and error.diagnostics[0].code == "AD301"
        return
    assert got == value
    assert numbers_in(found) == numbers_in(expected)


def test_the_tangent_of_two_objects():
    def f(x):
        y = 2.0 * x
        first, second = Pair(y), Pair(y)
        first.a *= x
        return first, second

    _, (first, second) = ad.jvp(f, (X,), (np.ones(3),))
    np.testing.assert_allclose(first.a, 4.0 * X)
    np.testing.assert_allclose(second.a, 4.0 * X)
