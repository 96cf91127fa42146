"""Objects as arguments and results: gradients of their form, against differences, in all modes."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy as np
import pytest

import adtrans as ad
from adtrans import tree
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


@dataclass
class Params:
    k: float
    c: np.ndarray
    name: str = "plain"


@dataclass(frozen=True)
class Frozen:
    a: np.ndarray
    n: int = 2


@dataclass
class Net:
    first: Params
    second: Params
    scale: float = 2.0
    notes: list = field(default_factory=list)


class Filter:
    """A class of the user's that is registered."""

    __slots__ = ("gain", "order", "state")

    def __init__(self, gain, state, order=2):
        self.gain, self.state, self.order = gain, state, order

    def push(self, v):
        self.state = self.state + self.gain * v
        return np.sum(self.state**self.order)


tree.register(
    Filter, lambda f: (f.gain, f.state), lambda f, parts: Filter(parts[0], parts[1], f.order)
)


class Plain:
    def __init__(self, held):
        self.held = held


def params():
    return Params(1.5, X * X)


def net():
    return Net(params(), Params(0.7, X + 1.0))


def reads(p, x):
    return p.k * np.sum(p.c * x) ** 2


def writes(p, x):
    p.c = p.c * p.k * x
    p.k = np.sum(p.c)
    return p.k**2


def writes_in_place(p, x):
    p.c[0] = p.c[1] * p.k * x[0]
    return np.sum(p.c * p.k)


def nested(n, x):
    n.first.k = n.first.k * n.second.k
    return n.scale * n.first.k * np.sum(n.second.c * n.first.c * x)


def of_a_registered_class(f, x):
    return f.push(x[0]) * f.push(x[1]) * f.gain


def frozen(p, x):
    return np.sum(p.a**p.n * x)


def made(p, x):
    return Params(np.sum(p.c * x), p.c * p.k, "made")


def made_by_others(p, x):
    def inner(v):
        return Net(Params(v[0], v * v), Params(v[1], v), scale=p.k)

    return inner(x * p.c)


def beside(p, x):
    q = Params(p.k * 2.0, p.c * x)
    return q, np.sum(q.c * p.k), Frozen(x * p.k)


def handed_on(p, x):
    p.k = p.k * x[0]
    return p


def in_turn(p, x):
    def step(q, k):
        return Params(q.k * x[k], q.c * q.k), np.sum(q.c)

    total, q = 0.0, Params(p.k, p.c)
    for k in range(3):
        q, y = step(q, k)
        total += y * q.k
    return total


PROGRAMS = [
    (reads, params), (writes, params), (writes_in_place, params), (nested, net),
    (of_a_registered_class, lambda: Filter(0.3, X)), (frozen, lambda: Frozen(X)), (made, params),
    (made_by_others, params), (beside, params), (handed_on, params), (in_turn, params),
]  # fmt: skip


def numbers(value):
    return tree.ravel(value)[0]


def direction(value, seed):
    """A tree like `value` of random numbers."""
    flat, unravel = tree.ravel(value)
    return unravel(np.random.default_rng(seed).normal(size=flat.size))


def difference(fn, args, dots, h=1e-6):
    def at(t):
        moved = []
        for a, d in zip(args, dots, strict=True):
            flat, unravel = tree.ravel(a)
            moved.append(unravel(flat + t * numbers(d)))
        return numbers(fn(*copy.deepcopy(moved)))

    return (at(h) - at(-h)) / (2 * h)


