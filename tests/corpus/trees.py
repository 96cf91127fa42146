"""Objects in lists and dictionaries that other objects hold: trees, networks, registers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("trees")


@dataclass
class _Tree:
    value: object
    children: list = field(default_factory=list)

    def add(self, child):
        self.children.append(child)
        return child

    def total(self):
        return self.value + sum(c.total() ** 2 for c in self.children)

    def depth(self):
        return 1 + max((c.depth() for c in self.children), default=0)

    def scale(self, k):
        self.value = self.value * k
        for c in self.children:
            c.scale(k * 0.5)


@CASES.add(vec(5))
def children_that_are_added(x):
    root = _Tree(x[0])
    a = root.add(_Tree(x[1]))
    root.add(_Tree(x[2]))
    a.add(_Tree(x[3] * x[4]))
    return root.total()


@CASES.add(vec(6))
def tree_changed_by_a_recursion(x):
    nodes = [_Tree(v) for v in x]
    for i in range(1, 6):
        nodes[(i - 1) // 2].children.append(nodes[i])
    nodes[0].scale(x[2])
    return nodes[0].total() * nodes[0].depth()


class _Node:
    def __init__(self, value):
        self.value = value
        self.kids = []

    def total(self):
        s = self.value
        for c in self.kids:
            s = s + c.total() ** 2
        return s


@CASES.add(vec(5))
def children_taken_out(x):
    root = _Node(x[0])
    for v in x[1:]:
        root.kids.append(_Node(v * v))
    last = root.kids.pop()
    root.kids[0] = _Node(x[2])
    root.kids.insert(0, last)
    first = root.kids.pop(0)
    return root.total() * first.value


@CASES.add(vec(5))
def children_replaced_by_some_of_them(x):
    root = _Node(x[0])
    for v in x[1:]:
        root.kids.append(_Node(v * v))
    root.kids = [c for c in root.kids if c.value > 0.5]
    root.kids.append(_Node(x[1]))
    return root.total()


@CASES.add(vec(5))
def two_with_the_same_children(x):
    a = _Node(x[0])
    b = _Node(x[1])
    b.kids = a.kids
    a.kids.append(_Node(x[2]))
    b.kids.append(_Node(x[3] * x[4]))
    a.kids[0].value *= 2.0
    return a.total() * b.total()


@CASES.add(vec(5))
def nodes_in_a_queue(x):
    root = _Node(x[0])
    here = root
    for v in x[1:]:
        n = _Node(v * v)
        here.kids.append(n)
        if len(here.kids) == 2:
            here = here.kids[0]
    s, todo, w = 0.0, [root], 1.0
    while todo:
        n = todo.pop(0)
        s += w * n.value ** 2
        w *= 0.7
        for c in n.kids:
            todo.append(c)
    return s


class _Layer:
    def __init__(self, weights, shift):
        self.weights, self.shift = weights, shift

    def __call__(self, h):
        return np.tanh(self.weights @ h + self.shift)


class _Net:
    def __init__(self, sizes, weights):
        self.layers = []
        for i, n in enumerate(sizes):
            self.layers.append(_Layer(weights[:n, :n] * (i + 1), weights[0, :n]))

    def forward(self, h):
        for layer in self.layers:
            h = layer(h)
        return h

    def penalty(self):
        return sum(np.sum(layer.weights**2) for layer in self.layers)


@CASES.add(mat(3, 3), vec(3), wrt=(0, 1))
def layers_of_a_network(weights, h):
    net = _Net([3, 3], weights)
    return np.sum(net.forward(h)) + 0.1 * net.penalty()


class _Account:
    def __init__(self, balance):
        self.balance = balance


class _Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, name, amount):
        self.accounts[name] = _Account(amount)

    def move(self, a, b, part):
        amount = self.accounts[a].balance * part
        self.accounts[a].balance -= amount
        self.accounts[b].balance += amount


@CASES.add(vec(4))
def accounts_by_name(x):
    bank = _Bank()
    for i, name in enumerate("abc"):
        bank.open(name, x[i] * 10)
    bank.move("a", "b", x[3])
    bank.move("b", "c", x[0])
    return sum(a.balance**2 for a in bank.accounts.values())


class _Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __abs__(self):
        return math.sqrt(self.a**2 + self.b**2)


@CASES.add(vec(4))
def absolute_value_of_objects(x):
    return abs(_Pair(x[0], x[1])) * sum(abs(_Pair(v, 1.0)) for v in x)
