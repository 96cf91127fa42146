"""Objects that are made of a dictionary whose keys are written out: `Box(**options)`.

options = {"a": x, "b": y}        t = options["a"]; t_2 = options["b"]
Box(**options)               ->   Box(a=t, b=t_2)

The dictionary is one that nothing else is done with but to read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, blocks_of, names_in, reads_of, statements

Keys = Mapping[str, tuple[str, ...]]


def known_keys(fn: S.Function) -> Keys:
    """The keys of the variables that mean such a dictionary."""
    times = Counter(v for s in statements(fn.body) for v in binds_of(s) if _binds(s))
    times.update(p.name for p in fn.params)
    found: dict[str, tuple[str, ...]] = {}
    allowed: set[int] = set()
    for body in _blocks(fn.body):
        for k, s in enumerate(body):
            if isinstance(s, S.Pack) and s.kind == "dict" and times[s.target] == 1:
                keys: list[str] = []
                for t in body[k + 1 :]:
                    key = _stored(t, s.target)
                    if key is None:
                        break
                    keys.append(key)
                    allowed.add(t.site)
                found[s.target] = tuple(dict.fromkeys(keys))
    for s in statements(fn.body):
        if isinstance(s, S.Alias) and s.source in found and times[s.target] == 1:
            found[s.target] = found[s.source]
            allowed.add(s.site)
    changed = {
        v
        for s in statements(fn.body)
        for v in {*reads_of(s), *binds_of(s)} & found.keys()
        if s.site not in allowed and not isinstance(s, S.Pack) and not _reads(s, v)
    }
    while True:  # one under another name changes with it
        more = {
            v
            for s in statements(fn.body)
            if isinstance(s, S.Alias) and not changed.isdisjoint((s.target, s.source))
            for v in (s.target, s.source)
        }
        if more <= changed:
            return {v: keys for v, keys in found.items() if v not in changed}
        changed |= more


def has_splat(s: S.Stmt) -> bool:
    """Whether a class is called with `**`."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=type()), kwargs=kwargs)):
            return any(not k for k, _ in kwargs)
        case _:
            return False


def with_keys(s: S.Stmt, keys: Keys, names: NameAllocator) -> tuple[S.Stmt, ...] | None:
    """The statements that a call of a class with `**` means; None for all else."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=type()) as cls, args=args, kwargs=kwargs)):
            pass
        case _:
            return None
    splats = [v.id for k, v in kwargs if not k and isinstance(v, E.Name) and v.id in keys]
    given = [k for k, _ in kwargs if k] + [k for v in splats for k in keys[v]]
    if not splats or len(splats) < sum(not k for k, _ in kwargs) or len({*given}) < len(given):
        return None
    where = S.place(s, s.site)
    out: list[S.Stmt] = []
    words: list[tuple[str, E.Expr]] = []
    for k, v in kwargs:
        if k or not isinstance(v, E.Name):
            words.append((k, v))
            continue
        for key in keys[v.id]:
            item = names.fresh("t")
            out.append(S.Load(item, v.id, (E.Const(key),), **where))
            words.append((key, E.Name(item)))
    atoms = tuple(a for a in args if isinstance(a, E.Name | E.Const | E.Ref))
    values = tuple((k, v) for k, v in words if isinstance(v, E.Name | E.Const | E.Ref))
    if len(atoms) == len(args) and len(values) == len(words):
        return (*out, S.Invoke(s.target, cls, atoms, values, **where))
    return (*out, replace(s, value=E.Call(cls, args, tuple(words)), origin=0))


def _binds(s: S.Stmt) -> bool:
    """Whether what a statement names as bound is another value afterwards."""
    return not isinstance(s, S.Store) and not (isinstance(s, S.Update) and s.items is not None)


def _blocks(body: S.Block) -> Iterator[S.Block]:
    yield body
    for s in body:
        for inner in blocks_of(s):
            yield from _blocks(inner)


def _stored(s: S.Stmt, base: str) -> str | None:
    match s:
        case S.Store(base=name, items=(E.Const(value=str(key)),), value=value) if (
            name == base and value != E.Name(base)
        ):
            return key
        case _:
            return None


def _reads(s: S.Stmt, v: str) -> bool:
    """Whether a statement only reads an entry of `v`, or hands on what is in it."""
    match s:
        case S.Load(base=base, items=items):
            return base == v and E.Name(v) not in items
        case S.Bind(value=E.Call(fn=fn, args=args, kwargs=kwargs)):
            others = (fn, *args, *(w for k, w in kwargs if k))
            return not any(v in names_in(e) for e in others)
        case _:
            return False
