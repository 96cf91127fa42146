"""What becomes of a case: its derivative compared, refused with a code, or wrong."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.testing import check_grads
from adtrans.testing.checks import GradientMismatch
from tests.packages.model import Package

MODES = ("refuse", "save")


@dataclass(frozen=True)
class Fate:
    """`outcome` is `works`, the code of an error, or `wrong`; `said` is the error in one line."""

    outcome: str
    said: str = ""


def fate(case: Package, mode: str) -> Fate:
    """Run the case: value, side effects, pullback (twice), pushforward, inner product."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        program = case.make()
        try:
            check_grads(
                program.fn, program.args, wrt=program.wrt, on_overwrite=mode, **program.steps
            )
        except GradientMismatch as error:
            return Fate("wrong", str(error))
        except AdtransError as error:
            found = [d for d in error.diagnostics if d.severity == "error"]
            if not found:
                return Fate(type(error).__name__, str(error))
            return Fate(found[0].code, f"{found[0].primary.span}: {found[0].title}")
    return Fate("works")
