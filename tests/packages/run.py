"""What becomes of a case: its derivative compared, refused with a code, or wrong."""

from __future__ import annotations

import json
import os
import resource
import signal
import warnings
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from adtrans.diagnostics.errors import AdtransError
from adtrans.dispatch.dispatcher import _DISPATCHERS
from adtrans.testing import check_grads
from adtrans.testing.checks import GradientMismatch
from tests.packages.model import Package

MODES = ("refuse", "save")
WORKS = ("compiled", "recorded", "works")
SLOW = "slow"


@dataclass(frozen=True)
class Fate:
    """`outcome` is `compiled` or `recorded` where it works, `works` where it was not noted which;
    else the code of an error, `wrong`, or `slow` where it takes longer than it may. `said` is the
    error in one line, `seconds` how long it took."""

    outcome: str
    said: str = ""
    seconds: float = field(default=0.0, compare=False)


def fate(case: Package, mode: str) -> Fate:
    """Run the case: value, side effects, pullback (twice), pushforward, inner product."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        program, before = case.make(), set(_DISPATCHERS)
        try:
            check_grads(
                program.fn, program.args, wrt=program.wrt, on_overwrite=mode, **program.steps
            )
        except GradientMismatch as error:
            return Fate("wrong", str(error))
        except AdtransError as error:
            found = [d for d in error.diagnostics if d.severity == "error"]
            if not found:
                return Fate(type(error).__name__, str(error))
            return Fate(found[0].code, f"{found[0].primary.span}: {found[0].title}")
    return Fate(WORKS[any(d.unfollowed for d in set(_DISPATCHERS) - before)])


def alone(case: Package, mode: str, limit: int) -> Fate:
    """The same in a process of its own, which may compute for `limit` seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        try:
            found = fate(case, mode)
        except Exception as error:  # of the package itself
            found = Fate(type(error).__name__, str(error))
        os.write(writing, json.dumps([found.outcome, found.said[:1000]]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    _, status, used = os.wait4(child, 0)
    seconds = round(used.ru_utime + used.ru_stime, 1)
    if told:
        with suppress(json.JSONDecodeError):
            return Fate(*json.loads(told), seconds)
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    late = ended in (signal.SIGXCPU, signal.SIGKILL) and seconds >= limit - 1
    return Fate(SLOW if late else "died", f"after {seconds} seconds", seconds)
