"""Cotangents that are handed on without a copy, and overwritten where nothing else needs them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.linspace(0.3, 1.4, 12)
W = np.arange(1.0, 13.0)


def twice(x: Any) -> Any:
    y = x * W
    return np.sum(np.sin(y + y) * W)


def three_operands_two_of_them_one(x: Any) -> Any:
    a, b = x * W, np.sin(x)
    c = a + b
    d = a - c
    e = d + a
    return np.sum((a + e) * (b - c) + d * d)


def between_two_others(x: Any) -> Any:
    a, b = x * W, np.cos(x)
    return np.sum(np.where(x > 0.75, a, b) * a + np.sqrt(a * a) / b)


def added_to_itself(x: Any) -> Any:
    y = np.tanh(x * 2.0)
    y += y * y
    y -= y / (1.0 + y)
    y += y
    return np.sum(y * W)


def added_up(x: Any) -> Any:
    total, last = x * 1.0, np.exp(x)
    for k in range(4):
        last = last * (k + 1.0) + x
        total += last
        total -= np.sin(last)
    return np.sum(total * last * W)


def views_of_what_is_added_to(x: Any) -> Any:
    a = x.reshape(3, 4) * 1.0
    for row in a:
        for _ in range(2):
            row = np.sin(row) * 0.7
            a += row * a
    return np.sum(a)


def written_as_a_whole(x: Any) -> Any:
    y, z = np.zeros(12), x * 3.0
    y[...] = z
    s = np.sum(y * W)
    y[:] = z * y
    return s + np.sum(y * z)


def written_in_parts(x: Any) -> Any:
    y = x * 2.0
    z = y + x
    y[3:] = z[:-3]
    y[::2] *= z[::2]
    u = y + z
    return np.sum(u * u) + np.sum(z[1:] * y[:-1]) + y[2] * z[3] * u[4]


def views_of_views(x: Any) -> Any:
    y = x.reshape(3, 4) * 2.0
    t = y.T[1:]
    v = t[:, ::2]
    s = (y + y)[1:].reshape(-1)
    t[0] = v[:, 0] if v.shape[0] == 3 else t[0]
    return np.sum(np.sin(v) * v) + np.sum(s * s) + np.sum(t @ y)


def broadcast(x: Any) -> Any:
    row, column = x[:4] * 1.0, np.reshape(x[4:7] * 2.0, (3, 1))
    grid = row * column
    grid = grid + row
    grid = column / grid
    lots = np.broadcast_to(row, (3, 4)) * grid
    return np.sum(lots * grid - column) * np.sum(row)


def axis_of_one(x: Any) -> Any:
    a, b = np.reshape(x, (12, 1)) * 1.0, np.reshape(x, (1, 12)) * 1.0
    c = a * b
    return np.sum(np.exp(-c) * (a - b) ** 2 / (1.0 + a * a))


def without_axes(x: Any) -> Any:
    a = np.array(1.0)
    a[()] = x[0]
    b = np.multiply(a, x)
    return np.sum(b * b) * a * a


def with_numbers(x: Any) -> Any:
    a = x[0]
    y = x * a
    z = y / a - a
    return np.sum(z * y * 2 / (1 - 0.1 * z * z))


def of_narrow_floats(x: Any) -> Any:
    y = x.astype(np.float32)
    z = np.tanh(y * np.float32(0.5)) * y
    return np.sum(z.astype(np.float64) * W)


def by_integers(x: Any) -> Any:
    n = np.arange(1, 13)
    y = 2 * x * n / (n + 1)
    return np.sum(-y / n * (y > 1.0) * y)


def columns(x: Any) -> Any:
    y = np.asfortranarray(x.reshape(3, 4)) * 2.0
    z = np.sin(y) * np.ascontiguousarray(y)
    y = y + z
    return np.sum(y * W.reshape(3, 4) * z) + np.sum(y.T @ z)


def read_between(x: Any) -> Any:
    y = np.sin(x)
    a = y + x
    s = a[3] * y[2]
    b = a + y
    s = s + y[2] * b[1]
    return np.sum(a * b * y) * s


def out_of_the_one_into_the_other(x: Any) -> Any:
    y = x * 2.0
    np.multiply(y, 3.0, out=y)
    z = np.empty(12)
    np.add(y, y, out=z)
    np.sin(z, out=z)
    return np.sum(z * y)


PROGRAMS = [
    twice, three_operands_two_of_them_one, between_two_others, added_to_itself, added_up,
    views_of_what_is_added_to,
    written_as_a_whole, written_in_parts, views_of_views, broadcast, axis_of_one, without_axes,
    with_numbers, of_narrow_floats, by_integers, columns, read_between,
    out_of_the_one_into_the_other,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_as_by_tangents_and_always_the_same(f: Any) -> None:
    g = ad.recorded(f, on_overwrite="save")
    rtol = 1e-4 if f is of_narrow_floats else 1e-10
    expected = np.array([ad.jvp(g, (X,), (e,))[1] for e in np.eye(12)])
    value, pullback = ad.vjp(g, X)
    first = pullback(1.0)[0]
    assert value == f(X)
    np.testing.assert_allclose(first, expected, rtol=rtol, atol=1e-12)
    kept = first.copy()
    first *= 0.0  # which is the user's
    np.testing.assert_array_equal(pullback(1.0)[0], kept)
    np.testing.assert_allclose(pullback(-2.0)[0], -2.0 * kept, rtol=rtol)


@pytest.mark.parametrize("f", [f for f in PROGRAMS if f is not of_narrow_floats])
def test_twice_differentiated(f: Any) -> None:
    g = ad.recorded(f, on_overwrite="save")
    v = np.cos(W)
    h = 1e-5
    expected = (ad.grad(g)(X + h * v) - ad.grad(g)(X - h * v)) / (2 * h)
    np.testing.assert_allclose(ad.hvp(g, (X,), (v,)), expected, rtol=1e-5, atol=1e-5)


def same(x: Any, y: Any) -> Any:
    return x + y


def one_and_its_double(x: Any, y: Any) -> Any:
    return x + y + x


def the_first(x: Any, y: Any) -> Any:
    return x.copy()


@pytest.mark.parametrize("f", [same, one_and_its_double, the_first])
def test_gradients_and_the_given_cotangent_are_apart(f: Any) -> None:
    _, pullback = ad.vjp(ad.recorded(f), X, W)
    bar = np.ones(12)
    by_x, by_y = pullback(bar)
    assert not np.shares_memory(by_x, by_y)
    assert not np.shares_memory(by_x, bar)
    assert not np.shares_memory(by_y, bar)
    before = by_y.copy(), bar.copy()
    by_x[:] = 7.0
    np.testing.assert_array_equal((by_y, bar), before)


def test_a_gradient_shares_no_memory_with_what_was_kept() -> None:
    _, pullback = ad.vjp(ad.recorded(lambda x: np.sum(x * W)), X)
    (gradient,) = pullback(1.0)
    gradient[:] = 0.0
    np.testing.assert_array_equal(W, np.arange(1.0, 13.0))
    np.testing.assert_array_equal(pullback(1.0)[0], W)


def scaled(x: Any, y: Any) -> Any:
    return 2.0 * x


HELD = np.full(12, 2.0)
SEEN: list[Any] = []


@ad.rule(scaled)
def scaled_pullback(y_bar: Any) -> Any:
    SEEN.append(y_bar)
    return HELD, y_bar


def test_a_rule_may_keep_what_it_gives_and_is_given() -> None:
    def f(x: Any, z: Any) -> Any:
        a = scaled(x, z)
        b = a + x
        return np.sum(scaled(x, z) + b + x * x)

    SEEN.clear()
    gradient = ad.grad(ad.recorded(f), wrt=("x", "z"))(X, W)
    np.testing.assert_allclose(gradient[0], 5.0 + 2.0 * X)
    np.testing.assert_allclose(gradient[1], np.full(12, 2.0))
    np.testing.assert_array_equal(HELD, np.full(12, 2.0))
    gradient[1][:] = 5.0
    np.testing.assert_array_equal(SEEN[0], np.ones(12))
    np.testing.assert_array_equal(SEEN[1], np.ones(12))
