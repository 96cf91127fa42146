"""Every program of the tests, compiled and recorded: the two ways check each other.

    python -m tests.both_ways                              # all programs of the tests
    python -m tests.both_ways --suite corpus --only views  # one suite; names with a word
    python -m tests.both_ways --suite random --from 0 --to 1000 --kind rich
    python -m tests.both_ways --suite random --kind views --thin --for 10  # for ten minutes
    python -m tests.both_ways --ways recorded              # one way, against differences alone

Compared with the plain run, bit for bit: value, what is left in the arguments, what is printed, the
exception. Compared with the other way: gradient, tangent, derivative of the gradient; where only
one way answers, or the two disagree, differences tell which is right. A way may refuse with an
error of adtrans; another exception than that of the plain run is a failure of it.

The kinds of random programs are those of `tests.judging` and the themes of `tests.grown`; one that
goes wrong is shrunk.
"""

from __future__ import annotations

import argparse
import copy
import gc
import inspect
import linecache
import logging
import multiprocessing
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError
from adtrans.testing import checks, value_trees
from adtrans.testing.checks import GradientMismatch
from adtrans.testing.numerical import finite_difference_jvp, finite_difference_vjp
from tests.all_programs import SUITES, OutOfTime, Program, drawn, limited, quiet, rebuilt
from tests.judging import shrunk

WAYS = {"compiled": "refuse", "recorded": "always"}
TOLERANCE = checks._Tolerance(1e-9, 1e-10)
STEPS = ("expressions-text_read_as_a_number_again", "computed_once-shown_before")
"""Programs that read a number from its text, or its length: differences see steps there."""
ROUGH, ROUGHER = checks._Tolerance(2e-5, 1e-6), checks._Tolerance(2e-2, 5e-3)


# -- one program ----------------------------------------------------------------------------------


