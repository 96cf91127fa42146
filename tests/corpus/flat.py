"""Elements by their flat position: `a.flat[k]`, read, written, and gone through."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("flat")


@CASES.add(mat(2, 3), row="46", verdicts={"y.flat[i] =": "by value"})
def read_and_written(x):
    y = x * 2.0
    s = 0.0
    for i in range(y.size):
        s += y.flat[i] ** 2
        y.flat[i] = 2.0 * y.flat[i]
    return s + np.sum(y)


@CASES.add(mat(2, 3), 1.3, wrt=(0, 1), verdicts={"y.flat[i] *=": "by value"})
def multiplied(x, k):
    y = x * x
    for i in range(y.size):
        y.flat[i] *= k
    return np.sum(y * y)


@CASES.add(np.asfortranarray(mat(2, 3)))
def in_another_order(x):
    y = (x * 1.0).T
    v = y.flat[3]
    y.flat[3] = v * v
    y.flat[::2] *= 2.0
    return np.sum(y * y)


@CASES.add(mat(2, 3))
def under_a_name(x):
    y = x * x
    f = y.flat
    for i in range(1, y.size):
        f[i] = 0.5 * f[i - 1] * f[i]
    return np.sum(y * y)


@CASES.add(mat(2, 3))
def name_outlives_the_array(x):
    y = x * 2.0
    f = y.flat
    y = x * 3.0
    f[0] = x[0, 0] ** 2
    return np.sum(y) * f[0] + f[1]


@CASES.add(mat(2, 3))
def one_of_two(x):
    y, z = x * 2.0, x * 3.0
    f = y.flat if x[0, 0] > 0.0 else z.flat
    f[0] = x[0, 0] ** 2
    return np.sum(y * z)


@CASES.add(mat(2, 3))
def parts_are_copies(x):
    y = x * 2.0
    v = y.flat[2:5]
    s = np.sum(v * v)
    y.flat[3] = 0.0
    return s + np.sum(y)


@CASES.add(mat(2, 3))
def duplicates(x):
    y = x * 2.0
    s = np.sum(y.flat[[0, 3, 0]] ** 2)
    y.flat[np.array([0, 0, -1])] += x[0]
    return s + np.sum(y * y)


@CASES.add(mat(2, 3), np.array([0, 3, 3]))
def places_change(x, k):
    k = k.copy()
    y = x * 2.0
    a = y.flat[k]
    k[0] = 5
    y.flat[k] = a * a
    return np.sum(y * y)


@CASES.add(mat(2, 3))
def masked(x):
    y = x * 2.0
    m = y.ravel() > 2.0
    s = y.flat[m] ** 2
    y.flat[m] = 0.5 * s
    return np.sum(y * y) + np.sum(s)


@CASES.add(mat(3, 4))
def of_a_view(x):
    y = x * 2.0
    v = y[::2, 1:]
    v.flat[[0, 2, 2, -1]] += x[0]
    v.T.flat[1] = x[1, 1] ** 2
    return np.sum(y * y)


@CASES.add(vec(4))
def of_a_row(x):
    y = x * 2.0
    for i in range(1, y.size):
        y.flat[i] = y.flat[i - 1] * y.flat[i]
    return y.flat[-1]


@CASES.add(mat(2, 3))
def all_of_it(x):
    y = x * 2.0
    y.flat[...] = x[1]
    return np.sum(y * y)


@CASES.add(mat(2, 3))
def gone_through(x):
    s = 0.0
    for v in x.flat:
        s += v * v
    return s


@CASES.add(np.asfortranarray(mat(2, 3)))
def written_meanwhile(x):
    y = x * 1.0
    s = 0.0
    for k, v in enumerate(y.flat):
        s += v * v * (k + 1)
        if k + 1 < y.size:
            y.flat[k + 1] = v * 0.5
    return s + np.sum(y**3)


def _square_second(a, v):
    a.flat[1] = v * v


@CASES.add(mat(2, 3))
def in_a_callee(x):
    y = x * 2.0
    _square_second(y, x[0, 0])
    return np.sum(y * y)


@CASES.refused(mat(2, 3))
def by_a_callee_while_needed(x):
    y = x * 2.0
    s = np.sum(y * y)
    _square_second(y, x[0, 0])
    return s + np.sum(y)


@CASES.refused(mat(2, 3))
def under_a_name_while_needed(x):
    y = x * 2.0
    s = np.sum(y * y)
    f = y.flat
    for k in range(3):
        f[k] = f[k + 1] * f[k]
    return s + np.sum(y)


@CASES.never(vec(3), code="AD302")
def from_itself(x):
    y = x * 2.0
    y.flat[1:] = y[:-1]  # NumPy reads what it has just stored
    return np.sum(y * y)


@CASES.never(vec(3), code="AD302")
def argument_from_itself(x):
    x.flat[:] = x[::-1]
    return np.sum(x * x)


@CASES.never(vec(3), code="AD302")
def coefficients_from_themselves(x):
    c = np.arange(1.0, 4.0)
    c.flat[1:] = c
    return np.sum(c * x * x)


def _stored(a, v):
    a.flat[1:] = v


@CASES.never(vec(3), code="AD302")
def from_itself_in_a_callee(x):
    y = x * 2.0
    _stored(y, y[:-1])
    return np.sum(y * y)


@CASES.never(mat(3, 3), code="AD302")
def diagonal_from_itself(x):
    y = x * 2.0
    np.fill_diagonal(y, np.diagonal(y)[::-1])
    return np.sum(y * y)


@CASES.never(vec(3), code="AD302")
def placed_from_itself(x):
    y = x * 2.0
    np.place(y, y > 1.5, y)
    return np.sum(y * y)


@CASES.add(vec(3))
def from_a_copy_of_itself(x):
    y = x * 2.0
    y.flat[1:] = y[:-1].copy()
    y.flat[:2] = y.flat[1:]
    _stored(y, x[1:] * y[0])
    return np.sum(y * y)


class Vector:
    def __init__(self, values):
        self.flat = values


@CASES.add(vec(3))
def attribute_of_an_object(x):
    h = Vector(x * 2.0)
    h.flat[1] = x[2] ** 2
    h.flat[0] *= x[1]
    return np.sum(h.flat**2)


@CASES.never(mat(2, 3), code="AD401/AD201")
def gone_through_twice(x):
    f = x.flat
    s = 0.0
    for v in f:
        s += v * v
    for v in f:  # nothing is left
        s += v
    return s


@CASES.never(mat(2, 3), code="AD401/AD201")
def indexed_while_gone_through(x):
    f = x.flat
    s = 0.0
    for v in f:
        s += v * f[5]  # sends the loop back to the start
        if s > 10.0:
            break
    return s


@CASES.never(mat(2, 3), code="AD401/AD201")
def used_in_another_way(x):
    y = x * 2.0
    f = y.flat
    f[0] = x[0, 0] ** 2
    return np.sum(y) * len(list(f))


@CASES.refused(mat(2, 3), vec(6), wrt=(0, 1))
def assigned(x, v):
    y = x * x
    y.flat = v * v
    s = np.sum(y * y)
    y[0].flat = v[1]
    return s * y[0, 2] + np.sum(y)


@CASES.add(mat(2, 3), vec(2), wrt=(0, 1), verdicts={".flat = v": "safe"})
def assigned_with_too_few(x, v):
    y = x * 2.0
    y.flat = v
    y.T.flat = [v[0] * v[1], 3.0]
    return np.sum(y * x)


@CASES.refused(mat(2, 3), code="AD301")
def assigned_while_needed(x):
    w = np.ones((2, 3))
    s = np.sum(w * x * x)
    w[:, 1:].flat = 3.0
    w.flat = range(6)
    return s + np.sum(w * x)


def fills(a, v):
    a.flat = v


class Filled:
    def __init__(self, v):
        self.a = np.zeros((2, 3))
        self.a.flat = v


@CASES.add(mat(2, 3))
def assigned_elsewhere(x):
    y = x * x
    fills(y[:1], x[1])
    return np.sum(y * Filled(y[0] * y[1]).a)


@CASES.add(mat(2, 3))
def counted(x):
    y, s = x * x, 0.0
    f = y.flat
    for i in range(len(f) - 1):
        f[i + 1] += 0.5 * f[i]
        s += y.flat[len(y.flat) - 1] * f[i]
    return s


@CASES.never(mat(2, 3), code="AD302")
def assigned_from_itself(x):
    y = x * x
    y.flat = y[:, ::-1]
    return np.sum(y * x)
