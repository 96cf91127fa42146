"""Tables of functions, and methods, are what they were for the derivative."""

from __future__ import annotations

from operator import is_
from typing import Any

from adtrans.runtime.failures import DerivativeError, MutationError


def check_table(table: Any, held: tuple[Any, ...]) -> None:
    """Raise `MutationError` if a list or a dictionary no longer holds what it held.

    `held`: its items; of a dictionary pairs of keys and values.

    >>> check_table([len, abs], (len, abs))
    >>> check_table({"a": len}, (("a", abs),))
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.MutationError: a table of functions changed while it was in use [AD606]
    """
    if isinstance(table, dict):
        same = tuple(table) == tuple(k for k, _ in held) and all(
            map(is_, table.values(), (v for _, v in held))
        )
    else:
        same = len(table) == len(held) and all(map(is_, table, held))
    if not same:
        raise MutationError("a table of functions changed while it was in use")


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
