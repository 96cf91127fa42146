"""Statements without influence, operands that are constants where they are used."""

from __future__ import annotations

import numpy as np

from adtrans.analyses.analyse import Question
from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds import param_kinds
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir.names import NameAllocator


def facts_of(f) -> Facts:
    program = Program(Options(), NameAllocator())
    kinds = param_kinds({"x": np.ones(4), "b": np.ones(4)})
    found = program.member(f, Question(dict(kinds), ("x", "b"))).facts
    assert found is not None
    return found


def idle_lines(f) -> set[int]:
    facts = facts_of(f)
    first = f.__code__.co_firstlineno
    return {facts.structure.stmts[s].span.line - first for s in facts.influence.idle}


def constants(f) -> set[tuple[int, str]]:
    facts = facts_of(f)
    first = f.__code__.co_firstlineno
    return {
        (facts.structure.stmts[s].span.line - first, facts.fn.source_name(v))
        for s, v in facts.influence.constant
        if facts.fn.source_name(v) in f.__code__.co_varnames
    }


def test_what_is_bound_again_has_no_influence():
    def f(x, b):
        y = x * b
        y = x + b
        return np.sum(y)

    assert idle_lines(f) == {1}


def test_what_is_overwritten_as_a_whole_has_no_influence():
    def f(x, b):
        y = x * b
        y[0] = x[0]
        y[:] = b
        return np.sum(y)

    assert idle_lines(f) == {1, 2}


def test_a_part_that_stays_has_influence():
    def f(x, b):
        y = x * b
        y[1:] = b[1:]
        return np.sum(y)

    assert idle_lines(f) == set()


def test_a_loop_that_may_not_run_overwrites_nothing():
    def f(x, b):
        y = x * b
        for k in range(int(b[0])):
            y[:] = k
        return np.sum(y)

    assert 1 not in idle_lines(f)


def test_an_array_of_an_earlier_iteration_is_another_one():
    def f(x, b):
        kept = x
        for _ in range(3):
            y = x * b
            y[:] = kept
            kept = y
            y = x + kept
        return np.sum(kept)

    assert idle_lines(f) == {3, 6}


def test_what_is_written_through_another_name_counts():
    def f(x, b):
        y = x * b
        v = y
        v[:] = 1.0
        z = y * x
        v[0] = b[0]
        return np.sum(z) + np.sum(v)

    assert (4, "y") in constants(f)
    assert 1 in idle_lines(f)


def test_one_of_two_arrays_is_not_overwritten_for_sure():
    def f(x, b):
        y, z = x * b, x + b
        v = y
        if b[0] > 1.0:
            v = z
        v[:] = 1.0
        return np.sum(y * z)

    assert not {1, 2} & idle_lines(f)
    assert not {"y", "z"} & {name for _, name in constants(f)}


def test_a_loop_with_constant_bounds_does_overwrite():
    def f(x, b):
        y = x * b
        for k in range(3):
            y[:] = k * b
        return np.sum(y)

    assert 1 in idle_lines(f)


def test_an_array_known_under_one_name_is_gone_whichever_it_is():
    def f(x, b):
        y = x * b
        if b[0] > 1.0:
            y = x + b
        y[:] = 1.0
        return np.sum(y)

    assert {1, 3} <= idle_lines(f)


def test_an_array_with_another_name_is_not():
    def f(x, b):
        y = x * b
        z = y
        if b[0] > 1.0:
            y = x + b
        y[:] = 1.0
        return np.sum(y) + np.sum(z)

    assert 1 not in idle_lines(f)
    assert 4 in idle_lines(f)


def test_a_loop_without_iterations_overwrites_nothing():
    def f(x, b):
        y = x * b
        for _ in range(3, 3):
            y[:] = b
        return np.sum(y)

    assert 1 not in idle_lines(f)


def test_what_the_next_iteration_reads_has_influence():
    def f(x, b):
        kept, total = x, 0.0
        for _ in range(3):
            y = x * b
            total = total + kept[0]
            kept = y
        return total

    assert 3 not in idle_lines(f)
