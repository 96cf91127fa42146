"""Spells out updates of elements, and of slices of lists, where no adjoint is found in place.

y[i] += e           ->   y[i] += e                       (an array: its adjoint needs no old value)
y[i] *= e           ->   t = y[i]; t_2 = t * e; y[i] = t_2
d["a"] += e         ->   t = d["a"]; t[...] += e; d["a"] = t     (an array in a dictionary)
items[i:j] = values ->   edit items: splice(i, j, values)
items[i:j:n] = v    ->   for k, t in zip(places_in(items, i, j, n, v), v): items[k] = t
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.spread import listed
from adtrans.analyses.subscripts import is_basic
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Mixed, Scalar, is_immutable
from adtrans.ir.rewriter import Rewriter


def updated(
    s: S.Update, items: tuple[E.Expr, ...], kinds: Kinds, new: Rewriter
) -> Iterator[S.Stmt]:
    """`base[items] op= value`, as it is or as a read, an operation and a write."""
    if _is_reversed_in_place(s, items, kinds):
        yield s
    else:
        yield from _spelled_out(s, items, kinds, new)


def is_written(base: Kind, value: Kind) -> bool:
    """Whether `base op= value` writes an array: None raises, as long as `value` is a number or an
    array."""
    if isinstance(base, Mixed):
        return not base.numbers and isinstance(value, Scalar | Array | Mixed)
    return isinstance(base, Array)


def _is_reversed_in_place(s: S.Update, items: tuple[E.Expr, ...], kinds: Kinds) -> bool:
    """Whether the adjoint of an update is one of the same elements, each of which is met once."""
    if not is_written(kinds.at(s.site, s.base), kinds.expr(s.site, s.value)):
        return False
    element = kinds.expr(s.site, E.Index(E.Name(s.base), items))
    whole = items == (E.ELLIPSIS,)
    once = whole or is_basic(items, s.site, kinds)
    if s.op in ("+", "-"):
        return once
    return s.op in ("*", "/") and once and (whole or isinstance(element, Array))


def _spelled_out(
    s: S.Update, items: tuple[E.Expr, ...], kinds: Kinds, new: Rewriter
) -> Iterator[S.Stmt]:
    old, after = new.fresh("t"), new.fresh("t")
    yield S.Load(old, s.base, items, **new.place(s))
    item = kinds.expr(s.site, E.Index(E.Name(s.base), items))
    held = not isinstance(kinds.at(s.site, s.base), Array)
    if held and not is_immutable(item):  # the item changes in place, if it is an array
        whole = (E.ELLIPSIS,) if is_written(item, kinds.expr(s.site, s.value)) else None
        yield S.Update(old, whole, s.op, s.value, **new.place(s))
        yield S.Store(s.base, items, E.Name(old), **S.place(s, s.site))
        return
    yield S.Bind(after, E.Binary(s.op, E.Name(old), s.value), **new.place(s))
    yield S.Store(s.base, items, E.Name(after), **S.place(s, s.site))


def _named(
    bounds: tuple[E.Expr | None, ...], s: S.Store, new: Rewriter
) -> tuple[list[E.Atom], list[S.Stmt]]:
    """The bounds of a slice as atoms, and what gives names to those that are none."""
    atoms: list[E.Atom] = []
    made: list[S.Stmt] = []
    for bound in bounds:
        if isinstance(bound, E.Name | E.Const | E.Ref | None):
            atoms.append(bound or E.NONE)
            continue
        t = new.fresh("t")
        atoms.append(E.Name(t))
        made.append(S.Bind(t, bound, **new.place(s)))
    return atoms, made


def scattered(
    s: S.Store, bounds: tuple[E.Expr | None, ...], value: E.Name, kinds: Kinds, new: Rewriter
) -> Iterator[S.Stmt]:
    """`items[i:j:n] = values` of a list: one after the other; they are taken down before."""
    atoms, made_first = _named(bounds, s, new)
    yield from made_first
    items, places, place, item = (new.fresh(n) for n in ("t", "places", "k", "t"))
    if isinstance(kinds.at(s.site, value.id), Array):
        made = replace(s, site=new.fresh_site())
        yield from listed(made, items, value.id, lambda: new.fresh("t"), new.fresh_site)
    else:
        yield S.Edit(items, "list", value.id, (), **new.place(s))
    found = E.Call(E.Ref("places_in", runtime.places_in), (E.Name(s.base), *atoms, E.Name(items)))
    yield S.Bind(places, found, **new.place(s))
    store = replace(s, items=(E.Name(place),), value=E.Name(item), site=new.fresh_site())
    both = S.Zip((S.Elements(places), S.Elements(items)))
    yield S.For((place, item), both, (store,), **S.place(s, s.site))


def spliced(
    s: S.Store, bounds: E.Slice, value: E.Name, kinds: Kinds, new: Rewriter
) -> Iterator[S.Stmt]:
    """`items[i:j] = values` of a list."""
    atoms, made_first = _named((bounds.lower, bounds.upper), s, new)
    yield from made_first
    items = value.id
    if isinstance(kinds.at(s.site, items), Array):
        items = new.fresh("t")
        made = replace(s, site=new.fresh_site())
        yield from listed(made, items, value.id, lambda: new.fresh("t"), new.fresh_site)
    yield S.Edit(None, "splice", s.base, (*atoms, E.Name(items)), **S.place(s, s.site))
