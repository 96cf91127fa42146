"""Soundness and precision against the dynamic oracle, over random programs.

    python -m tests.precision [--programs N] [--from SEED] [--show CODE]

A program is *clean* if none of several runs overwrites an element that its pullback needs. What is
accepted in default mode must be clean as it was compiled (soundness); of the clean programs as
many as possible must be accepted (precision). What is in the way of the others is counted.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from adtrans.analyses.analyse import Question
from adtrans.analyses.kinds import param_kinds
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.errors import CompileError, MutationError
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir.names import NameAllocator
from adtrans.pipeline import Compiled, compile_function
from tests.oracle import Clobber, Unsupported, clobbers, clobbers_compiled
from tests.programs import SIZE, arguments, build, generate

NAMES, WRT = ("x", "b", "w"), (0, 1, 2)
RUNS = 5


def inputs(k: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The arguments of the k-th run: on both sides of the thresholds that programs test."""
    if k == 0:
        return arguments()
    rng = np.random.default_rng(k)
    return rng.uniform(0.1, 1.2, SIZE), rng.uniform(0.1, 1.2, SIZE), float(rng.uniform(0.2, 0.9))


@dataclass(frozen=True)
class Judged:
    """One program: what its runs overwrite before and after compilation, why it is refused.

    `alarms`: the runs that a check of the generated code stopped although nothing was overwritten.
    """

    source: str
    before: tuple[Clobber, ...]
    after: tuple[Clobber, ...]
    refusals: tuple[Diagnostic, ...]
    alarms: int = 0


def judge(source: str) -> Judged:
    """Run the oracle and the compiler on a program.

    Raises:
        Unsupported: where the oracle cannot follow it.
    """
    f = build(source)
    runs = [tuple(clobbers(f, inputs(k), WRT)) for k in range(RUNS)]
    before = tuple(c for run in runs for c in run)
    kinds = param_kinds(dict(zip(NAMES, arguments(), strict=True)))
    try:
        compiled = compile_function(f, kinds, Options(), wrt=NAMES)
    except CompileError as error:
        return Judged(source, before, (), tuple(error.diagnostics))
    program = Program(Options(), NameAllocator())
    member = program.member(f, Question(dict(kinds), NAMES))
    stopped = [k for k in range(RUNS) if is_stopped(compiled, inputs(k))]
    going = (k for k in range(RUNS) if k not in stopped)
    after = (c for k in going for c in clobbers_compiled(program, member, inputs(k), WRT))
    return Judged(source, before, tuple(after), (), sum(not runs[k] for k in stopped))


def is_stopped(compiled: Compiled, args: tuple[object, ...]) -> bool:
    """Whether a check of the generated code stops the run."""
    try:
        compiled.function(0)(*args)
    except MutationError:
        return True
    return False


def cause(d: Diagnostic) -> str:
    """What a diagnostic says, without the names in it."""
    return f"{d.code} {re.sub('`[^`]*`', '_', d.title)}"


@dataclass
class Tally:
    """Counts over many programs; `unsound`: accepted ones that the oracle objects to."""

    clean: int = 0
    accepted: int = 0
    dirty: int = 0
    rescued: int = 0
    alarms: int = 0
    unknown: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    unsound: list[Judged] = field(default_factory=list)
    refused: list[Judged] = field(default_factory=list)

    def add(self, j: Judged) -> None:
        """Count one program."""
        if j.after:
            self.unsound.append(j)
        self.alarms += j.alarms > 0
        if j.before:
            self.dirty += 1
            self.rescued += not j.refusals
            return
        self.clean += 1
        if not j.refusals:
            self.accepted += 1
            return
        self.refused.append(j)
        self.codes.update({d.code for d in j.refusals})
        self.causes.update({cause(d) for d in j.refusals})

    @property
    def precision(self) -> float:
        """The share of the clean programs that are accepted."""
        return self.accepted / self.clean if self.clean else 1.0

    def lines(self) -> Iterator[str]:
        """The report."""
        yield f"{self.clean + self.dirty} programs, {self.clean} clean, {self.dirty} not"
        yield f"accepted and not clean as compiled: {len(self.unsound)}"
        share = f"{self.accepted} of {self.clean} clean ones accepted"
        yield f"precision: {share}, {self.precision:.1%}"
        yield f"accepted although they overwrite (renamed, checked, other formula): {self.rescued}"
        yield f"stopped by a check although nothing is overwritten: {self.alarms}"
        if self.unknown:
            yield f"not followed by the oracle: {self.unknown}"
        for text, counts in (("code", self.codes), ("cause", self.causes)):
            yield f"refused clean programs by {text}:"
            yield from (f"  {n:5}  {what}" for what, n in counts.most_common())


def tally(seeds: Iterable[int]) -> Tally:
    """Judge the programs of these seeds."""
    found = Tally()
    for seed in seeds:
        try:
            found.add(judge(generate(random.Random(seed), budget=4 + seed % 9)))
        except Unsupported:
            found.unknown += 1
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="SEED")
    parser.add_argument("--show", default="", metavar="CODE", help="print what is refused so")
    chosen = parser.parse_args(argv)
    found = tally(range(chosen.first, chosen.first + chosen.programs))
    for j in found.unsound:
        print(j.source, *j.after, sep="\n", end="\n\n")
    for j in found.refused if chosen.show else ():
        if any(d.code == chosen.show for d in j.refusals):
            print(j.source, *(f"{d.primary.span.line}: {cause(d)}" for d in j.refusals), sep="\n")
            print()
    print(*found.lines(), sep="\n")
    return 1 if found.unsound else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
