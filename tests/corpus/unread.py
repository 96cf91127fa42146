"""Parts of arrays that are overwritten before anybody reads them, and parts that are not, quite."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("unread")


@CASES.add(vec(6), row="9", verdicts={"y[1:-1] =": "safe"})
def part_of_a_part(x):
    y = x * 2.0
    y[2:-2] += x[2:4] * x[:2] * y[2:-2]
    s = x @ x
    y[1:-1] = 0.5
    return np.sum(y * x) * s


@CASES.add(vec(6), row="9")
def through_a_view(x):
    y = x * 2.0
    v = y[::2]
    v[::2] += (x[0] * y[:2]) * (x[3:5] * v[1:])
    for _ in range(1, 3):
        v[:] = 0.5
        y[-3] = np.tanh(v[-1] * v[1])
    return np.sum(y * x)


@CASES.add(vec(6), row="9")
def view_of_what_is_overwritten(x):
    b = x * 2.0
    for _ in range(3):
        b, x = x * 1.0, b
    b[1:] += b[1:] * (b[:-1] * b[::-1][1:])
    v = b[2:4]
    b[...] = x[0]
    return np.sum(x) + np.sum(v)


@CASES.add(vec(6), row="9")
def in_each_iteration(x):
    y = x * 1.0
    s = 0.0
    for i in range(1, 5):
        y[i] = y[i] * y[i + 1]
        s += x[i] * y[i - 1]
        y[i] = x[i] ** 2
    return s + np.sum(y)


@CASES.add(vec(6), row="9", default="AD301")
def read_on_the_way(x):
    y = x * 2.0
    y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
    s = np.sum(y[3:]) * x[0]
    y[1:-1] = 0.5
    return np.sum(y * x) * s


@CASES.add(vec(6), row="9", default="AD301/AD302")
def read_through_a_view_on_the_way(x):
    y = x * 2.0
    v = y[::-1]
    y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
    s = v[2] * x[0]
    y[1:-1] = 0.5
    return np.sum(y * x) * s


@CASES.add(vec(6), row="9", default="AD301")
def more_than_is_covered(x):
    y = x * 2.0
    y[2:-1] += x[2:5] * y[1:4] * y[2:-1]
    y[2:-2] = 0.5
    return np.sum(y * x)


@CASES.add(vec(6), row="9", default="AD301")
def every_second_element_is_covered(x):
    y = x * 2.0
    y[2:-1] += x[2:5] * y[1:4] * y[2:-1]
    y[::2] = 0.5
    return np.sum(y * x)


@CASES.add(vec(6), 0, row="9", default="AD301/AD304")
@CASES.add(vec(6), 2, row="9", default="ok/AD301/AD304")
def covered_in_a_loop_that_may_not_run(x, n):
    y = x * 2.0
    y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
    for _ in range(n):
        y[1:-1] = 0.5
    return np.sum(y * x)


@CASES.add(vec(6), True, row="9", default="ok/AD301")
@CASES.add(vec(6), False, row="9", default="AD301")
def covered_in_a_branch(x, reset):
    y = x * 2.0
    y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
    if reset:
        y[1:-1] = 0.5
    return np.sum(y * x)


@CASES.add(vec(6), row="9")
def covered_in_both_branches(x):
    y = x * 2.0
    y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
    if x[0] > 0.5:
        y[1:-1] = 0.5
    else:
        y[:] = x[1]
    return np.sum(y * x)


@CASES.add(vec(6), row="9", default="AD301/AD304")
def left_before_it_is_covered(x):
    y = x * 2.0
    for i in range(4):
        y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
        if i == 2:
            break
        y[1:-1] = 0.5
    return np.sum(y * x)


@CASES.add(vec(6), row="9", default="AD301/AD304")
def another_element_is_covered(x):
    y = x * 1.0
    for i in range(1, 5):
        y[i - 1 : i + 1] += y[i - 1 : i + 1] * (y[i + 1] * y[i - 1 : i + 1])
        y[i] = x[i] ** 2
    return np.sum(y)


def _total(y):
    return np.sum(y * y)


@CASES.add(vec(6), row="9", default="ok/AD301/AD303")
def read_by_a_callee(x):
    y = x * 2.0
    y[2:-2] += x[2:4] * y[1:3]
    s = _total(y)
    y[1:-1] = 0.5
    return np.sum(y * x) * s


@CASES.add(vec(6), vec(6, 0.8), row="9", default="ok/AD301", final=("y",), wrt=(0, 1))
def of_an_argument(x, y):
    y[2:-2] += x[2:4] * y[1:3]
    y[1:-1] = 0.5
    return np.sum(y * x)


@CASES.add(vec(6), row="64", default="ok/AD301", save="ok")
def an_exception_comes_first(x):
    y = x * 2.0
    try:
        y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
        if x[0] > 0.5:
            raise ValueError
        y[1:-1] = 0.5
    except ValueError:
        pass
    return np.sum(y * x)


@CASES.add(vec(6), row="9", default="AD301/AD302")
def made_again(x):
    s = 0.0
    y = x * 1.0
    for _ in range(3):
        z = y
        y = x * 2.0
        y[2:-2] += x[2:4] * y[1:3] * y[2:-2]
        s += np.sum(z * x)
        z[:] = 0.5
    return s + np.sum(y)


@CASES.add(vec(6), row="9", default="ok/AD301/AD302/AD304/AD206", save="ok/AD206")
def view_of_what_the_array_was(x):
    y = x * 1.0
    s = 0.0
    for k in range(3):
        v = y[1:3]
        v *= x[1:3] * v
        if k != 1:
            y = x * 2.0
        y[:] = 0.5
        s += np.sum(v * x[1:3])
    return s + np.sum(y)


@CASES.add(vec(6), row="9", default="ok/AD301/AD304")
def read_in_the_next_iteration(x):
    y = x * 1.0
    s = 0.0
    for i in range(1, 6):
        s += y[i - 1] * x[i]
        y[i] = 0.5
        y[i] += x[i] * x[i]
    y[:] = x[0]
    return s + np.sum(y)
