"""Refusals while recording: an operation on active values that has no derivative.

>>> from adtrans.diagnostics.errors import CompileError
>>> try:
...     refuse("`f`", "it is written in C")
... except CompileError as error:
...     error.diagnostics[0].code
'AD401'
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import AdtransError, CompileError
from adtrans.recorder.memory import STATE
from adtrans.recorder.needs import here, span_of


def refuse(what: str, why: str, *, code: str = "AD401", fix: str | None = None) -> NoReturn:
    """Raise a `CompileError` at the line of the user's that is being carried out."""
    fixes = () if fix is None else (Fix(fix),)
    title = f"{what} has no derivative here"
    raise CompileError(Diagnostic(code, title, span_of(here()), why=f"{why}.", fixes=fixes))


def refusals() -> Any:
    """What handlers of the program's must not catch: errors that the plain run does not raise."""
    return AdtransError if STATE.runs else ()


def uncaught() -> None:
    """Such an error is not dropped either: by `return` in a `finally`, say."""
    error = sys.exc_info()[1]
    if is_refusal(error):
        assert error is not None
        raise error


def is_refusal(error: BaseException | None) -> bool:
    """Is an exception such an error, or a group with one in it?"""
    if isinstance(error, AdtransError):
        return bool(STATE.runs) and all(error is not run.handled for run in STATE.runs)
    return any(map(is_refusal, getattr(error, "exceptions", ())))
