"""Compiling comes to an end, by a count of steps, and an interrupt shows the user's line."""

from __future__ import annotations

import sys
import traceback

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.dispatch import at_work
from adtrans.dispatch.dispatcher import Dispatcher
from adtrans.ir import effort


def inner(v, k):
    return np.sin(v) * k


def chosen(x):
    y = inner(x, 2.0)
    for i in range(3):
        y = y + inner(y, float(i))
    return np.sum(y)


USES = {
    "grad": lambda f, x: ad.grad(f)(x),
    "vjp": lambda f, x: ad.vjp(f, x),
    "jvp": lambda f, x: ad.jvp(f, (x,), (x,)),
    "hessian": lambda f, x: ad.hessian(f)(x),
    "hvp": lambda f, x: ad.hvp(f, (x,), (x,)),
}


@pytest.mark.parametrize("use", USES)
def test_past_the_bound_it_is_refused_and_nothing_is_left(monkeypatch, use):
    def f(x):
        return chosen(x)

    x = np.array([0.3, 0.7])
    with monkeypatch.context() as little:
        little.setattr(at_work, "STEPS", 300)
        told = set()
        for _ in range(2):
            with pytest.raises(CompileError, match="takes too long to compile") as refused:
                USES[use](f, x)
            assert [d.code for d in refused.value.diagnostics] == ["AD208"]
            told.add(str(refused.value))
        assert len(told) == 1 and "was spent on `" in told.pop()
    assert effort.bound() is None
    USES[use](f, x)  # as if nothing had been
    h = 1e-6
    for k, g in enumerate(ad.grad(f)(x)):
        d = np.eye(2)[k] * h
        assert abs(g - (f(x + d) - f(x - d)) / (2 * h)) < 1e-6


def test_a_long_chain_of_calls(tmp_path, monkeypatch):
    lines = ["def f0(x): return x * x"]
    lines += [f"def f{k}(x): return f{k - 1}(x) + 1.0" for k in range(1, 500)]
    (tmp_path / "chain_of_calls.py").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    import chain_of_calls  # type: ignore[import-not-found]

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    assert ad.grad(chain_of_calls.f199)(1.5) == 3.0
    with pytest.raises(CompileError, match="AD208"):
        ad.grad(chain_of_calls.f499)(1.0)
    assert sys.getrecursionlimit() == 1000
    sys.setrecursionlimit(limit)


def test_an_interrupt_shows_the_line_of_the_user(monkeypatch):
    def stopped(*args, deep=40, **kwargs):
        if deep:
            stopped(deep=deep - 1)
        raise KeyboardInterrupt

    monkeypatch.setattr("adtrans.pipeline._compiled", stopped)

    def f(x):
        return x * x * x

    with pytest.raises(KeyboardInterrupt, match="compiling `f`") as caught:
        ad.grad(f)(2.0)
    shown = traceback.extract_tb(caught.value.__traceback__)
    assert len(shown) < 12 and any("ad.grad(f)(2.0)" in (e.line or "") for e in shown)
    monkeypatch.undo()
    assert ad.grad(f)(2.0) == 12.0


@pytest.mark.parametrize("level", [0, 50])
def test_who_waits_is_told(monkeypatch, capsys, level):
    monkeypatch.setattr(at_work, "_SILENT", 0.0)
    monkeypatch.setattr(at_work.log, "hasHandlers", lambda: False)
    monkeypatch.setattr(at_work.log, "isEnabledFor", lambda asked: asked >= level)

    def slow(x):
        return x * x

    ad.grad(slow)(1.0)
    said = [line for line in capsys.readouterr().err.splitlines() if "slow" in line]
    assert len(said) == (level == 0) and all(s.startswith("adtrans: compiling `") for s in said)


def test_the_bound_grows_with_the_code_that_is_gone_through():
    code = test_who_waits_is_told.__code__
    many = 2 * len(code.co_code)
    with effort.at_most(10, each=2.0, more=many + 5) as left:
        with effort.spent_on(code):
            assert left.left == 10 + many
        with effort.spent_on(code):
            assert left.left == 10 + many  # it is met once
        with effort.spent_on(effort.spend.__code__):
            assert left.left == 10 + many + 5


def test_what_takes_too_long_in_one_direction_is_recorded_at_once_in_the_other(monkeypatch):
    def f(x):
        return chosen(x)

    asked = []
    compiled = Dispatcher.version
    monkeypatch.setattr(at_work, "STEPS", 300)
    monkeypatch.setattr(
        Dispatcher, "version", lambda self, v: asked.append(self.mode) or compiled(self, v)
    )
    x = np.array([0.3, 0.7])
    _, pullback = ad.vjp(f, x, on_unfollowed="record")
    (found,) = pullback(1.0)
    assert ad.jvp(f, (x,), (x,), on_unfollowed="record")[1] == pytest.approx(found @ x)
    d = ad.differentiable(f, on_unfollowed="record")
    assert np.array_equal(d.grad(x), found)
    assert asked == ["pullback"]
    assert "takes too long to compile" in str(d.report())
    with pytest.raises(CompileError, match="takes too long to compile"):
        ad.jvp(f, (x,), (x,), on_unfollowed="refuse")
