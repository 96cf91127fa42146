"""A `try`, and a branch, in a `try`: what was done before an exception went through."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 0.4])


def check(x, k):
    if np.sum(x) > k:
        raise ValueError


def bare_inner(x, k):
    s = 1.0
    try:
        try:
            for v in x:
                s = s * v
                check(s * 1.5, k)
        except:  # noqa: E722
            s = s * 2.0
            check(s, k * 0.1)
    except ValueError:
        s = s * 3.0
    return s * x[0]


def fin(x, k):
    s = x[0]
    try:
        try:
            s = s * x[1]
            check(s * 3, k)
            s = s * x[2]
        finally:
            s = s * 2.0
        s = s * x[0]
    except ValueError:
        s = s * 3.0
    return s * x[0]


def fin_handlers(x, k):
    s = x[0]
    try:
        try:
            s = s * x[1]
            check(s * 3, k)
            s = s * x[2]
        except ValueError:
            s = s * s
            if k < 0.5:
                raise KeyError from None
        else:
            s = s * x[0]
        finally:
            s = s * 2.0
        s = s * x[0]
    except KeyError:
        s = s * 3.0
    return s * x[0]


def early(x, k):
    for i in range(3):
        s = x[i]
        try:
            try:
                s = s * x[1]
                check(s * 3, k)
                if k > 50:
                    return s * x[0]
                if k > 2:
                    break
                s = s * x[2]
            finally:
                s = s * 2.0
            s = s * x[0]
        except ValueError:
            s = s * 3.0
    return s * x[0]


def branch(x, k):
    s = x[0]
    try:
        if k > 0.0:
            s = s * x[1]
            check(s * 3, k)
        s = s * x[2]
    except ValueError:
        s = s * 3.0
    return s * x[0]


def everything_is_taken_inside(x, k):
    s = x[0]
    for v in x:
        try:
            try:
                s = s * v
                check(s * 3, k)
                s = s + v
            except:  # noqa: E722
                s = s * 2.0
                check(s * 3, k)
                s = s * 2.0
            finally:
                s = s + x[1]
        except ValueError:
            s = s * 3.0
    return s


def a_finally_that_raises(x, k):
    s = x[0]
    try:
        try:
            s = s * x[1]
            check(s * 3, k)
        finally:
            s = s * s
            check(s * 20, k)
            s = s * x[2]
    except ValueError:
        s = s * 3.0
    return s


PROGRAMS = [fin, fin_handlers, early, branch, everything_is_taken_inside, a_finally_that_raises]


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 0.8, 3.0, 100.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_what_was_done_before_counts(f, mode, k):
    check_grads(f, (X.copy(), k), on_overwrite=mode)


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 0.8, 3.0, 100.0])
def test_a_bare_except_around_a_loop(k):
    check_grads(bare_inner, (X.copy(), k), on_overwrite="save")


@pytest.mark.recorded
def test_a_loop_that_is_left_half_done():
    check_grads(bare_inner, (X.copy(), 0.3))


def boom(i):
    if i < 3:
        raise ValueError


def an_ended_return(x):
    s = x[0] * 1.0
    t = x[1]
    for i in range(4):
        try:
            try:
                if i < 2:
                    return x[1] * 2.0 * s
            finally:
                s = s + x[1]
                boom(i)
        except ValueError:
            t = t * x[1]
            continue
    return t * s


def an_ended_break(x):
    s = x[0] * 1.0
    t = x[1]
    for i in range(4):
        try:
            try:
                if i < 2:
                    break
            finally:
                s = s + x[1]
                boom(i)
        except ValueError:
            t = t * x[1]
        t = t * 2.0
    return t * s


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [an_ended_return, an_ended_break])
def test_a_way_out_that_an_exception_of_finally_has_ended_is_none(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)
