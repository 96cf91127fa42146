"""What holds for the whole suite."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    """Looking for cycles in all that was compiled, again and again, takes a tenth of the time."""
    gc.set_threshold(200_000, 50, 100)


@pytest.fixture(autouse=True, scope="module")
def forgotten() -> Iterator[None]:
    """What the tests of a module compiled goes with them: together it would fill gigabytes."""
    yield
    dispatch = sys.modules.get("adtrans.dispatch")
    if dispatch is not None:
        dispatch.forget_versions(reports=True)
