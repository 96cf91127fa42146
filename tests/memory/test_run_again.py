"""What a pullback runs again reads what the first run has read, or it is an error."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, -1.2, 0.4])


class Model:
    rate = 1.5

    def __init__(self):
        self.v, self.k = np.ones(3), 2.0


MODEL = Model()
GRID = np.ones(3)
TABLE = {"a": np.ones(3), "b": [1.0, 2.0]}
FACTOR = 2.0


@ad.checkpoint
def by_grid(u):
    return u * u * GRID


@ad.checkpoint
def by_attribute(u):
    return u * scaled(u)


@ad.checkpoint
def by_class(u):
    return u * u * Model.rate


@ad.checkpoint
def by_table(u):
    return u * u * TABLE["b"][1] * TABLE["a"]


def scaled(u):
    return u * MODEL.v * MODEL.k


def nested(u):
    return by_grid(by_attribute(u))


def integral(x):
    return quad(lambda s: np.sin(s * x[0]) * MODEL.k, 0.0, FACTOR)[0]


def root(x):
    return brentq(lambda s: s**3 - x[0] * MODEL.k - GRID[0], 0.0, 5.0)


def grid_in_place():
    GRID[1] = 9.0


def attribute_assigned():
    MODEL.v = np.full(3, 5.0)


def number_assigned():
    MODEL.k = 5.0


def in_the_class():
    Model.rate = 5.0


def in_the_table():
    TABLE["b"][1] = 7.0


def global_bound():
    global FACTOR
    FACTOR = 7.0


@pytest.fixture(autouse=True)
def as_they_were():
    global FACTOR
    yield
    GRID[:], TABLE["b"][:], FACTOR = 1.0, [1.0, 2.0], 2.0
    MODEL.v, MODEL.k, Model.rate = np.ones(3), 2.0, 1.5


BETWEEN = [
    (by_grid, grid_in_place), (nested, grid_in_place), (by_attribute, attribute_assigned),
    (by_attribute, number_assigned), (nested, number_assigned), (by_class, in_the_class),
    (by_table, in_the_table), (integral, number_assigned), (root, number_assigned),
    (root, grid_in_place),
]  # fmt: skip


@pytest.mark.parametrize(("f", "change"), BETWEEN)
def test_a_change_between_vjp_and_its_pullback_is_an_error(f, change):
    def total(x):
        return np.sum(f(x))

    expected = ad.grad(total)(X)
    _, pullback = ad.vjp(total, X)
    np.testing.assert_array_equal(pullback(1.0)[0], expected)
    np.testing.assert_array_equal(pullback(1.0)[0], expected)
    change()
    with pytest.raises(ad.MutationError, match="reads was changed between") as caught:
        pullback(1.0)
    assert caught.value.code == "AD301"
    check_grads(total, (X,), modes=("reverse",))  # and with what it is now


def test_what_has_nothing_to_do_with_it_may_change():
    _, pullback = ad.vjp(lambda x: np.sum(by_grid(x)), X)
    number_assigned()
    np.testing.assert_allclose(pullback(1.0)[0], 2.0 * X)


def by_hand(x):
    return quad(lambda t: np.exp(-t * x[0]) * FACTOR, 0.0, x[1])[0]


UNRELATED = 0


def kept_beside():
    global UNRELATED
    UNRELATED = object()


@pytest.mark.parametrize("f", [by_hand, ad.grad(by_hand), ad.value_and_grad(by_hand)])
def test_of_globals_only_those_that_are_read_count(f):
    """Behind the gradient is generated code, and what that has compiled."""
    x = np.array([0.6, 0.9])
    y, pullback = ad.vjp(f, x)
    seed = (1.0, np.ones(2)) if isinstance(y, tuple) else np.ones_like(y)
    expected = pullback(seed)[0]
    kept_beside()
    ad.grad(by_hand, wrt="x")(x)
    np.testing.assert_array_equal(pullback(seed)[0], expected)
    global_bound()
    with pytest.raises(ad.MutationError, match="what `lambda` reads was changed"):
        pullback(seed)


@ad.differentiable
def scaled_by_hand(u):
    return u * u * MODEL.k


@ad.checkpoint
def by_a_differentiable(u):
    return scaled_by_hand(u) * u


def test_what_is_compiled_since_is_no_change_and_what_is_read_inside_is():
    _, pullback = ad.vjp(lambda x: np.sum(by_a_differentiable(x)), X)
    ad.grad(lambda x: np.sum(scaled_by_hand(x)))(X)
    np.testing.assert_allclose(pullback(1.0)[0], 6.0 * X**2)
    number_assigned()
    with pytest.raises(ad.MutationError, match="reads was changed between"):
        pullback(1.0)


ROWS = [[1.0] for _ in range(6000)]
CHAIN: list = [1.0]
for _ in range(3000):
    CHAIN = [CHAIN]
QUEUE = deque([1.0, 2.0])


@ad.checkpoint
def by_the_last_row(u):
    return u * u * ROWS[-1][0]


@ad.checkpoint
def by_the_chain(u):
    return u * u * len(CHAIN)


@ad.checkpoint
def by_the_queue(u):
    return u * u * QUEUE[1]


def inside_the_chain():
    inner = CHAIN
    while isinstance(inner[0], list):
        inner = inner[0]
    inner[0] += 1.0


@pytest.mark.parametrize(
    ("f", "change"),
    [(by_the_last_row, lambda: ROWS[-1].__setitem__(0, ROWS[-1][0] + 1.0)),
     (by_the_chain, inside_the_chain),
     (by_the_queue, lambda: QUEUE.__setitem__(1, QUEUE[1] + 1.0))],
)  # fmt: skip
def test_a_change_is_seen_however_much_is_read(f, change):
    _, pullback = ad.vjp(lambda x: np.sum(f(x)), X)
    pullback(1.0)
    change()
    with pytest.raises(ad.MutationError, match="reads was changed between"):
        pullback(1.0)


def set_and_set_again(x):
    MODEL.k = 2.0
    y = np.sum(by_attribute(x * 1.0))
    MODEL.k = 9.0
    return y


def in_a_loop(x):
    total = 0.0
    for n in range(3):
        MODEL.v = np.full(3, float(n))
        total = total + np.sum(by_attribute(x))
    return total


def by_a_method(x):
    y = np.sum(by_attribute(x * 1.0))
    Changes(MODEL).change()
    return y


class Changes:
    def __init__(self, model):
        self.model = model

    def change(self):
        self.model.k = 7.0


def around_an_integral(x):
    MODEL.k = 2.0
    y = integral(x)
    MODEL.k = 9.0
    return y


def around_a_root(x):
    y = root(x)
    MODEL.k = MODEL.k + 1.0
    return y


@pytest.mark.parametrize(
    "f",
    [set_and_set_again, in_a_loop, by_a_method, around_an_integral, around_a_root],
)  # fmt: skip
def test_a_change_in_the_function_itself_is_refused(f):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert {d.code for d in caught.value.diagnostics} <= {"AD203", "AD207", "AD401"}
    assert all(d.primary.span.file == __file__ for d in caught.value.diagnostics)


def test_what_is_assigned_elsewhere_is_no_matter():
    def f(x):
        other = Model()
        other.rate = 3.0
        return np.sum(by_attribute(x)) * other.rate

    check_grads(f, (X,), modes=("reverse",))
