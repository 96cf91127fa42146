"""What is being compiled at the moment, so that nothing waits for itself, and nobody without end.

    def f(v, n):
        return np.sum(ad.grad(f)(v, n - 1))      # its gradient needs its gradient, and so on

Python ends this when `n` is 0, which is known when it runs.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType

from adtrans.arguments.inputs import Target
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir.depth import Depth
from adtrans.ir.effort import Effort, TooMuch, at_most, bound
from adtrans.ir.kinds import Kind
from adtrans.source.libraries import package_of

STEPS = 200_000
"""How much one derivative may take with all that it calls, in steps: some 5 seconds. Most take a
few thousand."""
FIRST = 50_000
"""How much of it a program may take that is small."""
EACH = 30
"""How much more for each byte of its code, and that of what it calls. Numerical code takes 10; code
of which more and more versions are made, for all that its objects may be, takes hundreds."""
SHARE = 2
"""One function alone may take so much less."""
OTHERS = 200
"""How many functions of other packages may be looked into. Most need a dozen."""
_SILENT = 2.0  # seconds, until somebody may ask what is going on

_LOCAL = threading.local()
log = logging.getLogger("adtrans")


@contextmanager
def at_work(who: object, target: Target, kinds: Mapping[str, Kind]) -> Iterator[None]:
    """While `who` compiles for these kinds.

    Raises:
        CompileError: AD410, if it does so already, further out.
    """
    before: list[tuple[object, Mapping[str, Kind]]] = _LOCAL.__dict__.setdefault("before", [])
    if any(w is who and k == kinds for w, k in before):
        raise CompileError(
            Diagnostic(
                "AD410",
                f"the derivative of `{target.fn.__name__}` needs itself",
                _head(target.fn.__code__),
                why="it differentiates itself, for arguments of the same kinds: to what order is "
                "not known before it runs",
                fixes=[Fix("write a function of its own for each order")],
            )
        )
    before.append((who, kinds))
    try:
        yield
    finally:
        before.pop()


@contextmanager
def bounded(target: Target) -> Iterator[None]:
    """While a derivative of a function is compiled, and all that it takes: no more than `STEPS`,
    unless a bound was set further out. An interrupt shows where it was asked for, and not what
    went on.

    Raises:
        CompileError: AD208, where that is not enough.
    """
    code = target.fn.__code__
    if bound() is not None:
        yield
        return
    Depth.enter()
    try:
        telling, home = _telling(target.fn.__qualname__), package_of(code.co_filename)
        first = min(FIRST, STEPS)
        more = STEPS - first
        with at_most(first, STEPS // SHARE, telling, OTHERS, home, EACH, more) as effort:
            yield
    except TooMuch:
        title = f"`{target.fn.__name__}` takes too long to compile"
        refused = CompileError(too_much(effort, title, _head(code)))
        refused.finals = False  # nor would it be done in time without the final contents
        raise refused from None
    except RecursionError:
        title = f"the calls in `{target.fn.__name__}` are too deep to be compiled"
        raise CompileError(too_deep(title, _head(code))) from None
    except KeyboardInterrupt as stopped:
        said = stopped.args or (f"while adtrans was compiling `{target.fn.__name__}`",)
        # a new one: that of before gets its traceback again where it leaves a context manager
        raise KeyboardInterrupt(*said) from None
    finally:
        Depth.leave()


def too_much(effort: Effort, title: str, place: Span) -> Diagnostic:
    """What is told where a bound is reached."""
    most, why, total = effort.most(), "", sum(effort.by.values())
    many = len(effort.met)
    if isinstance(most, CodeType):
        share = int(100 * effort.by[most] / total)
        where = f"{most.co_filename}:{most.co_firstlineno}"
        why = f"; {share} % of it was spent on `{most.co_name}` ({where})"
    return Diagnostic(
        "AD208",
        title,
        place,
        why=f"it calls more than {many - 1} functions of other packages" if many > effort.others
        else f"it was given up after {int(total)} steps{why}",
        fixes=[
            Fix("declare what carries no derivative, as plots and logs, with `@ad.constant`"),
            Fix("give a function that takes long a rule of its own, with `ad.rule`"),
        ],
    )


def too_deep(title: str, place: Span) -> Diagnostic:
    """What is told where functions call one another deeper than can be gone through."""
    return Diagnostic(
        "AD208",
        title,
        place,
        why="each calls the next one, and all of them are gone through at once",
        fixes=[Fix("write some of them out where they are called")],
    )


def _telling(name: str) -> Callable[[], None]:
    """What says, once and only where it takes long, that a function is compiled."""
    started, told = time.perf_counter(), False

    def tell() -> None:
        nonlocal told
        if told or time.perf_counter() - started < _SILENT:
            return
        told = True
        text = f"compiling `{name}` ..."
        if log.hasHandlers():
            log.info(text)
        elif log.isEnabledFor(logging.WARNING):
            print(f"adtrans: {text}", file=sys.stderr, flush=True)

    return tell


def _head(code: CodeType) -> Span:
    """The first line of a function."""
    return Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
