"""One of several objects: by a branch, a loop, a computed place; objects in containers given."""

from __future__ import annotations

import functools

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("several")


class Tank:
    def __init__(self, v, r=0.25):
        self.v = v
        self.r = r

    def step(self, k):
        self.v = self.v * k + self.r
        return self

    def put(self, q):
        self.v[0] = q * q
        return self.v[1]

    @property
    def total(self):
        return np.sum(self.v * self.v) * self.r


class Pump(Tank):
    def step(self, k):
        self.v = np.sin(self.v) * k
        self.turns = k
        return self

    def put(self, q):
        return q


class Layer:
    def __init__(self, w, act):
        self.w = w
        self.act = act

    def __call__(self, x):
        return self.act(self.w @ x)


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Link:
    def __init__(self, length):
        self.length = length

    def pose(self, q):
        c, s = np.cos(q), np.sin(q)
        d = self.length
        return np.array([[c, -s, d * c], [s, c, d * s], [0.0, 0.0, 1.0]])


class Arm:
    def __init__(self, links):
        self.links = links

    def tip(self, q):
        pose = np.eye(3)
        for link, angle in zip(self.links, q):
            pose = pose @ link.pose(angle)
        return pose[:2, 2]


class World:
    def __init__(self, tanks):
        self.tanks = tanks

    def pull(self, i):
        found = np.zeros(3)
        for j, t in enumerate(self.tanks):
            if j != i:
                d = t.v - self.tanks[i].v
                found = found + t.r * d / (1.0 + np.sum(d * d))
        return found

    def step(self, h):
        pulls = [self.pull(i) for i in range(len(self.tanks))]
        for t, p in zip(self.tanks, pulls):
            t.v = t.v + h * p


def relu(v):
    return v * (v > 0.0)


def tanks():
    return [Tank(np.array([1.0, 2.0, 3.0])), Pump(np.array([0.5, 0.2, 0.1])), Tank(vec(3), 0.7)]


@CASES.add(vec(3))
def chosen_by_a_branch(x):
    a, b = Tank(x * 1.0), Tank(x * 2.0)
    m = a if x[0] > 0.7 else b
    m.step(x[0])
    return a.total + b.total * x[2]


@CASES.add(vec(3))
def two_choices_of_two(x):
    a, b = Tank(x * 1.0), Tank(x * 2.0)
    m = a if x[0] > 0.7 else b
    n = b if x[1] > 0.7 else a
    m.step(x[0])
    n.put(m.v[1])
    n.step(m.r)
    return a.total + b.total * x[2]


@CASES.add(vec(3))
def of_two_classes_in_turn(x):
    a, b, s = Tank(x * 1.0), Pump(x * 2.0), 0.0
    for k in range(4):
        m = a if k % 2 else b
        m.step(x[k % 3])
        s = s + m.put(x[0])
    return a.total * b.total + s


@CASES.add(vec(3))
def at_computed_places(x):
    held = [Tank(x * 1.0), Pump(x * 2.0), Tank(x + 1.0, x[1])]
    for k in range(5):
        i = (k * 2) % 3
        held[i].step(x[k % 3])
        held[(i + 1) % 3].put(held[i].v[1])
    return held[0].total + held[1].total + held[2].total


@CASES.add(vec(3))
def the_best_of_a_list(x):
    held = [Tank(x * 1.0), Tank(x * 2.0)]
    best = held[0]
    for t in held:
        if t.v[1] > best.v[1]:
            best = t
    best.put(x[2])
    best.r = best.r * x[0]
    return held[0].total + held[1].total


@CASES.add(vec(3))
def objects_swapped(x):
    a, b = Tank(x * 1.0), Tank(x * 2.0)
    for k in range(3):
        a, b = b, a
        a.step(x[k])
        b.put(x[k])
    return a.total + b.total * x[0]


