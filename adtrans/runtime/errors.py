"""The error that a run-time check of generated code raises."""

from __future__ import annotations


class MutationError(RuntimeError):
    """A value that the derivative needs was overwritten; no gradient was returned."""
