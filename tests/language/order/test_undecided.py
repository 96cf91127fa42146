"""Programs whose fate depends on the run: a right gradient, or an error, never a wrong number."""

from __future__ import annotations

from tests.undecided import fates


def test_right_or_stopped() -> None:
    counts, wrong = fates(range(15))
    assert not wrong, wrong[0]
    assert counts["right"] > 25 and counts["stopped"] > 2
