"""Objects in lists, tuples and dictionaries that are arguments: each part has its gradient."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans import tree
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


@dataclass
class Part:
    a: object
    w: object = None


@dataclass(frozen=True)
class Frozen:
    a: float
    w: object = None


@dataclass
class Other(Part):
    name: str = "other"


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


tree.register(Pair, lambda p: (p.a, p.b), lambda p, parts: Pair(*parts))


class Plain:
    def __init__(self, a):
        self.a = a


def parts():
    return [Part(1.5, X.copy()), Part(2.0, 2.0 * X)]


def by_index(p):
    return p[0].a ** 2 * np.sum(p[1].w ** 2) * p[-1].a


def by_key(p):
    return p["k"].a ** 2 * np.sum(p["k"].w ** 2) * p["b.c"].a


def in_a_tuple(p):
    return p[0].a ** 2 * p[1] ** 2


def beside_numbers(p):
    return p["d"].a ** 2 * p["x"] * np.sum(p["y"]) * p["n"]


def looped(ps):
    s = 0.0
    for p in ps:
        s += p.a**2 * np.sum(p.w)
    return s * ps[0].a


def looked_up(ps):
    s = 0.0
    for name, p in ps.items():
        s += p.a**2 * np.sum(p.w) * len(name)
    return s


def nested(p):
    return p["a"][0].a ** 3 * p["a"][1].w.a * p["c"]


def held(d):
    return d.a[0].a ** 2 * d.w["k"].a * d.a[1].a


def registered(p):
    return p[0].a ** 3 * p[1].b


def writes(ps):
    for p in ps:
        p.w[0] = p.a * 2
        p.w *= 0.5
    return np.sum(ps[0].w) * ps[1].w[0]


def assigns(ps):
    ps[0].a = ps[0].a * ps[1].a
    return ps[0].a ** 2


def replaces(ps):
    ps[0] = Part(ps[0].a * ps[1].a, ps[1].w)
    return ps[0].a ** 2 * np.sum(ps[0].w)


def copied(p):
    q = copy.deepcopy(p)
    q[0].w[0] = p[1].a
    return q[0].a ** 2 * np.sum(q[0].w * p[0].w)


def copied_whole(d):
    q = copy.deepcopy(d)
    q.a.a = q.a.a * d.w
    return q.a.a**2 * d.a.a


PROGRAMS = [
    (copied, parts),
    (copied_whole, lambda: Part(Part(1.5), 2.0)),
    (by_index, parts),
    (by_key, lambda: {"b.c": Frozen(3.0), "k": Part(1.5, X)}),
    (in_a_tuple, lambda: (Part(1.5, X), 2.0)),
    (in_a_tuple, lambda: (Frozen(1.5), np.float64(2.0))),
    (beside_numbers, lambda: {"d": Part(1.5), "x": 2.0, "y": X, "n": 3, "s": None}),
    (looped, parts),
    (looped, lambda: tuple(parts())),
    (looped, lambda: [Other(1.5, X), Part(2.0, 2.0 * X)]),
    (looped, lambda: [Frozen(1.5, X), Frozen(2.0, X)]),
    (looked_up, lambda: {"one": Part(1.5, X), "second": Part(0.5, 2.0 * X)}),
    (nested, lambda: {"a": [Part(1.5), Part(1.0, Part(2.0))], "c": 3.0}),
    (held, lambda: Part([Part(1.5), Part(2.5)], {"k": Frozen(2.0)})),
    (registered, lambda: [Pair(1.5, 2.0), Pair(1.0, 3.0)]),
    (writes, parts),
    (assigns, parts),
]  # fmt: skip


def numbers(value):
    """The numbers of a tree, in one vector."""
    return tree.ravel(value)[0]


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize(("f", "make"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_the_law(f, make, how):
    options = {"on_overwrite": how}
    flat, unravel = tree.ravel(make())
    step = np.random.default_rng(0).normal(size=flat.size)

    def at(v):
        return float(f(copy.deepcopy(unravel(v))))

    expected = np.array([(at(flat + e) - at(flat - e)) / 2e-6 for e in 1e-6 * np.eye(flat.size)])
    primal = make()
    value = f(primal)

    given = make()
    y, pullback = ad.vjp(f, given, **options)
    assert y == value
    np.testing.assert_array_equal(numbers(given), numbers(primal))
    for _ in range(2):
        (found,) = pullback(1.0)
        assert type(found) is type(given)
        np.testing.assert_allclose(numbers(found), expected, rtol=1e-6, atol=1e-8)

    given = make()
    np.testing.assert_allclose(numbers(ad.grad(f, **options)(given)), expected, 1e-6, 1e-8)
    np.testing.assert_array_equal(numbers(given), numbers(primal))
    given = make()
    y, y_dot = ad.jvp(f, (given,), (unravel(step),), **options)
    np.testing.assert_array_equal(numbers(given), numbers(primal))
    assert y == value and y_dot == pytest.approx(expected @ step, rel=1e-6)
    for mode in (ad.jacfwd, ad.jacrev):
        np.testing.assert_allclose(numbers(mode(f, **options)(make())), expected, 1e-6, 1e-8)
    y, along = ad.linearize(f, make(), **options)
    assert along(unravel(step)) == pytest.approx(expected @ step, rel=1e-6)


@pytest.mark.parametrize(
    ("f", "make"), [p for p in PROGRAMS if p[0] not in (writes, assigns, copied, copied_whole)],
    ids=lambda p: getattr(p, "__name__", ""),
)  # fmt: skip
@pytest.mark.recorded
def test_second_derivatives(f, make):
    flat, unravel = tree.ravel(make())
    step = np.random.default_rng(0).normal(size=flat.size)
    gradient = ad.grad(f)
    up, down = (numbers(gradient(unravel(flat + h * step))) for h in (1e-6, -1e-6))
    expected = (up - down) / 2e-6
    found = ad.hvp(f, (make(),), (unravel(step),))
    np.testing.assert_allclose(numbers(found), expected, rtol=1e-5, atol=1e-6)
    table = numbers(ad.hessian(f)(make())).reshape(flat.size, -1)
    assert table.shape == (flat.size, flat.size)


@pytest.mark.recorded
def test_all_arguments_in_one_tuple():
    def f(*ps):
        return ps[0].a * ps[1].a ** 2

    assert ad.grad(f)(Part(1.5), Part(2.0)) == Part(4.0)
    found = ad.grad(f, wrt=(0, 1))(Part(1.5), Part(2.0))
    assert found == (Part(4.0), Part(6.0))
    check_grads(lambda x: f(Part(x), Part(x)), (1.5,), modes=("reverse", "forward"))


@pytest.mark.recorded
def test_parts_by_name():
    assert ad.grad(by_key, wrt='p["k"].a')({"b.c": Part(3.0), "k": Part(1.5, X)}) == pytest.approx(
        9.0 * np.sum(X**2)
    )
    assert ad.grad(in_a_tuple, wrt=("p[0].a", "p[1]"))((Part(1.5), 2.0)) == (12.0, 9.0)
    for wrt in ("p[2].a", "p['k'].a", "p[0].b", "p[0", "p[f(x)]"):
        with pytest.raises(ad.InputError, match="AD403"):
            ad.grad(in_a_tuple, wrt=wrt)((Part(1.5), 2.0))


@pytest.mark.recorded
def test_buffers():
    _, pullback = ad.vjp(by_index, parts())
    (alone,) = pullback(1.0)
    buffer = [Part(None, np.ones(3)), Part(None, np.ones(3))]
    (found,) = pullback(1.0, into={"p": buffer})
    np.testing.assert_allclose(buffer[1].w, 1.0 + alone[1].w)
    np.testing.assert_allclose(numbers(found), numbers(alone) + [0, 1, 1, 1, 0, 1, 1, 1])


@pytest.mark.recorded
def test_what_has_no_parts_has_no_gradient():
    """The same in each container, and for what holds no numbers."""

    def f(p):
        return p[1] ** 2

    expected = None, 4.0
    assert ad.grad(f)((Plain(1.5), 2.0)) == expected
    assert ad.grad(lambda p: p["x"] ** 2)({"p": Plain(1.5), "x": 2.0}) == {"p": None, "x": 4.0}
    assert ad.grad(f)((Part("text", 3), 2.0)) == (Part(None), 4.0)
    assert ad.grad(f)(([Part(3.0), Plain(1.5)], 2.0)) == ([Part(0.0), None], 4.0)


def _many(ps):
    return sum(p.a for p in ps)


@pytest.mark.parametrize(
    ("f", "given"),
    [
        (replaces, parts()),
        (_many, [Part(1.5) for _ in range(40)]),
        (in_a_tuple, [Part(1.5), 2.0]),  # a list of objects and others
        (lambda p: p[2.5].a, {2.5: Part(1.5)}),
        (lambda p: p[0].a, [[[[[[[Part(1.5)]]]]]]]),
    ],
)
def test_what_cannot_be_followed_is_refused(f, given):
    with pytest.raises((ad.CompileError, ad.InputError)) as error:
        ad.grad(f)(given)
    assert error.value.diagnostics[0].code in ("AD402", "AD207", "AD201")


@pytest.mark.recorded
def test_one_object_in_two_places():
    p = Part(1.5, X.copy())
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(writes)([p, p])


def test_an_inner_gradient():
    def outer(x):
        found = ad.grad(lambda ps: ps[0].a ** 2 * ps[1].a)([Part(x), Part(2.0 * x)])
        return found[0].a

    with pytest.raises(ad.AdtransError):
        ad.grad(outer)(1.5)


def scaled_in_turn(ps):
    for p in ps:
        p.w = p.w.copy()
        p.w[0] *= p.a
    return sum(p.w[0] for p in ps)


@pytest.mark.recorded
def test_temporaries_of_each_turn_have_names_of_their_own():
    ps = [Part(0.5, np.array([0.6, 0.9])), Part(1.2, np.array([0.8, 1.3]))]
    check_grads(scaled_in_turn, (ps,))
    assert ad.vjp(scaled_in_turn, copy.deepcopy(ps))[0] == pytest.approx(1.26)


def test_a_whole_and_a_part_of_it():
    def f(p):
        return p.a**2

    wrt = ("p", "p.a")
    assert ad.jacfwd(f, wrt=wrt)(Part(3.0)) == ad.jacrev(f, wrt=wrt)(Part(3.0)) == (Part(6.0), 6.0)
    for run in (
        lambda: ad.jvp(f, (Part(3.0),), (Part(1.0), 1.0), wrt=wrt),
        lambda: ad.linearize(f, Part(3.0), wrt=wrt),
    ):
        with pytest.raises(ad.AdtransError, match="AD410"):
            run()
