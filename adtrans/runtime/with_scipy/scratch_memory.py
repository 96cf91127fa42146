"""Operands that SciPy may use as scratch memory, and results that lie in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


def can_be_written(a: Any) -> bool:
    """Whether SciPy may use an operand as scratch memory; others it has to leave as they are."""
    return isinstance(a, np.ndarray) and a.flags.writeable


def scratch_of(a: Any) -> Any:
    """A copy with the strides and flags of an operand: on them it depends whether SciPy writes to
    it."""
    made = _with_strides(a)
    if isinstance(a, np.ndarray):
        made.flags.writeable = a.flags.writeable
    return made


def _with_strides(a: Any) -> Any:
    if not isinstance(a, np.ndarray) or a.size == 0 or a.flags.forc:
        return np.copy(a)
    reach = [(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)]
    low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    memory = np.empty(high - low + a.itemsize, np.uint8)
    made: Any = np.ndarray(a.shape, a.dtype, memory, -low, a.strides)
    made[...] = a
    return made


def lies_in(found: Any, work: Any, a: Any) -> bool:
    """Whether SciPy returned the scratch memory that stands for the operand `a`.

    Raises:
        DerivativeError: if it returned a part of it.
    """
    if not can_be_written(a) or not isinstance(found, np.ndarray):
        return False
    if not np.may_share_memory(found, work):
        return False
    if _place(found) != _place(work):
        raise DerivativeError(
            "SciPy returns a part of the memory of an operand, which is overwritten: leave the "
            "`overwrite_...` flag out, or pass a copy",
            code="AD606",
        )
    return True


def held_in(a: Any, found: Any) -> Any:
    """The operand `a` as SciPy returns it: of some functions the result cannot be written."""
    view = a[...]
    view.flags.writeable = found.flags.writeable
    return view


def _place(a: Any) -> tuple[object, ...]:
    return a.__array_interface__["data"][0], a.shape, a.strides, a.dtype


def left_over(work: Any) -> Any:
    """What a primitive left in its scratch memory: nothing that its documentation says."""
    return work


def left_over_pullback(g: Any) -> Any:
    """The adjoint of what was left: none, because it is not known what that is.

    Raises:
        DerivativeError: if the result depends on it.
    """
    if np.any(g):
        raise DerivativeError(
            "an array is read after a call with `overwrite_a=True` or the like, which may have "
            "left anything in it: leave the flag out",
            code="AD606",
        )
    return np.zeros(np.shape(g))
