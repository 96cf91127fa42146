"""The table of mutations: every situation has its programs, and what is wrong is seen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.corpus.model import Case
from tests.documents import ROOT
from tests.table import ELSEWHERE, FEW, OPEN, PAGE, SITUATIONS, fate, line, programs


def test_no_situation_is_short() -> None:
    numbers = [str(n) for n in range(1, 79)]
    numbers.insert(54, "54b")
    assert list(SITUATIONS) == numbers
    short = {row for row in SITUATIONS if len(programs(row)) < FEW}
    assert short - ELSEWHERE.keys() <= OPEN


def test_what_is_tested_elsewhere_is_there() -> None:
    for places in ELSEWHERE.values():
        assert all((ROOT / place).is_file() for place in places.split(", "))


def test_the_page_has_a_line_for_each() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [row.split(" | ")[0].strip("| ") for row in text.splitlines() if row.startswith("| ")]
    assert rows == ["row", "---", *SITUATIONS]


def small(x):
    y = x * 2.0
    y[0] = 3.0
    return np.sum(y * x)


def refused(x):
    y = x * 2.0
    z = y * y
    y[0] = 3.0
    return np.sum(z + y)


def raises(x):
    raise KeyError("mine")


@pytest.mark.parametrize(
    ("fn", "default", "save"),
    [
        (small, ("safe", True), ("safe", True)),
        (refused, ("AD301", None), ("saved", True)),
        (raises, ("KeyError", None), ("KeyError", None)),
    ],
)
def test_fates(fn, default, save) -> None:
    case = Case("t", "t", fn, (np.array([1.0, 2.0, 3.0]),))
    a, b = fate(case, "refuse"), fate(case, "save")
    assert ((a.word, a.right), (b.word, b.right)) == (default, save)


def test_a_wrong_gradient_is_seen(monkeypatch) -> None:
    case = Case("t", "t", small, (np.array([1.0, 2.0, 3.0]),))
    monkeypatch.setattr("tests.table.check_grads", wrong)
    assert fate(case, "refuse").right is False


def wrong(*args, **kwargs):
    raise AssertionError


def test_a_line() -> None:
    cells = line("10")
    assert cells[:2] == ["10", SITUATIONS["10"]]
    count = int(cells[2])
    assert cells[3:] == [f"AD301 {count}", f"saved {count}", f"{count} of {count}"]
