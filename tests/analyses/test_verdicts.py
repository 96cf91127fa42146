"""The verdict on each write, with its reason."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.analyses.analyse import Question
from adtrans.analyses.kinds import param_kinds
from adtrans.analyses.verdicts import Verdict, copyable, renamable, verdicts
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir.names import NameAllocator
from tests.analyses.found import facts_of, store

X = np.array([1.0, 2.0, 3.0])


def verdict(fn, **options) -> list[Verdict]:
    program = Program(Options(**options), NameAllocator())
    member = program.member(fn, Question(dict(param_kinds({"x": X})), ("x",), ()))
    return list(verdicts(member.facts, member.renamed))


def safe(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    return np.sum(y)


def by_value(x):
    y = x * 1.0
    for i in range(1, 3):
        y[i] = y[i] * y[i - 1]
    return y[2]


def renamed(x):
    y = np.sin(x)
    s = np.sum(y * y)
    y[:] = 0.0
    return s + np.sum(y)


def recomputed(x):
    y = np.exp(x)
    y[0] = 0.0
    return np.sum(y)


def refused(x):
    y = np.sin(x)
    s = np.sum(y * y)
    y[0] = 0.0
    return s + np.sum(y)


@pytest.mark.parametrize(
    ("fn", "word"),
    [
        (safe, "safe"),
        (by_value, "by value"),
        (renamed, "renamed"),
        (recomputed, "recomputed"),
        (refused, "refused"),
    ],
)
def test_words(fn, word: str) -> None:
    (v,) = verdict(fn)
    assert v.verdict == word
    assert v.target == "y" and v.reason


def test_saving_instead_of_refusing() -> None:
    (v,) = verdict(refused, on_overwrite="save")
    assert v.verdict == "saved" and "a copy" in v.reason
    assert v.use is not None and v.use.line == v.span.line - 1


def part(x):
    y = np.sin(x)
    s = np.sum(y * y)
    y[0] = 0.0
    return s + np.sum(y)


def seen_by_another(x):
    y = np.sin(x)
    z = y
    s = np.sum(y * y)
    y[:] = 0.0
    return s + np.sum(z)


@pytest.mark.parametrize("fn", [part, seen_by_another])
def test_only_whole_writes_that_nobody_else_sees_are_renamed(fn) -> None:
    facts = facts_of(fn, X)
    (write,) = facts.memory.at(store(facts, "] = 0.0").site)
    assert not renamable(write, facts)


def keeps(a):
    return np.sum(a * a)


def keeps_and_writes(a):
    a[0] = a[1] * a[2]
    return np.sum(a * a)


def calls(x):
    y, z = np.sin(x), np.cos(x)
    s = keeps(y) + keeps_and_writes(z)
    y[0] = z[0] = 0.0
    return s


def test_what_a_callee_writes_cannot_be_copied_for_it() -> None:
    facts = facts_of(calls, X)
    found = {facts.fn.source_name(c.need.var): copyable(c.need, facts) for c in facts.needs.hard}
    assert found == {"y": True, "z": False}