@CASES.add(vec(3))
def one_array_in_both(x):
    y = x * 1.0
    a, b = Tank(y), Tank(y)
    m = a if x[0] > 0.7 else b
    m.put(x[1])
    m.step(x[2])
    m.put(x[0])
    return np.sum(a.v) * b.r + np.sum(b.v * x)


@CASES.add(vec(3))
def made_in_a_branch(x):
    if x[0] > 0.7:
        m = Tank(x)
    elif x[1] > 0.8:
        m = Pump(x * x)
    else:
        m = Tank(x * x * x)
    m.step(x[1])
    for _ in range(2):
        m.step(x[2])
    return m.total


@CASES.add(vec(3))
def a_loop_over_objects_that_is_left(x):
    a, b = Tank(x * 1.0), Tank(x * 2.0)
    for t in (a, b, a):
        t.step(x[0])
        if t.v[0] > 1.0:
            break
    return a.total + b.total


@CASES.add(vec(3))
def the_least_by_a_key(x):
    a, b = Tank(x * 1.0), Tank(x * 2.0)
    m = min(a, b, key=lambda t: t.v[0])
    m.step(x[1])
    return a.total * b.total


@CASES.add(vec(3), 4)
def in_turn_until_it_is_left(x, n):
    a, b = Tank(x * 1.0), Pump(x * 2.0)
    m = a
    while n > 0:
        m.step(x[n % 3])
        m = b if m is a else a
        n -= 1
        if m.v[0] > 5.0:
            return m.total
    return a.total * b.total


@CASES.add(vec(3))
def by_a_key_of_a_dictionary(x):
    held = {"p": Tank(x * 1.0), "q": Tank(x * 2.0)}
    for k in ("p", "q", "p"):
        held[k].step(x[0])
    key = "p" if x[0] > 0.7 else "q"
    held[key].put(x[1])
    return held["p"].total * held["q"].total


@CASES.refused(vec(3), code="AD301/AD302/ok")
def updated_where_it_is_needed(x):
    a, b = Tank(x * 1.0), Tank(x * 2.0)
    m = a if x[0] > 0.7 else b
    m.v *= 1.5
    m.r += x[1]
    m.v[1:] = m.v[:-1] * 2.0
    return a.total + b.total


# Containers of arguments


@CASES.add(vec(3), tanks(), 1)
def written_at_a_place_of_an_argument(x, held, k):
    t, u = held[k], held[k - 1]
    t.step(x[0])
    u.put(t.v[1])
    t.v[2] = u.v[0]
    return sum(q.total for q in held)


@CASES.add(vec(3), tanks())
def an_argument_looped_over(x, held):
    for t in held:
        t.v += x * t.r
    for t in held:
        t.step(0.5)
    return sum(t.total for t in held)


@CASES.add(vec(3), (Tank(vec(3) * 2.0), Pump(vec(3) + 1.0)))
def a_tuple_of_objects(x, pair):
    a, b = pair
    a.step(x[0])
    b.v = b.v * x
    return a.total + b.total


@CASES.add(vec(3), tanks())
def two_names_for_an_item(x, held):
    a, b = held[0], held[0]
    a.v = x * 2.0
    b.v[0] = x[1] * x[2]
    held[1].v = a.v
    held[1].v[1] = x[0]
    return np.sum(held[0].v * held[1].v)


@CASES.add(vec(3), Net([Layer(np.eye(3) + 0.1, np.tanh), Layer(np.eye(3) * 2.0, relu)]))
def layers_of_a_network(x, net):
    return np.sum(net(x))


@CASES.add(vec(3), Arm([Link(1.0), Link(0.5), Link(0.25)]))
def links_of_an_arm(q, arm):
    return np.sum(arm.tip(q) ** 2)


@CASES.add(vec(3), World(tanks()))
def bodies_of_a_world(x, world):
    world.tanks[0].v = x
    for _ in range(2):
        world.step(0.1)
    return sum(t.total for t in world.tanks)


