"""Lists and dictionaries that are changed as a whole: sorted, spliced, merged, copied."""

from __future__ import annotations

import copy
from collections import OrderedDict

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("entries")


@CASES.add(vec(4))
def sort(x):
    values = [x[2] * x[2], x[0], x[1]]
    values.sort()
    return values[0] * values[2]


@CASES.add(vec(4))
def sortr(x):
    values = [v * v for v in x]
    values.sort(reverse=True)
    values.append(x[0])
    return values[0] * values[2] * values[-1]


@CASES.add(vec(4))
def sort_key(x):
    values = [x[2] * x[2], x[0], x[1]]
    values.sort(key=lambda v: -v)
    return values[0] * values[2]


@CASES.add(vec(4))
def sort_rows(x):
    rows = [(v, v * x[0]) for v in x]
    rows.sort(key=lambda r: (-r[0], r[1]))
    return rows[0][0] * rows[1][1]


@CASES.add(vec(4))
def slice_set(x):
    values = [x[0], x[1], x[2]]
    values[1:] = [x[0] * x[0], x[1] * x[2]]
    return values[1] * values[2]


@CASES.add(vec(4))
def slice_set2(x):
    v = [t * t for t in x]
    w = v[0]
    v[1:3] = [v[0] * 2.0]
    v[:0] = [x[3], w]
    v[-1:] = v
    return v[0] * v[1] * v[2] + v[-1] * v[3] + sum(v)


@CASES.add(vec(4))
def slice_loop(x):
    v = [t for t in x]
    for k in range(1, 3):
        v[k:k + 1] = [v[k] * v[k - 1], v[k]]
    return sum((a * (i + 1) for i, a in enumerate(v)))


@CASES.add(vec(4))
def slice_arr(x):
    v = [0.0] * 4
    v[:] = x * x
    return v[0] * v[3]


@CASES.add(vec(4))
def list_del(x):
    values = [x[0] * x[0], x[1], x[2]]
    del values[0]
    return values[0] * values[1]


@CASES.add(vec(4))
def list_del2(x):
    v = [t * t for t in x]
    k = 2
    del v[k]
    del v[-1]
    return v[0] * v[1]


@CASES.add(vec(4))
def dict_del(x):
    d = {'a': x[0] * x[0], 'b': x[1]}
    del d['b']
    return d['a'] * len(d)


@CASES.add(vec(4))
def dict_del2(x):
    d = {k: x[k] * x[k] for k in range(4)}
    for k in [0, 2]:
        del d[k]
    return d[1] * d[3]


@CASES.add(vec(4))
def dict_update(x):
    d = {'a': x[0], 'b': x[1]}
    d.update({'a': x[2] * x[2]})
    return d['a'] * d['b']


@CASES.add(vec(4))
def dict_update2(x):
    d = {k: x[k] for k in range(4)}
    e = {k: x[k] * x[0] for k in range(2)}
    d.update(e)
    e[0] = 5.0
    return d[0] * d[1] * d[2] * e[0]


@CASES.add(vec(4))
def dict_update3(x):
    d = {'a': x[0], 'b': x[1]}
    d.update(a=x[2] * x[1], c=x[3])
    return d['a'] * d['b'] * d['c']


@CASES.add(vec(4))
def dict_or(x):
    d = {'a': x[0], 'b': x[1]} | {'b': x[2] * x[2]}
    d |= {'c': x[3]}
    return d['a'] * d['b'] * d['c']


@CASES.add(vec(4))
def dict_star(x):
    base = {'a': x[0], 'b': x[1] * x[2]}
    d = {**base, 'b': x[1] * base['b']}
    return d['a'] * d['b']


@CASES.add(vec(4))
def dict_copy(x):
    d = {k: x[k] * x[k] for k in range(4)}
    d2 = dict(d)
    d2[0] = x[1]
    d3 = copy.copy(d)
    d3[1] = x[0]
    return d[0] * d2[0] * d3[1] + d[1]


