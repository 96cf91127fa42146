"""What becomes of one random program in both modes and both directions, at little cost.

A program is judged by the derivative along one direction that it gives when it is run on elements
which carry their own (`tests.dual`); and, where these can tell, by finite differences, by the inner
product of pullback and pushforward, by its value and what it writes. What is accepted in default
mode is the same code with `on_overwrite="save"`, so that the latter is tried only where the former
refuses.

Programs whose values overflow are not judged, even where what overflowed is overwritten afterwards:
a pullback multiplies the zero adjoint of such a value with an infinite factor, which is no number.
Reverse mode cannot tell these zeros from others without looking at every number.
"""

from __future__ import annotations

import copy
import linecache
import random
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from adtrans import grad, jvp, vjp
from adtrans.diagnostics.errors import AdtransError
from adtrans.runtime.failures import MutationError as StoppedByCheck
from adtrans.testing import GradientMismatch, check_grads, finite_difference_vjp
from tests import (
    chosen_programs,
    divided_programs,
    dual,
    mixed_programs,
    nest_programs,
    object_programs,
    programs,
    rich_programs,
    sweep_programs,
    whole_programs,
)

MAGNITUDE, LARGE = 1e3, 1e9


@dataclass(frozen=True)
class Kind:
    """A family of programs: how to draw, build and call them."""

    name: str
    generate: Callable[[random.Random, int], str]
    helpers: str
    arguments: Callable[[], tuple[Any, ...]]


KINDS = (
    Kind("plain", programs.generate, programs.HELPERS, programs.arguments),
    Kind("rich", rich_programs.generate, rich_programs.HELPERS, rich_programs.arguments),
    Kind("chosen", chosen_programs.generate, chosen_programs.HELPERS, programs.arguments),
    Kind("objects", object_programs.generate, object_programs.HELPERS, object_programs.arguments),
    Kind("nests", nest_programs.generate, nest_programs.HELPERS, nest_programs.arguments),
    Kind("divided", divided_programs.generate, divided_programs.HELPERS, rich_programs.arguments),
    Kind("mixed", mixed_programs.generate, mixed_programs.HELPERS, mixed_programs.arguments),
    Kind("wholes", whole_programs.generate, whole_programs.HELPERS, programs.arguments),
    Kind("sweeps", sweep_programs.generate, sweep_programs.HELPERS, programs.arguments),
)


class Wrong(AssertionError):
    """A derivative, a value or a side effect that is not what it must be, or a failure inside."""


class OutOfTime(BaseException):
    """A program that does not end; no `Exception`, which would count as one that a derivative
    raises."""


def draw(kind: Kind, seed: int) -> str:
    """The program of a seed."""
    return kind.generate(random.Random(f"{kind.name} {seed}"), 3 + seed % 8)


@contextmanager
def quiet() -> Iterator[None]:
    """Overflow on the way is the program's affair."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True)
class Reference:
    """The derivative along `along`, of a program that is run on numbers with derivatives."""

    along: tuple[Any, ...]
    value: float
    slope: float
    rough: float  # how exact, relatively

    def agrees(self, slope: float, terms: float = 0.0) -> bool:
        """Whether a derivative is this one; `terms`: the size of what it is a sum of."""
        return bool(abs(slope - self.slope) <= self.rough * (1.0 + abs(self.slope) + terms))


def reference(source: str, kind: Kind, args: tuple[Any, ...]) -> Reference | None:
    """What the gradient must be; None where the program fails, or its numbers overflow."""
    rng = np.random.default_rng(len(source))
    along = tuple(rng.normal(size=np.shape(a)) for a in args)
    try:
        with quiet():
            run = dual.built(f"{kind.helpers}\n\n{source}")
            value, slope = dual.directional(run, args, along)
    except (LookupError, ValueError, NameError, TypeError, ArithmeticError, AttributeError):
        return None
    if not (abs(value) < LARGE and abs(slope) < LARGE):
        return None
    return Reference(along, value, slope, 2e-3 if "float32" in source else 1e-7)


def well_behaved(f: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Whether differences can tell the derivative: finite, moderate, no kink or jump nearby."""
    with quiet():
        own = copy.deepcopy(args)
        if not np.isfinite(f(*own)) or not all(np.all(np.isfinite(a)) for a in own):
            return False  # zero times infinity: what is not asked for, but computed, is no number
        wrt = tuple(range(len(args)))
        coarse = finite_difference_vjp(f, args, 1.0, wrt, eps=1e-4)
        fine = finite_difference_vjp(f, args, 1.0, wrt, eps=2e-5)
    flat = [np.concatenate([np.ravel(g) for g in gs]) for gs in (coarse, fine)]
    bounded = np.all(np.isfinite(flat[0])) and np.max(np.abs(flat[0])) < MAGNITUDE
    return bool(bounded and np.allclose(*flat, rtol=1e-6, atol=1e-7))


