"""Places in a table on a grid that are written out, as the array that SciPy makes of them.

table((a, b))   ->   table(np.stack(np.broadcast_arrays(a, b), axis=-1))
table([a, b])   ->   table(np.array([a, b]))
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import gast
import numpy as np

from adtrans.rules.scipy_grids import is_table


def given(node: gast.AST, meaning: Callable[[gast.AST], object]) -> gast.expr | None:
    """The places, written out, that a table is called with."""
    match node:
        case gast.Call(func=of, args=[gast.Tuple(elts=parts) | gast.List(elts=parts) as places],
                       keywords=[]) if parts:  # fmt: skip
            spread = any(isinstance(p, gast.Starred) for p in parts)
            return places if not spread and is_table(type(meaning(of))) else None
    return None


def as_array(places: gast.expr, call: Callable[..., gast.Call]) -> gast.Call:
    """The array; `call` makes a call of an object."""
    if isinstance(places, gast.List):
        return call(np.array, "array", [copy.deepcopy(places)])
    assert isinstance(places, gast.Tuple)
    alike = call(np.broadcast_arrays, "alike", copy.deepcopy(places.elts))
    last = gast.UnaryOp(gast.USub(), gast.Constant(1, None))
    return call(np.stack, "stacked", [alike], [gast.keyword("axis", last)])
