"""Names that are deleted while the pullback needs what they stood for."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("deleted")


@CASES.add(vec(4), 3.0, wrt=(0, 1))
def name_of_an_array_that_has_another(x, y):
    t = x * 2
    t *= 2
    v = t
    w = v * v
    del t
    return y * v[0] + np.sum(w)


@CASES.add(vec(4), 2)
@CASES.add(vec(4), 0)
def after_an_early_return(x, n):
    a = x * x
    if n > 1:
        return np.sum(a) * np.sum(x * a)
    del a
    return np.sum(x)


@CASES.add(vec(4), 2)
@CASES.add(vec(4), 0)
def on_one_path(x, n):
    y = x * x
    if n:
        z = y * y
    else:
        z = y * x
        del y
    return np.sum(z * z)


@CASES.add(vec(4))
def in_each_iteration(x):
    for k in range(3):
        t = x * k
        t *= x
        v = t[1:]
        del t
        x = x + np.sum(v * v)
    return np.sum(x)


@CASES.add(vec(4))
def container_of_which_items_are_used(x):
    d, e = [x[2] * x[1], x[0]], {"a": x * x}
    s = d[0] * d[1] * np.sum(e["a"])
    del d, e
    return s


@CASES.add(vec(4))
def one_of_two_names_of_a_container(x):
    d = [x * x, x]
    first = d[0]
    e = d
    del d
    e[0] = x
    return np.sum(first * e[0])


@CASES.add(vec(4), 0)
def container_on_a_path_that_is_not_taken(x, n):
    d = {"p": x[2] * x[1], "q": 0.5}
    if n:
        del d
    return np.sum(x) * d["p"]


@CASES.refused(vec(4))
def name_of_what_is_overwritten_by_another(x):
    t = x * x
    w = t * t
    u = t
    del t
    u[0] = 1.0
    return np.sum(w * u)
