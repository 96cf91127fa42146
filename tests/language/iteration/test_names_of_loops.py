"""Loops and comprehensions whose variables have a name that generated code needs, too."""

# ruff: noqa: B020, RUF007

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

SQUARE = np.random.default_rng(4).uniform(0.3, 1.7, (3, 3))


def items_of_itself(x):
    d = {"a": x * 1, "b": x * x}
    s = 1.0
    for k, d in d.items():
        s = s * np.sum(d * d) + len(k)
    return s


def values_of_itself(x):
    d = {0: x * 1, 1: x * x}
    s = 1.0
    for d in d.values():
        s = s * np.sum(d * d)
    return s


def key_of_itself(x):
    d = {"a": x[0] * 1, "b": x[1] * x[0]}
    s = 0.0
    for d, v in d.items():
        s = s + np.sum(v * v) * len(d)
    return s


def dictionary_bound_in_body(x):
    d = {0: x[0] * 1, 1: x[1] * x[0]}
    s = 0.0
    for _, v in d.items():
        d = v * 2
        s = s + np.sum(v * v * d)
    return s


def nested_dictionaries(x):
    d = {0: {0: x[0] * 1}, 1: {0: x[1] * x[0]}}
    s = 0.0
    for d in d.values():
        for d in d.values():
            s = s + np.sum(d * d)
    return s


def view_that_outlives_a_name(x):
    d = {0: x[0] * 1, 1: x[1] * x[0]}
    s = 0.0
    pairs, values = d.items(), d.values()
    d = {0: x[2]}
    for _, v in pairs:
        s = s + np.sum(v * v * d[0])
    for v, w in zip(values, x, strict=False):
        s = s + np.sum(v * w)
    return s


def rows_of_parameter(x):
    s = 0.0
    for x in x:
        s = s + np.sum(x * x)
    return s


def rows_of_list(x):
    rows = [x * 2.0, x * 3.0, x]
    s = 0.0
    for rows in rows:
        s = s * 2 + np.sum(rows * rows)
    return s


def rows_of_tuple(x):
    rows = (x[0], x[1] * x[0])
    s = 0.0
    for rows in rows:
        s = s * np.sum(rows) + np.sum(rows * rows)
    return s


def counted(x):
    v = x * x
    s = 1.0
    for k, v in enumerate(v):
        s = s * np.sum(v) + k
    return s


def in_step(x):
    v = x * x
    w = v * 2
    s = 1.0
    for v, w in zip(v, w, strict=True):
        s = s * np.sum(v) + np.sum(w * w)
    return s


def neighbours(x):
    s = 0.0
    for x, y in zip(x, x[1:], strict=False):
        s = s + np.sum(x * y)
    return s


def taken_apart(x):
    pairs = [(x[0], x[1]), (x[1], x[2])]
    s = 0.0
    for pairs, other in pairs:
        s = s * np.sum(pairs) + np.sum(pairs * other)
    return s


def rows_of_rows(x):
    s = 0.0
    for v in x:
        for v in v:
            s += v * v
    return s


def bound_in_body(x):
    y = x * 1
    s = 0.0
    for v in y:
        y = v * 2
        s = s + np.sum(y * v)
    return s


def bound_after_each(x):
    v = x * x
    s = 0.0
    for i in range(3):
        for v in v:
            s = s + np.sum(v) * s * 0.1 + np.sum(v * v)
        v = x * i
    return s * np.sum(v)


def listed(x):
    parts = [np.sum(x_dot) * x_dot for x_dot in x]
    return np.sum(parts[0] * parts[1])


def in_dictionary(x):
    parts = {j: x_dot * np.sum(x_dot) for j, x_dot in enumerate(x)}
    return np.sum(parts[1] * parts[2])


def summed(x):
    return sum(x_dot[0] * np.sum(x_dot) for x_dot in x)


def several(x):
    y = [x_dot_2 * x_dot * np.sum(x_dot) for x_dot, x_dot_2 in zip(x, x[::-1], strict=True)]
    return np.sum(y[0] * y[1])


def inside(x):
    rows = [[x_dot * np.sum(x_dot) * x_dot_2 for x_dot_2 in x_dot] for x_dot in x]
    return sum(np.sum(v) for v in rows[0])


def walrus(x):
    if (x_dot := np.sum(x)) > 0:
        return x_dot * x[0, 0]
    return x_dot


def caught(x):
    try:
        s = np.sum(x * x)
        if s > 0:
            raise ValueError(3)
    except ValueError as x_dot:
        return np.sum(x * x * x) * len(x_dot.args)
    return s


def captured(x):
    match x[0]:
        case x_dot:
            return np.sum(x_dot * x_dot * x[1])


def beside_a_function(x):
    def f(a):
        return a * a

    parts = [f(f_pushforward) for f_pushforward in x]
    parts += [f(f_forward) * f_pullback for f_forward, f_pullback in zip(x, x[1:], strict=False)]
    return np.sum(parts[0] * parts[1] * parts[3])


