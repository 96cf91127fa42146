"""What Python does with objects beyond attributes and methods is refused, and recorded."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4])


class Cell:
    def __init__(self, v: Any, then: Any = None) -> None:
        self.v, self.then = v, then

    def scale(self, k: Any) -> None:
        self.v = self.v * k


class Wide(Cell):
    def scale(self, k: Any) -> None:
        self.v = self.v + k


class Once:
    def __init__(self, x: Any) -> None:
        self.x = x

    @functools.cached_property
    def square(self) -> Any:
        return np.sum(self.x * self.x)


class Items:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Any:
        for v in self.x:
            yield v * v


class Down:
    def __init__(self, x: Any) -> None:
        self.x, self.k = x, 3

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self.k == 0:
            raise StopIteration
        self.k -= 1
        return self.x[self.k] ** 3


class Left(Cell):
    def scale(self, k: Any) -> None:
        super().scale(k * 2.0)


class Right(Cell):
    def scale(self, k: Any) -> None:
        super().scale(k * 3.0)


class Both(Left, Right):
    pass


class Asked:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __lt__(self, other: Any) -> Any:
        self.v = self.v * 2.0
        return self.v < other.v

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Asked) and self.v == other.v

    def __contains__(self, k: Any) -> bool:
        self.v = self.v * k
        return True

    def __bool__(self) -> bool:
        self.v = self.v * self.v
        return True

    def __len__(self) -> int:
        self.v = self.v + 1.0
        return 2

    def __float__(self) -> float:
        return float(self.v)

    def __abs__(self) -> Any:
        return abs(self.v)

    def __getitem__(self, at: Any) -> Any:
        return self.v * at[1]


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


def in_a_list(x: Any) -> Any:
    cells = [Cell(v) for v in x]
    for c in cells:
        c.scale(x[0])
    return sum(c.v for c in cells)


def chained(x: Any) -> Any:
    head = None
    for v in x:
        head = Cell(v * v, head)
    total = 0.0
    while head is not None:
        total = 0.5 * total + head.v
        head = head.then
    return total


def one_of_two(x: Any) -> Any:
    c = Cell(x[0]) if x[1] > 1.0 else Wide(x[1])
    c.scale(x[2])
    return c.v * x[1]


def two_in_turn(x: Any) -> Any:
    a, b = Cell(x[0]), Cell(x[1])
    for k in range(4):
        c = a if k % 2 else b
        c.scale(x[2] + k)
    return a.v * b.v


def not_always_there(x: Any) -> Any:
    c = Cell(x[0])
    if x[0] > 0.5:
        c.more = x[1] * x[2]  # type: ignore[attr-defined]
    return c.v * c.more  # type: ignore[attr-defined]


def there_or_not(x: Any) -> Any:
    c = Cell(x[0] * x[1])
    return getattr(c, "more", c.v) * c.v


def computed_once(x: Any) -> Any:
    o = Once(x)
    return o.square * o.square


def generated_items(x: Any) -> Any:
    total = 0.0
    for v in Items(x):
        total = total * x[0] + v
    return total


def summed_items(x: Any) -> Any:
    return sum(Items(x)) * x[1]


def own_iterator(x: Any) -> Any:
    total = x[0]
    for v in Down(x):
        total = total * v
    return total


def shallow_copy(x: Any) -> Any:
    a = Cell(x * x)
    b = copy.copy(a)
    b.v = b.v * x
    return np.sum(a.v) + np.sum(b.v)


def deep_copy(x: Any) -> Any:
    a = Cell(x * x)
    b = copy.deepcopy(a)
    b.v *= 3.0
    return np.sum(a.v * b.v)


def own_dictionary(x: Any) -> Any:
    c = Cell(x[0] * x[1])
    c.__dict__["v"] = c.v * x[2]
    return c.v * vars(c)["v"]


def as_a_dictionary(x: Any) -> Any:
    p = Pair(x[0] * x[1], x[2])
    return dataclasses.asdict(p)["a"] * dataclasses.astuple(p)[1]


def by_keywords(x: Any) -> Any:
    given = {"a": x[0] * x[1], "b": x[2]}
    p = Pair(**given)
    return p.a * p.b


def by_a_star(x: Any) -> Any:
    c = Cell(x[0])
    c.scale(*[x[1] * x[2]])
    return c.v * c.v


def next_class_of_one_below(x: Any) -> Any:
    c = Both(x[0])
    c.scale(x[1])
    return c.v * x[2]


def bound_super(x: Any) -> Any:
    class Inner(Cell):
        def scale(self, k: Any) -> None:
            base = super().scale
            base(k * k)

    c = Inner(x[0])
    c.scale(x[1])
    return c.v * x[2]


def half_done(x: Any) -> Any:
    class Careful(Cell):
        def both(self, k: Any) -> None:
            self.v = self.v * k
            if self.v > 0.2:
                raise ValueError
            self.v = self.v * 10.0

    c = Careful(x[0])
    try:
        c.both(x[1])
    except ValueError:
        c.v = c.v * x[2]
    return c.v


def derivative_of_a_function_of_an_object(x: Any) -> Any:
    def energy(p: Any, y: Any) -> Any:
        return np.sum(p.a * y * y) * p.b

    p = Pair(x[0] * x[1], x[2])
    return np.sum(ad.grad(energy, wrt="y")(p, x))


def compared(x: Any) -> Any:
    a, b = Asked(x[0]), Asked(x[1] * 3.0)
    return a.v * x[2] if a < b else b.v


def compared_in_a_loop(x: Any) -> Any:
    a, b = Asked(x[0]), Asked(x[1] * 9.0)
    while a < b:
        a.v = a.v + x[2]
    return a.v


def found_in(x: Any) -> Any:
    a = Asked(x[0])
    k = 3.0 not in a
    return a.v * x[1] + k


def true_or_not(x: Any) -> Any:
    a = Asked(x[0])
    if a and x[1] > 0.0:
        return a.v
    return x[2]


def not_true(x: Any) -> Any:
    a = Asked(x[0])
    return x[1] * a.v if not a else x[1] * a.v * a.v


def asked_how_long(x: Any) -> Any:
    a = Asked(x[0])
    return len(a) * a.v


def its_number(x: Any) -> Any:
    return float(Asked(x[0] * x[1])) * abs(Asked(x[2]))


def two_subscripts(x: Any) -> Any:
    return Asked(x[0])[1:, x[1]]


def by_names(x: Any) -> Any:
    p = Pair(x[0], x[1] * x[2])
    for name in ("a", "b"):
        setattr(p, name, getattr(p, name) * x[0])
    return p.a * p.b


PROGRAMS: list[Callable[..., Any]] = [
    in_a_list, chained, one_of_two, two_in_turn, not_always_there, there_or_not, computed_once,
    generated_items, summed_items, own_iterator, shallow_copy, deep_copy, own_dictionary,
    as_a_dictionary, by_keywords, by_a_star, next_class_of_one_below, bound_super, half_done,
    derivative_of_a_function_of_an_object, compared, compared_in_a_loop, found_in, true_or_not,
    not_true, asked_how_long, its_number, two_subscripts, by_names,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_compiler_refuses(f: Callable[..., Any]) -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_recorded(f: Callable[..., Any]) -> None:
    check_grads(f, (X,), modes=("reverse", "forward"))


@pytest.mark.recorded
def test_a_missing_attribute_raises_what_python_raises() -> None:
    with pytest.raises(AttributeError):
        ad.grad(not_always_there)(np.array([0.3, 1.0, 1.0]))
