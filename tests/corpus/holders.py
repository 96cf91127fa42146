"""Objects in objects, constructors that call others, closures of one maker."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("holders")


class Box:
    """Holds one thing."""

    def __init__(self, held):
        self.held = held

    def put(self, other):
        self.held = other

    def total(self):
        return np.sum(self.held)

    def tripled(self, other):
        other.held = other.held * 3.0
        return np.sum(self.held.held)

    def doubles(self):
        self.held.held = self.held.held * 2.0


class Weighted(Box):
    """Holds a second thing."""

    def __init__(self, held):
        super().__init__(held)
        self.weight = held * held

    def total(self):
        return super().total() * np.sum(self.weight)


def power(n):
    def raised(v):
        return v**n

    return raised


squared, cubed = power(2), power(3)


@CASES.add(vec(3))
def held_in_another(x):
    b = Box(Box(x * x))
    return np.sum(b.held.held)


@CASES.add(vec(3))
def changed_through_the_holder(x):
    b = Box(x)
    c = Box(b)
    c.doubles()
    b.held = b.held * x
    return np.sum(b.held * c.held.held)


@CASES.add(vec(3))
def second_name(x):
    b = Box(x * x)
    c = b
    c.held = x * b.held
    return np.sum(b.held)


@CASES.add(vec(3))
def made_again_from_itself(x):
    b = Box(x * x)
    for _ in range(3):
        b = Box(b.held * x)
    return np.sum(b.held)


@CASES.never(vec(3), code="AD201")
def reached_in_two_ways(x):
    b = Box(x * x)
    return Box(b).tripled(b)


@CASES.never(vec(3), code="AD201")
def put_and_replaced(x):
    b = Box(x)
    c = Box(1.0)
    c.put(b)
    c.put(Box(x * x))
    c.held.held = x * x * x
    return np.sum(b.held)


@CASES.add(vec(3))
def constructor_of_the_base(x):
    return Weighted(x).total()


@CASES.add(vec(3))
def two_of_one_maker(x):
    return np.sum(squared(x) * cubed(x))
