"""A recorded run keeps about as much as the compiled pullback of the same program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.kept import PROGRAMS, compiled_bytes, diffusion, recorded_bytes

X = np.linspace(0.1, 1.0, 20_000)


@pytest.mark.parametrize("f", [f for f in PROGRAMS if f is not diffusion])
def test_with_copies(f: Any) -> None:
    assert recorded_bytes(f, X, "save") <= 1.2 * compiled_bytes(f, X, "save")


def test_a_step_keeps_the_operands_of_its_product() -> None:
    """The factor, which compiled code computes again, and the part that is overwritten."""
    assert recorded_bytes(diffusion, X, "save") <= 45 * X.nbytes