def loop_beside_a_function(x):
    def f(a):
        return a * a

    s = 0.0
    for f_pushforward in x:
        f_forward = f(f_pushforward)
        s = s + np.sum(f_forward * f_pushforward)
    return s


def outlives_the_loop(x):
    s = 0.0
    for i, x in enumerate(x):
        s = s + np.sum(x * x) * i
    return s + np.sum(x)


def outlives_an_inner_loop(x):
    r = 0.0
    for v in x:
        for j, v in enumerate(v):
            r = r + v * v * j
    return r * v


def two_loops_on_end(x):
    r = 0.0
    v = x * 1
    for k, v in zip(range(2), v, strict=False):
        r = r + np.sum(v**2) * k
    for v in reversed(v):
        r = r * (1 + v)
    return r * v


def of_several_sizes(x):
    rows = [x[:2], x[:3], x[:1]]
    s = 0.0
    v = x * 3
    for v in rows:
        s = s + np.sum(v * v)
    return s * np.sum(v * x[0])


def elements_of_several_sizes(x):
    s = 0.0
    for v in [x[:2], x[:3], x[:1]]:
        s = s + np.sum(v * v)
    return s * np.sum(v * x[0])


def left_early(x):
    rows = [x[:2], x[:3] * 2]
    s = 0.0
    for i, (v, w) in enumerate(zip(rows, rows[::-1], strict=True)):
        if i > 0:
            break
        s = s + np.sum(v) * np.sum(w * w)
    return s * v[0, 0] * np.sum(w)


def largest_of_several_sizes(x):
    best = None
    for v in [x[:2], x[:3] * 2]:
        if best is None or np.sum(v) > np.sum(best):
            best = v
    return np.sum(best * best) + v[0, 0]


def row_or_none(x):
    v = None
    s = 0.0
    for v in x:
        s = s + np.sum(v)
    return s if v is None else s * np.sum(v)


CASES = [
    items_of_itself, values_of_itself, key_of_itself, dictionary_bound_in_body,
    nested_dictionaries, view_that_outlives_a_name, rows_of_parameter, rows_of_list,
    rows_of_tuple, counted, in_step, neighbours, taken_apart, rows_of_rows, bound_in_body,
    bound_after_each, listed, in_dictionary, summed, several, inside, walrus, caught, captured,
    beside_a_function, loop_beside_a_function, outlives_the_loop, outlives_an_inner_loop,
    two_loops_on_end, of_several_sizes, elements_of_several_sizes, row_or_none, left_early,
    largest_of_several_sizes,
]  # fmt: skip


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_grads(f, (SQUARE,))


def test_no_turn_at_all() -> None:
    for shape in ((0, 3), (1, 3), (4,)):
        check_grads(outlives_the_loop, (np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape),))


def test_items_of_a_parameter() -> None:
    def f(p):
        s = 0.0
        for k, p in p.items():
            s = s + np.sum(p * p) * (k + 1)
        return s

    check_grads(f, ({0: SQUARE, 1: SQUARE * 2},))


def test_what_is_run_over_is_named() -> None:
    """The rest of the text is as it was written."""

    def f(v):
        s = 0.0
        for v in v:
            s = s + np.sum(v * v)
        return s

    made = ad.differentiable(f)
    made.grad(SQUARE)
    assert "    t = v\n    for v in t:\n        s = s + np.sum(v * v)\n" in made.source


def test_a_tuple_with_the_name_of_its_item() -> None:
    """What is put into a tuple is not looked up under a name that means the tuple by then."""

    def f(x):
        y = (x * 2).tolist()
        y = y[0] * y[1]
        y = (y, x)
        y = y[1] * y[0]
        return np.sum(y)

    def first(x):
        y = x * x
        y = (y, 2.0)
        y = y[0]
        return np.sum(y)

    for fn in (f, first):
        check_grads(fn, (SQUARE[0],))


@pytest.mark.recorded
def test_a_list_with_the_name_of_its_item() -> None:
    def f(x):
        y = x * 2
        y = [y, x]
        y = [y, y[0] * y[1]]
        return np.sum(y[1] * y[0][1])

    check_grads(f, (SQUARE,))


@pytest.mark.recorded
def test_a_deque_that_holds_rows_of_an_argument() -> None:
    """What the caller writes into its array in between does not get into the pullback."""

    def f(x):
        v = deque([x[0], x[1] * x[2]])
        s = 0.0
        for v in v:
            s = s + np.sum(v * v)
        return s

    check_grads(f, (SQUARE,))
    given = SQUARE.copy()
    _, pull = ad.vjp(f, given)
    given[...] = 7.0
    np.testing.assert_array_equal(pull(1.0)[0], ad.grad(f)(SQUARE))
