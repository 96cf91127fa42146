"""What is given up is told once, where it was given up, and nothing that follows from it."""

from __future__ import annotations

import inspect
import weakref

import numpy as np
import pytest
import scipy.linalg

import adtrans as ad
from adtrans.analyses.refused.lost_objects import merged
from adtrans.diagnostics.diagnostic import Diagnostic, Label
from adtrans.diagnostics.span import Span

X = np.array([0.7, -1.2, 0.4])
A = np.array([[2.0, 1.0, 0.3], [0.2, 3.0, 1.0], [0.1, -0.4, 1.5]])


class State:
    def __init__(self, x):
        self.u = x * 1.0
        self.v = x * 2.0

    def step(self, dt):
        self.u = self.u + dt * self.v
        self.v = self.v - dt * self.u

    def energy(self):
        return np.sum(self.u**2) + np.sum(self.v**2)


class Pair:
    def __init__(self, x):
        self.one, self.two = State(x), State(2.0 * x)


def scaled(a, k):
    a = a * k
    a *= 2.0
    return a.sum()




def in_a_set(x):
    s = State(x)
    seen = {s}
    for _ in range(3):
        s.step(0.1)
        s.u = s.u * 1.0
        s.v = s.v + s.u * len(seen)
    a, b, c = s.u * 2.0, s.v * 3.0, s.u + s.v
    return scaled(a, 2.0) + np.sum(b) + np.sum(c) + s.energy()


def weakly(x):
    s = State(x)
    r = weakref.ref(s)
    s.step(0.1)
    t = s.u
    t *= 2.0
    return scaled(t, 2.0) + scaled(s.v, 3.0) + s.energy() + (r() is None)


def by_identity(x):
    s = State(x)
    known = {id(s): s}
    for k in known:
        known[k].step(0.1)
    return s.energy() + np.sum(s.u)


def with_those_inside(x):
    p = Pair(x)
    r = weakref.ref(p)
    p.one.step(0.1)
    p.two.step(0.2)
    return p.one.energy() + p.two.energy() + np.sum(p.two.v) + (r() is None)


def no_rule_in_a_tuple(a):
    u, p = scipy.linalg.schur(a)
    v = u * 2.0
    for i in range(3):
        v[i] += p[i]
    v *= 2.0
    w = {"w": v.T @ p}
    return scaled(w["w"], 2.0) + scaled(p, 3.0)


def no_rule_in_a_callee(a):
    u, p = factors(a)
    u *= 2.0
    return scaled(u, 2.0) + np.sum(p)


def factors(a):
    u, p = scipy.linalg.schur(a)
    return u * 2.0, p * 3.0


REFUSED = [
    (in_a_set, X, "AD201", "seen = {s}"),
    (weakly, X, "AD201", "weakref.ref(s)"),
    (by_identity, X, "AD201", "known"),
    (with_those_inside, X, "AD201", "weakref.ref(p)"),
    (no_rule_in_a_tuple, A, "AD401", "scipy.linalg.schur(a)"),
    (no_rule_in_a_callee, A, "AD401", "scipy.linalg.schur(a)"),
]


@pytest.mark.parametrize("mode", ["grad", "jvp", "save"])
@pytest.mark.parametrize(("f", "at", "code", "line"), REFUSED)
def test_one_error_names_the_statement(f, at, code, line, mode):
    with pytest.raises(ad.CompileError) as caught:
        if mode == "jvp":
            ad.jvp(f, (at,), (at,))
        else:
            ad.grad(f, on_overwrite="save" if mode == "save" else "refuse")(at)
    (d,) = caught.value.diagnostics
    assert d.code == code
    assert d.primary.span.file == __file__
    assert line in inspect.getsource(inspect.getmodule(f)).split("\n")[d.primary.span.line - 1]


def test_what_is_lost_at_one_statement_is_one_error():
    here, there = Span("f.py", 1, 0, 1, 4), Span("f.py", 2, 0, 2, 4)

    def of(name, span):
        title = f"objects of `{name}` cannot be followed: what they hold is lost here"
        return Diagnostic("AD201", title, Label(span, "it is passed to `f`"))

    found = merged([of("A", here), of("B", here), of("A", there), of("B", here)])
    assert [d.title.partition(" cannot")[0] for d in found] == [
        "objects of `A` and `B`", "objects of `A`",
    ]  # fmt: skip


def composed(f, g):
    def both(v):
        return f(g(v))

    return both


def of_composed(x):
    return composed(np.sin, composed(lambda v: v * x[0], lambda v: v * v))(x[1])


def call(fn, *a, **k):
    return fn(*a, **k)


def handed(x):
    def mine(k):
        return k * x[0]

    return call(mine, k=x[1])


@pytest.mark.parametrize(("f", "name"), [(of_composed, "a lambda"), (handed, "`mine`")])
def test_closures_are_called_as_they_are_written(f, name):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(np.array([1.0, 2.0]))
    titles = [d.title for d in caught.value.diagnostics]
    assert f"{name}, defined inside, cannot be followed: what it captures is lost here" in titles
    assert not any("Inner" in t or "Mine" in t for t in titles)


def rule_is_missing_twice(a):
    u, p = scipy.linalg.schur(a)
    w = scipy.linalg.schur(p)[0]
    return np.sum(u) + np.sum(w)


def test_two_missing_rules_are_two_errors():
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(rule_is_missing_twice)(A)
    assert [d.code for d in caught.value.diagnostics] == ["AD401", "AD401"]
