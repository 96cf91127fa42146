"""Subscripts of which nothing is known are taken for integers, which is checked at each use.

for k in sorted(chosen):                for k in sorted(chosen):
    s += x[k]                   ->          k_2 = whole_number(k)
                                            s += x[k_2]

What comes out of a set, a counter or a dictionary of the user's is mostly of this kind. It is only
done where the function is refused otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.activity import values_in
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, Unknown
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, rename, statements
from adtrans.lower.opaque import is_display

_CHECK = E.Ref("whole_number", runtime.whole_number)


def with_whole_indices(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` with these checks; the same object where there is nothing of the kind."""
    others = {v for s in statements(fn.body) if _is_no_number(s) for v in binds_of(s)}
    others |= _fields(fn)
    if not any(_unknown(s, kinds, others) for s in statements(fn.body)):
        return fn
    taken = fn.reserved | {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(taken | {p.name for p in fn.params})
    number = max(s.site for s in statements(fn.body))

    def block(b: S.Block) -> S.Block:
        return tuple(made for s in b for made in one(map_blocks(s, block)))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        nonlocal number
        if isinstance(s, S.Load | S.Store | S.Update) and s.items is not None:
            found = {v: names.fresh(v) for v in _unknown(s, kinds, others)}
            for old, new in found.items():
                number += 1
                yield S.Bind(new, E.Call(_CHECK, (E.Name(old),)), **S.place(s, number))
            s = replace(s, items=tuple(rename(i, found) for i in s.items)) if found else s
        yield s

    return replace(fn, body=block(fn.body))


def _is_no_number(s: S.Stmt) -> bool:
    """Does a statement bind what a comparison gives, which is mostly a mask, or a tuple?"""
    value = s.value if isinstance(s, S.Bind) else None
    if isinstance(value, E.Verbatim):
        return is_display(value)
    if isinstance(value, E.Binary):
        return value.op in ("&", "|", "^")
    return isinstance(value, E.Compare) or (isinstance(value, E.Unary) and value.op == "~")


def _fields(fn: S.Function) -> set[str]:
    """What is read out of global arrays of records, or of parts of them: fields are arrays."""
    tables, found = set[str](), set[str]()
    for s in statements(fn.body):
        if isinstance(s, S.Load) and s.base in tables:
            part = any(isinstance(i, E.Slice) for i in s.items)
            (tables if part else found).update(binds_of(s))
        elif isinstance(s, S.Bind) and isinstance(s.value, E.Ref | E.Name):
            held = s.value.value if isinstance(s.value, E.Ref) else None
            if _is_table(held) or E.text(s.value) in tables:
                tables.update(binds_of(s))
    return found


def _is_table(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.names is not None and value.ndim > 0


def _unknown(s: S.Stmt, kinds: Kinds, others: AbstractSet[str]) -> list[str]:
    """The variables in the subscript of an array or a list of which nothing is known."""
    if not isinstance(s, S.Load | S.Store | S.Update) or s.items is None:
        return []
    if not isinstance(kinds.at(s.site, s.base), Array | ListOf):
        return []
    names = [v for i in s.items if not isinstance(i, E.Slice) for v in sorted(values_in(i))]
    unknown = (v for v in dict.fromkeys(names) if isinstance(kinds.at(s.site, v), Unknown))
    return [v for v in unknown if v not in others]
