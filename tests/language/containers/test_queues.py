"""Deques that functions hand on, that objects hold, and that are in containers."""

from __future__ import annotations

import copy
import itertools
from collections import deque

import numpy as np
import pytest

from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


class Ring:
    def __init__(self, n, fill=()):
        self.q = deque(fill, maxlen=n)
        self.n = n

    def push(self, v):
        self.q.append(v)

    def left(self, v):
        self.q.appendleft(v)

    def total(self):
        s = 0.0
        for k, v in enumerate(self.q):
            s += (k + 1) * v * v
        return s


class Held:
    def __init__(self):
        self.ring, self.out = Ring(2), []

    def run(self, x):
        for v in x:
            self.ring.push(v)
            self.out.append(self.ring.total())
        return self


class Arrays:
    def __init__(self):
        self.past = deque(maxlen=2)

    def step(self, u):
        self.past.append(u)
        if len(self.past) == 2:
            return 2 * self.past[1] - self.past[0]
        return u


def tot(q):
    return sum(v * (k + 1) for k, v in enumerate(q)) * q[-1]


def put(q, v):
    q.append(v)
    return q


def made(x):
    return deque([x[0] * x[0], x[1]], maxlen=3)


def pair(x):
    return deque([x[0]], maxlen=1), deque([x[1]])


def size_known_late(x):
    r = Ring(int(x[0] > 0.5) + 1)
    s = 0.0
    for v in x:
        r.push(v * v)
        s += r.total()
    return s


def without_a_size(x):
    r = Ring(None, [x[0], x[1]])
    for v in x:
        r.push(v * x[0])
    return r.total()


def at_the_left(x):
    r = Ring(3, [x[0]])
    s = 0.0
    for v in x:
        r.left(v * v)
        s = 0.5 * s + r.total() * r.q[-1]
    return s


def filled_with_more(x):
    r, t = Ring(2, [x[0] * x[1], x[1], x[2]]), Ring(2, x)
    t.push(x[0])
    return r.total() * t.total()


def of_a_list_that_changes(x):
    a = [x[0], x[1]]
    r = Ring(2, a)
    a[0] = x[2]
    r.push(a[0] * a[1])
    a.append(x[3])
    return r.total() * sum(a)


def two_names(x):
    q = deque([x[0]], 2)
    p = put(q, x[1] * x[1])
    p.append(x[2])
    q.append(p[0] * x[3])
    return p[0] * q[1]


def what_functions_make_of_it(x):
    q = Ring(3).q
    s = 0.0
    for v in x:
        q.append(v * v)
        s += np.mean(q) + np.sum(np.array(q) ** 2) + max(q) + sorted(q)[0] + sum(q, 1.0)
        s += np.dot(np.asarray(q), np.arange(1.0, len(q) + 1))
    return s + np.stack(list(q)) @ np.array(q)


def arrays_kept(x):
    a, u = Arrays(), x
    for _ in range(4):
        u = a.step(u * x)
    return np.sum(u * a.past[0])


def extended(x):
    r = Ring(3)
    r.q.extend(x * x)
    r.q.extendleft([x[0], x[1] * x[1]])
    r.q += [x[3]]
    return r.total()


def copied(x):
    r = Ring(2, [x[0], x[1]])
    a, b, c, d = r.q.copy(), copy.copy(r.q), deque(r.q, maxlen=1), deque(r.q)
    a.append(x[2])
    b.appendleft(x[3])
    d.append(x[3])
    r.q.clear()
    return tot(a) + tot(b) * tot(c) + tot(d)


def changed_in_place(x):
    r = Ring(4, [x[0], x[1], x[2]])
    r.q.reverse()
    v = r.q.pop()
    r.q[0] = v * r.q[1]
    r.q[1] *= x[3]
    r.q.insert(1, v * v)
    del r.q[0]
    return r.total() * v


def gone_through(x):
    r = Ring(3, [x[0], x[1], x[2]])
    s = sum(a * b for a, b in zip(r.q, reversed(r.q), strict=True))
    return s + sum(a * b for a, b in itertools.islice(zip(r.q, list(r.q)[1:], strict=False), 2))


