"""What the feature matrix tells to work works, and no construct gives a wrong derivative.

`pytest -m slow` also says where the page is behind: `python -m tests.features --write`.
"""

from __future__ import annotations

import re

import pytest

from tests.features.__main__ import MODES, PAGE, ROWS, outcome, page
from tests.features.model import Row

CELL = re.compile(r"works|recorded|AD[1-6]\d\d")
TOLD = {
    cells[0]: cells[1:]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if len(cells := line.strip("| ").split(" | ")) == len(MODES) + 1
    and cells[0] not in ("construct", "---", *MODES)
}
STALE = "run `python -m tests.features --write`"


def test_the_page_has_a_row_for_each() -> None:
    assert len({r.construct for r in ROWS}) == len(ROWS)
    assert list(TOLD) == [r.construct for r in ROWS], STALE
    assert page(TOLD) == PAGE.read_text(encoding="utf-8"), STALE


def test_nothing_is_wrong_and_nothing_fails_inside() -> None:
    assert {c for cells in TOLD.values() for c in cells if not CELL.fullmatch(c)} == set()


def held(row: Row, mode: str) -> None:
    """What is told to work works; what is told to be refused is refused, or works by now."""
    found, said = outcome(row, mode)
    told = TOLD[row.construct][MODES.index(mode)]
    assert CELL.fullmatch(found), said
    right = ("works", "recorded")
    assert found in right if told in right else found != "wrong", said


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.fn.__name__)
def test_the_pullback_is_as_told(row: Row) -> None:
    held(row, "pullback")


@pytest.mark.parametrize("row", ROWS[::9], ids=lambda r: r.fn.__name__)
def test_a_sample_of_the_other_modes(row: Row) -> None:
    for mode in MODES[1:]:
        held(row, mode)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.fn.__name__)
def test_the_page_is_up_to_date(row: Row) -> None:
    for mode in MODES:
        found, said = outcome(row, mode)
        assert found == TOLD[row.construct][MODES.index(mode)], f"{STALE}: {said}"
