"""A plugin of pytest that runs, instead of the tests, mutants: each in a fork of the process that
has collected the tests, so that nothing is imported and collected again.
"""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Callable, Iterable
from typing import NoReturn

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.model import Mutant
from tests.mutation.swapped import put_in_place

SECONDS = 60  # for one test, in which a mutant may run forever

Chosen = Callable[[Mutant, set[str]], list[str]]
Told = Callable[[Mutant, str], None]


class Forks:
    """Asks `chosen` for the tests of a mutant, and tells `told` what noticed it, "" for none, "?"
    where the change cannot be made in a running process."""

    def __init__(self, mutants: Iterable[Mutant], chosen: Chosen, told: Told, jobs: int) -> None:
        self.waiting, self.chosen, self.told, self.jobs = list(mutants), chosen, told, jobs

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {i.nodeid: i for i in session.items}
        known = set(items)
        running = selectors.DefaultSelector()
        while self.waiting or running.get_map():
            while self.waiting and len(running.get_map()) < self.jobs:
                mutant = self.waiting.pop(0)
                tests = [items[t] for t in self.chosen(mutant, known)]
                out, into = os.pipe()
                child = os.fork()
                if child == 0:
                    os.close(out)
                    _tried(mutant, tests, into)
                os.close(into)
                running.register(out, selectors.EVENT_READ, (mutant, child))
            for key, _ in running.select():
                mutant, child = key.data
                said = os.read(key.fd, 4096).decode()
                running.unregister(key.fd)
                os.close(key.fd)
                os.waitpid(child, 0)
                self.told(mutant, said.removeprefix("=") if said else "an exit")
        return True


def _tried(mutant: Mutant, items: list[pytest.Item], into: int) -> NoReturn:
    """Runs in the fork, and says what it found."""
    answer = "an error"
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        answer = "=" if put_in_place(mutant) else "?"
        for item in items if answer == "=" else ():

            def late(*_: object, name: str = item.nodeid) -> None:
                os.write(into, f"{name} (too long)".encode())
                os._exit(0)

            signal.signal(signal.SIGALRM, late)
            signal.alarm(SECONDS)
            if any(r.failed for r in runtestprotocol(item, nextitem=None, log=False)):
                answer = item.nodeid
                break
    finally:
        os.write(into, answer.encode())
        os._exit(0)
