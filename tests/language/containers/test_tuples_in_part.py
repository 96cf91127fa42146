"""Tuples in lists and dictionaries of which only some items count."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def popped(x, w):
    pairs = [(x[0], w * x), (x[1], x)]
    last = pairs.pop()
    return np.sum(last[-1]) + pairs[0][0] + np.sum(pairs[0][-1])


def popped_first(x, w):
    pairs = [(x[0], w * x), (x[1], x)]
    first = pairs.pop(0)
    return first[0] * w + np.sum(pairs[0][1] ** 2)


def popped_number(x, w):
    pairs = [(x[0], w * x), (x[1], x * x)]
    return pairs.pop()[0] * pairs.pop()[0]


def popped_in_a_loop(x, w):
    stack = [(x * w, x[0])]
    total = 0.0
    for k in range(3):
        v, _ = stack.pop()
        stack.append((v * v, x[k]))
        total += v[k]
    return total


def of_a_dictionary(x, w):
    pairs = {"a": (x[0], w * x), "b": (x[1], x)}
    chosen = pairs["a"]
    return np.sum(chosen[-1]) + pairs["b"][0] * w


def taken_out_of_a_dictionary(x, w):
    pairs = {"a": (x[0] * w, w * x), "b": (x[1], x)}
    chosen = pairs.pop("a")
    return chosen[0] + np.sum(pairs["b"][1])


def nested(x, w):
    pairs = [(x[0], (w * x, x * x)), (x[1], (x, x))]
    _, (_, square) = pairs.pop(0)
    return np.sum(square) + pairs[0][1][0][1] * w


ALL = [popped, popped_first, popped_number, popped_in_a_loop, of_a_dictionary,
       taken_out_of_a_dictionary, nested]  # fmt: skip


@pytest.mark.parametrize("f", ALL)
@pytest.mark.parametrize("how", ["refuse", "always"])
def test_gradients(f, how):
    x, w = np.array([0.6, 0.9, 1.3]), 0.7
    check_grads(f, (x, w), wrt=(0, 1), on_unfollowed=how)
    ad.grad(ad.grad(f, wrt=1), wrt=1)(x, w)
