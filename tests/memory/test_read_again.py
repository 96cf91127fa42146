"""What a list from outside held when it was read is what the pullback goes by, not what it holds
by then: lengths, items, and what loops run over."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adtrans as ad

ITEMS: list[float] = []
QUEUE: deque[float] = deque()
TABLE: dict[int, float] = {}
PLACES: list[int] = []


def put(v: float) -> None:
    ITEMS.append(v)


def length(x):
    y = x
    for _ in range(3):
        n = len(ITEMS)
        y = y * x**n
        ITEMS.append(1.0)
    return y


def length_and_callee(x):
    y = x
    for _ in range(3):
        n = len(ITEMS)
        y = y * x**n
        put(1.0)
    return y


def length_as_factor(x):
    y = x
    for _ in range(3):
        y = y * len(ITEMS) * x
        ITEMS.append(1.0)
    return y


def length_as_place(x):
    u = np.zeros(6)
    for i in range(3):
        u[len(ITEMS)] = x ** (i + 2)
        ITEMS.append(1.0)
    return (u * u).sum()


def length_in_a_condition(x):
    y = x
    for _ in range(3):
        c = 1.0 in ITEMS
        y = y * x**2 if c else y * x
        ITEMS.append(1.0)
    return y


def counted(x):
    y = x
    for _ in range(3):
        n = ITEMS.count(1.0)
        y = y * x**n
        ITEMS.append(1.0)
    return y


def last_item(x):
    y = x
    for i in range(3):
        y = np.sin(y * ITEMS[-1])
        ITEMS.append(i + 3.0)
    return y


def unpacked(x):
    y = x
    for _ in range(3):
        a, b = ITEMS
        y = np.sin(y * a + b)
        ITEMS.reverse()
    return y


def appended_after_a_loop(x):
    y = x
    for h in ITEMS:
        y = y * x * h
    ITEMS.append(3.0)
    return y


def emptied_after_a_loop(x):
    y = x
    for _, h in enumerate(ITEMS):
        y = np.sin(y * h)
    ITEMS.clear()
    return y


def reversed_after_a_loop(x):
    y = x
    for h in reversed(ITEMS):
        y = np.sin(y * h)
    ITEMS.reverse()
    return y


def appended_between_loops(x):
    y = x
    for i in range(3):
        for h in ITEMS:
            y = y + np.sin(y * h)
        ITEMS.append(i + 3.0)
    return y


def only_read(x):
    y = x
    for i in range(len(ITEMS)):
        y = y * x * ITEMS[i]
    return y


def of_a_queue(x):
    y = x
    for i in range(3):
        QUEUE.append(i + 2.0)
        for h in QUEUE:
            y = np.sin(y * h)
    return y


def of_a_dictionary(x):
    y = x
    for k in range(3):
        TABLE.update({k: k + 2.0})
        y = y * TABLE[k] * x
    TABLE.clear()
    return y


def as_operand(x):
    y = np.dot(np.array([x, x * x]), ITEMS)
    ITEMS.reverse()
    return y


def as_condition_of_elements(x):
    y = np.where(ITEMS, x**2, x).sum()
    ITEMS.append(0.0)
    return y


def as_coefficients(x):
    y = np.polyval(ITEMS, x)
    ITEMS.append(3.0)
    return y


def as_places(x):
    u = np.array([1.0, 2.0, 3.0]) * x
    y = u[PLACES].sum() * x
    u[PLACES] = x**2
    PLACES.append(1)
    return y + (u * u).sum()


def as_operand_in_a_loop(x):
    y = x
    for _ in range(3):
        y = np.sin(np.dot(np.array([y, x]), ITEMS))
        ITEMS.reverse()
    return y


PROGRAMS = [
    as_operand, as_condition_of_elements, as_coefficients, as_places, as_operand_in_a_loop,
    length, length_and_callee, length_as_factor, length_as_place, length_in_a_condition, counted,
    last_item, unpacked, appended_after_a_loop, emptied_after_a_loop, reversed_after_a_loop,
    appended_between_loops, only_read, of_a_queue, of_a_dictionary,
]  # fmt: skip
NOT_TWICE = [as_operand_in_a_loop, counted, of_a_queue, of_a_dictionary]


def begin() -> None:
    ITEMS[:] = [1.0, 2.0]
    QUEUE.clear()
    TABLE.clear()
    PLACES[:] = [0]


@pytest.fixture(autouse=True)
def _begun() -> Iterator[None]:
    begin()
    yield
    begin()


def afresh(f: Callable[[Any], Any], x: float) -> Any:
    begin()
    return f(x)


def state() -> object:
    return [*ITEMS], [*QUEUE], {**TABLE}, [*PLACES]


def slope_of(f: Callable[[Any], Any], x: float) -> float:
    h = 1e-6
    return float((afresh(f, x + h) - afresh(f, x - h)) / (2 * h))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.recorded
def test_what_was_read_counts(f):
    x = 1.3
    slope, y = slope_of(f, x), afresh(f, x)
    left = state()
    ways = {
        "grad": ad.value_and_grad(f),
        "save": ad.value_and_grad(f, on_overwrite="save"),
        "jvp": lambda x: ad.jvp(f, (x,), (1.0,)),
        "jacfwd": lambda x: (y, ad.jacfwd(f)(x)),
    }
    for name, way in ways.items():
        value, found = afresh(way, x)
        assert value == pytest.approx(y), name
        assert found == pytest.approx(slope, rel=1e-5), name
        assert state() == left, name


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.recorded
def test_also_where_it_changes_between_a_run_and_its_pullback(f):
    x = 1.3
    slope = slope_of(f, x)
    begin()
    _, pullback = ad.vjp(f, x)
    assert pullback(1.0) == pytest.approx((slope,), rel=1e-5)
    ITEMS[:] = [7.0]
    QUEUE.append(7.0)
    TABLE[0] = 7.0
    PLACES[:] = [2, 1]
    left = state()
    assert pullback(1.0) == pytest.approx((slope,), rel=1e-5)
    assert state() == left


@pytest.mark.parametrize(
    "f", [f for f in PROGRAMS if f not in NOT_TWICE], ids=lambda f: f.__name__
)
def test_second_derivatives(f):
    x, h = 1.3, 1e-4
    bend = (afresh(f, x + h) - 2 * afresh(f, x) + afresh(f, x - h)) / h**2
    assert afresh(ad.grad(ad.grad(f)), x) == pytest.approx(bend, rel=1e-3, abs=1e-5)
    assert afresh(ad.hessian(f), x) == pytest.approx(bend, rel=1e-3, abs=1e-5)
