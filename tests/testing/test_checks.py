"""`check_grads` accepts a right derivative and finds each kind of wrong one."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from adtrans.testing import GradientMismatch, check_grads, finite_difference_jvp
from adtrans.testing.value_trees import leaves, rebuild


def square_sum(x, w):
    print("called")
    x[0] = 2.0 * x[0]
    return np.sum(x * x) * w


def right_vjp(f, x, w, *, wrt, **options):
    assert wrt == (0, 1)
    value = f(x, w)
    scale = np.ones_like(x)
    scale[0] = 2.0
    kept = x.copy()

    def pullback(y_bar, final=None):
        x_bar = 2.0 * kept * w * y_bar
        if final is not None:
            x_bar = x_bar + final["x"]
        return x_bar * scale, y_bar * np.sum(kept * kept)

    return value, pullback


def right_jvp(f, primals, tangents, *, wrt, **options):
    x, w = primals
    x_dot, w_dot = tangents
    value = f(x, w)
    x_dot = x_dot * np.array([2.0, 1.0, 1.0])
    return value, 2.0 * np.sum(x * x_dot) * w + np.sum(x * x) * w_dot


@pytest.fixture
def api(monkeypatch):
    fake = SimpleNamespace(vjp=right_vjp, jvp=right_jvp)
    monkeypatch.setitem(sys.modules, "adtrans.api.differentiable", fake)
    return fake


ARGS = (np.array([0.5, 1.5, 2.0]), 0.7)


def check(**options):
    check_grads(square_sum, ARGS, wrt=("x", "w"), **options)


def test_accepts_what_is_right(api):
    check()
    check(final=("x",))
    assert ARGS[0][0] == 0.5, "the arguments themselves are left alone"


def altered_vjp(change):
    def vjp(f, x, w, **options):
        value, pullback = right_vjp(f, x, w, **options)
        return change(value, pullback, x)

    return vjp


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v, p, x: (v + 1e-15, p), "the value"),
        (lambda v, p, x: (float(v), p), "of type float"),
        (lambda v, p, x: (v, lambda b: (p(b)[0] + [0, 1e-3, 0], p(b)[1])), r"by `x`.*\[1\]"),
        (lambda v, p, x: (v, lambda b: (p(b)[0], -p(b)[1])), "by `w`"),
        (lambda v, p, x: (v, lambda b: (p(b)[0][:2], p(b)[1])), "shape"),
        (lambda v, p, x: (v, lambda b: (p(b)[0].astype(np.float32), p(b)[1])), "float32"),
        (lambda v, p, x: (v, lambda b: (None, p(b)[1])), "by `x`"),
        (lambda v, p, x: (v, lambda b: (x.__setitem__(0, 9.0), p(b))[1]), "arguments"),
        (lambda v, p, x: (x.__setitem__(1, 9.0), (v, p))[1], "`x` after `vjp`"),
        (lambda v, p, x: (print("again"), (v, p))[1], "printed"),
    ],
)
def test_finds_a_wrong_vjp(api, change, message):
    api.vjp = altered_vjp(change)
    with pytest.raises(GradientMismatch, match=message):
        check()


def test_finds_a_pullback_that_consumes(api):
    def change(value, pullback, x):
        calls = []
        return value, lambda b: (calls.append(1), tuple(g * len(calls) for g in pullback(b)))[1]

    api.vjp = altered_vjp(change)
    with pytest.raises(GradientMismatch, match="second call"):
        check()


def test_finds_a_wrong_jvp(api):
    def jvp(*args, **options):
        value, tangent = right_jvp(*args, **options)
        return value, 1.001 * tangent

    api.jvp = jvp
    with pytest.raises(GradientMismatch, match="tangent of the result"):
        check()


def test_reverse_only_does_not_need_jvp(api):
    api.jvp = None
    check(modes=("reverse",))


def test_nonsense_is_refused(api):
    with pytest.raises(ValueError, match="no parameter `z`"):
        check_grads(square_sum, ARGS, wrt="z")
    with pytest.raises(ValueError, match="modes"):
        check(modes=("sideways",))


def test_an_argument_given_twice_stays_one_array():
    x = np.array([1.0, 2.0])
    f = lambda a, b: np.sum(a * b)  # noqa: E731
    assert finite_difference_jvp(f, (x, x), (np.ones(2),)) == pytest.approx(6.0)
    assert x.tolist() == [1.0, 2.0]


def test_trees_round_trip():
    value = {"a": [1.0, (2.0, np.arange(2.0))], "b": None}
    assert [p for p, _ in leaves(value)] == ["['a'][0]", "['a'][1][0]", "['a'][1][1]", "['b']"]
    same = rebuild(value, lambda path, leaf: leaf)
    assert same["a"][1][1] is value["a"][1][1] and same == value
