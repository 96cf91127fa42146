"""The dynamic oracle, and what is accepted under its eyes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracle import clobbers
from tests.precision import tally

PRECISION = 0.75  # of the clean programs among the first; see `python -m tests.precision`


def needed_and_overwritten(x):
    y = 2.0 * x
    z = y * y
    y[1] = 0.0
    return np.sum(z) + np.sum(y)


def through_a_view(x):
    y = 2.0 * x
    v = y[1:]
    z = v * v
    y[-1] = 0.0
    return np.sum(z)


def beside_a_view(x):
    y = 2.0 * x
    v = y[1:]
    z = v * v
    y[0] = 0.0
    return np.sum(z) + y[0]


def another_formula(x):
    z = np.exp(x)
    z[0] = 0.0
    return np.sum(z)


def not_needed_after_all(x):
    y = 2.0 * x
    z = y * y
    y[0] = 1.0
    z[:] = y
    return np.sum(z)


def numbers(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] *= y[i - 1]
    return y[-1]


def square(a):
    return a * a


def in_a_callee(x):
    y = 2.0 * x
    s = np.sum(square(y))
    y[0] = 1.0
    return s


def moved_index(x):
    where = np.array([0, 1])
    s = np.sum(x[where])
    where[0] = 2
    return s


@pytest.mark.parametrize(
    ("f", "lines"),
    [
        (needed_and_overwritten, [(2, 3)]),
        (through_a_view, [(3, 4)]),
        (beside_a_view, []),
        (another_formula, []),
        (not_needed_after_all, []),
        (numbers, []),
        (moved_index, [(2, 3)]),
    ],
)
def test_the_oracle_sees(f, lines):
    first = f.__code__.co_firstlineno
    assert [(c.use - first, c.write - first) for c in clobbers(f, (np.ones(3),))] == lines


def test_the_oracle_sees_into_callees():
    (found,) = clobbers(in_a_callee, (np.ones(3),))
    assert found.use == square.__code__.co_firstlineno + 1
    assert found.write == in_a_callee.__code__.co_firstlineno + 3


@pytest.mark.parametrize("count", [24, pytest.param(120, marks=pytest.mark.slow)])
def test_accepted_programs_keep_what_they_need(count):
    found = tally(range(count))
    assert not found.unsound, found.unsound[0].source
    assert found.unknown == 0
    assert found.clean > count // 3
    assert found.precision >= PRECISION, "\n".join(found.lines())
