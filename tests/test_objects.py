"""Methods: attributes are read when they are used, other methods are called, nothing goes stale."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import finite_difference_vjp

X = np.array([0.5, -0.3, 0.8])


class Network:
    """A layer and what is applied to it."""

    scale = 2.0

    def __init__(self):
        self.W = np.array([[0.2, 0.4, -0.1], [0.3, -0.6, 0.5]])
        self.b = 0.1
        self.steps = 2
        self.inner = None

    def activation(self, h):
        return np.tanh(h) * self.scale

    def layer(self, x):
        return self.activation(self.W @ x + self.b)

    def plain(self, x):
        return np.sum(self.layer(x) ** 2)

    @ad.differentiable
    def loss(self, x, power=2):
        return np.sum(self.layer(x) ** power)

    def repeated(self, x):
        for _ in range(self.steps):
            x = np.sin(x) * self.b
        return np.sum(x)

    @property
    def rate(self):
        return self.b * 3.0

    def by_property(self, x):
        return np.sum(x * x) * self.rate

    def nested(self, x):
        return np.sum(x * x) * self.inner.b

    def remembers(self, x):
        self.last = x * 2.0
        return np.sum(self.last * x)

    def __call__(self, x):
        return np.sum(x * x) * self.b


def right(f, g) -> None:
    """`g` gives the gradient of `f` at `X`, compared with differences."""
    (expected,) = finite_difference_vjp(f, (X,), 1.0, (0,), eps=1e-4)
    np.testing.assert_allclose(g(X), expected, rtol=1e-6, atol=1e-8)


def right_or_refused(f, g) -> None:
    try:
        right(f, g)
    except CompileError as error:
        assert error.diagnostics


def test_attributes_and_other_methods():
    model = Network()
    right(model.loss, model.loss.grad)
    right(model.plain, ad.grad(model.plain))
    right(model.repeated, ad.grad(model.repeated))
    right(model, ad.grad(model))
    right(lambda x: model.loss(x, 3), lambda x: model.loss.grad(x, 3))
    y, y_dot = ad.jvp(model.plain, (X,), (X,))
    assert y == model.plain(X)
    assert y_dot == pytest.approx(ad.grad(model.plain)(X) @ X)


def test_a_change_between_two_calls_is_seen():
    model = Network()
    g = ad.grad(model.plain)
    right(model.plain, g)
    model.W = model.W[::-1] * 2.0
    right(model.plain, g)
    model.W[0, 0] = 3.0
    right(model.plain, g)
    model.b = -0.4
    right(model.plain, g)
    model.scale = 5.0
    right(model.plain, g)


def test_another_kind_of_attribute_is_compiled_for():
    model = Network()
    g = model.loss.grad
    right(model.loss, g)
    model.b = np.array([0.1, -0.2])
    right(model.loss, g)
    model.b = 1
    right(model.loss, g)
    model.W = np.ones((1, 3))
    right(model.loss, g)
    model.W = np.array([[1.0, 0.5, 0.25]], dtype="float32")
    value, gradient = model.loss.value_and_grad(X.astype("float32"))
    assert value.dtype == model.loss(X.astype("float32")).dtype
    assert gradient.dtype == np.float32


def test_a_loop_bound_that_changes():
    model = Network()
    g = ad.grad(model.repeated)
    for steps in (0, 1, 4):
        model.steps = steps
        right(model.repeated, g)


def test_another_method(monkeypatch):
    model = Network()
    g = ad.grad(model.plain)
    right(model.plain, g)
    monkeypatch.setattr(Network, "activation", lambda self, h: h * h * self.b)
    right(model.plain, g)
    model.activation = np.cos
    right_or_refused(model.plain, g)


def test_two_objects_do_not_mix():
    one, two = Network(), Network()
    two.W = -3.0 * one.W
    two.b = np.array([0.3, 0.4])
    for model in (one, two, one):
        right(model.loss, model.loss.grad)

    def both(x):
        return one.plain(x) * two.plain(x)

    right_or_refused(both, ad.grad(both))


def test_properties_and_objects_in_objects():
    model = Network()
    right_or_refused(model.by_property, ad.grad(model.by_property))
    model.inner = Network()
    g = ad.grad(model.nested)
    right_or_refused(model.nested, g)
    model.inner.b = 7.0
    right_or_refused(model.nested, g)
    model.inner = Network()
    right_or_refused(model.nested, g)


def test_an_attribute_that_is_written():
    model = Network()
    try:
        found = ad.grad(model.remembers)(X)
    except CompileError as error:
        assert error.diagnostics[0].code in ("AD201", "AD207")
        assert not hasattr(model, "last"), "a function that is refused does not run"
    else:
        np.testing.assert_allclose(found, 4.0 * X)
        np.testing.assert_array_equal(model.last, 2.0 * X)


def test_an_array_attribute_that_is_written_while_needed():
    class Buffer:
        def __init__(self):
            self.data = np.ones(3)

        def run(self, x):
            y = np.sum(self.data * x)
            self.data[0] = 5.0
            return y

    model = Buffer()
    try:
        found = ad.grad(model.run)(X)
    except CompileError as error:
        assert error.diagnostics
        np.testing.assert_array_equal(model.data, np.ones(3))
    else:
        np.testing.assert_array_equal(found, np.ones(3))
        np.testing.assert_array_equal(model.data, [5.0, 1.0, 1.0])
