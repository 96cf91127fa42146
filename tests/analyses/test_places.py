"""Where in an object a variable looks, and where a subscript of it lies."""

from __future__ import annotations

import numpy as np

from adtrans.analyses.disjoint import disjoint
from adtrans.analyses.places import is_whole
from adtrans.analyses.regions import ALL, SOME
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array
from tests.analyses.found import at, facts_of, store

X = np.arange(10.0)


def windows(x, i):
    y = x.copy()
    low = y[:4]
    high = y[4:]
    deeper = high[1:3]
    either = low if i > 0 else high
    low[0] = 1.0
    deeper[0] = 2.0
    either = either[1:]
    return np.sum(y) + either[0]


def test_windows_compose() -> None:
    facts = facts_of(windows, X, 2)
    p = facts.places
    site = store(facts, "deeper[0] =").site
    first = facts.fn.body[0].site
    assert p.window("y", site) == ALL != p.window("low", site)
    assert disjoint(p.window("low", site), p.window("deeper", site), p.facts(site))
    assert not disjoint(p.window("high", site), p.window("deeper", site), p.facts(site))
    sixth = p.region("y", (E.Const(5),), site)
    assert p.region("deeper", (E.Const(0),), site) == sixth
    assert p.window("deeper", first) == SOME, "not bound there yet"


def test_objects_and_views() -> None:
    p = facts_of(windows, X, 2).places
    assert p.is_object("y") and not p.is_object("low") and not p.is_object("deeper")


def iterations(x):
    y = np.zeros(10)
    for i in range(9):
        y[i] = x[i] * x[i + 1]
    return np.sum(y)


def test_a_region_of_an_earlier_iteration_is_another_one() -> None:
    facts = facts_of(iterations, X)
    s = store(facts, "y[i] =")
    loop = at(facts, "for i in", S.For).site
    here = facts.places.region("y", s.items, s.site)
    known = facts.places.facts(s.site)
    assert disjoint(here, facts.places.earlier(here, loop), known)
    assert not disjoint(here, here, known)
    later = facts.places.after(here, loop)
    assert later.symbols and not later.symbols & here.symbols


def test_whole() -> None:
    full, matrix = E.Slice(None, None, None), Array("float64", (None, None))
    assert is_whole((full, full), matrix, 0, None) and is_whole((E.ELLIPSIS,), matrix, 0, None)
    assert not is_whole((full, E.Const(0)), matrix, 0, None)
    assert not is_whole((E.Slice(E.Const(1), None, None),), matrix, 0, None)
    assert not is_whole((full,), Array("float64", ()), 0, None)
