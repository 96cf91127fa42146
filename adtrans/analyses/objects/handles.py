"""What is read through a variable of an attribute needs no second name for it.

    t = h_rows          # v = h.rows[i]
    v = t[i]                                    v = h_rows[i]

Lowering names every attribute that is read. Where the variable of the attribute is not bound again
before the last use, the name says nothing, and costs the pullback an adjoint of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import (
    binds_of,
    map_blocks,
    operands,
    reads_of,
    rename_stmt,
    statements,
    walk,
)


def without_handles(fn: S.Function, cells: Collection[str]) -> S.Function:
    """`fn` without the temporaries that only stand for one of `cells`, its variables for
    attributes."""
    binds = Counter(v for s in statements(fn.body) for v in binds_of(s))
    reads = Counter(v for s in statements(fn.body) for v in reads_of(s))

    def is_handle(s: S.Stmt) -> bool:
        if not isinstance(s, S.Alias) or s.source not in cells or binds[s.target] > 1:
            return False
        return fn.source_name(s.target) not in fn.reserved and s.target not in fn.names

    def block(body: S.Block) -> S.Block:
        out: list[S.Stmt] = []
        rest = list(body)
        while rest:
            s = rest.pop(0)
            if isinstance(s, S.Alias) and is_handle(s):
                if (direct := _direct(rest, s, reads[s.target])) is not None:
                    rest = direct
                    continue
            out.append(map_blocks(s, block))
        return tuple(out)

    return replace(fn, body=block(fn.body))


def _direct(rest: list[S.Stmt], handle: S.Alias, uses: int) -> list[S.Stmt] | None:
    """The statements that follow, with what the handle stands for in its place; None where it may
    stand for something else by then, or is used elsewhere."""
    meaning = {handle.target: handle.source}
    for k, s in enumerate(rest):
        if handle.target in reads_of(s):
            if isinstance(s, S.Keep | S.For | S.While) or _is_written_out(s, handle.target):
                return None
            rest = [*rest[:k], rename_stmt(s, meaning, {}), *rest[k + 1 :]]
            uses -= 1
        if uses == 0:
            return rest
        if any(handle.source in binds_of(inner) for inner in statements((s,))):
            return None
    return None


def _is_written_out(s: S.Stmt, name: str) -> bool:
    """Whether an expression that is kept as it was written, such as an f-string, has the name."""
    every = (e for of in operands(s) for e in walk(of))
    return any(isinstance(e, E.Verbatim) and name in e.reads for e in every)
