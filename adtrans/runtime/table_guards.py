"""Methods are what they were for the derivative."""

from __future__ import annotations

from typing import Any

from adtrans.runtime.failures import DerivativeError


def check_method(found: Any, expected: Any) -> None:
    """Raise `DerivativeError` if an object has another method than the one that was written out, or
    another table than its class.

    >>> check_method(list.append, list.append)
    """
    if found is not expected:
        name = getattr(expected, "__qualname__", f"{type(expected).__name__} of its class")
        raise DerivativeError(
            f"an object has another `{name}`: the derivative was made for this one", code="AD601"
        )
