"""Statements about one of several objects, told apart by which object it is.

t = a if c else b        ->  t = a if c else b
t.step(x)                    if t is a: a.step(x)
                             else:      b.step(x)

Which objects a variable may mean is known; each has a name of its own, its anchor. An object that
is made in a branch has none before it is made, and nothing is it then. Objects that are followed
with all of their class (see `pools`) are told apart by their classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.objects.displays import is_item, key_of
from adtrans.analyses.objects.model import Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import (
    binds_of,
    blocks_of,
    map_blocks,
    reads_of,
    rename_stmt,
    statements,
    without_origins,
)

MOST = 8  # objects that one variable may mean


def anchors(body: S.Block) -> dict[int, int]:
    """For each statement that gives an object, the one after which it is there to be compared: for
    one that makes it, the end of its construction."""
    found: dict[int, int] = {}
    for k, s in enumerate(body):
        for inner in blocks_of(s):
            found |= anchors(inner)
        match s:
            case S.Bind(value=E.Call(fn=E.Ref(value=fn)), target=obj) if makes_new(fn):
                ends = (t for t in body[k + 1 :] if isinstance(t, S.Alias) and t.source == obj)
                end = next(ends, None)
                if end is not None:
                    found[s.site] = end.site
            case S.Bind() | S.Invoke(target=str()):
                found[s.site] = s.site
            case _:
                pass
    return found


def can_be_told(key: Key, o: Objects, ends: dict[int, int]) -> bool:
    """Whether there is a way to say at any place which object this is."""
    group = [k for k in o.classes if o.one(k) == key]
    match key:
        case ("param", str() as name):
            return o.values.get(name) == {key} and group == [key]
        case ("attribute", tuple() as owner, str()):
            while owner[0] == "attribute" and isinstance(owner[1], tuple):
                owner = owner[1]
            return owner[0] == "param" and can_be_told(owner, o, ends) and group == [key]
        case _:
            return all(k[0] in ("new", "result") and k[1] in ends for k in group)


def is_plain(s: S.Stmt) -> bool:
    """Whether a statement can be done for each object by itself."""
    match s:
        case S.Bind() | S.Invoke() | S.SetAttr() | S.Load() | S.Store():
            return True
        case S.Update():
            return s.items is not None
        case _:
            return False


def harmless(s: S.Stmt) -> bool:
    """Whether it does not matter to a statement which object is meant."""
    match s:
        case S.Alias():
            return True
        case S.Bind(value=E.Compare(ops=("is" | "is not",))):
            return True
        case S.Bind(value=E.Call(fn=E.Ref(value=fn))):
            return fn is runtime.is_one_of
        case S.If(test=E.Compare(ops=("is" | "is not",))):
            return True
        case S.Keep(form="plain" | "raise", binds=()):
            return True
        case _:
            return False


def told_apart(
    fn: S.Function, o: Objects, again: Callable[[S.Function], S.Function]
) -> tuple[S.Function, frozenset[int]]:
    """`fn` with the statements at `o.split` done for each object that they may be about, and the
    statements that say of an object that it is not there yet."""
    number = max(s.site for s in statements(fn.body))
    bound = {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(fn.reserved | bound | {p.name for p in fn.params})
    ends = anchors(fn.body)
    named: dict[Key, str] = {}
    source: dict[int, list[tuple[str, str]]] = {}
    where = {s.site: s for s in statements(fn.body)}

    def fresh() -> int:
        nonlocal number
        number += 1
        return number

    def anchor(key: Key, s: S.Stmt) -> tuple[list[S.Stmt], str]:
        """The name of an object, and what has to be done to have it."""
        match key:
            case ("param", str() as name):
                return [], name
            case ("attribute", tuple() as owner, str() as attr):
                steps, base = anchor(o.one(owner), s)
                target = names.fresh("t")
                at: S.Place = {"site": fresh(), "span": s.span, "origin": 0}
                if is_item(attr):
                    key_ = E.Const(key_of(attr))
                    return [*steps, S.Load(target, base, (key_,), **at)], target
                return [*steps, S.Bind(target, E.Attribute(E.Name(base), attr), **at)], target
            case _:
                if key not in named:
                    named[key] = names.fresh(o.classes[key].__name__.lower())
                    for k in o.classes:
                        if o.one(k) == key:
                            assert isinstance(k[1], int)
                            (var, *_) = binds_of(where[k[1]])
                            source.setdefault(ends[k[1]], []).append((named[key], var))
                return [], named[key]

    def of_each(s: S.Stmt, var: str, keys: list[Key]) -> Iterator[S.Stmt]:
        (first, *others) = keys
        steps, name = anchor(first, s)
        then = (replace(rename_stmt(s, {var: name}, {}), site=fresh(), origin=0),)
        yield from steps
        if not others:
            yield from then
            return
        test = E.Compare(E.Name(var), ("is",), (E.Name(name),))
        orelse = tuple(of_each(s, var, others))
        yield S.If(test, then, orelse, site=fresh(), span=s.span)

    def block(body: S.Block) -> S.Block:
        return tuple(r for s in body for r in one(s))

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        if s.site not in o.split:
            yield map_blocks(s, block)
            return
        if isinstance(s, S.If):
            t = names.fresh("t")
            yield S.Bind(t, s.test, site=fresh(), span=s.span)
            yield map_blocks(replace(s, test=E.Name(t)), block)
            return
        var = min(reads_of(s) & o.several)
        keys = sorted({o.one(k) for k in o.values[var] if k[0] != "part"}, key=repr)
        yield from of_each(s, var, keys)

    body = block(fn.body)
    blank: list[S.Stmt] = []

    def with_anchors(body: S.Block) -> S.Block:
        out: list[S.Stmt] = []
        for s in body:
            known = source.get(s.site, ())
            if known and isinstance(s, S.Bind | S.Invoke) and s.target in o.several:
                own = names.fresh("t")  # which means this object only
                given = S.Alias(s.target, own, site=fresh(), span=s.span)
                out += [replace(s, target=own, origin=0), given]
                known = [(name, own) for name, _ in known]
            else:
                out.append(map_blocks(s, with_anchors))
            for name, var in known:
                out.append(S.Alias(name, var, site=fresh(), span=s.span))
        return tuple(out)

    body = with_anchors(body)
    first = fn.body[0]
    for name in sorted(named.values()):
        blank.append(S.Bind(name, E.NONE, site=fresh(), span=first.span))
    origins = {s.origin for s in statements(fn.body) if s.site in o.split}
    made = again(replace(fn, body=(*blank, *without_origins(body, origins))))
    return made, frozenset(b.site for b in blank)


__all__ = ["MOST", "anchors", "can_be_told", "harmless", "is_plain", "told_apart"]
