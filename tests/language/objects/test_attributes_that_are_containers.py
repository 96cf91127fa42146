"""Lists and dictionaries in globals and in attributes of objects, which functions write."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.7, 1.3])
HISTORY: list[Any] = []
SLOTS: list[Any] = []
TABLE: list[Any] = []
OPTIONS: dict[str, Any] = {}
MEMO: dict[Any, Any] = {}
SAME: list[Any] = []
ROW = np.ones(2)


class Model:
    def __init__(self) -> None:
        self.trace: list[Any] = [0.5]
        self.again = self.trace
        self.rows = [np.ones(2), 2.0 * np.ones(2)]
        self.state = {"u": np.ones(2), "v": np.zeros(2)}


MODEL = Model()


def reset() -> None:
    HISTORY[:] = [1.5, 2.5]
    SLOTS[:] = [np.ones(2), np.zeros(2)]
    TABLE[:] = [[0.0, 1.0], HISTORY]
    OPTIONS.clear()
    OPTIONS.update(w=1.5, z=0.5)
    MEMO.clear()
    SAME[:] = [ROW, 1.0 * ROW]
    ROW[:] = 1.0
    MODEL.__init__()  # type: ignore[misc]  # as at first


def left() -> Any:
    return copy.deepcopy((HISTORY, SLOTS, TABLE, OPTIONS, MEMO, SAME, ROW, vars(MODEL)))


def list_grows(x):
    HISTORY.clear()
    for v in x:
        HISTORY.append(v * v)
    return sum(HISTORY) * HISTORY[0]


def list_of_arrays(x):
    SLOTS[0][:] = x * x
    for k in range(3):
        SLOTS[1 - k % 2][:] = 2.0 * SLOTS[k % 2] + 1.0
    return np.sum(SLOTS[1])


def item_deleted(x):
    del HISTORY[0]
    HISTORY[0] = x[0] * x[1]
    return HISTORY[0] * len(HISTORY)


def item_set(x):
    OPTIONS["w"] = x[0] * x[1]
    return np.sum(OPTIONS["w"] * x) * OPTIONS["z"]


def remembered(n, x):
    if n in MEMO:
        return MEMO[n]
    MEMO[n] = x[0] if n < 2 else remembered(n - 1, x) * x[1] + remembered(n - 2, x)
    return MEMO[n]


def by_recursion(x):
    return remembered(4, x)


def of_an_object(x):
    MODEL.rows[1][:] = MODEL.rows[0] * x
    MODEL.state["u"][0] = x[1] ** 2
    return np.sum(MODEL.rows[1] * MODEL.state["u"])


def pushes(v):
    HISTORY.append(v)


def by_a_callee(x):
    pushes(x[0] * x[1])
    pushes(HISTORY[-1] * x[0])
    return sum(HISTORY)


ALL = [list_grows, list_of_arrays, item_deleted, item_set, by_recursion, of_an_object, by_a_callee]


def number(f: Callable[..., Any], x: np.ndarray) -> float:
    reset()
    return float(f(x.copy()))


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", ALL)
def test_derivatives_and_what_is_left(f: Callable[..., Any], mode: str) -> None:
    steps = np.eye(2) * 1e-6
    expected = [(number(f, X + h) - number(f, X - h)) / 2e-6 for h in steps]
    reset()
    wanted = f(X.copy()), left()
    reset()
    value, pullback = ad.vjp(f, X.copy(), on_overwrite=mode)
    after = left()
    np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-6)
    np.testing.assert_array_equal(pullback(1.0)[0], pullback(1.0)[0])
    assert value == wanted[0] and repr(after) == repr(wanted[1]) == repr(left())
    for k, step in enumerate(np.eye(2)):
        reset()
        found = ad.jvp(f, (X.copy(),), (step,), on_overwrite=mode)
        np.testing.assert_allclose(found, (wanted[0], expected[k]), rtol=1e-6)


def list_in_two_attributes(x):
    MODEL.trace[0] = x[0] * x[1]
    return MODEL.again[0] * x[0]


def list_in_a_table(x):
    HISTORY[0] = x[0] * x[1]
    return TABLE[1][0] * x[0]


def row_of_a_table(x):
    TABLE[1][0] = x[0] * x[1]
    return HISTORY[0] * x[0]


def array_in_a_list(x):
    ROW[0] = x[0] * x[1]
    return SAME[0][0] * x[0]


def array_of_a_list(x):
    SAME[0][0] = x[0] * x[1]
    return ROW[0] * x[0]


def one_list_twice(x):
    a, b = HISTORY, TABLE[1]
    a.append(x[0] * x[1])
    return b[-1] * x[0]


SHARED = [
    list_in_two_attributes, list_in_a_table, row_of_a_table, array_in_a_list, array_of_a_list,
    one_list_twice,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", SHARED)
def test_what_is_reached_in_two_ways_is_one(f: Callable[..., Any]) -> None:
    expected = [(number(f, X + h) - number(f, X - h)) / 2e-6 for h in np.eye(2) * 1e-6]
    reset()
    try:
        found = ad.grad(f)(X)
    except ad.MutationError as error:
        assert "AD308" in str(error)
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_one_version_serves_lists_and_caches_of_any_length() -> None:
    f = ad.differentiable(lambda x: by_recursion(x) + by_a_callee(x))
    reset()
    f.grad(X)
    f.grad(X)  # now the cache holds numbers
    made = f._recipe.latest()
    for n in range(3):
        MEMO[n + 10] = np.float64(n)
        MEMO.pop(4)
        f.grad(X)
    assert f._recipe.latest() is made


ODD: list[Any] = [np.ones(2), "a name"]


def put_beside_a_name(x):
    ODD[0] = x
    ODD[0][0] = 3.0
    return np.sum(ODD[0] * x)


def test_an_array_in_what_is_not_known_is_refused_in_both_directions() -> None:
    f = put_beside_a_name
    for run in (lambda: ad.grad(f)(X), lambda: ad.jvp(f, (X,), (X,))):
        with pytest.raises(ad.CompileError) as caught:
            run()
        assert {"AD203", "AD206", "AD207"} & {d.code for d in caught.value.diagnostics}
