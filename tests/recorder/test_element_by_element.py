"""`np.nditer`, `np.frompyfunc` and `np.vectorize` with all of its options, recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.9, 1.2, 0.5, 1.7])
SEEN: list[tuple[float, type]] = []
MADE_OUTSIDE = np.frompyfunc(lambda a, b: a * b + b, 2, 1)


def looped_over(x):
    total = 0.0
    for v in np.nditer(x.reshape(2, 2).T, order="C"):
        total = total + v * v * (1.0 + total)
    return total


def with_places(x):
    it, total = np.nditer(x.reshape(2, 2), flags=["multi_index"]), 0.0
    while not it.finished:
        i, j = it.multi_index
        total = total + it[0] ** 2 * (i + 2 * j)
        it.iternext()
    return total


def with_an_index(x):
    it = np.nditer(x, flags=["f_index"])
    return sum(v * v * it.index for v in it)


def written_through(x):
    y = np.zeros(4)
    with np.nditer([x, y], op_flags=[["readonly"], ["readwrite"]]) as it:
        for a, b in it:
            b[...] = a * a
    return np.sum(y * y[::-1])


def changed_in_place(x):
    y = x.copy()
    for v in np.nditer(y, op_flags=["readwrite"]):
        v[...] = 2.0 * v * v
    return np.sum(y * x)


def by_item(x):
    y = x * 1.0
    it = np.nditer(y, op_flags=["readwrite"])
    while not it.finished:
        it[0] = it[0] * it[0] + 1.0
        it.iternext()
    return np.sum(y**2)


def allocated(x):
    it = np.nditer([x, None])
    with it:
        for a, b in it:
            b[...] = np.sin(a)
        return np.sum(it.operands[1] ** 2)


def broadcast(x):
    it = np.nditer([x.reshape(4, 1), x[:3], None], flags=["external_loop"],
                   op_flags=[["readonly"], ["readonly"], ["writeonly", "allocate"]])  # fmt: skip
    with it:
        for a, b, c in it:
            c[...] = a * b
        return np.sum(it.operands[2] ** 2)


def nested(x):
    outer, inner = np.nested_iters(x.reshape(2, 2), [[1], [0]], flags=["multi_index"])
    total = 0.0
    for _ in outer:
        for v in inner:
            total = total + v * v * (1 + outer.multi_index[0])
    return total


def of_python(x):
    g = np.frompyfunc(lambda a, b: (a * b, a + b), 2, 2)
    u, v = g(x, 2.0 * x[0])
    return np.sum(u.astype(float)) + v[1] ** 2


def reduced(x):
    g = np.frompyfunc(lambda a, b: a * b + 1.0, 2, 1)
    return g.reduce(x) + g.accumulate(x)[2] + np.sum(g.outer(x, x[:2]))


def from_outside(x):
    return np.sum(MADE_OUTSIDE(x, x[::-1]) * x)


def by_signature(x):
    g = np.vectorize(lambda a, b: a * np.sum(b), signature="(n),(m)->(n)")
    return np.sum(g(x.reshape(2, 2), x) ** 2)


def with_excluded(x):
    def polynomial(p, at):
        found = p[0]
        for c in p[1:]:
            found = found * at + c
        return found

    g = np.vectorize(polynomial, excluded=["p"])
    h = np.vectorize(polynomial, excluded={0})
    return np.sum(g(at=x, p=[1.0, x[0], x[1]])) + np.sum(h(x, x[:2]))


def calls_are_counted(x):
    def f(v, w):
        SEEN.append((float(v), type(v)))
        return v * w if v > 1.0 else v + w

    g = np.frompyfunc(f, 2, 1)
    return (np.sum(np.vectorize(f)(x, 2.0)) + np.sum(np.vectorize(f, cache=True)(x, x))
            + np.vectorize(f)(x[0], x[1]) + np.sum(g([x[0], x[1]], 2.0)) + g(x[1], x[0]))


@np.vectorize(otypes=[float])
def decorated(a, b=2.0):
    return a**b


def of_a_decorated(x):
    return np.sum(decorated(x) * decorated(x, 3.0)) + decorated(x[0])


ALL: list[Any] = [
    looped_over, with_places, with_an_index, written_through, changed_in_place, by_item, allocated,
    broadcast, nested, of_python, reduced, from_outside, by_signature, with_excluded,
    calls_are_counted, of_a_decorated,
]  # fmt: skip


@pytest.mark.parametrize("f", ALL)
def test_gradient_and_tangent(f: Any) -> None:
    SEEN.clear()
    wanted = f(X.copy())
    calls = [*SEEN]
    SEEN.clear()
    value, gradient = ad.value_and_grad(ad.recorded(f))(X.copy())
    assert value == wanted and type(value) is type(wanted) and calls == SEEN
    assert all(type(v) is float for v, _ in SEEN)
    h = 1e-6
    expected = [(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(4)]
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
    _, slope = ad.recorded(f).jvp((X,), (X,))
    np.testing.assert_allclose(slope, gradient @ X, rtol=1e-10)
    f(X.copy())  # nothing that was made by the run is left behind


def buffered(x):
    it = np.nditer(x, flags=["buffered"], op_dtypes=["f4"], casting="same_kind")
    return sum(float(v) ** 2 for v in it)


def into_numbers(x):
    y = np.zeros(4)
    np.frompyfunc(lambda a: a * a, 1, 1)(x, out=y, casting="unsafe")
    return np.sum(y)


@pytest.mark.parametrize("f", [buffered, into_numbers])
def test_what_is_copied_where_it_is_not_seen_is_an_error(f: Any) -> None:
    with pytest.raises(ad.CompileError):
        ad.recorded(f).grad(X)
