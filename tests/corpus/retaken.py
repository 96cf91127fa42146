"""Views that cannot be written, and are read again when what they look at has changed."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("retaken")
windows = np.lib.stride_tricks.sliding_window_view


def touch(y, s):
    y[1] = s * y[0]


@CASES.never(vec(4), code="AD206/AD301")
def a_broadcast_array(x):
    y = x * 1.0
    b = np.broadcast_to(y, (3, 4))
    s = np.sum(b * b)
    y[0] = 2.0
    return s + np.sum(b**2)


@CASES.refused(vec(4))
def a_diagonal(x):
    a = np.outer(x, x)
    s = np.sum(np.diagonal(a) ** 2)
    a[1] *= a[0]
    d = np.diagonal(a)
    t = np.sum(d**3)
    a[0, 0] = x[1] * x[2]
    return s + t + np.sum(d * d)


@CASES.refused(vec(4))
def windows_that_overlap(x):
    y = x * 1.0
    w = windows(y, 3)
    s = np.sum(w.max(axis=1) * w[:, 0])
    y[2] = 0.1
    return s + np.sum(w * w)


@CASES.refused(vec(4))
def windows_in_a_loop(x):
    y = x * 1.0
    w = windows(y, 2)
    s = 0.0
    for k in range(3):
        y[k + 1] = y[k] * w[k, 1] + 0.3 * np.sum(w[k] * w[-1])
        s += np.sum(w[: k + 1, 0])
    return s + np.sum(w * w)


@CASES.add(vec(4))
def views_of_a_view(x):
    y = x * 1.0
    b = np.broadcast_to(y, (3, 4))
    r = b[1]
    q = r[1:]
    s = np.sum(q * q)
    y *= 1.5
    y[1] = s
    return s + np.sum(r**2) + np.sum(q)


@CASES.refused(vec(4))
def written_by_a_callee(x):
    y = x * 1.0
    b = np.broadcast_to(y, (3, 4))
    s = 1.0
    for k in range(3):
        touch(y, s)
        s = s + np.sum(b[k] * b[k - 1]) * 0.1
        if k == 1:
            y[k] = b[0, k] * s
    return s


@CASES.refused(vec(4))
def in_a_loop_of_unknown_length(x):
    y = x * 1.0
    s = 0.0
    b = np.broadcast_to(y, (3, 4))
    while s < 4:
        s += np.sum(b * b)
        y[1:] *= b[0, :-1] * 1.1
    return s + np.sum(b)


@CASES.add(vec(4))
def of_an_argument(x):
    b = np.broadcast_to(x, (3, 4))
    x[0] = x[1] * x[2]
    return b * b


@CASES.refused(vec(4))
def diagonals_and_a_transposed_view(x):
    y = x * 1.0
    d = np.diag(np.outer(y, y))
    a = np.outer(y, y)
    e = np.diag(a)
    v = a.T
    v[0] *= e
    y[0], y[1] = e[1] * y[2], e[0]
    try:
        a[1] = y
        s = np.sum(e * d)
    except ValueError:
        s = 0.0
    return s + np.sum(e * e) + np.sum(y)


@CASES.add(vec(4), default="ok/AD206/AD302", save="ok/AD206")
def whose_base_gets_another_meaning(x):
    y = x * 1.0
    b = np.broadcast_to(y, (3, 4))
    y[0] = 2.0
    y = x * x
    return np.sum(b * b) + np.sum(y)


@CASES.add(vec(4), default="ok/AD206/AD302", save="ok/AD206")
def of_a_name_in_another_life(x):
    y = x * 1.0
    b = np.broadcast_to(y, (3, 4))
    y[0] = 2.0
    z = np.sum(b * b)
    y = x * x
    y[1] = 5.0
    return np.sum(b) + z + np.sum(y)


@CASES.add(vec(4), default="ok/AD206/AD302", save="ok/AD206")
def a_loop_over_its_rows(x):
    y = x * 1.0
    b = np.broadcast_to(y, (3, 4))
    s = 0.0
    for row in b:
        y[0] *= 1.1
        s += np.sum(row * row)
    return s


@CASES.add(vec(4), default="ok/AD206/AD302", save="ok/AD206")
def one_of_two(x):
    y = x * 1.0
    if x[0] > 0:
        b = np.broadcast_to(y, (3, 4))
    else:
        b = windows(y, 2)
    y[0] = 2.0
    return np.sum(b * b)


@CASES.add(vec(3))
def stretched_where_it_is_read(x):
    z = x * 2.0
    kept = []
    for _ in range(3):
        kept.append(z)
    z[0] = x[1] * x[2]
    stretched = np.broadcast_to(kept[0], (2, 3))
    return np.sum(stretched * x) + np.sum(np.broadcast_to(kept[2], (2, 3)))
