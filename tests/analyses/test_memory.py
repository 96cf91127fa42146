"""Objects, points-to sets, and what every statement may write."""

from __future__ import annotations

import numpy as np

from adtrans.analyses.abstract import Obj
from adtrans.ir import stmt as S
from tests.analyses.found import at, facts_of, store

X = np.array([1.0, 2.0, 3.0])


def views(x):
    y = x.copy()
    v = y[1:]
    w = x
    v[0] = 1.0
    z = y[[0, 1]]
    z[0] = 2.0
    return np.sum(y) + w[0] + z[1]


def test_views_and_aliases_share_an_object_and_copies_do_not() -> None:
    facts = facts_of(views, X)
    m = facts.memory
    assert m.objects("v") == m.objects("y") != m.objects("z")
    assert m.objects("w") == m.objects("x") == {Obj("param", "x")}
    (write,) = m.at(store(facts, "v[0] =").site)
    assert write.objects == m.objects("y") and not write.unknown
    assert Obj("param", "x") not in m.written


def rebound(x):
    y = x
    y = np.zeros(3)
    y[0] = 1.0
    return np.sum(x) + np.sum(y)


def test_binding_ends_what_a_name_meant() -> None:
    facts = facts_of(rebound, X)
    (write,) = facts.memory.at(store(facts, "y[0] =").site)
    assert {o.form for o in write.objects} == {"site"}


def swapped(x, steps):
    a, b = x.copy(), np.zeros(3)
    for _ in range(steps):
        b[1:] = 0.5 * a[:-1]
        a, b = b, a
    return np.sum(a)


def test_swapped_buffers_may_be_either() -> None:
    facts = facts_of(swapped, X, 3)
    (write,) = facts.memory.at(store(facts, "b[1:] =").site)
    assert len(write.objects) == 2


def history(x, steps):
    last = x
    for _ in range(steps):
        new = last * 2.0
        new[0] = last[1]
        last = new
    return np.sum(last)


def test_the_object_of_an_earlier_iteration_is_another_one() -> None:
    facts = facts_of(history, X, 3)
    s = store(facts, "new[0] =")
    (write,) = facts.memory.at(s.site)
    before = facts.memory.objects("last", s.site)
    assert not write.objects & before
    assert {o.old for o in write.objects} == {False}
    assert any(o.old for o in before)


def clear(a):
    a[:] = 0.0


def look(a):
    return a[0] * 2.0


def calls(x):
    y = x.copy()
    clear(y)
    return look(y) + np.sum(x)


def test_a_call_writes_what_its_callee_writes() -> None:
    facts = facts_of(calls, X)
    assert [w.var for w in facts.memory.at(at(facts, "clear(y)", S.Invoke).site)] == ["y"]
    assert facts.memory.at(at(facts, "look(y)", S.Invoke).site) == ()


def unknown(x, w):
    memoryview(w)
    return np.sum(w * x)


def test_unknown_functions_may_write_their_arguments() -> None:
    facts = facts_of(unknown, X, X.copy())
    assert [(w.var, w.unknown) for w in facts.memory.writes] == [("w", True)]
