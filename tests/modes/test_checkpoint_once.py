"""Functions under `checkpoint` that may not run twice.

Forward mode runs them once, and reverse mode refuses them before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
COUNT = 0
LOG: list[int] = []
TABLE = np.zeros(2)
KEPT = {"n": 0}
DRAWN = np.random.default_rng(0)


@ad.checkpoint
def counts(y):
    global COUNT
    COUNT += 1
    return y * y * COUNT


def plainly(y):
    print("once")
    return y * y


@ad.checkpoint
def prints(y):
    print("once")
    return y * y


@ad.checkpoint
def draws(y):
    return y * y * DRAWN.normal()


@ad.checkpoint
def appends(y):
    LOG.append(1)
    return y * y


@ad.checkpoint
def writes_a_table(y):
    TABLE[0] += 1.0
    return y * y * TABLE[0]


@ad.checkpoint
def writes_an_entry(y):
    KEPT["n"] += 1
    return y * y * KEPT["n"]


ALL = [prints, draws, appends]
OF_GLOBALS = [counts, writes_a_table, writes_an_entry]


def calls(c) -> list[Callable[..., Any]]:
    """A function that calls a checkpoint, and the checkpoint itself."""

    def inside(x):
        return c(x) * x

    return [inside, c]


@pytest.fixture
def state(capsys):
    """What the functions have done since the last time it was asked for; they begin anew."""

    def asked() -> tuple[object, ...]:
        global COUNT, DRAWN
        found = COUNT, [*LOG], TABLE.copy().tolist(), {**KEPT}, capsys.readouterr().out
        found += (DRAWN.normal(),)
        COUNT, DRAWN = 0, np.random.default_rng(0)
        LOG.clear()
        TABLE[:] = 0.0
        KEPT["n"] = 0
        return found

    asked()
    return asked


def pushed(f):
    return ad.jvp(f, (X.copy(),), (np.ones(3),))


@pytest.mark.parametrize("c", ALL)
def test_forward_mode_runs_it_once(c, state):
    for f in calls(c):
        value, before = f(X), state()
        found, dot = pushed(f)
        assert state() == before
        np.testing.assert_array_equal(found, value)
        degree = 2 if f is c else 3
        np.testing.assert_allclose(dot, degree * value / X)


@pytest.mark.recorded
@pytest.mark.parametrize("c", OF_GLOBALS)
def test_what_changes_globals_is_recorded_and_run_once(c, state):
    untouched = state()
    for f in calls(c):
        value, before = f(X), state()
        degree = 2 if f is c else 3
        found, dot = pushed(f)
        assert state() == before
        np.testing.assert_array_equal(found, value)
        np.testing.assert_allclose(dot, degree * value / X)
        found, pullback = ad.vjp(f, X.copy())
        assert state() == before
        np.testing.assert_allclose(pullback(np.ones(3))[0], degree * found / X)
        assert state() == untouched


@pytest.mark.parametrize("c", ALL)
def test_reverse_mode_refuses_it_before_anything_runs(c, state):
    untouched = state()
    for f in calls(c):
        for mode in (ad.vjp, ad.linearize, lambda g, x: ad.jacfwd(g)(x)):
            with pytest.raises(ad.CompileError, match="AD413"):
                mode(f, X.copy())
            assert state() == untouched


def test_inside_of_another_checkpoint(state, capsys):
    @ad.checkpoint
    def outer(y):
        return prints(y) * y

    pushed(outer)
    assert capsys.readouterr().out == "once\n"
    with pytest.raises(ad.CompileError, match="AD413"):
        ad.vjp(outer, X)
    assert capsys.readouterr().out == ""


def test_several_arguments_are_one_run(capsys):
    @ad.checkpoint
    def product(a, b):
        print("once")
        return a * b

    value, dot = ad.jvp(product, (X, 2.0), (np.ones(3), 1.0))
    assert capsys.readouterr().out == "once\n"
    np.testing.assert_allclose(dot, 2.0 + X)
    np.testing.assert_allclose(value, 2.0 * X)


@pytest.mark.recorded
def test_by_other_names(capsys):
    table = {"c": prints}

    def of_a_table(x):
        return table["c"](x)

    def made_here(x):
        return ad.checkpoint(plainly)(x)

    def mapped(x):
        return np.array([*map(prints, [x[0], x[1]])])

    for f, times in ((of_a_table, 1), (made_here, 1), (mapped, 2)):
        assert f(X) is not None
        assert capsys.readouterr().out == "once\n" * times
        np.testing.assert_allclose(pushed(f)[1], 2.0 * X[: None if times == 1 else 2])
        assert capsys.readouterr().out == "once\n" * times


def test_handed_to_another_function(capsys):
    def applied(g, x):
        return g(x) * x

    def f(x):
        return applied(prints, x)

    expected = f(X)
    capsys.readouterr()
    try:
        value, dot = pushed(f)
    except ad.CompileError as error:
        assert "AD413" in str(error)
        assert capsys.readouterr().out == ""
    else:
        assert capsys.readouterr().out == "once\n"
        np.testing.assert_allclose(value, expected)
        np.testing.assert_allclose(dot, 3.0 * X * X)


def test_a_result_that_nobody_uses(capsys):
    def f(x):
        prints(x)
        return x * x

    for mode in (lambda: f(X), lambda: pushed(f), lambda: ad.grad(lambda x: np.sum(f(x)))(X)):
        mode()
        assert capsys.readouterr().out == "once\n"


@ad.checkpoint
def doubles(y):
    y[0] *= 2.0
    return y * y


def test_arguments_that_it_writes():
    def f(x):
        y = x * 1.0
        z = doubles(y)
        return z * y

    x, w = X.copy(), np.ones(3)
    _, dot = ad.jvp(f, (x,), (w,))
    h = 1e-6
    np.testing.assert_allclose(dot, (f(X + h * w) - f(X - h * w)) / (2 * h), rtol=1e-7)
    np.testing.assert_array_equal(x, X)
    with pytest.raises(ad.CompileError, match="AD413"):
        ad.vjp(f, X.copy())


def test_exceptions_of_it_are_caught():
    @ad.checkpoint
    def steps(y):
        LOG.append(1)
        if y[0] > 0.5:
            raise ValueError("too large")
        return y * y

    def f(x):
        try:
            return steps(x)
        except ValueError:
            return 3.0 * x

    LOG.clear()
    np.testing.assert_allclose(pushed(f)[1], 3.0)
    assert LOG == [1]
    LOG.clear()


@ad.checkpoint
def slab(x, w, n=3):
    for _ in range(n):
        x = np.sin(x * w) + x
    return x


@pytest.mark.recorded
def test_the_tangent_of_what_may_run_twice():
    def along(x):
        return np.sum(ad.jvp(lambda v: slab(v, 0.7), (x,), (x * x,))[1])

    check_grads(along, (X.copy(),))


def test_forward_mode_of_what_may_run_twice():
    def f(x, w):
        return np.sum(slab(x, w) * slab(x[::-1], w, n=2))

    check_grads(f, (X.copy(), 0.7), order=2)


def noted(v):
    LOG.append(v)
    return v


@ad.checkpoint
def sorts_by_what_notes(y):
    return y * y * len(f"{sorted([3, 1, 2], key=noted)}")


@ad.checkpoint
def sorts_by_a_method(y):
    return y * y * len(f"{sorted([3, 1, 2], key=LOG.append)}")


@pytest.mark.parametrize("c", [sorts_by_what_notes, sorts_by_a_method])
def test_keys_that_do_something_are_called_once(c):
    with pytest.raises(CompileError, match="AD413"):
        ad.grad(lambda x: np.sum(c(x)))(np.ones(2))
