"""Jacobians, Hessians, linear functions: all agree with each other and with finite differences."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import DerivativeError, InputError

X = np.array([0.6, 0.9, 1.3])
W = np.array([0.5, -1.0, 2.0])
A = np.outer(X, W) + np.eye(3)


def differences(f, x, h=1e-6):
    """Central differences of an array result by the numbers of an array argument."""
    columns = []
    for k in range(x.size):
        e = np.zeros(x.size)
        e[k] = h
        e = e.reshape(x.shape)
        columns.append((np.asarray(f(x + e)) - np.asarray(f(x - e))) / (2 * h))
    return np.stack(columns, axis=-1).reshape(*np.shape(columns[0]), *x.shape)


def product(x, w):
    y = np.zeros(4)
    y[:3] = x * w
    y[3] = x[0] * x[1]
    y[1:] += 0.5 * y[:-1]
    return y


def rows(a):
    b = a.copy()
    b[0] += 2.0 * b[1]
    return np.sum(np.sin(b), axis=1)


def loss(x, w):
    u = x.copy()
    for _ in range(3):
        u[1:] += 0.5 * w[1:] * u[:-1]
    return np.sum(u**3)


def cubes(x):
    return np.sum(x**3)


@pytest.mark.parametrize("mode", [ad.jacfwd, ad.jacrev, ad.jacobian])
def test_jacobians(mode):
    np.testing.assert_allclose(mode(product)(X, W), differences(lambda x: product(x, W), X))
    j = mode(product, wrt=("x", "w"))(X, W)
    assert isinstance(j, tuple)
    np.testing.assert_allclose(j[1], differences(lambda w: product(X, w), W), atol=1e-9)
    j = mode(rows)(A)
    assert j.shape == (3, 3, 3)
    np.testing.assert_allclose(j, differences(rows, A), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("mode", [ad.jacfwd, ad.jacrev])
def test_structures(mode):
    def f(x, k, s):
        return x * s, (s * s, k)

    a, (b, n) = mode(f, wrt=("x", "s"))(X, 3, 2.0)
    np.testing.assert_allclose(a[0], 2.0 * np.eye(3))
    np.testing.assert_allclose(a[1], X)
    np.testing.assert_allclose(b[0], np.zeros(3))
    assert b[1] == 4.0 and type(b[1]) is float
    assert n is None
    assert mode(lambda s: s**3)(2.0) == pytest.approx(12.0)
    (only,) = mode(lambda s: s**3, wrt=("s",))(2.0)
    assert only == pytest.approx(12.0)
    j = mode(lambda p: p[0] * p[1])((X, 2.0))
    np.testing.assert_allclose(j[0], 2.0 * np.eye(3))
    np.testing.assert_allclose(j[1], X)


@pytest.mark.parametrize("mode", [ad.jacfwd, ad.jacrev])
def test_sizes_and_dtypes(mode):
    assert mode(lambda x: x * 2.0)(np.zeros(0)).shape == (0, 0)
    assert mode(lambda x: np.zeros((0, 2)) * x[0])(X).shape == (0, 2, 3)
    j = mode(lambda x: x * x)(X.astype("float32"))
    assert j.dtype == np.float32 and j.flags.c_contiguous and j.flags.writeable
    assert mode(lambda x: x[0] * x[1])(X).shape == (3,)
    assert mode(lambda s: np.array([s, s * s]))(3.0).tolist() == [1.0, 6.0]


@pytest.mark.parametrize("mode", [ad.jacfwd, ad.jacrev])
def test_aux(mode):
    j, aux = mode(lambda x: (x * x, x + 1.0), has_aux=True)(X)
    np.testing.assert_allclose(j, np.diag(2.0 * X))
    np.testing.assert_array_equal(aux, X + 1.0)


def test_hessian_has_aux():
    h, aux = ad.hessian(lambda x: (np.sum(x**3), x * x), has_aux=True)(X)
    np.testing.assert_allclose(h, np.diag(6.0 * X))
    np.testing.assert_allclose(aux, X * X)


def test_what_may_not_run_twice_runs_once(capsys):
    rng = np.random.default_rng(1)

    def f(x):
        print("once")
        return x * rng.normal()

    j = ad.jacfwd(f)(X)
    assert capsys.readouterr().out == "once\n"
    assert j[0, 0] == j[1, 1] == j[2, 2] != 0.0
    y, f_jvp = ad.linearize(f, X)
    np.testing.assert_allclose(f_jvp(X), y)
    np.testing.assert_allclose(f_jvp(2.0 * X), 2.0 * y)
    assert capsys.readouterr().out == "once\n"


def test_arguments_are_written_once():
    def f(x, c):
        c[0] += 1.0
        return x * c[0]

    c = np.ones(1)
    np.testing.assert_allclose(ad.jacfwd(f)(X, c), 2.0 * np.eye(3))
    assert c[0] == 2.0
    _, f_jvp = ad.linearize(f, X, c, wrt="x")
    assert c[0] == 3.0
    np.testing.assert_allclose(f_jvp(X), 3.0 * X)
    assert c[0] == 3.0


@pytest.mark.parametrize("f", [product, loss])
def test_linearize(f):
    x, w = X.copy(), W.copy()
    y, f_jvp = ad.linearize(f, x, w)
    np.testing.assert_allclose(y, f(X, W))
    expected = ad.jvp(f, (X, W), (W, X))[1]
    x[:] = 100.0
    w[:] = 100.0
    for _ in range(2):
        np.testing.assert_allclose(f_jvp(W, X), expected)
    np.testing.assert_allclose(f_jvp(W, None) + f_jvp(None, X), expected)
    with pytest.raises(InputError, match="AD405"):
        f_jvp(W)


SCALE = np.ones(3)


def test_linearize_keeps_what_it_read_of_globals():
    def f(x):
        return np.sum(x * SCALE * x)

    _, f_jvp = ad.linearize(f, X)
    expected = f_jvp(W)
    SCALE[:] = 2.0
    try:
        np.testing.assert_allclose(f_jvp(W), expected)
    finally:
        SCALE[:] = 1.0


@pytest.mark.parametrize("f", [loss, lambda x, w: np.sum(np.exp(x * w)) * x[0]])
def test_hessians(f):
    h = ad.hessian(f)(X, W)
    np.testing.assert_allclose(h, differences(lambda x: ad.grad(f)(x, W), X), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(h, h.T)
    np.testing.assert_allclose(ad.hvp(f, (X, W), (W, None)), h @ W)
    np.testing.assert_allclose(ad.hvp(f, (X, W), (W,), wrt="x"), h @ W)


def test_hessian_by_two_arguments():
    def f(x, w):
        return np.sum(np.exp(x * w)) * x[0]

    (xx, xw), (wx, ww) = ad.hessian(f, wrt=("x", "w"))(X, W)
    np.testing.assert_allclose(xx, ad.hessian(f)(X, W))
    np.testing.assert_allclose(xw, wx.T)
    np.testing.assert_allclose(
        ww, differences(lambda w: ad.grad(f, wrt="w")(X, w), W), rtol=1e-5, atol=1e-7
    )


def test_hessian_of_a_number():
    assert ad.hessian(lambda x: x**4)(2.0) == pytest.approx(48.0)


def test_elementwise_grad():
    f = ad.elementwise_grad(lambda x, k: np.sin(x) * k)
    np.testing.assert_allclose(f(A, 2.0), 2.0 * np.cos(A))
    second = ad.elementwise_grad(f)
    np.testing.assert_allclose(second(A, 2.0), -2.0 * np.sin(A))
    third = ad.elementwise_grad(second)
    np.testing.assert_allclose(third(A, 2.0), -2.0 * np.cos(A))
    assert ad.elementwise_grad(lambda s: s**3)(2.0) == pytest.approx(12.0)


@pytest.mark.parametrize(
    "f", [lambda x: x * np.sum(x), lambda x: x[::-1] * 2.0, lambda x: x - np.mean(x)]
)
def test_elementwise_grad_of_what_is_not(f):
    with pytest.raises(DerivativeError, match="not element-wise"):
        ad.elementwise_grad(f)(np.array([1.0, 2.0, 4.0]))


def test_elementwise_grad_where_a_slope_is_no_number():
    x = np.array([0.0, 1e-300, 4.0, -1.0])
    with np.errstate(all="ignore"):
        found = ad.elementwise_grad(np.sqrt)(x)
    assert np.isinf(found[0]) and np.isnan(found[3]) and found[2] == 0.25
    first, second = ad.elementwise_grad(lambda x, y: np.exp(x) * y, wrt=("x", "y"))(A, A)
    np.testing.assert_allclose(first, np.exp(A) * A)
    np.testing.assert_allclose(second, np.exp(A))


def test_derivatives_of_jacobians():
    def f(x):
        return x * x * x[0]

    expected = differences(lambda x: ad.jacrev(f)(x), X)
    np.testing.assert_allclose(ad.jacfwd(ad.jacrev(f))(X), expected, atol=1e-8)
    np.testing.assert_allclose(ad.jacrev(ad.jacfwd(f))(X), expected, atol=1e-8)
    third = ad.jacfwd(ad.hessian(lambda x: np.sum(x**4)))(X)
    assert third.shape == (3, 3, 3)
    np.testing.assert_allclose(third[1, 1, 1], 24.0 * X[1])
    assert np.count_nonzero(third) == 3


def test_members():
    @ad.differentiable
    def f(x, k=2.0):
        return np.sum(k * x**3)

    np.testing.assert_allclose(f.hessian(X), np.diag(12.0 * X))
    np.testing.assert_allclose(f.hvp((X,), (W,)), 12.0 * X * W)
    np.testing.assert_allclose(f.jacobian(X), 6.0 * X * X)
    y, f_jvp = f.linearize(X)
    assert y == f(X) and f_jvp(W) == pytest.approx(np.sum(6.0 * X * X * W))

    @ad.differentiable
    def wave(x):
        return np.sin(x)

    np.testing.assert_allclose(wave.elementwise_grad(X), np.cos(X))


@dataclass
class Spring:
    length: object
    stiffness: float
    turns: int = 3


def stored(p, x):
    return np.sum((p.length - x) ** 3) * p.stiffness**2


def test_second_derivatives_by_an_object():
    at, v = Spring(X, 2.0), Spring(W, 1.5, None)
    found = ad.hvp(stored, (at, W), (v, None))
    assert type(found) is Spring and found.turns is None
    h = 1e-5
    above = ad.grad(stored)(Spring(X + h * W, 2.0 + h * 1.5), W)
    below = ad.grad(stored)(Spring(X - h * W, 2.0 - h * 1.5), W)
    np.testing.assert_allclose(found.length, (above.length - below.length) / (2 * h), rtol=1e-6)
    assert found.stiffness == pytest.approx((above.stiffness - below.stiffness) / (2 * h), rel=1e-6)
    (value, gradient), (dot, _) = ad.jvp(ad.value_and_grad(stored), (at, W), (v, None))
    assert value == stored(at, W) and gradient.stiffness == ad.grad(stored)(at, W).stiffness
    assert dot == pytest.approx(gradient.length @ W + gradient.stiffness * 1.5)


def test_functions_that_collect_arguments():
    def f(x, *powers):
        return sum([np.sum(x**p) for p in powers])

    np.testing.assert_allclose(ad.hessian(f)(X, 2, 3), np.diag(2.0 + 6.0 * X))
    with pytest.raises(InputError, match="AD410"):
        ad.hessian(lambda x, **more: np.sum(x * x))(X)


class Oscillator:
    def __init__(self, k):
        self.k = k

    @ad.differentiable
    def energy(self, x):
        return np.sum(self.k * x * x)


def test_methods():
    np.testing.assert_allclose(Oscillator(3.0).energy.hessian(X), 6.0 * np.eye(3))
    np.testing.assert_allclose(ad.jacfwd(Oscillator(3.0).energy)(X), 6.0 * X)
    _, f_jvp = ad.linearize(Oscillator(3.0).energy, X)
    assert f_jvp(W) == pytest.approx(np.sum(6.0 * X * W))


def test_options_and_names():
    def f(x, w):
        y = x * w
        z = y * y
        y[0] = 0.0
        return z + y

    for mode in (ad.jacfwd, ad.jacrev):
        found = mode(f, argnums=1, on_overwrite="save")(X, W)
        np.testing.assert_allclose(found, differences(lambda w: f(X, w), W))
    with pytest.raises(ad.CompileError, match="AD301"):
        ad.jacrev(f)(X, W)
    for mode in (ad.jacfwd, ad.jacrev, ad.hessian, ad.elementwise_grad):
        with pytest.raises(InputError, match="AD410"):
            mode(f, nonsense=1)
        with pytest.raises(InputError, match="AD403"):
            mode(f, wrt="q")


def test_pickle():
    for made in (ad.jacfwd(rows), ad.jacrev(rows), ad.hessian(cubes), ad.elementwise_grad(cubes)):
        x = A if "rows" in made.__name__ else X
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(made))(x), made(x))


def test_wrong_use():
    with pytest.raises(InputError, match="AD402"):
        ad.jacfwd(lambda n: n * 2)(3)
    with pytest.raises(InputError, match="AD404"):
        ad.hessian(lambda x: x * 2.0)(X)
    with pytest.raises(InputError, match="AD405"):
        ad.hvp(loss, (X, W), (W[:2], None))
