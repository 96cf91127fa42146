"""Memory and objects that are reached in two ways: by two arguments, by two elements of a view."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0])


class Cell:
    def __init__(self, w: Any) -> None:
        self.w = w


def scaled(a: Any, b: Any, x: Any) -> Any:
    a *= x
    return np.sum(a * b * x)


@pytest.mark.parametrize("how", ["record", "always"])
def test_arguments_that_are_no_unknowns_may_share_memory(how: str) -> None:
    w, long = np.ones(3), np.arange(1.0, 7.0)
    for a, b in ((w, w), (long[:3], long[1:4]), (long[::2], long[::-2])):
        check_grads(scaled, (a, b, X), wrt="x", on_unfollowed=how, on_overwrite="save")


@pytest.mark.parametrize("how", ["record", "always"])
@pytest.mark.parametrize("wrt", ["a", "b", ("a", "b")])
def test_an_unknown_that_is_written_shares_its_memory_with_nothing(how: str, wrt: Any) -> None:
    w = np.ones(3)
    with pytest.raises(ad.MutationError, match="also reached under another name"):
        ad.grad(scaled, wrt=wrt, on_unfollowed=how, on_overwrite="save")(w, w, X)


def test_the_next_call_with_arrays_of_their_own_is_compiled() -> None:
    w = np.ones(3)
    gradient = ad.grad(scaled, wrt="x", on_overwrite="save")
    expected = gradient(w.copy(), w, X)
    gradient(w, w, X)
    np.testing.assert_array_equal(gradient(np.ones(3), np.ones(3), X), expected)
    assert not gradient.dispatcher.unfollowed  # nothing is noted against its kinds


def in_sliding_windows(x: Any) -> Any:
    m = np.zeros(4)
    windows = np.lib.stride_tricks.as_strided(m, (3, 2), (8, 8))
    windows[:] = np.outer(x, [1.0, 2.0])
    return np.sum(m * m)


def added_to_one_number(x: Any) -> Any:
    m = np.zeros(1)
    many = np.lib.stride_tricks.as_strided(m, (3,), (0,))
    many += x
    return np.sum(many * x)


def multiplied_in_one_place(x: Any) -> Any:
    m = x[:1] * 2.0
    many = np.lib.stride_tricks.as_strided(m, (3,), (0,))
    np.multiply(many, x, out=many)
    return np.sum(many * x)


@pytest.mark.parametrize("how", ["record", "always"])
@pytest.mark.parametrize("fn", [in_sliding_windows, added_to_one_number, multiplied_in_one_place])
def test_values_that_vary_in_elements_that_are_one_place(fn: Any, how: str) -> None:
    for mode in ("refuse", "save"):
        with pytest.raises(ad.AdtransError, match="AD308"):
            ad.grad(fn, on_unfollowed=how, on_overwrite=mode)(X)
        with pytest.raises(ad.AdtransError, match="AD308"):
            ad.jvp(fn, (X,), (X,), on_unfollowed=how, on_overwrite=mode)


def cleared_in_windows(x: Any) -> Any:
    m = x * x
    np.lib.stride_tricks.as_strided(m, (2, 2), (8, 8))[:] = 0.5
    return np.sum(m * m)


@pytest.mark.parametrize("how", ["record", "always"])
def test_a_constant_in_elements_that_are_one_place(how: str) -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(
        ad.grad(cleared_in_windows, on_unfollowed=how, on_overwrite="save")(x), [0, 0, 0, 256.0]
    )


@pytest.mark.parametrize("how", ["record", "always"])
def test_one_part_of_an_object_under_two_names(how: str) -> None:
    def of_both(p: Any, q: Any) -> Any:
        return np.sum(p.w * q.w**2 * X)

    p, q = Cell(np.ones(3)), Cell(np.ones(3))
    found = ad.grad(of_both, wrt=("p.w", "q.w"), on_unfollowed=how)(p, q)
    np.testing.assert_allclose(found, [X, 2 * X])
    with pytest.raises(ad.AdtransError, match="AD308"):
        ad.grad(of_both, wrt=("p.w", "q.w"), on_unfollowed=how)(p, p)
    with pytest.raises(ad.AdtransError, match="AD308"):
        ad.jvp(of_both, (p, p), (X, X), wrt=("p.w", "q.w"), on_unfollowed=how)


def test_one_list_as_two_arguments() -> None:
    def of_both(p: Any, q: Any) -> Any:
        return np.sum(p[0] * q[0] ** 2 * X)

    w = [np.ones(3)]
    a, b = ad.grad(of_both, wrt=(0, 1))(w, w)
    np.testing.assert_allclose([a[0], b[0]], [X, 2 * X])
    with pytest.raises(ad.AdtransError, match="AD402"):
        ad.grad(of_both, wrt=(0, 1), on_unfollowed="always")(w, w)


def one_item_into_another(x: Any, rows: Any, i: int, j: int) -> Any:
    rows[i][:] = rows[j] * x
    return np.sum(rows[i] * x)


def one_key_into_another(x: Any, p: Any) -> Any:
    p["b"][:] = p["a"] * x
    return np.sum(p["b"] * x)


def test_another_item_is_not_proved_to_be_overwritten() -> None:
    rows = [np.ones(3), np.full(3, 3.0)]
    np.testing.assert_allclose(ad.grad(one_item_into_another)(X, rows, 0, 1), 6.0 * X)
    parts = {"a": np.ones(3), "b": np.ones(3)}
    np.testing.assert_allclose(ad.grad(one_key_into_another)(X, parts), 2.0 * X)
    rows = [np.full(3, 2.0), np.ones(3)]
    np.testing.assert_allclose(ad.grad(one_item_into_another)(X, rows, 0, 0), 4.0 * X)


LEVELS = np.array([1.0, 2.0, 3.0])


def by_the_global(v: Any) -> Any:
    return np.sum(v * LEVELS)


def test_an_unknown_that_a_callee_reads_from_outside_is_refused() -> None:
    def of_an_array(x: Any) -> Any:
        return by_the_global(x) * 1.0

    def of_an_attribute(p: Any) -> Any:
        p.w = p.w * 1.0
        return by_the_global(p.w)

    for fn, arg, wrt in ((of_an_array, LEVELS, "x"), (of_an_attribute, Cell(LEVELS), "p.w")):
        with pytest.raises(ad.MutationError, match="also read from outside"):
            ad.grad(fn, wrt=wrt)(arg)
