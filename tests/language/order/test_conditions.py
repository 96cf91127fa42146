"""Conditions on what changes: the branch of a run is that of its pullback, whatever came since."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


class Sized:
    """An object with a length that counts how often it is asked."""

    def __init__(self) -> None:
        self.n = self.asked = 0

    def __len__(self) -> int:
        self.asked += 1
        return self.n


class Truth:
    """An object that counts how often it is a condition, or compared."""

    def __init__(self) -> None:
        self.n = self.asked = 0

    def __bool__(self) -> bool:
        self.asked += 1
        return self.n > 0

    def __gt__(self, other: int) -> bool:
        self.asked += 1
        return self.n > other


class Config:
    """A class with a list of its own."""

    hist: list[int] = []  # noqa: RUF012


HIST: list[int] = []
SEEN: set[int] = set()
TABLE: dict[int, int] = {}
SIZED, TRUTH = Sized(), Truth()


def happens() -> None:
    HIST.append(1)
    SEEN.add(1)
    TABLE[1] = 1
    Config.hist.append(1)
    SIZED.n += 1
    TRUTH.n += 1


def listed(x):
    y = x**3 if HIST else x**2
    HIST.append(1)
    return y


def negated(x):
    if not HIST:
        y = x**2
    else:
        y = x**3
    HIST.append(1)
    return y


def either(x):
    y = x**3 if (HIST or x < 0) else x**2
    HIST.append(1)
    return y


def both(x):
    y = x**3 if x > 0 and HIST else x**2
    HIST.append(1)
    return y


def contained(x):
    y = x**3 if 1 in HIST else x**2
    HIST.append(1)
    return y


def in_a_set(x):
    y = x**3 if SEEN else x**2
    SEEN.add(2)
    return y


def in_a_dictionary(x):
    y = x**3 if TABLE else x**2
    TABLE[2] = 3
    return y


def of_a_class(x):
    y = x**3 if Config.hist else x**2
    Config.hist.append(1)
    return y


def by_a_callee(x):
    y = x**3 if HIST else x**2
    happens()
    return y


def asked_twice(x):
    y = x**3 if HIST else x**2
    HIST.append(1)
    return y * x if HIST else y


def as_exponent(x):
    n = 3 if HIST else 1
    y = x**n
    HIST.append(1)
    return y


def by_length(x):
    y = x**3 if SIZED else x**2
    SIZED.n += 1
    return y


def by_truth(x):
    y = x**3 if TRUTH else x**2
    TRUTH.n += 1
    return y


def by_truth_or(x):
    y = x**3 if TRUTH or x < 0 else x**2
    TRUTH.n += 1
    return y


def by_truth_of_a_name(x):
    t = TRUTH
    y = x**3 if t else x**2
    t.n += 1
    return y


def compared(x):
    y = x**3 if TRUTH > 0 else x**2
    TRUTH.n += 1
    return y


def returned_early(x):
    if HIST:
        return x**3
    HIST.append(1)
    return x**2


def in_a_loop(x):
    y = x
    for _ in range(3):
        y = y * x**3 if HIST else y * x
        HIST.append(1)
    return y


def truth_in_a_loop(x):
    y = x
    for i in range(3):
        if i < 2 and TRUTH:
            y = y * x**2
        elif not HIST:
            y = y * x
        TRUTH.n += 1
    return y


def in_a_comprehension(x):
    v = [x**2 for _ in range(2) if not HIST]
    HIST.append(1)
    return sum(v)


def in_an_attempt(x):
    y = x
    for _ in range(3):
        try:
            y = y * x**2 if HIST else y * x
            HIST.append(1)
            if len(HIST) == 2:
                raise ValueError
        except ValueError:
            y = y * x
    return y


def in_a_while_loop(x):
    y = x
    while len(HIST) < 3:
        y = y * x
        if HIST:
            y = y * 2.0
        HIST.append(1)
    return y


def local_or(x):
    items = []
    y = x**3 if items or x < 0 else x**2
    items.append(1)
    return y


def closed_over() -> Callable[[Any], Any]:
    own = HIST

    def closure(x):
        y = x**3 if own else x**2
        own.append(1)
        return y

    return closure


PROGRAMS = [
    listed, negated, either, both, contained, in_a_set, in_a_dictionary, of_a_class, by_a_callee,
    asked_twice, as_exponent, by_length, by_truth, by_truth_or, by_truth_of_a_name, compared,
    returned_early, in_a_loop, truth_in_a_loop, in_a_comprehension, in_an_attempt,
    in_a_while_loop, local_or, closed_over(),
]  # fmt: skip


def clear() -> None:
    HIST.clear()
    SEEN.clear()
    TABLE.clear()
    Config.hist.clear()
    SIZED.n = SIZED.asked = TRUTH.n = TRUTH.asked = 0


def state() -> object:
    return (
        [*HIST], {*SEEN}, {**TABLE}, [*Config.hist], SIZED.n, SIZED.asked, TRUTH.n, TRUTH.asked
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _cleared() -> Iterator[None]:
    clear()
    yield
    clear()


def afresh(f: Callable[[Any], Any], x: float) -> Any:
    clear()
    return f(x)


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_branch_is_that_of_the_run(f):
    x, h = 2.0, 1e-6
    slope = (afresh(f, x + h) - afresh(f, x - h)) / (2 * h)
    y = afresh(f, x)
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


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_comes_between_a_run_and_its_pullback_is_nothing_to_it(f):
    x, h = 2.0, 1e-6
    slope = (afresh(f, x + h) - afresh(f, x - h)) / (2 * h)
    clear()
    _, pullback = ad.vjp(f, x)
    assert pullback(1.0) == pytest.approx((slope,), rel=1e-5)
    happens()
    left = state()
    assert pullback(1.0) == pytest.approx((slope,), rel=1e-5)
    assert state() == left  # nothing is asked again


@pytest.mark.parametrize("f", [listed, either, by_truth, compared, in_a_loop, truth_in_a_loop])
def test_second_derivatives(f):
    x, h = 2.0, 1e-4
    bend = (afresh(f, x + h) - 2 * afresh(f, x) + afresh(f, x - h)) / h**2
    left = (afresh(f, x), state())[1]
    assert afresh(ad.grad(ad.grad(f)), x) == pytest.approx(bend, rel=1e-4)
    assert state() == left
    assert afresh(ad.hessian(f), x) == pytest.approx(bend, rel=1e-4)


def test_what_cannot_change_is_asked_again():
    def f(x):
        return x**3 if MODE == "cubic" and x > 0 else x**2

    d = ad.differentiable(f)
    assert d.grad(2.0) == pytest.approx(12.0)
    assert "bool(" not in d.source


MODE = "cubic"


def as_long_as_there_is_something(r):
    todo, done, s = list(r), [], 0.0
    while todo and abs(s) < 5.0:
        s += todo.pop() ** 2
        done.append(s)
    if abs(s) > 100.0 or done:
        s *= 2.0
    return s, done[-1]


def as_long_as_the_log_is_short(r):
    heap = [(1.0 / v, i) for i, v in enumerate(r)]
    heapq.heapify(heap)
    wait, served = 0.0, []
    while heap and len(served) < 4:
        t, i = heapq.heappop(heap)
        wait += t
        served.append(i)
        heapq.heappush(heap, (t + 1.0 / r[i], i))
    return wait, served


def or_nothing(r, bool=3.0):
    entries = {"a": [r[0], r[1]], "b": None}
    t = 0.0
    while (entries["a"] and abs(t) < 5) or entries["b"]:
        t += entries["a"].pop() ** 2 * bool
    return t


class Machine:
    def __init__(self, r):
        self.todo = list(r)
        self.done = None

    def run(self):
        t = 0.0
        while self.todo and abs(t) < 5.0:
            t += self.todo.pop() ** 2
        if self.done or abs(t) > 0.0:
            t *= 2.0
        return t


def by_attribute(r):
    return Machine(r).run()


@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [as_long_as_there_is_something, as_long_as_the_log_is_short, or_nothing, by_attribute],
    ids=lambda f: f.__name__,
)
def test_of_a_list_in_a_condition_only_the_truth_counts(f, on_overwrite):
    check_grads(f, (np.array([0.3, 0.7, 1.1]),), on_overwrite=on_overwrite)


class Held:
    def __init__(self, a):
        self.a = a


def for_its_effect(x, ps):
    return [setattr(p, "a", p.a * x) for p in ps] and ps[0].a * ps[1].a


@pytest.mark.recorded
def test_a_list_that_is_made_for_its_effect():
    assert ad.grad(for_its_effect)(2.0, [Held(1.5), Held(2.0)]) == 12.0
