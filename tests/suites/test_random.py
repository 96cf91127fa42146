"""Random programs: the right gradient or a clear error, in both modes; never a wrong number.

The same programs in every run. Many more: `python -m tests.exhaustive`.
"""

from __future__ import annotations

import inspect
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adtrans.testing import GradientMismatch
from tests import judging
from tests.judging import KINDS, Kind, Wrong, draw, failing, judge, shrunk

BLOCKS = 3
EACH = {
    "plain": 20, "rich": 20, "chosen": 20, "objects": 12, "nests": 6, "divided": 10, "mixed": 6,
    "wholes": 6, "sweeps": 10,
}  # fmt: skip
PASSING = {  # refuse, save, forward
    "plain": (0.4, 0.7, 0.95),
    "rich": (0.35, 0.6, 0.85),
    "chosen": (0.5, 0.85, 0.95),
    "objects": (0.4, 0.8, 0.9),
    "nests": (0.6, 0.6, 0.7),
    "divided": (0.3, 0.6, 0.85),
    "mixed": (0.4, 0.75, 0.75),
    "wholes": (0.55, 1.0, 1.0),
    "sweeps": (0.3, 1.0, 1.0),
}
BY_NAME = [pytest.param(kind, id=kind.name) for kind in KINDS]


@pytest.mark.parametrize("kind", BY_NAME)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_seeded_programs(kind: Kind, block: int) -> None:
    """Enough of them must get through, or nothing is tested."""
    each = EACH[kind.name]
    found = [judge(draw(kind, seed), kind) for seed in range(block * each, (block + 1) * each)]
    tried = [f for f in found if f]
    assert len(tried) > 0.7 * each
    for mode, share in zip(("refuse", "save", "forward"), PASSING[kind.name], strict=True):
        passed = sum(f[mode] == "ok" for f in tried)
        assert passed >= (share - 0.25) * len(tried), (mode, Counter(f[mode] for f in tried))


@pytest.mark.slow
@pytest.mark.parametrize("kind", BY_NAME)
@pytest.mark.parametrize("block", range(20))
def test_many_programs(kind: Kind, block: int) -> None:
    for seed in range(10_000 + 250 * block, 10_250 + 250 * block):
        judge(draw(kind, seed), kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BY_NAME)
@given(rng=st.randoms(use_true_random=False))
@settings(
    deadline=None, database=None, suppress_health_check=list(HealthCheck), max_examples=2000
)
def test_programs_found_by_search(kind: Kind, rng) -> None:
    judge(kind.generate(rng, 8), kind)


def test_a_program_that_goes_wrong_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "def f(x, b, w):\n    s = 0.5\n    b = b * 1.0\n    for i in range(2):\n"
        "        b[i] += s\n        x = np.tanh(x) * w\n    return np.sum(x) + np.sum(b)\n"
    )
    plain = KINDS[0]
    assert judge(source, plain) == {"refuse": "ok", "save": "ok", "forward": "ok"}

    def mismatch(f, args, **how) -> None:
        if "tanh" in inspect.getsource(f):
            raise GradientMismatch("as if the rule were wrong")

    monkeypatch.setattr(judging, "check_grads", mismatch)
    with pytest.raises(Wrong, match="as if"):
        judge(source, plain)
    small = "def f(x, b, w):\n    x = np.tanh(x) * w\n    return np.sum(x) + np.sum(b)\n"
    assert shrunk(source, failing(plain)) == small


def test_a_program_that_does_not_end_is_left() -> None:
    endless = "def f(x, b, w):\n    while True:\n        x = x * 1.0\n    return np.sum(x)\n"
    assert not failing(KINDS[0], seconds=0.2)(endless)