def curvature(source: str, kind: Kind, args: tuple[Any, ...], known: Reference) -> float | None:
    """The second derivative along `known.along`; None where differences cannot tell it."""
    run = dual.built(f"{kind.helpers}\n\n{source}")

    def slope(h: float) -> float:
        moved = tuple(a + h * d for a, d in zip(args, known.along, strict=True))
        return dual.directional(run, moved, known.along)[1]

    try:
        with quiet():
            coarse, fine = ((slope(h) - slope(-h)) / (2 * h) for h in (1e-4, 2e-5))
    except (LookupError, ValueError, NameError, TypeError, ArithmeticError, AttributeError):
        return None
    near = abs(coarse - fine) <= 1e-5 * (1.0 + abs(fine)) and abs(fine) < MAGNITUDE
    return fine if near else None


def judge(
    source: str, kind: Kind, *, thorough: bool = False, forward: bool = True
) -> Mapping[str, str]:
    """By mode ("refuse", "save", "forward"): "ok" or the code of the error; nothing for a program
    that cannot be judged. `thorough`: what is costly is done for some programs only otherwise;
    among that is the derivative of the gradient, "second". `forward`: whether that mode is asked
    for; a third of the time goes there.

    Raises:
        Wrong: with the program.
    """
    f = programs.build(source, kind.helpers)
    try:
        return _judged(f, source, kind, thorough, forward)
    finally:
        linecache.cache.pop(f.__code__.co_filename, None)


@dataclass(frozen=True)
class Judge:
    """One program with what is known of its derivative."""

    f: Callable[..., Any]
    source: str
    args: tuple[Any, ...]
    known: Reference
    smooth: bool  # differences can tell the derivative
    left: tuple[tuple[Any, ...], float]  # the arguments after a run, and the value

    def tried(self, modes: tuple[str, ...], how: str, second: float | None = None) -> str:
        """One mode, or the derivative of the gradient: "ok" or the code of the error."""
        try:
            with quiet():
                if second is None:
                    self.compare(modes, how)
                else:
                    self.compare_second(second)
        except StoppedByCheck:
            return "checked"
        except AdtransError as error:
            codes = [d.code for d in error.diagnostics]
            if "AD901" in codes or not codes:
                raise Wrong(f"{modes} {how}: {error}\n\n{self.source}") from error
            return codes[0]
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise Wrong(f"{modes} {how}: {what}\n\n{self.source}") from error
        return "ok"

    def compare(self, modes: tuple[str, ...], how: str) -> None:
        wrt = tuple(range(len(self.args)))
        args = copy.deepcopy(self.args)
        if "reverse" in modes:
            value, pullback = vjp(self.f, *args, wrt=wrt, on_overwrite=how)
            self.same_run(args, value)
            bars, again = pullback(1.0), pullback(1.0)
            if not all(np.array_equal(a, b) for a, b in zip(bars, again, strict=True)):
                raise Wrong(f"a second call of the pullback gives {again}, the first {bars}")
            terms = [np.asarray(b) * d for b, d in zip(bars, self.known.along, strict=True)]
            slope = float(sum(np.sum(t) for t in terms))
            if not self.known.agrees(slope, float(sum(np.sum(np.abs(t)) for t in terms))):
                raise Wrong(f"{slope} is not {self.known.slope}, along {self.known.along}")
            args = copy.deepcopy(self.args)
        if "forward" in modes:
            value, slope = jvp(self.f, args, self.known.along, on_overwrite=how)
            self.same_run(args, value)
            if not self.known.agrees(float(slope)):
                raise Wrong(f"{slope} is not {self.known.slope}, along {self.known.along}")
        if self.smooth:
            near: dict[str, Any] = {"rtol": 1e-5, "atol": 1e-6, "on_overwrite": how}
            try:
                check_grads(self.f, self.args, wrt=wrt, modes=modes, **near)
            except GradientMismatch:  # or a jump on the way of this step in this direction?
                check_grads(self.f, self.args, wrt=wrt, modes=modes, seed=1, eps=1e-7, **near)

    def same_run(self, args: tuple[Any, ...], value: float) -> None:
        """What the program leaves behind, bit for bit."""
        found = [np.asarray(a).tobytes() for a in (*args, value)]
        if found != [np.asarray(a).tobytes() for a in (*self.left[0], self.left[1])]:
            raise Wrong(f"value and arguments are {value}, {args}; they must be {self.left}")

    def compare_second(self, expected: float) -> None:
        """The derivative of the gradient, along the direction of the reference."""
        wrt = tuple(range(len(self.args)))
        gradient = grad(self.f, wrt=wrt, on_overwrite="save")
        along = self.known.along
        _, dots = jvp(gradient, copy.deepcopy(self.args), along, wrt=wrt, on_overwrite="save")
        found = float(sum(np.sum(t * d) for t, d in zip(dots, along, strict=True)))
        if not abs(found - expected) <= 1e-4 * (1.0 + abs(expected)):
            raise Wrong(f"second derivative {found} is not {expected}, along {along}")