class Judge:
    """A program with its plain run, and what each way has to be compared with."""

    def __init__(self, program: Program) -> None:
        self.p, own = program, copied(program.args)
        self.raised: BaseException | None = None
        self.value: Any = None
        with quiet() as out:
            try:
                self.value = copy.deepcopy(program.fn(*own))
            except Exception as error:
                self.raised = error
        self.left, self.printed, self.args = own, out.getvalue(), program.args
        self.names = list(inspect.signature(program.fn).parameters)
        self.at = tuple(
            w if isinstance(w, int) else self.names.index(w) if w in self.names else -1
            for w in program.wrt
        )
        rng = np.random.default_rng(len(program.name))
        self.y_bar = value_trees.rebuild(self.value, partial(_direction, rng))
        self.bars = {n: self._bar(rng, n) for n in program.final if self.raised is None}
        self.dots = tuple(self._dot(rng, w, k) for w, k in zip(program.wrt, self.at, strict=True))

    def _bar(self, rng: Any, name: str) -> Any:
        left = inspect.signature(self.p.fn).bind(*self.left).arguments
        return value_trees.rebuild(left[name], partial(_direction, rng))

    def _dot(self, rng: Any, wrt: int | str, k: int) -> Any:
        if k >= 0:
            return value_trees.rebuild(self.args[k], partial(_direction, rng))
        name, _, path = str(wrt).partition(".")
        held = eval(f"held.{path}", {"held": self.args[self.names.index(name)]})
        return value_trees.rebuild(held, partial(_direction, rng))

    def same_run(self, value: Any, args: Any, printed: str) -> None:
        """What a way computes and does is what the plain run did."""
        checks._identical("the value", value, self.value)
        for name, found, wanted in zip(self.names, args, self.left, strict=False):
            checks._identical(f"`{name}` afterwards", checks._opened(found), checks._opened(wanted))
        if printed != self.printed:
            raise GradientMismatch(f"{printed!r} was printed, expected {self.printed!r}")

    def asked(self, question: str, way: str, how: str) -> Any:
        """The answer of one way: derivatives."""
        options = {**self.p.options, "on_overwrite": how, "on_unfollowed": WAYS[way]}
        args, wrt = copied(self.args), self.p.wrt
        with quiet() as out:
            if question == "gradient":
                value, pullback = ad.vjp(self.p.fn, *args, wrt=wrt, **options)
                printed = out.getvalue()
                self.same_run(value, args, printed)
                bars = {"final": self.bars} if self.bars else {}
                found = copy.deepcopy(pullback(self.y_bar, **bars))
                checks._identical("a second pullback", pullback(self.y_bar, **bars), found)
                self.same_run(value, args, printed)
            elif question == "tangent":
                value, found = ad.jvp(self.p.fn, args, self.dots, wrt=wrt, **options)
                self.same_run(value, args, out.getvalue())
            else:
                gradient = ad.grad(self.p.fn, wrt=wrt, **options)
                _, found = ad.jvp(gradient, args, self.dots, wrt=wrt, **options)
        return found

    def differences(self, question: str) -> Any:
        """The answer of finite differences."""
        if min(self.at) < 0:
            raise ArithmeticError("no differences by attributes")
        names, f, eps = self.names, self.p.fn, 2e-2 if self.rough else 1e-4

        def run(*given: Any) -> Any:
            args = list(copied(self.args))  # in their layout, which differences do not keep
            for k, value in enumerate(given):
                if isinstance(value, np.ndarray) and value.dtype == args[k].dtype:
                    args[k][...] = value
                else:
                    args[k] = value
            with quiet():
                return copy.deepcopy(f(*args)), {n: args[names.index(n)] for n in self.bars}

        def at(eps: float) -> Any:
            if question == "gradient":
                return finite_difference_vjp(run, self.args, (self.y_bar, self.bars), self.at, eps)
            f = lambda *args: run(*args)[0]  # noqa: E731
            return finite_difference_jvp(f, self.args, self.dots, self.at, eps)

        sizes = [np.max(np.abs(v), initial=0.0) for _, v in value_trees.leaves(self.value)
                 if value_trees.is_float(v)]  # fmt: skip
        if question == "second" or self.p.name in STEPS or max(sizes, default=0.0) > 1e9:
            raise ArithmeticError("no differences of differences, and none of texts")
        found = at(eps)
        if not self._agree(found, at(eps / 5), ROUGH):
            raise ArithmeticError("a kink or a jump nearby")
        return found

    @property
    def leaves_nan(self) -> bool:
        """Is what an argument holds in the end no number? Zero times that is none, or left out."""
        leaves = [v for a in self.left for _, v in value_trees.leaves(a) if value_trees.is_float(v)]
        return any(np.isnan(v).any() for v in leaves)

    @property
    def rough(self) -> bool:
        """Are numbers of a lower precision on the way?"""
        return self.p.rough or checks._has_single(self.args)

    def answer(self, question: str, way: str, how: str, seconds: float) -> tuple[str, Any]:
        """The word for what came of it ("ok", a code, "wrong", "crash"), and the derivative."""
        try:
            with limited(seconds):
                found = self.asked(question, way, how)
        except AdtransError as error:
            codes = [d.code for d in error.diagnostics if d.severity == "error"]
            code = codes[0] if codes else type(error).__name__
            return ("crash" if code == "AD901" else code), str(error)
        except GradientMismatch as error:
            return "wrong", str(error)
        except OutOfTime:
            return "endless", f"more than {seconds} s"
        except Exception as error:
            if type(error) is type(self.raised) and str(error) == str(self.raised):
                return "raised", str(error)
            return "crash", "".join(traceback.format_exception(error)[-3:])
        if self.raised is not None:
            return "wrong", f"the plain run raised {self.raised!r}"
        return "ok", found

    def verdicts(self, question: str, how: str, ways: list[str], seconds: float) -> list[Verdict]:
        """What came of a question in each way."""
        given = {way: self.answer(question, way, how, seconds) for way in ways}
        found = [Verdict(self.p.name, question, way, how, *given[way]) for way in ways]
        right = [v for v in found if v.word == "ok"]
        if self.leaves_nan or (len(right) == 2 and self._agree(right[0].said, right[1].said)):
            return found
        try:
            wanted = self.differences(question) if right else None
        except Exception:
            if len(right) == 2:
                said = f"{right[1].said}\nbut compiled {right[0].said}"
                right[1].word, right[1].said = "differs", said
            return found
        for v in right:
            try:
                how_near = ROUGHER if self.rough else ROUGH
                checks._close(f"the {question}", v.said, wanted, how_near)
            except GradientMismatch as error:
                v.word, v.said = "wrong", str(error)
        if len(right) == 2 and {v.word for v in right} == {"ok"}:
            if not self._agree(right[0].said, right[1].said, ROUGH):
                right[1].word = "differs"
        return found

    def _agree(self, a: Any, b: Any, near: checks._Tolerance = TOLERANCE) -> bool:
        near = ROUGHER if self.rough else near
        if repr(a) == repr(b):
            return True  # infinite ones, too
        try:
            checks._close("", a, b, near)
            checks._close("", b, a, near)
        except GradientMismatch:
            return False
        return True


