"""The attributes that an object has of its own, as a dictionary."""

from __future__ import annotations

from typing import Any

from adtrans.runtime.failures import DerivativeError


def attributes_of(obj: Any, asked: bool = True) -> dict[str, Any]:
    """A new dictionary of them: `dict(vars(obj))`, or `dict(obj.__dict__)` if it is not `asked`.

    >>> import types
    >>> attributes_of(types.SimpleNamespace(a=1.0))
    {'a': 1.0}
    """
    return dict(vars(obj)) if asked else dict(obj.__dict__)


def check_attributes(obj: Any, names: tuple[str, ...]) -> None:
    """Raise `DerivativeError` where an object has others than the derivative was made for.

    >>> import types
    >>> check_attributes(types.SimpleNamespace(a=1.0), ("a",))
    """
    own = getattr(obj, "__dict__", None)
    if own is None or tuple(own) != names:
        raise DerivativeError(
            f"the attributes of a `{type(obj).__name__}` are {list(own or ())} here, and the "
            f"derivative was made for {list(names)}",
            code="AD601",
        )
