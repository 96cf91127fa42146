"""Programs that users write with buffers, parts and work arrays; what needs a copy gets one."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("saved")

OVERWRITTEN = "MutationError/AD301/AD302/AD303/AD304"


# Parts of one array, written through the list or tuple that they are in.


@CASES.refused(vec(4), code=OVERWRITTEN)
def parts_of_a_split_array(x):
    parts = np.split(x.copy(), 2)
    parts[0] += parts[1] ** 2
    parts[1] *= parts[0]
    return np.sum(parts[0] * parts[1])


@CASES.add(vec(6), verdicts={"parts[i] +=": "safe/by value"})
def parts_at_computed_places(x):
    y = x * 1.0
    parts = np.split(y, 3)
    for i in range(1, 3):
        parts[i] += 2.0 * parts[i - 1]
    return np.sum(y * x)


@CASES.refused(vec(8), code=OVERWRITTEN)
def loop_over_parts(x):
    y = x.copy()
    for p in np.array_split(y, 3):
        p *= np.sum(p)
    return np.sum(y**2)


@CASES.refused(mat(2, 4), code=OVERWRITTEN)
def halves_by_name(x):
    y = x.copy()
    a, b = np.hsplit(y, 2)
    a += b * a
    b[:] = np.sin(a)
    return np.sum(y**2)


@CASES.add(vec(4), 3)
def parts_that_change_places(x, steps):
    y = x.copy()
    parts = np.split(y, 2)
    for _ in range(steps):
        parts[0] += 0.5 * parts[1]
        parts.reverse()
    return np.sum(y * x) + parts[0][0]


# A view that a function returns, and the array behind it.


def _tail(y):
    return y[2:]


@CASES.refused(vec(5), code="AD302")
def written_through_the_part_that_a_callee_returned(x):
    y = x * 1.0
    v = _tail(y)
    z = y[2:] * y[2:]
    v[0] = 5.0
    return np.sum(z) + np.sum(y)


# Dictionaries of arrays whose names are in a list.


@CASES.add(vec(4))
def entries_by_a_list_of_names(x):
    names = ["u", "v", "w"]
    state = {k: (i + 1) * x for i, k in enumerate(names)}
    for k in names:
        state[k][1:] += 0.5 * state["u"][:-1]
    return np.sum(state["u"] * state["v"] * state["w"])


# Exceptions in the middle of a loop or branch: with copies, each iteration has its own `try`.

HALF = "MutationError/ok"


@CASES.add(vec(4), default=HALF)
def an_index_error_ends_a_loop(x):
    s = 1.0
    y = x.copy()
    try:
        for i in range(6):
            y[i] *= s
            s = s * y[i]
    except IndexError:
        s = 2.0 * s
    return s + np.sum(y)


@CASES.add(vec(4), default=HALF)
@CASES.add(vec(4) * 0.5, default=HALF)
def raised_in_a_loop(x):
    s = 1.0
    try:
        for v in x:
            s = s * v
            if v > 1.0:
                raise ValueError
    except ValueError:
        s = 2.0 * s
    return s


@CASES.add(vec(4), default=HALF)
@CASES.add(vec(4) * 0.5, default=HALF)
@CASES.add(vec(4) * 3, default=HALF)
def raised_before_in_or_behind_a_loop(x):
    s = x[0]
    y = x.copy()
    try:
        s = s * x[1]
        y[0] = s
        if s > 3.0:
            raise KeyError
        for i in range(len(x)):
            s = s * y[i]
            y[i] *= s
            if x[i] > 1.2:
                raise ValueError
            s = s + 1.0
        y[2] *= 2.0
        s = s * y[2]
    except ValueError as e:
        s = 2.0 * s
        y[1] = s * y[2]
    except (KeyError, IndexError):
        s = s * s
    else:
        s = s * 3.0
    finally:
        y[3] *= x[0]
    return s + np.sum(y * y)


@CASES.add(vec(4), default=HALF)
@CASES.add(vec(4) * 0.1, default=HALF)
def raised_in_a_while_loop(x):
    s = x[0]
    k = 0
    try:
        while s < 10.0:
            s = s + x[k] * s
            k += 1
            s = s * x[k]
    except IndexError:
        s = s**2
    return s


@CASES.add(vec(4), 0, default=HALF)
@CASES.add(vec(4), 1, default=HALF)
@CASES.add(vec(4), 5, default=HALF)
def raised_in_nested_loops(x, n):
    s = 1.0
    y = x.copy()
    for m in range(3):
        try:
            for i in range(3):
                for j in range(n):
                    y[i + j] *= s
                    s = s + y[j] * x[i]
                s = s * y[i + m]
        except IndexError:
            s = 0.5 * s
            continue
        s = s * 1.1
    return s + np.sum(y)


@CASES.add(vec(4), default=HALF)
@CASES.add(vec(4) * 2, default=HALF)
@CASES.add(vec(4) * 0.5, default=HALF)
def left_in_every_way(x):
    s = 1.0
    try:
        for i in range(9):
            s = s * x[i]
            if s > 2.0:
                break
            if s < 0.2:
                return s * s
            s = s + x[i + 1]
    except IndexError:
        s = s * 3.0
    return s


@CASES.add(vec(4), True, default=HALF)
@CASES.add(vec(4), False, default=HALF)
def raised_in_a_loop_in_a_branch(x, c):
    s = 1.0
    try:
        if c:
            for i in range(9):
                s = s * x[i]
        else:
            s = s * x[1]
            s = s * x[4]
        s = s * 7.0
    except IndexError:
        s = s * 3.0
    return s


@CASES.add(vec(4), default=HALF)
def raised_in_a_loop_over_pairs(x):
    s = 0.0
    acc = []
    try:
        for i, (a, b) in enumerate(zip(x, x[1:])):
            acc.append(a * b)
            s = s + acc[i] * acc[2 * i]
    except IndexError:
        s = s * acc[-1]
    return s * sum(acc)


@CASES.add(vec(4), 0.5, default=HALF)
@CASES.add(vec(4), 2.0, default=HALF)
@CASES.add(vec(4), -1.0, default=HALF)
def raised_in_branches(x, a):
    y = x.copy()
    s = a
    try:
        s = s * y[0]
        if a > 1.0:
            s = s * y[1]
            y[2] *= s
            s = s * y[9]
        elif a > 0:
            y[1] += s
            s = y[1] * y[2]
            if y[1] > 0.1:
                y[3] = s * s
                raise KeyError
            s = s * 2
        y[0] += s
    except IndexError:
        s = s + 1.0
    except LookupError as e:
        s = s * 5.0 * len(e.args) + s**2
    return s + np.sum(y**2)


@CASES.add(vec(4), 3, default=HALF)
@CASES.add(vec(4), 9, default=HALF)
def iteration_that_ends_with_an_exception(x, n):
    u = x.copy()
    it = 0
    try:
        while True:
            r = u**2 - 2.0
            u -= r / (2 * u)
            it += 1
            if np.max(np.abs(r)) < 1e-6:
                raise StopIteration
            if it >= n:
                raise RuntimeError("no")
            u[0] += 0.1 * x[1]
    except StopIteration:
        pass
    except RuntimeError:
        u *= 2.0
    return np.sum(u**3)


@CASES.add(vec(4), default=HALF)
def list_that_grew_before_the_exception(x):
    out = []
    for k in range(3):
        try:
            for v in x:
                out.append(v * v)
                if len(out) > 5:
                    raise OverflowError
                out.append(v)
        except OverflowError:
            out.pop()
            break
    return sum(out)


@CASES.add(vec(4), vec(4, 0.2), wrt=(0, 1), final=("y",), default=HALF)
def argument_written_before_the_exception(x, y):
    try:
        for i in range(5):
            y[i] *= x[i]
            y[0] += y[i]
    except IndexError:
        y *= 2.0
    return np.sum(y)


# Names that mean one of several arrays, where exceptions are caught.

ANY = "ok/MutationError/AD301/AD302/AD303/AD304"


@CASES.add(vec(4), default=ANY)
def try_split(x):
    y = x.copy()
    parts = np.split(y, 2)
    try:
        for i in range(3):
            parts[i] *= x[i]
    except IndexError:
        pass
    return np.sum(y * y)


@CASES.add(vec(4), 0, default=ANY)
@CASES.add(vec(4), 1, default=ANY)
@CASES.add(vec(4), 2, default=ANY)
@CASES.add(vec(4), 3, default=ANY)
def raised_between(x, k):
    a, b = x.copy(), x * 2.0
    c = a
    try:
        c[0] *= x[1]
        if k == 1:
            raise KeyError
        c = b if k > 1 else a
        c[1] = c[0] * x[2]
        if k == 2:
            raise ValueError
        c, a = a, c
        c[2] += a[1] ** 2
    except KeyError:
        c[3] = c[0] ** 2
    except ValueError:
        a = c
        a[3] = 2.0 * x[0] * b[1]
    return np.sum(a * b) + np.sum(c)


@CASES.add(vec(4), 0, default=ANY)
@CASES.add(vec(4), 1, default=ANY)
@CASES.add(vec(4), 5, default=ANY)
def in_loops(x, k):
    bufs = [x.copy(), np.zeros(4)]
    a, b = bufs
    for t in range(4):
        try:
            b[1:] = 0.5 * a[:-1] + x[1:]
            if t == k:
                raise RuntimeError
            a, b = b, a
            a[0] = x[t] * b[1]
            if t == k + 2:
                raise RuntimeError
        except RuntimeError:
            b[0] += x[0] * a[2]
            a, b = b, a
        else:
            a *= 1.1
    return np.sum(a * a) + np.sum(b)


@CASES.add(vec(4), 0, default=ANY)
@CASES.add(vec(4), 2, default=ANY)
def new_in_try(x, k):
    a = x.copy()
    y = a
    for t in range(3):
        try:
            y = y * x
            if t == k:
                raise ArithmeticError
            z = y if t > 0 else a
            z[t] = x[0] * z[t + 1]
        except ArithmeticError:
            y[0] = 3.0 * x[1]
            y = a
    return np.sum(y * a)


def chosen(a, b, i):
    if i > 2:
        raise LookupError
    return a if i % 2 else b


@CASES.add(vec(4), default=ANY)
def callee_raises(x):
    a, b = x * 2.0, x**2
    s = 0.0
    for i in range(4):
        try:
            c = chosen(a, b, i)
            c[i] *= x[0]
        except LookupError:
            c[0] = s * x[1]
        s = s + np.sum(c * x)
    return s + np.sum(a * b)


@CASES.add(vec(4), default=ANY)
def rows_in_try(x):
    rows = [[v, 1.0] for v in x]
    k = int(x[0] > 0.5)
    try:
        rows[k][1] = rows[k - 1][0] * x[2]
        rows[7][0] = x[1]
    except IndexError:
        rows[k][0] = rows[k][1] * x[0]
    return rows[k][1] * rows[k][0]


@CASES.add(vec(4), 2, default=ANY)
@CASES.add(vec(4), 9, default=ANY)
def list_of_arrays_try(x, n):
    hist = [x.copy(), x * 2.0]
    s = 0.0
    for t in range(4):
        try:
            hist.append(hist[t] * x)
            hist[n][0] *= x[t]
            s = s + np.sum(hist[t] ** 2)
        except IndexError:
            hist[-1][1] = s * x[0]
            hist.pop(0)
            hist.append(x * 3.0)
    return s + np.sum(hist[0] * hist[-1])


# Functions that write what is in a list that they are given.


def _idx_scale(arrs, i, c):
    arrs[i] *= c
    arrs[i][0] += c


@CASES.add(vec(4), default=ANY)
def helper_index_scale_and_read(x):
    a = x.copy()
    arrs = [a, 2.0 * x, x**2]
    for i in range(3):
        _idx_scale(arrs, i, x[i])
        a[1] *= 1.1
    b = arrs[1]
    _idx_scale(arrs, 1, x[3])
    b[2] = a[1] ** 2
    return np.sum(arrs[0] * arrs[1] * arrs[2]) + np.sum(a * b)


def swap(arrs, i, j):
    arrs[i], arrs[j] = arrs[j], arrs[i]
    arrs[i][0] *= 2.0


@CASES.add(vec(4), default=ANY)
def helper_swaps(x):
    arrs = [x.copy(), 2.0 * x]
    for k in range(3):
        swap(arrs, 0, 1)
        arrs[k % 2][1] += x[0] ** 2
    return np.sum(arrs[0] ** 2 * x) + np.sum(arrs[1])


def push_and_edit(arrs, u, k):
    arrs.append(u * u)
    arrs[k][0] = arrs[-1][1]


@CASES.add(vec(4), default=ANY)
def helper_pushes(x):
    arrs = [x.copy()]
    for k in range(3):
        push_and_edit(arrs, x * (k + 1), k)
    return sum(np.sum(a**2) for a in arrs)


@CASES.add(vec(4), default=ANY)
def same_twice(x):
    a = x * 2
    arrs = [a, a, x**2]
    for i in range(3):
        _idx_scale(arrs, i, x[i])
    return np.sum(arrs[0] * arrs[1] * arrs[2])


def inner(arrs, i):
    _idx_scale(arrs, i, 2.0)
    arrs[i] += arrs[i - 1]


@CASES.add(vec(4), default=ANY)
def nested_calls(x):
    arrs = [x.copy(), 2.0 * x, x**2]
    for i in range(3):
        inner(arrs, i)
    return np.sum(arrs[0] * arrs[1] * arrs[2])


def upd(params, grads, lr):
    for k in range(len(params)):
        params[k] -= lr * grads[k]


@CASES.add(vec(4), default=ANY)
def optimizer(x):
    params = [x.copy(), x[:2] * 2]
    for t in range(3):
        grads = [params[0] ** 2, np.sin(params[1]) * params[0][:2]]
        upd(params, grads, 0.1)
    return np.sum(params[0] ** 2) + np.sum(params[1] ** 3)


def parts_helper(parts, i, c):
    parts[i] *= c


@CASES.add(vec(4), default=ANY)
def split_into_helper(x):
    y = x.copy()
    parts = np.split(y, 2)
    for i in range(2):
        parts_helper(parts, i, x[i])
    return np.sum(y**2)


def _scale_lin(arrs):
    for a in arrs:
        a *= 2.0
        a[0] += 1.0


@CASES.add(vec(4), 3, default=ANY)
def overlapping_comp2(x, n):
    y = x.copy()
    parts = [y[i : i + 2] for i in range(n)]
    _scale_lin(parts)
    return np.sum(y * x)


@CASES.add(vec(4), 3, default=ANY)
def overlapping_append(x, n):
    y = x.copy()
    parts = []
    for i in range(n):
        parts.append(y[i:])
    _scale_lin(parts)
    return np.sum(y * x)


def work(arrs, k, c):
    arrs[k] *= c
    arrs[k - 1][0] = arrs[k][1] * arrs[0][0]
    t = arrs[k] if c > 0.7 else arrs[0]
    t[-1] += c * arrs[1][0]
    return arrs[0][0] + t[0]


@CASES.add(vec(4), 3, default=ANY)
def work_on_overlapping_views(x, n):
    y = x.copy()
    parts = [y[i : i + 2] for i in range(n)]
    s = work(parts, 1, x[0])
    y[1] *= x[1]
    s = s + work(parts, 2, x[1])
    return np.sum(y**2) + s + parts[0][1]


@CASES.add(vec(4), 3, default=ANY)
def work_on_views_and_copies(x, n):
    y = x.copy()
    parts = []
    for i in range(n):
        parts.append(y[: i + 2])
        parts.append(x * 2)
    s = work(parts, 1, x[0])
    s = s * work(parts, 2, x[1])
    return np.sum(y**2) + s + parts[0][1] * parts[1][0]


@CASES.add(vec(4), 2, default=ANY)
def work_on_parts_and_the_whole(x, n):
    y = x * 1.0
    parts = np.split(y, 2)
    parts.append(y)
    for i in range(n):
        s = work(parts, i, x[i])
        parts[i], parts[0] = parts[0], parts[i]
    return np.sum(y**2) + s


@CASES.add(vec(4), 2, default=ANY)
def work_on_one_array_twice(x, n):
    y = x * 1.0
    z = x * 2.0
    parts = [y, z, y]
    for i in range(n):
        s = work(parts, i, x[i])
        z = z * s
        parts[1] = z
    return np.sum(y**2) + s + np.sum(z)


@CASES.add(vec(4), 2, default=ANY)
def work_on_a_list_that_grows(x, n):
    arrs = []
    for i in range(n + 1):
        u = x * (i + 1)
        arrs.append(u)
        if i > 0:
            u[0] = work(arrs, 1, x[i])
    return sum(np.sum(a**2) for a in arrs)


def outer(arrs, c):
    for k in range(len(arrs)):
        work(arrs, k, c)
    more = [arrs[0], arrs[1] * 2]
    work(more, 0, c)
    return more


@CASES.add(vec(4), 2, default=ANY)
def work_by_two_functions(x, n):
    arrs = [x * (i + 1.0) for i in range(n)]
    m = outer(arrs, x[0])
    return np.sum(arrs[0] * arrs[1]) + m[1][0]


@CASES.add(vec(4), 2, default=ANY)
def simplex(x, n):
    pts = [x * (1.0 + i) for i in range(3)]
    for it in range(n):
        vals = [np.sum(p**2) for p in pts]
        order = np.argsort(vals)
        pts = [pts[k] for k in order]
        pts[2] += 0.3 * (pts[0] - pts[2])
        pts[1][0] = pts[0][1] * pts[2][0]
    return np.sum(pts[0] * pts[2]) + np.sum(pts[1])


@CASES.add(vec(4), default=ANY)
def split_twice(x):
    y = x.copy()
    parts = np.split(y, 2) + np.split(y, 4)
    parts[0][0] *= parts[3][0]
    parts[2] *= 2.0
    return np.sum(y * x)


@CASES.add(vec(4), 1, default=ANY)
def sliced(x, k):
    rows = [x * (i + 1.0) for i in range(4)]
    part = rows[1:3]
    part[k] *= rows[0]
    rows[k + 1][0] = part[0][1] ** 2
    more = part + rows[:1] * 2
    more[-1][2] += more[0][1] * 2
    return sum(np.sum(r * r) for r in rows) + np.sum(more[2] * part[1])


@CASES.add(vec(4), 1, default=ANY)
def copied(x, k):
    rows = [x * (i + 1.0) for i in range(3)]
    c = rows.copy()
    c[k] *= x[0]
    d = list(rows)
    d.append(c[0])
    d[3][0] = 3.0 * x[1]
    e = d[::-1]
    e[0][1] *= e[1][0]
    return sum(np.sum(r * r) for r in rows)


# Functions that return what is in a list, or put their arguments into one; lists that are sorted.


def _scale_one(arrs, i, c):
    a = arrs[i]
    a *= c
    return a


def tail_of(arrs, i):
    return arrs[i][1:]


def fresh_or_item(arrs, i):
    if i > 0:
        return arrs[i] * 2.0
    arrs[i][0] *= 3.0
    return arrs[i]


def popped(arrs):
    arrs[0][1] *= 2.0
    return arrs.pop()


@CASES.add(vec(4), default=ANY)
def returned_item(x):
    arrs = [x.copy(), 2.0 * x]
    b = _scale_one(arrs, 1, x[0])
    b[0] = x[1] ** 2
    return np.sum(arrs[0] * arrs[1])


@CASES.add(vec(4), default=ANY)
def returned_items_and_views(x):
    arrs = [x.copy(), 2.0 * x]
    for k in range(2):
        b = _scale_one(arrs, k, x[0])
        t = tail_of(arrs, 1 - k)
        t[0] *= b[1]
        b[2:] += t[1:] * x[0]
    return np.sum(arrs[0] * arrs[1]) + np.sum(b[1:] * t)


@CASES.add(vec(4), default=ANY)
def returned_item_or_a_new_array(x):
    arrs = [x.copy(), 2.0 * x]
    for k in range(3):
        b = fresh_or_item(arrs, k % 2)
        b[0] = x[1] * b[1]
        arrs[1][1] += b[0] ** 2
    return np.sum(arrs[0] * arrs[1]) + np.sum(b)


@CASES.add(vec(4), default=ANY)
def item_popped_by_a_function(x):
    arrs = [x.copy(), 2.0 * x, x**2]
    b = popped(arrs)
    b[0] *= arrs[1][0]
    c = popped(arrs)
    c += b * x
    return np.sum(arrs[0] * c) + np.sum(b * x)


@CASES.add(vec(4), default=ANY)
def returned_item_that_overlaps(x):
    y = x.copy()
    arrs = [y, y[1:], x * 2]
    b = _scale_one(arrs, 1, x[0])
    y[1] *= b[2]
    b[0] = x[1] * y[0]
    return np.sum(arrs[0] * x) + np.sum(b * b)


@CASES.add(vec(4), 2, default=ANY)
def returned_item_put_back(x, n):
    arrs = []
    for i in range(n + 1):
        arrs.append(x * (i + 1))
        b = _scale_one(arrs, i, x[0])
        arrs.append(b)
        b[0] = arrs[0][1] * x[2]
    return sum(np.sum(a * a) for a in arrs)


def push_given(arrs, u, k):
    arrs.append(u)
    arrs[k][0] = u[1] * 2.0


def push_first(u, arrs, k):
    arrs[0] = u
    arrs[k][0] = u[1] * arrs[1][1]
    u *= 2.0


def push_only(arrs, u):
    arrs.append(u)


@CASES.add(vec(4), default=ANY)
def put_in_by_a_function(x):
    arrs = [x.copy()]
    for k in range(3):
        u = x * (k + 1)
        push_given(arrs, u, k)
        u[2] *= x[0]
    return sum(np.sum(a**2) for a in arrs)


@CASES.add(vec(4), default=ANY)
def put_first_by_a_function(x):
    arrs = [x.copy(), x * 2]
    for k in range(2):
        u = x * (k + 1)
        push_first(u, arrs, k)
        u[2] *= x[0]
        arrs[k][1] += u[0] * x[1]
    return sum(np.sum(a**2) for a in arrs)


@CASES.add(vec(4), default=ANY)
def only_put_in_by_a_function(x):
    arrs = [x.copy(), x * 2]
    u = x * 1.0
    for k in range(2):
        push_only(arrs, u)
        u[2] *= x[0]
        arrs[k][1] += u[0] * x[1]
        u = u * x
    return sum(np.sum(a**2) for a in arrs) + np.sum(u)


@CASES.add(vec(4), default=ANY)
def sort_key_write(x):
    rows = [x[:2] * 1.0, x[2:] * 2.0]
    rows.sort(key=lambda r: -r[0])
    rows[0][0] = x[1] ** 2
    rows[1] += rows[0]
    return np.sum(rows[0] * rows[1])


@CASES.add(vec(4), default=ANY)
def sorted_key_write(x):
    rows = [x[:2] * 1.0, x[2:] * 2.0]
    srt = sorted(rows, key=lambda r: -r[0])
    srt[0][0] = x[1] ** 2
    return np.sum(rows[0] * rows[1]) + srt[0][1]


def kf(r):
    return -r[0]


@CASES.add(vec(4), 3, default=ANY)
def sorted_list(x, n):
    rows = [x * (i + 1) for i in range(n)]
    rows.sort(key=kf)
    rows[0][0] = x[1] ** 2
    rows[n - 1] *= rows[0]
    return np.sum(rows[0] * rows[1]) + np.sum(rows[2])


@CASES.add(vec(4))
def base_written_in_a_branch(x):
    u, s = x.copy(), 0.0
    for _ in range(3):
        if x[0] > 0:
            u[1] *= 1.5
        a = u[1:] - 2.0
        b = u[:-1] + u[1:]
        s += np.sum(a * a * b)
        u[1:] = a
    return s + np.sum(u)


@CASES.add(vec(4))
def what_is_computed_from_the_base_is_written(x):
    u, s = 0.1 * x, 0.0
    for _ in range(2):
        a = u[1:] - u[:-1]
        b = u[1:] + u[:-1]
        a[0] = b[1] * b[0]
        c = a * 2.0
        d = b + 1.0
        s += np.sum(c * c * d * a)
        u[1:] = a
    return s + np.sum(u)


# A `try` inside a `try`, left half done: with copies, one takes over the handlers of the other.


def _checked(v):
    if v > 0.5:
        raise ValueError


@CASES.add(np.array([0.3, 0.6, 0.9]))
def try_in_a_try(x):
    s = x[0]
    try:
        s = s * x[1]
        try:
            s = s * x[2]
            _checked(x[1])
            s = s * 3.0
        except KeyError:
            s = s * 5.0
        s = s * 7.0
    except ValueError:
        s = s * x[0]
    return s


@CASES.refused(np.array([0.3, 0.6, 0.9]), code=HALF)
def try_in_a_loop_in_a_try(x):
    s = x[0]
    try:
        for v in x:
            try:
                s = s * v
                _checked(v)
            except KeyError:
                s = 0.0
            s = s + 1.0
    except ValueError:
        s = s * x[2]
    return s


@CASES.add(vec(3))
def elements_in_a_try_in_a_try(x):
    y = x * 1.0
    for k in range(3):
        try:
            try:
                y[k] *= y[k - 1]
                y[k + 1] = y[k] * x[0]
            except ZeroDivisionError:
                y[0] = 1.0
        except IndexError:
            y[0] = y[k] * 2.0
    return np.sum(y * y)


@CASES.refused(vec(3), code=HALF)
def loop_in_a_try_in_a_try(x):
    y = x * 1.0
    try:
        try:
            for v in range(5):
                y[v] = y[v] * x[v]
        except ValueError:
            y[0] = 1.0
        else:
            y[2] = 4.0
    except IndexError:
        y[1] = 3.0 * x[0]
    return np.sum(y)


@CASES.add(np.array([0.3, 0.6, 0.9]), default="ok/MutationError")
def raised_again_by_the_inner_handler(x):
    s = x[0]
    try:
        try:
            s = s * x[2]
            _checked(x[1])
        except ValueError:
            s = s * x[1]
            raise
        s = s * 7.0
    except ValueError:
        s = s * x[0]
    return s


@CASES.add(np.array([0.8, 0.6, 0.9]))
def through_what_finally_does(x):
    s = x[0] * 1.0
    try:
        try:
            if x[1] > 0.2:
                raise IndexError
        finally:
            s = s * 1.25
    except IndexError:
        s = s * x[2]
    return s


@CASES.refused(vec(4))
def work_arrays_in_a_list_or_a_number(x):
    ks = [np.zeros(4) for _ in range(3)]
    y = x.copy()
    for _ in range(3):
        for i in range(3):
            ks[i][:] = np.sin(y) * (ks[i - 1] if i else 1.0)
        y += 0.1 * (ks[0] * ks[1] + ks[2])
    return np.sum(y)


@CASES.refused(vec(4), 1.0)
@CASES.refused(vec(4), 0.0)
def an_array_or_a_number(x, far):
    y = x.copy()
    f = y if far else 2.0
    s = np.sum(np.sin(x) * f)
    y[0] = x[1]
    return s + np.sum(y)
