"""Whose the lists of a function are: which names mean the same list, and which nobody else has.

    a = [x]                made here, and only names of this function mean it
    b = a                  the same group
    c = [a]                another list holds it: it is handed on
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir import walk
from adtrans.rules import lookup

_NEW = S.JOINS | {"keys", "argsort"}  # what makes a list that nobody else has


def groups_of(fn: S.Function) -> dict[str, str]:
    """Names that `target = source` connects, each with the representative of its group."""
    parent: dict[str, str] = {}

    def find(var: str) -> str:
        while parent.setdefault(var, var) != var:
            var = parent[var]
        return var

    for s in walk.statements(fn.body):
        if isinstance(s, S.Alias):
            parent[find(s.target)] = find(s.source)
    return {var: find(var) for var in list(parent)}


def plainly_made(fn: S.Function, groups: dict[str, str]) -> set[str]:
    """The groups whose lists are all made by displays bound to names of the group."""
    made: set[str] = set()
    other = {groups.get(p.name, p.name) for p in fn.params}
    for s in walk.statements(fn.body):
        for var in walk.binds_of(s):
            group = groups.get(var, var)
            if _is_new(s, var):
                made.add(group)
            elif not isinstance(s, S.Alias | S.Update):
                other.add(group)
    return made - other


def _is_new(s: S.Stmt, var: str) -> bool:
    """Whether what a statement binds a variable to, if a list, is one that nobody else has."""
    match s:
        case S.Pack(kind=kind):
            return kind != "tuple"
        case S.Edit(op=op, target=target):
            return op in _NEW and var == target  # `[0.0] * n` is a new one, too
        case S.Bind(value=E.Binary()):
            return True
        case S.Invoke(fn=E.Ref(value=called)):
            return called is runtime.zeros_of
        case _:
            return False


def only_returned(fn: S.Function) -> set[str]:
    """The tuples that are returned, perhaps in others, and not used for anything else."""
    found = {s.target for s in walk.statements(fn.body) if _is_tuple(s)}
    before: set[str] = set()
    while before != found:
        before = set(found)
        for s in walk.statements(fn.body):
            if _is_tuple(s):
                found -= set() if s.target in found else walk.reads_of(s)
            elif not isinstance(s, S.Return):
                found -= {*walk.reads_of(s), *walk.binds_of(s)}
    return found


def _is_tuple(s: S.Stmt) -> TypeGuard[S.Pack]:
    return isinstance(s, S.Pack) and s.kind == "tuple"


def handed_on(fn: S.Function, groups: dict[str, str]) -> set[str]:
    """The groups that get to where another name may mean their lists."""
    found: set[str] = set()
    returned = only_returned(fn)
    for s in walk.statements(fn.body):
        match s:
            case S.Alias() | S.Update() | S.For() | S.While() | S.If() | S.Return():
                names: set[str] = set()
            case S.Pack(target=target) if target in returned:
                names = set()
            case S.Load():
                names = {n for i in s.items for n in walk.names_in(i)}
            case S.Store():
                names = {n for e in (s.value, *s.items) for n in walk.names_in(e)}
            case S.Edit():
                names = {n for a in s.args for n in walk.names_in(a)}
            case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name()), args=args)):
                names = {n for a in args for n in walk.names_in(a)}
            case S.Bind(value=E.Call(fn=E.Ref(value=called))) if _only_reads(called):
                names = set()
            case S.Bind(value=E.Compare(left=left, ops=("in" | "not in",))):
                names = set(walk.names_in(left))  # what is looked through stays where it is
            case S.Invoke(fn=E.Ref(value=called)) if _only_reads(called):
                names = set()
            case _:
                names = set(walk.reads_of(s))
        found |= {groups.get(n, n) for n in names}
    return found


def _only_reads(fn: object) -> bool:
    """Whether a function certainly keeps and returns none of the lists that it is given."""
    if any(fn is f for f in (len, sum, any, all, str, repr, runtime.zeros_of)):
        return True
    rule = lookup(fn)
    return rule is not None and not rule.impure and not rule.writes and isinstance(fn, np.ufunc)
