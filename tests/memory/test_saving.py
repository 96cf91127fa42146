"""Save mode: what is copied, where it is kept, and that calls do not share that."""

from __future__ import annotations

import gc
import itertools
import threading

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime import kept_copy, pool_for
from adtrans.testing import check_grads

LARGE = (1 << 18,)  # two megabytes of float64


def address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]


def test_a_block_is_used_again_only_when_nobody_looks_into_it() -> None:
    first = pool_for(2, LARGE)
    row = first[1, 10:]
    place = address(first)
    second = pool_for(2, LARGE)
    assert not np.shares_memory(first, second)
    del first, second
    third = pool_for(2, LARGE)
    assert address(third) != place, "a view of the first one is still in use"
    row[:] = 1.0
    del third
    del row
    gc.collect()
    assert place in {address(pool_for(2, LARGE))}


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.bool_, np.int64])
def test_dtypes_and_sizes(dtype: type) -> None:
    for count, shape in [(3, ()), (3, (2,)), (-2, (5,)), (0, (5,)), (4, (0,)), (2, LARGE)]:
        made = pool_for(count, shape, dtype)
        assert made.shape == (max(count, 0), *shape) and made.dtype == dtype
        made[...] = 1
        assert made.flags.writeable and made.flags.c_contiguous


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_copies_stand_in_growing_blocks(dtype: type) -> None:
    rng = np.random.default_rng(1)
    values = [(rng.normal(size=n) * 9).astype(dtype) for n in rng.integers(1, 40_000, 60)]
    values += [rng.normal(size=(40, 200)).astype(dtype).T, np.zeros((0, 5000), dtype)]
    stack: list[np.ndarray] = []
    for v in values:
        stack.append(kept_copy(v, stack))
    for v, kept in zip(values, stack, strict=True):
        np.testing.assert_array_equal(kept, v)
        assert kept.dtype == v.dtype and kept.flags.writeable and kept.flags.c_contiguous
    for a, b in itertools.pairwise(stack):
        assert not np.shares_memory(a, b)
    blocks = {id(s.base): s.base.size for s in stack if s.base is not None}
    sizes = list(blocks.values())
    assert len(sizes) <= 8
    assert all(b >= 2 * a for a, b in itertools.pairwise(sizes))


def test_what_is_popped_makes_room_and_another_list_has_its_own() -> None:
    first: list[np.ndarray] = []
    for k in range(3):
        first.append(kept_copy(np.full(5000, float(k)), first))
    other = list(first)
    dropped = first.pop()
    first.append(kept_copy(np.full(5000, 7.0), first))
    assert np.shares_memory(dropped, first[-1])
    again: list[np.ndarray] = []
    again.append(kept_copy(np.full(5000, 8.0), again))
    assert not any(np.shares_memory(again[0], a) for a in (*first, *other))


def test_empty_arrays_among_the_copies() -> None:
    stack: list[np.ndarray] = []
    values = [np.full(n, float(k)) for k, n in enumerate((5000, 0, 5000, 0, 0, 9000, 10, 5000))]
    for v in values:
        stack.append(kept_copy(v, stack))
    for v, kept in zip(values, stack, strict=True):
        np.testing.assert_array_equal(kept, v)


def now_and_then_empty(u, n):
    u = u.copy()
    k = 0
    while k < n:
        for _ in range(2):
            part = u[: (k % 2) * len(u)]
            part *= 1.0 + 0.1 * np.sin(part)
        k += 1
    return np.sum(u)


def test_parts_that_are_empty_now_and_then() -> None:
    u = np.random.default_rng(5).uniform(0.2, 0.9, 6000)
    direction = np.cos(np.arange(6000.0))
    _, u_dot = ad.jvp(now_and_then_empty, (u, 4), (direction, None))
    g = ad.grad(now_and_then_empty, wrt="u", on_overwrite="save")(u, 4)
    assert g @ direction == pytest.approx(u_dot, rel=1e-9)


def doubled_until(u, bound):
    u = u.copy()
    while np.max(u) < bound:
        for _ in range(2):
            u[1:] = u[1:] * (1.0 + 0.5 * u[:-1])
    return np.sum(u)


