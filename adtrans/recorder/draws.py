"""Draws that only move what they are given: `choice`, `shuffle`, `permutation` and `permuted`.

Which elements go where is drawn for their places, with the same random numbers; the elements are
then taken as any index takes them.

>>> import numpy as np
>>> a = np.array([1.0, 2.0, 3.0])
>>> drawn(np.random.default_rng(0), "permutation", (a,), {}).tolist()
[3.0, 1.0, 2.0]
>>> np.random.default_rng(0).permutation(a).tolist()
[3.0, 1.0, 2.0]
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from adtrans.recorder import arrays, stores
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray
NAMES = frozenset({"choice", "shuffle", "permutation", "permuted"})


def drawn(generator: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`generator.name(array, ...)` of an array that varies.

    Raises:
        CompileError: AD401 where the places cannot be drawn as the elements would be.
    """
    a, *rest = args
    if name == "shuffle" and isinstance(a, list):
        return generator.shuffle(a, *rest, **kwargs)  # its items are moved as they are
    if not isinstance(a, _ndarray):
        refuse(f"`{name}` of a {type(a).__name__}", "only arrays are followed")
    out, twin = kwargs.get("out"), copy.deepcopy(generator)
    into = kwargs if out is None else {**kwargs, "out": out.copy("K")}
    expected = _plainly(twin, name, a.copy("K"), rest, into)
    places = np.arange(a.size).reshape(a.shape)  # of the elements, laid out flat
    order = _plainly(generator, name, places, rest, {k: v for k, v in kwargs.items() if k != "out"})
    found = arrays.getitem(arrays.call(np.ravel, a), order)
    if not np.array_equal(found, expected, equal_nan=True):
        refuse(f"`{name}`", "the places of its elements are drawn in another way")
    if name == "shuffle":
        stores.setitem(a, ..., found)
        return None
    if out is not None:
        stores.setitem(out, ..., found)
        return out
    return found


def _plainly(
    generator: Any, name: str, a: Any, rest: list[Any], kwargs: Mapping[str, Any]
) -> Any:
    found = getattr(generator, name)(a, *rest, **kwargs)
    return a if name == "shuffle" else found
