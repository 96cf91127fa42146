"""What a container was made with, and what a call left out: evaluated when Python does it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([1.0, 1.1, 1.3, 1.15])
LOG: list[int] = []
scale = 3.0


def counted(x: Any) -> Any:
    s = 0.0
    for n in range(2, 5):
        if n == 2:
            d = deque([0.0], maxlen=n)
        d.append(n)
        s = s + len(d) * x[n - 2]
    return s


def fixed(x: Any) -> Any:
    n = len(x) - 2
    d = deque([x[0] * x[0]], maxlen=n)
    for v in x:
        d.append(v * v)
    return sum(d)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [counted, fixed])
def test_a_deque_keeps_the_size_that_it_was_made_with(f: Callable[..., Any]) -> None:
    check_grads(f, (X,))


def counting(a: Any) -> Any:
    LOG.append(1)
    return a * 2.0


def option(x: Any, **kw: Any) -> Any:
    return x * kw.get("k", counting(1.5))


def given(x: Any) -> Any:
    return option(x, k=3.0) * x


def left_out(x: Any) -> Any:
    return option(x) * x


@pytest.mark.parametrize("f", [given, left_out])
def test_a_default_is_evaluated_though_nobody_asks_for_it(f: Callable[..., Any]) -> None:
    value = f(1.5)
    LOG.clear()
    assert ad.value_and_grad(f)(1.5) == pytest.approx((value, 2.0 * value / 1.5))
    assert LOG == [1]


def bound_if_given(x: Any, **kw: Any) -> Any:
    if "scale" in kw:
        scale = kw["scale"]
    return x * scale


def test_a_name_that_is_not_bound_is_no_global() -> None:
    with pytest.raises(CompileError):
        ad.grad(lambda x: bound_if_given(x))(1.5)
    assert ad.grad(lambda x: bound_if_given(x, scale=2.0))(1.5) == 2.0


@pytest.mark.parametrize("make", [np.array, np.asarray])
def test_an_array_of_a_generator_is_refused(make: Callable[..., Any]) -> None:
    """It holds the generator, and not what that yields."""
    with pytest.raises(CompileError):
        ad.grad(lambda x: np.sum(make(v * v for v in x)))(X)
    check_grads(lambda x: np.sum(make([v * v for v in x])), (X,))


def by_name(x: Any, n: Any = None) -> Any:
    d = deque(maxlen=n)
    for v in x:
        d.append(v * v)
        d.appendleft(v * x[0])
    return x[0] + sum((k + 1) * v for k, v in enumerate(d))


def or_else(x: Any, n: Any) -> Any:
    try:
        d = deque(x, n)
    except (ValueError, TypeError):
        return x[0] ** 2
    d.append(x[1] * x[2])
    return sum(v * v for v in d)


def true(x: Any) -> Any:
    try:
        d = deque(x, True)
    except TypeError:
        return x[0] ** 3
    return sum(d)


@pytest.mark.recorded
@pytest.mark.parametrize("n", [None, 3, 0])
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_a_deque_may_have_any_size_or_none(n: Any, on_overwrite: Any) -> None:
    check_grads(by_name, (X[:3], n), on_overwrite=on_overwrite, order=2 if n else 1)


@pytest.mark.recorded
@pytest.mark.parametrize("n", [-1, 2.0, None, 2])
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_what_is_no_size_of_a_deque_raises_what_python_raises(n: Any, on_overwrite: Any) -> None:
    check_grads(or_else, (X, n), on_overwrite=on_overwrite)
    if n == -1 or isinstance(n, float):
        with pytest.raises(ValueError if n == -1 else TypeError) as expected:
            by_name(X, n)
        with pytest.raises(type(expected.value), match=str(expected.value)):
            ad.grad(by_name)(X, n)


@pytest.mark.recorded
def test_true_is_a_size_if_python_says_so() -> None:
    check_grads(true, (X,))
