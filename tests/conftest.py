"""What holds for the whole suite."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

LONG = Path(__file__).with_name("long_tests.txt")


def long_tests() -> list[str]:
    """The tests that are left to the slow run for nothing but their length."""
    lines = LONG.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def pytest_configure() -> None:
    """Looking for cycles in all that was compiled, again and again, takes a tenth of the time; so
    does looking at very many new objects at once, which do not fit into the caches."""
    gc.set_threshold(5_000, 20, 1_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests are slow ones: what is named in one file need not be marked in many."""
    long = {*long_tests()}
    for item in items:
        if item.nodeid in long:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="module")
def forgotten() -> Iterator[None]:
    """What the tests of a module compiled goes with them: together it would fill gigabytes."""
    yield
    dispatch = sys.modules.get("adtrans.dispatch")
    if dispatch is not None:
        dispatch.forget_versions(reports=True)
