"""Lists, dictionaries and tuples whose final contents are differentiated."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("finals")


@CASES.add([0.5, 0.7, 0.9], final=("held",))
def items_replaced(held):
    held[0] = held[1] * held[2]
    held[1] = held[0] ** 2
    return held[2]


@CASES.add([[0.5, 0.7], [0.3, 0.9]], final=("rows",))
def item_of_a_row(rows):
    rows[0][1] = rows[0][0] * rows[1][0]
    return rows[1][1] ** 2


@CASES.add([[0.5, 0.7], [0.3, 0.9]], final=("rows",))
def rows_that_grow(rows):
    for row in rows:
        row.append(row[0] ** 2)
    return sum(rows[0])


@CASES.add([0.5, 0.7], [], final=("out",))
def filled(x, out):
    for v in x:
        out.append(v * v)
    return x[0]


@CASES.add([0.5, 0.7], {}, final=("out",))
def filled_by_key(x, out):
    for k, v in enumerate(x):
        out[k] = v * v
    return x[0]


@CASES.add({"a": 0.5, "b": 0.7}, final=("held",))
def entries_replaced(held):
    held["a"] = held["b"] * 2.0
    held["b"] *= held["a"]
    return held["a"]


@CASES.add([{"v": 0.4, "a": 0.3}, {"v": 0.7, "a": 0.2}], final=("parts",))
def entries_of_items(parts):
    for d in parts:
        d["v"] += 0.1 * d["a"]
    return parts[0]["v"]


@CASES.add((vec(4), vec(4, 0.3)), final=("pair",))
def arrays_of_a_tuple(pair):
    a, b = pair
    a[0] = b[1] * 2.0
    b[:] = 0.5 * a
    return np.sum(a)


@CASES.add([vec(4), vec(4, 0.3)], vec(4), wrt=(0, 1), final=("pair",))
def arrays_exchanged(pair, x):
    pair[0], pair[1] = pair[1], pair[0]
    pair[0][:] += x
    return np.sum(pair[1])


@CASES.add([0.5, 0.7], vec(3), wrt=(0, 1), final=("held", "x"))
def beside_an_array(held, x):
    x[0] = held[0]
    held[1] = x[1] * x[2]
    return np.sum(x)


@CASES.add([0.9, 0.5, 0.7], final=("held",))
def shorter_and_sorted(held):
    held.pop(0)
    held.sort(reverse=True)
    held[0] *= held[1]
    return held[0]


@CASES.refused([mat(2, 3), vec(3)], final=("held",))
def needed_and_written(held):
    held[0][1] = held[1] ** 2
    held[1] *= held[0][0]
    return np.sum(held[0] * held[0])
