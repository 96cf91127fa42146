"""Removes assignments to names that nothing reads, from generated code.

`t = h[i - 1]` goes when no derivative asked for `t` in the end; records that are popped stay in
step, because a value that is not read is not kept either.

>>> unread = C.Assign((E.Name("t"),), E.Name("h"))
>>> prune((unread, C.Result(E.Name("y"))), lambda c: True)
(Result(value=Name(id='y'), note=None),)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.walk import names_in
from adtrans.transforms.fold import all_code

Live = frozenset[str]


def prune(body: C.Body, droppable: Callable[[C.Assign], bool]) -> C.Body:
    """`body` without droppable assignments whose names are not read later."""
    return _block(body, frozenset(), droppable)[0]


def reads(c: C.Code) -> set[str]:
    """The names that a statement itself reads."""
    match c:
        case C.Assign():
            found = names_in(c.value)
            for t in c.targets:
                if not isinstance(t, E.Name | E.Sequence):
                    found |= names_in(t)
            return found
        case C.AugAssign():
            return names_in(c.value) | names_in(c.target)
        case C.Do() | C.Result():
            return names_in(c.value)
        case C.Original():
            return set(c.reads)
        case C.Branch() | C.Loop():
            return names_in(c.test)
        case C.ForEach():
            return names_in(c.iter)
        case C.Attempt():
            return {n for h in c.handlers if h.type is not None for n in names_in(h.type)}
        case C.Within():
            return names_in(c.context)
        case C.Leave():
            return set()


def _block(body: C.Body, live: Live, droppable: Callable[[C.Assign], bool]) -> tuple[C.Body, Live]:
    kept: list[C.Code] = []
    for c in reversed(body):
        match c:
            case C.Assign():
                names = c.bound
                if len(names) == len(c.targets) and not names & live and droppable(c):
                    continue
                live = (live - names) | reads(c)
            case C.Branch():
                then, a = _block(c.then, live, droppable)
                orelse, b = _block(c.orelse, live, droppable)
                if not then and not orelse:
                    continue
                c, live = replace(c, then=then, orelse=orelse), a | b | reads(c)
            case C.ForEach() | C.Loop():
                inner, now = c.body, live
                while True:
                    inner, start = _block(c.body, now, droppable)
                    if start <= now:
                        break
                    now |= start
                if not inner:
                    if not isinstance(c, C.ForEach) or not names_in(c.target) & live:
                        continue
                    inner = (C.Leave("pass"),)  # the last of what it runs over is read later
                c, live = replace(c, body=inner), now | reads(c)
            case C.Attempt():  # whatever is bound in it may be seen where an exception leads to
                live = live.union(*(reads(part) for part in all_code((c,))))
            case C.Within():
                inner, start = _block(c.body, live, droppable)
                if not inner:
                    continue
                c, live = replace(c, body=inner), live | start | reads(c)  # it may leave early
            case _:
                live = live | reads(c)
        kept.append(c)
    return tuple(reversed(kept)), live
