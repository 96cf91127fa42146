"""Parts of lists and tuples that are followed item by item: `rest = rows[1:]` takes the items.

    rows = [a, b, c]            rows = [a, b, c]
    rest = rows[1:]      ->     t = rows[1]; t_2 = rows[2]
                                rest = [t, t_2]

So does `list(rows)`, `tuple(rows)` or `rows.copy()`.
"""

from __future__ import annotations

from adtrans.analyses.objects.displays import number
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S

_WHOLE = E.Slice(None, None, None)


def part(s: S.Stmt) -> tuple[str, str, E.Slice, type | None] | None:
    """What a statement binds to a part of what, which part, and of which class the part is; None
    stands for that of the whole."""
    match s:
        case S.Load(target=target, base=base, items=(E.Slice() as cut,)):
            return target, base, cut, None
        case S.Invoke(target=str(target), fn=E.Ref(value=made), args=(E.Name(id=base),), kwargs=()):
            return (target, base, _WHOLE, made) if made in (list, tuple) else None
        case S.Bind(target=target, value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr="copy"),
                                                args=(), kwargs=())):  # fmt: skip
            return target, base, _WHOLE, None
        case _:
            return None


def taken(
    s: S.Stmt, target: str, base: str, cut: E.Slice, cls: type, count: int, o: Objects
) -> tuple[S.Stmt, ...] | None:
    """The items that a part of `count` items consists of, and the list or tuple of them; None where
    the bounds are not known."""
    bounds: list[int | None] = []
    for e in (cut.lower, cut.upper, cut.step):
        found = None if e is None else number(e, o)
        if e is not None and found is None and e != E.NONE:
            return None
        bounds.append(found)
    if bounds[2] == 0:
        return None
    where = S.place(s, s.site)
    places = range(*slice(*bounds).indices(count))
    names = [f"t{k}@cut{s.site}" for k in places]
    loads = (S.Load(v, base, (E.Const(k),), **where) for v, k in zip(names, places, strict=True))
    items = tuple(map(E.Name, names))
    return (*loads, S.Pack(target, "tuple" if cls is tuple else "list", items, **where))