@pytest.mark.parametrize(("fn", "make"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_the_law(fn, make):
    args = (make(), X)
    dots = tuple(direction(a, 1) for a in args)
    primal = copy.deepcopy(args)
    value = fn(*primal)

    given = copy.deepcopy(args)
    y, y_dot = ad.jvp(fn, given, dots)
    np.testing.assert_array_equal(numbers(y), numbers(value))
    np.testing.assert_array_equal(numbers(given), numbers(primal))
    np.testing.assert_allclose(numbers(y_dot), difference(fn, args, dots), rtol=1e-6, atol=1e-8)

    given = copy.deepcopy(args)
    y, pullback = ad.vjp(fn, *given)
    np.testing.assert_array_equal(numbers(y), numbers(value))
    np.testing.assert_array_equal(numbers(given), numbers(primal))
    assert type(y) is type(value)
    bar = direction(value, 2)
    found = pullback(bar)
    again = pullback(bar)
    np.testing.assert_array_equal(numbers(found), numbers(again))
    assert [type(f) for f in found] == [type(a) for a in args]
    np.testing.assert_allclose(
        numbers(found) @ numbers(dots), numbers(bar) @ numbers(y_dot), rtol=1e-9
    )


def test_gradients_have_the_form_of_the_argument():
    value, found = ad.value_and_grad(reads)(params(), X)
    assert value == reads(params(), X)
    assert type(found) is Params and found.name is None
    assert found.k == np.sum(X**3) ** 2
    both = ad.grad(reads, wrt=(0, "x"))(params(), X)
    assert type(both[0]) is Params and both[1].shape == X.shape
    assert type(ad.grad(frozen)(Frozen(X), X)) is Frozen
    assert ad.grad(of_a_registered_class)(Filter(0.3, X), X).order == 2


def test_none_stands_for_zero():
    _, pullback = ad.vjp(beside, params(), X)
    p, x = pullback((None, 1.0, None))
    assert p.k == pytest.approx(np.sum(X**3)) and x.shape == X.shape
    y, y_dot = ad.jvp(reads, (params(), X), (None, X))
    assert y_dot == pytest.approx(2.0 * y)


def test_jacobians_and_linear_functions():
    by_rows, by_columns = ad.jacrev(made)(params(), X), ad.jacfwd(made)(params(), X)
    np.testing.assert_allclose(numbers(by_rows), numbers(by_columns))
    np.testing.assert_allclose(by_rows.c.c, 1.5 * np.eye(3))
    y, along = ad.linearize(made, params(), X)
    dot = direction(params(), 3)
    np.testing.assert_allclose(numbers(along(dot, None)),
                               numbers(ad.jvp(made, (params(), X), (dot, None))[1]))  # fmt: skip
    assert type(y) is Params


def test_objects_beside_the_value():
    def loss(x):
        return np.sum(x * x), Params(x[0], x)

    found, aux = ad.grad(loss, has_aux=True)(X)
    np.testing.assert_allclose(found, 2.0 * X)
    assert type(aux) is Params


def code(error):
    return error.value.diagnostics[0].code


def test_what_is_refused():
    with pytest.raises(ad.InputError) as error:
        ad.grad(lambda p: np.sum(p.held))(Plain(X))
    assert code(error) == "AD402" and "tree.register" in str(error.value)
    with pytest.raises(ad.InputError) as error:
        ad.vjp(made, params(), X)[1](1.0)
    assert code(error) == "AD405"
    with pytest.raises(ad.InputError) as error:
        ad.vjp(lambda x: Plain(x), X)[1](Plain(X))
    assert code(error) == "AD405"
    with pytest.raises(ad.InputError) as error:
        ad.jvp(lambda x: (Plain(x), 1.0), (X,), (X,))
    assert code(error) == "AD405"
    with pytest.raises(ad.MutationError):  # it would be two objects
        shared = params()
        ad.grad(nested)(Net(shared, shared), X)


def _pair(x):
    p = Params(x[0], x)
    return Net(p, p)


def _two(x):
    p = Params(x[0], x)
    return p, p


@pytest.mark.recorded
def test_an_object_that_callers_reach_in_two_ways_is_one():
    def by_attribute(x):
        n = _pair(x)
        n.first.k = x[1] * 3.0
        return n.second.k * x[2]

    def by_item(x):
        a, b = _two(x)
        a.k = x[1] * 3.0
        return b.k * x[2]

    def later(x):
        total = 0.0
        for k in range(3):
            if k > 0:
                before = p  # noqa: F821  # from the turn before
            n = Net(Params(x[0] * (k + 1.0), x), Params(x[1], x))
            p = n.first  # noqa: F841
            if k > 0:
                total += before.k * x[1] ** k
        return total

    for fn in (by_attribute, by_item, later):
        check_grads(fn, (X,))
