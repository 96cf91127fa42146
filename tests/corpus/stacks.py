"""Stacks of pairs, lists made of tuples, sums over what is still empty, arrays of new rows."""

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("stacks")


@CASES.add(vec(5))
def pooled_neighbours(y):
    blocks = []
    for v in y:
        blocks.append((v, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            b = blocks.pop()
            a = blocks.pop()
            mean = (a[0] * a[1] + b[0] * b[1]) / (a[1] + b[1])
            blocks.append((mean, a[1] + b[1]))
    fitted = []
    for v, count in blocks:
        fitted.extend([v] * count)
    return sum(v * v * (k + 1) for k, v in enumerate(fitted))


@CASES.add(vec(5))
def pooled_in_lists(y):
    blocks = []
    for v in y:
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            b = blocks.pop()
            a = blocks.pop()
            blocks.append([(a[0] * a[1] + b[0] * b[1]) / (a[1] + b[1]), a[1] + b[1]])
    fitted = []
    for v, count in blocks:
        fitted.extend([v] * count)
    return sum(v * v * (k + 1) for k, v in enumerate(fitted))


@CASES.add(vec(4))
def discount_factors(rates):
    found = []
    for r in rates:
        found.append((1 - r * sum(found)) / (1 + r))
    return found[-1] * sum(found)


@CASES.add(mat(3, 4), 1.2)
def rolled_rows(rho, tau):
    w = [1.0, 2.0, 3.0]
    f = np.array([w[i] * rho for i in range(3)])
    for i in range(3):
        f[i] = np.roll(f[i], 1, axis=0)
    return np.sum(f.sum(axis=0) ** 2) * tau


@CASES.add(mat(4, 2))
def triangles(xy):
    s = 0.0
    for t in [(0, 1, 2), (1, 2, 3)]:
        t = list(t)
        x, y = xy[t, 0], xy[t, 1]
        s += (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    return s**2


@CASES.add(vec(5))
def a_list_made_of_a_tuple(x):
    t = (x[0], 1.0, x[2])
    u = tuple(t) + (x[3],)
    items = list(u)
    items[1] = x[1] * items[0]
    items.append(x[4] * 2)
    a, b, c, d, e = tuple(items)
    return a * b + c * d * e + u[-1] + sorted(t)[1] * sorted(t, reverse=True)[0]


@CASES.add(mat(5, 1))
def a_shape_that_is_edited(x):
    shape = list(x.shape)
    shape[0], shape[1] = shape[1], shape[0]
    return np.sum(x.reshape(shape) ** 2)


def both(x):
    return x[0] * x[1], x[2]


@CASES.add(vec(3))
def a_list_made_of_a_result(x):
    items = list(both(x))
    items[0] += 1.0
    items[1] *= items[0]
    return items[0] * items[1]


@CASES.add(vec(3))
def a_list_after_constants(x):
    values = [1.0, 2.0]
    more = values + [x[0]]
    values = values + [x[1] * x[1]]
    values = [x[2]] + values
    return more[2] * values[3] * values[0] + values[1] * more[0]


def after(head, v):
    return head + [v]


@CASES.add(vec(3))
def a_list_after_constants_in_a_callee(x):
    both = after([1.0, 2.0], x[0])
    both[0] = x[1] * x[2]
    return both[0] * both[2] + sum([1.0, 2.0], x[1]) * both[1]


@CASES.add(vec(3))
def an_item_by_its_own_name(x):
    values = [x[0], x[1] * x[2], 1.0]
    k = 1
    k = values.pop(k)
    return k * values[0]


# A list under two names, whose length changes under one of them, and the other is bound anew.


@CASES.add(vec(4))
def shortened_under_another_name(x):
    a = [x[0], x[1], x[2]]
    b = a
    b.pop()
    a = a[:1]
    return b[-1] ** 2 * b[0] + a[-1]


@CASES.add(vec(4))
def lengthened_under_another_name(x):
    a = [x[0], x[1], x[2]]
    b = a
    b.append(x[3])
    a = a + [1.0]
    return b[-1] ** 2 * b[0]


@CASES.add(vec(4))
def lengthened_when_the_name_is_gone(x):
    a = [x[0], x[1], x[2]]
    b = a
    a = a + [1.0]
    b.append(x[3])
    return b[-1] ** 2 * b[0] * a[0]
