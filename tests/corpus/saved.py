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
