"""All programs of the tests in one form, by suite; how they are run quietly and for so long."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import random
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Program:
    """A function with arguments; `wrt` is a tuple of positions and names."""

    name: str
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[int | str, ...] = (0,)
    final: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    rough: bool = False
    source: str = ""  # of a random one
    helpers: str = ""


def corpus() -> Iterator[Program]:
    """The programs of `tests.corpus`."""
    from tests.corpus import CASES

    for c in CASES:
        wrt = c.wrt if isinstance(c.wrt, tuple) else (c.wrt,)
        yield Program(c.name, c.fn, c.args, wrt, c.final, c.options, bool(c.steps))


def features() -> Iterator[Program]:
    """The rows of the page of features."""
    from tests.features.__main__ import ROWS

    for r in ROWS:
        wrt = r.wrt if isinstance(r.wrt, tuple) else (r.wrt,)
        yield Program(f"features-{r.fn.__name__}", r.fn, r.args, wrt)


def law() -> Iterator[Program]:
    """The programs of `tests.law`."""
    from tests.suites.test_law import EVERY, left_in_arguments

    for p in EVERY:
        (program,) = p.values
        final = left_in_arguments(program)
        yield Program(f"law-{p.id}", program.fn, program.args, program.active, final)


def drawn(seed: int, only: str) -> Program:
    """The random program of a seed."""
    from tests.grown.themes import ALL, grown
    from tests.judging import KINDS, Kind, draw
    from tests.programs import build

    kinds = [k for k in (*KINDS, *ALL) if k.name == only] or [*KINDS, *ALL]
    kind = kinds[seed % len(kinds)]
    if isinstance(kind, Kind):
        source, args = draw(kind, seed), kind.arguments()
    else:
        source, args = grown(kind, seed)
    wrt = tuple(range(len(args)))
    f = build(source, kind.helpers)
    return Program(
        f"{kind.name}-{seed}", f, args, wrt, source=source, helpers=kind.helpers,
        rough="float32" in source or any(getattr(a, "dtype", None) == np.float32 for a in args),
    )  # fmt: skip


def rebuilt(program: Program, source: str) -> Program:
    """A random program with another text."""
    from tests.programs import build

    return dataclasses.replace(program, source=source, fn=build(source, program.helpers))


SUITES = {"corpus": corpus, "features": features, "law": law}


class OutOfTime(BaseException):
    """A run that does not end."""


@contextlib.contextmanager
def quiet() -> Iterator[io.StringIO]:
    """What is printed goes into the text; random numbers start from one seed."""
    out = io.StringIO()
    random.seed(1)
    np.random.seed(1)
    with contextlib.redirect_stdout(out), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield out


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` when so many seconds of this process have gone by."""

    def out(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, out)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
