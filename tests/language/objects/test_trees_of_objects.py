"""Recursion over trees of objects: methods that ask what there is, trees that are built by a
recursion."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.34, 0.49, 0.63, 0.77, 0.91])
TIPS = {
    "a": np.array([1.0, 2.0, 3.0]),
    "b": np.array([3.0, 1.0, 1.0]),
    "c": np.array([1.0, 1.0, 0.5]),
}


class Node:
    def __init__(self, name, length, left=None, right=None):
        self.name, self.length, self.left, self.right = name, length, left, right

    def is_leaf(self):
        return self.left is None

    @property
    def inner(self):
        return self.left is not None and self.right is not None


def transition(t, mu):
    rates = np.full((3, 3), 0.25 * (1 - np.exp(-t * mu)))
    np.fill_diagonal(rates, 0.5 + t)
    return rates


def pruned(node, data, mu):
    """Felsenstein's pruning: the likelihood of the tips below a node."""
    if node.is_leaf():
        return data[node.name]
    left, right = pruned(node.left, data, mu), pruned(node.right, data, mu)
    left = left @ transition(node.left.length, mu).T
    right = right @ transition(node.right.length, mu).T
    return left * right


def written_out(x):
    below = Node("x", x[3], Node("c", x[0]), Node("b", x[2]))
    return pruned(Node("r", 0.0, below, Node("a", x[1])), TIPS, x[4]).sum()


def product(node, mu):
    if not node.inner:
        return np.array([1.0, 2.0]) * node.length
    return product(node.left, mu) * node.left.length + product(node.right, mu) ** 2


def built(x, low, high):
    if high - low == 1:
        return Node(str(low), x[low])
    middle = (low + high) // 2
    return Node("inner", 0.5 * x[low], built(x, low, middle), built(x, middle, high))


def by_recursion(x):
    return product(built(x, 0, 5), 1.0).sum()


def size(node):
    return 0.0 if node is None else node.length**2 + size(node.left) * size(node.right)


def counted(x):
    return size(built(x, 0, 4)) * x[4]


PROGRAMS = [written_out, by_recursion, counted]


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", pytest.param("save", marks=pytest.mark.slow)])
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f, how):
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite=how)


@pytest.mark.recorded
def test_a_predicate_that_is_replaced():
    """What was seen through is compiled again when it is another function."""

    class Leaf(Node):
        def stops(self):
            return self.left is None

    def walk(node):
        return node.length if node.stops() else node.length * walk(node.left)

    def f(x):
        return walk(Leaf("r", x[0], Leaf("s", x[1], Leaf("t", x[2]))))

    gradient = ad.grad(f)
    np.testing.assert_allclose(gradient(X)[:3], [X[1] * X[2], X[0] * X[2], X[0] * X[1]])
    Leaf.stops = lambda self: self.left is not None
    np.testing.assert_allclose(gradient(X), [1, 0, 0, 0, 0])


def test_a_predicate_with_an_effect_is_a_call():
    asked = []

    class Noted(Node):
        def stops(self):
            asked.append(self.name)
            return self.left is None

    def walk(node):
        return node.length if node.stops() else node.length * walk(node.left)

    def f(x):
        return walk(Noted("r", x[0], Noted("s", x[1])))

    f(X)
    expected = list(asked)
    asked.clear()
    try:
        ad.grad(f)(X)
    except ad.AdtransError:
        return
    assert asked == expected
