"""Gives what a written argument's name is bound to another name, so that its own stays.

    if out is None: out = np.zeros(n)     ->   out_2 = out
    out[0] = x                                 if out_2 is None: out_2 = np.zeros(n)
                                               out_2[0] = x

What an argument holds in the end is a result, which is looked up under its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.addressed import written_as
from adtrans.analyses.arrays_held import HOLDERS
from adtrans.analyses.facts import Facts
from adtrans.ir import stmt as S
from adtrans.ir.kinds import present
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, rename_stmt, statements
from adtrans.lower.opaque import seen_later


def rebindings(facts: Facts) -> Iterator[tuple[str, list[int]]]:
    """The written arguments that cannot be looked up at the end, with the statements that bind
    their names again."""
    for p in facts.finals:
        named = written_as(p, facts.memory)
        holds = any(isinstance(present(facts.kinds.var(v)), HOLDERS) for v in named)
        if not holds and facts.sharing.addressed.issuperset(named):
            continue
        name = facts.fn.source_name(p)
        same = [p]
        if holds:  # what it holds in the end is looked up under its name
            others = (v for v in facts.definitions.sites if v != p)
            same += [v for v in others if facts.fn.source_name(v) == name]
        yield p, [d for v in same for d in facts.definitions.sites.get(v, ())]


def with_kept_arguments(facts: Facts) -> S.Function | None:
    """The function with further names for written arguments that are bound again; None without."""
    fn = facts.fn
    seen = {v for s in statements(fn.body) for v in seen_later(s)}
    rebound = [p for p, sites in rebindings(facts) if sites and p not in seen]
    rebound = [p for p in rebound if not isinstance(present(facts.kinds.var(p)), HOLDERS)]
    if not rebound:
        return None
    taken = fn.reserved | {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(taken | {p.name for p in fn.params})
    to = {p: names.fresh(p) for p in rebound}
    number = max(s.site for s in statements(fn.body))
    first = [
        S.Alias(new, p, site=number + k, span=fn.body[0].span)
        for k, (p, new) in enumerate(to.items(), 1)
    ]

    def block(b: S.Block) -> S.Block:
        return tuple(rename_stmt(map_blocks(s, block), to, to) for s in b)

    called = {new: fn.source_name(p) for p, new in to.items()}
    return replace(fn, body=(*first, *block(fn.body)), names={**fn.names, **called})
