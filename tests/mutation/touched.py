"""A plugin of pytest: which lines of the project each test runs, and a choice of tests by that.

    ADTRANS_TOUCHED=to.pickle python -m pytest -p tests.mutation.touched ...      (Python 3.12)

A test that does not run a line does not notice that it is changed.
"""

from __future__ import annotations

import array
import os
import pickle
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TO = os.environ.get("ADTRANS_TOUCHED")


@dataclass(frozen=True)
class Touched:
    """`numbers`: of (file, line); `tests`: seconds and the numbers of lines, by test."""

    numbers: dict[tuple[str, int], int]
    tests: dict[str, tuple[float, array.array[int]]]

    def by(self, file: str, lines: range) -> list[str]:
        """The tests that run one of the lines, quickest first; those that run anything of the file
        where there are none, because what is there runs when it is imported."""
        wanted = {n for (f, k), n in self.numbers.items() if f == file and k in lines}
        found = self.running(wanted)
        if not found:
            found = self.running({n for (f, _), n in self.numbers.items() if f == file})
        return found

    def running(self, wanted: set[int]) -> list[str]:
        found = [(t, name) for name, (t, ran) in self.tests.items() if not wanted.isdisjoint(ran)]
        return [name for _, name in sorted(found)]


def load(path: Path) -> Touched:
    with path.open("rb") as file:
        return Touched(*pickle.load(file))


class _Recorder:
    """Notes each line once per test, which costs next to nothing (PEP 669)."""

    def __init__(self, to: str) -> None:
        self.to, self.here = to, os.getcwd() + os.sep
        self.seen: set[tuple[str, int]] = set()
        self.numbers: dict[tuple[str, int], int] = {}
        self.tests: dict[str, tuple[float, array.array[int]]] = {}
        self.monitoring = sys.monitoring  # type: ignore[attr-defined]  # Python 3.12
        self.monitoring.use_tool_id(3, "touched")
        line = self.monitoring.events.LINE
        self.monitoring.register_callback(3, line, self.line)
        self.monitoring.set_events(3, line)

    def line(self, code: object, number: int) -> object:
        file: str = code.co_filename  # type: ignore[attr-defined]  # a code object
        if file.startswith(self.here):
            self.seen.add((file.removeprefix(self.here), number))
        return self.monitoring.DISABLE

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.seen.clear()
        self.monitoring.restart_events()
        start = time.process_time()
        yield
        seconds = time.process_time() - start
        ran = [self.numbers.setdefault(k, len(self.numbers)) for k in self.seen]
        self.tests[item.nodeid] = seconds, array.array("i", ran)

    def pytest_sessionfinish(self) -> None:
        with open(self.to, "wb") as file:
            pickle.dump((self.numbers, self.tests), file)


def pytest_configure(config: pytest.Config) -> None:
    if TO is not None:
        config.pluginmanager.register(_Recorder(TO))