def _judged(
    f: Callable[..., Any], source: str, kind: Kind, thorough: bool, forward: bool
) -> Mapping[str, str]:
    args = kind.arguments()
    known = reference(source, kind, args)
    try:
        # single precision on the way rounds differences away
        smooth = "float32" not in source and well_behaved(f, args)
    except (LookupError, ValueError, NameError, TypeError):
        return {}  # the program itself fails, perhaps at an argument nearby
    if known is None:
        return {}
    own = copy.deepcopy(args)
    with quiet():
        value = f(*own)
    judge = Judge(f, source, args, known, smooth, (own, value))
    found = {"refuse": judge.tried(("reverse",), "refuse")}
    found["save"] = found["refuse"]
    if found["refuse"] != "ok":
        found["save"] = judge.tried(("reverse",), "save")
    if forward or thorough:
        both = found["save"] == "ok"  # then the inner product is compared, too
        both = both and (thorough or len(source) % 8 == 0)
        found["forward"] = judge.tried(("reverse", "forward") if both else ("forward",), "save")
    if found["save"] == "ok" and smooth and (thorough or len(source) % 16 == 0):
        second = curvature(source, kind, args, known)
        if second is not None:
            found["second"] = judge.tried((), "save", second)
    return found


def shrunk(source: str, fails: Callable[[str], bool]) -> str:
    """The program with as many statements left out as it still fails without."""
    lines = source.rstrip("\n").split("\n")
    again = True
    while again:
        again = False
        for k in reversed(range(1, len(lines))):
            for candidate in smaller(lines, k):
                text = "\n".join(candidate) + "\n"
                if is_program(text) and fails(text):
                    lines, again = candidate, True
                    break
            if again:
                break
    return "\n".join(lines) + "\n"


def smaller(lines: list[str], k: int) -> list[list[str]]:
    """Without line `k` and what belongs to it; with the body of `k` in place of it."""
    depth = len(lines[k]) - len(lines[k].lstrip())
    end = k + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
        end += 1
    without = [*lines[:k], *lines[end:]]
    if end == k + 1:
        return [without]
    return [without, [*lines[:k], *(line[4:] for line in lines[k + 1 : end]), *lines[end:]]]


def is_program(text: str) -> bool:
    """Whether Python accepts the text, with a result at its end."""
    try:
        compile(text, "<shrunk>", "exec")
    except SyntaxError:
        return False
    return text.rstrip().rsplit("\n", 1)[-1].startswith("    return")


def failing(kind: Kind, seconds: float = 30.0) -> Callable[[str], bool]:
    """Whether a program goes wrong (one that does not run, or does not end, does not)."""

    def out_of_time(*_: object) -> None:
        raise OutOfTime

    def fails(text: str) -> bool:
        before = signal.signal(signal.SIGALRM, out_of_time)
        signal.setitimer(signal.ITIMER_REAL, seconds)  # a loop may have lost what ended it
        try:
            judge(text, kind, thorough=True)
        except Wrong:
            return True
        except (Exception, OutOfTime):  # the shrunk program is no program any more
            return False
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        return False

    return fails
