"""Results of calls that are arguments of the call: the caller takes them from where it has them.

`y = g(x)` is `g(x); y = x` where `g` always returns its argument, and `s, y = g(x)` is
`s, _ = g(x); y = x` where that is an item of what `g` returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.webs import webs
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Scalar, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, blocks_of, map_blocks, reads_of, statements

Taken = Mapping[int, frozenset[int]]


def returned_arguments(facts: Facts) -> S.Function | None:
    """`y = g(x)` as `g(x); y = x` where `g` always returns its argument; None without one."""
    found = {
        site: a.id
        for site, u in facts.units.items()
        if u.summary.same is not None
        and isinstance(s := facts.structure.stmts[site], S.Invoke)
        and s.target is not None
        and isinstance(a := actuals(s, u.summary).get(u.summary.same), E.Name)
    }
    if not found:
        return None
    number = max(facts.structure.stmts)
    origins = {facts.structure.stmts[site].origin for site in found} - {0}

    def block(b: S.Block) -> S.Block:
        return tuple(r for s in b for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        nonlocal number
        s = replace(map_blocks(s, block), origin=0 if s.origin in origins else s.origin)
        if s.site in found and isinstance(s, S.Invoke):
            yield replace(s, target=None)
            if s.target != found[s.site] and s.target is not None:
                number += 1
                yield S.Alias(s.target, found[s.site], site=number, span=s.span)
        else:
            yield s

    return webs(replace(facts.fn, body=block(facts.fn.body)))


def unread_results(facts: Facts) -> S.Function | None:
    """The function with names for results of calls that nobody reads, where the pullback of the
    callee has to be given zeros of their form; None without any."""
    found = {
        site
        for site, u in facts.units.items()
        if u.summary.result_active
        and u.summary.same is None
        and not isinstance(u.summary.result, Scalar)
        and isinstance(s := facts.structure.stmts[site], S.Invoke)
        and s.target is None
    }
    if not found:
        return None
    bound = {v for s in facts.structure.stmts.values() for v in binds_of(s)}
    names = NameAllocator(bound | {p.name for p in facts.fn.params} | facts.fn.reserved)

    def block(b: S.Block) -> S.Block:
        return tuple(one(s) for s in b)

    def one(s: S.Stmt) -> S.Stmt:
        s = map_blocks(s, block)
        if isinstance(s, S.Invoke) and s.site in found:
            return replace(s, target=names.fresh("t"))
        return s

    return replace(facts.fn, body=block(facts.fn.body))


def returned_items(facts: Facts) -> tuple[S.Function, Taken] | None:
    """The function with items of results taken from the arguments, and which those are of which
    call; None without any."""
    found: dict[int, dict[int, str]] = {}  # by call: arguments by item
    for site, u in facts.units.items():
        s = facts.structure.stmts[site]
        if not isinstance(s, S.Invoke) or s.target is None:
            continue
        given = actuals(s, u.summary)
        items = {k: a.id for k, p in u.summary.items if isinstance(a := given.get(p), E.Name)}
        if items and _is_taken_apart(s, set(items.values()), facts):
            found[site] = items
    if not found:
        return None
    stmts = facts.structure.stmts
    held = {binds_of(stmts[site])[0]: items for site, items in found.items()}
    number = max(stmts)
    bound = {v for s in stmts.values() for v in binds_of(s)}
    names = NameAllocator(bound | {p.name for p in facts.fn.params} | facts.fn.reserved)
    origins = {s.origin for s in stmts.values() if reads_of(s) & held.keys()} - {0}
    origins |= {stmts[site].origin for site in found} - {0}

    def size_of(var: str) -> int:
        kind = facts.kinds.var(var)
        return len(kind.items) if isinstance(kind, TupleOf) else 0

    def block(b: S.Block) -> S.Block:
        return tuple(r for s in b for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        nonlocal number
        s = replace(map_blocks(s, block), origin=0 if s.origin in origins else s.origin)
        match s:
            case S.Unpack(source=source) if source in held:
                items = held[source]
                targets = tuple(
                    names.fresh("t") if k in items else t for k, t in enumerate(s.targets)
                )
                items = {k: arg for k, arg in items.items() if s.targets[k] != arg}
                called = facts.fn.source_name
                if {*map(called, s.targets)} & {*map(called, items.values())}:  # they change places
                    held_in = {k: names.fresh("t") for k in items}
                    for k, arg in items.items():
                        number += 1
                        yield S.Alias(held_in[k], arg, site=number, span=s.span)
                    items = held_in
                yield replace(s, targets=targets)
                for k, arg in items.items():
                    number += 1
                    yield S.Alias(s.targets[k], arg, site=number, span=s.span)
            case S.Load(base=base, items=(E.Const(value=int(k)),)) if (
                base in held and (k := k + size_of(base) * (k < 0)) in held[base]
            ):
                yield S.Alias(s.target, held[base][k], site=s.site, span=s.span, origin=s.origin)
            case _:
                yield s

    fn = webs(replace(facts.fn, body=block(facts.fn.body)))
    return fn, {site: frozenset(items) for site, items in found.items()}


def _is_taken_apart(call: S.Invoke, args: set[str], facts: Facts) -> bool:
    """Whether the tuple that a call returns is only taken apart, behind the call, before one of the
    arguments gets another meaning."""
    assert call.target is not None
    if facts.definitions.sites.get(call.target) != (call.site,):
        return False
    called = facts.fn.source_name  # what a variable is called in its next life, too
    names = {*map(called, args)}
    is_tuple = isinstance(facts.kinds.var(call.target), TupleOf)
    left = sum(call.target in reads_of(s) for s in facts.structure.stmts.values())
    for block in _blocks(facts.fn.body):
        sites = [s.site for s in block]
        if call.site not in sites:
            continue
        for s in block[sites.index(call.site) + 1 :]:
            if call.target in reads_of(s):
                match s:
                    case S.Unpack(star=None):
                        left -= 1
                    case S.Load(items=(E.Const(value=int(k)),)) if k >= 0 or is_tuple:
                        left -= 1
                    case _:
                        return False
            if names & {called(v) for inner in statements((s,)) for v in binds_of(inner)}:
                break
    return left == 0


def _blocks(body: S.Block) -> Iterator[S.Block]:
    yield body
    for s in body:
        for inner in blocks_of(s):
            yield from _blocks(inner)


def without_items(fn: S.Function, taken: frozenset[int]) -> S.Function:
    """`fn` for a caller that takes these items of the result from the arguments."""
    if not taken:
        return fn
    *rest, last = fn.body
    assert isinstance(last, S.Return)
    values = tuple(E.NONE if k in taken else v for k, v in enumerate(last.values))
    return replace(fn, body=(*rest, replace(last, values=values)))
