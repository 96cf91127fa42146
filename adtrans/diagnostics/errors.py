"""The exceptions that users see. They carry diagnostics; the text of
those of checks at run time is one line with the code at its end.

>>> issubclass(CompileError, AdtransError), issubclass(MutationError, AdtransError)
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.render import render_all
from adtrans.runtime.failures import AdtransError, CallError, DerivativeError, MutationError

__all__ = [
    "AdtransError", "CallError", "CompileError", "DerivativeError", "InputError", "InternalError",
    "MutationError",
]  # fmt: skip


class Diagnosed(AdtransError):
    """An error whose text is made of its `diagnostics`."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = (
            (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        )
        super().__init__(self.diagnostics)  # one argument: so that it pickles

    def __str__(self) -> str:
        return render_all(self.diagnostics)


class CompileError(Diagnosed):
    """The function cannot be differentiated as it stands; nothing was computed.

    `report`: what is known of its writes, where the analysis got that far. `finals`: whether it may
    be refused for the final contents of its arguments alone.
    """

    report: Any = None
    finals: bool = True


class InputError(Diagnosed, TypeError):
    """An argument, an option or a cotangent does not fit."""


class InternalError(Diagnosed):
    """A defect of adtrans itself; the text says what to report."""
