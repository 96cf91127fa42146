"""Lists that are sorted by a key, wherever they come from, and `items *= n`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

V = np.array([0.6, 1.4, 0.9])


def of_a_copy(v: Any) -> Any:
    values = [v[0], v[1]]
    others = values.copy()
    others.sort(key=lambda t: -t)
    return others[0] ** 2 * others[1] * values[0]


def squares(v: Any) -> list[Any]:
    return [t * t for t in v]


def of_a_function(v: Any) -> Any:
    found = squares(v)
    found.sort(key=lambda t: t, reverse=True)
    table = {"a": squares(v)}
    entry = table["a"]
    entry.sort(key=abs)
    return found[0] * found[1] ** 2 + table["a"][0] * entry[2]


class Ranking:
    def __init__(self, v: Any) -> None:
        self.values = list(v)
        self.names = ["bb", "a"]

    def best(self) -> Any:
        self.values.sort(key=lambda t: -t)
        self.names.sort(key=len)
        return self.values[0] * self.values[1] ** 2 + len(self.names[0])


def of_an_attribute(v: Any) -> Any:
    return Ranking(v).best()


def of_each_turn(v: Any) -> Any:
    s = v[0] * 0.0
    for row in ([v[0], v[1]], [v[1], v[2]]):
        row.sort(key=lambda t: t)
        s = s + row[0] ** 2 * row[1]
    return s


def repeated(v: Any) -> Any:
    values = [v[0], v[1]]
    other = values
    values *= 2
    other[3] = other[3] * v[2]
    values[0] = v[2] ** 2
    return sum(values) + sum(other) * len(other)


def repeated_arrays(v: Any) -> Any:
    rows = [v * v]
    rows *= 3
    rows[0][1] = v[2]
    return sum(np.sum(r * r) for r in rows)


def repeated_in_places(v: Any) -> Any:
    table = {"a": [v[1], v[0]]}
    table["a"] *= 2
    table["a"][0] = v[2]
    none = [v[0]]
    none *= 0
    none += [v[0]]
    return table["a"][0] * table["a"][1] * table["a"][2] * none[0]


SLOW = pytest.mark.slow


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        of_a_copy,
        pytest.param(of_a_function, marks=SLOW),
        of_an_attribute,
        pytest.param(of_each_turn, marks=SLOW),
        repeated,
        pytest.param(repeated_arrays, marks=SLOW),
        pytest.param(repeated_in_places, marks=SLOW),
    ],
)
def test_gradient(f: Callable[[Any], Any]) -> None:
    check_grads(f, (V,))


class Own:
    def sort(self, key: Any) -> None:
        print("in order")


def made() -> Any:
    return Own()


def test_what_is_no_list_sorts_itself(capsys: pytest.CaptureFixture[str]) -> None:
    def f(v: Any) -> Any:
        thing = made()
        thing.sort(key=len)
        return v[0] * v[1]

    assert ad.grad(f)(V)[0] == V[1]
    assert capsys.readouterr().out == "in order\n"