@CASES.add(
    vec(3), {"a": Tank(np.array([1.0, 2.0, 3.0])), "b": Pump(np.array([0.5, 0.2, 0.1]))},
    default="ok/AD207", save="ok/AD207",
)  # fmt: skip
def a_dictionary_of_objects(x, held):
    for _, t in held.items():
        t.step(x[0])
    for t in held.values():
        if t.v[0] > 100.0:
            break
        t.put(x[1])
    return held["a"].total * held["b"].total


# One object that a callee reaches in two ways


def _each(held, x):
    for t in held:
        t.step(x[0])
    held[1].put(x[1])
    return held[0].total


@CASES.refused(vec(3), code="AD303")
def twice_in_a_list_that_is_passed(x):
    a = Tank(x * 1.0)
    return _each([a, a], x) + a.total


class Two:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def run(self, x):
        self.a.step(x[0])
        self.b.put(x[1])
        self.b.step(x[1])
        return self.a.total


@CASES.refused(vec(3), code="AD303")
def twice_in_an_object_that_is_passed(x):
    a = Tank(x * 1.0)
    return Two(a, a).run(x) + a.total


SHARED = Tank(np.array([1.0, 2.0, 3.0]))


def _by_both_names(t, x):
    t.step(x[0])
    return SHARED.total


@CASES.never(vec(3), code="AD201/AD401/AD207")
def a_global_that_is_passed(x):
    SHARED.v = x * 2.0
    SHARED.r = 0.25
    return _by_both_names(SHARED, x)


class Link:
    def __init__(self, v):
        self.v = v
        self.next = None

    def scale(self, y):
        self.v = self.v * y


@CASES.add(vec(3))
def a_ring_of_two(x):
    a, b = Link(x * 1.0), Link(x * x)
    a.next, b.next = b, a
    s = 0.0
    at = a
    for _ in range(3):
        s = s + np.sum(at.v * x)
        at = at.next
    return s


@CASES.add(vec(3))
def a_ring_of_one(x):
    a = Link(x * 1.0)
    a.next = a
    a.next.scale(x)
    return np.sum(a.v * x)


@CASES.add(vec(3))
def calls_around_a_ring(x):
    a, b = Link(x * 1.0), Link(x * x)
    a.next, b.next = b, a
    a.next.next.scale(x)
    b.next.scale(x * 2.0)
    b.scale(x)
    return np.sum(a.v * x) + np.sum(a.next.v)


def _squeezed(func):
    def raised(v):
        return v[np.newaxis, ...] if len(v.shape) < 3 else v

    @functools.wraps(func)
    def shaped(*args):
        stacked = any([len(a.shape) > 2 for a in args])
        outputs = func(*[raised(a) for a in args])
        if not stacked:
            outputs = [each[0, ...] for each in outputs]
        return outputs

    return shaped


@_squeezed
def _ahead(mean, covariance):
    return mean * 2.0, covariance @ mean


@CASES.add(mat(2, 2), mat(2, 2))
def a_tuple_or_a_list_of_its_views(m, p):
    mean, covariance = _ahead(m, p)
    return np.sum(mean * covariance)


@CASES.add(vec(3))
def a_list_made_of_views_of_the_last(x):
    kept = [x * 2.0, x * x]
    for k in range(2):
        if x[k] > 0.0:
            kept = [each[..., ::-1] for each in kept]
            kept[0] *= 2.0
    return np.sum(kept[0] * kept[1])


class Halves:
    def __init__(self, grid):
        self.grid = grid
        self.parts = [grid[1:], grid * 0.5]

    @classmethod
    def of(cls, a, v):
        return cls(a * v)


@CASES.add(vec(3), mat(2, 3), default="AD301")
def lists_of_a_class_that_one_loop_uses_up(x, m):
    rows = [r for r in m]
    for _ in range(2):
        one = Halves(rows[1])
        one.parts[1] *= x
    other = Halves.of(m[0], m[1][-1])
    return np.sum(other.parts[1] * x)
