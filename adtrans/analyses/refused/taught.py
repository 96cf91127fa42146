"""Dictionaries that functions return which have a rule of the user's, or are checkpoints."""

from __future__ import annotations

from adtrans.analyses.apply import Application
from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, Kind, ListOf, Mixed, Never, Scalar, TupleOf, present
from adtrans.rules.rule import Custom


def of_table(s: S.Bind, app: Application, facts: Facts) -> Diagnostic | None:
    """The error at such a call; None where the result is followed."""
    result = facts.kinds.var(s.target)
    if app.rule.custom is None or not _holds_dict(result):
        return None
    if _runs_again(s.value, app.rule.custom) and _is_table(result):
        return None
    return Diagnostic(
        "AD207",
        f"the dictionary that {app.rule.shown} returns cannot be followed",
        Label(s.span, "it carries a derivative"),
        why="a function with a rule of its own returns numbers and arrays, or tuples and lists of "
        "these; a checkpoint may also return a dictionary of numbers and arrays",
        fixes=[Fix("return a tuple, and make the dictionary where it is called")],
    )


def _runs_again(value: E.Expr, custom: Custom) -> bool:
    """Whether what is called is a checkpoint of the function that the rule is about."""
    called = value.fn.value if isinstance(value, E.Call) and isinstance(value.fn, E.Ref) else None
    return getattr(called, "__differentiates__", None) is custom.fn


def _is_table(kind: Kind) -> bool:
    """Whether a value is a dictionary of numbers and arrays."""
    plain = Scalar | Array | Mixed | Never
    return (
        isinstance(kind, DictOf)
        and isinstance(kind.item, plain)
        and all(isinstance(k, plain) for _, k in kind.fields)
    )


def _holds_dict(kind: Kind) -> bool:
    """Whether a value is a dictionary, or a tuple or list with one in it."""
    match present(kind):
        case DictOf():
            return True
        case TupleOf(items=items):
            return any(map(_holds_dict, items))
        case ListOf(item=item):
            return _holds_dict(item)
        case _:
            return False
