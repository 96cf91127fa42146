"""Pairs of objects, by `combinations`, by places, by neighbours; and parts of lists of objects."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Body:
    def __init__(self, m, p):
        self.m, self.p, self.f = m, p, 0.0

    def force(self, other):
        d = other.p - self.p
        return self.m * other.m / (d * d + 0.1)



def combined(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    return sum(a.force(b) for a, b in itertools.combinations(bodies, 2))


def combined_of_many(x):
    bodies = [Body(1.0 + i, v) for i, v in enumerate(x)]
    energy = 0.0
    for a, b in itertools.combinations(bodies, 2):
        energy = energy + a.force(b)
    return energy


def by_places(x):
    bodies = [Body(1.0 + i, v) for i, v in enumerate(x)]
    for _ in range(2):
        for i in range(len(bodies)):
            bodies[i].f = 0.0
            for j in range(len(bodies)):
                if i != j:
                    bodies[i].f += bodies[i].force(bodies[j])
        for b in bodies:
            b.p = b.p + 0.1 * b.f
    return sum(b.p**2 for b in bodies)


def exchanged_meanwhile(x):
    bodies = [Body(1.0 + i, v) for i, v in enumerate(x)]
    s = 0.0
    for i in range(len(bodies) - 2, -1, -1):
        bodies[i], bodies[i + 1] = bodies[i + 1], bodies[i]
        s = s * 0.5 + bodies[i].m * bodies[0].p
    return s


def growing_meanwhile(x):
    bodies = [Body(1.0 + i, v) for i, v in enumerate(x)]
    for i in range(len(bodies)):
        bodies.append(Body(bodies[i].p, bodies[-1].m))
    return sum(b.m * b.p for b in bodies)


def neighbours(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    rest = bodies[1:]
    return sum(a.force(b) for a, b in zip(bodies, rest, strict=False))


def in_pairs(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3])]
    pairs = sum(a.force(b) for a, b in itertools.permutations(bodies, 2))
    return pairs + sum(a.m * b.p for a, b in itertools.product(bodies, bodies))


def shared_with_the_part(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    rest = bodies[1:]
    rest[0].m = x[1] * x[1]
    bodies[2].p = x[3] ** 2
    return bodies[1].m * x[0] + rest[1].p


def not_the_same_list(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    kept, same = list(bodies), bodies
    bodies[0], bodies[1] = bodies[1], bodies[0]
    return kept[0].m * same[0].p + kept[1].p * bodies[0].m


def taken_in_turn(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    s = 0.0
    for k in range(2):
        rest = bodies[k:]
        bodies[2] = Body(x[k], s + 1.0)
        s = s + rest[-1].m * rest[0].p + bodies[2].p
    return s


def grown_copy(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3])]
    more = list(bodies)
    more.append(Body(1.0, x[0]))
    return sum(b.m * b.p for b in more) * len(bodies)


def backwards(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    s = 0.0
    for b in bodies[::-1]:
        s = 2.0 * s + b.m * b.p
    return s


def of_functions(x):
    steps = [np.sin, np.cos, lambda v: v * v]
    for f in steps[1:]:
        x = f(x)
    for f in steps[:-1]:
        x = f(x)
    return np.sum(x)


def where_it_depends(x):
    first = int(x[0] > 0.5)
    bodies = [Body(x[0], x[1]), Body(x[2], x[3]), Body(1.0, x[0])]
    return sum(b.m * b.p for b in bodies[first:])


PROGRAMS = [
    combined, combined_of_many, by_places, exchanged_meanwhile, growing_meanwhile, neighbours,
    in_pairs, shared_with_the_part, not_the_same_list, taken_in_turn, grown_copy, backwards,
    of_functions, where_it_depends,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_in_all_modes(f):
    check_grads(f, (X,), on_overwrite="save")
    gradient = ad.grad(f)(X)
    assert np.allclose(ad.grad(f, on_overwrite="save")(X), gradient)
    assert np.allclose(ad.jvp(f, (X,), (np.ones(4),))[1], gradient.sum())
