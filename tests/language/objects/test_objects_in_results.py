"""Results that are objects which hold lists and dictionaries, and containers of objects."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans import tree

X = np.array([0.6, 0.9, 1.3])


@dataclass
class Part:
    a: object
    w: object = None


@dataclass(frozen=True)
class Frozen:
    a: object
    w: object = None


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


tree.register(Pair, lambda p: (p.a, p.b), lambda p, parts: Pair(*parts))


def a_list(x):
    return Part([x * x], x[0])


def numbers_in_a_list(x):
    return Part([x[0] ** 2, x[1]], 1.0)


def nested_lists(x):
    return Part([[x[0] ** 2], [x[1], x * x]], x[0])


def a_dictionary(x):
    return Part({"k": x[0] ** 2, "l": [x]}, x[0])


def a_tuple(x):
    return Frozen((x[0] ** 2, [x]), 3)


def registered(x):
    return Pair([x[0] ** 2, x], {"z": x * 2.0})


def written_afterwards(x):
    y = x * x
    d = Part([y], 1.0)
    y[0] = x[1] * 3.0
    return d


def written_in_it(x):
    d = Part([x * x], 1.0)
    d.a[0][1] = x[0] ** 3
    d.a[0] *= 2.0
    return d


def grown(x):
    d = Part([x * 2.0], 1.0)
    for v in x:
        d.a.append(v * v)
    return d


def comprehended(x):
    return Part([v * v for v in x], x[0])


def by_a_callee(x):
    return a_list(x * 2.0)


def one_list_twice(x):
    held = [x * x]
    return Part(held, held)


def nothing_in_it(x):
    return Part([], x)


def a_list_of_objects(x):
    return [Part(x * x), Frozen(x[0], x)]


def objects_by_name(x):
    return {"a": Part(x * x), "b": Pair(x[0], 2.0)}


def beside_others(x):
    return x * 2.0, [Part(x * x)], {"k": Pair(x[0], 2.0)}


def objects_and_numbers(x):
    return [Part(x * x), x * 2.0, "text", 3]


def objects_in_an_object(x):
    return Part([Part(x * x), Part(x[0])], 2.0)


def an_argument(p):
    p.a[0] = p.a[0] * p.w
    return p


def numbers(value):
    return np.concatenate([np.ravel(v) for v in tree.leaves(value) if tree.carries(v)])


PROGRAMS = [
    a_list, numbers_in_a_list, nested_lists, a_dictionary, a_tuple, registered, written_afterwards,
    written_in_it, grown, comprehended, by_a_callee, one_list_twice, nothing_in_it,
    a_list_of_objects, objects_by_name, beside_others, objects_and_numbers, objects_in_an_object,
]  # fmt: skip


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.recorded
def test_the_law(f, how):
    check(f, X, how)


def the_same(p):
    return p


def all_changed(ps):
    for p in ps:
        p.a = p.a**2
    return ps


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (an_argument, Part([1.5, 2.0], 3.0)),
        (the_same, Part(Part(1.5, 2.0), Part(X, None))),
        (lambda p: p.w, Part(Part(1.5, 2.0), Part(X, None))),
        (the_same, [Part(1.5, 2.0), Part(X, None)]),
        (all_changed, [Part(1.5, 2.0), Part(X, None)]),
    ],
)
@pytest.mark.recorded
def test_an_argument_that_is_returned(f, x):
    check(f, x, "refuse")


def check(f, x, how):
    options = {"on_overwrite": how}
    flat, unravel = tree.ravel(x)
    value = f(copy.deepcopy(x))
    columns = []
    for e in 1e-6 * np.eye(flat.size):
        columns.append((numbers(f(unravel(flat + e))) - numbers(f(unravel(flat - e)))) / 2e-6)
    table = np.stack(columns, axis=1)
    step, weight = np.arange(1.0, flat.size + 1), np.arange(2.0, numbers(value).size + 2)
    bar = tree.map(lambda v: v if tree.carries(v) else None, tree.ravel(value)[1](weight))

    y, y_dot = ad.jvp(f, (copy.deepcopy(x),), (unravel(step),), **options)
    np.testing.assert_array_equal(numbers(y), numbers(value))
    assert type(y) is type(value) and type(y_dot) is type(value)
    np.testing.assert_allclose(numbers(y_dot), table @ step, rtol=1e-6, atol=1e-8)
    y, pullback = ad.vjp(f, copy.deepcopy(x), **options)
    np.testing.assert_array_equal(numbers(y), numbers(value))
    for _ in range(2):
        found = numbers(pullback(bar))
        np.testing.assert_allclose(found, weight @ table, rtol=1e-6, atol=1e-8)
    for mode in (ad.jacfwd, ad.jacrev):
        parts = tree.leaves(mode(f, **options)(copy.deepcopy(x)))
        blocks = [p for p in parts if p is not None]
        assert sum(map(np.size, blocks)) == table.size
        assert sum(map(np.sum, blocks)) == pytest.approx(table.sum(), rel=1e-6)
        if isinstance(x, np.ndarray):
            rows = [p.reshape(-1, flat.size) for p in blocks]
            np.testing.assert_allclose(np.concatenate(rows), table, rtol=1e-6, atol=1e-8)
    y, along = ad.linearize(f, copy.deepcopy(x), **options)
    np.testing.assert_allclose(numbers(along(unravel(step))), table @ step, rtol=1e-6, atol=1e-8)


def test_cotangents_have_the_form_of_the_result():
    _, pullback = ad.vjp(lambda x: Part(1.0, [x * x]), X)
    np.testing.assert_allclose(pullback(Part(1.0, [X]))[0], 2.0 * X * X)
    np.testing.assert_allclose(pullback(Part(None, None))[0], 0.0 * X)
    for wrong in (Part(1.0, []), Part(1.0, [X[:2]]), [X], Part(1.0, {"k": X})):
        with pytest.raises(ad.InputError, match="AD405"):
            pullback(wrong)


@pytest.mark.recorded
def test_objects_beside_a_value():
    def f(x):
        return np.sum(x * x), [Part([x])]

    gradient, aux = ad.grad(f, has_aux=True)(X)
    np.testing.assert_allclose(gradient, 2.0 * X)
    np.testing.assert_array_equal(aux[0].a[0], X)


def test_objects_in_a_list_that_grows_are_refused():
    def f(x):
        return [Part(v * v) for v in x]

    for take in (lambda: ad.jvp(f, (X,), (X,)), lambda: ad.vjp(f, X)[1](f(X))):
        with pytest.raises((ad.CompileError, ad.InputError)) as error:
            take()
        assert error.value.diagnostics[0].code in ("AD201", "AD405")


def _one(x):
    return ([Part(x * x)],)


def _two(x):
    return Part(x * x), x


def _used(p, q=1.0):
    return (p[0] if isinstance(p, list) else p).a * q


@pytest.mark.parametrize("made", [_one, _two])
def test_objects_that_are_handed_on_with_a_star(made):
    """They get to a function in a way that is not followed."""

    def f(x):
        return _used(*made(x))

    expected = (f(3.0 + 1e-6) - f(3.0 - 1e-6)) / 2e-6
    for take in (lambda: ad.grad(f)(3.0), lambda: ad.jvp(f, (3.0,), (1.0,))[1]):
        try:
            found = take()
        except ad.CompileError as error:
            assert error.diagnostics[0].code == "AD201"
        else:
            assert found == pytest.approx(expected)
