"""Stores after which the adjoint of what they overwrote need not be zero."""

from __future__ import annotations

import numpy as np

from adtrans.analyses.analyse import Question
from adtrans.analyses.kinds import param_kinds
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir.names import NameAllocator


def lines(f) -> set[int]:
    """The lines of `f` with a store that nothing has to be cleared for."""
    kinds = param_kinds({"x": np.ones(4)})
    facts = Program(Options(), NameAllocator()).member(f, Question(dict(kinds), ("x",))).facts
    assert facts is not None
    first = f.__code__.co_firstlineno
    return {facts.structure.stmts[s].span.line - first for s in facts.dead_clears}


def test_each_iteration_writes_an_element_of_its_own():
    def f(x):
        y = np.zeros(5)
        for i in range(4):
            y[i] = x[i] * x[0]
        return np.sum(y * y)

    assert lines(f) == {3}


def test_an_iteration_writes_what_the_one_before_it_wrote():
    def f(x):
        y = np.zeros(5)
        for i in range(4):
            y[i] = x[i] * x[0]
            y[i + 1] = x[i]
        return np.sum(y * y)

    assert lines(f) == {4}
