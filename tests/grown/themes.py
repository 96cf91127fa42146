"""The themes of grown programs, and the program of a seed."""

from __future__ import annotations

import random
from typing import Any

from tests.grown.control import CONTROL
from tests.grown.growing import Grown, Theme, arguments
from tests.grown.integers import INTEGERS
from tests.grown.outside import OUTSIDE
from tests.grown.owners import OWNERS
from tests.grown.sequences import SEQUENCES
from tests.grown.views import VIEWS

THEMES = (VIEWS, INTEGERS, SEQUENCES, OWNERS, CONTROL, OUTSIDE)
MIXED = Theme(
    "everything",
    tuple(s for t in THEMES for s in t.statements),
    "\n".join(t.helpers for t in THEMES),
    tuple(s for t in THEMES for s in t.makers),
    tuple(s for t in THEMES for s in t.start),
)
ALL = (*THEMES, MIXED)


def grown(theme: Theme, seed: int) -> tuple[str, tuple[Any, ...]]:
    """The text of the program of a seed, and its arguments.

    Each program uses some of the statements only, so that these meet each other more often.
    """
    rng = random.Random(f"{theme.name} {seed}")
    args = arguments(rng, theme.layouts)
    few = tuple(rng.sample(theme.statements, min(len(theme.statements), rng.choice((6, 9, 14)))))
    basic = ("$new = $v", "$new = $a * 1.0", "$A[$i] = $v", "$A *= $v")
    text = Grown(theme, 2 * few + basic, rng, args).grow(2 + seed % 9)
    return text, args
