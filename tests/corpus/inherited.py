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


@CASES.add(vec(4), default="ok/AD201", save="ok/AD201")
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


class _Body:
    def __init__(self, x):
        self.x = x

    def drift(self):
        return self.x

    def scaled(self, k, p=1.0):
        return self.x * k * p


class _Doubled(_Body):
    def drift(self):
        return 2.0 * super().drift()

    def scaled(self, k, p=1.0):
        return super().scaled(k + 1.0, p=p) + super().scaled(2.0)


class _Squared(_Body):
    def drift(self):
        self.extra = 3.0
        return super().drift() ** 2

    def scaled(self, k, p=1.0):
        return super().scaled(k * self.x) * self.extra


class _Both(_Doubled, _Squared):
    def drift(self):
        return super().drift() + 1.0


class _Below(_Both):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y

    def drift(self):
        return super().drift() * self.y


@CASES.add(vec(4))
def the_next_class_depends_on_the_object(x):
    both, doubled = _Both(x), _Doubled(x * x)
    return np.sum(both.drift() * doubled.drift()) * np.sum(both.scaled(x) + doubled.scaled(x[0]))


@CASES.add(vec(4))
def the_next_class_in_a_class_further_below(x):
    below, squared = _Below(x, 2.0 * x), _Squared(x)
    return np.sum(below.drift() * squared.drift() * below.scaled(x[1]))


@CASES.add(vec(4))
def the_next_class_of_one_of_several(x):
    bodies = []
    for k in range(4):
        bodies.append(_Both(x * k) if k % 2 else _Doubled(x))
    chosen = bodies[0] if x[0] > 5.0 else _Both(x)
    return sum(np.sum(b.drift()) for b in bodies) * np.sum(chosen.drift())


class _First:
    def __init__(self, a):
        self.a = a


class _More(_First):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


class _Other(_First):
    def __init__(self, a):
        super().__init__(2.0 * a)
        self.c = a


class _All(_More, _Other):
    pass


@CASES.add(vec(4))
def constructors_of_several_bases(x):
    every, more = _All(x, x * x), _More(x, x[0])
    return np.sum(every.a * every.b * every.c * more.a) * more.b


class _Scaling:
    def go(self, v):
        return super().go(v) * self.k


class _Adding:
    def go(self, v=2.0):
        return super().go(v) + self.k


class _Going:
    def __init__(self, k):
        self.k = k

    def go(self, v):
        return v * v


class _Mixed(_Scaling, _Adding, _Going):
    pass


class _Scaled(_Scaling, _Going):
    pass


@CASES.add(vec(4))
def classes_that_are_mixed_in(x):
    return _Mixed(x[0]).go(x[1]) * _Scaled(x[2]).go(x[3])
