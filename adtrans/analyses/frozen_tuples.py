"""Variables that mean a tuple of known length here, and one that is made of a list there.

state = (a, b)                            ->   t = (a, b); t_2 = t[0]; t_3 = t[1]
                                               t_4 = [t_2, t_3]; state = tuple(t_4)
state = tuple(s + k for s, k in ...)      ->   as it is

A tuple that is made of a list has the kind of that list, so both are of one kind then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import ListOf, TupleOf, is_differentiable
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, statements

_SIMPLE = (S.Bind, S.Load, S.Alias, S.Pack, S.Invoke, S.Edit)


def with_frozen_tuples(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` with such tuples made of lists; the same object where there are none."""
    found = {
        s.site: kind
        for s in statements(fn.body)
        if isinstance(s, _SIMPLE)
        for v, kind in kinds.bounds(s.site).items()
        if meets_list(kind, v, kinds)
    }
    first = fn.body[0].site
    params = {
        p.name: kind
        for p in fn.params
        if meets_list(kind := kinds.before(first).get(p.name, kinds.var(p.name)), p.name, kinds)
    }
    if not found and not params:
        return fn
    bound = {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(fn.reserved | bound | {p.name for p in fn.params})
    number = max(s.site for s in statements(fn.body))

    def place(s: S.Stmt) -> S.Place:
        nonlocal number
        number += 1
        return S.place(s, number)

    def frozen(s: S.Stmt, source: str, kind: object, target: str) -> Iterator[S.Stmt]:
        assert isinstance(kind, TupleOf)
        items = [names.fresh("t") for _ in kind.items]
        for k, t in enumerate(items):
            yield S.Load(t, source, (E.Const(k),), **place(s))
        made = names.fresh("t")
        yield S.Pack(made, "list", tuple(E.Name(t) for t in items), **place(s))
        yield S.Edit(target, "freeze", made, (), **place(s))

    def block(body: S.Block) -> S.Block:
        return tuple(r for s in body for r in one(map_blocks(s, block)))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        if s.site not in found:
            yield s
            return
        assert isinstance(s, _SIMPLE)
        made = names.fresh("t")
        yield replace(s, target=made)
        assert s.target is not None
        yield from frozen(s, made, found[s.site], s.target)

    start = tuple(t for p, kind in params.items() for t in frozen(fn.body[0], p, kind, p))
    start = tuple(replace(t, origin=0) for t in start)
    return replace(fn, body=(*start, *block(fn.body)))


def meets_list(kind: object, var: str, kinds: Kinds) -> bool:
    """Whether a variable is bound to a tuple, and elsewhere to what has the kind of a list."""
    return (
        isinstance(kind, TupleOf)
        and is_differentiable(kind)
        and kind.cls is None
        and isinstance(kinds.var(var), ListOf)
    )
