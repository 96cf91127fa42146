"""Eight threads that compile and call at the same time get what one thread gets."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import adtrans as ad

THREADS = 8


def at_once(work) -> list[object]:
    """The results of `work(k)` for each thread, all started together."""
    barrier = threading.Barrier(THREADS)

    def run(k):
        barrier.wait(timeout=30)
        return work(k)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def helper(y, w):
    y[0] = y[0] * w
    return y


def make():
    """A function that nothing was compiled of yet."""

    def f(x, w):
        y = x * 1.0
        for _ in range(3):
            y = helper(np.sin(y), w)
        return np.sum(y)

    return f


def test_one_gradient_first_called_by_all():
    f = make()
    g = ad.grad(f, wrt=("x", "w"))
    expected = ad.grad(make(), wrt=("x", "w"))(np.ones(4), 0.5)
    for x_bar, w_bar in at_once(lambda k: g(np.ones(4), 0.5)):
        np.testing.assert_array_equal(x_bar, expected[0])
        assert w_bar == expected[1]


def test_each_thread_another_kind_of_arguments():
    g = ad.value_and_grad(make())
    kinds = [np.ones(3), np.ones(1), np.ones((2, 2)), np.ones(3, "float32")]
    expected = [ad.value_and_grad(make())(x, 0.5) for x in kinds]

    def work(k):
        return [g(kinds[(k + i) % 4], 0.5) for i in range(8)]

    for k, found in enumerate(at_once(work)):
        for i, (value, gradient) in enumerate(found):
            wanted = expected[(k + i) % 4]
            assert value == wanted[0]
            assert gradient.dtype == wanted[1].dtype
            np.testing.assert_array_equal(gradient, wanted[1])


def test_each_thread_another_function_with_one_callee():
    functions = [make() for _ in range(THREADS)]
    x = np.array([0.1, 0.2, 0.3])
    expected = ad.grad(make())(x, 2.0)
    for found in at_once(lambda k: ad.grad(functions[k])(x, 2.0)):
        np.testing.assert_array_equal(found, expected)


def test_pullbacks_and_tangents_side_by_side():
    f, x = make(), np.array([0.1, 0.2, 0.3])
    _, pullback = ad.vjp(make(), x, 2.0)
    expected = pullback(1.0)

    def work(k):
        if k % 2:
            return ad.jvp(f, (x, 2.0), (x, 1.0))[1]
        return ad.vjp(f, x, 2.0)[1](1.0)

    for k, found in enumerate(at_once(work)):
        if k % 2:
            np.testing.assert_allclose(found, expected[0] @ x + expected[1])
        else:
            np.testing.assert_array_equal(found[0], expected[0])
            assert found[1] == expected[1]
