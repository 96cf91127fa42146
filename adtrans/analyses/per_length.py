"""Calls with a star whose tuple has another length on another path: each path gets its own call.

args = (a, b) if far else (a,)        if far:
y = g(*args)                              args = (a, b); y = g(*args)
                               ->     else:
                                          args = (a,); y = g(*args)

What stands between goes along, up to the last statement that reads the tuple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import TupleOf, Unknown
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements

_MOST = 40  # statements that are written twice, at most
_COPIED = (
    S.Bind, S.Load, S.Alias, S.Pack, S.Unpack, S.Invoke, S.Store, S.Update, S.Edit, S.If, S.Return,
    S.For, S.Break, S.Continue,
)  # fmt: skip


def per_length(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` with one such call on each path; `fn` itself where there is none."""
    wanted = set(_several(fn, kinds))
    if not wanted:
        return fn
    reads = Counter(v for s in statements(fn.body) for v in reads_of(s) & wanted)
    number = max(s.site for s in statements(fn.body))
    changed = False

    def copied(b: S.Block) -> S.Block:
        nonlocal number
        made: list[S.Stmt] = []
        for s in b:
            number += 1
            made.append(map_blocks(replace(s, site=number), copied))
        return tuple(made)

    def block(b: S.Block) -> S.Block:
        nonlocal changed
        for k, s in enumerate(b):
            if not isinstance(s, S.If) or changed:
                continue
            for v in sorted(wanted & {n for inner in statements((s,)) for n in binds_of(inner)}):
                end = max((n for n in range(k + 1, len(b)) if _reads(b[n], v)), default=k)
                tail = b[k + 1 : end + 1]
                every = list(statements((s, *tail)))
                if not any(_star_of(t) == v for t in statements(tail)):
                    continue
                if len(every) > _MOST or not all(isinstance(t, _COPIED) for t in every):
                    continue
                if sum(v in reads_of(t) for t in every) != reads[v]:
                    continue
                changed = True
                then = _plain(_followed(s.then, tail))
                orelse = _plain(_followed(s.orelse, copied(tail)))
                return (*b[:k], replace(s, then=then, orelse=orelse, origin=0), *b[end + 1 :])
        return tuple(map_blocks(s, block) for s in b)

    body = block(fn.body)
    return replace(fn, body=body) if changed else fn


def _followed(b: S.Block, tail: S.Block) -> S.Block:
    """`b` and then `tail`, if the end of `b` is reached."""
    return b if b and isinstance(b[-1], S.Return | S.Break | S.Continue) else (*b, *tail)


def _plain(b: S.Block) -> S.Block:
    """`b`, where no statement is printed as the one that the user wrote."""
    return tuple(map_blocks(replace(s, origin=0), _plain) for s in b)


def _reads(s: S.Stmt, v: str) -> bool:
    return any(v in reads_of(t) for t in statements((s,)))


def _star_of(s: S.Stmt) -> str | None:
    """The variable whose items a call is given."""
    if isinstance(s, S.Bind) and isinstance(s.value, E.Call):
        for a in s.value.args:
            if isinstance(a, E.Star) and isinstance(a.value, E.Name):
                return a.value.id
    return None


def _several(fn: S.Function, kinds: Kinds) -> Iterator[str]:
    """The variables with a star that are tuples everywhere, but not of one length."""
    stars = {
        v
        for s in statements(fn.body)
        if (v := _star_of(s)) is not None and isinstance(kinds.at(s.site, v), Unknown)
    }
    bound: dict[str, list[object]] = {v: [] for v in stars}
    for s in statements(fn.body):
        for v in stars.intersection(binds_of(s)):
            bound[v].append(kinds.bounds(s.site).get(v))
    for v in stars - {p.name for p in fn.params}:
        sizes = [len(k.items) if isinstance(k, TupleOf) else None for k in bound[v]]
        if None not in sizes and len(set(sizes)) > 1:
            yield v
