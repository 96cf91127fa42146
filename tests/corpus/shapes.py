"""Programs in which a name means arrays of several shapes, as a branch or a loop decides."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

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
