"""Mutation testing of the analyser: each rule of it, when it is disabled, makes some test fail.

    python -m tests.mutants [--only NAME ...] [--files FILE ... | --facts] [--log FILE] [--jobs N]

A mutant is one change of one place: those of `tests/mutation/rules.py`, `outside.py`
and `further.py`; with `--files` all that
`tests/mutation/dropped.py` makes from these files; with `--facts` each entry of the registry that
says which result is a view of which argument, and what is written (`tests/mutation/facts.py`).
Its tests are run in a fork of one process that has collected them, the likely ones first: those
that it names, those that noticed mutants of the same file, then all that run the changed lines.
What is changed outside of functions is changed in a copy of the project. A mutant that survives is
a rule that nothing tests, or that nothing needs.

With `--log` what was found is written down, and not asked again. Which tests run which lines is
found out first, and kept, with `--touched FILE` (Python 3.12, see `tests/mutation/touched.py`).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mutation.dropped import of_files
from tests.mutation.facts import BY, facts
from tests.mutation.forked import LATE, Forks
from tests.mutation.further import FURTHER
from tests.mutation.model import ROOT, Mutant
from tests.mutation.outside import OUTSIDE
from tests.mutation.rules import MUTANTS as RULES
from tests.mutation.touched import Touched, load

__all__ = ["MUTANTS", "ROOT", "Mutant", "run"]

PARTS = ("adtrans", "tests", "benchmarks", "examples", "docs", "pyproject.toml", "README.md")
EVERYTHING = (
    "tests/analyses", "tests/suites/test_corpus.py", "tests/suites/test_oracle.py",
    "tests/driver/test_decided.py",
    "tests/runtime", "tests/memory/test_checks.py",
    "tests/language/exceptions/test_exceptions.py", "tests/api/test_fixes.py",
    "tests/language/objects/test_objects.py", "tests/numpy/test_reality.py",
    "tests/memory/test_saving.py",
    "tests/modes/test_second_order.py", "tests/modes/test_second_order_containers.py",
    "tests/api/test_threads.py",
    "tests/memory/test_changed_containers.py", "tests/memory/test_class_data.py",
    "tests/language/order/test_conditions.py",
    "tests/memory/test_read_again.py", "tests/memory/test_run_once.py",
    "tests/language/containers/test_joined_lists.py",
    "tests/modes/test_second_order_objects.py", "tests/language/containers/test_values_or_none.py",
)  # fmt: skip
MUTANTS = (*RULES, *FURTHER, *OUTSIDE)
PLAIN = ("-p", "no:cacheprovider", "-p", "no:terminal")
Told = Callable[[Mutant, str], None]


class Chooser:
    """Which tests are run for a mutant, and in which order."""

    def __init__(self, touched: Touched | None, seconds: float) -> None:
        self.touched, self.seconds = touched, seconds
        self.noticed: dict[str, list[str]] = {}

    def __call__(self, mutant: Mutant, known: set[str]) -> list[str]:
        named = sorted(t for t in known if mutant.by and t.startswith(mutant.by))
        rest, likely = sorted(known), self.noticed.get(mutant.file, [])[::-1]
        if self.touched is not None and mutant.put is None:
            text = (ROOT / mutant.file).read_text()
            running = set(self.touched.by(mutant.file, mutant.lines(text)))
            rest = [t for t in rest if t in running]
            likely, named = (
                [t for t in some if t in running or t not in self.touched.tests]
                for some in (likely, named)
            )
        soon = likely[: 0 if mutant.put is not None else 8]
        order = dict.fromkeys([
            *soon, *self.mixed(named, mutant), *likely, *self.mixed(rest, mutant)
        ])
        return self.affordable(list(order))

    def mixed(self, tests: list[str], mutant: Mutant) -> list[str]:
        """In an order by chance, in which quick tests are likely to come early."""
        drawn = random.Random(mutant.name)
        seconds = {} if self.touched is None else self.touched.tests
        chance = {t: drawn.expovariate(1.0) * (seconds.get(t, (0.1,))[0] + 0.05) for t in tests}
        return sorted(tests, key=chance.__getitem__)

    def affordable(self, tests: list[str]) -> list[str]:
        """As many of the tests as there is time for."""
        if self.touched is None:
            return tests
        spent, found = 0.0, []
        for t in tests:
            spent += self.touched.tests[t][0] if t in self.touched.tests else 0.1
            if spent > self.seconds:
                break
            found.append(t)
        return found

    def learn(self, mutant: Mutant, by: str) -> None:
        """Remember what noticed a mutant: it may notice another one of the same file."""
        found = self.noticed.setdefault(mutant.file, [])
        by = by.removesuffix(LATE)
        if by and by not in found:
            found.append(by)


def run(
    mutants: tuple[Mutant, ...],
    told: Told,
    *,
    tests: tuple[str, ...] = EVERYTHING,
    jobs: int = 1,
    chooser: Chooser | None = None,
) -> None:
    """Try the mutants; `told` gets each with what noticed it, "" for a survivor."""
    choose, outside = chooser or Chooser(None, 0.0), []

    def found(mutant: Mutant, by: str) -> None:
        if by == "?":
            outside.append(mutant)
            return
        choose.learn(mutant, by)
        told(mutant, by)

    os.chdir(ROOT)
    pytest.main([*PLAIN, *tests], plugins=[Forks(mutants, choose, found, jobs)])
    if outside:
        in_copies(outside, told, tests)


def in_copies(mutants: list[Mutant], told: Told, tests: tuple[str, ...]) -> None:
    """The same in a copy of the project, where everything is imported again for each mutant."""
    with tempfile.TemporaryDirectory() as where:
        home = Path(where)
        skipped = shutil.ignore_patterns("__pycache__", ".*")
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, home / part, ignore=skipped)
            else:
                shutil.copy(source, home / part)
        for mutant in mutants:
            path = home / mutant.file
            original = path.read_text()
            path.write_text(mutant.applied(original))
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
            done = subprocess.run(command, cwd=home, capture_output=True, check=False)
            path.write_text(original)
            told(mutant, " ".join(tests) if done.returncode else "")


def known(log: Path | None) -> dict[str, str]:
    """What was found before."""
    if log is None or not log.exists():
        return {}
    entries = (json.loads(line) for line in log.read_text().splitlines())
    return {e["name"]: e["by"] for e in entries}


def sampled(mutants: list[Mutant], most: int) -> list[Mutant]:
    """So many mutants of each file, the same ones each time."""
    files: dict[str, list[Mutant]] = {}
    for m in mutants:
        files.setdefault(m.file, []).append(m)
    return [
        m for f, found in files.items()
        for m in random.Random(f).sample(found, min(most, len(found)))
    ]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="*", default=None, help="parts of names")
    parser.add_argument("--files", nargs="*", default=None, help="parts of paths in `adtrans`")
    parser.add_argument("--sample", type=int, default=None, help="only so many of each file")
    parser.add_argument("--log", type=Path, default=None, help="results, a line of JSON each")
    parser.add_argument("--touched", type=Path, default=None, help="which test runs which line")
    parser.add_argument("--facts", action="store_true", help="what rules say about memory")
    parser.add_argument("--tests", nargs="*", default=None, help="what may notice a mutant")
    parser.add_argument("--seconds", type=float, default=1e9, help="for the tests of one mutant")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args(argv)
    os.environ.pop("PYTEST_ADDOPTS", None)  # what is found is read from pytest's output
    every, tests = MUTANTS, chosen.tests
    if chosen.files is not None:
        every = tuple(of_files(chosen.files))
    elif chosen.facts:
        every, tests = facts(), tests or BY
    parts = [""] if chosen.only is None else chosen.only
    wanted = [m for m in every if any(part in m.name for part in parts)]
    if chosen.sample is not None:
        wanted = sampled(wanted, chosen.sample)
    if chosen.list:
        print(*(f"{m.file}: {m.name}" for m in wanted), sep="\n")
        return 0
    results = known(chosen.log)
    touched = None if chosen.touched is None else load(chosen.touched)

    def told(mutant: Mutant, by: str) -> None:
        results[mutant.name] = by
        print(f"{'noticed ' if by else 'SURVIVES'}  {mutant.name}", flush=True)
        if chosen.log is not None:
            with chosen.log.open("a") as log:
                print(json.dumps({"name": mutant.name, "by": by}), file=log)

    new = tuple(m for m in wanted if m.name not in results)
    if new:
        chooser = Chooser(touched, chosen.seconds)
        run(new, told, tests=tuple(tests or EVERYTHING), jobs=chosen.jobs, chooser=chooser)
    survivors = [m.name for m in wanted if not results[m.name]]
    print(f"{len(wanted) - len(survivors)} of {len(wanted)} noticed", *survivors, sep="\n  ")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
