"""What nothing reads goes; what is read in a later iteration stays."""

from __future__ import annotations

import pytest

from adtrans.transforms.prune import prune
from tests.transforms.written import body, text

CASES = {
    "unused": ("t = a\ny = b\nreturn y\n", "y = b\nreturn y\n"),
    "chain": ("t = a\ns = t\nreturn b\n", "return b\n"),
    "overwritten": ("y = a\ny = b\nreturn y\n", "y = b\nreturn y\n"),
    "one branch": (
        "y = a\nif c > 0:\n    y = b\nreturn y\n",
        "y = a\nif c > 0:\n    y = b\nreturn y\n",
    ),
    "empty branch": ("if c > 0:\n    t = a\nreturn b\n", "return b\n"),
    "next iteration": (
        "y = a\nfor i in c:\n    b[i] = y\n    y = i\nreturn b\n",
        "y = a\nfor i in c:\n    b[i] = y\n    y = i\nreturn b\n",
    ),
    "in a loop": (
        "for i in c:\n    t = i\n    b[i] = a\nreturn b\n",
        "for i in c:\n    b[i] = a\nreturn b\n",
    ),
    "empty loop": ("for i in c:\n    t = i\nreturn b\n", "return b\n"),
    "element writes": ("t = a\nt[0] = b\nreturn c\n", "t = a\nt[0] = b\nreturn c\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_prune(name: str) -> None:
    before, after = CASES[name]
    assert text(prune(body(before), lambda c: True)) == after


def test_what_may_not_be_dropped_stays() -> None:
    before = body("t = a\nreturn b\n")
    assert prune(before, lambda c: False) == before
