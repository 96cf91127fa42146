"""Calls that get at values which they are not given: exceptions under way, frames, what exists."""

from __future__ import annotations

import gc
import inspect
import sys
import types
from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower.class_uses import codes, reached

_EXCEPTIONS = ("exc_info", "exception")
_LOOKING = [
    *(getattr(sys, n) for n in (*_EXCEPTIONS, "_getframe", "_current_frames") if hasattr(sys, n)),
    inspect.currentframe, inspect.stack, inspect.trace, gc.get_objects, gc.get_referrers,
]  # fmt: skip
_NAMES = frozenset({"exc_info", "f_locals", "tb_frame", "get_objects", "get_referrers"})


def got_from_frames(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """A call whose result may be a value with a derivative, though it is given none."""
    if s.target is None or s.target not in facts.activity.useful:
        return
    fn = s.fn.value if isinstance(s.fn, E.Ref) else None
    fn = getattr(fn, "__func__", fn)
    if any(fn is f for f in _LOOKING):
        raised = getattr(fn, "__name__", "") in _EXCEPTIONS
        what = "the exception under way" if raised else "variables of functions"
        where = "looks at"
    elif isinstance(fn, types.FunctionType) and _looks(fn):
        what, where = "exceptions under way or at variables of its callers", "may look at"
    else:
        return
    yield Diagnostic(
        "AD202",
        f"`{E.text(s.fn)}()` cannot be differentiated",
        Label(s.span, f"it {where} {what}"),
        why="what it finds there may carry a derivative, and is not followed",
        fixes=[Fix("use the variable itself, or name the exception: `except ... as e`")],
    )


def _looks(fn: types.FunctionType) -> bool:
    """Whether the code that a function may reach gets at what it is not given."""
    for found in (fn, *reached(fn)):
        for code in codes(found.__code__):
            names = set(code.co_names)
            if _NAMES & names or ("exception" in names and "sys" in names):
                return True
            if any(found.__globals__.get(n) is f for n in names for f in _LOOKING):
                return True
    return False
