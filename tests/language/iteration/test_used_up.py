"""Iterators over lists and deques that change: used up for good, or an exception, as in Python."""

import contextlib
from collections import deque

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.1, 0.7, 1.3, 0.4])


def by_a_loop(x):
    y = [v * 2.0 for v in x[:2]]
    it = iter(y)
    s = 0.0
    for v in it:
        s = s + v * v
    y.append(x[2])
    return s + next(it, 10.0) * x[3]


def by_a_default(x):
    y = [x[0]]
    it = iter(y)
    s = next(it, 0.0) * next(it, 2.0)
    y.append(x[2])
    return s * next(it, x[3])


def by_an_exception(x):
    y = [x[0]]
    it = iter(y)
    s = next(it)
    with contextlib.suppress(StopIteration):
        next(it)
    y += [x[2]]
    return s * next(it, x[3])


def in_pairs(x):
    y = [x[0], x[1], x[2]]
    it = iter(y)
    s = 1.0
    for a, b in zip(it, it):  # noqa: B905
        s = s * a + b
    y.append(x[3])
    y.append(x[0])
    return s * next(it, x[1])


def by_a_callee(x):
    y = [x[0]]
    it = iter(y)
    s = 0.0
    for v in it:
        s += v * v
    lengthen(y, x[1])
    for v in it:
        s += v * v
    return s


def lengthen(y, v):
    y.append(v)


def left_early(x):
    y = [x[0], x[1]]
    it = iter(y)
    s = 1.0
    for v in it:
        s = s * v
        if s < 1.0:
            break
    y.append(x[2] * s)
    return s + next(it, x[3])


def lengthened_meanwhile(x):
    y = [x[0], x[1]]
    it = iter(y)
    s = 1.0
    for v in it:
        s = s * v
        if len(y) < 4:
            y.append(v * x[3])
    return s


def a_queue_as_it_was(x):
    q = deque([x[0]])
    q.append(x[1])
    it = iter(q)
    q[1] = x[2] * x[3]
    return next(it) * next(it) + next(it, x[3])


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        by_a_loop, by_a_default, by_an_exception, in_pairs, by_a_callee, left_early,
        lengthened_meanwhile, pytest.param(a_queue_as_it_was, marks=pytest.mark.recorded),
    ],
)  # fmt: skip
def test_what_has_come_to_its_end_gives_nothing_more(f):
    for mode in ("refuse", "save"):
        assert ad.vjp(ad.differentiable(f, on_overwrite=mode), X)[0] == f(X)
    assert ad.jvp(ad.differentiable(f), (X,), (np.ones(4),))[0] == f(X)
    check_grads(f, (X,))


def queue_longer(x):
    q = deque([x[0], x[1]])
    it = iter(q)
    a = next(it)
    q.append(x[2])
    return a * next(it)


def queue_in_turn(x):
    q = deque([x[0], x[1]], maxlen=2)
    it = iter(q)
    s = 0.0
    for v in it:
        s += v
        q.append(x[2])
    return s


def queue_used_up(x):
    q = deque([x[0]])
    it = iter(q)
    s = sum(v * v for v in it)
    q.popleft()
    return s * next(it, x[1])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [queue_longer, queue_in_turn, queue_used_up])
def test_a_deque_that_changed_raises(f):
    with pytest.raises(RuntimeError, match="mutated"):
        f(X)
    with pytest.raises(RuntimeError, match="mutated"):
        ad.grad(f)(X)
    with pytest.raises(RuntimeError, match="mutated"):
        ad.jvp(f, (X,), (X,))


def noticed(x):
    q = deque([x[0], x[1]])
    it = iter(q)
    s = next(it)
    q.append(x[2])
    try:
        s = s * next(it)
    except RuntimeError:
        s = s * x[3]
    return s


@pytest.mark.recorded
def test_what_it_raises_can_be_caught():
    assert ad.vjp(ad.differentiable(noticed), X)[0] == noticed(X)
    check_grads(noticed, (X,))
