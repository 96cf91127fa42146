"""The call of anything from rewritten source, for modules that `calls` is built on.

>>> from adtrans.recorder import calls
>>> call(len, [1, 2])
2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

REAL: list[Callable[..., Any]] = []
"""`calls.call`, which puts itself here."""


def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, recorded."""
    return REAL[0](f, *args, **kwargs)
