"""Dictionaries and sets that change their size while a loop goes over them."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.1, 2.2, 3.3])



def grows(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    for k in d:
        d[k + 10] = x[2]
    return d[0] * d[1]


def grows_in_the_last_turn(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    s = 0.0
    for k, v in d.items():
        s += v * v
        if k == 2:
            d[k + 1] = v
    return s


def shrinks(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    s = 0.0
    for v in d.values():
        s += v * v
        if s > 1.0:
            del d[2]
    return s


def known_keys(x):
    d = {"a": x[0], "b": x[1]}
    for k in d:
        d[k + "x"] = x[2]
    return d["a"]


def another_name(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    e = d
    for k in e:
        if k == 1:
            continue
        d[k + 10] = x[2]
    return d[0] * d[1]


def put_in(d, key, value):
    d[key] = value


def in_a_callee(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    for k in d:
        put_in(d, k + 1, x[2])
    return d[0] * d[1]


def in_a_generator(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    return sum(v * d.setdefault(k + 1, v) for k, v in d.items())


def a_view(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    keys = d.keys()
    for k in keys:
        d[k + 10] = x[2]
    return d[0]


def counted(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    s = 0.0
    for i, k in enumerate(d):
        if i == 1:
            d[5] = x[1]
        s += d[k]
    return s


def of_constants(x):
    d = {"a": 1, "b": 2}
    s = 0.0
    for k in d:
        if k == "a":
            d["c"] = 3
        s += x[0] * x[0]
    return s


class Parts:
    def __init__(self):
        self.d = {"a": 1.0, "b": 2.0}

    def put(self, key, value):
        self.d[key] = value

    def grow(self, value):
        self.put("z", value)

    def count(self):
        return _size(self.d)


def _size(d):
    return len(d)


def _put_into(d, value):
    d["z"] = value


class Others(Parts):
    def grow(self, value):
        _put_into(self.d, value)


def by_a_method(x):
    n = Parts()
    s = x[0]
    for v in n.d.values():
        s = s * v
        n.put("z", x[1])
    return s


def by_a_method_of_a_method(x):
    n = Parts()
    s = x[0]
    for _ in n.d:
        s = s * x[1]
        n.grow(s)
    return s


def by_what_a_method_calls(x):
    n = Others()
    s = x[0]
    for _, v in n.d.items():
        s = s * v
        n.grow(s)
    return s


@pytest.mark.parametrize(
    "f",
    [grows, grows_in_the_last_turn, shrinks, known_keys, another_name, in_a_callee,
     in_a_generator, a_view, counted, of_constants, by_a_method, by_a_method_of_a_method,
     by_what_a_method_calls],
)  # fmt: skip
def test_what_python_raises(f):
    def raised(run):
        with pytest.raises(RuntimeError, match="dictionary changed size") as found:
            run()
        assert type(found.value) is RuntimeError

    raised(lambda: f(X))
    raised(lambda: ad.vjp(f, X))
    raised(lambda: ad.jvp(f, (X,), (X,)))
    raised(lambda: ad.grad(f, on_overwrite="save")(X))


def test_an_argument():
    def total(d):
        s = 0.0
        for k in d:
            s += d[k] * d[k]
            if s > 1.0:
                d["new"] = s
        return s

    with pytest.raises(RuntimeError, match="dictionary changed size"):
        ad.vjp(total, {"a": 1.0, "b": 2.0})


def left_at_once(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    for k in d:
        d[k + 10] = x[2]
        break
    return d[0] * d[10]


def same_keys(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    for k in d:
        d[k] = d[k] * d[k]
    for k, v in d.items():
        if k == 1:
            continue
        d[k] = v * v
    return d[0] * d[1]


def another_dictionary(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    s = 0.0
    for _, v in d.items():
        s += v * v
        d = {j: 2.0 * d[j] for j in d}
    return s + d[0]


def replaced(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    s = 0.0
    for k in list(d):
        s += d.pop(k) * x[0]
        d[k + 7] = s
    return s + d[7]


def looked_at_by_a_method(x):
    n = Parts()
    s = x[0]
    for k, v in n.d.items():
        s = s * v * n.count()
        n.put("a", x[1] * s)
        n.d[k] = n.d[k] * x[2]
    return s * n.d["a"] + n.d["b"]


@pytest.mark.parametrize(
    "f", [left_at_once, same_keys, another_dictionary, replaced, looked_at_by_a_method]
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_python_allows(f, mode):
    check_grads(f, (X,), order=2, on_overwrite=mode)


def test_no_check_where_no_entry_is_added():
    assert "check_walk" not in ad.differentiable(same_keys).source_for(X)


def caught(x):
    d = {}
    for i in range(3):
        d[i] = x[i]
    s = 0.0
    try:
        for k in d:
            d[k + 1] = x[2]
            s += x[0] * x[0]
    except RuntimeError:
        s = s * x[1]
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_through_a_handler(on_overwrite):
    check_grads(caught, (X,), on_overwrite=on_overwrite)


def test_other_keys_of_the_same_number():
    def swapped(x):
        d = {}
        for i in range(3):
            d[i] = x[i]
        s = 0.0
        for k in d:
            s += d.pop(k)
            d[k - 10] = s * s
            if s > 100.0:
                break
        return s

    try:  # it depends on the table inside whether the loop gets to the new ones
        expected = swapped(X)
    except RuntimeError:
        with pytest.raises(RuntimeError):
            ad.vjp(swapped, X)
    else:
        assert ad.vjp(swapped, X)[0] == expected


def test_a_set():
    def grows_set(x):
        found = {1, 2}
        s = 0.0
        for k in found:
            found.add(k + 10)
            s += x[0] * k
        return s

    with pytest.raises(RuntimeError, match="Set changed size"):
        ad.jvp(grows_set, (X,), (X,))
