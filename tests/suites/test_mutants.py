"""Rules of the analysis are tested: see `python -m tests.mutants` for all of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.mutants import MUTANTS
from tests.mutation.dropped import of_files
from tests.mutation.facts import facts
from tests.mutation.model import ROOT


def noticed(*options: str) -> str:
    """What the script says."""
    command = [sys.executable, "-m", "tests.mutants", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    return done.stdout


@pytest.mark.recorded
def test_every_mutant_is_a_change() -> None:
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) >= 120
    assert len({m.name for m in facts()}) == len(facts()) >= 400
    for m in [*MUTANTS, *of_files(["analyses/needs.py"])]:
        text = (ROOT / m.file).read_text()
        assert m.applied(text) != text


def test_a_mutant_is_noticed_by_its_tests_only() -> None:
    part = ("--only", "influence: part of an array", "--tests")
    assert "1 of 1 noticed" in noticed(*part, "tests/analyses/test_influence.py")
    assert "0 of 1 noticed" in noticed(*part, "tests/analyses/test_webs.py")


@pytest.mark.slow
def test_all_mutants_are_noticed() -> None:
    assert f"{len(MUTANTS)} of {len(MUTANTS)} noticed" in noticed()
