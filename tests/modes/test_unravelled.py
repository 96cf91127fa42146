"""The way back of `tree.ravel`, called inside of a function that is differentiated."""

import pickle
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

Pair = namedtuple("Pair", "w b")


@dataclass
class Line:
    w: np.ndarray
    b: float
    degree: int = 3


class Spring:
    def __init__(self, k):
        self.k = k


ad.tree.register(Spring, lambda s: (s.k,), lambda s, parts: Spring(*parts))

NETWORK = {"layers": [(np.ones((2, 2)), np.ones(2)), (np.ones((1, 2)), np.ones(1))], "name": "net"}
_, as_dict = ad.tree.ravel({"w": np.ones((2, 2)), "b": 0.5, "n": 3, "name": "x", "none": None})
_, as_list = ad.tree.ravel([np.ones(2), np.ones((1, 3)), np.arange(3)])
_, as_tuple = ad.tree.ravel((np.ones(3), 2.0, np.float64(3.0)))
_, as_pair = ad.tree.ravel(Pair(np.ones((2, 2)), 1.5))
_, as_line = ad.tree.ravel(Line(np.ones(3), 2.0))
_, as_network = ad.tree.ravel(NETWORK)
_, as_spring = ad.tree.ravel(Spring(2.0))


def of_dict(x):
    p = as_dict(x)
    return np.sum(p["w"] ** 2) * p["b"] + p["n"] * p["b"]


def of_list(x):
    first, second, counted = as_list(x)
    return np.sum(first) * np.sum(second**2) + counted[2]


def of_tuple(x):
    a, b, c = as_tuple(x)
    return np.sum(a) * b * c + as_tuple(2.0 * x)[1] * b


def of_pair(x):
    p = as_pair(x)
    return np.sum(p.w @ p.w) * p.b


def of_line(x):
    p = as_line(x)
    return np.sum(p.w) * p.b * p.degree


def of_network(x):
    v = np.array([0.3, 0.4])
    for w, b in as_network(x)["layers"]:
        v = np.tanh(w @ v + b)
    return np.sum(v)


def in_a_loop(x):
    s = 0.0
    for k in range(3):
        p = as_dict(k * x)
        s += np.sum(p["w"] ** 2) * p["b"]
    return s


CASES = [(of_dict, 5), (of_list, 5), (of_tuple, 5), (of_pair, 5), (of_line, 4), (of_network, 9),
         (in_a_loop, 5)]  # fmt: skip


@pytest.mark.parametrize(("f", "size"), CASES)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, size, mode):
    check_grads(f, (np.linspace(0.1, 1.0, size),), on_overwrite=mode)


@pytest.mark.parametrize(("f", "size"), [pytest.param(*CASES[0], marks=pytest.mark.slow), CASES[5]])
def test_second_order(f, size):
    check_grads(f, (np.linspace(0.1, 1.0, size),), order=2)


def test_single_precision_is_kept():
    _, unravel = ad.tree.ravel({"a": np.ones(2, np.float32), "b": np.float32(1.0)})

    def f(x):
        p = unravel(x)
        return np.sum(p["a"] ** 2) * p["b"]

    x = np.array([0.5, 0.25, 2.0], np.float32)
    value, gradient = ad.value_and_grad(f)(x)
    assert value == f(x) and type(value) is type(f(x))
    np.testing.assert_allclose(gradient, [2.0, 1.0, 0.3125])
    assert gradient.dtype == np.float32


def test_what_it_makes_is_new_each_time():
    def f(x):
        first, second = as_tuple(x)[0], as_tuple(x)[0]
        first[0] = 7.0
        return np.sum(first * second) + np.sum(x)

    check_grads(f, (np.linspace(0.1, 1.0, 5),))


def test_a_vector_of_another_length():
    with pytest.raises(ValueError, match=r"a vector of shape \(5,\) is needed, not \(4,\)"):
        ad.grad(of_dict)(np.ones(4))


def test_objects_of_registered_classes_are_refused():
    def f(x):
        return as_spring(x).k ** 2

    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(f)(np.ones(1))


@dataclass
class Doubled:
    w: np.ndarray

    def __init__(self, w):
        self.w = 2.0 * w


class Tripled(Line):
    def __init__(self, w):
        self.w, self.b, self.degree = 3.0 * w, 1.0, 3


@pytest.mark.parametrize("made", [Doubled(np.ones(3)), Tripled(np.ones(3))])
def test_constructors_of_their_own_are_not_run(made):
    """`unravel` makes such an object without them, and no function is written for it."""
    flat, unravel = ad.tree.ravel(made)
    np.testing.assert_array_equal(unravel(flat).w, made.w)
    with pytest.raises(ad.CompileError):
        ad.grad(lambda x: np.sum(unravel(x).w ** 2))(flat)


def test_it_can_be_pickled_after_use():
    assert ad.grad(of_dict)(np.ones(5)).shape == (5,)
    again = pickle.loads(pickle.dumps(as_dict))
    np.testing.assert_array_equal(again(np.arange(5.0))["w"], [[0.0, 1.0], [2.0, 3.0]])
