"""Which values the pullback reads, and which later writes destroy them."""

from __future__ import annotations

import numpy as np

from adtrans.ir import stmt as S
from tests.analyses.found import at, facts_of, lines_of, store

X = np.array([1.0, 2.0, 3.0, 4.0])


def linear(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += dt * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u)


def test_linear_code_needs_nothing() -> None:
    facts = facts_of(linear, X, 0.1, 3)
    assert facts.needs.hard == ()
    needed = {n.var for needs in facts.needs.at.values() for n in needs if not n.soft}
    assert needed == {"dt"}, "a number, and no array"


def squared(x):
    y = x * 2.0
    z = y * y
    y[0] = 3.0
    return np.sum(z) + y[1]


def test_a_conflict_is_the_pair_of_use_and_write() -> None:
    assert lines_of(facts_of(squared, X)) == [("y", "z = y * y", "y[0] = 3.0")]


def other_part(x):
    y = x * 2.0
    z = y[2:] * y[2:]
    y[:2] = 3.0
    return np.sum(z) + y[1]


def test_writes_beside_the_region_do_no_harm() -> None:
    assert lines_of(facts_of(other_part, X)) == []


def upwards(x):
    y = x * 1.0
    for i in range(1, len(y)):
        v = y[i - 1 : i]
        y[i] = np.sum(v * v)
    return y[-1]


def downwards(x):
    y = x * 1.0
    for i in range(len(y) - 1):
        v = y[i + 1 : i + 2]
        y[i] = np.sum(v * v)
    return y[0]


def test_the_direction_of_a_loop_matters() -> None:
    assert lines_of(facts_of(upwards, X)) == []
    (conflict,) = {(c.need.site, c.write, c.carried) for c in facts_of(downwards, X).needs.hard}
    assert conflict[2], "it is the next iteration that overwrites"


def exponential(x):
    y = np.exp(x)
    y[0] = 0.0
    return np.sum(y)


def exponential_of_changed(x):
    x = x * 1.0
    y = np.exp(x)
    x[0] = 0.0
    return np.sum(y) + x[1]


def test_the_formula_whose_values_survive_is_chosen() -> None:
    for fn, number in ((exponential, 1), (exponential_of_changed, 0)):
        facts = facts_of(fn, X)
        site = at(facts, "np.exp(x)", S.Bind).site
        assert facts.needs.choice[site, "x"] == number
        assert facts.needs.hard == ()


def inactive_buffer(x):
    buf = np.zeros(4)
    s = 0.0
    for k in range(3):
        buf[k] = k + 1.0
        s += np.sum(buf * x)
    return s


def test_inactive_buffers_are_needed_too() -> None:
    ((name, use, write),) = lines_of(facts_of(inactive_buffer, X))
    assert (name, use, write) == ("buf", "s += np.sum(buf * x)", "buf[k] = k + 1.0")


def selected(x, order):
    y = x[order]
    order[0] = 1
    return np.sum(y * y)


def test_index_arrays_are_needed() -> None:
    facts = facts_of(selected, X, np.array([0, 2]))
    (conflict,) = facts.needs.hard
    assert conflict.need.role == "index"
    assert conflict.write == store(facts, "order[0]").site
