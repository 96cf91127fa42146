"""The table of mutations: each situation with the programs of the corpus, compiled and checked.

    python -m tests.table                   # one line for each situation
    python -m tests.table 53 54             # these situations, program by program
    python -m tests.table --write           # into docs/mutation-table.md

A program is compiled in default mode and in save mode. Where it compiles, its value, its side
effects, what it leaves in its arguments, its gradient in both directions and a second call of the
pullback are compared with the program itself and with finite differences.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from adtrans.analyses.kinds import param_kinds
from adtrans.api.differentiable import vjp
from adtrans.arguments.inputs import target_of
from adtrans.diagnostics.errors import AdtransError, CompileError, MutationError
from adtrans.driver.options import Options
from adtrans.pipeline import compile_function
from adtrans.testing import check_grads
from tests.corpus import CASES, Case
from tests.documents import ROOT

PAGE = ROOT / "docs" / "mutation-table.md"
SITUATIONS = {
    "1": "elements of a fresh array are written in a loop",
    "2": "an uninitialised array is filled",
    "3": "a recurrence on elements",
    "4": "a slice is written",
    "5": "a whole array is added in place",
    "6": "a whole local array is multiplied in place",
    "7": "something is added to an element",
    "8": "an element is multiplied in place",
    "9": "what is overwritten was never read",
    "10": "an element is written after the array was squared",
    "11": "the whole array is replaced after a nonlinear use",
    "12": "overwritten after linear uses",
    "13": "a part of the result of `exp` or the like is overwritten",
    "14": "the result of a function is overwritten that is needed by its operand only",
    "15": "a time step multiplies slices of the array that it writes",
    "16": "a linear time step in place",
    "17": "two elements change places",
    "18": "rows change places by index arrays",
    "19": "written through a slice",
    "20": "a view was used, and its array is written",
    "21": "written through a reshape",
    "22": "written through a transpose",
    "23": "written through a ravel",
    "24": "the diagonal of a needed matrix is written",
    "25": "written under a second name",
    "26": "added or multiplied under a second name",
    "27": "two arguments that may be one array",
    "28": "an argument is written",
    "29": "an argument is written after linear uses",
    "30": "the caller writes between `vjp` and the pullback",
    "31": "a constant buffer is used again while it is needed",
    "32": "an index array or a mask changes after it selected",
    "33": "values are appended to a list",
    "34": "a stack: append and pop",
    "35": "an item of a list is replaced",
    "36": "a value of a dictionary is replaced",
    "37": "an attribute is bound, written into, added to",
    "38": "a function that is called writes its argument",
    "39": "a function that is called overwrites what the caller needs",
    "40": "a local function rebinds a variable of the outer one",
    "41": "a global name is bound, or a global array written",
    "42": "`out=`, also into an operand, also with `where=`",
    "43": "`np.copyto`, also with `where=`",
    "44": "`fill` after a nonlinear use",
    "45": "`np.add.at` with duplicates",
    "46": "`put`, `place`, `putmask`, `fill_diagonal`, `put_along_axis`",
    "47": "`sort` and `partition` in place",
    "48": "what a mask selects is set",
    "49": "what a mask selects is multiplied in place",
    "50": "written on one branch",
    "51": "written in a `while` with `break`",
    "52": "an array in a tuple, list or dictionary is written while it is needed",
    "53": "changed, used, and changed back",
    "54": "two buffers change places, with a nonlinear step",
    "54b": "two buffers change places, with a linear step",
    "55": "a broadcast is stored",
    "56": "a constant is stored everywhere",
    "57": "one element is stored twice by an index array",
    "58": "one element is added to twice by an index array",
    "59": "floats are stored into integers",
    "60": "float64 is stored into float32",
    "61": "arrays without axes",
    "62": "a field of records is written",
    "63": "memory is written behind NumPy's back",
    "64": "an exception between writes is caught",
    "65": "a generator feeds a loop",
    "66": "a recursion writes",
    "67": "a slice is changed by the square of its neighbours",
    "68": "the whole array becomes a product of itself",
    "69": "forward and back substitution",
    "70": "factorisations in place",
    "71": "a name is deleted and bound again",
    "72": "`asarray`, `atleast_1d` or `astype(copy=False)`, then a write",
    "73": "random numbers are drawn",
    "74": "needed on one branch, overwritten on the other",
    "75": "overwritten on one branch after it was needed",
    "76": "elements are written at computed places",
    "77": "a needed array goes to a function about which nothing is known",
    "78": "`+=` on what may be a number or an array",
}
ELSEWHERE = {"30": "tests/api/test_api.py"}
"""What takes two calls, and is no program of the corpus."""

FEW = 2
OPEN: frozenset[str] = frozenset()
"""The situations with fewer programs than that: this may only shrink."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a program in one mode: the verdicts on its writes, or the code of the error;
    `right`: whether everything was as in the program itself (None where it does not compile)."""

    word: str
    right: bool | None


def programs(row: str) -> list[Case]:
    """The programs of a situation."""
    return [c for c in CASES if row in c.row.replace(",", " ").split()]


def fate(case: Case, mode: str) -> Fate:
    """Compile a program and compare it with differences."""
    with np.errstate(all="ignore"):
        try:
            wrt = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
            vjp(case.fn, *copy.deepcopy(case.args), wrt=wrt, on_overwrite=mode, **case.options)
        except MutationError:
            return Fate("checked", None)
        except AdtransError as error:
            return Fate(error.diagnostics[0].code, None)
        except Exception as error:  # what the program itself raises
            return Fate(type(error).__name__, None)
        try:
            check_grads(
                case.fn, case.args, wrt=case.wrt, final=case.final, on_overwrite=mode,
                **case.steps, **case.options,
            )  # fmt: skip
        except AssertionError:
            return Fate(_verdicts(case, mode), False)
    return Fate(_verdicts(case, mode), True)


def _verdicts(case: Case, mode: str) -> str:
    """The verdicts on the writes of a program, those that cost something first."""
    target = target_of(case.fn)
    kinds = param_kinds(dict(zip(target.params, case.args, strict=False)))
    options = Options(on_overwrite=mode, **case.options)  # type: ignore[arg-type]  # one of two
    try:
        found = compile_function(case.fn, kinds, options, wrt=target.select(case.wrt)).report
    except CompileError:
        return "ok"
    order = ("saved", "checked", "renamed", "recomputed", "by value", "safe")
    words = {v.verdict for v in found.writes} | ({"checked"} if found.checks else set())
    return next((w for w in order if w in words), "no write")


def line(row: str) -> list[str]:
    """The cells of a situation: name, number of programs, fates in both modes, how many right."""
    cases = programs(row)
    if not cases:
        where = ELSEWHERE.get(row, "none yet")
        return [row, SITUATIONS[row], where if row in ELSEWHERE else "0", "", "", ""]
    default = [fate(c, "refuse") for c in cases]
    saved = [fate(c, "save") for c in cases]
    done = [f.right for f in (*default, *saved) if f.right is not None]
    cells = [_counted(f.word for f in default), _counted(f.word for f in saved)]
    return [row, SITUATIONS[row], str(len(cases)), *cells, f"{sum(done)} of {len(done)}"]


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{w} {n}" for w, n in Counter(words).most_common())


def page(rows: Iterable[str]) -> str:
    """The table as Markdown."""
    head = ["row", "situation", "programs", "default", '`on_overwrite="save"`', "right"]
    table = [head, ["---"] * len(head), *(line(row) for row in rows)]
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in table)
    return f"{_INTRODUCTION}\n{text}\n"


_INTRODUCTION = """# The table of mutations

What becomes of each situation, in the programs of `tests/corpus` that show it; written by
`python -m tests.table --write`. A program counts under the strongest verdict on one of its writes,
or under the code of its error. The last column says how many of the compiled programs had their
value, their side effects, the contents of their arguments, their gradient forwards and backwards,
and the result of a second call of the pullback as the program itself and finite differences say.
"""


if __name__ == "__main__":
    given = [a for a in sys.argv[1:] if not a.startswith("--")]
    if "--write" in sys.argv:
        PAGE.write_text(page(SITUATIONS), encoding="utf-8")
    elif given:
        for row in given:
            print(f"{row}: {SITUATIONS[row]}")
            for c in programs(row):
                a, b = fate(c, "refuse"), fate(c, "save")
                print(f"  {c.name:50} {a.word:12} {b.word:12} right: {a.right} {b.right}")
    else:
        for row in SITUATIONS:
            print("  ".join(line(row)))
