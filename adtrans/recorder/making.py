"""Arrays made of lists that hold active numbers and arrays.

>>> array([[1.0, 2.0], [3.0, 4.0]]).shape
(2, 2)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import protocols, texts
from adtrans.recorder.arrays import _levels, _place, leaves_of, operand_in, plain_of
from adtrans.recorder.boxes import BOXES, unboxed
from adtrans.recorder.memory import STATE
from adtrans.recorder.recorded_refusals import refuse

MAKERS: tuple[Any, ...] = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray)
"""Functions that make arrays of nested sequences."""


def array(v: Any, *args: Any, maker: Callable[..., Any] = np.array, **kwargs: Any) -> Any:
    """`np.array` of nested lists and tuples."""
    if BOXES:
        v = unboxed(v)
    if protocols.met((v,)):
        dtype = args[0] if args else kwargs.get("dtype")
        v = protocols.opened(v, dtype is not None and np.dtype(dtype).kind in "fc")
    leaves: list[tuple[tuple[Any, ...], Any]] = []
    leaves_of(v, (), leaves)
    y = maker(plain_of(v), *args, **kwargs)
    if y.dtype.kind == "O":
        return maker(v, *args, **kwargs) if leaves else y  # its items stay what they are
    if leaves and y.dtype.kind in "UST":
        texts.note_elements(y)
    elif STATE.texts and y.dtype.kind in "fc":
        texts.check(v)
    if leaves and y.dtype.names is not None:
        refuse("a structured array", "it is made of tuples; write its fields")
    if not leaves or y.dtype.kind not in "fc":
        return y
    for level in _levels([leaf for _, leaf in leaves]):
        parts = []
        for path, leaf in leaves:
            found = operand_in(leaf, level)
            if found is not None:
                lead = y.ndim - len(path) - np.ndim(leaf)  # `ndmin=`
                parts.append(((0,) * lead + path, found))
        level.assemble(_place(y, level), parts)
    return y
