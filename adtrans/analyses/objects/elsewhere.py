"""Whether a statement may change an object by way of something that is not followed.

Where none does, an object of which attributes are only read may be seen in several places: in each
there are variables for what it holds, and these stay equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType

from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.passed import is_harmless
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, walk
from adtrans.rules import lookup, method
from adtrans.source.libraries import is_library


def may_change(s: S.Stmt, o: Objects) -> bool:
    """Whether that is so; `o`: what is known of the function in the end."""
    match s:
        case S.SetAttr(mirror=False, base=base):
            return not _followed(base, o)
        case S.Keep():
            return s.form != "raise" and "(" in s.text
        case S.With():
            return not s.trusted
        case S.Invoke(fn=E.Ref() as fn, args=args):
            return s.site not in o.calls and not _inert(fn, args)
        case S.Invoke():
            return s.site not in o.calls
        case S.Bind(value=E.Call()) if s.site in o.calls:
            return False
        case _:
            return any(_changes(sub, o) for e in operands(s) for sub in walk(e))


def _changes(e: E.Expr, o: Objects) -> bool:
    match e:
        case E.Verbatim():
            return "(" in e.text
        case E.Call(fn=E.Ref() as fn, args=args):
            return not _inert(fn, args)
        case E.Call(fn=E.Attribute(base=base, attr=attr)):
            key = o.of(base)
            if key is not None and o.classes[o.one(key)] in CONTAINERS:
                return False
            rule = method(attr)
            return rule is None or rule.form == "writes"
        case _:
            return False


def _followed(e: E.Expr, o: Objects) -> bool:
    """Whether an atom is an object that is followed, and nothing else."""
    keys = {o.one(k) for k in o.values_of(e)}
    return bool(keys) and all(k in o.classes and k not in o.lost for k in keys)


def _inert(fn: E.Ref, args: Sequence[E.Expr]) -> bool:
    """Whether a function that is not followed changes no objects of the user's."""
    if makes_new(fn.value) or is_harmless(fn.value, args):
        return True
    users = isinstance(fn.value, FunctionType) and not is_library(fn.value.__module__)
    return lookup(fn.value) is not None and not users
