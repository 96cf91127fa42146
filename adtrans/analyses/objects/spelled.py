"""Puts the statements that others mean, as far as objects are known, in their places.

    y = obj.step(x)       ->    t = obj.step; y = t(x)          (the attribute holds a function)
    c = type(obj)(x)      ->    c = Cell(x)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, rename_stmt, statements, without_origins


def spelled(fn: S.Function, o: Objects, again: Callable[[S.Function], S.Function]) -> S.Function:
    """`fn` with the statements of `o.instead`, and calls of functions that objects hold in two
    steps; `again` prepares what is made."""
    number = max(s.site for s in statements(fn.body))
    bound = {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(fn.reserved | bound | {p.name for p in fn.params})
    changed = {*o.held, *o.instead}
    split = {s.origin for s in statements(fn.body) if s.site in changed}

    def fresh() -> int:
        nonlocal number
        number += 1
        return number

    def block(body: S.Block) -> S.Block:
        return tuple(r for s in body for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        if s.site < 0:
            s = replace(s, site=fresh())
        if s.site in o.instead:
            for step in o.instead[s.site]:
                yield map_blocks(replace(step, site=fresh()), block)
        elif s.site in o.held and isinstance(s, S.Bind) and isinstance(s.value, E.Call):
            call = s.value
            name = names.fresh(s.target)
            yield S.Bind(name, call.fn, site=fresh(), span=s.span)
            args = tuple(a for a in call.args if isinstance(a, E.Name | E.Const | E.Ref))
            words = tuple((k, v) for k, v in call.kwargs if isinstance(v, E.Name | E.Const | E.Ref))
            yield S.Invoke(s.target, E.Name(name), args, words, site=s.site, span=s.span)
        else:
            yield map_blocks(s, block)

    body = block(without_origins(fn.body, split))
    return again(replace(fn, body=_named(fn, body)))


def _named(fn: S.Function, body: S.Block) -> S.Block:
    """`body` with names that can be written for what was just made."""
    bound = {v for s in statements(body) for v in binds_of(s)}
    names = NameAllocator(bound | {p.name for p in fn.params} | fn.reserved)
    made = sorted(v for v in bound if re.search(r"@[a-z]+\d+$", v))
    to = {v: names.fresh(v) for v in made}

    def block(b: S.Block) -> S.Block:
        return tuple(rename_stmt(map_blocks(s, block), to, to) for s in b)

    return block(body) if to else body
