"""A container from outside that a function gets is not changed before its pullback has read it."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

ITEMS = [1.0, 2.0]
TABLE = {"a": 1.0, "b": 2.0}


def scaled(x, items):
    y = x
    for h in items:
        y = np.sin(y * h)
    return y


def looked_up(x, table):
    y = x
    for k in table:
        y = np.sin(y * table[k])
    return y


def shifted():
    ITEMS.insert(0, 4.0)


def inserted(x):
    y = scaled(x, ITEMS)
    ITEMS.insert(0, 3.0)
    return y


def emptied(x):
    y = scaled(x, ITEMS)
    ITEMS.clear()
    return y


def deleted(x):
    y = scaled(x, ITEMS)
    del ITEMS[0]
    return y


def updated(x):
    y = looked_up(x, TABLE)
    TABLE.update(a=5.0)
    return y


def changed_by_another(x):
    y = scaled(x, ITEMS)
    shifted()
    return y


def in_the_next_iteration(x):
    y = x
    for _ in range(2):
        ITEMS.insert(0, 1.1)
        y = scaled(y, ITEMS)
    return y


def by_a_method_under_a_name(x):
    put = ITEMS.insert
    y = scaled(x, ITEMS)
    put(0, 3.0)
    return y


def under_another_name(x):
    items = ITEMS
    y = scaled(x, items)
    ITEMS.insert(0, 3.0)
    return y


PUT = ITEMS.insert


def by_a_method_from_outside(x):
    y = scaled(x, ITEMS)
    PUT(0, 3.0)
    return y


def of_a_copy(x):
    y = scaled(x, list(ITEMS))
    ITEMS.insert(0, 3.0)
    return y


def before_the_call(x):
    ITEMS.reverse()
    return scaled(x, ITEMS)


def appended(x):
    y = scaled(x, ITEMS)
    ITEMS.append(3.0)
    return y


def stored(x):
    y = scaled(x, ITEMS)
    ITEMS[0] = 5.0
    return y


@pytest.fixture(autouse=True)
def _begun():
    begin()


def begin():
    ITEMS[:] = [1.0, 2.0]
    TABLE.clear()
    TABLE.update(a=1.0, b=2.0)


@pytest.mark.parametrize(
    "f",
    [
        inserted, emptied, deleted, updated, changed_by_another, in_the_next_iteration,
        by_a_method_under_a_name, under_another_name, by_a_method_from_outside,
    ],
)  # fmt: skip
@pytest.mark.parametrize("way", ["refuse", "save"])
def test_changed_afterwards(f, way):
    with pytest.raises(ad.CompileError, match="is changed after a function got it") as info:
        ad.grad(f, on_overwrite=way)(2.0)
    assert info.value.diagnostics[0].code == "AD203"
    assert "pass a copy" in str(info.value)


def names_that_change_places(x):
    first, second = ITEMS, [x, 2.0 * x]
    y = x
    for _ in range(2):
        y = scaled(y, first) * scaled(x, second)
        first, second = second, first
    return y


@pytest.mark.parametrize(
    "f", [of_a_copy, before_the_call, appended, stored, names_that_change_places]
)
@pytest.mark.parametrize("way", ["refuse", "save"])
@pytest.mark.recorded
def test_what_does_no_harm(f, way):
    def value(x):
        begin()
        return f(x)

    slope = (value(2.0 + 1e-6) - value(2.0 - 1e-6)) / 2e-6
    begin()
    assert ad.grad(f, on_overwrite=way)(2.0) == pytest.approx(slope, rel=1e-7)
