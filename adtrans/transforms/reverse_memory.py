"""Adjoints of reads and writes: `t = a[i]`, `a[i] = v`, `a[i] += v`.

The adjoint of a read adds to the part that was read. A write reversed hands the adjoint of what was
written to the value, and clears it: the old contents had no influence on anything later.
"""

from __future__ import annotations

import numpy as np

from adtrans import runtime
from adtrans.analyses.needed import DIVISOR
from adtrans.analyses.places import is_whole
from adtrans.analyses.subscripts import is_advanced, is_basic
from adtrans.analyses.tuple_slices import is_no_place
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Kind, Scalar, TupleOf
from adtrans.ir.walk import names_in
from adtrans.rules.complexes import is_complex, is_real
from adtrans.transforms import adjoints as A
from adtrans.transforms import reverse_lists, tuple_adjoints
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.reverser import Reverser
from adtrans.transforms.simplify import simplify


def load(r: Reverser, s: S.Load) -> None:
    """`t = base[items]`: the adjoint of `t` goes to that part of the adjoint of `base`."""
    adj = r.taken(s.target)
    if adj is None or not r.facts.activity.active(s.base):
        return
    if isinstance(r.var_kind(s.base), TupleOf):
        tuple_item(r, s, adj)
        return
    items = subscript(r, s.items, s.site)
    if isinstance(r.facts.kinds.at(s.site, s.base), Container):
        reverse_lists.load(r, s, adj, items)
        return
    kind = r.facts.kinds.at(s.site, s.base)
    if isinstance(kind, Scalar) and not isinstance(r.var_kind(s.base), Array):
        part = element_kind(r, s.base, s.items, s.site)  # `v[None]`, `v[mask]`: each is the number
        r.add(s.base, to_value(r, r.whole(adj, s.target), part, s.base, kind))
        return
    key = r.hold(adj)
    buf, fresh = r.window(s.base)
    r.before_write(r.root_name(s.base), key)
    adj = r.release(key)
    target = E.Index(buf, items)
    value = simplify(adj.expr)
    if may_repeat(r, s.items, s.site):
        index = as_index(items)
        add_at = E.Ref("np.add.at", np.add.at)
        r.emit(C.Do(E.Call(add_at, (buf, index, value)), r.note))
    elif fresh:
        r.emit(C.Assign((target,), value, r.note))
    else:
        r.emit(A.accumulate(target, value, r.note))


def tuple_item(r: Reverser, s: S.Load, adj: Adjoint) -> None:
    """`t = results[k]` of a tuple of several results."""
    if is_no_place(s.items, s.site, r.facts.kinds):
        return  # nothing behind it has run
    adj = r.whole(adj, s.target)
    (item,) = s.items
    assert isinstance(item, E.Const) and isinstance(item.value, int)
    add_items(r, s.base, {item.value: adj})


def add_items(r: Reverser, var: str, given: dict[int, Adjoint]) -> None:
    """Add adjoints of some items to the adjoint of a tuple."""
    kind = r.var_kind(var)
    assert isinstance(kind, TupleOf)
    now = r.state.get(var)
    parts: list[E.Expr] = []
    for k, item in enumerate(kind.items):
        before = E.NONE if now is None else tuple_adjoints.part(now.expr, k)
        new = given.get(k) or given.get(k - len(kind.items))
        parts.append(tuple_adjoints.plus(item, before, E.NONE if new is None else new.expr))
    looks = frozenset(n for p in parts for n in names_in(p))
    r.state[var] = Adjoint(E.Sequence("tuple", tuple(parts)), kind, False, looks)


def subscript(r: Reverser, items: tuple[E.Expr, ...], site: int) -> tuple[E.Expr, ...]:
    """The items of a subscript over the names of the pullback."""
    for i in items:
        r.residual_kinds(i, site)
    return tuple(r.residuals.expression(i, site) for i in items)


