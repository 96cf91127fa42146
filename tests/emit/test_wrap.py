"""Broken lines keep their tokens and stay within the limit where that is possible."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adtrans.emit.wrap import needs_brackets, wrap


@pytest.mark.parametrize(
    "code",
    [
        "y = f(alpha, beta[i, j], key=gamma * delta, other=[1, 2, 3, 4, 5, 6])",
        "if (alpha and beta or gamma not in delta and not epsilon is None):",
        "y = {'a': alpha, 'b': [x for x in range(10) if x % 2 == 0 and x > 3]}",
        "y = f(lambda a, b=1, *c: a + b, f'{alpha} and {beta!r}', 'x' if alpha else 'y')",
        "def loss_pullback(residuals, y_bar, *more, key: int=3, **options) -> tuple[int, str]:",
        "assert f(alpha, beta), 'a (message], or two'",
        "x = alpha(beta)(gamma)[delta].epsilon(zeta, eta).theta",
    ],
)
@pytest.mark.parametrize("limit", [20, 30, 50, 90])
def test_meaning_stays(code: str, limit: int) -> None:
    lines = wrap(code, 0, limit)
    body = "    pass" if code.endswith(":") else ""
    whole = ast.parse(f"{code}\n{body}")
    assert ast.dump(ast.parse("\n".join([*lines, body]))) == ast.dump(whole)
    assert all(line == line.rstrip() for line in lines)
    if limit >= 50:
        assert max(map(len, lines)) <= limit


def test_a_short_line_stays() -> None:
    assert wrap("x = f(a, b)", 4) == ["    x = f(a, b)"]


def test_breaks_come_first_where_they_hurt_least() -> None:
    assert wrap("y = f(aaaa * bbbb + cccc * dddd, eeee)", 0, 34) == [
        "y = f(aaaa * bbbb + cccc * dddd,",
        "      eeee)",
    ]
    assert wrap("y = f(aaaa * bbbb + cccc * dddd)", 0, 30) == [
        "y = f(aaaa * bbbb",
        "      + cccc * dddd)",
    ]


def test_nothing_to_break() -> None:
    code = "x = " + "a" * 40
    assert wrap(code, 0, 20) == [code]


@pytest.mark.parametrize(
    ("code", "expected"),
    [("a + b", True), ("a, b", True), ("f(a, b)", False), ("x[a + b].c", False), ("-a", False)],
)
def test_needs_brackets(code: str, expected: bool) -> None:
    assert needs_brackets(code) is expected


@given(
    st.recursive(
        st.sampled_from(["alpha", "b", "1.5", "'text, (here'", "f'{a + b}'"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "*", "and", "not in", "if c else"]), inner).map(
                " ".join
            ),
            st.lists(inner, min_size=1, max_size=4).map(lambda p: f"f({', '.join(p)})"),
            st.lists(inner, min_size=1, max_size=3).map(lambda p: f"[{', '.join(p)}]"),
        ),
        max_leaves=15,
    ),
    st.integers(10, 60),
)
def test_any_expression(code: str, limit: int) -> None:
    lines = wrap(f"x = ({code})", 4, limit)
    tree = ast.parse("if 1:\n" + "\n".join(lines)).body[0].body[0]  # type: ignore[attr-defined]
    assert ast.dump(tree) == ast.dump(ast.parse(f"x = ({code})").body[0])
