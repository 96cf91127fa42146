"""Lists as arguments and results: gradients are lists, also of a list that gets longer."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def network(layers: list[Any], x: Any) -> Any:
    for w, b in layers:
        x = np.tanh(w @ x + b)
    return np.sum(x * x)


def test_layers_of_a_network() -> None:
    w = np.arange(9.0).reshape(3, 3) / 10
    layers = [(w, np.ones(3)), (w.T - 0.3, np.zeros(3))]
    x = np.array([0.5, 0.7, 0.9])
    check_grads(network, (layers, x), wrt=(0, 1))
    gradient = ad.grad(network)(layers, x)
    assert [tuple(p.shape for p in pair) for pair in gradient] == [((3, 3), (3,))] * 2


def longer(p: list[float]) -> float:
    p.append(p[0] * p[1])
    return sum(p) * p[2]


def test_a_list_that_the_function_makes_longer() -> None:
    p = [1.0, 2.0]
    assert ad.grad(longer)(p) == [16.0, 9.0]
    assert p == [1.0, 2.0, 2.0]  # as the function leaves it
    check_grads(longer, ([1.0, 2.0],))


def scaled(n: float, values: list[float]) -> list[float]:
    return [v * n for v in values]


def test_a_list_as_the_result() -> None:
    y, pullback = ad.vjp(scaled, 2.0, [1.0, 2.0], wrt=(0, 1))
    assert y == [2.0, 4.0]
    assert pullback([1.0, 2.0]) == (5.0, [2.0, 4.0])
    assert pullback([1.0, 2.0]) == (5.0, [2.0, 4.0])
    y, y_dot = ad.jvp(scaled, (2.0, [1.0, 2.0]), (1.0, [1.0, 0.0]), wrt=(0, 1))
    assert y_dot == [3.0, 2.0]


def test_the_list_is_kept_as_it_was() -> None:
    values = [1.0, 2.0, 3.0]
    before = copy.copy(values)
    _, pullback = ad.vjp(lambda p: sum(v * v for v in p), values)
    values[0] = 100.0
    values.pop()
    assert pullback(1.0) == ([2.0 * v for v in before],)


def pieces(x: Any) -> Any:
    y = x * x
    return {"sum": np.sum(y), "y": y, "rows": [y, x + 1.0]}


def test_cotangents_in_containers_are_left_alone() -> None:
    x = np.array([1.0, 2.0])
    _, pullback = ad.vjp(pieces, x)
    seed = {"sum": 1.0, "y": np.ones(2), "rows": [np.ones(2), np.ones(2)]}
    before = copy.deepcopy(seed)
    (first,) = pullback(seed)
    (second,) = pullback(seed)
    assert first.tolist() == second.tolist() == [7.0, 13.0]
    assert all(np.array_equal(seed[k], before[k]) for k in seed)


def written_row(q: list[list[float]], k: int) -> float:
    q[k][0] = q[k][0] * q[1][1]
    row = q[k - 1]
    row[1] = q[k][0]
    return q[k][1] * q[k - 1][1]


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_one_list_in_two_places_of_an_argument_that_is_written(mode: Any) -> None:
    row = [1.5, 2.0]
    twice = [row, row, [3.0, 4.0]]
    with pytest.raises(ad.MutationError, match="two lists in `q`"):
        ad.grad(written_row, on_overwrite=mode)(twice, 1)
    with pytest.raises(ad.MutationError, match="two lists in `q`"):
        ad.jvp(written_row, (twice, 1), (copy.deepcopy(twice),), wrt="q", on_overwrite=mode)
    assert ad.grad(lambda q: q[0][0] * q[1][0])([row, row]) == [[1.5, 0.0], [1.5, 0.0]]


@pytest.mark.parametrize(
    "change",
    [lambda q: q.append([1.0, 2.0]), lambda q: q[0].append(2.0), lambda q: q[1].pop(), list.clear],
)
def test_a_list_changed_by_the_caller_before_the_pullback(change: Any) -> None:
    q = [[1.0, 2.0], [3.0, 4.0]]
    _, pullback = ad.vjp(written_row, q, 1, wrt="q")
    before = pullback(1.0)
    change(q)
    assert pullback(1.0) == before


def combine(m, i, j, factor):
    m[i][-1] = m[i][-1] + factor * m[j][0]


def test_a_row_that_a_function_writes_has_a_name_of_its_own() -> None:
    def f(x):
        m = [[a * b for a in x] for b in x]
        row = [x[0], x[1]]
        for _ in range(2):
            for i in range(2):
                combine(m, 0, i, m[i][0])
                m.append(list(m[i]))
                m.pop(0)
            m.append(row)
            m.pop(0)
        return m[0][0] * row[1] + m[1][1]

    check_grads(f, (np.array([0.3, 0.7]),))


def joined_then_written(x: Any, p: list[float]) -> Any:
    y = np.hstack((x, p))
    p[0] = 5.0
    return np.sum(y * y) + p[0] * p[1]


def joined_while_growing(x: Any, p: list[float]) -> Any:
    total, made = 0.0, []
    for k in range(3):
        made.append(x[k] * p[k])
        total += np.sum(np.concatenate([made, p, x]) ** 2)
    return total


def stacked_rows(x: Any, p: list[float]) -> Any:
    rows = [x, x * 2.0]
    y = np.vstack([rows, p])
    rows[0] = x * 5.0
    return np.sum(y**3) + np.sum(rows[0])


def rows_of_an_array(x: Any, p: list[float]) -> Any:
    return np.sum(np.einsum("ij,j,k->ik", np.array([p, x, p]), p, x) ** 2)


@pytest.mark.parametrize(
    "f", [joined_then_written, joined_while_growing, stacked_rows, rows_of_an_array]
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_lists_among_the_operands_of_numpy(f: Any, mode: Any) -> None:
    """Their adjoints were arrays, which was an AD901."""
    check_grads(f, (np.array([0.4, 0.7, -0.2]), [1.0, 2.0, 0.5]), wrt=(0, 1), on_overwrite=mode)


def _product(v):
    return v[0] * v[1]


def test_columns_by_a_comprehension_in_a_loop():
    def f(b):
        total = 0.0
        for i in range(len(b)):
            column = [row[i] for row in b]
            total += _product(column)
        return total

    rows = [[1.0, 2.0], [3.0, 4.0]]
    assert ad.grad(f)(rows) == [[3.0, 4.0], [1.0, 2.0]]


TABLE = [2.0, 3.0]


def test_a_comprehension_over_a_list_that_others_may_change():
    def f(x):
        total = 0.0
        for i in range(2):
            scaled = [t * x[i] for t in TABLE]
            total += _product(scaled)
        return total

    np.testing.assert_allclose(ad.grad(f)(np.array([1.0, 2.0])), [12.0, 24.0])
