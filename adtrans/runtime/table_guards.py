"""Tables of constants, and methods, are what they were for the derivative."""

from __future__ import annotations

from typing import Any

from adtrans.runtime.failures import DerivativeError, MutationError


def check_constants(table: Any, text: str) -> None:
    """Raise `MutationError` if a list or a dictionary of numbers and texts is not what it was.

    >>> check_constants({"W": (2, 3)}, "{'W': (2, 3)}")
    >>> check_constants(["a", "b"], "['a']")
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: a table of constants changed while it was in use [AD606]
    """
    if repr(table) != text:
        raise MutationError("a table of constants changed while it was in use")


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
