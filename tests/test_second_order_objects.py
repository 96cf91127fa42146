"""Second derivatives of programs whose objects are followed with all of their class."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 0.5])


class Point:
    def __init__(self, v, w=1.0):
        self.v = v
        self.w = w

    def step(self, k):
        self.v = self.v * k
        return self.v


class Node:
    def __init__(self, v, following):
        self.v = v
        self.following = following


class Holder:
    def __init__(self, a):
        self.a = a


def growing(x):
    points = []
    for v in x:
        points.append(Point(v * v))
    s = 0.0
    for p in points:
        s = s + p.v * p.v
    return s


def linked(x):
    head = None
    for v in x:
        head = Node(v * v, head)
    s = 0.0
    while head is not None:
        s = s + head.v * head.v
        head = head.following
    return s


def twice_in_a_list(x):
    first = Point(x[0])
    points = [first]
    for v in x:
        points.append(Point(v))
    points.append(first)
    s = 0.0
    for p in points:
        s = s + p.step(x[1]) * p.w
    return s * first.v


def the_one_before(x):
    last = Point(x[0])
    s = 0.0
    for v in x:
        now = Point(last.v * v, v)
        s = s + now.v * now.w * last.w
        last = now
    return s * last.v


def arrays_written(x):
    held = []
    for k in range(3):
        held.append(Holder(x * x[k]))
    held.append(held[0])
    s = 0.0
    for h in held:
        h.a[0] *= 2.0
        s = s + np.sum(h.a) * x[1]
    return s


def swapped(x):
    a, b = Point(x[0]), Point(x[1])
    points = [a, b]
    for k in range(3):
        points[0], points[1] = points[1], points[0]
        points[0].v = points[0].v * x[k] + points[1].v
    return a.v * b.v


def freed(x):
    s = 0.0
    for v in x:
        for p in [Point(v), Point(v * 2)]:  # in memory that earlier ones had, perhaps
            s = s + p.v * p.v * s + p.v
    return s


def the_best(x):
    points = [Point(v, x[0]) for v in x]
    best = points[0]
    for p in points:
        if p.v > best.v:
            best = p
    best.v = best.v * best.w
    return sum([p.v * p.w for p in points]) * best.v


def left(x):
    points = [Point(v) for v in x]
    try:
        for p in points:
            p.v = p.v * x[1]
            if p.v > 3:
                raise ValueError
            p.w = p.v
    except ValueError:
        points[0].v = points[0].v * 2
    return sum(p.v * p.w for p in points)


@pytest.mark.parametrize("program", [
    growing, linked, twice_in_a_list, the_one_before, arrays_written, swapped, freed, the_best,
    left,
])  # fmt: skip
def test_against_differences_of_the_gradient(program):
    check_grads(program, (X,), modes=("reverse",), order=2)


def test_the_gradient_beside_its_tangent():
    gradient, product = ad.jvp(ad.grad(growing), (X,), (np.ones(3),))
    np.testing.assert_allclose(gradient, 4 * X**3)
    np.testing.assert_allclose(product, 12 * X**2)
