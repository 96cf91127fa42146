"""The exit codes, and the error that means: the command was used wrongly.

>>> FINE, FINDINGS, USAGE, MISMATCH, INTERNAL
(0, 1, 2, 3, 70)
"""

from __future__ import annotations

FINE = 0
FINDINGS = 1
USAGE = 2
MISMATCH = 3
INTERNAL = 70


class UsageError(Exception):
    """What was typed cannot be meant; the message says why."""
