"""The two ways check each other: a sample of all programs; `pytest -m slow` runs them all.

`python -m tests.both_ways` does the same with any number of random programs.
"""

from __future__ import annotations

import pytest

from tests.all_programs import SUITES, Program, drawn
from tests.both_ways import Verdict, judged

NAMES = [(suite, p.name) for suite in ("corpus", "features", "law") for p in SUITES[suite]()]
IN_PIECES = [NAMES[k : k + 25] for k in range(0, len(NAMES), 25)]


def program(suite: str, name: str) -> Program:
    return next(p for p in SUITES[suite]() if p.name == name)


def bad(found: list[Verdict]) -> list[str]:
    return [f"{v.program} {v.way} {v.question} {v.how}: {v.word} {v.said}" for v in found if v.bad]


def is_a_program(p: Program) -> bool:
    """Can it be called at all, and by what it is differentiated? Those of bad input cannot."""
    return not p.name.startswith("bad-")


@pytest.mark.parametrize("remainder", range(4))
def test_recorded_alone(remainder: int) -> None:
    """A thirteenth of the programs, against differences."""
    chosen = [p for suite in ("corpus", "features", "law") for p in SUITES[suite]()]
    for p in filter(is_a_program, chosen[remainder * 13 :: 52]):
        assert not bad(judged(p, ["recorded"], ("gradient", "tangent"), ("save",)))


@pytest.mark.parametrize(("suite", "name"), NAMES[::149], ids=lambda v: str(v))
def test_a_sample(suite: str, name: str) -> None:
    p = program(suite, name)
    if is_a_program(p):
        assert not bad(judged(p, ["compiled", "recorded"], hows=("refuse",)))


@pytest.mark.parametrize("seed", range(700, 716))
def test_random_programs(seed: int) -> None:
    assert not bad(judged(drawn(seed, ""), ["compiled", "recorded"], hows=("refuse",)))


@pytest.mark.slow
@pytest.mark.parametrize("piece", IN_PIECES, ids=lambda piece: piece[0][1])
def test_every_program(piece: list[tuple[str, str]]) -> None:
    questions = ("gradient", "tangent", "second")
    for suite, name in piece:
        p = program(suite, name)
        if is_a_program(p):
            assert not bad(judged(p, ["compiled", "recorded"], questions))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 11_000, 50))
def test_more_random_programs(first: int) -> None:
    for seed in range(first, first + 50):
        assert not bad(judged(drawn(seed, ""), ["compiled", "recorded"]))
