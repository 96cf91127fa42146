"""Temporaries are folded where nothing in between could change what they read."""

from __future__ import annotations

import pytest

from adtrans.transforms.fold import fold
from tests.transforms.written import body, text

CASES = {
    "next": ("t = a * b\ny = t + c\n", "y = a * b + c\n"),
    "chain": ("t = a * b\ns = t + c\ny = s * s_\n", "y = (a * b + c) * s_\n"),
    "twice": ("t = a * b\ny = t + t\n", "t = a * b\ny = t + t\n"),
    "rebound": ("t = a * b\na = c\ny = t\n", "t = a * b\na = c\ny = t\n"),
    "written": ("t = a[0]\na[0] = c\ny = t\n", "t = a[0]\na[0] = c\ny = t\n"),
    "into a loop": (
        "t = a * b\nfor i in c:\n    y += t\n",
        "t = a * b\nfor i in c:\n    y += t\n",
    ),
    "into a header": ("t = a * b\nif t > c:\n    y = c\n", "if a * b > c:\n    y = c\n"),
    "across a test": (
        "t = a * b\nif c > 0:\n    a = c\ny = t\n",
        "t = a * b\nif c > 0:\n    a = c\ny = t\n",
    ),
    "past a call": ("t = a[0]\nc.append(d)\ny = t\n", "t = a[0]\nc.append(d)\ny = t\n"),
    "the user's": ("u = a * b\ny = u + c\n", "u = a * b\ny = u + c\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_fold(name: str) -> None:
    before, after = CASES[name]
    folded = fold(body(before), lambda n: n in ("t", "s"), lambda a, b: False)
    assert text(folded) == after


def test_quiet_writes_let_through() -> None:
    before = body("t = a[0]\nb[0] += c\ny = t\n")
    loud = fold(before, lambda n: n == "t", lambda a, b: False)
    quiet = fold(before, lambda n: n == "t", lambda a, b: (a, b) == ("b", "a"))
    assert text(loud) == text(before)
    assert text(quiet) == "b[0] += c\ny = a[0]\n"
