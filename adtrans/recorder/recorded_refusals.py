"""Refusals while recording: an operation on active values that has no derivative.

>>> from adtrans.diagnostics.errors import CompileError
>>> try:
...     refuse("`f`", "it is written in C")
... except CompileError as error:
...     error.diagnostics[0].code
'AD401'
"""

from __future__ import annotations

from typing import NoReturn

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.recorder.memory import STATE, noted
from adtrans.recorder.recorded_needs import here, span_of


def refuse(what: str, why: str, *, code: str = "AD401", fix: str | None = None) -> NoReturn:
    """Raise a `CompileError` at the line of the user's that is being carried out."""
    fixes = () if fix is None else (Fix(fix),)
    title = f"{what} has no derivative here"
    found = Diagnostic(code, title, span_of(here()), why=f"{why}.", fixes=fixes)
    raise noted(CompileError(found))


def left_half_done(what: str) -> None:
    """Note that an exception came in the middle of a write: if the run comes to its end, it was
    caught, and there is no derivative."""
    title = f"{what} has no derivative here"
    why = "an exception came in the middle of what it writes, and was caught."
    STATE.half_done.append(CompileError(Diagnostic("AD401", title, span_of(here()), why=why)))


def withdraw(mark: int) -> None:
    """Another way is taken where something was refused behind a mark."""
    del STATE.refused[mark:]
