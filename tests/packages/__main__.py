"""Functions of installed packages: which are differentiated, and what stops the others.

    python -m tests.packages                # one line for each, in both modes
    python -m tests.packages filterpy       # these only, with the errors
    python -m tests.packages --write        # into docs/packages.md; with words, these rows only

A function is taken as it is installed. Its derivative is compared with central differences in every
element, the pushforward with the pullback by their inner products, and the value, what is printed,
the arguments and a second call of the pullback with the function itself.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

from tests.documents import ROOT
from tests.packages.collection import CASES
from tests.packages.model import Package
from tests.packages.run import MODES, Fate, fate

PAGE = ROOT / "docs" / "packages.md"

_INTRODUCTION = """# Other people's packages

Functions of installed packages, differentiated as they are; written by
`python -m tests.packages --write`. They were chosen for what they exercise, not because they work.
Each was compared with central differences in every element, forwards and backwards, with its own
value and side effects, and with a second call of the pullback. `pip install '.[packages]'` installs
the packages, `pytest -m packages` runs the comparison; the ordinary test run leaves it out.
"""


def row(case: Package, fates: Iterable[Fate]) -> list[str]:
    """The cells of a case."""
    name = f"`{case.name}`"
    package = f"{case.distribution} {case.version}"
    return [package, name, case.exercises, *(f.outcome for f in fates)]


def counted(found: list[list[Fate]]) -> list[str]:
    """How many there are of each outcome, a line for each mode."""
    lines = []
    for k, mode in enumerate(("by default", 'with `on_overwrite="save"`')):
        outcomes = Counter(fates[k].outcome for fates in found)
        works = outcomes.pop("works", 0)
        others = ", ".join(f"{code} {n}" for code, n in sorted(outcomes.items()))
        lines.append(f"- {mode}: {works} work; refused: {others}")
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


def told_fates() -> dict[tuple[str, str], list[Fate]]:
    """What the page tells of each function."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    rows = [cells for line in lines if len(cells := line.strip("| ").split(" | ")) == 5]
    return {
        (package.partition(" ")[0], name.strip("`")): [Fate(default), Fate(save)]
        for package, name, _, default, save in rows
    }


def main(argv: list[str]) -> int:
    """Run the cases that are asked for; print them, or write the page."""
    write = "--write" in argv
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
        fates = [fate(case, mode) for mode in MODES]
        told[case.distribution, case.name] = fates
        found.append(fates)
        print("  ".join(f"{f.outcome:8}" for f in fates), case.distribution, case.name, flush=True)
        for f in fates if words else ():
            print(f"    {f.said}" if f.said else "", end="\n" if f.said else "")
    print("\n".join(counted(found)))
    if write:
        PAGE.write_text(page([told[c.distribution, c.name] for c in CASES]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
