"""Checks that generated code makes where the analysis could not decide.

>>> import numpy as np
>>> a = np.zeros(4)
>>> check_no_overlap(a[:2], a[2:], "u", "v", "line 3", "line 5")
>>> check_no_overlap(a[:3], a[2:], "u", "v", "line 3", "line 5")
Traceback (most recent call last):
    ...
adtrans.runtime.errors.MutationError: `u` and `v` share memory: line 3 needs what line 5 overwrites
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.errors import MutationError


def overlaps(a: Any, b: Any) -> bool:
    """Whether two arrays share memory; in doubt (too much work to decide) yes.

    Anything but arrays shares nothing.
    """
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return False
    if not np.may_share_memory(a, b):
        return False
    try:
        work: Any = 10_000
        return np.shares_memory(a, b, max_work=work)
    except np.exceptions.TooHardError:
        return True


def check_no_overlap(a: Any, b: Any, a_name: str, b_name: str, use: str, write: str) -> None:
    """Raise `MutationError` if the arrays `a` and `b` share memory."""
    if overlaps(a, b):
        pair = f"`{a_name}` and `{b_name}` share memory"
        raise MutationError(f"{pair}: {use} needs what {write} overwrites")


def base_of(a: Any) -> Any:
    """The object that owns the memory of `a`.

    >>> x = np.zeros((2, 3))
    >>> base_of(x[0].reshape(3, 1)) is x
    True
    """
    while isinstance(a, np.ndarray) and a.base is not None:
        a = a.base
    return a


def shares_base(a: Any, b: Any) -> bool:
    """Whether `b` is `a` or a view of the same buffer, as after a `reshape` that need not copy."""
    return base_of(a) is base_of(b)
