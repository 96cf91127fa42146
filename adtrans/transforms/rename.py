"""Renames whole-array writes: a new array takes the place of the one that is still needed.

y *= x       ->   y = y * x            (or: y = y.copy(); y *= x)
y[:] = e     ->   y = np.empty_like(y); y[:] = e
s += x       ->   s = added(s, x)       (a number or an array, nobody knows which)

>>> import adtrans
>>> @adtrans.differentiable
... def f(x):
...     y = np.sin(x)
...     s = np.sum(y * y)
...     y *= x
...     return s + np.sum(y)
>>> _ = f.grad(np.ones(3))
>>> "y = y * x" in f.source
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.facts import Facts
from adtrans.analyses.webs import webs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array
from adtrans.ir.walk import blocks_of, map_blocks, statements
from adtrans.transforms.adjoints import same_shape

_UPDATED = {
    "+": E.Ref("added", runtime.added),
    "-": E.Ref("subtracted", runtime.subtracted),
    "*": E.Ref("multiplied", runtime.multiplied),
    "/": E.Ref("divided", runtime.divided),
}


def rename_writes(facts: Facts, writes: frozenset[int]) -> S.Function:
    """The function with the given writes renamed; their sites stay the same."""
    stmts = {s.site: s for s in statements(facts.fn.body)}
    changed = {stmts[w].origin for w in writes} - {0}
    taken = set(facts.definitions.sites) | facts.fn.reserved | {p.name for p in facts.fn.params}
    names: dict[str, str] = {}
    # Where filling the new array may be interrupted, the name goes on to mean the old one.
    caught = {
        inner.site
        for s in stmts.values()
        if isinstance(s, S.Try | S.With)
        for b in blocks_of(s)
        for inner in statements(b)
    }
    number = max(stmts, default=0)

    def site() -> int:
        nonlocal number
        number += 1
        return number

    def fresh(stem: str) -> str:
        name = next(n for k in range(len(taken) + 2) if (n := f"{stem}{k or ''}") not in taken)
        taken.add(name)
        return name

    def block(b: S.Block) -> S.Block:
        return tuple(r for s in b for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        if s.origin in changed:
            s = replace(s, origin=0)
        if s.site not in writes or not isinstance(s, S.Store | S.Update):
            yield map_blocks(s, block)
            return
        plain = _as_binding(s, facts)
        if plain is not None:
            yield plain
            return
        value: E.Atom = s.value
        if isinstance(s, S.Update):
            value = E.Name(fresh("t"))
            operation = E.Binary(s.op, E.Name(s.base), s.value)
            yield S.Bind(value.id, operation, site=site(), span=s.span)
        elif value == E.Name(s.base):
            yield s  # `y[:] = y`
            return
        if s.site in caught:
            new = fresh(f"{facts.fn.source_name(s.base)}_new")
        else:
            new = fresh(f"{s.base}@new")
            names[new] = facts.fn.source_name(s.base)
        made = E.Call(E.Ref("np.empty_like", np.empty_like), (E.Name(s.base),))
        yield S.Bind(new, made, site=site(), span=s.span)
        yield S.Store(new, (E.ELLIPSIS,), value, site=s.site, span=s.span)
        yield S.Alias(s.base, new, site=site(), span=s.span)

    body = block(facts.fn.body)
    return webs(replace(facts.fn, body=body, names={**facts.fn.names, **names}))


def _as_binding(s: S.Store | S.Update, facts: Facts) -> S.Stmt | None:
    """The write as an assignment to the name, where that gives the very same array."""
    base = facts.kinds.at(s.site, s.base)
    if isinstance(s, S.Update) and s.items is None:
        call = E.Call(_UPDATED[s.op], (E.Name(s.base), s.value))
        return S.Bind(s.base, call, site=s.site, span=s.span)
    if not isinstance(base, Array) or base.dtype is None:
        return None
    if isinstance(s, S.Update):
        value = E.Binary(s.op, E.Name(s.base), s.value)
        made = facts.kinds.expr(s.site, value)
        if isinstance(made, Array) and made.dtype == base.dtype and same_shape(made, base):
            return S.Bind(s.base, value, site=s.site, span=s.span)
    return None
