r"""Whether it is asked which of several equal tuples a name means: `a is b`, `id(a)`.

A tuple that is taken apart is made anew where it is handed on: it is equal to the one that was
there, and another one.

>>> scope = {}
>>> exec("def same(a, b): return a is b\ndef empty(a): return a is None or len(a) == 0", scope)
>>> asks(scope["same"]), asks(scope["empty"])
(True, False)
"""

from __future__ import annotations

import operator
from dis import get_instructions
from types import CodeType

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import TupleOf, present
from adtrans.ir.walk import names_in, operands, statements, walk
from adtrans.source.reach import codes, reached

_TELL = (id, operator.is_, operator.is_not)
_FIXED = ("LOAD_CONST", "LOAD_GLOBAL", "LOAD_NAME")


def identity_matters(fn: S.Function, kinds: Kinds) -> bool:
    """Whether a function, or one that it hands a tuple, asks which one a tuple is."""
    return any(asked_in(s, kinds) for s in statements(fn.body))


def asked_in(s: S.Stmt, kinds: Kinds) -> set[str]:
    """The tuples of which it is asked, here or in what is called, which ones they are."""
    found: set[str] = set()
    if isinstance(s, S.Invoke) and isinstance(s.fn, E.Ref):
        given = {n for a in (*s.args, *(v for _, v in s.kwargs)) for n in names_in(a)}
        found |= {n for n in given if _is_tuple(E.Name(n), s, kinds)}
        if found and not asks(s.fn.value):
            found.clear()
    for part in operands(s):
        if identity_told(part, s, kinds):
            found |= {n for n in names_in(part) if _is_tuple(E.Name(n), s, kinds)}
    return found


def asks(fn: object) -> bool:
    """Whether a function, or one that it calls by name, compares by identity."""
    return any(_asks(code) for f in reached(fn) for code in codes(f.__code__))


def _asks(code: CodeType) -> bool:
    before = ""  # what is compared with, where that is a constant or a global
    for op in get_instructions(code):
        if op.opname in ("CACHE", "EXTENDED_ARG"):
            continue
        if op.opname == "IS_OP" and before not in _FIXED:
            return True
        if op.opname in ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD") and op.argval in (
            "id", "is_", "is_not"
        ):  # fmt: skip
            return True
        before = op.opname
    return False


def identity_told(value: E.Expr, s: S.Stmt, kinds: Kinds) -> bool:
    """Whether an expression in a statement asks which one a tuple is."""
    return any(_told(e, s, kinds) for e in walk(value))


def _told(e: E.Expr, s: S.Stmt, kinds: Kinds) -> bool:
    match e:
        case E.Compare(left=left, ops=ops, rights=rights):
            sides = zip((left, *rights), ops, rights, strict=False)
            return any(
                op in ("is", "is not") and _is_tuple(a, s, kinds) and _is_tuple(b, s, kinds)
                for a, op, b in sides
            )
        case E.Call(fn=E.Ref(value=fn), args=args):
            return any(fn is f for f in _TELL) and any(_is_tuple(a, s, kinds) for a in args)
        case _:
            return False


def _is_tuple(e: E.Expr, s: S.Stmt, kinds: Kinds) -> bool:
    return isinstance(present(kinds.expr(s.site, e)), TupleOf)
