"""Programs that write into the arrays of lists and dictionaries that they are given."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("arguments")


@CASES.add({"u": vec(4), "v": vec(4, 0.9)}, row="52")
def filled_from_another_item(m):
    m["u"][1:] = 2.0 * m["v"][:-1]
    return np.sum(m["u"] * m["v"])


@CASES.refused({"u": vec(4), "v": vec(4, 0.9)}, 3, row="52")
def state_in_a_dictionary(m, steps):
    for _ in range(steps):
        m["u"][1:] = m["u"][1:] * m["v"][:-1]
        m["v"] += 0.1 * m["u"]
    return np.sum(m["u"] * m["v"])


@CASES.refused({"u": vec(4), "v": vec(4, 0.9)}, True, row="52")
@CASES.add({"u": vec(4), "v": vec(4, 0.9)}, False, row="52")
def item_multiplied_on_one_branch(m, far):
    u = m["u"]
    if far:
        m["u"] *= m["v"]
    else:
        u[0] *= m["v"][1]
    return np.sum(u * m["v"])


@CASES.add([vec(4), vec(4, 0.9)], row="52")
def first_array_of_a_list(s):
    s[0][0] = s[1][1] ** 2
    return np.sum(s[0] * s[1])


@CASES.add((vec(4), vec(4, 0.9)), row="52")
def first_array_of_a_tuple(s):
    s[0][0] = s[1][1] ** 2
    return np.sum(s[0] * s[1])


@CASES.add([vec(4), vec(4, 0.9)], row="38")
def handed_on_with_a_star(s):
    def write(a, b):
        a[0] = b[1]

    write(*s)
    return np.sum(s[0] * s[1])


_TWICE = vec(4)


@CASES.add({"u": _TWICE, "v": _TWICE}, row="27", default="MutationError", save="MutationError")
def one_array_under_two_keys(m):
    m["u"][0] = 2.0 * m["v"][1]
    return np.sum(m["u"] * m["v"])


@CASES.add(vec(4), row="36")
def item_of_a_local_dictionary(x):
    m = {"u": 2.0 * x, "v": x * x}
    u = m["u"]
    m["u"] += m["v"]
    return np.sum(u * u)


@CASES.refused(vec(4), row="36")
def item_of_a_local_dictionary_multiplied(x):
    m = {"u": 2.0 * x, "v": x * x}
    u = m["u"]
    z = u * u
    m["u"] *= m["v"]
    return np.sum(u * z)


@CASES.refused(vec(4), row="35")
def item_of_a_local_list_multiplied(x):
    m = [2.0 * x, x * x]
    u = m[0]
    z = u * u
    m[0] *= m[1]
    return np.sum(u * z)


@CASES.add(vec(4), row="36")
def inner_dictionary(x):
    m = {"a": {"u": 2.0 * x}}
    u = m["a"]["u"]
    m["a"]["u"] += x * x
    return np.sum(u * x)


@CASES.add({"u": vec(4), "n": 2}, row="36")
def numbers_among_arrays(m):
    m["n"] += 1
    return np.sum(m["u"] ** m["n"])


@CASES.add([vec(4), vec(4, 0.9)], 1, row="52")
@CASES.add([vec(4), vec(4, 0.9)], 0, row="52")
def array_of_a_list_by_number(rows, k):
    rows[k][0] = rows[1 - k][1] ** 2
    rows.append(rows[k] * 2.0)
    return np.sum(rows[0] * rows[1]) + np.sum(rows[2])


@CASES.refused([vec(3), vec(3, 0.9), vec(3, 0.2)], row="52")
def each_array_of_a_list(rows):
    for k in range(1, 3):
        rows[k] *= rows[k - 1]
    s = 0.0
    for r in rows:
        s += np.sum(r * r)
    return s


@CASES.add([vec(3), vec(3, 0.9)], row="52")
def gradient_of_what_is_left_alone(rows):
    other = np.zeros(3)
    for r in rows:
        c = r if r[0] > 9.0 else other
        c[1] = r[2]
    return np.sum(other) + np.sum(rows[0])