@dataclass
class Verdict:
    """What came of one question; `said`: the derivative, or the error."""

    program: str
    question: str
    way: str
    how: str
    word: str
    said: Any

    @property
    def bad(self) -> bool:
        return self.word in ("wrong", "crash", "differs", "endless")


def copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments in memory of their own, laid out as it was; what was shared is shared."""
    memo: dict[int, Any] = {}
    for array in (a for a in args if isinstance(a, np.ndarray)):
        base = array if array.base is None else array.base
        if not isinstance(base, np.ndarray):
            continue
        own = memo.setdefault(id(base), base.copy(order="K"))
        at = array.ctypes.data - base.ctypes.data
        flat = own.reshape(-1, order="A").view(np.uint8)
        if array is not base:
            memo[id(array)] = np.ndarray(array.shape, array.dtype, flat, at, array.strides)
    return copy.deepcopy(args, memo)


def _direction(rng: Any, path: str, leaf: Any) -> Any:
    if not value_trees.is_float(leaf):
        return None
    value = rng.uniform(0.5, 1.5, np.shape(leaf)) * rng.choice([-1.0, 1.0])
    if np.iscomplexobj(leaf):
        value = value + 1j * rng.uniform(0.5, 1.5, np.shape(leaf))
    return value.astype(leaf.dtype) if isinstance(leaf, np.ndarray) else type(leaf)(value)


def judged(
    program: Program, ways: list[str], questions: tuple[str, ...] = ("gradient", "tangent"),
    hows: tuple[str, ...] = ("refuse", "save"), seconds: float = 20.0,
) -> list[Verdict]:  # fmt: skip
    """All verdicts about a program; second derivatives where the value is one number."""
    judge, found = Judge(program), []
    for how in hows:
        for question in questions:
            if question == "second" and not isinstance(judge.value, float):
                continue
            if question == "tangent" and how == "save" and len(hows) > 1:
                continue  # the same but for what it may overwrite
            found += judge.verdicts(question, how, ways, seconds)
    return found


# -- the command ----------------------------------------------------------------------------------

_PROGRAMS: list[Program] = []
EVERY = {"tangent": 2, "second": 25, "save": 4}
"""Which of the random programs are asked this, if they are thinly asked."""


def _thinned(at: int, how: dict[str, Any]) -> dict[str, Any]:
    """What the program of a seed is asked: its gradient always, the rest now and then."""
    asked = tuple(q for q in how["questions"] if at // 16 % EVERY.get(q, 1) == 0)
    hows = ("refuse", "save") if at // 16 % EVERY["save"] == 1 else ("refuse",)
    return {**how, "questions": asked, "hows": hows}


def _one(at: int, listed: bool, only: str, thin: bool, **how: Any) -> list[Verdict]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = _PROGRAMS[at] if listed else drawn(at, only)
        try:
            found = judged(program, **(_thinned(at, how) if thin and not listed else how))
        except Exception as error:
            found = [Verdict(program.name, "", "harness", "", "skipped", repr(error))]
        if program.source:
            bad = next((v for v in found if v.bad), None)
            if bad:
                bad.said = f"{_smaller(program, bad)}\n{str(bad.said)[:2000]}"
            linecache.cache.pop(program.fn.__code__.co_filename, None)
    if at % 50 == 0:
        gc.collect()
    for v in found:
        v.said = str(v.said)[:4000] if v.word not in ("ok", "raised") else ""
    return found


def _smaller(program: Program, bad: Verdict) -> str:
    """The text of the program, with as little as goes wrong in the same way."""

    def fails(source: str) -> bool:
        p = rebuilt(program, source)
        try:
            if Judge(p).raised is not None:
                return False
            found = judged(p, ["compiled", "recorded"], (bad.question,), (bad.how,), 10.0)
        except Exception:
            return False
        return any(v.word == bad.word and v.way == bad.way for v in found)

    try:
        with limited(90.0):
            return shrunk(program.source, fails) if bad.word != "endless" else program.source
    except OutOfTime:
        return program.source


def main() -> int:
    """Judge the programs that are asked for; print the failures and the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--suite", default="corpus,features,law,random")
    parser.add_argument("--ways", default="compiled,recorded")
    parser.add_argument("--questions", default="gradient,tangent,second")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--to", dest="last", type=int, default=1000)
    parser.add_argument("--kind", default="", help="of random programs")
    parser.add_argument("--only", default="", help="names with this in them")
    parser.add_argument("--refusals", default="", help="print those of these ways, too")
    parser.add_argument("--thin", action="store_true", help=f"not each question of each: {EVERY}")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--for", dest="minutes", type=float, default=1e9, help="minutes")
    asked = parser.parse_args()
    suites, end = asked.suite.split(","), time.monotonic() + 60 * asked.minutes
    for name in suites:
        _PROGRAMS.extend(p for p in SUITES.get(name, tuple)() if asked.only in p.name)
    how: dict[str, Any] = {
        "ways": asked.ways.split(","), "questions": tuple(asked.questions.split(",")),
        "seconds": asked.seconds, "only": asked.kind, "thin": asked.thin,
    }  # fmt: skip
    work = [partial(_one, listed=True, **how)], [partial(_one, listed=False, **how)]
    seeds = range(asked.first, asked.last) if "random" in suites else range(0)
    counts: dict[tuple[str, str], Counter[str]] = {}
    programs, shown = 0, asked.refusals.split(",")
    logging.getLogger("adtrans").setLevel(logging.ERROR)
    context = multiprocessing.get_context("fork")
    gc.disable()  # collected now and then: a compile makes much that goes by itself
    gc.freeze()
    with context.Pool(asked.jobs, maxtasksperchild=200) as pool:
        for task, todo in zip(work, (range(len(_PROGRAMS)), seeds), strict=True):
            for found in pool.imap_unordered(task[0], todo):
                programs += 1
                for v in found:
                    counts.setdefault((v.way, v.question), Counter())[v.word] += 1
                    if v.bad or (v.way in shown and v.word not in ("ok", "raised")):
                        said = f"{v.program} {v.way} {v.question} {v.how}: {v.word}\n{v.said}"
                        print(f"## {said}", flush=True)
                if time.monotonic() > end:
                    pool.terminate()
                    break
    print(f"{programs} programs")
    for (way, question), words in sorted(counts.items()):
        print(f"{way:9} {question:9}", ", ".join(f"{w} {n}" for w, n in words.most_common()))
    bad = ("wrong", "crash", "differs", "endless")
    return int(any(words[w] for words in counts.values() for w in bad))


if __name__ == "__main__":
    raise SystemExit(main())
