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