def asked_for_its_size(x):
    r = Ring(3)
    s = 1.0
    for v in x:
        if len(r.q) == r.q.maxlen:
            s *= r.q[0]
        r.push(v)
    return s * r.total()


def either(x):
    q = deque([x[0]], maxlen=1) if x[0] > 0.5 else deque([x[0]])
    put(q, x[1] * x[2])
    return sum(q) * len(q)


def told_from_a_list(x):
    r = Ring(3, [x[0], x[1]])
    if isinstance(r.q, list):
        return x[0]
    return r.total() if isinstance(r.q, deque) else x[1]


def taken_by_a_number(x):
    rings = [Ring(2) for _ in range(3)]
    s = 0.0
    for k, v in enumerate(x):
        rings[k % 3].push(v * v)
        s += rings[k % 2].total()
    return s


def bound_again(x):
    r = Ring(2)
    for v in x:
        r.push(v)
        if v > 1.0:
            r.q = deque([v * v], maxlen=3)
    return r.total()


def walked(q):
    if not q:
        return 1.0
    v = q.popleft()
    if v > 1.0:
        q.append(v * 0.5)
    return v * walked(q) + 0.1


def in_recursion(x):
    return walked(deque([x[0], x[1], x[2]]))


def returned(x):
    q = made(x)
    q.append(x[2])
    a, b = pair(x)
    a.append(x[1])
    b.append(x[2])
    return tot(q) * tot(a) * tot(b)


def in_a_dictionary(x):
    d = {"a": deque([x[0]], maxlen=2)}
    for k in ("a", "b", "a", "b"):
        d.setdefault(k, deque(maxlen=1)).append(x[1] * x[len(k)])
    return d["a"][0] * d["a"][1] * d["b"][0]


def in_lists(x):
    rows = [deque([x[0]], maxlen=2) for _ in range(2)]
    k = int(x[0] > 0.5)
    rows[k].append(x[1])
    rows[k].append(x[2])
    rows.append(rows[k])
    rows[2].append(x[3] * x[3])
    return rows[k][0] * rows[k][1] * rows[1 - k][0]


def extended_by_itself(x):
    r = Ring(5, [x[0], x[1] * x[2]])
    r.q.extend(r.q)
    a, *rest = r.q
    return r.q[2] * r.q[3] * rest[0] + a * rest[-1]


def by_a_method(x):
    r = Ring(2)
    push = r.q.append
    for v in x:
        push(v * v)
    return r.total()


def on_some_paths(x):
    r = Ring(2)
    for k, v in enumerate(x):
        if k % 2:
            r.push(v)
        elif r.q:
            r.q[-1] = r.q[-1] * v
        else:
            r.left(v * v)
    return r.total()


def in_an_object_of_an_object(x):
    h = Held().run(x).run(x * x)
    return sum(h.out) * h.ring.q[0]


PROGRAMS = [
    size_known_late, without_a_size, at_the_left, filled_with_more, of_a_list_that_changes,
    two_names, what_functions_make_of_it, arrays_kept, extended, copied, changed_in_place,
    gone_through, asked_for_its_size, either, told_from_a_list, taken_by_a_number, bound_again,
    in_recursion, returned, in_a_dictionary, in_lists, extended_by_itself, by_a_method,
    in_an_object_of_an_object,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f):
    check_every_mode(f, X)


def written(x):
    a, u = Arrays(), x * 1.0
    a.step(u)
    u *= x
    a.step(u + 1)
    a.past[0][1] = x[0] * x[1]
    a.past[1] += a.past[0]
    return np.sum(u * u) + np.sum(a.past[-1] * x)


@pytest.mark.parametrize("how", ["refuse", "save"])
def test_one_that_is_written_beside_reads_of_it(how):
    check_grads(on_some_paths, (X,), on_overwrite=how)


def test_arrays_in_a_deque_are_written():
    check_grads(written, (X,), on_overwrite="save")


def rotated(x):
    r = Ring(3, [x[0], x[1], x[2]])
    r.q.rotate(1)
    return r.total()


def list_or_deque(x):
    q = deque([x[0]], maxlen=1) if x[0] > 0.5 else [x[0]]
    put(q, x[1] * x[2])
    return sum(q) * len(q)


def holds_nothing(x):
    r = Ring(0)
    r.push(x[0])
    return r.total() + x[1]
