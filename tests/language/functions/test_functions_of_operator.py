"""Getters of `operator` under a name, its functions that write; `cmath.polar` and `rect`."""

from __future__ import annotations

import cmath
import operator
from collections.abc import Callable
from functools import reduce
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

V = np.array([0.6, 1.4, 0.9])
SLOW = pytest.mark.slow


class Part:
    def __init__(self, a: Any, b: float) -> None:
        self.a, self.b = a, b

    def scaled(self, q: float, r: float = 1.0) -> Any:
        return self.a * q + r


def getters(v: Any) -> Any:
    first, pick = itemgetter(0), itemgetter(2, 0)
    rows = [(t, t * v[0]) for t in v]
    rows.sort(key=itemgetter(1))
    best = max(rows, key=itemgetter(1))
    a, b = pick(v)
    return first(rows[0]) * best[0] + sum(map(itemgetter(1), rows)) * a * b


def of_objects(v: Any) -> Any:
    parts = [Part(t, 2.0) for t in v]
    parts.sort(key=operator.attrgetter("a"))
    scaled = operator.methodcaller("scaled", 2.0, r=3.0)
    total = sum(scaled(p) for p in parts)
    return total * parts[0].a + operator.methodcaller("sum")(v)


def in_place(v: Any) -> Any:
    y = v.copy()
    z = operator.iadd(y, v * v[0])
    z[0] = v[1]
    operator.isub(y, 1.0)
    operator.itruediv(y, 2.0)
    operator.setitem(y, slice(1, 3), v[0])
    s = reduce(operator.iadd, [v * v, v], np.zeros(3))
    return np.sum(y * y) + np.sum(s * s)


def of_lists(v: Any) -> Any:
    joined = reduce(operator.iconcat, [[v[0]], [v[1], v[2] * v[0]]], [])
    more = operator.concat(joined, [v[0] * v[1]])
    operator.delitem(more, 0)
    table: dict[str, Any] = {}
    operator.setitem(table, "a", more[0])
    if operator.contains(table, "a") and operator.truth(more) and not operator.not_(more):
        operator.setitem(table, "a", table["a"] * v[0])
    return sum(joined) * operator.abs(-more[-1]) * table["a"]


def polar(v: Any) -> Any:
    s = 0.0
    for t in v:
        r, phi = cmath.polar(complex(t, v[0]))
        z = cmath.rect(0.5 * r, phi)
        if cmath.isfinite(z):
            s += abs(z) * z.real + phi
    return s


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        pytest.param(getters, marks=SLOW),
        pytest.param(of_objects, marks=SLOW),
        in_place,
        pytest.param(of_lists, marks=SLOW),
        polar,
    ],
)
def test_gradient(f: Callable[[Any], Any]) -> None:
    check_grads(f, (V,))


def test_the_same_numbers() -> None:
    from adtrans.rules.in_python import in_python

    for z in (1 + 2j, -3.5 + 0j, complex(-2.0, -0.0), 0j, np.complex128(1 - 1j)):
        made = in_python(cmath.polar)
        assert made is not None
        assert repr(made(z)) == repr(cmath.polar(z))
        r, phi = cmath.polar(z)
        made = in_python(cmath.rect)
        assert made is not None
        assert repr(made(r, phi)) == repr(cmath.rect(r, phi))
        assert type(made(np.float64(r), np.float64(phi))) is complex
