"""Finds the variables that hold `d.items()`, `d.values()` or `d.keys()` only for loops to go over.

pairs = d.items()          ->   {"pairs": ("d", "items")}
for k, v in pairs: ...          the loop goes over the keys of `d` instead

The keys are taken down when such a loop is entered. Where its body changes a dictionary, a view
beside others (`zip(pairs, x)`) stays what it is: Python notices at each turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.points_to import elements_in
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, ListOf, Scalar
from adtrans.ir.walk import binds_of, names_in, operands, reads_of, statements, walk

_JOINS = frozenset({"|", "&", "^", "-"})


def dict_views(fn: S.Function, kinds: Kinds) -> dict[str, tuple[str, str]]:
    """The dictionary and the method of each view that is only looped over or unpacked; a variable
    that may mean another one as well is none of them."""
    used = Counter(v for s in statements(fn.body) for v in reads_of(s))
    for s in statements(fn.body):
        if isinstance(s, S.Unpack):
            used.subtract((s.source,))
        if isinstance(s, S.Keep) and s.only_names:
            used.subtract(s.reads)
        if isinstance(s, S.For) and not _changes_entries(s, kinds):
            used.subtract(elements_in(s.iter))
        elif isinstance(s, S.For) and isinstance(s.iter, S.Elements):
            used.subtract((s.iter.source,))
    found: dict[str, list[tuple[str, str]]] = {}
    other = {p.name for p in fn.params}  # what means, or may mean, anything else
    for s in statements(fn.body):
        made = _view_of(s)
        if made is not None and isinstance(kinds.at(s.site, made[0]), DictOf):
            found.setdefault(binds_of(s)[0], []).append(made)
        else:
            other.update(binds_of(s))
    alone = {v: ways for v, ways in found.items() if v not in other and not used[v]}
    return {v: ways[0] for v, ways in alone.items() if len({*ways}) == 1}


def named(body: Iterable[S.Stmt]) -> frozenset[str]:
    """The variables that have to be bound where they were, because a statement only names them."""
    return frozenset(v for s in body if isinstance(s, S.Keep) and s.only_names for v in s.reads)


def _view_of(s: S.Stmt) -> tuple[str, str] | None:
    """The variable and the method where a statement makes a view, as far as its form tells."""
    match s:
        case S.Bind(
            value=E.Call(
                fn=E.Attribute(base=E.Name(id=base), attr="items" | "values" | "keys" as attr)
            )
        ):
            return base, attr
        case _:
            return None


def sets_in(body: Sequence[S.Stmt]) -> frozenset[str]:
    """The variables that are compared, or joined with others, as sets are; those that are handed to
    methods of others count, too."""
    found: set[str] = set()
    for s in body:
        if isinstance(s, S.Update) and s.op in _JOINS:
            found |= {s.base} | (names_in(s.value) if isinstance(s.value, E.Name) else set())
        for e in (x for o in operands(s) for x in walk(o)):
            match e:
                case E.Binary(op=op, left=left, right=right) if op in _JOINS:
                    found |= {n.id for n in (left, right) if isinstance(n, E.Name)}
                case E.Compare(left=left, ops=ops, rights=rights):
                    asked = ops in (("in",), ("not in",))
                    found |= {n.id for n in ((left,) if asked else (left, *rights))
                              if isinstance(n, E.Name)}  # fmt: skip
                case E.Call(fn=E.Attribute(), args=args):
                    found |= {n.id for n in args if isinstance(n, E.Name)}
                case _:
                    pass
    moved = [s for s in body if isinstance(s, S.Alias)]
    while more := {s.source for s in moved if s.target in found} - found:
        found |= more
    return frozenset(found)


def losing_names(fn: S.Function, views: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """Those of the `views` with a name of the user's whose dictionary may have lost its own by the
    time of the loop: `pairs = d.items(); d = {}`."""
    called = fn.source_name
    bound = Counter(called(p.name) for p in fn.params)
    for s in statements(fn.body) if views else ():
        bound.update(map(called, () if isinstance(s, S.Update) else binds_of(s)))
    return frozenset(
        v for v, (of, _) in views.items() if called(v) in fn.reserved and bound[called(of)] > 1
    )


def _changes_entries(loop: S.For, kinds: Kinds) -> bool:
    """Whether a loop may change a dictionary, so that a view of one has to be looked at late."""
    for s in statements(loop.body):
        if isinstance(s, S.Store | S.Update | S.Edit):
            if isinstance(s, S.Update) and s.items is None and s.op != "|":
                continue  # no dictionary
            if not isinstance(kinds.at(s.site, s.base), Array | ListOf | Scalar):
                return True
        elif isinstance(s, S.Invoke) or (isinstance(s, S.Keep) and not s.only_names):
            if any(not isinstance(kinds.at(s.site, v), Array | Scalar) for v in reads_of(s)):
                return True
    return False
