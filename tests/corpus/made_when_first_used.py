"""Arrays that begin as None, and are changed in place once they are there."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("made_when_first_used")


@CASES.add(vec(4), 3)
def elements(x, n):
    v = None
    for k in range(n):
        if v is None:
            v = np.zeros(4)
        v[k] = x[k] * x[0]
        v[1:] += x[:-1]
    return np.sum(v * x)


@CASES.refused(vec(4), 3)
def parts_that_are_needed(x, n):
    v = None
    for _ in range(n):
        if v is None:
            v = x * 1.0
        v[1:] *= v[:-1]
    return np.sum(v * x)


@CASES.add(vec(4), 2)
@CASES.add(vec(4), 0)
def perhaps_never(x, n):
    v = None
    for _ in range(n):
        if v is None:
            v = x.copy()
        v -= 0.1 * x * x
    return np.sum(x) if v is None else np.sum(v * x)


@CASES.add(vec(4), 3)
def none_again(x, n):
    v = None
    s = 0.0
    for k in range(n):
        if v is not None:
            v += x
            s += np.sum(v * v)
            v = None
        else:
            v = x * k
    return s


@CASES.refused(vec(4), 3)
def the_first_has_another_name(x, n):
    v = None
    g = x * x
    keep = g
    for _ in range(n):
        if v is None:
            v = g
        else:
            v *= x
        g = g * 0.5
    return np.sum(v) + np.sum(keep * x)


class Momentum:
    def __init__(self):
        self.v = None

    def step(self, x, g):
        if self.v is None:
            self.v = g.copy()
        else:
            self.v *= 0.9
            self.v += 0.1 * g
        x -= 0.1 * self.v


@CASES.refused(vec(4), 3, code="AD302/AD303/AD301")
def in_an_object(x, n):
    rule = Momentum()
    x = x.copy()
    for _ in range(n):
        rule.step(x, 2.0 * x * x)
    return np.sum(x * x)
