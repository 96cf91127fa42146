"""Objects that cannot be told apart: in lists that grow, in circles, one or none, in trees."""

from __future__ import annotations

import copy

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("pools")


class Body:
    scale = 2.0

    def __init__(self, v, then=None):
        self.v = v
        self.then = then

    @property
    def double(self):
        return self.v * self.scale

    def __add__(self, other):
        return Body(self.v + other.v)

    def step(self, k):
        self.v = self.v * k
        return self


class Heavy(Body):
    def step(self, k):
        self.v = self.v + k
        return self


class Link:
    def __init__(self, length, parent=None):
        self.length = length
        self.parent = parent
        self.angle = 0.0

    def end(self):
        if self.parent is None:
            x, y, angle = 0.0, 0.0, 0.0
        else:
            x, y, angle = self.parent.end()
        angle = angle + self.angle
        return x + self.length * np.cos(angle), y + self.length * np.sin(angle), angle


class Sphere:
    def __init__(self, center, radius):
        self.center = center
        self.radius = radius

    def hit(self, direction):
        b = np.dot(self.center, direction)
        inside = b * b - np.dot(self.center, self.center) + self.radius**2
        if inside < 0:
            return None
        t = b - np.sqrt(inside)
        return t if t > 0.0 else None


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __rmul__(self, k):
        return Vector(k * self.x, k * self.y)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


class Fork:
    def __init__(self, v, left=None, right=None):
        self.v = v
        self.left = left
        self.right = right


def halved(x, low, high):
    if high - low == 1:
        return Fork(x[low])
    middle = (low + high) // 2
    left, right = halved(x, low, middle), halved(x, middle, high)
    return Fork(left.v * right.v, left, right)


class Queue:
    def __init__(self):
        self.head = None
        self.tail = None
        self.n = 0

    def push(self, v):
        cell = Body(v)
        if self.head is None:
            self.head = cell
        else:
            self.tail.then = cell
        self.tail = cell
        self.n += 1

    def pop(self):
        cell = self.head
        self.head = cell.then
        self.n -= 1
        return cell.v


def pick(first, a, b):
    if first:
        return a
    return b


@CASES.add(vec(4))
def appended(x):
    bodies = []
    for v in x:
        if v > 0.0:
            bodies.append(Body(v * v))
    for b in bodies:
        b.step(x[0])
    return sum(b.v for b in bodies)


@CASES.add(vec(4))
def chained(x):
    head = None
    for v in x:
        head = Body(v * v, head)
    s = 0.0
    b = head
    while b is not None:
        s = s * 0.5 + b.v
        b = b.then
    return s


@CASES.add(vec(4))
def the_best_of_some(x):
    near, far = np.array([0.0, 0.1, 3.0]), np.array([0.3, 0.2, 5.0])
    scene = [Sphere(near * x[0], x[1]), Sphere(far, x[2])]
    total = 0.0
    for i in range(3):
        direction = np.array([0.02 * i, 0.01, 1.0])
        nearest = 1e9
        best = None
        for s in scene:
            t = s.hit(direction)
            if t is not None and t < nearest:
                nearest = t
                best = s
        if best is not None:
            total += nearest * best.radius + best.center[2]
    return total


@CASES.add(vec(4))
def parents_that_are_objects(x):
    base = Link(1.0)
    arm = Link(0.8, base)
    hand = Link(0.5, arm)
    for link, angle in zip([base, arm, hand], x):
        link.angle = angle
    at_x, at_y, _ = hand.end()
    return (at_x - 1.0) ** 2 + at_y**2 * x[3]


@CASES.add(vec(4))
def replaced_in_a_loop(x):
    a, b = Vector(x[0], x[1]), Vector(x[2], x[3])
    for _ in range(3):
        a = a + 0.5 * b
        b = b + 0.1 * a
    return a.dot(b)


@CASES.add(vec(4))
def chosen_and_returned(x):
    a, b = Body(x[0]), Body(x[1])
    c = pick(x[0] > 0.5, a, b)
    c.v = c.v * x[3]
    return c.v * x[2] + a.v


@CASES.add(vec(4))
def in_a_dictionary_by_key(x):
    bodies = {}
    for key, v in zip("abca", x):
        bodies[key] = Body(v * v)
    first = bodies["a"]
    first.v = first.v * x[1]
    return sum(b.v for b in bodies.values()) + first.v


@CASES.add(vec(4))
def identities_used_again(x):
    s, best = 0.0, None
    for v in x:
        t = Body(v * v)
        u = Body(t.v * v)
        del t
        s += u.v
        if best is None or u.v > best.v:
            best = u
    return s * best.v


