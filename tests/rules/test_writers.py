"""The expansions of writers do what the writers do, bit for bit."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans import runtime
from adtrans.analyses.kinds import kind_of_value
from adtrans.ir import expr as E
from adtrans.rules import lookup
from adtrans.testing import check_grads

from .evaluate import evaluate, names_of, read

CALLS = [
    "np.copyto(a, v)", "np.copyto(m, v)", "np.copyto(m, v, where=mask)",
    "np.copyto(a, 2.0, where=mask)",
    "np.putmask(a, mask, b3)", "np.putmask(m, big, v)", "np.place(a, mask, b3)",
    "np.place(m, big, b3)",
    "np.put(a, i, b3)", "np.put(m, [0, 5, -1], v)", "a.put([1, 2], 5.0)",
    "np.fill_diagonal(m, 3.0)", "np.fill_diagonal(m, b3[:2])", "np.fill_diagonal(m, b3)",
    "np.put_along_axis(m, ij, 7.0, 1)",
    "np.put_along_axis(m, ij, m2, axis=1)", "np.put_along_axis(m, row, 1.0, axis=0)",
    "a.fill(2.5)", "m.fill(s)", "a.sort()", "m.sort(0)", "m.sort(axis=1, kind='stable')",
    "a.partition(2)", "m.partition(1, axis=0)",
    "np.exp(v, out=a)", "np.add(v, w, a)", "np.multiply(m2, v, out=m)", "np.divide(a, w, out=a)",
    "np.sqrt(p, out=a, where=mask)",
    "np.divide(v, w, out=a, where=mask)", "np.multiply(m2, 2.0, out=m, where=mask)",
    "np.maximum(v, 0.0, out=(a,))",
    "np.sum(m2, axis=0, out=a)", "np.floor(v, out=a)", "np.clip(v, -0.5, 0.5, out=a)",
    "np.matmul(m2, q, out=m)", "np.dot(m2, q, out=m)",
    "np.multiply.at(a, i, b3)", "np.divide.at(m, (i, i), p[:3])", "np.maximum.at(a, i, b3)",
    "np.minimum.at(m, i, p)", "np.multiply.at(a, mask, 3.0)",
    "a.sort(stable=True)", "np.put(a, [1, 9, -9], b3, mode='clip')",
    "a.put([1, 9], 2.0, mode='wrap')",
    "np.copyto(a, v, casting='unsafe')", "np.nan_to_num(a, copy=False)",
    "np.fill_diagonal(tall, b3, wrap=True)", "np.fill_diagonal(cube, b3)",
    "np.power.at(a, [2, 0], 2.0)", "np.exp.at(m, mask[:3])", "np.hypot.at(m, 1, v)",
    "np.sin.at(a, i)", "np.power.at(a, i, 2.0)", "np.arctan2.at(m, (i, [1, 1, 1]), b3)",
    "np.logaddexp.at(m, [0, 0], v)", "np.cos.at(a, [])",
    "np.less(v, w, out=flags)", "np.cumsum(v, out=a)", "np.concatenate([b3, one], out=a)",
]  # fmt: skip


def pool() -> dict[str, Any]:
    rng = np.random.default_rng(11)
    return {
        "a": rng.normal(size=4), "v": rng.normal(size=4), "w": rng.normal(size=4),
        "p": rng.uniform(1, 2, 4),
        "m": rng.normal(size=(3, 4)), "m2": rng.normal(size=(3, 4)), "q": rng.normal(size=(4, 4)),
        "b3": rng.normal(size=3), "one": np.array([1.5]),
        "mask": np.array([True, False, True, True]), "s": 0.25,
        "i": np.array([2, 0, 2]), "ij": np.array([[0, 1, 1, 3], [1, 0, 2, 2], [3, 3, 0, 1]]),
        "row": np.array([[0, 2, 1, 1]]), "big": rng.normal(size=(3, 4)) > 0,
        "flags": np.zeros(4, bool), "tall": rng.normal(size=(7, 2)),
        "cube": rng.normal(size=(3, 3, 3)),
    }  # fmt: skip


@pytest.mark.parametrize("text", CALLS)
def test_expansion_writes_the_same(text: str) -> None:
    names = names_of(text)
    use = read(text, frozenset(names))
    assert use is not None
    given = pool()
    kinds = {k: kind_of_value(evaluate(e, given)) for k, e in use.bound.items()}
    expansion = use.rule.expand(use.bound, kinds)
    assert expansion is not None
    expected = {n: copy.deepcopy(pool()[n]) for n in names}
    result = evaluate(use.expr, expected)
    got = {n: copy.deepcopy(pool()[n]) for n in names}
    scope: dict[str, Any] = {"np": np, **{k: evaluate(e, got) for k, e in use.bound.items()}}
    scope |= {n: getattr(runtime, n) for n in runtime.names() if hasattr(runtime, n)}
    exec(expansion.source, scope)
    for n in names:
        np.testing.assert_array_equal(got[n], expected[n], err_msg=n)
    if result is not None:
        assert expansion.result is not None
        assert scope[expansion.result] is evaluate(use.bound[expansion.result], got)


def test_where_without_out_is_refused() -> None:
    rule = lookup(np.exp)
    assert rule is not None
    bound = rule.bind((E.Name("x"),), {"where": E.Name("m")})
    assert bound is not None
    assert rule.refusal(bound, {}) is not None
    assert rule.pullback("x", bound, {}) == ()


def test_scatter_of_bound_methods() -> None:
    rule, minus = lookup(np.add.at), lookup(np.subtract.at)
    assert rule is not None and minus is not None
    assert (rule.scatter, minus.scatter, rule.writes) == ("+", "-", ("a",))
    assert lookup(np.multiply.at) is not lookup(np.add.at)


@pytest.mark.parametrize("store", [
    lambda u, x: np.put(u, [0], []), lambda u, x: np.putmask(u, u > 0.0, np.zeros(0)),
    lambda u, x: u.put([0, 1], []), lambda u, x: np.put(u, [0, 9], x[:0], mode="clip"),
    lambda u, x: np.putmask(u, u > 100.0, x[:0]), lambda u, x: np.putmask(u, u > 0.3, x[:0]),
    lambda u, x: np.put(u, [], 2.0), lambda u, x: np.put(u, [], x), lambda u, x: u.put((), x[0]),
    lambda u, x: np.put(u, [], x[:0], mode="wrap"),
])  # fmt: skip
def test_storing_nothing_leaves_the_array(store) -> None:
    def f(x):
        u = x * x
        store(u, x)
        return np.sum(u * x)

    x = np.array([0.5, 0.8, 1.1])
    check_grads(f, (x,), on_overwrite="save")
    np.testing.assert_allclose(ad.grad(f, on_overwrite="save")(x), 3 * x * x)
    np.testing.assert_allclose(ad.jacfwd(f)(x), 3 * x * x)


def test_nothing_by_flat_position_is_an_error() -> None:
    def f(x):
        u = x * x
        u.flat[[0, 1]] = x[:0]
        return np.sum(u * x)

    with pytest.raises(ad.MutationError, match="no values to store"):
        ad.grad(f)(np.ones(3))


def test_places_of_put_are_whole_numbers() -> None:
    """Truth values mean the places 0 and 1 to it, and numbers with a fraction none."""

    def f(x, places):
        u = x * x
        np.put(u, places, x[1:3])
        np.put(u, x > 0.7, x[0], mode="wrap")
        return np.sum(u * x)

    x = np.array([0.5, 0.8, 1.1, 0.3])
    for places in (np.array([False, True, True, False]), [True, False], [3, 2], (2, -1)):
        found = ad.value_and_grad(f, on_overwrite="save")(x, places)
        assert found[0] == f(x, places)
        check_grads(lambda x, p=places: f(x, p), (x,), on_overwrite="save")
    for wrong in (np.array([1.5]), np.zeros(0)):
        with pytest.raises(TypeError):
            f(x, wrong)
        with pytest.raises(TypeError):
            ad.grad(f, on_overwrite="save")(x, wrong)


def test_values_that_come_to_be_none_at_all() -> None:
    def f(x):
        u = x * x
        for k in range(3):
            np.put(u, list(range(k)), x[::-1] * x[k])
            np.putmask(u, u > 0.2 * k, x[:k])
        return np.sum(u * x)

    x = np.array([0.5, 0.83, 1.1, 0.3])
    check_grads(f, (x,), on_overwrite="save")
    assert ad.value_and_grad(f, on_overwrite="save")(x)[0] == f(x)


def test_values_are_read_before_any_is_written() -> None:
    def f(x):
        u = x * x
        np.put(u, [0, 1, 2, 3], u[::-1])
        np.putmask(u, u > 2.0, u[::-1])
        return np.sum(u * x * x)

    x = np.array([0.3, 1.2, 0.8, 2.0])
    check_grads(f, (x,), on_overwrite="save")
    assert ad.value_and_grad(f, on_overwrite="save")(x)[0] == f(x)
