"""Functions that are given overlapping arguments, and write one of them."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("overlaps")


def mixed(a, b):
    a[0] = b[1] * b[2]
    b[2] = a[0] * a[3]


def squares_added(u, v):
    u += v * v


def squares_added_one_by_one(u, v):
    for i in range(len(u)):
        u[i] += v[i] * v[i]


def first_of_both(y, w):
    y[0] = w[0] * w[1]
    w[0] = y[0] * 3.0
    y[3] *= w[0]


def swapped(a, b):
    t = a.copy()
    a[:] = b
    b[:] = t * t


def second(a, b):
    a[0] = b[0] * b[1]
    return b


def both(a, b, scale=2.0):
    a[0] = b[0] * b[1] * scale
    return a, b[1:]


def early(a, b):
    if a[0] > 0.7:
        return a[1] * b[0]
    for k in range(len(b)):
        a[k] = b[k] * b[k]
        if k == 2:
            return b[1]
    return 1.0


@CASES.add(vec(6), row="27")
def array_and_all_of_it(x):
    y = x * 1.0
    mixed(y, y[:])
    return np.sum(y * y)


@CASES.refused(vec(6), row="27")
def stencil(x):
    u = x * 1.0
    squares_added(u[1:-1], u[:-2])
    return np.sum(u * u)


@CASES.add(vec(6), row="27")
def stencil_of_numbers(x):
    u = x * 1.0
    squares_added_one_by_one(u[1:], u[:-1])
    return np.sum(u * u)


@CASES.refused(vec(6), row="27")
def stencil_in_a_loop(x):
    u = x * 1.0
    for _ in range(3):
        squares_added(u[1:-1], u[:-2])
    return np.sum(u * u)


@CASES.refused(vec(6), 0.9, row="27")
@CASES.refused(vec(6), 0.1, row="27")
def one_of_two(x, level):
    a, b = x * 1.0, x * 2.0
    c = a if x[0] > level else b
    squares_added(c, a)
    return np.sum(a * a * b)


@CASES.add(vec(6), row="27")
def part_of_it(x):
    y = x * 1.0
    first_of_both(y, y[2:4])
    return np.sum(y * y)


@CASES.add(vec(6), row="27")
def named_part_of_it(x):
    y = x * 1.0
    w = y[2:4]
    first_of_both(y, w)
    w[0] = 1.5 * w[1]
    return np.sum(y * y)


@CASES.add(vec(6), row="27")
def parts_in_a_loop(x):
    y = x * 1.0
    for i in range(4):
        first_of_both(y, y[i : i + 2])
    return np.sum(y * y)


@CASES.add(vec(6), row="27")
def part_at_a_computed_place(x):
    y = x * 1.0
    i = int(x[0] > 0.2)
    first_of_both(y, y[i : i + 2])
    return np.sum(y * y)


@CASES.add(vec(4), row="27")
def rows_change_places(x):
    a = np.outer(x, x) + np.diag(x)
    for k in range(3):
        p = k + int(np.argmax(a[k:, k]))
        swapped(a[k], a[p])
    return np.sum(a * a * x)


@CASES.add(vec(6), row="27")
def overlapping_result(x):
    y = x * 1.0
    z = second(y, y[1:])
    z[0] = 2.0 * z[1]
    return np.sum(y * y)


@CASES.add(vec(6), row="27")
def several_overlapping_results(x):
    y = x * 1.0
    a, b = both(b=y[1:], a=y)
    b[0] += 2.0 * a[0]
    a[3] *= b[0]
    return both(y, y[2:], 0.5)[1][0] + np.sum(y * y)


@CASES.add(vec(5), row="27")
@CASES.add(vec(5, 0.9), row="27")
def leaves_early(x):
    y = x * 1.0
    s = early(y, y[1:])
    return s * np.sum(y * y)


@CASES.refused(vec(6), 2.0, wrt=(0, 1), final=("x",), row="27")
def parts_of_an_argument(x, k):
    squares_added(x[1:], x[:-1])
    return np.sum(x * k)


def through_another_function(u, w):
    squares_added_one_by_one(u, w)
    u[0] *= w[-1]


@CASES.add(vec(5), row="27")
def two_functions_deep(x):
    u = x * 1.0
    through_another_function(u[1:], u[:-1])
    return np.sum(u * u)


def comprehension(a, b):
    n = [k for k in range(len(a)) if k % 2 == 0]
    names = {str(k): len(a) - k for k in n}
    for k in n:
        a[k] = b[k] * b[k + 1] * names[str(k)]


@CASES.add(vec(5), row="27")
def names_inside_names(x):
    a = x * 1.0
    n = 2.0
    k = 1
    comprehension(a[:-1], a[1:])
    return n * np.sum(a * a) * k


def caught(a, b):
    try:
        a[0] = b[1] * b[2]
        a[7] = 1.0
    except IndexError:
        b[0] = a[0] * 2.0


@CASES.add(vec(5), row="27")
def with_a_handler(x):
    y = x * 1.0
    caught(y, y[1:])
    return np.sum(y * y)


def recursive(a, b):
    if len(a) > 1:
        a[0] = b[0] * b[1]
        recursive(a[1:], b[1:])


@CASES.never(vec(5), code="AD303", row="27")
def recursion(x):
    y = x * 1.0
    recursive(y[:-1], y[1:])
    return np.sum(y * y)


# A tuple of arrays that is passed, or returned, and of which one is written: the function alone, or
# its caller alone, cannot tell which array that is.


def first_gets(pair):
    a, b = pair
    a[0] = b[1] * b[0]
    b *= 2.0


def each_grows(arrays, k):
    for a in arrays:
        a *= k * a


def halves(a):
    return a[:3], a[3:]


def by_size(a, b):
    if a[0] > b[0]:
        return a[:2], b
    return b[1:3], a


def every_third(a):
    return [a[k::3] for k in range(3)]


@CASES.add(vec(6), row="38")
def items_of_a_tuple_that_is_passed(x):
    y, z = x * 1.0, x**2
    first_gets((y, z))
    first_gets((z[1:], y[:-1]))
    return np.sum(y * z)


@CASES.refused(vec(6), row="38", code="AD301/AD302/AD303")
def loop_over_a_tuple_that_is_passed(x):
    y, z = x * 1.0, x**2
    each_grows((y, z), x[0])
    each_grows((z[::-1], y), x[1])
    return np.sum(y * z)


@CASES.refused(vec(6), row="38", code="AD301/AD302")
def views_returned_in_a_tuple(x):
    y = x * 1.0
    p, q = halves(y)
    p += q * q
    q += p
    return np.sum(y * y)


@CASES.refused(vec(6), row="38", code="AD301/AD302")
@CASES.refused(vec(6)[::-1].copy(), row="38", code="AD301/AD302")
def one_or_the_other_returned_in_a_tuple(x):
    y, z = x * 1.0, x[::-1] ** 2
    p, q = by_size(y, z)
    p *= q[1]
    q[0] = p[1] * 2.0
    return np.sum(y * z)


@CASES.add(vec(6), row="38")
def views_returned_in_a_loop(x):
    y, s = x * 1.0, 0.0
    for i in range(3):
        p, q = halves(y)
        p[i] += q[0] * q[i]
        q *= 1.1
        s += p[0]
        if s > 3.0:
            break
    return s * np.sum(y * y)


@CASES.refused(vec(6), row="38", code="AD301/AD302")
def views_returned_in_a_list(x):
    y = x * 1.0
    p, q, r = every_third(y)
    p += q * q
    q[0] = p[1]
    r[0] = p[1] * q[0]
    return np.sum(y * y)


def leap(state, x):
    q, p = state
    p = p - q * x
    q += p
    return q, p


@CASES.add(vec(6), row="38")
def pair_from_a_function_in_a_loop(x):
    state = (x * 1.0, x**2)
    for _ in range(3):
        state = leap(state, x)
    return np.sum(state[0] * state[1])


@CASES.add(vec(6), row="38")
def pair_from_a_function_or_from_elsewhere(x):
    state = (x * 1.0, x**2)
    for i in range(4):
        if i == 2:
            state = (x * 3.0, x + 1.0)
        state = leap(state, x)
    return np.sum(state[0] * state[1])
