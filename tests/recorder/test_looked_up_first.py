"""What a call means is looked up before its arguments run, and anew where code was replaced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9])


class Net:
    def __init__(self) -> None:
        self.act: Any = np.tanh

    def replaced(self, v: Any) -> Any:
        self.act = np.sin
        return v * 2.0

    def __len__(self) -> int:
        return 2


def before_its_argument(x: Any) -> Any:
    net = Net()
    return np.sum(net.act(net.replaced(x))) * np.sum(net.act(x))


def before_a_keyword(x: Any) -> Any:
    made = {"f": Net()}
    return np.sum(np.add(made["f"].act(*[made["f"].replaced(v) for v in x]), x[0]))


def of_an_array(x: Any) -> Any:
    return x.dot(np.sin(x)) + x.clip(max=np.max(x * 0.9)).sum()


def of_a_list(x: Any) -> Any:
    values: list[Any] = []
    values.append(values.append(x[0]) or x[1])
    return values[0] * values[1] ** 2


@pytest.mark.parametrize("how", ["record", "always"])
@pytest.mark.parametrize("f", [before_its_argument, of_an_array, of_a_list])
def test_gradients(f: Any, how: str) -> None:
    check_grads(f, (X,), on_unfollowed=how)
    assert ad.vjp(f, X, on_unfollowed=how)[0] == f(X)


def test_an_error_of_the_first_function() -> None:
    with pytest.raises(TypeError):
        before_a_keyword(X)
    with pytest.raises(TypeError):
        ad.grad(before_a_keyword, on_unfollowed="always")(X)


def slope(v: Any) -> Any:
    return v * v


def test_a_function_with_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def through_it(x: Any) -> Any:
        return np.sum(slope(x))

    gradient = ad.grad(through_it, on_unfollowed="always")
    np.testing.assert_allclose(gradient(X), 2 * X)
    monkeypatch.setattr(slope, "__code__", (lambda v: v**3).__code__)
    np.testing.assert_allclose(gradient(X), 3 * X**2)


class Turning:
    """An attribute that replaces another one where it is read, and an operator that does."""

    def __init__(self) -> None:
        self.act: Any = np.tanh

    @property
    def value(self) -> float:
        self.act = np.sin
        return 2.0

    def __mul__(self, v: Any) -> Any:
        self.act = np.cos
        return v * 3.0


def by_a_property(x: Any) -> Any:
    net = Turning()
    return np.sum(x * net.act(net.value)) * np.sum(net.act(x))


def by_an_operator(x: Any) -> Any:
    net = Turning()
    return np.sum(net.act(net * x)) * np.sum(net.act(x))


class Asked:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.v)

    @property
    def half(self) -> Any:
        return self.v * 0.5


@pytest.mark.parametrize("f", [by_a_property, by_an_operator])
def test_what_is_no_call_may_replace_it(f: Any) -> None:
    check_grads(f, (X,), on_unfollowed="always")
    assert ad.vjp(f, X, on_unfollowed="always")[0] == f(X)


def test_a_class_with_other_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        return np.sum(np.sqrt(Asked(x)) * x) + np.sum(Asked(x).half)

    gradient = ad.grad(f, on_unfollowed="always")
    np.testing.assert_allclose(gradient(X), 1.5 * np.sqrt(X) + 0.5)
    monkeypatch.setattr(Asked, "__array__", lambda s, dtype=None, copy=None: np.asarray(s.v) ** 2)
    monkeypatch.setattr(Asked, "half", property(lambda s: s.v * s.v))
    np.testing.assert_allclose(gradient(X), 2.0 * X + 2.0 * X)
