"""Loops over rows of one or several arrays, or over several lists, that write what they meet."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("side_by_side")


@CASES.add(mat(3, 4), verdicts={"row /=": "safe/recomputed/by value"})
def each_row_by_its_sum(u):
    u = u * u
    for row in u:
        row /= row.sum()
    return np.sum(u**2)


@CASES.add(mat(3, 4))
def from_rows_into_rows(u):
    w = np.zeros((3, 4))
    for r, s in zip(u * 2.0, w):
        s[:] = r * r
    for k, r in enumerate(u):
        w[k] += r * r
    return np.sum(w)


@CASES.add(vec(4))
def both_are_written(x):
    a, b = np.outer(x, x), np.outer(x, x * x)
    for p, q in zip(a, b):
        p -= q
        q[:] = p * p
    return np.sum(a) + np.sum(b)


@CASES.add([mat(2, 3), mat(2, 3, 0.3)])
def from_list_into_list(ps):
    gs = [np.zeros_like(p) for p in ps]
    for k in range(3):
        for g, p in zip(gs, ps):
            g += 0.3 * p**k
    return sum(np.sum(p * g) for p, g in zip(ps, gs))


@CASES.add(vec(4))
def row_after_the_one_that_is_used(x):
    a, s = np.outer(x, x), 0.0
    for p, q in zip(a, a[2:]):
        s += np.sum(p * p)
        q += 1.0
    return s + np.sum(a)


@CASES.refused(vec(4))
def row_that_is_used_next(x):
    a = np.outer(x, x)
    for p, q in zip(a[1:], a):
        q *= p
    return np.sum(a * a)


@CASES.refused(vec(4))
def backwards_over_the_same(x):
    a, s = np.outer(x, x), 0.0
    for p, q in zip(a, a[::-1]):
        s += np.sum(q * q)
        p += 1.0
    return s + np.sum(a)


@CASES.refused(vec(4))
def again_and_again(x):
    a = np.outer(x, x)
    for _ in range(3):
        for row in a:
            row /= np.sqrt(row @ row)
    return np.sum(a)


@CASES.refused(vec(4))
def last_row_after_the_loop(x):
    a, s = np.outer(x, x), 0.0
    for row in a:
        s += np.sum(row * row)
    row[0] = 5.0
    return s + np.sum(a)


@CASES.refused(vec(4))
def all_rows_of_the_next(x):
    a, s = np.outer(x, x), 0.0
    for row in a:
        s += np.sum(row * row)
        for other in a:
            other *= 0.5
    return s + np.sum(a)


@CASES.refused(vec(4))
def one_array_in_both_lists(x):
    y, s = x * x, 0.0
    for a, b in zip([y, x * 2.0], [x * 3.0, y]):
        s += np.sum(a * b)
        a *= 2.0
        b += 1.0
    return s + np.sum(y)


@CASES.refused(vec(4))
def one_list_twice(x):
    ys = [x * x, x * 2.0]
    s = 0.0
    for a, b in zip(ys, list(ys)):
        s += np.sum(a * a)
        b -= x
    return s + np.sum(ys[0])


@CASES.refused(vec(4))
def kept_for_the_next(x):
    ys, s, last = [x * x, x * 2.0], 0.0, x * 1.0
    for a, b in zip(ys, [last, ys[0]]):
        s += np.sum(a * b)
        last = a
        b *= 2.0
    last[0] = 9.0
    return s + np.sum(ys[1])
