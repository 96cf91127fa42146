"""Decorators: a wrapper that only passes on is looked through, any other is differentiated too."""

from __future__ import annotations

import functools
import zlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0])


def tenfold(fn):
    @functools.wraps(fn)
    def wrapper(x):
        return 10.0 * fn(x)

    return wrapper


def tenfold_of_any(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return 10.0 * fn(*args, **kwargs)

    return wrapper


def transparent(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        """Does nothing else."""
        return fn(*args, **kwargs)

    return wrapper


def swapping(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args[::-1], **kwargs)

    return wrapper


class Tenfold:
    """Wraps a function and does more than to call it."""

    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self.fn = fn

    def __call__(self, *args, **kwargs):
        return 10.0 * self.fn(*args, **kwargs)


class Transparent(Tenfold):
    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)


def square(x):
    return np.sum(x * x)


def first(found):
    """The gradient by the first argument: of `wrapper(*args)`, that by `args` is a tuple."""
    return found[0] if isinstance(found, tuple) else found


def right_or_refused(f, expected):
    """The gradient at `X`, also where a differentiated function calls `f`; or a clear error."""

    def twice(x):
        return 2.0 * f(x)

    for g, wanted in ((f, expected), (twice, 2.0 * expected)):
        try:
            found = ad.grad(g)(X)
        except CompileError as error:
            assert error.diagnostics
        else:
            np.testing.assert_allclose(first(found), wanted)


def test_a_wrapper_with_the_same_parameters_is_differentiated_as_it_is():
    f = tenfold(square)
    np.testing.assert_allclose(ad.grad(f)(X), 20.0 * X)
    np.testing.assert_allclose(ad.grad(tenfold(f))(X), 200.0 * X)
    assert ad.jvp(f, (X,), (X,))[1] == 2.0 * f(X)
    right_or_refused(f, 20.0 * X)


@pytest.mark.parametrize("wrap", [tenfold_of_any, Tenfold])
def test_a_wrapper_that_does_more_is_never_looked_through(wrap):
    right_or_refused(wrap(square), 20.0 * X)
    right_or_refused(transparent(wrap(square)), 20.0 * X)
    right_or_refused(wrap(transparent(square)), 20.0 * X)


def test_a_wrapper_that_passes_on_something_else_is_not_looked_through():
    def ratio(x, y):
        return np.sum(x / y)

    try:
        found = ad.grad(swapping(ratio))(X, 2.0)
    except CompileError:
        return
    np.testing.assert_allclose(first(found), -2.0 / X**2)


@pytest.mark.parametrize("wrap", [transparent, Transparent, functools.lru_cache])
def test_a_wrapper_that_only_passes_on_is_looked_through(wrap):
    def power(x, k=2):
        return x**k

    f = wrap(power)
    assert ad.grad(f)(3.0) == 6.0
    assert ad.grad(f)(3.0, k=3) == 27.0

    def outside(x):
        return f(x) * x

    assert ad.grad(outside)(3.0) == 27.0


def test_the_order_of_decorators():
    under = ad.differentiable(tenfold(square))
    np.testing.assert_allclose(under.grad(X), 20.0 * X)
    over = tenfold(ad.differentiable(square))
    np.testing.assert_allclose(ad.grad(over)(X), 20.0 * X)


def test_a_differentiable_function_inside_another():
    inner = ad.differentiable(square)

    @ad.differentiable
    def outer(x):
        return np.sin(inner(x)) + inner(2.0 * x)

    expected = 2.0 * X * np.cos(np.sum(X * X)) + 8.0 * X
    np.testing.assert_allclose(outer.grad(X), expected)
    np.testing.assert_allclose(outer.jvp((X,), (X,))[1], expected @ X)


class Jitted:
    """What a compiler of functions hands out: it holds much, also itself, and the function."""

    __module__ = "numba.core.registry"

    def __init__(self, py_func):
        self.py_func = py_func
        self.targets = {"cpu": [self]}
        self.by_name = {"self": self}

    def __call__(self, *args):
        return self.py_func(*args)


def test_a_jitted_function_as_an_argument_and_a_global():
    cube = Jitted(lambda x: x * x * x)

    def calls(x):
        return np.sum(cube(x))

    def applied(f, x):
        return np.sum(f(x))

    for f in (calls, functools.partial(applied, cube)):
        np.testing.assert_allclose(ad.grad(f)(X), 3.0 * X**2)
        np.testing.assert_allclose(ad.vjp(f, X)[1](1.0)[0], 3.0 * X**2)


class Scaled:
    """No compiled function, although it keeps one under the same name."""

    def __init__(self, fn):
        self.py_func = fn

    def __call__(self, x):
        return 2.0 * self.py_func(x)


def doubled(fn):
    def call(x):
        return 2.0 * fn(x)

    call.py_func = fn
    return call


@pytest.mark.parametrize("wrap", [Scaled, doubled])
def test_what_only_keeps_a_function_is_no_jitted_one(wrap):
    total = wrap(lambda x: np.sum(x * x))

    def calls(x):
        return total(x) * x[0]

    check_grads(calls, (X,))
    value, pullback = ad.vjp(total, X)
    np.testing.assert_allclose(value, 2.0 * np.sum(X * X))
    np.testing.assert_allclose(pullback(1.0)[0], 4.0 * X)


def test_a_function_that_is_only_described_is_refused():
    def described(x):
        """Compiled elsewhere."""

    with pytest.raises(ad.AdtransError, match="the result is None"):
        ad.grad(described)(X)


def test_a_wrapper_of_what_has_no_signature():
    @functools.wraps(max)
    def total(*args, **kwargs):
        return np.sum(args[0], **kwargs)

    found = ad.grad(lambda x: total(x) * x[0])(np.array([2.0, 3.0]))
    np.testing.assert_allclose(found, [7.0, 2.0])


def test_what_a_wrapper_calls_is_named_as_it_is_elsewhere():
    """The name in the wrapper is no name to whoever reads the error, nor could a rule be given."""

    def wrapping(f):
        def wrapped(x):
            return 2.0 * f(x)

        return wrapped

    check = wrapping(zlib.crc32)

    def loss(x):
        return check(x)

    with pytest.raises(ad.CompileError) as error:
        ad.grad(loss)(np.array([1.0, 2.0]))
    (found,) = error.value.diagnostics
    assert found.code == "AD401"
    assert "`f` is `zlib.crc32` here" in found.why
    assert "adtrans.rule(zlib.crc32," in found.fixes[1].text
