"""What holds for the whole suite."""

from __future__ import annotations

import gc


def pytest_configure() -> None:
    """A process remembers what its tests compiled: to look through all of that for cycles again
    and again takes a tenth of the time."""
    gc.set_threshold(50_000, 20, 20)
