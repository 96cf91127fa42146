"""Random programs that divide in place: those of other generators, with other operators.

>>> print(in_place("    y[1:] *= w"))
    y[1:] /= 2.0 + np.sin(w)
"""

from __future__ import annotations

import random
import re

from tests import rich_programs

HELPERS = rich_programs.HELPERS
_IN_PLACE = re.compile(r"^(\s*)(\S.*?) [*+]= (.*)$", re.MULTILINE)


def in_place(source: str, rng: random.Random | None = None) -> str:
    """`source` with divisions for products and sums in place: for three of four, or for all."""

    def other(found: re.Match[str]) -> str:
        if rng is not None and rng.random() < 0.25:
            return found[0]
        return f"{found[1]}{found[2]} /= 2.0 + np.sin({found[3]})"

    return _IN_PLACE.sub(other, source)


def generate(rng: random.Random, budget: int = 9) -> str:
    """The source of a random function."""
    return in_place(rich_programs.generate(rng, budget), rng)
