"""Arrays of one number that names may mean one or another of."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("singles")


@CASES.add(vec(4), row="61")
def one_of_two_is_set(x):
    a, b = np.array(x[0]), np.array(x[1])
    c = a if x[2] > 0.5 else b
    c[()] = x[3] * 2.0
    return a * b


@CASES.add(vec(4), row="61")
def one_of_two_is_added_to(x):
    a, b = np.array(x[0]), np.array(x[1])
    c = a if x[2] > 2.5 else b
    c += x[3]
    return a * b


@CASES.add(vec(4), row="61")
def part_of_an_array_or_an_array_of_its_own(x):
    m = np.zeros((2, 2))
    a = np.array(x[0])
    c = m[1, 1, ...] if x[2] > 0.5 else a
    c[()] = x[3] * 2.0
    c += x[0]
    return a * np.sum(m**2)


@CASES.add(vec(4), row="61")
def made_anew_or_not(x):
    a, b = np.asarray(x[0] * 2.0), np.sum(x)
    c = a if x[2] > 2.5 else np.array(b)
    c[()] = x[3] * 2.0
    return a * b * c


@CASES.refused(vec(4), row="61")
def needed_and_written_by_number(x):
    cells = [np.array(v) for v in x]
    for k in range(6):
        a = cells[k % 4]
        b = cells[(k * k + 1) % 4]
        a[...] = a * 0.5 + b * x[1]
    return sum(c * c for c in cells)


@CASES.add(np.array(0.5), np.array(0.7), 0, wrt=(0, 1), final=("a", "b"), row="61")
@CASES.add(np.array(0.5), np.array(0.7), 1, wrt=(0, 1), final=("a", "b"), row="61")
def one_of_two_arguments_is_set(a, b, k):
    c = a if k > 0 else b
    c[()] = c * 2.0 + b
    return a * b


@CASES.add(np.array(0.5), np.array([[0.7]]), 1, wrt=(0, 1), final=("a", "b"), row="61")
def another_shape_of_an_argument(a, b, k):
    c = a
    if k > 0:
        c = b.reshape(())
    c[...] = 3.0 * a
    return a + np.sum(b * b)
