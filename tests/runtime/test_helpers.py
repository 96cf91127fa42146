"""The helpers of generated code, each against a plain definition."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adtrans.runtime import (
    MutationError,
    base_of,
    call_frozen,
    check_unmarked,
    gather_pullback,
    last_writer,
    mark_needed,
    overlaps,
    unbroadcast,
)


@given(st.lists(st.tuples(st.integers(1, 3), st.booleans()), max_size=3), st.integers(0, 2))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_unbroadcast_is_the_adjoint_of_broadcasting(axes: list[tuple[int, bool]],
    extra: int) -> None:
    shape = tuple(1 if one else n for n, one in axes)
    target = (2,) * extra + tuple(n for n, _ in axes)
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=shape), rng.normal(size=target)
    back = unbroadcast(g, shape)
    assert np.shape(back) == shape
    assert np.allclose(np.sum(np.broadcast_to(x, target) * g), np.sum(x * back))


def test_unbroadcast_keeps_what_fits() -> None:
    g = np.ones((2, 3), np.float32)
    assert unbroadcast(g, (2, 3)) is g
    assert unbroadcast(g, (3,)).dtype == np.float32
    assert isinstance(unbroadcast(g, ()), np.float32)


@given(st.lists(st.integers(-4, 3), min_size=1, max_size=8))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_last_writer(index: list[int]) -> None:
    a = np.zeros(4)
    values = np.arange(1.0, len(index) + 1)
    a[index] = values
    alive = last_writer(np.array(index), (4,))
    assert set(values[alive]) == set(a[a > 0])
    assert alive.sum() == len({i % 4 for i in index})


def test_gather_pullback_ignores_what_came_from_nowhere() -> None:
    back = gather_pullback(np.array([1.0, 2.0, 4.0], np.float32), np.array([1, -1, 1]), (3,))
    assert back.tolist() == [0.0, 5.0, 0.0] and back.dtype == np.float32


def test_overlap() -> None:
    a = np.zeros(10)
    assert overlaps(a[:6], a[5:]) and not overlaps(a[::2], a[1::2]) and not overlaps(a, 3.0)
    assert base_of(a[2:].reshape(2, 4)) is a


def test_calls_with_frozen_arrays_restore_the_flags() -> None:
    owner = np.zeros((2, 3))
    view, fixed = owner[0], np.zeros(2)
    fixed.flags.writeable = False

    def fails(a: np.ndarray) -> None:
        raise KeyError("mine")

    def writes_the_owner(a: np.ndarray) -> None:
        a.base[1] = 1.0

    with pytest.raises(KeyError, match="mine"):
        call_frozen("m", (view, fixed), fails, view)
    with pytest.raises(MutationError, match="line 3") as found:
        call_frozen("line 3", (view,), writes_the_owner, view)
    assert isinstance(found.value.__cause__, ValueError)
    with pytest.raises(MutationError, match="line 5"):
        call_frozen("line 5", (view,), lambda a: a.base.setflags(write=True), view)
    part = call_frozen("m", (view,), lambda a: a[1:], view)
    part[0] = 2.0
    assert owner.flags.writeable and view.flags.writeable and not fixed.flags.writeable
    assert owner.tolist() == [[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]


def test_marks_are_kept_by_the_owner_of_the_memory() -> None:
    marks: dict[int, object] = {}
    y = np.zeros((2, 3))
    mark_needed(marks, y[0])
    with pytest.raises(MutationError, match="here"):
        check_unmarked(marks, y.T, "here")
    for _ in range(50):  # a new array may get the number of one that is gone
        check_unmarked(marks, np.zeros((2, 3)), "here")


@pytest.mark.parametrize(
    "write",
    [lambda w: struct.pack_into("d", w, 0, 5.0), lambda w: memoryview(w).__setitem__(0, 5.0)],
    ids=["type_error", "of_a_buffer"],
)
def test_not_every_write_that_is_forbidden_is_a_value_error(write: Callable[..., None]) -> None:
    w = np.zeros(3)
    with pytest.raises(MutationError):
        call_frozen("it is overwritten", (w,), write, w)
    write(w)
    assert w[0] == 5.0
    with pytest.raises(struct.error):  # which has nothing to do with it
        call_frozen("it is overwritten", (w,), struct.pack, "d", "text")


@pytest.mark.parametrize("error", [RuntimeError, ValueError, OSError])
def test_errors_about_other_writing_stay_what_they_are(error: type[Exception]) -> None:
    def fails(w: object) -> None:
        raise error("the log could not be written")

    with pytest.raises(error, match="the log"):
        call_frozen("it is overwritten", (np.zeros(3),), fails, 1.0)
