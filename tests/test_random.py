"""Random programs: the right gradient or a clear error, in both modes; never a wrong number.

Forward mode needs nothing that a program overwrites: it must be right for every one of them.
"""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adtrans.diagnostics.errors import CompileError, InputError, MutationError
from adtrans.testing import check_grads, finite_difference_vjp
from tests.programs import arguments, build, generate

MODES = ("refuse", "save", "forward")
PASSING = {"refuse": 0.25, "save": 0.5, "forward": 1.0}  # of the programs that can be judged
MAGNITUDE = 1e3
SETTINGS = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def is_well_behaved(f, args) -> bool:
    """Whether differences can tell the derivative: finite, moderate, no kink or jump nearby."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        coarse = finite_difference_vjp(f, args, 1.0, (0, 1, 2), eps=1e-4)
        fine = finite_difference_vjp(f, args, 1.0, (0, 1, 2), eps=2e-5)
    flat = [np.concatenate([np.ravel(g) for g in gs]) for gs in (coarse, fine)]
    bounded = np.all(np.isfinite(flat[0])) and np.max(np.abs(flat[0])) < MAGNITUDE
    return bool(bounded and np.allclose(*flat, rtol=1e-6, atol=1e-7))


def outcome(source: str, mode: str) -> str:
    """ "ok", the code of the error, or "skip"; raises for a wrong result, with the program.

    "forward" checks the pushforward alone, the other modes check both directions.
    """
    f, args = build(source), arguments()
    if not is_well_behaved(f, args):
        return "skip"
    how = {"modes": ("forward",)} if mode == "forward" else {"on_overwrite": mode}
    try:
        check_grads(f, args, wrt=(0, 1, 2), rtol=1e-5, atol=1e-6, **how)
    except (CompileError, InputError) as error:
        assert error.diagnostics, "an error without a diagnostic"
        return error.diagnostics[0].code
    except MutationError:
        return "MutationError"
    except Exception as error:
        raise AssertionError(f"in mode {mode}: {error}\n\n{source}") from error
    return "ok"


@pytest.mark.parametrize("mode", MODES)
@given(rng=st.randoms(use_true_random=False))
@settings(SETTINGS, max_examples=100, derandomize=True)
def test_small_programs(mode, rng):
    found = outcome(generate(rng, budget=5), mode)
    assert mode != "forward" or found in ("ok", "skip")


@pytest.mark.parametrize("mode", MODES)
def test_seeded_programs(mode):
    """The same programs in every run; enough of them must get through, or nothing is tested."""
    outcomes = [outcome(generate(random.Random(seed)), mode) for seed in range(150)]
    passed, tried = outcomes.count("ok"), len(outcomes) - outcomes.count("skip")
    assert tried > 120
    assert passed >= tried * PASSING[mode], sorted(outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("block", range(20))
def test_many_programs(mode, block):
    for seed in range(1000 + 250 * block, 1250 + 250 * block):
        found = outcome(generate(random.Random(seed), budget=4 + seed % 9), mode)
        assert mode != "forward" or found in ("ok", "skip"), seed


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@given(rng=st.randoms(use_true_random=False))
@settings(SETTINGS, max_examples=3000)
def test_programs_found_by_search(mode, rng):
    found = outcome(generate(rng, budget=8), mode)
    assert mode != "forward" or found in ("ok", "skip")
