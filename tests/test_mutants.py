"""Rules of the analysis are tested: see `python -m tests.mutants` for all of them."""

from __future__ import annotations

import pytest

from tests.mutants import MUTANTS, ROOT, run

QUICK = [m for m in MUTANTS if m.by == ("tests/analyses/test_influence.py",)][:2]


def test_every_mutant_is_a_change() -> None:
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) >= 30
    for m in MUTANTS:
        text = (ROOT / m.file).read_text()
        assert m.applied(text) != text


def test_two_mutants_are_noticed() -> None:
    for mutant, noticed_by in run(tuple(QUICK), thorough=False):
        assert noticed_by, mutant.name


@pytest.mark.slow
def test_all_mutants_are_noticed() -> None:
    assert not [m.name for m, noticed_by in run(MUTANTS) if not noticed_by]
