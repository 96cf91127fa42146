"""Functions of installed packages: which are differentiated, and what stops the others.

    python -m tests.packages                # one line for each, in both modes
    python -m tests.packages filterpy       # these only, with the errors
    python -m tests.packages --write        # into docs/packages.md; with words, these rows only
    python -m tests.packages --log=found    # each result into a file at once; what is there is done
    python -m tests.packages --limit=60     # each in a process that may compute for so many seconds

A function is taken as it is installed. Its derivative is compared with central differences in every
element, the pushforward with the pullback by their inner products, and the value, what is printed,
the arguments and a second call of the pullback with the function itself.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.documents import ROOT
from tests.packages.collection import CASES
from tests.packages.model import Package
from tests.packages.run import MODES, WORKS, Fate, alone, fate

PAGE = ROOT / "docs" / "packages.md"

_INTRODUCTION = """# Other people's packages

Functions of installed packages, differentiated as they are; written by
`python -m tests.packages --write`. They were chosen for what they exercise, not because they work.
Each was compared with central differences in every element, forwards and backwards, with its own
value and side effects, and with a second call of the pullback. `pip install '.[packages]'` installs
the packages, `pytest -m packages` runs the comparison; the ordinary test run leaves it out.
What the compiler cannot follow is [recorded](recorded.md); of some it was not noted which way.
"""


def row(case: Package, fates: Iterable[Fate]) -> list[str]:
    """The cells of a case."""
    name = f"`{case.name}`"
    version = case.version or told_versions()[case.distribution]
    package = f"{case.distribution} {version}"
    return [package, name, case.exercises, *(f.outcome for f in fates)]


def counted(found: list[list[Fate]]) -> list[str]:
    """How many there are of each outcome, a line for each mode."""
    lines = []
    for k, mode in enumerate(("by default", 'with `on_overwrite="save"`')):
        outcomes = Counter(fates[k].outcome for fates in found)
        ways = [outcomes.pop(way, 0) for way in WORKS]
        others = ", ".join(f"{code} {n}" for code, n in sorted(outcomes.items())) or "none"
        told = ", ".join(f"{n} {way}" for n, way in zip(ways[:2], WORKS, strict=False))
        lines.append(f"- {mode}: {sum(ways)} work ({told}); refused: {others}")
    return lines


def page(found: list[list[Fate]]) -> str:
    """The page as Markdown."""
    packages = len({c.distribution for c in CASES})
    head = ["package", "function", "what it exercises", "default", "save"]
    rows = [row(c, f) for c, f in zip(CASES, found, strict=True)]
    table = "\n".join(f"| {' | '.join(r)} |" for r in [head, ["---"] * len(head), *rows])
    total = f"Of {len(CASES)} functions of {packages} packages:"
    counts = "\n".join(counted(found))
    return f"{_INTRODUCTION}\n{total}\n\n{counts}\n\n{table}\n"


def told_rows() -> list[list[str]]:
    """The cells of each row of the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    return [cells for line in lines if len(cells := line.strip("| ").split(" | ")) == 5]


def told_versions() -> dict[str, str]:
    """The versions the page tells of, for packages that are not installed here."""
    packages = [package.partition(" ") for package, *_ in told_rows()]
    return {distribution: version for distribution, _, version in packages}


def told_fates() -> dict[tuple[str, str], list[Fate]]:
    """What the page tells of each function."""
    return {
        (package.partition(" ")[0], name.strip("`")): [Fate(default), Fate(save)]
        for package, name, _, default, save in told_rows()
    }


class Log:
    """Results in a file, one to a line, so that a long run can be interrupted and taken up."""

    def __init__(self, path: str) -> None:
        self.path = Path(path) if path else None
        self.found: dict[tuple[str, ...], Fate] = {}
        if self.path is not None and self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                *key, outcome, said, seconds = json.loads(line)
                self.found[tuple(key)] = Fate(outcome, said, seconds)

    def of(self, case: Package, mode: str, limit: int) -> Fate:
        """What becomes of a case, now or before."""
        key = (case.distribution, case.name, mode)
        if key not in self.found:
            found = alone(case, mode, limit) if limit else fate(case, mode)
            self.found[key] = found
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([*key, found.outcome, found.said, found.seconds]) + "\n")
        return self.found[key]


def option(argv: list[str], name: str) -> str:
    """What is given behind `--name=`."""
    return next((a.partition("=")[2] for a in argv if a.startswith(f"--{name}=")), "")


def main(argv: list[str]) -> int:
    """Run the cases that are asked for; print them, or write the page."""
    write = "--write" in argv
    log, limit = Log(option(argv, "log")), int(option(argv, "limit") or 0)
    words = [a for a in argv if not a.startswith("--")]
    chosen = [
        c for c in CASES if not words or any(w in f"{c.distribution} {c.name}" for w in words)
    ]
    missing = sorted({c.distribution for c in chosen if c.version is None})
    if missing:
        print(f"not installed: {', '.join(missing)}")
    if missing and write:
        return 1
    told, found = told_fates(), []
    for case in [c for c in chosen if c.version is not None]:
        fates = [log.of(case, mode, limit) for mode in MODES]
        told[case.distribution, case.name] = fates
        found.append(fates)
        times = "  ".join(f"{f.outcome:8} {f.seconds:5.1f}" for f in fates)
        print(times, case.distribution, case.name, flush=True)
        for f in fates if words else ():
            print(f"    {f.said}" if f.said else "", end="\n" if f.said else "")
    print("\n".join(counted(found)))
    if write:
        PAGE.write_text(page([told[c.distribution, c.name] for c in CASES]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
