"""What `__getitem__` and `__setitem__` get for several subscripts or slices: one value.

a[1:, k] = v     ->   t = slice(1, None, None); key = (t, k); a[key] = v
a[()]            ->   key = (); a[key]
a[k] += v        ->   t = a[k]; t += v; a[k] = t
"""

from __future__ import annotations

from dataclasses import replace

from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def with_one_key(
    s: S.Load | S.Store | S.Update, where: S.Place
) -> tuple[S.Stmt, ...] | None:
    """The same with a name for what is between the brackets; None where there is nothing to do."""
    items = s.items
    if items is None or (isinstance(s, S.Update) and s.op.endswith("at")):
        return None
    out: list[S.Stmt] = []
    parts: list[E.Atom] = []
    for k, item in enumerate(items):
        part = item if isinstance(item, E.Name | E.Const | E.Ref) else None
        if part is None:
            part = E.Name(f"part{k}@key{s.site}")
            out.append(S.Bind(part.id, _made(item), **where))
        parts.append(part)
    key = parts[0] if parts else E.NONE
    if len(parts) != 1:
        key = E.Name(f"key@key{s.site}")
        out.append(S.Pack(key.id, "tuple", tuple(parts), **where))
    if isinstance(s, S.Update):
        t = f"item@key{s.site}"
        out.append(S.Load(t, s.base, (key,), **where))
        out.append(S.Update(t, None, s.op, s.value, **where))
        return (*out, S.Store(s.base, (key,), E.Name(t), **where))
    return (*out, replace(s, items=(key,), origin=0)) if out else None


def _made(item: E.Expr) -> E.Expr:
    """A slice as a value; anything else as it is."""
    if not isinstance(item, E.Slice):
        return item
    ends = (item.lower, item.upper, item.step)
    return E.Call(E.Ref("slice", slice), tuple(E.NONE if e is None else e for e in ends))
