"""Functions of other people's packages keep the fates that the page tells.

Not part of the ordinary run: `pip install '.[packages]'`, then `pytest -m packages`.
"""

from __future__ import annotations

import pytest

from tests.packages.__main__ import PAGE, page
from tests.packages.collection import CASES
from tests.packages.model import Package
from tests.packages.run import MODES, SLOW, WORKS, Fate, fate

TOLD = {
    (cells[0].partition(" ")[0], cells[1].strip("`")): cells
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if len(cells := line.strip("| ").split(" | ")) == 5
}


def cells_of(case: Package) -> list[str]:
    return TOLD[case.distribution, case.name]


def test_the_page_has_a_row_for_each() -> None:
    names = {(c.distribution, c.name) for c in CASES}
    assert len(names) == len(CASES)
    assert TOLD.keys() - {("package", "function"), ("---", "---")} == names


def test_the_page_is_written_from_its_rows() -> None:
    """The counts, and all that is no result, are what would be written now."""
    told = [[Fate(cell) for cell in cells_of(c)[3:]] for c in CASES]
    now, then = page(told).splitlines(), PAGE.read_text(encoding="utf-8").splitlines()
    assert [n for n in now if "|" not in n] == [t for t in then if "|" not in t]


def test_enough_packages_work() -> None:
    working = [c for c in CASES if cells_of(c)[4] in WORKS]
    assert len(working) >= 25
    assert len({c.distribution for c in working}) >= 12
    assert all(cell in (*WORKS, SLOW) or cell[:3] == "Mut" or cell[:2] == "AD"
               for c in CASES for cell in cells_of(c)[3:])  # fmt: skip


@pytest.mark.packages
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.distribution}-{c.name}")
def test_fate(case: Package, mode: str) -> None:
    if case.version is None:
        pytest.skip(f"{case.distribution} is not installed: pip install '.[packages]'")
    if cells_of(case)[3:][MODES.index(mode)] == SLOW:
        pytest.skip("it takes longer than it may")
    try:
        found = fate(case, mode)
    except ImportError as error:
        pytest.skip(f"{case.distribution} needs {error.name}")
    version, _, told = cells_of(case)[0].rpartition(" ")[2], None, cells_of(case)[3:]
    assert found.outcome != "wrong", found.said
    assert found.outcome != "AD901", found.said
    if case.version == version:
        expected = told[MODES.index(mode)]
        assert found.outcome in (WORKS if expected == "works" else (expected,)), found.said
