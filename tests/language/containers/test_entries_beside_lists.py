"""Dictionaries of lists that also hold what carries no derivative: counts, names."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

W = np.array([0.3, 0.7, 1.1])


def by_default(w):
    d = {"n": 0, "x": [w[0]]}
    d.setdefault("y", []).append(w[1] * 2)
    d.setdefault("x", []).append(w[2])
    d["n"] += 1
    return sum(d["x"]) * sum(d["y"]) * d["n"]


def _made(w):
    d = {"n": 0, "name": "q", "x": [w[0]]}
    d.setdefault("y", []).append(w[1])
    d["n"] += 1
    return d


def returned(w):
    d = _made(w)
    d.setdefault("y", []).append(w[2] * w[1])
    return sum(d["x"]) * sum(d["y"]) * d["n"]


def in_a_list(w):
    groups = [{"n": i, "x": []} for i in range(2)]
    for i in range(3):
        d = groups[i % 2]
        d["x"].append(w[i])
        d["n"] += 1
    return sum(sum(d["x"]) ** 2 * d["n"] for d in groups)


def given(w, d):
    d.setdefault("x", []).append(w[1] * 2)
    d["n"] += 1
    return sum(d["x"]) * d["n"]


@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize("f", [by_default, returned, in_a_list], ids=lambda f: f.__name__)
def test_entries_beside_lists(f, on_overwrite):
    check_grads(f, (W,), on_overwrite=on_overwrite)


def test_a_dictionary_that_is_given():
    check_grads(given, (W, {"n": 2, "x": [0.5]}), wrt=(0, 1))
    assert ad.grad(given, wrt=1)(W, {"n": 2, "x": [0.5]}) == {"n": None, "x": [3.0]}
