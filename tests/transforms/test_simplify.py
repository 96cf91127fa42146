"""Algebra on adjoint expressions keeps values and removes what nobody would write."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adtrans.ir import expr as E
from adtrans.ir.expr import Binary, Const, Name, Unary
from adtrans.transforms.simplify import simplify

X, Y = Name("x"), Name("y")


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (Binary("*", Const(1.0), X), "x"),
        (Binary("*", X, Const(1)), "x"),
        (Binary("/", X, Const(1.0)), "x"),
        (Binary("**", X, Const(1)), "x"),
        (Binary("*", Const(-1.0), X), "-x"),
        (Unary("-", Unary("-", X)), "x"),
        (Binary("*", Const(2.0), Binary("*", Const(3.0), X)), "6.0 * x"),
        (Binary("+", X, Unary("-", Y)), "x - y"),
        (Binary("-", X, Unary("-", Y)), "x + y"),
        (Binary("+", Unary("-", X), Y), "y - x"),
        (Binary("*", X, Unary("-", Y)), "-(x * y)"),
        (Binary("*", Const(True), X), "True * x"),
        (Binary("*", Const(0.0), X), "0.0 * x"),  # x may be inf or nan
        (Binary("**", Const(1), X), "1 ** x"),
    ],
)
def test_forms(e: E.Expr, text: str) -> None:
    assert str(simplify(e)) == text


leaf = st.sampled_from([X, Y, Const(1.0), Const(-1.0), Const(2.0), Const(0.5), Const(3)])
trees = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.builds(Binary, st.sampled_from("+-*"), inner, inner),
        st.builds(Unary, st.just("-"), inner),
    ),
    max_leaves=12,
)


@given(trees)
def test_the_value_stays(e: E.Expr) -> None:
    values = {"x": 1.25, "y": -0.5}  # powers of two: no rounding hides a mistake

    def value(e: E.Expr) -> float:
        return float(eval(compile(ast.parse(str(e), mode="eval"), "e", "eval"), {}, values))

    assert math.isclose(value(e), value(simplify(e)), rel_tol=1e-12)
    assert simplify(simplify(e)) == simplify(e) or value(simplify(simplify(e))) == value(e)
