"""The functions of one compilation: callees by kinds and activity, recursion, summaries."""

from __future__ import annotations

import numpy as np

import adtrans as ad
from adtrans.analyses.analyse import Question
from adtrans.analyses.kinds import param_kinds
from adtrans.driver.callees import python_function
from adtrans.driver.instances import Member
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir.kinds import Scalar
from adtrans.ir.names import NameAllocator

X = np.array([1.0, 2.0, 3.0])


def analysed(f, *wrt: str, **args: object) -> tuple[Program, Member]:
    program = Program(Options(), NameAllocator())
    member = program.member(f, Question(dict(param_kinds(args)), wrt, ()))
    return program, member


def double(a):
    return 2.0 * a


def both(x, k):
    return np.sum(double(x)) + double(k) + double(double(k))


def test_a_callee_is_analysed_once_for_each_combination_of_kinds() -> None:
    program, member = analysed(both, "x", "k", x=X, k=3.0)
    kinds = [dict(params)["a"] for _, params, *_ in program.members if dict(params).get("a")]
    assert sorted(type(k).__name__ for k in kinds) == ["Array", "Scalar"]
    results = {u.summary.result for u in member.facts.units.values()}
    assert {type(r).__name__ for r in results} == {"Array", "Scalar"}


def shift(a, by):
    a[1:] += by * a[:-1]
    return a


def power(a, n):
    return a if n == 0 else a * power(a, n - 1)


def uses(x, n):
    y = x * 1.0
    z = shift(y, 0.5)
    return np.sum(z) + power(x[0], n)


def test_summaries() -> None:
    program, _ = analysed(uses, "x", x=X, n=3)
    members = [m for m in program.members.values() if m.source.fn is shift]
    shifted = next(m for m in members if m.question.wrt == ("a",))
    summary = shifted.unit.summary
    assert summary.written() == {"a"} and summary.finals == {"a"}
    assert summary.same == "a" and "a" in summary.returns
    assert dict(summary.keeps) == {}, "linear in `a`"
    recursive = next(m for m in program.members.values() if m.source.fn is power)
    assert recursive.done and recursive.unit.summary.result_active
    assert isinstance(recursive.unit.summary.result, Scalar)


def even(x, n):
    return x if n == 0 else odd(x * x, n - 1)


def odd(x, n):
    return x + 1.0 if n == 0 else even(2.0 * x, n - 1)


def test_mutual_recursion_settles() -> None:
    program, member = analysed(even, "x", x=1.5, n=4)
    assert all(m.done and m.facts is not None for m in program.members.values())
    assert member.unit.summary.result_active


def test_what_is_a_python_function() -> None:
    assert python_function(double) is double
    assert python_function(np.sin) is None, "it has a rule"
    assert python_function(np.unwrap) is None, "NumPy is not looked into"
    assert python_function(len) is None and python_function(int) is None


def test_a_condition_of_any_type() -> None:
    """What is neither a number nor anything known decides in the pullback as it did before."""

    def f(x: float, flags: object) -> float:
        for flag in flags:  # type: ignore[attr-defined]
            x = x * x if flag else 2.0 * x
        return x

    def g(x: float, table: dict[str, tuple[int, ...]], name: str) -> float:
        try:
            _, second = table[name]
        except KeyError:
            _, second = name  # type: ignore[assignment]
        return x * x if second else 3.0 * x

    table = {"a": (1, 0), "b": (0, 1)}
    assert ad.grad(f)(3.0, ("", "yes", [])) == 16.0 * 3.0
    assert (ad.grad(g)(3.0, table, "a"), ad.grad(g)(3.0, table, "b")) == (3.0, 6.0)
    assert ad.grad(g)(3.0, table, "cd") == 6.0
