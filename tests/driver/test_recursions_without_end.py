"""Recursions whose arguments are of another kind in every call: refused, and told why."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def along(path, v, x):
    if len(path) == 3:
        return v
    zero, one = (0,), (1,)
    return along(path + zero, v * x[0], x) + along(path + one, v * x[len(path)], x)


def longer_paths(x):
    return along((), 1.0, x)


def held(v, n):
    return n * 1.0 if n == 0 else held([v], n - 1)


def deeper_lists(x):
    return held([x[0]], 3) + x[1]


def paths_in_a_dictionary(x):
    found = {}

    def visit(path, v):
        if len(path) == 2:
            found[path] = v
            return
        for i in range(2):
            last = (i,)
            visit(path + last, v * x[i])

    visit((), 1.0)
    return sum(found.values())


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "program", [longer_paths, deeper_lists, paths_in_a_dictionary], ids=lambda f: f.__name__
)
def test_kinds_that_never_come_to_an_end(program, mode):
    derivatives = (
        lambda: ad.grad(program, on_overwrite=mode)(X),
        lambda: ad.jvp(program, (X,), (X,), on_overwrite=mode),
    )
    for derivative in derivatives:
        with pytest.raises(ad.CompileError) as refused:
            derivative()
        found = refused.value.diagnostics
        assert {d.code for d in found} == {"AD201"}
        assert any("comes to no end" in d.why for d in found)


def starred(path, v, x):
    if len(path) == 3:
        return v
    return starred((*path, 0), v * x[0], x) + starred((*path, 1), v * x[len(path)], x)


def paths_of_any_length(x):
    return starred((), 1.0, x)


def halves(v, n):
    return v[0] if n == 0 else halves([v[0] * 0.5], n - 1) + halves([v[0] * v[0]], n - 1)


def lists_of_one(x):
    return halves([x[1]], 3)


@pytest.mark.parametrize("program", [paths_of_any_length, lists_of_one], ids=lambda f: f.__name__)
def test_kinds_that_stay(program):
    check_grads(program, (X,))
    check_grads(program, (X,), on_overwrite="save")
