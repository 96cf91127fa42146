"""Every rule, recorded: forwards and backwards against differences, and twice."""

from __future__ import annotations

from zlib import crc32

import pytest

from tests.recorder.rules import wrong
from tests.rules.every import ROUGH, samples
from tests.rules.test_every import CHOSEN, is_listed
from tests.rules.variants import ASPECTS

PARTS = 24


def part(k: int, of: int = PARTS) -> list[str]:
    """Some of the samples, always the same ones."""
    return [t for t in CHOSEN if crc32(t.encode()) % of == k]


@pytest.mark.parametrize("k", range(PARTS))
def test_samples(k: int) -> None:
    found = {}
    for text in part(k):
        variant = samples(text)[0]
        if not is_listed(text, variant) and (notes := wrong(text, variant)):
            found[text] = notes
    assert not found


@pytest.mark.slow
@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("k", range(PARTS))
def test_variants(k: int, aspect: str) -> None:
    found = {}
    for text in part(k):
        for variant in samples(text, aspect)[1:]:
            if is_listed(text, variant):
                continue
            notes = wrong(text, variant, ROUGH.get(variant.name.partition(":")[0], 2e-6))
            notes = [n for n in notes if not n.startswith("refused")]
            if notes:
                found[text, variant.name] = notes
    assert not found


@pytest.mark.parametrize("k", [
    k if k < 2 else pytest.param(k, marks=pytest.mark.slow) for k in range(4 * PARTS)
])  # fmt: skip
def test_twice(k: int) -> None:
    found = {}
    for text in part(k, 4 * PARTS):
        variant = samples(text)[0]
        notes = [n for n in wrong(text, variant, twice=True) if not n.startswith("refused")]
        if notes and not is_listed(text, variant):
            found[text] = notes
    assert not found
