"""Tuples that functions return, and the arrays in them, which are written under several names."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("returned")


def two(x):
    a = x.copy()
    b = x * x
    return a, b


def clear(a):
    a[0] = 0.0


def changed(x):
    p = two(x)
    p[0][1] = p[1][2]
    return p


@CASES.add(vec(4))
def written_by_its_number(x):
    p = two(x)
    p[1][0] = 3.0
    return np.sum(p[1]) + np.sum(p[0])


@CASES.add(vec(4))
def written_under_a_name(x):
    p = two(x)
    q = p[1]
    q[0] = x[1]
    return np.sum(p[1]) + np.sum(p[0])


@CASES.add(vec(4))
def unpacked_and_read_by_number(x):
    p = two(x)
    a, _ = p
    a[0] = x[1] * x[2]
    return np.sum(p[0] * p[1])


@CASES.add(vec(4))
def unpacked_twice(x):
    p = two(x)
    a, _ = p
    c, d = p
    a[0] = x[1] * x[2]
    return np.sum(c * d)


@CASES.add(vec(4))
def two_names_for_one_item(x):
    p = two(x)
    t = p[0]
    u = p[0]
    t[0] = x[1] * x[2]
    return np.sum(u * p[1])


@CASES.add(vec(4))
def unpacked_in_a_loop(x):
    p = two(x)
    s = 0.0
    for k in range(3):
        a, b = p
        a[k] = x[1] * b[k]
        b[0] *= 1.5
        s += a[0] * b[1]
    return s


@CASES.add(vec(4))
def by_number_in_a_loop(x):
    p = two(x)
    s = 0.0
    for k in range(3):
        a = p[0]
        a[k] = x[1] * a[k]
        s += a[0] * a[1]
    return s


@CASES.add(vec(4))
def a_new_tuple_each_time(x):
    s = 0.0
    for k in range(2):
        p = two(x)
        p[0][k] = 2.0
        s += np.sum(p[0] * p[1])
    return s


@CASES.refused(vec(4))
def read_before_and_after(x):
    p = two(x)
    s = np.sum(p[0] * p[1])
    np.put(p[1], [0], 3.0)
    clear(p[0])
    return s + np.sum(p[1]) + np.sum(p[0])


@CASES.refused(vec(4))
def one_name_is_read_later(x):
    p = two(x)
    a, b = p
    s = np.sum(a * b)
    p[0][1] = 2.0
    return s + np.sum(a * b)


@CASES.refused(vec(4))
def items_that_are_updated(x):
    p = two(x)
    p[0][1:] *= p[1][1:]
    p[1][:] += p[0]
    return np.sum(p[0] * p[1])


@CASES.add(vec(4))
def written_before_it_was_returned(x):
    a, b = changed(x)
    c, d = changed(a)
    c[0] = b[0]
    return np.sum(a * b * c * d)


@CASES.add(vec(4))
def parts_of_a_division(x):
    q = np.divmod(x, 0.37)
    q[1][0] = 2.0
    return np.sum(q[1] * x)


@CASES.add(vec(4))
def eigenvalues_that_are_written(x):
    q = np.linalg.eigh(np.outer(x, x) + np.diag([1.0, 2.0, 3.0, 4.0]))
    s = np.sum(np.exp(q[0]))
    q[0][0] = x[1]
    return s + np.sum(q[0] * x)


@CASES.add(vec(4), default="ok/AD206", save="ok/AD206")
def each_item_of_a_tuple(x):
    p = two(x)
    for a in p:
        a[0] = x[1]
    return np.sum(p[0] * p[1])


@CASES.add(vec(4), default="ok/AD206", save="ok/AD206")
def computed_number_of_an_item(x):
    p = two(x)
    for k in range(2):
        p[k][0] = x[1]
    return np.sum(p[0] * p[1])


def nested(x):
    a = x.copy()
    b = x * x
    return a, (b, a * b)


@CASES.refused(vec(3))
def a_tuple_in_a_tuple(x):
    p = nested(x)
    s = np.sum(p[1][0] * p[0])
    p[1][0][0] = 3.0
    p[0][1] *= p[1][1][1]
    return s + np.sum(p[1][0]) + np.sum(p[0])


@CASES.refused(vec(3))
def a_tuple_in_a_tuple_unpacked(x):
    a, (b, c) = nested(x)
    s = np.sum(a * b * c)
    b *= c
    a[0] = 2.0
    c[1] = b[1]
    return s + np.sum(a * b * c)


@CASES.add(vec(3))
def tuples_of_tuples_by_number(x):
    n = two(x), two(2.0 * x)
    n[0][1][0] = x[2]
    n[1][0][1] *= x[2]
    return np.sum(n[0][0] * n[0][1] * n[1][0] * n[1][1])


# Tangents of what callees return: not those of their arguments, which are used again.


def same_tangent(y):
    return y + 1.0


def same_tangents(x):
    t = x * 1.0
    return t, t + 1.0


def perhaps_itself(x, k):
    return x if k else x * 1.0


def listed(x):
    return [x * 1.0, x + 2.0]


def appended(rows, x):
    rows.append(x * 1.0)


class Held:
    def __init__(self, x):
        self.v = x * 1.0


@CASES.add(vec(4))
def the_result_is_written(x):
    a = same_tangent(x)
    a[0] = x[2]
    return np.sum(a * x)


@CASES.add(vec(4))
def the_argument_is_written(x):
    y = x.copy()
    z = same_tangent(y)
    y[0] = 5.0
    return np.sum(z * x * y)


@CASES.add(vec(4))
def one_of_two_results_is_written(x):
    a, b = same_tangents(x)
    a[0] = x[1]
    return np.sum(a * b * x)


@CASES.add(vec(4))
def the_argument_or_a_new_array(x):
    y = perhaps_itself(x.copy(), True)
    z = perhaps_itself(x, False)
    z[0] = 3.0
    y[1] = 2.0
    return np.sum(z * y * x)


@CASES.add(vec(4))
def an_item_of_a_returned_list(x):
    rows = listed(x)
    rows[0][0] = x[3]
    return np.sum(rows[0] * rows[1] * x)


@CASES.add(vec(4))
def an_item_that_a_callee_appended(x):
    rows = []
    appended(rows, x)
    appended(rows, x)
    rows[0][0] = 2.0
    return np.sum(rows[0] * rows[1] * x)


@CASES.add(vec(4))
def an_attribute_that_a_callee_set(x):
    b = Held(x)
    b.v[0] = x[2]
    return np.sum(b.v * x)


@CASES.add(vec(4))
def parts_of_a_division_apart(x):
    a, b = np.divmod(x, 0.37)
    b[0] = 2.0
    return np.sum(b * x) + a[0]


def _doubled(u):
    u[0] = u[1] * u[2]
    return np.concatenate([u, u * u])


@CASES.add(vec(4))
def nobody_reads_the_new_array(x):
    y = x * 2.0
    _doubled(y)
    return np.sum(y * x)


def _several(u, k):
    if k % 2:
        return None
    u[k] = u[k + 1] * u[0]
    return u, (u[1:] * u[0], {"a": u * 2.0})


@CASES.add(vec(5))
def nobody_reads_what_may_be_a_tuple(x):
    y = x * 2.0
    for k in range(4):
        _several(y, k)
    return np.sum(y * x)


def _appended(kept, y, z):
    kept.append(y * 2.0)
    return z


@CASES.add(vec(4))
def nobody_reads_the_argument_that_is_returned(x):
    y, kept = x * 2.0, []
    w = _appended(kept, y, x * 3.0)
    _appended(kept, y, y)
    return np.sum(kept[0] * x) + np.sum(kept[1]) + w[0]
