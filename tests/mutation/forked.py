"""A plugin of pytest that runs, instead of the tests, mutants: each in a fork of the process that
has collected the tests, so that nothing is imported and collected again.

A test that notices a mutant is run once without one: it must pass then, or it tells nothing, and
the mutant is tried again without it.
"""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Callable, Iterable
from typing import NoReturn

import pytest

from tests.mutation.model import Mutant
from tests.mutation.swapped import put_in_place

SECONDS = 60  # of computing for one test, in which a mutant may run forever
LATE = " (too long)"

Chosen = Callable[[Mutant, set[str]], list[str]]
Told = Callable[[Mutant, str], None]


class Forks:
    """Asks `chosen` for the tests of a mutant, and tells `told` what noticed it, "" for none, "?"
    where the change cannot be made in a running process."""

    def __init__(self, mutants: Iterable[Mutant], chosen: Chosen, told: Told, jobs: int) -> None:
        self.waiting, self.chosen, self.told, self.jobs = list(mutants), chosen, told, jobs
        self.failed = False
        self.passing: set[str] = set()
        self.failing: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {i.nodeid: i for i in session.items}
        running = selectors.DefaultSelector()
        while self.waiting or running.get_map():
            while self.waiting and len(running.get_map()) < self.jobs:
                mutant = self.waiting.pop(0)
                tests = self.chosen(mutant, set(items) - self.failing)
                out, child = self.fork(mutant, [items[t] for t in tests])
                running.register(out, selectors.EVENT_READ, (mutant, child))
            for key, _ in running.select():
                mutant, child = key.data
                running.unregister(key.fd)
                by = answer(key.fd, child)
                if self.is_right(items.get(by.removesuffix(LATE))):
                    self.told(mutant, by)
                else:
                    self.waiting.insert(0, mutant)
        return True

    def is_right(self, item: pytest.Item | None) -> bool:
        """Whether a test passes without a mutant."""
        if item is None or item.nodeid in self.passing:
            return True
        right = answer(*self.fork(None, [item])) == ""
        (self.passing if right else self.failing).add(item.nodeid)
        return right

    def fork(self, mutant: Mutant | None, items: list[pytest.Item]) -> tuple[int, int]:
        """Run tests in a new process: where it writes its answer, and its number."""
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(out)
            self.try_out(mutant, items, into)
        os.close(into)
        return out, child

    def try_out(self, mutant: Mutant | None, items: list[pytest.Item], into: int) -> NoReturn:
        """Runs in the fork, and says what it found."""
        found = "an error"
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        try:
            found = "=" if mutant is None or put_in_place(mutant) else "?"
            for item in items if found == "=" else ():

                def late(*_: object, name: str = item.nodeid) -> None:
                    os.write(into, f"{name}{LATE}".encode())
                    os._exit(0)

                signal.signal(signal.SIGPROF, late)
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
                if self.failed:
                    found = item.nodeid
                    break
        finally:
            os.write(into, found.encode())
            os._exit(0)


def answer(out: int, child: int) -> str:
    """What a fork says that it found, "" for nothing."""
    said = os.read(out, 4096).decode()
    os.close(out)
    os.waitpid(child, 0)
    return said.removeprefix("=") if said else "an exit"
