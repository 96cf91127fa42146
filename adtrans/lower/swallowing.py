"""Context managers that never end an exception of their block."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable

import gast
import numpy as np

from adtrans.runtime import derivative

TRUSTED = (
    np.errstate, np.printoptions, warnings.catch_warnings, contextlib.nullcontext,
    contextlib.closing, contextlib.redirect_stdout, contextlib.redirect_stderr, open,
    derivative,
)  # fmt: skip


def may_swallow(context: gast.expr, means: Callable[[gast.AST], object]) -> bool:
    """Whether control may go on behind a `with` of which the block ended in an exception.

    >>> def swallows(text):
    ...     return may_swallow(gast.parse(text).body[0].value, lambda n: eval(gast.unparse(n)))
    >>> swallows("contextlib.suppress(ValueError)"), swallows("warnings.catch_warnings()")
    (True, False)
    """
    meant = means(context.func) if isinstance(context, gast.Call) else None
    return not any(meant is m for m in TRUSTED)
