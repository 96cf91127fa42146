"""Lists in variables that NumPy joins: into `out`, of lists of lists, and `out` that is None."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

V = np.array([1.0, 2.0, 3.5])


def concatenated(v: Any) -> Any:
    o = np.zeros(6)
    parts = [v, v * 2]
    np.concatenate(parts, out=o)
    return np.sum(o * o)


def stacked(v: Any) -> Any:
    o = np.zeros((3, 2))
    parts = [v, v * 2]
    np.stack(parts, 1, out=o)
    return np.sum(o[0] * o[1] * o[2])


def stacked_by_place(v: Any) -> Any:
    o = np.zeros((3, 2))
    parts = [v, v * 2]
    np.stack(parts, 1, o)
    return np.sum(o[0] * o[1] * o[2])


def into_a_row(v: Any) -> Any:
    o = np.ones((2, 6))
    parts = []
    for k in range(2):
        parts.append(v * (k + 1))
    np.concatenate(parts, axis=0, out=o[1], casting="same_kind")
    return np.sum(o[0] * o[1] ** 2)


def again_and_again(v: Any) -> Any:
    o = np.zeros(6)
    parts = [v, v * 2]
    for k in range(3):
        np.concatenate(parts, out=o)
        parts = [o[:3] * v[k], o[3:].copy()]
    return np.sum(o**2)


def into_what_is_joined(v: Any) -> Any:
    o = np.zeros(6)
    o[:3] = v
    parts = [o[:3], v * o[1]]
    np.concatenate(parts, out=o)
    return np.sum(o**3)


def in_single_precision(v: Any) -> Any:
    parts = [v, v * 2]
    return np.sum(np.concatenate(parts, dtype=np.complex128).real ** 2)


def added(v: Any, out: Any = None) -> Any:
    return np.add(v, v, out=out)


def none_by_default(v: Any) -> Any:
    return np.sum(added(v) ** 2)


def none_in_a_variable(v: Any) -> Any:
    o = None
    pair = (None,)
    parts = [v, v * v]
    return np.sum(np.concatenate(parts, out=o) ** 2) + np.sum(np.add(v, v, out=pair) ** 2)


def none_for_a_method(v: Any) -> Any:
    o = None
    return v.sum(out=o) ** 2


@pytest.mark.parametrize(
    "f",
    [concatenated, stacked, stacked_by_place, into_a_row, again_and_again, into_what_is_joined,
     in_single_precision, none_by_default, none_in_a_variable, none_for_a_method],
)  # fmt: skip
def test_where_the_result_goes(f: Callable[..., Any]) -> None:
    check_grads(f, (V.copy(),))
    value, _ = ad.jvp(f, (V.copy(),), (np.ones(3),))
    assert value == pytest.approx(f(V.copy()))


def result_is_out(v: Any, o: Any) -> Any:
    parts = [v, v * 2]
    r = np.concatenate(parts, out=o)
    r *= v[0]
    return np.sum(o * o)


def test_the_result_is_the_array_that_was_given() -> None:
    with pytest.raises(ad.CompileError, match="AD301"):
        ad.grad(result_is_out)(V.copy(), np.zeros(6))
    left = np.zeros(6)
    value, pullback = ad.vjp(result_is_out, V, left, wrt=0, on_overwrite="save")
    np.testing.assert_array_equal(left, np.concatenate([V, V * 2]))
    assert value == 5 * V @ V
    total = 5 * V @ V
    np.testing.assert_allclose(pullback(1.0)[0], 10 * V + [2 * total, 0, 0])
    np.testing.assert_allclose(pullback(1.0)[0], 10 * V + [2 * total, 0, 0])


def in_turn(v: Any) -> Any:
    a = list(v)
    rows = [a, a]
    return np.sum(np.concatenate(rows) ** 2)


def changed_in_between(v: Any) -> Any:
    a = list(v)
    rows = [a, a]
    whole = np.vstack(rows)
    a[0] = v[1] * v[2]
    return np.sum(whole**2) * np.sum(np.column_stack(rows) ** 3)


def of_different_lengths(v: Any) -> Any:
    a = list(v)
    a.append(v[0] * v[1])
    rows = [a, list(v), [x * x for x in v], sorted(v)]
    rows.append(rows[0])
    return np.sum(np.hstack(rows) ** 2)


def a_tuple_of_lists(v: Any) -> Any:
    pair = (list(v), v, [v[2], v[0], v[1]])
    return np.sum(np.stack(pair, axis=1)[0] ** 3) + np.sum(np.vstack(pair) ** 2)


def deeper(v: Any) -> Any:
    grid = []
    for i in range(2):
        row = []
        for j in range(2):
            row.append([v[i], v[j] * v[i]])
        grid.append(row)
    return np.sum(np.concatenate(grid) ** 2)


def into_out(v: Any) -> Any:
    rows = [[x * k for x in v] for k in range(2)]
    o = np.zeros((2, 3))
    np.stack(rows, out=o)
    return np.sum(o**2)


def no_join(v: Any) -> Any:
    rows = [list(v), list(v * 2)]
    y = np.zeros((2, 3))
    y[:] = rows
    y += rows
    return np.sum(np.mean(rows, axis=0) * v) + np.sum(np.dot(rows, v) ** 2) + np.sum(y**2)


def rows_of_arrays(v: Any) -> Any:
    rows = [[v * i, v * v] for i in range(2)]
    return np.sum(np.hstack(rows) ** 2)


@pytest.mark.parametrize(
    "f",
    [in_turn, changed_in_between, of_different_lengths, a_tuple_of_lists, deeper, into_out,
     no_join, rows_of_arrays],
)  # fmt: skip
def test_lists_of_lists(f: Callable[..., Any]) -> None:
    check_grads(f, (V.copy(),))
    value, pullback = ad.vjp(f, V.copy(), on_overwrite="save")
    assert value == pytest.approx(f(V.copy()))
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))


def test_second_derivatives() -> None:
    np.testing.assert_allclose(ad.hessian(in_turn)(V), 4 * np.eye(3))
    np.testing.assert_allclose(ad.hessian(concatenated)(V), 10 * np.eye(3))


def given(rows: Any) -> Any:
    return np.sum(np.vstack(rows)[0] ** 2)


def test_a_list_of_lists_as_an_argument() -> None:
    rows = [[1.0, 2.0], [3.0, 4.0]]
    assert ad.grad(given)(rows) == [[2.0, 4.0], [0.0, 0.0]]
    assert rows == [[1.0, 2.0], [3.0, 4.0]]
