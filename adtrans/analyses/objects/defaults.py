"""What `getattr` reads of an object that is known, where a default is given.

y = getattr(b, "y", d)   ->   there = hasattr(b, "y")
                              if there:
                                  y = b.y
                              else:
                                  y = d

An attribute of the class is always there; one that is computed is left alone, as it would be
computed twice.
"""

from __future__ import annotations

from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def with_default(s: S.Stmt, o: Objects) -> tuple[S.Stmt, ...] | None:
    """What such a statement stands for; None for all others."""
    match s:
        case S.Invoke(
            target=str(target),
            fn=E.Ref(value=fn),
            args=(E.Name() as base, E.Const(value=str(attr)), default),
            kwargs=(),
        ) if fn is getattr:
            key = o.of(base)
            if key is None or o.one(key) in o.lost:
                return None
        case _:
            return None
    cls = o.classes[o.one(key)]
    if cls in CONTAINERS:
        return None
    where: S.Place = {"site": -1, "span": s.span, "origin": 0}
    read = S.Bind(target, E.Attribute(base, attr), **where)
    match member(cls, attr).form:
        case "data":
            return (read,)
        case "instance":
            there = f"there@{s.site}"
            asked = E.Call(E.Ref("hasattr", hasattr), (base, E.Const(attr)))
            other = (
                S.Alias(target, default.id, **where)
                if isinstance(default, E.Name)
                else S.Bind(target, default, **where)
            )
            return (
                S.Bind(there, asked, **where),
                S.If(E.Name(there), (read,), (other,), **where),
            )
        case _:
            return None
