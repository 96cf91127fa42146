"""`list(rows)` of what surely is a list, spelled `rows[:]`: where objects are in it, a slice is
followed, and a call that anything could be handed to is not.

    rows = [a, b]               rows = [a, b]
    for r in list(rows):   ->   t = rows[:]
        ...                     for r in t: ...
"""

from __future__ import annotations

from dataclasses import replace

from adtrans.analyses.objects.displays import VIEWS, sources
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_blocks, statements

_WHOLE = (E.Slice(None, None, None),)


def with_slices(fn: S.Function) -> S.Function:
    """`fn` with such copies as slices; `fn` itself where there are none."""
    if not any(_copied(s) for s in statements(fn.body)):
        return fn
    lists = _lists(fn) & _of_results(fn)

    def block(b: S.Block) -> S.Block:
        return tuple(map(one, b))

    def one(s: S.Stmt) -> S.Stmt:
        v = _copied(s)
        if v in lists and isinstance(s, S.Invoke) and s.target is not None:
            return S.Load(s.target, v, _WHOLE, site=s.site, span=s.span, origin=s.origin)
        return map_blocks(s, block)

    body = block(fn.body)
    return fn if body == fn.body else replace(fn, body=body)


def _copied(s: S.Stmt) -> str:
    """The variable of which `list` makes a copy, empty for any other statement."""
    match s:
        case S.Invoke(target=str(), fn=E.Ref(value=fn), args=(E.Name(id=v),), kwargs=()) if (
            fn is list
        ):
            return v
        case _:
            return ""


def _lists(fn: S.Function) -> frozenset[str]:
    """The variables that never are anything but a list made here."""
    bound: dict[str, list[S.Stmt]] = {}
    for s in statements(fn.body):
        for v in binds_of(s):
            if not isinstance(s, S.Update):
                bound.setdefault(v, []).append(s)
    lists = set(bound) - {p.name for p in fn.params}
    while True:
        wrong = {v for v in lists if not all(_is_list(s, lists) for s in bound[v])}
        if not wrong:
            return frozenset(lists)
        lists -= wrong


def _of_results(fn: S.Function) -> frozenset[str]:
    """The variables that are lists of what calls returned: perhaps of objects. What comes out of
    such a list, or of a dictionary, may be put into the next one."""
    made: set[str] = set()  # what a call returned, and what holds it
    while True:
        before = len(made)
        for s in statements(fn.body):
            match s:
                case S.Invoke():
                    made.update(binds_of(s))
                case S.Pack(target=target, items=items) if made & {*map(str, items)}:
                    made.add(target)
                case S.Store(base=base, value=E.Name(id=v)) if v in made:
                    made.add(base)
                case S.Bind(
                    value=E.Call(fn=E.Attribute(base=E.Name(id=v), attr="append"), args=(item,))
                ) if str(item) in made:
                    made.add(v)
                case S.Bind(
                    target=v, value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr=attr), args=())
                ) if base in made and attr in VIEWS:
                    made.add(v)
                case S.Alias(target=v, source=source) | S.Load(target=v, base=source):
                    made.update({v} if source in made else ())
                case S.For() if not made.isdisjoint(sources(s.iter)):
                    made.update(binds_of(s))
                case _:
                    pass
        if len(made) == before:
            return frozenset(made)


def _is_list(s: S.Stmt, lists: set[str]) -> bool:
    match s:
        case S.Pack(kind="list", cls=None):
            return True
        case S.Alias():
            return s.source in lists
        case S.Load(base=base, items=(E.Slice(),)):
            return base in lists
        case S.Invoke():
            return bool(_copied(s))
        case _:
            return False