def as_index(items: tuple[E.Expr, ...]) -> E.Expr:
    """A subscript as a value."""
    if len(items) == 1 and not isinstance(items[0], E.Slice):
        return items[0]
    if any(isinstance(i, E.Slice) for i in items):
        return E.Index(E.Ref("np.s_", np.s_), items)
    return E.Sequence("tuple", items)


def may_repeat(r: Reverser, items: tuple[E.Expr, ...], site: int) -> bool:
    """Whether an element may be selected twice: of an index of unknown kind, it may."""
    return not is_basic(items, site, r.facts.kinds) and not is_mask(r, items, site)


def is_mask(r: Reverser, items: tuple[E.Expr, ...], site: int) -> bool:
    """Whether a boolean array selects (so that no element is selected twice)."""
    kinds = [
        r.facts.kinds.expr(site, i)
        for i in items
        if not isinstance(i, E.Slice | E.Const | E.Sequence)
    ]
    arrays = [k for k in kinds if isinstance(k, Array)]
    return (
        bool(arrays)
        and all(k.dtype == "bool" for k in arrays)
        and not any(isinstance(i, E.Sequence) for i in items)
    )


def element_kind(r: Reverser, base: str, items: tuple[E.Expr, ...], site: int) -> Kind:
    """The kind of `base[items]`."""
    return r.facts.kinds.expr(site, E.Index(E.Name(base), items))


def store(r: Reverser, s: S.Store) -> None:
    """`base[items] = value`."""
    if isinstance(r.facts.kinds.at(s.site, s.base), Container):
        if r.facts.activity.active(s.base) and s.base not in r.facts.sharing.through:
            reverse_lists.store(r, s, subscript(r, s.items, s.site))
        return
    if not r.has(s.base):
        return
    shared = r.facts.sharing.shares(s.base)
    active = r.facts.influence.carries(s.value, s.site)
    if not shared and is_whole(s.items, r.var_kind(s.base), s.site, r.facts.kinds):
        adj = r.state.pop(s.base)
        if active:
            assert isinstance(s.value, E.Name)
            kind = r.facts.kinds.at(s.site, s.value.id)
            adj = A.of_real(r.whole(adj, s.base), kind)
            r.add(s.value.id, r.to_operand(adj, r.var_kind(s.base), s.value.id, kind, s.base))
        return
    items = subscript(r, s.items, s.site)
    buf, _ = r.window(s.base)
    target = E.Index(buf, items)
    if active:
        assert isinstance(s.value, E.Name)
        part = element_kind(r, s.base, s.items, s.site)
        kind = r.facts.kinds.at(s.site, s.value.id)
        advanced = is_advanced(s.items, s.site, r.facts.kinds)
        looks = (
            frozenset()
            if advanced or isinstance(part, Scalar)
            else frozenset({r.root_name(s.base)})
        )
        expr: E.Expr = target
        if may_repeat(r, s.items, s.site):
            winners = E.Call(
                E.Ref("last_writer", runtime.last_writer),
                (as_index(items), E.Attribute(buf, "shape")),
            )
            expr = E.Call(E.Ref("np.where", np.where), (winners, target, E.Const(0.0)))
        adj = Adjoint(expr, part, advanced, looks)
        if r.facts.sharing.together(s.value.id, s.base):
            key = r.hold(adj)  # `a[1:] = a[:-1]`: what was read there before is added afterwards
            copied = expr if isinstance(part, Scalar) else E.Call(E.Attribute(expr, "copy"), ())
            r.assign(key, Adjoint(copied, part, True))
            r.before_write(r.root_name(s.base), s.base, key)
            r.emit(C.Assign((target,), E.Const(0.0), r.note))
            r.add(s.value.id, to_value(r, r.release(key), part, s.value.id, kind))
            return
        r.add(s.value.id, to_value(r, adj, part, s.value.id, kind))
    if s.site in r.facts.dead_clears and s.base not in r.facts.sharing.addressed:
        return
    r.before_write(r.root_name(s.base), s.base)
    r.emit(C.Assign((target,), E.Const(0.0), r.note))


