"""The errors that run-time checks of generated code raise."""

from __future__ import annotations


class MutationError(RuntimeError):
    """A value that the derivative needs was overwritten; no gradient was returned."""


class DerivativeError(ArithmeticError):
    """There is no derivative for the values of this call; none was returned."""
