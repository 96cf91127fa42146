"""An adjoint array that others look into, and that changes in a loop or under another name."""

import numpy as np
import pytest

from adtrans import differentiable, grad, jvp
from adtrans.testing import check_grads


def scaled(x, w, n):
    v = np.sin(x)
    a = x * 2.0
    for _ in range(n):
        a *= 0.5
    a += v
    return np.sum(a * w)


def cleared(x, w, n):
    v = np.sin(x)
    a = x * 2.0
    while n > 0:
        a[0] = 0.0
        n -= 1
    a -= v
    return np.sum(a * w)


def chosen(x, w, n):
    v = np.sin(x)
    a = x * 2.0
    if n > 1:
        a[1:] *= 0.5
    else:
        for k in range(n):
            a[k] = w[k]
    a += v
    return np.sum(a * w)


def twice(x, w, n):
    v = np.sin(x)
    u = np.cos(x)
    a = x * 2.0
    for _ in range(n):
        for _ in range(2):
            a *= w
    a += v
    a -= u
    return np.sum(a * w * v)


def viewed(x, w, n):
    v = np.sin(x)
    a = x * 2.0
    b = a[1:]
    for _ in range(n):
        b *= 0.5
        a[:-1] += b
    a[1:] += v[1:]
    a += v
    return np.sum(a * w)


def in_a_pair(x, w, n):
    pair = (np.sin(x), x * w)
    v, u = pair
    a = x * 2.0
    for _ in range(n):
        a *= 0.5
    a += v
    a += u
    return np.sum(a * w)


def diffused(x, w, n):
    source = 0.1 * w * w
    u = x.copy()
    for _ in range(n):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[0] = 0.0
    u += source
    return np.sum(u * u)


PROGRAMS = (scaled, cleared, chosen, twice, viewed, in_a_pair, diffused)


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f, n, mode):
    if mode == "refuse" and f is twice:
        mode = "save"
    x, w = np.array([0.3, 0.9, 1.4, 0.6]), np.array([1.0, 2.0, 0.7, 1.1])
    check_grads(f, (x, w, n), wrt=(0, 1), on_overwrite=mode)
    d = differentiable(f, on_overwrite=mode)
    assert d(x, w, n) == f(x, w, n)


def test_what_is_copied_is_copied_once_before_the_loop():
    d = differentiable(scaled)
    x, w = np.array([0.3, 0.9]), np.array([1.0, 2.0])
    np.testing.assert_allclose(d.grad(x, w, 3), (2 * 0.5**3 + np.cos(x)) * w)
    assert "    v_bar = a_bar.copy()" in d.source and d.source.count(".copy()") == 1


def test_what_no_loop_changes_is_not_copied():
    def f(x, w, n):
        v = np.sin(x)
        a = x * 2.0
        for k in range(n):
            a[k:] += w[k:] * x[k]
        a += v
        return np.sum(a * w)

    d = differentiable(f)
    x, w = np.array([0.3, 0.9]), np.array([1.0, 2.0])
    check_grads(f, (x, w, 2), wrt=(0, 1))
    d.grad(x, w, 2)
    assert ".copy()" not in d.source


def test_gradients_of_gradients():
    x, w = np.array([0.3, 0.9, 1.4, 0.6]), np.array([1.0, 2.0, 0.7, 1.1])

    def g(x):
        return np.sum(grad(twice, on_overwrite="save")(x, w, 2) * w)

    check_grads(g, (x,), modes=("forward",))
    assert jvp(g, (x,), (w,))[0] == g(x)
