"""`dataclasses.replace` of an object whose class is known, written out.

b = replace(a, x=v)     ->   t = a.y
                             b = C(x=v, y=t)
"""

from __future__ import annotations

import dataclasses

from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def replaced(s: S.Invoke, v: E.Name, cls: type, where: S.Place) -> tuple[S.Stmt, ...] | None:
    """The statements for `replace(v, ...)` of an object of the class `cls`; None where they are not
    known."""
    if not dataclasses.is_dataclass(cls):
        return None
    given = dict(s.kwargs)
    if hasattr(cls, "__replace__") and (
        not getattr(cls.__replace__, "__module__", "").startswith("dataclasses")
    ):
        return None
    plain = "__post_init__" not in dir(cls) or not any(
        str(getattr(f, "type", "")).startswith("InitVar") for f in dataclasses.fields(cls)
    )
    names = [f.name for f in dataclasses.fields(cls) if f.init]
    if not plain or given.keys() - set(names):
        return None
    out: list[S.Stmt] = []
    for name in names:
        if name not in given:
            t = f"{name}@kept{s.site}"
            out.append(S.Bind(t, E.Attribute(v, name), **where))
            given[name] = E.Name(t)
    words = tuple((name, given[name]) for name in names)
    return (*out, S.Invoke(s.target, E.Ref(cls.__name__, cls), (), words, **where))
