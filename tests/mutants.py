"""Mutation testing of the analyser: each rule of it, when it is disabled, makes some test fail.

    python -m tests.mutants [--only NAME ...] [--list]

A mutant is one change of one line, as data. The script copies the project, makes the change there
and runs the tests that should notice, and after them all tests of the analyses and the corpus. A
mutant that survives is a rule that nothing tests, or a rule that nothing needs.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = ("adtrans", "tests", "benchmarks", "examples", "docs", "pyproject.toml", "README.md")
EVERYTHING = ("tests/analyses", "tests/test_corpus.py", "tests/test_oracle.py")


@dataclass(frozen=True)
class Mutant:
    """`old` is replaced by `new` in `file`; `by`: the tests that notice at once."""

    name: str
    file: str
    old: str
    new: str
    by: tuple[str, ...] = ()


NEEDS, MEMORY = "adtrans/analyses/needs.py", "adtrans/analyses/memory.py"
REGIONS = "adtrans/analyses/regions.py"
ADDRESSED = "adtrans/analyses/addressed.py"
ADDRESSES = "adtrans/runtime/addresses.py"
ALIASING, SHARING = "adtrans/analyses/aliasing.py", "adtrans/analyses/sharing.py"
INFLUENCE, VERDICTS = "adtrans/analyses/influence.py", "adtrans/analyses/verdicts.py"
ACTIVITY, SUMMARIES = "adtrans/analyses/activity.py", "adtrans/summaries.py"
PLACES = "adtrans/analyses/places.py"
TRIPS, COUNTERS = "adtrans/analyses/trips.py", "adtrans/analyses/kinds/counters.py"
ITERATIONS, EFFECTS = "adtrans/analyses/iterations.py", "adtrans/analyses/effects.py"
CORPUS = "tests/test_corpus.py::test_fate"
COUNTED = ("tests/test_corpus.py", "-k", "trips")

MUTANTS = (
    # needs
    Mutant("needs: what an index selects is not needed", NEEDS,
           'yield Need(s.site, n, "index"', 'yield from () if n else Need(s.site, n, "index"',
           ("tests/test_oracle.py", CORPUS)),
    Mutant("needs: the old value of a product in place is not needed", NEEDS,
           'yield Need(s.site, s.base, "value", why, items=s.items)', "pass",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("needs: what a callee keeps is not needed", NEEDS,
           "for p, span in summary.keeps:", "for p, span in ():",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("needs: regions of the next iteration are not moved", NEEDS,
           "earlier(v.region, loop.site), True", "v.region, True",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("needs: an array made again is not another one", NEEDS,
           "made = mem.allocates.get(s.site, frozenset()) & state.lives.keys()",
           "made = frozenset()",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("needs: the first formula is always taken", NEEDS,
           "next((k for k in range(n) if (site, operand, k) not in bad), 0)", "0",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("needs: what the caller overwrites is not lost to a callee", NEEDS,
           "v.obj.key in lost", "v.obj.key in ()", (f"{CORPUS}",)),
    # regions
    Mutant("regions: no part is ever apart from another", REGIONS,
           "return any(_apart(p, q, facts, among) for p, q in zip(a.axes, b.axes, strict=False))",
           "return False", ("tests/analyses/test_regions.py",)),
    Mutant("regions: one axis that overlaps is taken for two that are apart", REGIONS,
           "return proves_nonzero(a.at - b.at, facts, among)", "return True",
           ("tests/analyses/test_regions.py",)),
    Mutant("regions: strides do not count", REGIONS,
           "return a.aligned and b.aligned and _never_meet(a, b)", "return False",
           ("tests/analyses/test_regions.py",)),
    Mutant("regions: a part of a view is a part of its base", REGIONS,
           "return Point(outer.start + outer.step * inner.at)", "return Point(inner.at)",
           ("tests/analyses/test_regions.py",)),
    Mutant("regions: counted from the end is counted from the start", REGIONS,
           "return Point(dim + at)", "return Point(-at)", ("tests/analyses/test_regions.py",)),
    Mutant("iterations: an earlier iteration is this one", ITERATIONS,
           'return f"{parts[\'name\']}{mark}{loop.site}"', "return symbol",
           ("tests/analyses/test_needs.py", CORPUS)),
    # memory and aliasing
    Mutant("memory: a slice is a copy", MEMORY,
           "return base if is_basic(s.items, s.site, kinds) else base | fresh(s)",
           "return fresh(s)", ("tests/analyses/test_memory.py",)),
    Mutant("memory: a callee writes nothing", MEMORY,
           "if p in summary.written() and isinstance(a, E.Name):", "if False:", (CORPUS,)),
    Mutant("memory: a callee returns memory of its own", MEMORY,
           "shared = (of(given[p]) for p in summary.returns if p in given)", "shared = ()",
           (CORPUS,)),
    Mutant("memory: two ways that meet are one of them", MEMORY,
           "return {v: a.get(v, NOTHING) | b.get(v, NOTHING) for v in {**a, **b}}", "return a",
           ("tests/analyses/test_memory.py",)),
    Mutant("aliasing: names of one name are no names of each other", ALIASING,
           "linked = found | {v for p in state if p & found for v in p}", "linked = found",
           ("tests/analyses/test_aliasing.py", CORPUS)),
    Mutant("aliasing: binding a name does not end what it meant", ALIASING,
           "if keep or not p & {*binds_of(s)}", "if True", ("tests/analyses/test_aliasing.py",)),
    Mutant("sharing: a name that lives across a write has an adjoint of its own", SHARING,
           "if len(seen) > 1:", "if False:", ("tests/analyses/test_sharing.py", CORPUS)),
    Mutant("sharing: a base that moves is still the base", SHARING,
           "if source != UNCLEAR and not _moves(source, var, d, defs, live, stmts):",
           "if source != UNCLEAR:", (CORPUS,)),
    Mutant("addressed: other names of the same arrays keep adjoints of their own", ADDRESSED,
           "more |= {v for v in sharing if not found.isdisjoint(self.sources(v))}", "pass",
           (CORPUS,)),
    Mutant("addressed: arrays may be of any type", ADDRESSED,
           'if not _is_float(kind) and (kind.dtype or not self.refers(var)):', "if False:",
           ("tests/analyses/test_sharing.py", CORPUS)),
    Mutant("addresses: taking out one adjoint takes out what lies in between", ADDRESSES,
           "if root in self.given:", "if False:", ("tests/runtime/test_addresses.py",)),
    Mutant("resolve: items of dictionaries are bound anew by `+=`", "adtrans/analyses/resolve.py",
           "if held and not is_immutable(item):", "if False:",
           ("tests/test_corpus.py", "-k", "arguments-")),
    Mutant("verdicts: a number or an array is written in place", VERDICTS,
           'case S.Update(items=None, op="+" | "-" | "*" | "/") if kind == UNKNOWN:',
           "case S.Update(items=None) if False:", ("tests/test_corpus.py", "-k", "updates-")),
    Mutant("memory: an index of a tuple that is True selects a copy", MEMORY,
           "return isinstance(kinds.at(s.site, s.base), Array) and is_advanced(",
           "return is_advanced(", (CORPUS,)),
    # activity and influence
    Mutant("activity: what is written through one name is not read by another", ACTIVITY,
           "variables |= {v for v, objs in mem.points_to.items() if objs & objects and carries(v)}",
           "pass", ("tests/analyses/test_activity.py", CORPUS)),
    Mutant("influence: part of an array counts as all of it", INFLUENCE,
           "if covers(places.subscript(s.base, s.items, s.site), ALL, known):", "if True:",
           ("tests/analyses/test_influence.py",)),
    Mutant("influence: what is written through one name is not seen through another", INFLUENCE,
           "names = alias.follow(alias.partners(frozenset({var}), site), site)",
           "names = frozenset({var})", ("tests/analyses/test_influence.py", CORPUS)),
    Mutant("influence: what is put into a new name is not followed from there", INFLUENCE,
           "return link.targets, link.sources", "return NOTHING, NOTHING",
           ("tests/analyses/test_influence.py", CORPUS)),
    Mutant("influence: one of several arrays is overwritten for sure", INFLUENCE,
           "if len(objects) != 1 or any(o.old or o.form not in", "if False and any(o.form not in",
           ("tests/analyses/test_influence.py", CORPUS)),
    # loops
    Mutant("trips: every loop runs", TRIPS,
           "return Trips(count > 0, count < 2)", "return Trips(True, count < 2)",
           ("tests/analyses/test_influence.py", CORPUS)),
    Mutant("trips: no loop runs twice", TRIPS,
           "return Trips(count > 0, count < 2)", "return Trips(count > 0, True)",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("trips: every `while` loop is entered", TRIPS,
           "return Trips(some=loop is not None and loop.entered)", "return Trips(some=True)",
           COUNTED),
    Mutant("counters: what is left out by `continue` counts", COUNTERS,
           "break  # what follows is left out in some iterations", "pass", COUNTED),
    Mutant("counters: one of two bindings counts", COUNTERS,
           "if step is not None and bound[step[0]] == 1:", "if step is not None:", COUNTED),
    Mutant("needs: a name sees only what it is bound to directly", NEEDS,
           "for n in link.targets if through else ():", "for n in ():",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("needs: a use is known under one name", NEEDS,
           "            return alias.partners(frozenset({var}), site)\n        if link",
           "            return frozenset({var})\n        if link",
           ("tests/analyses/test_needs.py", CORPUS)),
    Mutant("order: it never matters", "adtrans/analyses/order.py",
           "return to is None or of is None or not keeps_ahead(of, to, known)", "return False",
           COUNTED),
    Mutant("order: which part begins first does not count", "adtrans/analyses/order.py",
           "return proves_nonneg(s - t, known)", "return True", COUNTED),
    # verdicts and callees
    Mutant("places: a callee writes what a view of the argument would begin with", PLACES,
           "part if whole else regions.compose(outer, part) for part in found",
           "part for part in found", COUNTED),
    Mutant("summaries: sizes of a callee are sizes of its caller", PLACES,
           "return kind.dims[axis] if axis < len(kind.dims) else None",
           "return Affine.symbol(symbol)", COUNTED),
    Mutant("verdicts: what has another name is renamed, too", VERDICTS,
           "return not any(facts.aliasing.together(v, w.var, w.site) for v in others)",
           "return True", ("tests/analyses/test_verdicts.py", CORPUS)),
    Mutant("verdicts: an argument is renamed", VERDICTS,
           'if any(o.form not in ("site", "list") for o in w.objects):', "if False:",
           ("tests/analyses/test_verdicts.py", CORPUS)),
    Mutant("program: one array for two parameters is two arrays", SUMMARIES,
           "pairs.add((p, first[var]))", "pass", (CORPUS,)),
    Mutant("effects: what a callee writes is not remembered", EFFECTS,
           "return frozenset(p for p, _ in self.writes)", "return frozenset()",
           ("tests/test_corpus.py", )),
)  # fmt: skip


def mutated(mutant: Mutant, home: Path) -> None:
    """Make the change in the copy at `home`.

    Raises:
        LookupError: if the line is not there (any more), or not just once.
    """
    path = home / mutant.file
    text = path.read_text()
    if text.count(mutant.old) != 1:
        raise LookupError(f"{mutant.name}: {text.count(mutant.old)} times in {mutant.file}")
    path.write_text(text.replace(mutant.old, mutant.new))


def passes(home: Path, tests: tuple[str, ...]) -> bool:
    """Whether the tests pass in the copy."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=home, capture_output=True, check=False).returncode == 0


def run(mutants: tuple[Mutant, ...], *, thorough: bool = True) -> Iterator[tuple[Mutant, str]]:
    """For each mutant what noticed it, or "" for a survivor."""
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
            original = (home / mutant.file).read_text()
            mutated(mutant, home)
            found = ""
            for tests in [mutant.by, *([EVERYTHING] if thorough else [])]:
                if tests and not passes(home, tests):
                    found = " ".join(tests)
                    break
            (home / mutant.file).write_text(original)
            yield mutant, found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="*", default=None, help="parts of names")
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args(argv)
    wanted = tuple(
        m for m in MUTANTS if chosen.only is None or any(part in m.name for part in chosen.only)
    )
    if chosen.list:
        print(*(f"{m.file}: {m.name}" for m in wanted), sep="\n")
        return 0
    survivors = 0
    for mutant, found in run(wanted):
        survivors += not found
        print(f"{'noticed ' if found else 'SURVIVES'}  {mutant.name}", flush=True)
    print(f"{len(wanted) - survivors} of {len(wanted)} noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
