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
from adtrans.ir.kinds import Instance
from adtrans.ir.walk import names_in, operands, statements, walk
from adtrans.lower.kept_syntax import calls_nothing, is_of_arrays
from adtrans.source import is_generated
from adtrans.source.libraries import is_library
from adtrans.source.reach import codes, reached_by_any

_EXCEPTIONS = ("exc_info", "exception")
_FRAMES = (sys._getframe, inspect.currentframe, inspect.stack)
_LOOKING = [
    *(getattr(sys, n) for n in (*_EXCEPTIONS, "_current_frames") if hasattr(sys, n)),
    *_FRAMES, inspect.trace, gc.get_objects, gc.get_referrers,
]  # fmt: skip
_NAMES = frozenset({"exc_info", "f_locals", "tb_frame", "get_objects", "get_referrers"})


def got_from_frames(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """A call whose result may be a value with a derivative, though it is given none, or tells of
    the functions that call it, which are others in generated code."""
    fn = s.fn.value if isinstance(s.fn, E.Ref) else None
    fn = getattr(fn, "__func__", fn)
    if s.target is None or s.target not in facts.activity.useful:
        if s.target is None or not isinstance(fn, types.FunctionType) or not _sees_frames(fn):
            return
    if any(fn is f for f in _LOOKING):
        raised = getattr(fn, "__name__", "") in _EXCEPTIONS
        what = "the exception under way" if raised else "variables of functions"
        where = "looks at"
    elif (unit := facts.units.get(s.site)) is not None and not unit.summary.looks:
        return
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


def looks(facts: Facts, fn: types.FunctionType) -> bool:
    """Whether what a function that is followed does itself may get at what it is not given.

    Of a statement that is not understood to its end, all that the function names is looked through.
    What generated code does was looked at before.
    """
    if is_generated(facts.fn.span.file):
        return False
    for s in statements(facts.fn.body):
        unit = facts.units.get(s.site)
        if unit is not None:
            if unit.summary.looks:
                return True
            continue
        known = all(_is_harmless(e) for own in operands(s) for e in walk(own))
        if isinstance(s, S.Keep):
            known = known and calls_nothing(s.node)
        elif isinstance(s, S.Bind):  # an operator of a class is called unseen
            kinds = (facts.kinds.at(s.site, v) for v in names_in(s.value))
            known = known and not any(isinstance(k, Instance) for k in kinds)
        if not known:
            return _looks(fn)
    return False


def _is_harmless(e: E.Expr) -> bool:
    match e:
        case E.Ref(value=types.ModuleType() | None):
            return True
        case E.Ref(value=value):
            known = is_library(getattr(value, "__module__", None) or "builtins")
            return not callable(value) or (known and not any(value is f for f in _LOOKING))
        case E.Attribute(attr=attr):
            return is_of_arrays(attr)
        case E.Verbatim():
            return calls_nothing(e.node)
        case _:
            return True


def _looks(fn: types.FunctionType) -> bool:
    """Whether the code that a function may reach gets at what it is not given."""
    return _sees_frames(fn) or any(
        _NAMES & names or ("exception" in names and "sys" in names)
        or any(found.__globals__.get(n) is f for n in names for f in _LOOKING)
        for found, names in _named(fn)
    )  # fmt: skip


def _sees_frames(fn: types.FunctionType) -> bool:
    """Whether it gets at the frames of the functions that call it."""
    return any(
        names & {"_getframe", "currentframe"} or names >= {"inspect", "stack"}
        or any(found.__globals__.get(n) is f for n in names for f in _FRAMES)
        for found, names in _named(fn)
    )  # fmt: skip


def _named(fn: types.FunctionType) -> Iterator[tuple[types.FunctionType, set[str]]]:
    """The functions that a function may reach, with the names in their code."""
    for found in reached_by_any(fn):
        for code in codes(found.__code__):
            yield found, set(code.co_names)
