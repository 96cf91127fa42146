"""Tuples, named tuples and dictionaries that hold objects, in lists that grow."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.4])


class Point:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def energy(self):
        return 0.5 * self.v**2 + np.cos(self.x)

    def step(self, dt):
        self.v -= dt * np.sin(self.x)
        self.x += dt * self.v


class Other:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def energy(self):
        return self.v * self.x

    def step(self, dt):
        self.v = self.v + dt
        self.x *= self.v


class Seen(NamedTuple):
    time: float
    point: Point


def springs(x):
    points = []
    for i in range(4):
        points.append(Point(x[i], 0.0))
    links = []
    for i in range(3):
        links.append((points[i], points[i + 1], x[i] ** 2))
    for a, b, k in links:
        f = k * (a.x - b.x)
        a.v -= f
        b.v += f
    return sum(p.energy() * p.v for p in points)


def by_names(x):
    seen = []
    for i in range(3):
        seen.append(Seen(0.5 * i, Point(x[i], x[i + 1])))
    for s in seen:
        s.point.step(0.1)
    return sum(s.time * s.point.energy() for s in seen) * seen[-1].point.x * seen[0][1].v


def events(x):
    queue = [(1.0, 0, Point(x[0], x[1]))]
    heapq.heappush(queue, (0.5, 1, Point(x[2], x[3])))
    total = 0.0
    while queue:
        time, number, p = heapq.heappop(queue)
        p.step(0.1)
        total = total * 0.9 + p.energy()
        if time < 1.0:
            heapq.heappush(queue, (time + 0.7, number, Point(p.x * 0.5, p.v)))
    return total


def of_dictionaries(x):
    parts = []
    for i in range(2):
        parts.append({"weight": 0.5 + i, "point": Point(x[i], x[i + 1])})
    for p in parts:
        p["point"] = Other(p["point"].x * 2, p["point"].v)
    total = 0.0
    for p in parts:
        p["point"].step(0.1)
        total += p["weight"] * p["point"].energy()
    return total


def moved_along(x):
    """What is at one place in a tuple is at another one in what is made of it."""
    rows = []
    for i in range(2):
        rows.append((Point(x[i], x[i + 1]), Other(x[i], x[i + 2])) + (Point(x[i], x[i]),))
    total = 0.0
    for row in rows:
        rest = row[1:]
        first, *others = row
        taken = list(row)
        taken.pop(0)
        total += rest[0].energy() * first.energy() + others[1].x * taken[0].v * row[-1].energy()
    return total


def nested(x):
    rows = []
    for i in range(3):
        rows.append((i, (x[i], Point(x[i], x[i + 1]))))
    total = 0.0
    for i, (w, p) in rows:
        total += i * w * p.energy()
    return total


def slow(f):
    return pytest.param(f, marks=pytest.mark.slow)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [*map(slow, [springs, by_names, events, moved_along]), of_dictionaries, nested]
)
def test_objects_beside_other_things(f):
    check_grads(f, (X.copy(),))
