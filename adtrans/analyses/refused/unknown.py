"""Attributes, methods and functions of which it is not known what they are."""

from __future__ import annotations

import collections
import re

import numpy as np

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir.kinds import Instance, Known, Mixed, Unknown
from adtrans.source.made import SPOKEN

_INSTEAD: dict[object, str] = {
    collections.deque: "a list",
    collections.OrderedDict: "a dictionary",
    collections.defaultdict: "a dictionary",
    collections.Counter: "a dictionary",
    set: "a list",
}

_IN_PLACE = frozenset({"sort", "partition", "resize"})  # NumPy's functions of these names copy


def in_place_of(made: object) -> str | None:
    """What is followed, in place of objects of a class of the standard library."""
    return next((other for cls, other in _INSTEAD.items() if cls is made), None)


_ENTERS = "a value that carries a derivative enters here"


def of_unknown(span: Span, fn: E.Expr, facts: Facts) -> Diagnostic | None:
    """The error at an attribute or call of something that is not known; None for all else."""
    match fn:
        case E.Attribute(base=E.Name(id=base), attr=attr):
            kind = facts.kinds.var(base)
            name = facts.fn.source_name(base)
            told = _is_told(name, facts)
            name = name.rpartition(".")[2]
        case E.Name(id=base) if not isinstance(facts.kinds.var(base), Known):
            return _function(span, facts.fn.source_name(base), facts)
        case _:
            return None
    it = f"`{name}`" if told else "the object"
    what = f"`{name}.{attr}`" if told else f"the attribute `{attr}`"
    if isinstance(kind, Instance) and isinstance(kind.cls, type):
        cls = kind.cls.__name__
        other = _INSTEAD.get(kind.cls)
        spoken = getattr(kind.cls, SPOKEN, None)
        what_of = "holds" if spoken is None else "captures"
        why = f"{it} is {spoken or f'a `{cls}`'}, and what it {what_of} is not known here"
        fix = "keep what varies in variables or arrays of their own"
        if other is not None:
            fix = f"use {other} in its place"
    elif isinstance(kind, Mixed) and kind.none and not kind.numbers:
        why = f"{it} is an array or None, and it is not known which of them it is here"
        fix = "put this under an `if` of its own, which asks that it is not None"
        if attr not in _IN_PLACE and callable(getattr(np, attr, None)):
            fix += f", or use `np.{attr}` in its place"
    elif isinstance(kind, Unknown):
        why = (
            f"it is not known what {it} is: the result of something that is not followed, or "
            "one thing here and another there"
        )
        fix = "let a name mean one object, and nothing else: not None, say"
    else:
        return None
    return Diagnostic(
        "AD401", f"{what} cannot be followed", Label(span, _ENTERS), why=why, fixes=[Fix(fix)]
    )


def _function(span: Span, name: str, facts: Facts) -> Diagnostic:
    told = _is_told(name, facts)
    return Diagnostic(
        "AD401",
        f"it is not known which function `{name.rpartition('.')[2]}` is"
        if told
        else "it is not known which function is called here",
        Label(span, _ENTERS),
        why="it is the result of something that is not followed, or one of several functions",
        fixes=[Fix("call the function by its name, or choose it by `if` where it is called")],
    )


def _is_told(name: str, facts: Facts) -> bool:
    """Whether a name is one of the user's, here or in a function that is written out."""
    own = name.rpartition(".")[2]
    return name in facts.fn.reserved or ("." in name and not re.fullmatch(r"t(_\d+)?", own))
