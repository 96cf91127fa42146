"""Expressions of the small language print as Python and keep their value."""

from __future__ import annotations

import ast
import copy
import math

import gast
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adtrans.emit.expression_nodes import BINARY, COMPARE, expression, target
from adtrans.emit.printer import expression_text
from adtrans.ir import expr as E

N = E.Name


def text(e: E.Expr) -> str:
    return expression_text(expression(e))


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (E.Binary("**", E.Const(-1), E.Const(2)), "(-1) ** 2"),
        (E.Unary("-", E.Binary("**", N("x"), E.Const(2))), "-x ** 2"),
        (E.Binary("-", N("a"), E.Binary("-", N("b"), N("c"))), "a - (b - c)"),
        (E.Binary("-", E.Binary("-", N("a"), N("b")), N("c")), "a - b - c"),
        (E.Index(N("x"), (E.Const(0),)), "x[0]"),
        (E.Index(N("x"), (N("i"), E.Slice(None, None, None))), "x[i, :]"),
        (E.Index(N("x"), (E.ELLIPSIS, E.Slice(None, None, E.Const(-1)))), "x[..., ::-1]"),
        (E.Index(N("x"), (E.Sequence("tuple", (N("i"), N("j"))),)), "x[i, j]"),
        (E.Index(N("x"), ()), "x[()]"),
        (E.Call(E.Ref("np.sum", np.sum), (N("x"),), (("axis", E.Const(0)),)), "np.sum(x, axis=0)"),
        (E.Call(N("f"), (E.Star(N("a")),), (("", N("k")),)), "f(*a, **k)"),
        (E.Attribute(E.Binary("+", N("a"), N("b")), "T"), "(a + b).T"),
        (E.Attribute(E.Const(3), "real"), "3 .real"),
        (E.Compare(N("a"), ("<", "is not"), (N("b"), E.NONE)), "a < b is not None"),
        (E.Unary("not", E.BoolOp("and", (N("a"), N("b")))), "not (a and b)"),
        (E.IfExp(N("c"), E.Const(1.0), E.Const(2.0)), "1.0 if c else 2.0"),
        (E.Sequence("tuple", (N("a"),)), "(a,)"),
        (E.Sequence("list", (N("a"), E.Star(N("b")))), "[a, *b]"),
        (E.Const("it's"), '"it\'s"'),
        (E.Const(b"\0"), "b'\\x00'"),
        (E.Const(True), "True"),
        (E.Const(2j), "2j"),
        (E.Const(1 - 2j), "complex(1.0, -2.0)"),
        (E.Const(float("inf")), "float('inf')"),
        (E.Const(-float("inf")), "-float('inf')"),
        (E.Const(float("nan")), "float('nan')"),
        (E.Const(-0.0), "-0.0"),
        (E.Const(np.float64(2.5)), "2.5"),
        (E.Const(np.int64(-3)), "-3"),
        (E.Const(np.bool_(True)), "True"),
    ],
)
def test_text(e: E.Expr, expected: str) -> None:
    assert text(e) == expected


@pytest.mark.parametrize("value", [[1], np.zeros(2), object(), {1, 2}, (1, [2])])
def test_what_has_no_literal_is_an_error(value: object) -> None:
    with pytest.raises(TypeError, match="no literal"):
        expression(E.Const(value))


@given(st.one_of(st.floats(), st.complex_numbers(), st.integers()))
def test_numbers_come_back_with_their_sign(value: complex) -> None:
    back = eval(text(E.Const(value)))
    assert type(back) is type(value)
    parts = [(value, back)]
    if isinstance(value, complex):
        parts = [(value.real, back.real), (value.imag, back.imag)]
    for a, b in parts:
        assert repr(a) == repr(b)


_LEAVES = st.one_of(st.sampled_from([E.Name("a"), E.Name("b")]), st.integers(-3, 3).map(E.Const))
_EXPRESSIONS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds(E.Binary, st.sampled_from(sorted(BINARY)), inner, inner),
        st.builds(E.Unary, st.sampled_from(["-", "+", "~", "not"]), inner),
        st.builds(
            lambda a, op, b: E.Compare(a, (op,), (b,)),
            inner,
            st.sampled_from(sorted(COMPARE)),
            inner,
        ),
        st.builds(
            lambda op, a, b: E.BoolOp(op, (a, b)), st.sampled_from(["and", "or"]), inner, inner
        ),
        st.builds(E.IfExp, inner, inner, inner),
        st.builds(lambda a, b: E.Index(a, (b, E.Slice(None, b, None))), inner, inner),
        st.builds(lambda a: E.Attribute(a, "T"), inner),
        st.builds(lambda a, b: E.Call(a, (b,), (("k", a),)), inner, inner),
        st.builds(lambda a: E.Sequence("tuple", (a,)), inner),
    ),
    max_leaves=12,
)


@given(_EXPRESSIONS)
def test_printing_keeps_the_structure(e: E.Expr) -> None:
    tree = ast.parse(text(e), mode="eval").body
    assert ast.dump(tree) == ast.dump(gast.gast_to_ast(expression(e)))


def test_targets_leave_the_users_tree_alone() -> None:
    node = gast.parse("a[i]", mode="eval").body
    before = copy.deepcopy(node)
    assert isinstance(target(E.Verbatim("a[i]", ("a", "i"), node)).ctx, gast.Store)
    assert gast.dump(node) == gast.dump(before)


def test_targets() -> None:
    e = E.Sequence(
        "tuple", (N("a"), E.Star(E.Index(N("b"), (E.Const(0),))), E.Attribute(N("c"), "d"))
    )
    node = target(e)
    assert expression_text(node) == "(a, *b[0], c.d)"
    with pytest.raises(TypeError, match="not a target: a \\+ b"):
        target(E.Binary("+", N("a"), N("b")))


def test_verbatim_gives_the_users_node() -> None:
    node = gast.parse("f'{x!r}'", mode="eval").body
    assert expression(E.Verbatim("f'{x!r}'", ("x",), node)) is node


def test_nan_is_nan() -> None:
    assert math.isnan(eval(text(E.Const(float("nan")))))
