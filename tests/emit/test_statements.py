"""Statements print as a person would write them."""

from __future__ import annotations

import gast

from adtrans.emit.module import print_body, print_module
from adtrans.ir.code import (
    Assign,
    AugAssign,
    Body,
    Branch,
    Def,
    Do,
    ForEach,
    Leave,
    Loop,
    Module,
    Note,
    Original,
    Result,
)
from adtrans.ir.expr import NONE, Binary, Call, Const, Index, Name, Ref, Sequence, Unary
from adtrans.ir.stmt import Param

a, b, c, x = Name("a"), Name("b"), Name("c"), Name("x")


def put(name: str, note: Note | None = None) -> Assign:
    return Assign((Name(name),), Const(1), note)


def check(body: Body, expected: str) -> None:
    assert print_body(body) == expected


def test_simple_statements() -> None:
    check(
        (
            Assign((a, b), Sequence("tuple", (b, a))),
            Assign((Sequence("tuple", (a,)),), x),
            AugAssign(Index(x, (Const(0),)), "+", a),
            AugAssign(x, "@=", a),
            Do(Call(Name("f"), (x,))),
            Leave("pass"),
            Result(Sequence("tuple", (a, Sequence("tuple", (b, c))))),
            Result(Sequence("tuple", (a,))),
            Result(NONE),
        ),
        "a, b = b, a\n"
        "(a,) = x\n"
        "x[0] += a\n"
        "x @= a\n"
        "f(x)\n"
        "pass\n"
        "return a, (b, c)\n"
        "return (a,)\n"
        "return None\n",
    )


def test_one_branch_in_an_else_is_an_elif() -> None:
    inner = Branch(b, (put("y"),), (put("z"),))
    check(
        (Branch(a, (put("x"),), (inner,)),),
        "if a:\n    x = 1\nelif b:\n    y = 1\nelse:\n    z = 1\n",
    )


def test_what_follows_a_branch_that_leaves_is_not_indented() -> None:
    check(
        (
            Loop(
                Const(True),
                (put("t"), Branch(a, (Leave("break"),), (put("y"), Leave("continue")))),
            ),
        ),
        "while True:\n    t = 1\n    if a:\n        break\n    y = 1\n    continue\n",
    )
    check(
        (Branch(a, (Result(x),), (Branch(b, (Result(a),), (Result(b),)),)),),
        "if a:\n    return x\nif b:\n    return a\nreturn b\n",
    )


def test_a_branch_leaves_when_both_of_its_halves_do() -> None:
    both = Branch(b, (Leave("break"),), (Leave("continue"),))
    check(
        (ForEach(x, a, (Branch(c, (both,), (put("y"),)),)),),
        "for x in a:\n    if c:\n        if b:\n            break\n        continue\n    y = 1\n",
    )


def test_pass_does_not_leave() -> None:
    check(
        (Branch(a, (Leave("pass"),), (put("y"),)),),
        "if a:\n    pass\nelse:\n    y = 1\n",
    )


def test_an_empty_half() -> None:
    check((Branch(a, (), (put("y"),)),), "if not a:\n    y = 1\n")
    check((Branch(Unary("not", a), (), (put("y"),)),), "if a:\n    y = 1\n")
    check((Branch(a, ()),), "if a:\n    pass\n")
    check((ForEach(x, a, ()),), "for x in a:\n    pass\n")


def test_a_note_is_printed_once_in_a_row() -> None:
    n, m = Note(4, "u[0] = t"), Note(5, "v = u")
    text = print_body((put("a", n), put("b", n), put("c"), put("d", n), put("e", m), put("f", n)))
    assert [line.partition("#")[2].strip() for line in text.splitlines()] == [
        "4: u[0] = t", "", "", "", "5: v = u", "4: u[0] = t",
    ]  # fmt: skip


def test_the_same_statement_in_two_places_keeps_both_notes() -> None:
    node = gast.parse("y = x").body[0]
    once = Original("y = x", node, note=Note(1, "one"))
    again = Original("y = x", node, note=Note(2, "two"))
    text = print_body((once, again))
    assert "# 1: one" in text and "# 2: two" in text


def test_parameters() -> None:
    d = Def(
        "f",
        (
            Param("p", "positional"),
            Param("q", "positional", Const(-1)),
            Param("x", "standard", Const(2.0)),
            Param("rest", "varargs"),
            Param("k", "keyword"),
            Param("m", "keyword", Ref("np.pi", 3.14)),
            Param("more", "varkw"),
        ),
        (),
        doc="Does nothing.",
    )
    assert print_module(Module((d,))) == (
        'def f(p, q=-1, /, x=2.0, *rest, k, m=np.pi, **more):\n    """Does nothing."""\n'
    )


def test_functions_are_two_lines_apart() -> None:
    f = Def("f", (), (Result(x),))
    g = Def("g", (Param("x"),), ())
    assert print_module(Module((f, g))) == ("def f():\n    return x\n\n\ndef g(x):\n    pass\n")


def test_a_long_statement_is_broken() -> None:
    total = Name("alpha_bar_0")
    e = total
    for i in range(1, 9):
        e = Binary("+", e, Name(f"alpha_bar_{i}"))  # type: ignore[assignment]
    text = print_body((Assign((Name("result_bar"),), e), Result(e)))
    assert text == (
        "result_bar = (alpha_bar_0 + alpha_bar_1 + alpha_bar_2 + alpha_bar_3 + alpha_bar_4"
        " + alpha_bar_5\n"
        "              + alpha_bar_6 + alpha_bar_7 + alpha_bar_8)\n"
        "return (alpha_bar_0 + alpha_bar_1 + alpha_bar_2 + alpha_bar_3 + alpha_bar_4"
        " + alpha_bar_5\n"
        "        + alpha_bar_6 + alpha_bar_7 + alpha_bar_8)\n"
    )
