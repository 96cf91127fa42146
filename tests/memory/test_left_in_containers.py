"""What a function makes, puts into a container that it is given, and returns or puts into another
one: it is the same array in both places, also where the caller writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.9])
A = X * 1.1


def put(rows: Any, x: Any) -> Any:
    r = x * 2
    rows.append(r)
    return r


def put_twice(rows: Any, others: Any, x: Any) -> None:
    r = x * 2
    rows.append(r)
    others.append(r)


def put_part(rows: Any, x: Any) -> Any:
    r = x * 2
    rows.append(r)
    return r[1:]


def put_tuple(rows: Any, x: Any) -> Any:
    r = x * 2
    rows.append(r)
    return r, 1.0


def put_list(rows: Any, x: Any) -> Any:
    r = x * 2
    rows.append(r)
    return [r]


def put_last(rows: Any, x: Any) -> Any:
    rows.append(x * 2)
    return rows[-1]


def put_through(rows: Any, x: Any) -> Any:
    return put(rows, x * x)


def put_copy(rows: Any, x: Any) -> Any:
    r = x * 2
    rows.append(r.copy())
    return r


def put_exp(rows: Any, x: Any) -> None:
    rows.append(np.exp(x))


def found(cache: Any, n: int, x: Any) -> Any:
    if n in cache:
        return cache[n]
    r = x * n
    cache[n] = r
    return r


class History:
    def __init__(self) -> None:
        self.hist: list[Any] = []
        self.d: dict[int, Any] = {}
        self.last: Any = None

    def push(self, x: Any) -> Any:
        r = x * 2
        self.hist.append(r)
        return r

    def keep(self, x: Any, n: int) -> Any:
        r = x * n
        self.d[n] = r
        self.last = r
        return r


def returned(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put(rows, x)
    y *= a
    return np.sum(y * rows[0])


def subtracted(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put(rows, x)
    y -= 0.1 * a
    return np.sum(rows[0] * rows[0])


def the_other_one(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put(rows, x)
    rows[0] *= a
    return np.sum(y * x)


def two_lists(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    others: list[Any] = []
    put_twice(rows, others, x)
    rows[0] *= a
    return np.sum(others[0] * x)


def a_part(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put_part(rows, x)
    y *= a[1:]
    return np.sum(rows[0] * x)


def in_a_tuple(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y, _ = put_tuple(rows, x)
    y *= a
    return np.sum(rows[0] * x)


def in_a_list(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    new = put_list(rows, x)
    new[0] *= a
    return np.sum(rows[0] * x)


def the_last(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put_last(rows, x)
    y *= a
    return np.sum(rows[0] * x)


def through_another(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put_through(rows, x)
    y *= a
    return np.sum(rows[0] * x)


def under_another_name(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    same = rows
    y = put(rows, x)
    y += a
    return np.sum(same[0] * x * a)


def in_a_loop(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    s = put(rows, x)
    for _ in range(2):
        s *= a
        s = put(rows, s)
    return sum(np.sum(v * v) for v in rows)


def cached(x: Any, a: Any) -> Any:
    cache: dict[int, Any] = {}
    y = found(cache, 2, x)
    y *= a
    return np.sum(y * found(cache, 2, x))


def in_a_closure(x: Any, a: Any) -> Any:
    cache: dict[int, Any] = {}

    def f(n: int) -> Any:
        r = x * a * n
        cache[n] = r
        return r

    y = f(2)
    cache[2] *= a
    return np.sum(y * x)


def in_an_object(x: Any, a: Any) -> Any:
    h = History()
    y = h.push(x)
    y *= a
    return np.sum(h.hist[0] * x)


def in_two_attributes(x: Any, a: Any) -> Any:
    h = History()
    y = h.keep(x, 2)
    y *= a
    return np.sum(h.d[2] * h.last)


def scaled(y: Any, a: Any) -> None:
    y *= a


def written_by_another(x: Any, a: Any) -> Any:
    rows: list[Any] = []
    y = put(rows, x)
    scaled(y, a)
    return np.sum(rows[0] * x)


PROGRAMS: list[Callable[..., Any]] = [
    returned,
    subtracted,
    the_other_one,
    two_lists,
    a_part,
    in_a_tuple,
    in_a_list,
    the_last,
    through_another,
    under_another_name,
    in_a_loop,
    cached,
    in_a_closure,
    in_an_object,
    in_two_attributes,
    written_by_another,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_left_in_two_places_is_one_array(f: Callable[..., Any]) -> None:
    check_grads(f, (X, A), wrt=(0, 1), on_overwrite="save")
    try:
        check_grads(f, (X, A), wrt=(0, 1))
    except ad.CompileError as e:
        assert "error[AD301]" in str(e)  # the contents are needed


@pytest.mark.parametrize("f", [returned, subtracted, two_lists, the_last])
def test_the_second_derivative(f: Callable[..., Any]) -> None:
    check_grads(f, (X, A), wrt=(0, 1), order=2, on_overwrite="save")


def test_a_sum_in_place_needs_no_copies() -> None:
    check_grads(subtracted, (X, A), wrt=(0, 1))


def test_a_list_that_is_an_argument() -> None:
    def f(x: Any, rows: Any) -> Any:
        y = put(rows, x)
        y *= x
        return np.sum(y * rows[-1])

    check_grads(f, (X, [A]), wrt=(0, 1), on_overwrite="save")


def test_the_pullback_of_a_callee_keeps_what_it_left_and_the_caller_writes() -> None:
    def f(x: Any, a: Any) -> Any:
        rows: list[Any] = []
        put_exp(rows, x)
        y = rows[0]
        y *= a
        return np.sum(rows[0])

    check_grads(f, (X, A), wrt=(0, 1), on_overwrite="save")


def halved(rows: Any, x: Any) -> Any:
    r = np.sin(x)
    rows.append(r)
    if r[0] > 0.3:
        return halved(rows, r * 0.5)
    return r


def test_a_recursive_function_cannot_be_written_out() -> None:
    def f(x: Any, a: Any) -> Any:
        rows: list[Any] = []
        y = halved(rows, x)
        y *= a
        return np.sum(rows[-1] * rows[0])

    def g(x: Any, a: Any) -> Any:
        rows: list[Any] = []
        halved(rows, x)
        rows[0] *= a
        return np.sum(rows[-1] * rows[0])

    for p in (f, g):
        with pytest.raises(ad.CompileError, match=r"AD206.*what `halved` puts into `rows`"):
            ad.grad(p, wrt=(0, 1), on_overwrite="save")(X, A)


def test_a_recursive_function_that_ends_at_a_number() -> None:
    def f(x: Any, a: Any) -> Any:
        cache: dict[int, Any] = {}

        def power(n: int) -> Any:
            if n in cache:
                return cache[n]
            r = x * a if n == 0 else power(n - 1) * a
            cache[n] = r
            return r

        y = power(2)
        cache[1] *= 2
        return np.sum(y + cache[1])

    check_grads(f, (X, A), wrt=(0, 1), on_overwrite="save")


def test_a_recursive_function_whose_results_are_read() -> None:
    def f(x: Any, a: Any) -> Any:
        cache: dict[int, Any] = {}

        def power(n: int) -> Any:
            if n in cache:
                return cache[n]
            r = x * a if n == 0 else power(n - 1) * a
            cache[n] = r
            return r

        return np.sum(power(2) * cache[1] + power(1))

    check_grads(f, (X, A), wrt=(0, 1), on_overwrite="save")


def test_a_copy_is_another_array() -> None:
    def f(x: Any, a: Any) -> Any:
        rows: list[Any] = []
        y = put_copy(rows, x)
        y *= a
        return np.sum(rows[0] * y)

    check_grads(f, (X, A), wrt=(0, 1), on_overwrite="save")
