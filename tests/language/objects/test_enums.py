"""Members of enumerations that are integers: as indices, as sizes, and by what they are."""

from __future__ import annotations

import enum

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.4])


class At(enum.IntEnum):
    POSITION = 0
    SPEED = 2
    SIZE = 3


def direct(x):
    state = np.zeros(At.SIZE)
    state[At.POSITION] = x[At.SPEED] ** 2
    state[At.SPEED] += state[At.POSITION] * x[At.POSITION]
    return np.sum(state[At.POSITION : At.SIZE] ** 2)


def by_a_name(x):
    at = At.SPEED
    weight = 2.0 if isinstance(at, At) else 3.0
    weight *= 5.0 if type(at) is int else 7.0
    weight *= len(at.name) * len(f"{at!r}") * (11.0 if at is At.SPEED else 13.0)
    return x[at] ** 2 * weight


def read(x, at):
    return x[at] ** 2 * (2.0 if isinstance(at, At) else 3.0)


def passed(x):
    return read(x, At.POSITION) + read(x, 0) * read(x, 2) + read(x, At.SPEED)


def in_turn(x):
    total = 0.0
    for at in At:
        total += x[at] * at.value
    return total**2


@pytest.mark.parametrize("f", [direct, by_a_name, passed, in_turn])
def test_integers_with_names(f):
    check_grads(f, (X.copy(),))
