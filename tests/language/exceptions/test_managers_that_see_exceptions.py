"""`with` over objects that see exceptions: those that restore, and those that keep them back."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 0.4])


class Model:
    def __init__(self, w):
        self.w = w
        self.x = w * 0.0
        self.on = True
        self.n = 0

    def step(self, x, k):
        self.x = self.x + self.w * x
        self.n += 1
        if np.sum(self.x) > k:
            raise ValueError
        self.x = self.x * x


class Frozen:
    def __init__(self, m):
        self.m = m

    def __enter__(self):
        self.old = self.m.w
        self.m.w = self.m.w * 0.5
        return self.m

    def __exit__(self, *exc):
        self.m.w = self.old
        return False


class Suppressing:
    def __init__(self, m):
        self.m = m

    def __enter__(self):
        return self

    def __exit__(self, t, e, tb):
        if t is not None and issubclass(t, ValueError):
            self.m.x = self.m.x * 0.5
            return True
        return False


class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, t, e, tb):
        return t is ValueError


def frozen_cls(x, k):
    m = Model(x)
    with Frozen(m):
        m.step(x, 100.0)
    m.step(x, 100.0)
    return np.sum(m.x * m.w)


def frozen_try(x, k):
    m = Model(x)
    try:
        with Frozen(m):
            m.step(x, k)
    except ValueError:
        m.x = m.x * 3.0
    m.step(x, 100.0)
    return np.sum(m.x * m.w)


def suppressing(x, k):
    m = Model(x)
    with Suppressing(m):
        m.step(x, k)
    return np.sum(m.x * m.x)


def swallow(x, k):
    m = Model(x)
    with Swallow():
        m.step(x, k)
    return np.sum(m.x * m.x)


def swallow_direct(x, k):
    y = x
    with Swallow():
        y = y * x
        if np.sum(y) > k:
            raise ValueError
        y = y * x
    return np.sum(y)


@contextlib.contextmanager
def frozen(m):
    old = m.w
    m.w = m.w * 0.5
    try:
        yield m
    finally:
        m.w = old


def frozen_gen(x, k):
    m = Model(x)
    with frozen(m):
        m.step(x, 100.0)
    m.step(x, 100.0)
    return np.sum(m.x * m.w)


def frozen_gen_try(x, k):
    m = Model(x)
    try:
        with frozen(m) as q:
            q.step(x, k)
    except ValueError:
        m.x = m.x * 3.0
    m.step(x, 100.0)
    return np.sum(m.x * m.w)


@contextlib.contextmanager
def rollback(m):
    old = m.x
    try:
        yield
    except ValueError:
        m.x = old


def rolled(x, k):
    m = Model(x)
    for i in range(3):
        with rollback(m):
            m.step(x * (i + 1), k)
    return np.sum(m.x * m.w)


def suppressed(x, k):
    m = Model(x)
    for i in range(3):
        with contextlib.suppress(ValueError):
            m.step(x * (i + 1), k)
    return np.sum(m.x * m.w) * m.n


class Own:
    def __init__(self, w):
        self.w = w
        self.x = w * 0.0

    def __enter__(self):
        self.old = self.x
        return self

    def __exit__(self, t, e, tb):
        if t is not None:
            self.x = self.old
        return t is ValueError

    @contextlib.contextmanager
    def scaled(self, s):
        old = self.w
        self.w = self.w * s
        try:
            yield self
        finally:
            self.w = old

    def step(self, x, k):
        self.x = self.x + self.w * x
        if np.sum(self.x) > k:
            raise ValueError
        self.x = self.x * x


def transaction(x, k):
    m = Own(x)
    for i in range(3):
        with m:
            m.step(x * (i + 1), k)
    return np.sum(m.x * m.w)


def method_manager(x, k):
    m = Own(x)
    try:
        with m.scaled(x[0]):
            m.step(x, k)
    except ValueError:
        m.x = m.x * 0.3
    m.step(x, 100.0)
    return np.sum(m.x * m.w)


def as_two(x, k):
    m, q = Model(x), Model(x * 2)
    try:
        with frozen(m), Frozen(q):
            m.step(x, k)
            q.step(x, k)
    except ValueError:
        m.x = m.x * 2
    return np.sum(m.x * m.w) + np.sum(q.x * q.w)


class Timer:
    def __init__(self):
        self.total = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *a):
        self.total = self.total + 1.0


def timer(x, k):
    m, t = Model(x), Timer()
    try:
        with t:
            m.step(x, k)
    except ValueError:
        m.x = m.x * 2
    return np.sum(m.x * m.x) * t.total


def check(x, k):
    if np.sum(x) > k:
        raise ValueError


def nothing_but_a_check(x, k):
    m = Model(x)
    try:
        with Frozen(m):
            check(x, k)
    except ValueError:
        m.n = 7
    return np.sum(m.w * m.w) * (m.n + 1)


class Defaults:
    def __init__(self):
        self.seen = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.seen += error[0] is not None
        return self.seen > 1


def kept_back_the_second_time(x, k):
    d, y = Defaults(), x
    for i in range(3):
        try:
            with d:
                y = y * x
                check(y * (i + 1), k)
                y = y * x
        except ValueError:
            y = y * 2.0
    return np.sum(y) * (d.seen + 1)


PROGRAMS = [
    frozen_cls, frozen_try, suppressing, swallow, swallow_direct, frozen_gen, frozen_gen_try,
    rolled, suppressed, transaction, method_manager, as_two, timer, nothing_but_a_check,
    kept_back_the_second_time,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 0.8, 1.5, 100.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_exceptions_in_blocks_of_managers(f, mode, k):
    check_grads(f, (X.copy(), k), on_overwrite=mode)


class Failing:
    def __enter__(self):
        return self

    def __exit__(self, cls, error, trace):
        raise KeyError("left") from error


def fails(x, k):
    with Failing():
        check(x, k)
    return np.sum(x)


@pytest.mark.recorded
def test_what_a_manager_raises_itself():
    with pytest.raises(KeyError, match="left") as found:
        ad.grad(fails)(X.copy(), 0.3)
    assert isinstance(found.value.__cause__, ValueError)