def test_loops_of_unknown_length() -> None:
    u = np.random.default_rng(2).uniform(0.2, 0.4, 6000)
    check_grads(doubled_until, (u[:9], 0.6), wrt="u", on_overwrite="save")
    assert "u_saved.append(kept_copy(u, u_saved))" in compiled(doubled_until, u, 0.6)
    g = ad.grad(doubled_until, wrt="u", on_overwrite="save")
    direction = np.cos(np.arange(6000.0))
    _, u_dot = ad.jvp(doubled_until, (u, 0.6), (direction, None))
    assert g(u, 0.6) @ direction == pytest.approx(u_dot, rel=1e-9)


def advance(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:] = u[1:] - dt * u[1:] * u[:-1]
    return np.sum(u)


def test_pullbacks_that_are_held_and_calls_in_threads_have_memory_of_their_own() -> None:
    rng = np.random.default_rng(0)
    inputs = [rng.uniform(0.1, 0.9, 20_000) for _ in range(4)]
    expected = [ad.grad(advance, on_overwrite="save")(u, 0.1, 10) for u in inputs]
    held = [ad.vjp(advance, u, 0.1, 10, wrt="u", on_overwrite="save")[1] for u in inputs]
    for pullback, g in zip(held, expected, strict=True):
        np.testing.assert_array_equal(pullback(1.0)[0], g)
        np.testing.assert_array_equal(pullback(1.0)[0], g)
    gradient = ad.grad(advance, on_overwrite="save")
    wrong: list[int] = []

    def work(n: int) -> None:
        for _ in range(20):
            if not np.array_equal(gradient(inputs[n], 0.1, 10), expected[n]):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def compiled(f, *args) -> str:
    g = ad.differentiable(on_overwrite="save")(f)
    return g.source_for(*args)