@CASES.add(vec(4))
def of_two_classes(x):
    bodies = []
    for i, v in enumerate(x):
        bodies.append(Body(v) if i % 2 else Heavy(v))
    for b in bodies:
        b.step(x[0])
    return sum(b.v for b in bodies)


@CASES.add(vec(4))
def ordered_by_a_key(x):
    bodies = sorted([Body(v) for v in x], key=lambda b: b.v)
    largest = max(bodies, key=lambda b: b.v)
    return bodies[0].v * bodies[1].v + largest.v * x[0]


@CASES.add(vec(4))
def filtered(x):
    bodies = [Body(v) for v in x]
    some = [b for b in bodies if b.v > 0.0]
    for b in some:
        b.v = b.v**2
    return sum(b.v for b in bodies) * len(some)


@CASES.add(vec(4))
def objects_in_objects(x):
    bodies = []
    for v in x:
        bodies.append(Body(v, Body(v * v)))
    s = 0.0
    for b in bodies:
        b.then.v = b.then.v * b.v
        s += b.then.v
    return s


@CASES.add(vec(4))
def in_a_circle(x):
    a, b = Body(x[0]), Body(x[1])
    a.then, b.then = b, a
    at, s = a, 0.0
    for v in x:
        s += at.v * v
        at = at.then
    a.then = a
    return s * a.then.v


@CASES.add(vec(4))
def sums_of_objects(x):
    bodies = [Body(v) for v in x]
    total = bodies[0]
    for b in bodies[1:]:
        total = total + b
    return total.double


@CASES.add(vec(4))
def none_is_no_object(x):
    best = None
    for v in x:
        if not isinstance(best, Body) or v > best.v:
            best = Body(v * 1.0)
    return best.v * x[0]


# What is not known to be an object of the class, or comes from outside, makes them lost.

KEPT = []


@CASES.never(vec(4), Body(1.5), code="AD201")
def one_from_outside(x, first):
    bodies = [first]
    for v in x:
        bodies.append(Body(v))
    return sum(b.v for b in bodies)


@CASES.never(vec(4), code="AD201")
def kept_outside(x):
    for v in x:
        KEPT.append(Body(v))
    s = sum(b.v for b in KEPT)
    KEPT.clear()
    return s


@CASES.never(vec(4), code="AD201")
def read_in_another_way(x):
    bodies = [Body(v * v) for v in x]
    return sum(vars(b)["v"] for b in bodies)


@CASES.never(vec(4), code="AD201")
def copied_one_by_one(x):
    bodies = [Body(v) for v in x]
    other = copy.copy(bodies[1])
    other.v = other.v * 3
    return sum(b.v for b in bodies) + other.v


# A function that returns objects of its own making, one inside the other: in any depth.


@CASES.add(vec(4), **later("AD201"))
def made_by_halves(x):
    tree = halved(x, 0, 4)
    return tree.v * tree.left.v + tree.right.right.v


@CASES.add(vec(4), **later("AD201"))
def queued(x):
    q, s = Queue(), 0.0
    for v in x:
        q.push(v * v)
    for i in range(4):
        v = q.pop()
        s = s * 0.7 + v
        q.push(v * x[i])
    while q.n > 1:
        s += q.pop()
    return s


class Ball:
    def __init__(self, place, speed, mass):
        self.place = place
        self.speed = speed
        self.mass = mass


@CASES.add(vec(6))
def over_a_copy_of_the_list(x):
    every = [Ball(x[:3].copy(), np.ones(3), 1.0), Ball(x[3:].copy(), np.zeros(3), 2.0)]
    for b in list(every):
        b.place += b.mass * b.speed
    return sum(np.sum(b.place**2) for b in every)


@CASES.add(vec(6), default="AD301", save="ok")
def removed_while_a_copy_is_gone_through(x):
    every = [Ball(x[:3].copy(), np.ones(3), 1.0), Ball(x[3:].copy(), np.zeros(3), 2.0)]
    for b in list(every):
        if b.mass > 1.5:
            every.remove(b)
        else:
            b.place *= b.place[0]
    return sum(np.sum(b.place**2) for b in every)


@CASES.add(vec(6))
def shortened_copy(x):
    every = [Ball(x[3 * i : 3 * i + 3].copy(), np.ones(3), 1.0 + i) for i in range(2)]
    some = list(every)
    for b in some:
        b.place += b.mass * b.speed
    some.pop()
    some[0].place *= 2.0
    every[0].place += 1.0
    return sum(np.sum(b.place**2) for b in every) * len(some)


@CASES.add(vec(4))
def copied_list_of_arrays(x):
    a = [x * 2.0, x * 3.0]
    b = list(a)
    b[0] = x
    b[1][0] = 5.0
    return np.sum(a[1] * a[0]) + np.sum(b[0] * b[1])
