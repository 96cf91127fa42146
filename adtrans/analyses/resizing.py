"""Loops over dictionaries that may get or lose entries meanwhile: Python's exception at its place.

    for k in d:                     walk = key_walk(d)
        d[k + 1] = x        =>      for k in keys:
                                        d[k + 1] = x
                                        check_walk(walk)

The loop itself goes over a list of the keys, so it would not notice. `walk` goes over the
dictionary beside it, and raises what Python raises, after the turn that changed the size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import DictOf, Instance, Kind, ListOf, Mixed, TupleOf, Unknown
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements

_READERS = frozenset({"get", "items", "keys", "values", "copy", "__contains__", "__getitem__"})


@dataclass(frozen=True)
class Resizing:
    """What is known of the dictionaries of one function. `fresh`: the variables that only ever mean
    a dictionary made for them; `fixed`: parameters that are not bound again."""

    kinds: Kinds
    fresh: frozenset[str]
    fixed: frozenset[str]

    @staticmethod
    def of(fn: S.Function, kinds: Kinds) -> Resizing:
        """The facts of a function."""
        bound: dict[str, list[S.Stmt]] = {}
        for s in statements(fn.body):
            for v in binds_of(s):
                bound.setdefault(v, []).append(s)
        params = frozenset(p.name for p in fn.params)
        read = Counter(v for s in statements(fn.body) for v in reads_of(s))

        def makes(s: S.Stmt) -> bool:
            return isinstance(s, S.Pack) or (isinstance(s, S.Edit) and s.op == "copy")

        made = {v for v, ways in bound.items() if all(map(makes, ways))} - params

        def moves(s: S.Stmt) -> bool:  # the only use of what was made
            return isinstance(s, S.Alias) and s.source in made and read[s.source] == 1

        moved = {v for v, ways in bound.items() if all(makes(s) or moves(s) for s in ways)}
        return Resizing(kinds, frozenset(moved | made) - params, params - bound.keys())

    def possible(self, loop: S.For, base: str, keys: Collection[str]) -> bool:
        """Whether the body of a loop may change how many entries `base` has. `keys`: variables that
        hold the key of each turn."""
        again = {v for s in statements(loop.body) for v in binds_of(s)}
        there = set(keys) - again
        return any(self._resizes(s, base, there) for s in statements(loop.body))

    def _resizes(self, s: S.Stmt, base: str, there: set[str]) -> bool:
        def concerns(var: str) -> bool:
            if var == base:
                return True
            own = {var, base} <= self.fresh | self.fixed and not {var, base} <= self.fixed
            return not own and holds_dict(self.kinds.at(s.site, var))

        match s:
            case S.Store(base=var, items=items):
                key = items[0] if len(items) == 1 else None
                known = var == base and isinstance(key, E.Name) and key.id in there
                return not known and self._is_dict(s, var) and concerns(var)
            case S.Update(base=var, items=items):
                return (items is None) and s.op == "|" and concerns(var)
            case S.Edit(base=var, op=op):
                return op in S.CHANGES and self._is_dict(s, var) and concerns(var)
            case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=var), attr=attr))):
                return attr not in _READERS and self._is_dict(s, var) and concerns(var)
            case S.Invoke() | S.Keep(only_names=False):
                return any(concerns(v) for v in reads_of(s))
            case _:
                return False

    def _is_dict(self, s: S.Stmt, var: str) -> bool:
        return isinstance(self.kinds.at(s.site, var), DictOf | Unknown | Instance)


def holds_dict(kind: Kind) -> bool:
    """Whether a dictionary may be reached from a value.

    >>> from adtrans.ir.kinds import PY_FLOAT, UNKNOWN
    >>> holds_dict(ListOf(PY_FLOAT)), holds_dict(UNKNOWN)
    (False, True)
    """
    match kind:
        case Mixed():
            return False
        case DictOf() | Unknown():
            return True
        case Instance(cls=cls):
            return cls is not str
        case ListOf(item=item):
            return holds_dict(item)
        case TupleOf(items=items):
            return any(map(holds_dict, items))
        case _:
            return False


def watched(
    loop: S.For,
    base: str,
    name: Callable[[str], str],
    site: Callable[[], int],
    *,
    alone: bool = True,
) -> tuple[S.Stmt, S.For]:
    """The start of a walk along the entries of `base`, and `loop` with a check after each turn.

    `alone`: whether the loop goes over nothing else; where it does, Python may raise or not.
    """
    walk = name("walk")
    start = E.Call(E.Ref("key_walk", runtime.key_walk), (E.Name(base),))
    words = () if alone else (("alone", E.Const(False)),)
    check = E.Call(E.Ref("check_walk", runtime.check_walk), (E.Name(walk),), words)

    def checked() -> S.Stmt:
        return S.Bind(name("t"), check, **S.place(loop, site()))

    body = _at_ends(loop.body, checked)
    return S.Bind(walk, start, **S.place(loop, site())), replace(loop, body=body)


def _at_ends(body: S.Block, made: Callable[[], S.Stmt]) -> S.Block:
    """`body` with a statement at the end of each path that another turn may follow."""
    last = body[-1] if body else None
    match last:
        case S.Break() | S.Keep(form="raise"):
            return body
        case S.Continue():
            return (*body[:-1], made(), last)
        case S.If() | S.With() if _leaves(last):
            return (*body[:-1], map_blocks(last, lambda inner: _at_ends(inner, made)))
        case _:
            return (*body, made())


def _leaves(s: S.Stmt) -> bool:
    """Whether a path through a statement ends the turn."""
    match s:
        case S.Break() | S.Continue():
            return True
        case S.If(then=then, orelse=orelse):
            return any(_leaves(b[-1]) for b in (then, orelse) if b)
        case S.With(body=inner):
            return bool(inner) and _leaves(inner[-1])
        case _:
            return False