@CASES.add(vec(4))
def star_list(x):
    a = [x[0], x[1]]
    b = [*a, x[2] * x[2], *x]
    a[0] = x[3]
    return b[0] * b[2] * b[-1] * a[0]


@CASES.add(vec(4))
def tuple_list(x):
    a = [v * v for v in x]
    t = tuple(a)
    a[0] = x[1]
    return t[0] * t[1] * a[0] + sum(t)


@CASES.add(vec(4))
def tuple_gen(x):
    t = tuple((v * v for v in x))
    return t[0] * t[1] + len(t) + max(t)


@CASES.add(vec(4))
def copy_arr(x):
    y = copy.copy(x)
    z = copy.deepcopy(x)
    y[0] = x[1] * x[2]
    z[1] = y[0]
    return np.sum(y * z)


@CASES.add(vec(4))
def copy_list(x):
    values = copy.copy([x[0], x[1]])
    values[0] = x[2] * x[2]
    w = copy.deepcopy(values)
    w[1] = x[0] * values[0]
    return values[0] * values[1] * w[1]


@CASES.add(vec(4))
def keys_loop(x):
    d = {k: x[k] * x[k] for k in range(4)}
    for k in list(d.keys()):
        d[k] = d[k] * 2.0
    a, b, c, e = d.values()
    return a * b * c


# Tuples made of lists.


@CASES.add(vec(4), **later("AD207"))
def tuple_of_a_list_and_one_more(x):
    t = tuple([v * v for v in x]) + (x[0],)
    return sum(t)


@CASES.add(vec(4), **later("AD207"))
def tuple_of_a_list_that_grows(x):
    squares = [v * v for v in x]
    t = tuple(squares)
    t += (x[0],)
    return sum(t)


@CASES.add(vec(4))
def tuple_of_a_list_returned(x):
    t = tuple([v * v for v in x])
    return t, t[0] * x[1]


@CASES.add(vec(4))
def tuples_of_lists_joined(x):
    t = tuple([v * v for v in x])
    u = tuple([2.0 * v for v in x])
    return sum(t + u) + sum(t * 2)


# What a function puts into the dictionaries, and into the lists in tuples, that it is given.


def put(d, key, value):
    d[key] = value


def put_inside(pair, key, value):
    pair[0][key] = value


class Positions:
    def __init__(self):
        self.held = {}

    def buy(self, name, value):
        if name in self.held:
            self.held[name] += value
        else:
            self.held[name] = value

    def total(self):
        return sum(self.held.values())


@CASES.add(vec(4))
def dictionary_filled_by_a_helper(x):
    d = {}
    for key, v in zip(["a", "b", "a"], x):
        put(d, key, v * v)
    return sum(d.values())


@CASES.add(vec(4))
def dictionary_of_an_object_filled_by_its_method(x):
    p = Positions()
    for name, v in zip(["a", "b", "a", "c"], x):
        p.buy(name, v * v)
    return p.total()


@CASES.never(vec(4), code="AD206")
def dictionary_in_a_tuple_filled_by_a_helper(x):
    pair = ({}, 1.0)
    for k, v in enumerate(x):
        put_inside(pair, k, v * v)
    return sum(pair[0].values())


@CASES.add(vec(4))
def united_in_a_loop(x):
    p = {"a": x[0]}
    for i in range(3):
        p |= {"a": p["a"] * x[i], "b": x[i]}
        q = {"b": p["b"] * p["a"], "c": x[3]}
        p |= q
    return p["a"] * p["b"] + p["c"] ** 2


@CASES.add(vec(4))
def united_anew_in_a_loop(x):
    p = first = {"a": x[0]}
    for i in range(3):
        p = p | {"a": p["a"] * x[i], "b": x[i]}
    return p["a"] * p["b"] + first["a"] ** 2


@CASES.add(vec(3))
def arrays_united_in_a_loop(x):
    p = OrderedDict(a=x * 1.0)
    for i in range(3):
        p |= {"b": p["a"] * x[i]}
        p["a"] = p["b"] + x
    return np.sum(p["b"] ** 2) + sum(np.sum(v) for v in p.values())
