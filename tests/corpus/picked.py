"""Objects that are picked out of lists, sorted, or put together from several lists."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("picked")


class Body:
    def __init__(self, position, mass):
        self.position = position
        self.velocity = np.zeros(3)
        self.mass = mass

    def push(self, force, dt):
        self.velocity += force * dt / self.mass
        self.position += self.velocity * dt


def _energy(bodies):
    s = 0.0
    for b in bodies:
        s = s + b.mass * np.sum(b.position**2)
    return s


@CASES.add(vec(6))
def displays_joined(x):
    first, second = [Body(x[:3].copy(), 2.0)], [Body(x[3:].copy(), 1.0)]
    for b in [*first, *second]:
        b.push(-0.5, 0.1)
    return _energy(first) * _energy(second)


@CASES.add(vec(6))
def lists_added(x):
    grown = []
    for k in range(2):
        grown.append(Body(x[k : k + 3].copy(), 1.0 + k))
    for b in grown + [Body(x[3:].copy(), 3.0)]:  # noqa: RUF005  # as users write
        b.push(0.5, 0.1)
    return _energy(grown)


@CASES.add(vec(6))
def sorted_by_mass(x):
    bodies = [Body(x[:3].copy(), 2.0), Body(x[3:].copy(), 1.0)]
    force = 0.0
    for b in sorted(bodies, key=lambda b: b.mass):
        b.push(force, 0.1)
        force = force + b.position
    return _energy(bodies)


@CASES.refused(vec(6), code="ok/AD301")
def sorted_then_shared(x):
    a, b = Body(x[:3].copy(), 1.0), Body(x[3:].copy(), 2.0)
    order = sorted([b, a], key=lambda b: b.mass)
    order[0].position[0] = x[5] ** 2
    order[1].position = order[0].position
    order[1].position *= x[4]
    return np.sum(a.position * b.position)


@CASES.add(vec(6))
def heavy_ones(x):
    bodies = [Body(x[:3].copy(), 2.0), Body(x[3:].copy(), 1.0)]
    for b in [b for b in bodies if b.mass > 1.5]:
        b.push(x[0], 0.1)
    return _energy(bodies)


@CASES.add(vec(6))
def heaviest(x):
    bodies = [Body(x[:3].copy(), 2.0), Body(x[3:].copy(), 1.0)]
    b = max(bodies, key=lambda b: b.mass)
    b.push(x[3:], 0.1)
    return _energy(bodies)


@CASES.add(vec(6))
def appended_in_a_loop(x):
    bodies = [Body(x[:3].copy(), 2.0), Body(x[3:].copy(), 1.0)]
    heavy = []
    for b in bodies:
        if b.mass > 1.5:
            heavy.append(b)
    for b in heavy:
        b.position = b.position * x[5]
    return _energy(bodies)


@CASES.add(vec(6))
def not_those_that_are_missing(x):
    bodies = [Body(x[:3].copy(), 2.0), None, Body(x[3:].copy(), 1.0)]
    there = [b for b in bodies if b is not None]
    for b in there:
        b.push(0.5, 0.1)
    return _energy(there)


@CASES.add(vec(6))
def values_of_a_dictionary(x):
    bodies = {"sun": Body(x[:3].copy(), 2.0), "earth": Body(x[3:].copy(), 1.0)}
    for b in list(bodies.values()):
        b.push(0.5, 0.1)
        bodies["last"] = b
    bodies["sun"].position = bodies["earth"].position * 2.0
    return _energy(list(bodies.values()))


@CASES.add(vec(6))
def removed_meanwhile(x):
    bodies = []
    for k in range(3):
        bodies.append(Body(x[k : k + 3].copy(), 1.0 + k))
    s = 0.0
    for b in list(bodies):
        if b.mass > 1.5:
            bodies.remove(b)
            s = s + np.sum(b.position**2)
    return s * np.sum(bodies[0].position)