def only_a_part(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[:3] = u[:3] * u[3:6]
        u[1:] += dt * u[:-1]
    return np.sum(u)


def test_slices_are_kept_and_not_the_array_around_them() -> None:
    text = compiled(only_a_part, np.linspace(0.5, 1.5, 12), 0.1, 3)
    assert "u_saved" not in text
    check_grads(only_a_part, (np.linspace(0.5, 1.5, 12), 0.1, 3), on_overwrite="save")


def one_statement(x):
    y = 2.0 * x
    s = np.sum(y[1:3] * y[1:3])
    y[2] = 0.0
    return s + np.sum(y)


def test_a_slice_is_copied_at_its_use() -> None:
    text = compiled(one_statement, np.linspace(0.5, 1.5, 6))
    assert "y.copy()" not in text and ".copy()" in text
    check_grads(one_statement, (np.linspace(0.5, 1.5, 6),), on_overwrite="save")


def new_each_time(u, w, steps):
    u = u.copy()
    for k in range(2, steps):
        f = np.exp(-u[1:])
        u[1:] *= f * w[k]
        u[:-1] = u[:-1] * u[1:]
    return np.sum(u)


@pytest.mark.parametrize("steps", [-3, 0, 2, 3, 6])
def test_sizes_and_trips_that_are_not_there(steps: int) -> None:
    args = (np.linspace(0.5, 1.5, 5), np.linspace(1.0, 2.0, 6), steps)
    assert "pool_for(len(range(2, steps))" in compiled(new_each_time, *args)
    check_grads(new_each_time, args, wrt=(0, 1), on_overwrite="save")


def test_an_array_without_elements() -> None:
    g = ad.grad(new_each_time, on_overwrite="save")
    assert g(np.zeros(1), np.ones(6), 4).shape == (1,)
    assert g(np.zeros(0), np.ones(6), 4).shape == (0,)


def until_small(u):
    u = u.copy()
    while np.sum(u) > 0.5:
        u[1:] = u[1:] * u[:-1] * 0.9
        u[0] *= 0.8
    return np.sum(u)


def leaves_early(u, steps):
    u = u.copy()
    for k in range(steps):
        if np.sum(u) < 0.5:
            break
        u[1:] = u[1:] * u[:-1] * 0.9 + k
    return np.sum(u)


def test_loops_that_are_not_counted() -> None:
    u = np.linspace(0.5, 0.9, 5)
    check_grads(until_small, (u,), on_overwrite="save")
    check_grads(leaves_early, (u, 9), on_overwrite="save")


def used_three_times(x, n):
    y = x * 2.0
    total = 0.0
    for _ in range(n):
        a = y * y
        b = np.sin(y)
        y[1:] *= np.cos(y)[1:]
        total = total + np.sum(a * b)
    return total + np.sum(y)


def test_the_same_contents_are_copied_once() -> None:
    x = np.array([0.3, 0.5, 0.7])
    check_grads(used_three_times, (x, 3), on_overwrite="save")
    f = ad.differentiable(used_three_times, on_overwrite="save")
    f.grad(x, 3)
    assert f.source.count("y_saved[k] = y\n") == 1 and "y_2_saved" not in f.source


def used_before_and_behind(x):
    y = x * 2.0
    a = y * y
    y[0] = x[1]
    b = np.sin(y)
    y[1] = x[0]
    return np.sum(a * b) + np.sum(y)


def test_other_contents_are_copied_again() -> None:
    check_grads(used_before_and_behind, (np.array([0.3, 0.5, 0.7]),), on_overwrite="save")


def an_array_or_a_list(x, listed):
    y = [1.0, 2.0, 3.0]
    f = y if listed else 2.0
    s = np.sum(np.sin(x) * f)
    y[0] = 5.0
    return s + y[0] * x[0]


def test_what_turns_out_to_be_no_array_is_not_taken_for_a_copy() -> None:
    x = np.array([0.3, 0.5, 0.7])
    check_grads(an_array_or_a_list, (x, False), wrt=0, on_overwrite="save")
    with pytest.raises(ad.MutationError, match="a list that the gradient needs is overwritten"):
        ad.grad(an_array_or_a_list, on_overwrite="save")(x, True)


def settled(a):
    a *= a
    a[1:] *= a[:-1]


def nested_loops(x, n):
    y = x.copy()
    for i in range(n):
        for _ in range(i, 4):
            settled(y)
    return np.sum(y)


def of_unknown_length(x, n):
    y = x.copy()
    low = 0.3 - 0.1 * n
    while low < 0.25:
        settled(y)
        low += 0.1
    return np.sum(y)


def repeated(a, k):
    if k == 0:
        return np.sum(a)
    s = np.sum(a * a)
    a[1:] *= a[:-1]
    return s + repeated(a, k - 1)


def recursion(x, n):
    y = x.copy()
    return repeated(y, n)


@pytest.mark.parametrize("f", [nested_loops, of_unknown_length, recursion])
def test_bytes_of_copies_are_told_and_measured(f) -> None:
    x = np.linspace(0.5, 0.9, 10)
    measured = []
    for n in (1, 2, 3):
        g = ad.differentiable(f, on_overwrite="save")
        g.grad(x, n)
        report = g.report()
        assert "a.shape[0]" in str(report) and "kept(" in str(report)
        assert report.kept_bytes is not None
        measured.append(report.kept_bytes)
    assert len(set(measured)) == 3


def test_bytes_of_a_callee_in_nested_loops_are_what_the_formula_says() -> None:
    g = ad.differentiable(nested_loops, on_overwrite="save")
    g.grad(np.linspace(0.5, 0.9, 10), 3)
    each = 8 * 9 + 16 * 10  # kept(settled): 8 * (a.shape[0] - 1) + 16 * a.shape[0]
    assert "settled keeps 8 * (a.shape[0] - 1) + 16 * a.shape[0] bytes" in str(g.report())
    loops = sum(len(range(i, 4)) for i in range(3))
    assert 0 <= g.report().kept_bytes - loops * each <= 32


def scaled_by_its_other_name(x, k):
    y = x * k
    z = y
    z *= y
    y += x
    return np.sum(y * z)


def divided_by_its_other_name(x, k):
    y = x * k
    z = y
    y /= z
    y += x
    return np.sum(y * z)


def each_of_a_list_by_itself(x, k):
    arrays = [x * k, x + k]
    for a in arrays:
        a *= a
        a += x
    return np.sum(arrays[0] * arrays[1])


def a_view_by_its_base(x, k):
    y = x * k
    z = y[:]
    z *= y
    y += x
    return np.sum(y * z)


@pytest.mark.parametrize(
    "f",
    [
        scaled_by_its_other_name,
        divided_by_its_other_name,
        each_of_a_list_by_itself,
        a_view_by_its_base,
    ],
)
def test_an_adjoint_that_is_scaled_by_itself_is_copied_for_others_before(f) -> None:
    x = np.array([0.6, 0.8, 1.1])
    check_grads(ad.differentiable(f, on_overwrite="save"), (x, 0.9), wrt=(0, 1), order=2)
