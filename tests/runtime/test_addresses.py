"""Adjoints that are found by the address of what a name meant."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime import AdjointMemory, MutationError, address_of


def views(a: Any) -> list[Any]:
    return [a, a[1:-1], a[::-1], a[::-2], a.T, a[:, 1:], a[1], a[:, 1], a[None, :, ::2], a[:0]]


def test_adjoints_share_memory_where_arrays_do() -> None:
    a = np.arange(24.0).reshape(4, 6)[:, :5]
    for v in views(a):
        for w in views(a):
            bars, primal = AdjointMemory(), np.zeros((4, 6))[:, :5]
            bars[address_of(v)] += 2.0
            k = next(i for i, known in enumerate(views(a)) if same(known, v))
            views(primal)[k][...] += 2.0
            m = next(i for i, known in enumerate(views(a)) if same(known, w))
            np.testing.assert_array_equal(bars[address_of(w)], views(primal)[m])


def same(a: Any, b: Any) -> bool:
    return address_of(a).place == address_of(b).place


def test_what_is_popped_is_gone_and_orderly() -> None:
    a = np.zeros((3, 2)).T
    bars = AdjointMemory()
    bars[address_of(a)] += 1.0
    popped = bars.pop(address_of(a))
    assert popped.flags.c_contiguous and popped.sum() == 6.0
    assert not bars[address_of(a)].any()


def test_arguments_have_adjoints_of_their_own() -> None:
    a = np.zeros(6)
    x, y = a[:3], a[3:]
    bars = AdjointMemory(address_of(x), address_of(y))
    bars[address_of(y[1:])] += 1.0
    assert not bars[address_of(x)].any()
    np.testing.assert_array_equal(bars.pop(address_of(y)), [0.0, 1.0, 1.0])


def test_arguments_may_interleave_but_not_overlap() -> None:
    a = np.zeros(8)
    even, odd = a[::2], a[1::2]
    bars = AdjointMemory(address_of(even), address_of(odd))
    bars[address_of(even[1:2])] += 1.0
    bars[address_of(odd)] += 3.0
    np.testing.assert_array_equal(bars[address_of(even)], [0.0, 1.0, 0.0, 0.0])
    with pytest.raises(MutationError, match="two arguments share memory"):
        AdjointMemory(address_of(a[:5]), address_of(a[3:]))


@pytest.mark.parametrize(
    "a",
    [np.broadcast_to(1.0, 3), np.lib.stride_tricks.sliding_window_view(np.zeros(4), 2)],
)
def test_elements_that_share_memory_are_an_error(a: Any) -> None:
    with pytest.raises(MutationError, match="elements of an array share memory"):
        AdjointMemory()[address_of(a)]


def test_addresses_survive_pickling_as_numbers() -> None:
    a = np.arange(4.0)
    here, again = address_of(a[1:]), pickle.loads(pickle.dumps(address_of(a[1:])))
    assert again.place == here.place and again.alive is None


def read_either(x: Any, y: Any, first: bool) -> Any:
    a = x * 1.0
    c = a if first else y
    s = np.sum(c * 3.0)
    a[1:] = x[:-1]
    d = x if first else y
    e = d
    e[0] = 2.0 * d[1]
    return s + np.sum(c) + np.sum(d)


def test_the_caller_may_write_before_the_pullback_runs() -> None:
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    _, pullback = ad.vjp(read_either, x, y, True)
    before = pullback(1.0)
    x[:], y[:] = 9.0, 9.0
    for a, b in zip(before[:2], pullback(1.0)[:2], strict=True):
        np.testing.assert_array_equal(a, b)


def test_second_derivatives_are_those_of_the_other_order() -> None:
    """In the usual order there is none where adjoints are found by address."""

    def f(x: Any) -> Any:
        return np.sum(ad.grad(chosen)(x, True))

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(np.ones(3))
    (only,) = caught.value.diagnostics
    assert only.code == "AD201" and "second derivative" in only.title
    found = ad.hessian(lambda x: chosen(x, True))(np.array([1.0, 2.0, 4.0]))
    np.testing.assert_allclose(found, [[0, 0, 0], [0, 2, 1], [0, 1, 2]], atol=1e-12)


def chosen(x: Any, first: bool) -> Any:
    a, b = x * x, x * 2.0
    c = a if first else b
    c[0] = x[1] * x[2]
    return np.sum(a) + np.sum(b)


def one_of_two(u, v, k):
    c = u if k > 3 else v
    c[0] = u[1] * v[1]
    return np.sum(u * u) + 2.0 * np.sum(v)


def one_of_a_list(rows, k):
    rows[k][0] = rows[1 - k][1] ** 2
    return np.sum(rows[0] * rows[1])


def test_arguments_that_lie_between_each_other() -> None:
    a, b = np.arange(1.0, 9.0).reshape(4, 2), np.arange(1.0, 9.0).reshape(4, 2)
    first = ad.grad(one_of_two, wrt=(0, 1), on_overwrite="save")
    apart = first(a[:, 0].copy(), a[:, 1].copy(), 5)
    for found, expected in zip(first(a[:, 0], a[:, 1], 5), apart, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert np.all(apart[1] != 0.0)
    second = ad.grad(one_of_a_list)
    apart = second([b[:, 0].copy(), b[:, 1].copy()], 1)
    for found, expected in zip(second([b[:, 0], b[:, 1]], 1), apart, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert np.any(apart[0] != 0.0) and np.any(apart[1] != 0.0)
