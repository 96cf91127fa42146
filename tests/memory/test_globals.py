"""Globals that are assigned or written: the derivative, and what is left in them."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
import adtrans.api.kept_copies
from adtrans.testing import check_grads

X = np.array([0.3, 0.6, 0.9])
total = 0.0
count = 0
table = np.zeros(3)
part = table[1:]
cache: Any = None
main = 2.0
other = types.ModuleType("other")


def reset() -> None:
    global total, count, table, part, cache
    total, count, cache = 1.5, 0, None
    table = np.array([0.5, 0.25, 2.0])
    part = table[1:]
    vars(other).update(calls=0, work=np.ones(3), np=np)


exec(
    "calls = 0\nwork = np.ones(3)\n"
    "def bump():\n    global calls\n    calls += 1\n    return calls\n",
    vars(other) | {"np": np},
)
reset()


def left() -> tuple[Any, ...]:
    return total, count, table.copy(), other.calls, other.work.copy()


def array_written(x):
    table[:] = x * x
    return np.sum(table * x)


def number_assigned(x):
    global total, count
    count += 1
    total = np.sum(x) * total
    return total * x[0] * count


def fills(u):
    table[:] = u
    table[0] *= u[1]


def by_a_callee(x):
    fills(x)
    s = table * x
    fills(2.0 * x)
    return np.sum(s * table)


def ticks():
    global count
    count += 1
    return count


def counted_by_a_callee(x):
    return x[0] * ticks() + x[1] * ticks() * count


def only_the_side_effect(x):
    ticks()
    return np.sum(x) * count


def array_assigned(x):
    global table
    table = table * x + x
    table[0] = 2.0
    return np.sum(table * table)


def array_updated(x):
    global table
    table += x
    return np.sum(table * x)


def of_another_module(x):
    other.work[0] = x[1] ** 2
    other.calls += 1
    return np.sum(other.work * x) * other.calls


def kept_for_the_next_call():
    global cache
    if cache is None:
        cache = np.arange(3.0) + 1.0
    return cache


def cached(x):
    return np.sum(kept_for_the_next_call() * x)


def shadowed(x):
    global total

    def inner(total):
        return total * main

    total = total + inner(x[0])
    return total * sum([total * v for v in x])


def loop_target(x):
    global total
    s = 0.0
    for total in x:
        s = s + total * total
    return s * total


def recursive(x, n):
    global total
    total = total * x[n]
    if n > 0:
        recursive(x, n - 1)


def by_recursion(x):
    global total
    total = 1.0
    recursive(x, 2)
    return total


def half_done(x):
    global total
    try:
        total = x[0] * 2.0
        if x[1] > 0.1:
            raise ValueError
        total = 3.0
    except ValueError:
        total = total * x[1]
    return total


def another_name(x):
    r = table
    r[0] = x[0] * x[1]
    return np.sum(table * r)


def filled(x):
    table.fill(x[0])
    np.multiply(x, x, out=other.work)
    np.copyto(table[1:], x[:2])
    return np.sum(table * x * other.work)


def in_a_list(x):
    numbers[0] = x[0] * x[1]
    return numbers[0] * x[2]


numbers = [0.0, 0.0]


def adds(a, b):
    a += b * b


def passed_to_a_callee(x):
    adds(table, x)
    return np.sum(table)


def multiplied_by_a_lambda(x):
    into = lambda a, b: np.multiply(a, b, out=a)  # noqa: E731
    into(table, x)
    return np.sum(table) * table[0]


def passed_as_keywords(x):
    adds(b=x, a=other.work)
    adds(*[table, other.work])
    return np.sum(table * other.work)


PROGRAMS = [
    array_written, number_assigned, by_a_callee, counted_by_a_callee, only_the_side_effect,
    array_assigned, array_updated, of_another_module, cached, shadowed, loop_target, by_recursion,
    half_done, another_name, filled, in_a_list, passed_to_a_callee, multiplied_by_a_lambda,
    passed_as_keywords,
]  # fmt: skip


REFUSED = {
    (by_a_callee, "refuse"): {"AD303"},
    (multiplied_by_a_lambda, "refuse"): {"AD301"},
}


def differences(f: Callable[[Any], Any]) -> np.ndarray[Any, Any]:
    found = []
    for i in range(len(X)):
        values = []
        for step in (1e-5, -1e-5):
            reset()
            x = X.copy()
            x[i] += step
            values.append(f(x))
        found.append((values[0] - values[1]) / 2e-5)
    return np.array(found)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivative_and_what_is_left(f, mode):
    expected = differences(f)
    reset()
    value, after = f(X), left()
    derivative = ad.differentiable(f, on_overwrite=mode)
    for _ in range(2):  # the second call finds everything compiled
        reset()
        try:
            got, gradient = ad.value_and_grad(derivative)(X)
        except ad.CompileError as error:
            assert (f, mode) in REFUSED
            assert {d.code for d in error.diagnostics} == REFUSED[f, mode]
            return
        assert got == value
        for a, b in zip(left(), after, strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
        reset()
        got, tangent = ad.jvp(f, (X,), (np.ones(3),))
        assert got == value
        for a, b in zip(left(), after, strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(tangent, expected.sum(), rtol=1e-6, atol=1e-8)


@pytest.mark.recorded
def test_calls_go_on_from_one_another():
    reset()
    values = [number_assigned(X) for _ in range(4)]
    reset()
    assert [ad.value_and_grad(number_assigned)(X)[0] for _ in range(4)] == values


@pytest.mark.recorded
def test_a_kept_pullback_has_what_its_call_wrote():
    reset()
    _, first = ad.vjp(array_written, X)
    _, second = ad.vjp(array_written, 2.0 * X)
    table[:] = 7.0
    np.testing.assert_allclose(first(1.0)[0], 3.0 * X * X)
    np.testing.assert_allclose(second(1.0)[0], 12.0 * X * X)
    np.testing.assert_allclose(first(1.0)[0], 3.0 * X * X)


@pytest.mark.recorded
def test_second_derivative():
    reset()
    hessian = ad.hessian(array_written)(X)
    np.testing.assert_allclose(hessian, np.diag(6.0 * X))


@pytest.mark.recorded
def test_the_argument_is_the_global():
    reset()
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(array_written)(table)


@pytest.mark.recorded
def test_a_view_of_it_has_another_name():
    def f(x):
        table[1] = x[0] * x[1]
        return np.sum(part * x[1:])

    expected = differences(f)
    reset()
    np.testing.assert_allclose(ad.grad(f)(X), expected, rtol=1e-6)


def test_a_function_without_source_assigns_it():
    namespace: dict[str, Any] = {"np": np}
    exec("n = 0\ndef bump():\n    global n\n    n += 1\n", namespace)
    globals()["bump_without_source"] = namespace["bump"]
    exec("def more():\n    global count\n    count += 1\n", globals())
    reset()
    with pytest.raises(ad.CompileError, match="AD203"):
        ad.grad(unseen)(X)
    assert ad.value_and_grad(beside)(X)[0] == beside(X)  # what it assigns is nobody's affair
    assert namespace["n"] == 2


def unseen(x):
    more()  # noqa: F821
    return np.sum(x) * count


def beside(x):
    bump_without_source()  # noqa: F821
    return np.sum(x) * main


def adding(x):
    global total
    total = total + x[0] * x[1]
    return total * x


@pytest.mark.recorded
def test_a_lambda_reads_and_hands_on():
    reset()
    for f in (
        lambda x: np.sum(adding(x)) * total,
        lambda x: np.sum((lambda y: adding(y))(x)) * total,
    ):
        reset()
        value, gradient = ad.value_and_grad(f)(X)
        t = 1.5 + X[0] * X[1]
        assert total == t
        assert value == pytest.approx(t * t * X.sum())
        by_total = 2.0 * t * X.sum() * np.array([X[1], X[0], 0.0])
        np.testing.assert_allclose(gradient, t * t + by_total)


def test_globals_that_are_assigned_are_refused():
    def by_a_comprehension(x):
        global total
        total = 2.0
        return sum(total * v for total, v in zip(x, x, strict=True))

    def deleted(x):
        global total
        total = x[0]
        r = total * x[1]
        del total
        return r

    for f in (by_a_comprehension, deleted):
        reset()
        with pytest.raises(ad.CompileError, match="AD203"):
            ad.grad(f)(X)


class Box:
    pass


box = Box()


def test_a_function_without_source_changes_a_global_object():
    exec("def outside():\n    box.n += 1\n    box.a[0] = 5.0\n", globals())

    def number(x):
        box.n = box.n + 1
        outside()  # noqa: F821
        return np.sum(x) * box.n

    def array(x):
        box.a = x * 2.0
        outside()  # noqa: F821
        return np.sum(box.a * x)

    box.n, box.a = 0, np.zeros(3)
    expected = number(X)
    box.n = 0
    assert ad.value_and_grad(number)(X)[0] == expected
    with pytest.raises(ad.CompileError):
        ad.grad(array)(X)


def halved():
    table[1] = 0.5 * table[1]


def test_a_function_that_carries_no_derivative_writes_what_is_needed():
    def f(x):
        y = table * x
        halved()
        return np.sum(y)

    reset()
    expected = table.copy()
    with pytest.raises(ad.CompileError, match="AD203"):
        ad.grad(f)(X)
    reset()
    found = ad.grad(f, on_overwrite="save", on_unfollowed="record")(X)
    np.testing.assert_array_equal(found, expected)
    assert table[1] == 0.5 * expected[1]


def test_a_function_without_source_writes_what_is_needed():
    exec("def clear_first():\n    table[0] = 0.0\n", globals())

    def f(x):
        y = table * x
        clear_first()  # noqa: F821
        return np.sum(y)

    reset()
    for mode in ("refuse", "save"):
        with pytest.raises(ad.CompileError, match="AD203"):
            ad.grad(f, on_overwrite=mode)(X)


class Held:
    work = np.ones(3)


def scaled_into(a, b, work=np.ones(3)):  # noqa: B008
    work[:] = a * b
    a += work


def test_a_callee_writes_what_is_kept_between_calls():
    cell = np.ones(3)

    def of_a_class(x):
        adds(Held.work, x)
        return np.sum(Held.work * x)

    def of_an_enclosing_function(x):
        adds(cell, x)
        return np.sum(cell * x)

    def a_default(x):
        a = x * x
        scaled_into(a, x)
        return np.sum(a)

    def a_result(x):
        def get():
            return table

        adds(get()[1:], x[1:])
        return np.sum(table * x)

    reset()
    for f in (of_a_class, of_an_enclosing_function, a_default, a_result):
        for mode in ("refuse", "save"):
            with pytest.raises(ad.CompileError, match="AD203"):
                ad.grad(f, on_overwrite=mode)(X)
        with pytest.raises(ad.CompileError, match="AD203"):
            ad.jvp(f, (X,), (X,))


def test_a_global_that_is_assigned_and_found_by_the_name_of_its_module():
    def by_the_table(x):
        global found_by_name
        found_by_name = x * 2
        return sys.modules[__name__].found_by_name * x

    def by_a_function(x):
        global found_by_name
        found_by_name = x * 2
        return importlib.import_module(__name__).found_by_name * x

    def by_a_helper(x):
        global found_by_name
        found_by_name = x * 2
        return _looks_it_up() * x

    for f in (by_the_table, by_a_function, by_a_helper):
        with pytest.raises(ad.CompileError, match="AD203"):
            ad.grad(f)(3.0)


found_by_name = 1.0


def _looks_it_up():
    return sys.modules[__name__].found_by_name


class Linked:
    def __init__(self, array, following):
        self.array, self.following = array, following


@pytest.mark.recorded
def test_what_a_module_leads_to_is_not_gone_through(monkeypatch):
    seen = []
    parts = adtrans.api.kept_copies.held_by
    monkeypatch.setattr(adtrans.api.kept_copies, "held_by", lambda v: seen.append(v) or parts(v))
    monkeypatch.setitem(globals(), "unrelated", Linked(X, None))
    reset()
    _, pullback = ad.vjp(array_written, X)
    np.testing.assert_allclose(pullback(1.0)[0], 3.0 * X * X)
    assert all(v is not unrelated for v in seen) and len(seen) < 20  # noqa: F821  # put there above


def test_where_an_object_leads_to_very_many_others_what_is_kept_is_copied():
    chain = None
    for _ in range(6_000):
        chain = Linked(np.zeros(2), chain)
    last = chain.array

    def f(x, first):
        return np.sum(x * first.array)

    _, pullback = ad.vjp(f, X[:2], chain, wrt=0)
    last[:] = 5.0
    np.testing.assert_array_equal(pullback(1.0)[0], [0.0, 0.0])


LIMIT = 2.5


def numbers_from_outside(w):
    least = [np.inf, LIMIT, np.pi]
    for v in range(3):
        if w[v] * w[v] < least[v]:
            least[v] = w[v] * w[v]
    return sum(least)


def test_a_list_of_numbers_that_are_global_is_a_list_of_its_own():
    check_grads(numbers_from_outside, (np.array([0.3, 4.0, 1.1]),))


LEVEL = 2.0


def _set_by_key(value):
    globals()["LEVEL"] = value


def _set_by_name(name, value):
    globals()[name] = value


class Sets:
    def put(self, value):
        globals().update(LEVEL=value)


SETS = Sets()


def by_a_key(x):
    y = x * LEVEL
    _set_by_key(3.0)
    return y * LEVEL


def by_a_computed_key(x):
    y = x * LEVEL
    _set_by_name("LEVEL", 3.0)
    return y * LEVEL


def by_a_method(x):
    y = x * LEVEL
    SETS.put(3.0)
    return y * LEVEL


def by_a_lambda(x):
    y = x * LEVEL
    (lambda: globals().setdefault("LEVEL", 3.0))()
    return y * LEVEL


@pytest.mark.parametrize("f", [by_a_key, by_a_computed_key, by_a_method, by_a_lambda])
def test_a_global_that_is_assigned_in_the_dictionary_of_its_module(f):
    for run in (lambda: ad.vjp(f, 2.0), lambda: ad.jvp(f, (2.0,), (1.0,))):
        with pytest.raises(ad.CompileError) as error:
            run()
        assert "AD203" in [d.code for d in error.value.diagnostics]
