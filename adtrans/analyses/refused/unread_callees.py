"""Why a Python function that is called is not followed: what is wrong stands inside of it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import FunctionType

from adtrans.analyses.facts import Facts
from adtrans.analyses.refused.user_words import shown
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir.kinds import Known
from adtrans.lower.function import lower
from adtrans.lower.lift import lifted
from adtrans.source import get_source
from adtrans.source.libraries import is_library

_SEVERAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def unread(span: Span, fn: E.Expr, facts: Facts) -> Diagnostic | None:
    """The error at a call of a function of the user's that cannot be followed; None where the
    reason is not in the function."""
    found = _reason(_meant(fn, facts))
    if found is None:
        return None
    why, labels, fixes = found
    return Diagnostic(
        "AD401",
        f"`{shown(fn, facts)}` cannot be followed",
        Label(span, "a value that carries a derivative enters here"),
        labels=labels,
        why=why,
        fixes=fixes,
    )


def _meant(fn: E.Expr, facts: Facts) -> object:
    """What a global or a variable means, where that is known."""
    if isinstance(fn, E.Ref):
        return fn.value
    kind = facts.kinds.var(fn.id) if isinstance(fn, E.Name) else None
    return kind.value if isinstance(kind, Known) else None


def _reason(fn: object) -> tuple[str, Iterable[Label], Iterable[Fix]] | None:
    """Why the code of a function cannot be read or expressed, where in it, and what helps."""
    if not isinstance(fn, FunctionType) or is_library(fn.__module__):
        return None
    try:
        source = get_source(fn)
        lower(lifted(source))
    except CompileError as error:
        first = error.diagnostics[0]
        why = ": ".join(filter(None, (f"{first.title} ({first.code})", first.why)))
        place = Label(first.primary.span, first.primary.text or "here")
        return why, [place, *first.labels], first.fixes
    starred = [p for p in source.signature.parameters.values() if p.kind in _SEVERAL]
    if starred:
        name = str(starred[-1]).partition(":")[0]
        why = f"it collects arguments in `{name}`, and how many this call gives is not known"
        return why, (), [Fix("pass the arguments one by one")]
    return None
