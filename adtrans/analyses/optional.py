"""Decides tests for None where the kinds tell the answer: `if act is None: act = np.tanh`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import NONE_KIND, Array, Container, Known, Scalar, TupleOf
from adtrans.ir.walk import map_blocks, statements


def decided(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` without the branches that are never taken because a value is None, or is not."""
    if not any(isinstance(s, S.If) and _answer(s, kinds) is not None for s in statements(fn.body)):
        return fn

    def block(body: S.Block) -> S.Block:
        return tuple(r for s in body for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        answer = _answer(s, kinds) if isinstance(s, S.If) else None
        if answer is None:
            yield map_blocks(s, block)
        else:
            assert isinstance(s, S.If)
            yield from block(s.then if answer else s.orelse)

    return replace(fn, body=block(fn.body))


def _answer(s: S.If, kinds: Kinds) -> bool | None:
    """What the test of a branch is, where it asks for None and the kind is known."""
    match s.test:
        case E.Compare(left=E.Name(id=var), ops=("is" | "is not" as op,), rights=(E.Const(None),)):
            kind = kinds.before(s.site).get(var)
            if kind == NONE_KIND:
                return op == "is"
            sure = isinstance(kind, Scalar | Array | TupleOf | Container | Known)
            return op != "is" if sure else None
        case _:
            return None
