"""Programs in which a name means arrays of several shapes, as a branch or a loop decides."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, mat, vec

CASES = Programs("shapes")


@CASES.add(vec(5), 1)
@CASES.add(vec(5), 2)
def cut_on_one_branch(x, k):
    t = x * 2.0
    if k > 1:
        t = t[1:]
    return np.sum(t * t)


@CASES.add(vec(5), 3)
def cut_while(x, k):
    t = np.asarray(x)
    while k > 1:
        t = t[1:]
        k -= 1
    return np.sum(t * t)


@CASES.add(1.5)
@CASES.add(vec(3))
def at_least_one_axis(x):
    t = np.asarray(x, dtype=float)
    if t.ndim == 0:
        t = t[None]
    return np.sum(t * t)


@CASES.add(vec(4), 2)
@CASES.add(vec(4), 0)
def made_longer_in_a_loop(x, k):
    t = np.sin(x)
    for _ in range(k):
        t = np.concatenate([t, t * t])
    return np.sum(t)


@CASES.add(mat(3, 2), True)
@CASES.add(mat(3, 2), False)
def summed_on_one_branch(x, flat):
    t = x * x
    if flat:
        t = np.sum(t, axis=0)
    else:
        t = np.diff(t, axis=0)
    return np.sum(t**2)


@CASES.add(mat(3, 2))
def transposed_and_flattened(x):
    t = x * x
    for _ in range(2):
        t = t.T
        t = np.outer(t[0], t[:, 1])
    if t[0, 0] > 0.0:
        t = t.reshape(-1)
    return np.sum(t**2)


@CASES.add(vec(3))
@CASES.add(1.5)
def checked_on_entry(x):
    def array_of(t):
        if isinstance(t, (int, float, np.ndarray)):
            t = np.asarray(t, dtype=float)
            if t.ndim == 0:
                t = t[None]
        else:
            raise TypeError
        if t.size == 0:
            raise ValueError
        return t

    return np.sum(array_of(x) ** 2)


@CASES.add(vec(3))
def caught_after_all(x):
    s = 1.0
    try:
        if x[0] > 0.0:
            s = np.sum(x * x)
        else:
            s = x[1]
            raise ValueError
        s = s * x[2]
    except ValueError:
        s = s * 3.0
    return s


@CASES.add(-vec(3), default="ok/MutationError", save="ok/MutationError")
def caught_at_once(x):
    s = x[2]
    try:
        if x[0] > 0.0:
            s = np.sum(x * x)
        else:
            s = s * x[1]
            raise ValueError
        s = s * x[2]
    except ValueError:
        s = s * 3.0
    return s


# A loop that makes what it carries longer or shorter: each iteration has adjoints of its own size.


@CASES.add(vec(5), np.array([0.25, 1.2, 0.1]))
def selected_anew_in_each_iteration(x, levels):
    s = 0.0
    z = x[x > 0.0]
    for level in levels:
        y = x[x > level]
        s = s + np.sum(z) * np.sum(y * y)
        z = y * 2.0
    return s + np.sum(z * z)


@CASES.add(mat(5, 5))
def coarser_and_coarser(a):
    z = a * 1.5
    s = 0.0
    for _ in range(3):
        s += np.sum(z[0] ** 2)
        z = z[1:, :-1] * z[:-1, 1:]
    return np.sum(z) + s


@CASES.refused(vec(5))
def many_then_one(x):
    z = x * 1.5
    s = 0.0
    for _ in range(2):
        s = s + np.sum(z * z) * z[-1]
        z[-1] = 2.0
        z = z[-1:] * x[0]
    return s + np.sum(z)


@CASES.add(vec(5))
def one_then_many(x):
    z = x[:1] * 2.0
    s = 0.0
    for _ in range(3):
        s = s + np.sum(z * x)
        z = z * x
    return s + np.sum(z)


@CASES.add(vec(5), 2)
@CASES.add(vec(5), 0)
def longer_after_the_first_iteration(x, k):
    z = x[:2] * 1.0
    s = 0.0
    for _ in range(k):
        s += np.sum(z**2)
        z = x * 2.0
    return np.sum(z) + s


@CASES.add(vec(5), 3)
def longer_on_one_branch(x, k):
    z = x[:2] * 1.0
    s = 0.0
    for n in range(k):
        if n % 2 == 0:
            s += np.sum(z**2)
        else:
            z = np.concatenate([z, z * 2])
    return np.sum(z) + s


@CASES.add(vec(5))
def pairs_until_one_is_left(x):
    z = x.copy()
    while z.size > 1:
        if z.size % 2:
            z = np.append(z, 0.0)
        z = z[0::2] + z[1::2] * z[0::2]
    return z[0]


@CASES.add(vec(5))
def means_of_neighbours(x):
    level = x.copy()
    levels = []
    while level.size > 1:
        levels.append(level)
        level = 0.5 * (level[:-1] + level[1:]) ** 2
    return level[0] + sum(np.sum(one**2) for one in levels)


@CASES.add(vec(5), np.array([0.25, 1.2, 0.1]))
def left_in_the_middle(x, levels):
    k = 0
    z = x[x > 0.1]
    while True:
        v = x[x > levels[k]]
        if k == 2:
            break
        z = v * v
        k += 1
    return np.sum(z * z) * np.sum(v)


@CASES.add(vec(5), np.array([0.25, 1.2, 0.1]))
def one_of_an_unknown_number(x, levels):
    s = 0.0
    for level in levels:
        y = x[x > level]
        w = x[x > 1.4]
        t = y * w
        s += np.sum((t + y) * t)
    return s


@CASES.add(vec(3))
def one_name_in_two_loops_that_are_left(x):
    n = 0
    while True:
        n += 1
        if n % 2:
            item = n * x
            break
    a = item
    while True:
        n += 1
        if n % 2:
            item = n * x
            break
    return np.sum(a * x + item**2)


# Numbers that are spread again, views whose base is bound anew, loops that are left in the middle.


@CASES.add(vec(4))
def a_mean_spread_in_each_iteration(x):
    y = np.exp(x)
    for _ in range(2):
        y = np.mean(y) + x
    return np.sum(y * y)


@CASES.add(vec(4))
def a_mean_put_in_front_in_each_iteration(x):
    y = np.exp(x)
    for _ in range(2):
        y = np.append(np.mean(y), x)
    return np.sum(y * y)


@CASES.add(vec(3))
def columns_of_means(x):
    a = np.outer(x, x)
    for _ in range(2):
        a = np.mean(a, axis=0)[:, None] + x
    return np.sum(a * a)


@CASES.add(vec(5))
def the_base_of_a_view_bound_anew(x):
    y = x * x
    if x[0] > 0:
        a = y[:1]
        y = a * a[0]
    return np.sum(y)


@CASES.add(vec(5))
def the_base_of_a_view_bound_anew_in_a_loop(x):
    y = x * x
    for _ in range(2):
        tail = y[1:]
        z = tail[0]
        y = tail / z
    return np.sum(y * y)


@CASES.add(vec(5), **later("AD201"))
def returned_in_the_middle(x):
    y = x
    while True:
        y = y[1:]
        if y.size < 2:
            return np.sum(y)
        y = np.full(2, y[0] * y[1])


@CASES.add(vec(6), **later("AD201"))
def left_after_it_got_shorter(x):
    y = x
    while True:
        y = y[y > 0.1]
        if y.size < 3:
            break
        y = y[:-1]
    return np.sum(y**2)


@CASES.add(vec(6))
def two_that_change_places_and_sizes(x):
    a = x * 1.0
    b = x[:1] * 1.0
    for _ in range(9):
        a, b = a[1:] * b[0], np.append(b, a[0])
        if a.size < 2:
            break
        a = a + b[-1]
        b = b * a[0]
    return np.sum(a) + np.sum(b)


# In save mode, rows of a pool: the name of the index may be another loop's by then.


@CASES.refused(vec(6))
def an_index_with_the_name_of_an_inner_one(x):
    w, z = x, x * x
    for k in range(3):
        for k in range(2):
            z = z + 0.5
        w = w * np.sin(w)
    z[:1] *= x[0]
    return np.sum(w) + np.sum(z)


@CASES.refused(vec(6))
def an_index_that_an_inner_loop_leaves_elsewhere(x):
    z = x * x
    for k in range(3):
        for k in range(1, 5):
            z[k - 1] = z[k] * z[k - 1]
        z[:2] *= z[2]
    return np.sum(z)


@CASES.refused(vec(6))
def an_index_that_is_bound_again(x):
    z = x * x
    for k in range(3):
        k = 1
        z[:2] *= z[2] * z[k]
        z[2] *= z[0]
    return np.sum(z)


@CASES.add(mat(3, 4), 0)
@CASES.add(mat(3, 4), 1)
@CASES.add(mat(3, 4), -1)
def written_along_an_axis_that_is_passed(q, axis):
    s = np.diff(q, axis=axis)
    s[s < 0.1] *= 0.5
    s += 1.0
    return np.sum(s * s)


@CASES.add(mat(3, 4), 0)
@CASES.add(mat(3, 4), 1)
def view_along_an_axis_that_is_passed(q, axis):
    q = q * 1.0
    s = np.flip(q, axis=axis)
    s[0] *= 2.0
    return np.sum(s * q)


@CASES.add(mat(3, 4), 0)
@CASES.add(mat(3, 4), 2)
def new_axis_that_is_passed(q, axis):
    e = np.expand_dims(q, axis=axis)
    e[0] += 1.0
    return np.sum(e * e * np.expand_dims(q, axis=axis))


@CASES.refused(mat(3, 4), 2)
def along_one_axis_after_the_other(q, n):
    q = q.copy()
    for axis in range(n):
        q += 0.1 * np.roll(q, 1, axis=axis)
        m = np.max(q, axis=axis)
        m *= m
        q[0, 0] += m[0]
    return np.sum(q**2)
