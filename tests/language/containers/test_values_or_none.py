"""What is a tuple, a list or a dictionary, or None: `best = None` in front of a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def early(x: np.ndarray) -> Any:
    best = None
    if x[0] > 0:
        best = x * x, x[1]
    if best is None:
        return x[2] ** 2
    a, b = best
    return np.sum(a) * b


def a_list(x: np.ndarray) -> Any:
    best = None
    if x[0] > 0:
        best = [v * v for v in x]
    if best is None:
        return x[2] ** 2
    return best[0] * best[1]


def a_dictionary(x: np.ndarray) -> Any:
    best = None
    if x[0] > 0:
        best = {"a": x[0] * x[1]}
    if best is None:
        return x[1] ** 2
    return best["a"] ** 2


def the_best(x: np.ndarray) -> Any:
    best = None
    for k in range(3):
        v = x * x[k]
        c = np.sum(v)
        if best is None or c < best[0]:
            best = c, v[: k + 1] * 2.0
    assert best is not None
    return best[0] * np.sum(best[1] ** 2)


def comes_and_goes(x: np.ndarray) -> Any:
    best = None
    s = 0.0
    for k in range(4):
        if best is not None:
            s = s + best[0] * np.sum(best[1])
            if k == 1:
                best = None
        else:
            best = x[k % 3], x * x
    if best is not None:
        s += best[0]
    return s * s


def grown(b: list[Any], v: Any) -> list[Any]:
    b.append(v * v)
    return b


def grows(x: np.ndarray) -> Any:
    best: list[Any] | None = None
    s = 0.0
    for k in range(3):
        if best is not None:
            grown(best, x[k])
            s = s + best[0] * best[-1]
        else:
            best = [x[k] ** 2]
    if best is not None:
        s += best[0]
    return s * s


def found(x: np.ndarray, c: float) -> Any:
    for v in x:
        if v * v > c:
            return v, x * v
    return None


def searched(x: np.ndarray) -> Any:
    s = 0.0
    for c in (0.5, 2.0, 100.0):
        r = found(x, c)
        if r is not None:
            s += r[0] * np.sum(r[1])
    return s


def used(x: np.ndarray, p: Any = None) -> Any:
    if p is None:
        p = x[0], x * 2
    a, b = p
    return a * np.sum(b * b)


def with_a_default(x: np.ndarray) -> Any:
    p = None
    if x[0] > 0:
        p = x[1], x * x
    return used(x, p) + used(x) + used(x, (x[1], x * x))


def the_one_before(x: np.ndarray) -> Any:
    p = None
    for k in range(3):
        old = p
        p = x[k], x * x[k]
        if old is not None:
            p = p[0] * old[0], p[1] + old[1]
    assert p is not None
    return p[0] * np.sum(p[1] ** 2)


def made_when_needed(x: np.ndarray) -> Any:
    d: dict[str, Any] | None = None
    for v in x:
        if not d:
            d = {}
        d["k"] = d.get("k", 1.0) * v
    assert d is not None
    return d["k"] ** 2


def in_a_tuple(x: np.ndarray) -> Any:
    r: Any = (None, x[0])
    if x[0] > 0:
        r = ((x[1], x), x[2])
    if r[0] is None:
        return r[1]
    return r[0][0] * np.sum(r[0][1]) * r[1]


class Mean:
    def __init__(self) -> None:
        self.total = 0.0
        self.count = 0

    def add(self, v: Any) -> None:
        self.total += v
        self.count += 1

    def mean(self) -> Any:
        return self.total / self.count


def after_a_failure(x: np.ndarray) -> Any:
    a = Mean()
    try:
        m = a.mean()
    except ZeroDivisionError:
        m = x[0] ** 2
    a.add(m * x[1])
    try:
        m = a.mean()
        m = m * x[2]
    except ZeroDivisionError:
        m = 0.0
    return m * m


PROGRAMS = [
    early, a_list, a_dictionary, the_best, comes_and_goes, grows, searched, with_a_default,
    the_one_before, made_when_needed, in_a_tuple, after_a_failure,
]  # fmt: skip


@pytest.mark.parametrize("first", [1.0, -1.0])
@pytest.mark.parametrize("program", PROGRAMS)
def test_either_way(program: Callable[[np.ndarray], Any], first: float) -> None:
    x = np.array([first, 2.0, 0.5])
    check_grads(program, (x,))
    check_grads(program, (x,), on_overwrite="save")


@pytest.mark.parametrize("first", [1.0, -1.0])
@pytest.mark.parametrize(
    "program", [early, a_dictionary, with_a_default, made_when_needed, in_a_tuple, after_a_failure]
)
def test_again(program: Callable[[np.ndarray], Any], first: float) -> None:
    check_grads(program, (np.array([first, 2.0, 0.5]),), modes=("reverse",), order=2)


@pytest.mark.slow
@pytest.mark.parametrize("program", [a_list, the_best, comes_and_goes, grows, the_one_before])
def test_loops_again(program: Callable[[np.ndarray], Any]) -> None:
    check_grads(program, (np.array([1.0, 2.0, 0.5]),), modes=("reverse",), order=2)


def test_it_fails_as_the_program_does() -> None:
    def nothing(x: np.ndarray) -> Any:
        p = None
        if x[0] > 0:
            p = x[0], x[1]
        return p[0]  # type: ignore[index]  # that is the point

    assert ad.grad(nothing)(np.array([1.0, 2.0])).tolist() == [1.0, 0.0]
    with pytest.raises(TypeError, match="not subscriptable"):
        ad.grad(nothing)(np.array([-1.0, 2.0]))
