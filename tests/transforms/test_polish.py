"""Signs, factors in front, short names."""

from __future__ import annotations

import pytest

from adtrans.transforms.polish import short_names, signs
from tests.transforms.written import body, text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a += -b\n", "a -= b\n"),
        ("a += b * 2\n", "a += 2 * b\n"),
        ("a += -b * c\n", "a -= b * c\n"),
        ("a += 2 * (b * c)\n", "a += 2 * b * c\n"),
        ("a -= b\n", "a -= b\n"),
        ("a = n * 1.0\n", "a = 1.0 * n\n"),  # it may make a float of an int
        ("if c > 0:\n    a += -b\n", "if c > 0:\n    a -= b\n"),
        ("for i in c:\n    a[i] += -b\n", "for i in c:\n    a[i] -= b\n"),
    ],
)
def test_signs(before: str, after: str) -> None:
    assert text(signs(body(before))) == after


def test_the_primal_is_left_alone() -> None:
    code = body("y = x * 1.0\ny_dot = x_dot * 1.0\nfor i in y:\n    y += -x\n    y_dot += -x_dot\n")
    assert text(signs(code, {"y_dot"})) == (
        "y = x * 1.0\ny_dot = 1.0 * x_dot\nfor i in y:\n    y += -x\n    y_dot -= x_dot\n"
    )


def test_names_count_from_the_first_that_appears() -> None:
    forward = body("t_7 = a\nt_3 = t_7 * b\nt_7_saved = t_3\n")
    pullback = body("t_7_bar = t_3\nt_9_bar = t_7_bar\nu_2 = t_9_bar\n")
    first, second = short_names((forward, pullback), {"a", "b"})
    assert text(first) == "t = a\nt_2 = t * b\nt_saved = t_2\n"
    assert text(second) == "t_bar = t_2\nt_bar_2 = t_bar\nu_2 = t_bar_2\n"


def test_the_users_names_are_left_alone() -> None:
    (code,) = short_names((body("t_5 = t\nt_7 = t_5\n"),), {"t", "t_5"})
    assert text(code) == "t_5 = t\nt_2 = t_5\n"
