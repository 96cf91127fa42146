"""Functions that remember what they have computed: `functools.cache`, `functools.lru_cache`.

For the same arguments, a later call returns the very object of the first, and nothing that the
function does happens again. Code that calls what is inside the cache does neither.
"""

from __future__ import annotations

import functools
import types

MEMO = "__adtrans_remembers__"
"""What adtrans makes of such a function carries this mark: whether it calls what is inside."""


def remembers(fn: object) -> bool:
    """Whether a function remembers its results, or stands for one that does.

    >>> remembers(functools.cache(len)), remembers(len)
    (True, False)
    >>> remembers(functools.partial(functools.cache(len), ()))
    True
    """
    for _ in range(100):
        if isinstance(fn, functools._lru_cache_wrapper):
            return True
        if isinstance(fn, types.MethodType | staticmethod | classmethod):
            fn = fn.__func__
        elif isinstance(fn, functools.partial):
            fn = fn.func
        else:
            break
    return isinstance(fn, types.FunctionType) and MEMO in vars(fn)


def is_inside(fn: object) -> bool:
    """Whether a function was made of one that remembers its results, and does not itself."""
    return isinstance(fn, types.FunctionType) and vars(fn).get(MEMO) is True
