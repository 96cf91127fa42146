"""Varied forwards, useful backwards, active in both directions; objects link names."""

from __future__ import annotations

import numpy as np

from tests.analyses.found import facts_of

X = np.array([1.0, 2.0, 3.0])


def mixed(x, w):
    a = np.sin(x)
    b = np.cos(w)
    c = a * b
    d = x * x
    n = len(d)
    return np.sum(c) * n


def test_varied_and_useful() -> None:
    act = facts_of(mixed, X, X).activity
    assert act.active("a") and act.active("c") and act.active("x")
    assert not act.active("b") and not act.active("w"), "only `x` was asked for"
    assert "d" in act.varied and "d" not in act.useful, "nothing but its length is used"
    assert not act.active("n"), "integers carry no derivative"


def test_what_is_asked_for_decides() -> None:
    act = facts_of(mixed, X, X, wrt="w").activity
    assert act.active("b") and not act.active("a")


def through_a_view(x):
    y = np.zeros(3)
    v = y[1:]
    v[0] = x[0]
    return np.sum(y)


def test_a_write_through_a_view_reaches_the_array() -> None:
    facts = facts_of(through_a_view, X)
    assert facts.activity.active("y") and facts.activity.active("v")
    assert facts.memory.objects("y") <= facts.activity.varied_objects


def stopped(x):
    y = np.floor(x)
    order = np.argsort(x)
    return np.sum(y[order] * x)


def test_what_has_no_derivative_stops_it() -> None:
    act = facts_of(stopped, X).activity
    assert not act.active("y") and not act.active("order") and act.active("x")


def constant_argument(a, b):
    return a * b


def calls(x, w):
    return np.sum(constant_argument(x, w)) + np.sum(constant_argument(w, w))


def test_a_callee_is_asked_for_the_active_arguments_only() -> None:
    facts = facts_of(calls, X, X)
    assert sorted(sorted(u.summary.wrt) for u in facts.units.values()) == [[], ["a"]]