def to_value(r: Reverser, adj: Adjoint, part: Kind, var: str, kind: Kind) -> Adjoint:
    """The adjoint of a written part, in the shape of the value that was broadcast into it."""
    adj = A.of_real(adj, kind)
    if A.operand_shape_is_result_shape(kind, part):
        return adj
    if isinstance(kind, Scalar):
        if isinstance(part, Scalar):
            return adj
        total = Scalar("complex", "complex128") if is_complex(kind) else Scalar("float", "float64")
        return Adjoint(E.Call(E.Ref("np.sum", np.sum), (adj.expr,)), total, True)
    made = E.Call(E.Ref("unbroadcast", runtime.unbroadcast), (adj.expr, r.shape(var)))
    return Adjoint(made, kind, False, adj.borrows)


def conjugate(e: E.Expr, kind: Kind) -> E.Expr:
    """The factor by which an adjoint is scaled, from that by which complex values are."""
    if is_real(kind):
        return e
    if isinstance(e, E.Const) and isinstance(e.value, complex):
        return E.Const(e.value.conjugate())
    return E.Call(E.Ref("np.conj", np.conj), (e,))


def update(r: Reverser, s: S.Update) -> None:
    """`base[items] op= value` in place, for `+`, `-`, `*` and `/`."""
    if not r.has(s.base):
        return
    assert s.items is not None
    active = r.facts.influence.carries(s.value, s.site)
    whole = is_whole(s.items, r.var_kind(s.base), s.site, r.facts.kinds)
    if whole and not r.facts.sharing.shares(s.base) and s.op in ("+", "-"):
        adj = r.whole(r.state[s.base], s.base)
        part: Kind = r.var_kind(s.base)
        target: E.Expr = adj.expr
        looks = adj.borrows | frozenset(names_in(adj.expr))
    else:
        items = subscript(r, s.items, s.site)
        target = r.target(s.base)[0] if whole else E.Index(r.window(s.base)[0], items)
        part = r.var_kind(s.base) if whole else element_kind(r, s.base, s.items, s.site)
        looks = frozenset({r.root_name(s.base)})
    if isinstance(part, Scalar) or s.op.endswith("at"):
        looks = frozenset()
    if not isinstance(target, E.Name | E.Index):
        target = E.Index(target, (E.ELLIPSIS,))  # `a.T *= b` would assign the attribute
    value: E.Expr = s.value
    if s.op in ("*", "/"):
        value = r.value(s.value.id) if isinstance(s.value, E.Name) else value
        if is_complex(r.facts.kinds.at(s.site, s.base)):
            value = conjugate(value, r.facts.kinds.expr(s.site, s.value))
    if active:
        assert isinstance(s.value, E.Name)
        kind = r.facts.kinds.at(s.site, s.value.id)
        given = Adjoint(target, part, False, looks)
        if s.op not in ("+", "+at"):
            expr: E.Expr = E.Unary("-", target)
            if s.op in ("*", "/"):
                quotient = r.facts.needs.choice.get((s.site, DIVISOR)) == 1
                dividend = r.value(s.base, result=quotient)
                if not whole:
                    dividend = E.Index(dividend, subscript(r, s.items, s.site))
                if is_complex(part):
                    dividend = conjugate(dividend, part)
                expr = E.Binary("*", target, dividend)
                if s.op == "/":
                    over = value if quotient else E.Binary("*", value, value)
                    expr = E.Binary("/", E.Unary("-", expr), over)
            given = Adjoint(simplify(expr), part, True)
            same = r.facts.sharing.together(s.value.id, s.base)
            if same and s.op in ("*", "/"):
                late = r.hold(given)  # `a *= a`: the sum is not changed before it is scaled
                r.assign(late, given)
                r.before_write(r.root_name(s.base), s.base, late)
                r.emit(C.AugAssign(target, s.op, value, r.note))
                r.add(s.value.id, to_value(r, r.release(late), part, s.value.id, kind))
                return
        r.add(s.value.id, to_value(r, given, part, s.value.id, kind))
    if s.op in ("*", "/"):
        r.before_write(r.root_name(s.base), s.base)
        r.emit(C.AugAssign(target, s.op, value, r.note))
