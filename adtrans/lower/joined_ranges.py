"""Ranges among what `np.r_` and `np.c_` join: `np.r_[a:b:4j]` has `np.linspace(a, b, 4)`.

>>> import gast
>>> ends = gast.parse("np.r_[a:b:4j]").body[0].value.slice
>>> fn, given = range_of(ends)
>>> fn.__name__, [gast.unparse(g) for g in given]
('linspace', ['a', 'b', '4'])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np


def range_of(node: gast.Slice) -> tuple[Callable[..., Any], list[gast.expr]] | None:
    """The function that makes a range, and what it is given; None where the step is not written
    out."""
    start = node.lower or gast.Constant(0, None)
    if node.upper is None:
        return None
    match node.step:
        case gast.Constant(value=complex() as step):
            return np.linspace, [start, node.upper, gast.Constant(int(abs(step)), None)]
        case None:
            return np.arange, [start, node.upper]
        case (gast.Constant(value=int() | float())
              | gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() | float()))) as step:
            return np.arange, [start, node.upper, step]
    return None
