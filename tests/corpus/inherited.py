"""Attributes that objects have from their class until they are assigned one of their own."""

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("inherited")


class _Solver:
    tol = 0.5
    cache = None
    steps = 0

    def __init__(self, x):
        self.x = x

    def squares(self):
        if self.cache is None:
            self.cache = self.x * self.x
        return self.cache

    def relax(self, u):
        for _ in range(3):
            u = u - 0.1 * self.tol * u * u
            self.steps += 1
        return u * self.steps


class _Momentum:
    rate = 0.1
    state = None

    def step(self, w, g):
        if self.state is None:
            self.state = np.zeros_like(w)
        self.state = 0.9 * self.state + g
        return w - self.rate * self.state


class _Fast(_Momentum):
    rate = 0.4


class _Node:
    left = right = None

    def __init__(self, value):
        self.value = value

    def total(self):
        t = self.value
        if self.left is not None:
            t = t + self.left.total() * self.value
        if self.right is not None:
            t = t + self.right.total()
        return t


class _Counted:
    made = 1.0
    shared = np.zeros(4)

    def __init__(self):
        type(self).made = self.made + 1.0
        self.number = type(self).made

    def double(self):
        self.made = self.made * 2.0

    def add(self, v):
        self.shared += v


@CASES.add(vec(4))
def kept_when_first_asked(x):
    s = _Solver(x)
    return np.sum(s.squares() * s.squares() * x)


@CASES.add(vec(4))
def counted_in_steps(x):
    a, b = _Solver(x), _Solver(x * x)
    a.tol = x[0] * x[1]
    return np.sum(a.relax(x) * b.relax(x) * a.squares()) * b.steps


@CASES.add(vec(4))
def momentum(x):
    o, w = _Momentum(), x
    for _ in range(3):
        w = o.step(w, 2 * w)
    return np.sum(w * w)


@CASES.add(vec(4))
def of_a_subclass(x):
    o, w = _Fast(), x
    o.rate = x[0] if x[1] > 0.5 else o.rate
    for k in range(3):
        w = o.step(w, x[k] * w)
    return np.sum(w * w) * _Fast.rate


@CASES.add(vec(4))
def made_in_a_loop(x):
    s = 0.0
    for k in range(3):
        q = _Solver(x[k])
        if k == 1:
            q.tol *= x[0]
        s += q.squares() * q.tol + q.tol**2
    return s


@CASES.add(vec(4))
def children(x):
    root = _Node(x[0])
    root.left = _Node(x[1])
    root.left.right = _Node(x[2])
    return root.total()


@CASES.add(vec(4), **later("AD201"))
def changed_in_the_class(x):
    _Counted.made = 1.0
    a, b = _Counted(), _Counted()
    b.double()
    a.double()
    return np.sum(x * x) * a.made * b.made * b.number


@CASES.add(vec(4), **later("AD201"))
def array_of_the_class(x):
    _Counted.shared = np.zeros(4)
    a, b = _Counted(), _Counted()
    a.add(x)
    b.add(x * x)
    return np.sum(a.shared * b.shared)
