"""The errors that run-time checks of generated code raise, and the base of all of adtrans.

>>> issubclass(MutationError, AdtransError), issubclass(MutationError, RuntimeError)
(True, True)
"""

from __future__ import annotations

from typing import Any


class AdtransError(Exception):
    """Base of all errors that adtrans raises itself.

    `diagnostics`: what it says, as objects, where adtrans knows more than the text.
    """

    diagnostics: tuple[Any, ...] = ()


class CallError(AdtransError):
    """An error of a call: one line, with a code at its end.

    `vague`: its diagnostic says no more than from where the call was made.

    >>> print(MutationError("line 7 overwrites it"))
    line 7 overwrites it [AD606]
    """

    code = "AD603"
    vague = False

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code

    def __str__(self) -> str:
        text = super().__str__()
        return text if f"[{self.code}]" in text else f"{text} [{self.code}]"


class MutationError(CallError, RuntimeError):
    """A value that the derivative needs was overwritten; no gradient was returned."""

    code = "AD606"


class DerivativeError(CallError, ArithmeticError):
    """There is no derivative for the values of this call; none was returned."""


class derivative:
    """Around tangents inside a `try`: what goes wrong in them is no exception of the primal's.

    >>> with derivative():
    ...     1.0 / 0.0
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.DerivativeError: the tangent: float division by zero [AD603]
    """

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raises `DerivativeError` for any other exception."""
        if isinstance(error, Exception) and not isinstance(error, AdtransError):
            raise DerivativeError(f"the tangent: {error}") from error
