"""Functions that collect arguments: derivatives belong to the arguments that a call gives, and what
a decorator does beside calling changes the form of no answer."""

from __future__ import annotations

import functools
import time

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.5, 0.8, 1.3])
A, B = np.array([1.0, 2.0]), np.array([3.0, 4.0])
SEEN = []


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        SEEN.append((len(args), len(kwargs)))
        return fn(*args, **kwargs)

    return wrapper


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        found = fn(*args, **kwargs)
        wrapper.last = time.perf_counter() - start
        return found

    return wrapper


def scaled(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        found = fn(*args, **kwargs)
        return 3.0 * found

    return wrapper


def printing(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        print(fn.__name__)
        return fn(*args, **kwargs)

    return wrapper


def plain(x, k=2.0, *, m=1.0):
    return np.sum(x**k) * m


@pytest.mark.parametrize("decorate", [logged, scaled, printing, lambda f: logged(scaled(f))])
def test_a_decorator_changes_the_form_of_no_answer(decorate):
    f = decorate(plain)
    c = f(X) / plain(X)

    def same(of):
        found, expected = of(f), of(plain)
        assert type(found) is type(expected)
        for a, b in zip(ad.tree.leaves(found), ad.tree.leaves(expected), strict=True):
            np.testing.assert_allclose(a, c * b)

    same(lambda f: ad.grad(f)(X))
    same(lambda f: ad.grad(f)(x=X))
    same(lambda f: ad.grad(f, wrt="x")(X, 3.0))
    same(lambda f: ad.grad(f, wrt="k")(X, k=3.0))
    same(lambda f: ad.grad(f, wrt=("k", 0))(X, 3.0))
    same(lambda f: ad.grad(f, wrt="m")(X, m=2.0))
    same(lambda f: ad.vjp(f, X)[1](1.0))
    same(lambda f: ad.vjp(f, X, 3.0)[1](1.0))
    same(lambda f: ad.jvp(f, (X, 3.0), (X, 1.0)))
    same(lambda f: ad.linearize(f, X)[1](X))
    same(lambda f: ad.hessian(f)(X))
    same(lambda f: ad.hvp(f, (X,), (X,)))
    same(lambda f: ad.jacobian(f)(X))
    same(lambda f: ad.jacfwd(f)(X))
    same(lambda f: ad.grad(lambda x: np.sum(ad.grad(f)(x) * x))(X))
    same(lambda f: ad.differentiable(f).grad(X))
    same(lambda f: ad.differentiable(f, wrt="k").value_and_grad(X, 3.0))
    with pytest.raises(ad.InputError, match="AD403"):
        ad.grad(f, wrt="q")(X)
    with pytest.raises(ad.InputError, match="AD403"):
        ad.grad(f, wrt=2)(X, 2.0)


def test_what_a_decorator_sees_is_what_is_given():
    f = logged(plain)
    for args, words in [((X,), {}), ((X, 2.0), {}), ((X,), {"k": 2.0}), ((), {"x": X, "m": 1.0})]:
        SEEN.clear()
        f(*args, **words)
        seen = SEEN.copy()
        ad.grad(f, wrt="x")(*args, **words)
        assert seen == SEEN[1:]


def test_a_decorator_that_keeps_the_time():
    f = timed(plain)
    try:
        np.testing.assert_allclose(ad.grad(f)(X), 2.0 * X)
    except ad.CompileError:
        return
    assert f.last > 0.0


def test_decorated_methods():
    class Model:
        def __init__(self):
            self.w = np.array([2.0, 5.0])

        @scaled
        def loss(self, x, k=2.0):
            return np.sum(self.w * x**k)

    model = Model()
    np.testing.assert_allclose(ad.grad(model.loss)(A), 6.0 * model.w * A)
    found = ad.vjp(model.loss, A, 2.0)[1](1.0)
    np.testing.assert_allclose(found[0], 6.0 * model.w * A)
    np.testing.assert_allclose(found[1], 3.0 * np.sum(model.w * A**2 * np.log(A)))


def distance(a, b):
    return np.sum(a * b * b)


def collecting(*args):
    return distance(*args)


def after_one(a, *rest):
    return distance(a, *rest)


@pytest.mark.parametrize(
    "f", [collecting, after_one, lambda *args: distance(*args), lambda a, *b: distance(a, b[0])]
)
def test_positions_count_the_items(f):
    by_a, by_b = B * B, 2.0 * A * B
    for found in (
        ad.vjp(f, A, B)[1](1.0),
        ad.grad(f, wrt=(0, 1))(A, B),
        ad.jacobian(f, wrt=(0, 1))(A, B),
    ):
        assert type(found) is tuple and len(found) == 2
        np.testing.assert_allclose(found[0], by_a)
        np.testing.assert_allclose(found[1], by_b)
    np.testing.assert_allclose(ad.grad(f)(A, B), by_a)
    np.testing.assert_allclose(ad.grad(f, wrt=1)(A, B), by_b)
    np.testing.assert_allclose(ad.grad(f, wrt=-1)(A, B), by_b)
    assert ad.jvp(f, (A, B), (A, B))[1] == np.sum(by_a * A + by_b * B)
    np.testing.assert_allclose(ad.hessian(f, wrt=1)(A, B), np.diag(2.0 * A))
    with pytest.raises(ad.InputError, match="AD403"):
        ad.grad(f, wrt=2)(A, B)


def test_all_that_is_collected_by_its_name():
    found = ad.grad(collecting, wrt="args")(A, B)
    np.testing.assert_allclose(found, (B * B, 2.0 * A * B))


def test_a_lambda_that_collects_is_followed_where_it_is_called():
    def f(a, b):
        return COLLECTS(a, b, k=2.0)

    np.testing.assert_allclose(ad.grad(f)(A, B), 2.0 * B * B)


COLLECTS = lambda *args, **words: words["k"] * distance(*args)  # noqa: E731


def keywords_only(x, y, *, k=1.0, q=2.0):
    return x * y * k * q


def test_a_position_is_no_keyword():
    for position in (2, 3, -3):
        with pytest.raises(ad.InputError, match="AD403"):
            ad.grad(keywords_only, wrt=position)(2.0, 3.0, k=4.0)
    assert ad.grad(keywords_only, wrt=-1)(2.0, 3.0) == 4.0
    assert ad.grad(keywords_only, wrt="q")(2.0, 3.0) == 6.0
    assert ad.grad(logged(keywords_only), wrt=-1)(2.0, 3.0) == 4.0
    with pytest.raises(ad.InputError, match="AD403"):
        ad.grad(logged(keywords_only), wrt=2)(2.0, 3.0)


def test_the_same_shape_of_call_is_compiled_once():
    f = scaled(plain)
    ad.grad(f)(X)
    start = time.perf_counter()
    for _ in range(20):
        ad.grad(f)(X)
        ad.vjp(f, X)
    assert time.perf_counter() - start < 1.0
