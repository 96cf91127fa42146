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
from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import UNKNOWN, Instance, Kind, Known, ListOf, TupleOf, present
from adtrans.ir.walk import names_in, operands, statements, walk
from adtrans.source.reach import (
    assigned_by,
    attributes_named,
    codes,
    names_of_values,
    reached_by_any,
)

_TELL = (id, operator.is_, operator.is_not)
_FIXED = ("LOAD_CONST", "LOAD_GLOBAL", "LOAD_NAME")
_NAMING = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM")


def identity_matters(fn: S.Function, kinds: Kinds) -> bool:
    """Whether a function, or one that it hands a tuple, asks which one a tuple is."""
    return any(asked_in(s, kinds) for s in statements(fn.body))


def asked_in(s: S.Stmt, kinds: Kinds) -> set[str]:
    """The tuples of which it is asked, here or in what is called, which ones they are."""
    found: set[str] = set()
    if isinstance(s, S.Invoke):
        given = {n for a in (*s.args, *(v for _, v in s.kwargs)) for n in names_in(a)}
        found |= {n for n in given if _is_tuple(E.Name(n), s, kinds)}
        if found and not any(map(asks, _in_hand(s, kinds))):
            found.clear()
    for part in operands(s):
        if identity_told(part, s, kinds):
            found |= {n for n in names_in(part) if _is_tuple(E.Name(n), s, kinds)}
    return found


def _in_hand(s: S.Invoke, kinds: Kinds) -> Iterator[object]:
    """What may be called: the callee, and what it is given."""
    owner = (s.fn.base,) if isinstance(s.fn, E.Attribute) else ()
    for e in (s.fn, *owner, *s.args, *(v for _, v in s.kwargs)):
        if isinstance(e, E.Ref):
            yield e.value
        else:
            yield from _callable_in(kinds.expr(s.site, e))


def _callable_in(kind: Kind | None) -> Iterator[object]:
    """The functions in a value of some kind, and the classes that have methods."""
    match present(kind) if kind is not None else None:
        case Known(value=value):
            yield value
        case Instance(cls=cls):
            yield cls
        case TupleOf(items=items, cls=cls):
            yield cls
            for item in items:
                yield from _callable_in(item)
        case ListOf(item=item):
            yield from _callable_in(item)
        case _:
            pass


def asks(fn: object) -> bool:
    """Whether a function, or one that it names, or a method of what it names, compares by
    identity."""
    every = list(reached_by_any(fn))
    assigned = {g.name for f in every for g in assigned_by(f)}
    return any(fn is f for f in _TELL) or any(_asks(f, assigned) for f in every)


def _asks(fn: FunctionType, assigned: set[str]) -> bool:
    meant = (*(v for _, v in names_of_values(fn)), *attributes_named(fn), *(fn.__defaults__ or ()))
    if any(v is f for v in meant for f in _TELL):
        return True
    loose = assigned | {n for n, v in names_of_values(fn) if isinstance(v, tuple)}
    return any(_compares(code, loose) for code in codes(fn.__code__))


def _compares(code: CodeType, loose: set[str]) -> bool:
    """Whether code asks; `loose`: the globals that may hold a tuple."""
    before = ""  # what is compared with, where that is a constant, a global or a class
    for op in get_instructions(code):
        if op.opname in ("CACHE", "EXTENDED_ARG"):
            continue
        if op.opname == "IS_OP" and before not in _FIXED:
            return True
        if op.opname in _NAMING and op.argval in ("id", "is_", "is_not"):
            return True
        before = "LOAD_CONST" if op.argval == "__class__" else op.opname
        before = "" if op.argval in loose and before != "LOAD_CONST" else before
    return False


def identity_told(value: E.Expr, s: S.Stmt, kinds: Kinds) -> bool:
    """Whether an expression in a statement asks which one a tuple is."""
    return any(_told(e, s, kinds) for e in walk(value))


def _told(e: E.Expr, s: S.Stmt, kinds: Kinds) -> bool:
    match e:
        case E.Compare(left=left, ops=ops, rights=rights):
            sides = zip((left, *rights), ops, rights, strict=False)
            return any(
                op in ("is", "is not")
                and (_is_tuple(a, s, kinds) or _is_tuple(b, s, kinds))
                and all(_is_tuple(e, s, kinds) or kinds.expr(s.site, e) == UNKNOWN for e in (a, b))
                for a, op, b in sides
            )
        case E.Call(fn=E.Ref(value=fn), args=args):
            return any(fn is f for f in _TELL) and any(_is_tuple(a, s, kinds) for a in args)
        case _:
            return False


def _is_tuple(e: E.Expr, s: S.Stmt, kinds: Kinds) -> bool:
    return isinstance(present(kinds.expr(s.site, e)), TupleOf)
