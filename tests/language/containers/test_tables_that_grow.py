"""Loops over global lists that get longer meanwhile, under their own names or by a function."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

TABLE = [2, 3]
X = np.array([0.6, 0.9, 1.3, 0.4])


def grow():
    TABLE.append(7)


def read():
    return len(TABLE)


def in_place(x):
    s = 0.1
    for i, n in enumerate(TABLE):
        s = s + x[0] * n * s + x[1] * i
        if len(TABLE) < 4:
            TABLE.append(7)
    return s


def by_a_function(x):
    s = 0.1
    for i, n in enumerate(TABLE):
        s = s + x[0] * n * s + x[1] * i
        if len(TABLE) < 4:
            grow()
    return s


def beside_an_array(x):
    s = 0.1
    for n, v in zip(TABLE, x):  # noqa: B905
        s = s + x[0] * n * s + v
        if len(TABLE) < 4:
            grow()
    return s


def with_keys(x):
    p = {}
    for i, n in enumerate(TABLE):
        p[f"W{i}"] = x * (i + 1.0)
        p[f"b{i}"] = x[0] * n
        if len(TABLE) < 4:
            grow()
    s = 0.0
    for v in p.values():
        s = s + np.sum(v)
    return s * len(p) * p["b0"]


def that_is_read_by_a_function(x):
    s = 0.1
    for i, n in enumerate(TABLE):
        s = s + x[0] * n * s * read() + x[1] * i
    return s


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [in_place, by_a_function, beside_an_array, with_keys, that_is_read_by_a_function]
)
def test_the_loop_has_as_many_turns_in_the_pullback(f, mode):
    def at(x):
        TABLE[:] = [2, 3]
        return f(x)

    expected = [(at(X + 1e-6 * e) - at(X - 1e-6 * e)) / 2e-6 for e in np.eye(4)]
    value, after = at(X), list(TABLE)
    TABLE[:] = [2, 3]
    found, (gradient,) = ad.value_and_grad(f, wrt=(0,), on_overwrite=mode)(X)
    assert (found, TABLE) == (value, after)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6)
    TABLE[:] = [2, 3]
    _, along = ad.jvp(f, (X,), (np.ones(4),), on_overwrite=mode)
    np.testing.assert_allclose(along, np.sum(gradient), rtol=1e-9)


def test_no_turns_are_counted_where_nobody_changes_the_table():
    source = ad.differentiable(that_is_read_by_a_function).source_for(X)
    assert "= len(t)" in source and "+= 1" not in source
