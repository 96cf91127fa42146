"""Takes the arrays out of a list or dictionary that is an argument, into a variable each.

    m["u"][1:] = m["v"][:-1]    ->   m_u = m["u"];  m_v = m["v"];  m_u[1:] = m_v[:-1]

The items are taken out where the first of them is read.

An argument that is read by known keys only stays what it is, so each key means one array all along.
Which arrays of a written argument share memory is looked at when it is called (AD308), so that its
items are as much apart as two arguments are. Not done for what another function passes on: nothing
is looked at there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.webs import webs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, Kind, Known, ListOf, Scalar, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements

Key = str | int


def parted(facts: Facts) -> S.Function | None:
    """The function with the items of arguments in variables of their own, where their names do not
    tell which array is written; None without any."""
    fn = facts.fn
    unclear = facts.sharing.through | facts.sharing.ambiguous.keys()
    if facts.inner or not unclear:
        return None
    found = {p.name: keys for p in fn.params if (keys := _keys(p.name, facts))}
    if not found:
        return None
    taken = fn.reserved | {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(taken | {p.name for p in fn.params})
    number = max(s.site for s in statements(fn.body))
    parts: dict[tuple[str, Key | None], str] = {}
    first: list[S.Stmt] = []
    shown = dict(fn.shown)
    for p, loads in found.items():
        for key, load in loads.items():
            number += 1
            part = parts[p, key] = names.fresh(f"{p}_{key}")
            shown[part] = f"{p}[{key!r}]"
            first.append(S.Load(part, p, (E.Const(key),), site=number, span=load.span))

    def block(b: S.Block) -> S.Block:
        return tuple(r for s in b for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        if isinstance(s, S.Load) and s.base in found:
            part = parts.get((s.base, _key(s)))
            yield s if part is None else S.Alias(s.target, part, **S.place(s, s.site))
        elif isinstance(s, S.Store) and s.base in found:
            return  # what it holds already
        else:
            yield map_blocks(s, block)

    at = min(_first(fn.body, p) for p in found)
    body = (*fn.body[:at], *first, *block(fn.body[at:]))
    apart = fn.apart | found.keys()
    return webs(replace(fn, body=body, apart=apart, shown=shown))


def _key(s: S.Stmt) -> Key | None:
    """The constant that a statement reads an item by."""
    if not isinstance(s, S.Load) or len(s.items) != 1 or not isinstance(s.items[0], E.Const):
        return None
    key = s.items[0].value
    return key if isinstance(key, str) or (type(key) is int and key >= 0) else None


def _keys(p: str, facts: Facts) -> dict[Key, S.Load]:
    """The keys of the arrays that are read from an argument, each with the first such statement;
    nothing where anything else is done with it, or where an item might be missing."""
    kind = facts.kinds.var(p)
    if not isinstance(kind, DictOf | ListOf | TupleOf) or facts.definitions.sites.get(p):
        return {}
    if p in facts.finals or p in facts.fn.apart:
        return {}
    loads: dict[Key, S.Load] = {}
    for s in statements(facts.fn.body):
        if p not in reads_of(s):
            continue
        if _asks_length(s) or _puts_back(s, p, facts):
            continue
        key = _key(s)
        if key is None or not isinstance(s, S.Load) or s.base != p:
            return {}
        item = facts.kinds.expr(s.site, E.Index(E.Name(p), s.items))
        if isinstance(item, Scalar | Known) and _has(kind, key):
            continue  # a number stays where it is
        if not isinstance(item, Array):
            return {}
        loads.setdefault(key, s)
    present = _surely(facts.fn.body, p)
    return loads if all(_has(kind, key) or key in present for key in loads) else {}


def _puts_back(s: S.Stmt, p: str, facts: Facts) -> bool:
    """Whether a statement is the end of `p[key] += ...`, which stores what it has read."""
    if not isinstance(s, S.Store) or s.base != p or not isinstance(s.value, E.Name):
        return False
    sites = facts.definitions.sites.get(s.value.id, ())
    made = [t for d in sites if not isinstance(t := facts.structure.stmts[d], S.Update)]
    same = [t for t in made if isinstance(t, S.Load) and t.base == p and t.items == s.items]
    return len(made) == len(same) == 1


def _asks_length(s: S.Stmt) -> bool:
    """Whether a statement is `len(...)`."""
    called = s.value.fn if isinstance(s, S.Bind) and isinstance(s.value, E.Call) else None
    return isinstance(called, E.Ref) and called.value is len


def _first(body: S.Block, p: str) -> int:
    """The number of the first statement that reads an item of `p`, or holds one that does."""
    for k, s in enumerate(body):
        if any(isinstance(t, S.Load) and t.base == p for t in statements((s,))):
            return k
    return len(body)


def _has(kind: Kind, key: Key) -> bool:
    match kind:
        case DictOf():
            return key in dict(kind.fields)
        case TupleOf():
            return isinstance(key, int) and key < len(kind.items)
        case _:
            return False


def _surely(body: S.Block, p: str) -> set[Key]:
    """The keys that are read before anything else happens that could be seen from outside."""
    found: set[Key] = set()
    for s in body[_first(body, p) :]:
        if not isinstance(s, S.Load | S.Alias | S.Bind):
            break
        if (key := _key(s)) is not None and p in reads_of(s):
            found.add(key)
    return found
