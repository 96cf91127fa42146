"""What holds for the whole suite."""

from __future__ import annotations

import gc
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

LONG = Path(__file__).with_name("long_tests.txt")
SAMPLED = Path(__file__).with_name("sampled_tests.txt")
TESTS = Path(__file__).parent


def _lines(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def long_tests() -> list[str]:
    """The tests that are left to the slow run for nothing but their length."""
    return _lines(LONG)


def sampled_tests() -> dict[str, int]:
    """Tests with very many cases, of which one in so many is run by default."""
    return {name: int(share) for name, share in map(str.split, _lines(SAMPLED))}


def pytest_configure() -> None:
    """Looking for cycles in all that was compiled, again and again, takes a tenth of the time; so
    does looking at very many new objects at once, which do not fit into the caches."""
    gc.set_threshold(5_000, 20, 1_000)


def _unfollowed(path: Path) -> str:
    """What becomes of a function that is not compiled, in the tests of a file.

    The tests are those of the compiler, and expect its refusals; those of the recorder, of the
    pages and of what stands in docstrings are asked with what users get.
    """
    if path.name in ("test_docs.py", "test_features.py") or TESTS not in path.parents:
        return "record"
    return "record" if TESTS / "recorder" in path.parents else "refuse"


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Derivatives that a module makes at its top are made while it is collected."""
    if isinstance(collector, pytest.Module):
        _let(_unfollowed(collector.path))


def _let(what: str) -> None:
    from adtrans.driver import options

    options.UNFOLLOWED = what  # type: ignore[assignment]


@pytest.fixture(autouse=True, scope="module")
def unfollowed(request: pytest.FixtureRequest) -> None:
    """The tests of the compiler see its refusals, in place of a recorded run."""
    _let(_unfollowed(request.path))


@pytest.fixture(autouse=True)
def recorded(request: pytest.FixtureRequest, unfollowed: None) -> Iterator[None]:
    """The same for one test that says so: its programs are recorded, with the same results."""
    marked = request.node.get_closest_marker("recorded") is not None
    if marked:
        _let("record")
    yield
    if marked:
        _let(_unfollowed(request.path))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests are slow ones: what is named in one file need not be marked in many.

    Of tests with very many cases a sample is run by default, the same one each time.
    """
    long, shares = {*long_tests()}, sampled_tests()
    for item in items:
        share = shares.get(item.nodeid.partition("[")[0], 1)
        if item.nodeid in long or zlib.crc32(item.nodeid.encode()) % share:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="module")
def forgotten() -> Iterator[None]:
    """What the tests of a module compiled goes with them: together it would fill gigabytes."""
    yield
    dispatch = sys.modules.get("adtrans.dispatch.dispatcher")
    if dispatch is not None:
        dispatch.forget_versions(reports=True)
