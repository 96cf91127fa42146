"""Adjoints of calls of user functions, and of the tuples that they return.

`y = g(x)` was `y, g_residuals = g_forward(x)`; reversed it is
`x_bar = g_pullback(g_residuals, y_bar)`.
An argument that the callee writes has its final contents as a further result: the adjoint of those
goes in, and the adjoint of the contents on entry comes out.
"""

from __future__ import annotations

from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.effects import Summary
from adtrans.analyses.writes import actuals
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    NONE_KIND,
    Array,
    Container,
    Kind,
    Scalar,
    TupleOf,
    is_differentiable,
    is_immutable,
    is_optional,
    present,
)
from adtrans.ir.walk import names_in
from adtrans.transforms import adjoints as A
from adtrans.transforms import tuple_adjoints
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.reverse_memory import add_items
from adtrans.transforms.reverser import Reverser


def unpack(r: Reverser, s: S.Unpack) -> None:
    """`a, b = results`: the adjoints of the targets form the adjoint of the tuple."""
    for t in s.targets:
        known = t in r.facts.sharing.addressed or r.by_identity(t)
        if known and (adj := r.taken(t)) is not None:
            r.state[t] = adj
    if not any(t in r.state for t in s.targets):
        return
    given: dict[int, Adjoint] = {}
    for k, target in enumerate(s.targets):
        kind = r.var_kind(target)
        if target in r.state:
            given[k] = r.whole(r.state.pop(target), target)
        elif s.source in r.facts.sharing.records:
            continue
        elif isinstance(kind, Array) and is_differentiable(kind) and not taken(r, s.source, k):
            given[k] = Adjoint(A.zeros(kind, r.shape(target)), kind, True)
    add_items(r, s.source, given)


def taken(r: Reverser, source: str, k: int) -> bool:
    """Whether the caller takes an item of a result from the arguments: it is None in the result."""
    units = [r.facts.units.get(d) for d in r.facts.definitions.sites.get(source, ())]
    kinds = [present(u.summary.result) for u in units if u is not None]
    return any(isinstance(t, TupleOf) and t.items[k] == NONE_KIND for t in kinds)


def pack(r: Reverser, s: S.Pack) -> None:
    """`t = (a, b)`: each item gets its part."""
    if s.target in r.facts.sharing.records:
        numbers_of(r, s)
        return
    adj = r.taken(s.target)
    if adj is None:
        return
    key = r.hold(adj)
    for k, item in enumerate(s.items):
        adj = r.state[key]
        part = tuple_adjoints.part(adj.expr, k)
        if part != E.NONE and isinstance(item, E.Name) and r.facts.activity.active(item):
            looks = frozenset(names_in(part)) | adj.borrows
            r.add(item.id, Adjoint(part, r.var_kind(item.id), False, looks))
    r.release(key)


def numbers_of(r: Reverser, s: S.Pack) -> None:
    """The same where the arrays in the tuple have adjoints by their addresses, and the numbers by
    which tuple it is."""
    held = [e for e in s.items if isinstance(e, E.Name) and r.facts.activity.active(e.id)]
    if not any(is_immutable(r.var_kind(e.id)) for e in held):
        return
    taken_out = E.Attribute(E.Name(r.memory_name), "numbers")
    found = E.Call(taken_out, (r.identity(s.target, True),))
    r.assign(s.target, Adjoint(found, r.var_kind(s.target), True, whole=True))
    key = r.hold(r.state.pop(s.target))
    for k, item in enumerate(s.items):
        if item in held and isinstance(item, E.Name) and is_immutable(r.var_kind(item.id)):
            part = tuple_adjoints.part(r.state[key].expr, k)
            looks = frozenset(names_in(part))
            r.add(item.id, Adjoint(part, r.var_kind(item.id), False, looks))
    r.release(key)


def call(r: Reverser, s: S.Invoke) -> None:
    """Run the callee's pullback."""
    unit = r.facts.units.get(s.site)
    if unit is None:
        if s.target is not None:
            r.state.pop(s.target, None)
        return
    summary = unit.summary
    given = actuals(s, summary)
    active = [
        p
        for p in summary.params
        if p in summary.wrt and r.facts.activity.active(given.get(p, E.NONE))
    ]
    written = [p for p in summary.params if p in summary.finals]
    adj = None if s.target is None else r.taken(s.target)
    touched = [p for p in written if isinstance(a := given.get(p), E.Name) and r.has(a.id)]
    if adj is None and not touched:
        return
    kept = r.residuals.kept(f"{name_of(s)}_residuals", E.Name(f"call#{s.site}"), s.site, after=True)
    args: list[E.Expr] = [
        kept,
        cotangent(r, s, adj, _varying(summary)) if summary.result_active else E.NONE,
    ]
    key = None if adj is None else r.hold(adj)
    windows: dict[str, E.Expr] = {}
    for p in written:
        arg = given.get(p)
        assert isinstance(arg, E.Name)
        if r.by_identity(arg.id):
            of = r.identity(arg.id, True)
            windows[p] = E.Call(E.Attribute(E.Name(r.memory_name), "pop"), (of,))
        else:
            windows[p], _ = r.window(arg.id)
        args.append(windows[p])
    if key is not None:
        r.release(key)
    results: list[E.Expr] = []
    into: list[tuple[str, str]] = []
    for p in sorted(summary.active, key=summary.params.index):
        arg = given.get(p)
        if p in active or p in windows:
            assert isinstance(arg, E.Name)
            name = r.names.fresh(f"{p}_bar")
            results.append(E.Name(name))
            into.append((p, name))
        else:
            results.append(E.Name(r.nobody))
    value = E.Call(E.Ref(unit.pullback, None), tuple(args))
    if results:
        r.emit(C.Assign(tuple(results), value, r.note))
    for p, name in into:
        arg = given[p]
        assert isinstance(arg, E.Name)
        kind = r.facts.kinds.at(s.site, arg.id)
        r.env[name] = kind
        if p in windows and r.by_identity(arg.id):
            r.spread(arg.id, E.Name(name), result=False)
        elif p in windows:
            r.before_write(r.root_name(arg.id), arg.id)
            if isinstance(kind, Container):
                refill = E.Ref("refill", runtime.refill)
                r.emit(C.Do(E.Call(refill, (windows[p], E.Name(name))), r.note))
                continue
            target = (
                windows[p]
                if isinstance(windows[p], E.Index)
                else E.Index(windows[p], (E.ELLIPSIS,))
            )
            r.emit(C.Assign((target,), E.Name(name), r.note))
        else:
            r.add(arg.id, Adjoint(E.Name(name), kind, True))


def name_of(s: S.Invoke) -> str:
    """A short name for what is called."""
    return (
        E.text(s.fn).partition("(")[0].rpartition(".")[2]
        if isinstance(s.fn, E.Ref | E.Name | E.Attribute)
        else "call"
    )


def _varying(summary: Summary) -> Kind:
    """The kind of a result, with arrays that carry no derivative like arrays of integers."""
    kind = summary.result
    if not isinstance(kind, TupleOf):
        return kind
    return replace(kind, items=tuple(
        replace(k, dtype="int64") if i in summary.constant and isinstance(k, Array) else k
        for i, k in enumerate(kind.items)
    ))  # fmt: skip


def cotangent(r: Reverser, s: S.Invoke, adj: Adjoint | None, kind: Kind) -> E.Expr:
    """The cotangent of the result, in full."""
    if is_optional(kind) and adj is None and s.target is not None:
        return r.zeros(r.residuals.reference(s.target, s.site, result=True), kind)
    kind, unit = present(kind), r.facts.units.get(s.site)
    if isinstance(kind, TupleOf):
        given = E.NONE if adj is None else adj.expr
        primal: E.Expr = E.NONE
        if s.target is not None and tuple_adjoints.has_gaps(kind, given):
            primal = r.residuals.reference(s.target, s.site, result=True)
        return tuple_adjoints.filled(kind, given, primal)
    if adj is None and isinstance(kind, Container) and s.target is not None:
        return r.zeros_of_list(s.target, s.site, True)
    of = actuals(s, unit.summary).get(unit.summary.same or "") if unit is not None else None
    if adj is None and s.target is None and isinstance(kind, Array) and isinstance(of, E.Name):
        return A.zeros(kind, r.shape(of.id, False))  # it returned this one
    if adj is None:
        return (
            A.zero(kind)
            if isinstance(kind, Scalar) or s.target is None
            else A.zeros(kind, r.shape(s.target))
        )
    assert s.target is not None
    return r.whole(adj, s.target).expr
