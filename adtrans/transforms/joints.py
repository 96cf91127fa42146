"""Joins of branches and loops: every adjoint has one name there, and memory of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Scalar, TupleOf, Unknown
from adtrans.transforms import adjoints as A
from adtrans.transforms import tuple_adjoints
from adtrans.transforms.adjoints import Adjoint, State
from adtrans.transforms.reverser import Reverser


def fork(
    r: Reverser, test: Callable[[], E.Expr], first: Callable[[], None], second: Callable[[], None]
) -> None:
    """Write a branch whose halves are what `first` and `second` write; `test` is asked for if there
    is anything to tell apart."""
    before, out = dict(r.state), r.out
    ends: list[tuple[State, list[C.Code]]] = []
    for half in (first, second):
        r.state, r.out = dict(before), []
        half()
        ends.append((r.state, r.out))
    r.out = out
    (then, then_code), (orelse, else_code) = ends
    joined = dict(then)
    for var in [*then, *(v for v in orelse if v not in then)]:
        a, b = then.get(var), orelse.get(var)
        kind = r.var_kind(var)
        branch = r.current if isinstance(r.current, S.If) and isinstance(kind, Array) else None
        if branch is not None and is_gone(r, var, branch.site):
            joined.pop(var, None)
            continue
        if a is not None and b is not None and a.expr == b.expr:
            if a.covers(kind) == b.covers(kind) and (a.kind == b.kind or a.covers(kind)):
                joined[var] = Adjoint(
                    a.expr,
                    a.kind if a.kind == b.kind else kind,
                    a.owned and b.owned,
                    a.borrows | b.borrows,
                    a.whole and b.whole,
                )
                continue
        name = joint_name(r, var, (then, orelse))
        for state, code in ends:
            r.state, r.out = state, code
            settle(r, var, name, after=False)
        ordered = var in r.facts.sharing.in_order
        whole = all(state[var].whole for state, _ in ends)
        joined[var] = Adjoint(E.Name(name), r.var_kind(var), True, whole=whole, in_order=ordered)
    r.state, r.out = joined, out
    if then_code or else_code:
        r.emit(C.Branch(test(), tuple(then_code), tuple(else_code), r.note))


def joint_name(r: Reverser, var: str, states: tuple[State, ...]) -> str:
    """A name for the adjoint of `var` that is free in all the states."""
    own = {
        a.expr.id for st in states if (a := st.get(var)) is not None and isinstance(a.expr, E.Name)
    }
    pool = r.pools.setdefault(r.facts.fn.source_name(var), [])
    for name in [*sorted(own), *pool]:
        others = [{v: a for v, a in st.items() if v != var} for st in states]
        if name in pool and not any(A.mentions(o, name) or A.borrowed(o, name) for o in others):
            return name
    pool.append(r.names.fresh(f"{r.facts.fn.source_name(var)}_bar"))
    return pool[-1]


def is_gone(r: Reverser, var: str, site: int) -> bool:
    """Whether nothing reads `var` from here on, nor its memory, and its name stands for something
    else by now: its adjoint is zero."""
    live, sharing = r.facts.live.into, r.facts.sharing
    if var in live.get(site, (var,)) or sharing.shares(var) or var in r.facts.finals:
        return False
    if r.residuals.naming.reachable(var, site, after=False):
        return False
    return not any(sharing.root(v) == sharing.root(var) for v in sharing.base if v != var)


def no_shape(name: str, span: Span) -> Diagnostic:
    """What is bound in a loop has gone out of sight where its size would be kept."""
    return Diagnostic(
        "AD201",
        f"`{name}` changes its size in a loop and is bound twice there",
        span,
        why="the size that its adjoint must have where an iteration ends is not known",
        fixes=[Fix(f"use another name than `{name}` for one of the two")],
    )


def settle(
    r: Reverser, var: str, name: str, *, after: bool, at: int | None = None
) -> None:
    """Make `name` the adjoint of `var`: whole, in memory of its own, zero if there was none.

    `after`: the shape of `var` is the one that it has after the statement being reversed; `at`:
    before this one instead.
    """
    adj, kind = r.state.get(var), r.var_kind(var)

    def shape() -> E.Expr:
        assert r.current is not None
        site, behind = (r.current.site, after) if at is None else (at, False)
        if not r.residuals.has_name(var, site, behind):
            known = r.residuals.sizes(kind, site, behind) if isinstance(kind, Array) else None
            if known is not None:
                return known
            raise CompileError(no_shape(r.facts.fn.source_name(var), r.current.span))
        return r.shape_at(var, site, behind)

    if isinstance(kind, TupleOf):
        settle_tuple(r, var, name, kind, after=after)
        return
    if adj is None and isinstance(kind, Container):
        assert r.current is not None
        adj = Adjoint(r.zeros_of_list(var, r.current.site, after), kind, True)
    if adj is None:
        adj = Adjoint(
            A.zeros(kind, shape() if not isinstance(kind, Scalar) else E.NONE),
            kind,
            True,
        )
    elif isinstance(kind, Array) and not adj.covers(kind):
        adj = A.full(adj, kind, shape(), own=True)
    expr = adj.expr
    ordered = var in r.facts.sharing.in_order and isinstance(kind, Array)
    untidy = (not adj.owned and not isinstance(kind, Scalar)) or (ordered and not adj.in_order)
    if expr != E.Name(name) or untidy:
        if not adj.owned and not isinstance(kind, Scalar):
            expr = A.copied(expr, kind)
        else:
            r.lent(expr, name, var)
            if ordered and not adj.in_order:
                expr = E.Call(E.Ref("np.ascontiguousarray", np.ascontiguousarray), (expr,))
        r.emit(C.Assign((E.Name(name),), expr, r.note))
    r.env[name] = kind
    whole = adj.whole or not isinstance(kind, Unknown)  # it may still stand for an array
    r.state[var] = Adjoint(E.Name(name), kind, True, whole=whole, in_order=ordered)


def settle_tuple(r: Reverser, var: str, name: str, kind: TupleOf, *, after: bool) -> None:
    """The same for a tuple: it has a part for each item, and is not changed in place."""
    assert r.current is not None
    adj = r.state.get(var)
    expr = E.NONE if adj is None else adj.expr
    if tuple_adjoints.has_gaps(kind, expr):
        primal = r.residuals.reference(var, r.current.site, result=after)
        if expr == E.NONE and r.facts.kinds.may_be_none(var):
            expr = r.zeros(primal, kind)
        else:
            expr = tuple_adjoints.filled(kind, expr, primal)
    else:
        expr = tuple_adjoints.filled(kind, expr, E.NONE)
    if expr != E.Name(name):
        if not isinstance(expr, E.Sequence) and r.facts.kinds.may_be_none(var):
            expr = expr if isinstance(expr, E.Call) else A.duplicate(expr)
        else:
            expr = tuple_adjoints.copied(kind, expr)
        r.emit(C.Assign((E.Name(name),), expr, r.note))
    r.env[name] = kind
    r.state[var] = Adjoint(E.Name(name), kind, True, whole=True)


def finish(r: Reverser, names: dict[str, str], loop: S.For | S.While) -> None:
    """At the end of an iteration, everything carried is under its name again, as large as it was
    when the iteration began."""
    first = loop.body[0].site if loop.body else None
    pending = {
        v: n
        for v, n in names.items()
        if r.state.get(v) is None
        or r.state[v].expr != E.Name(n)
        or not r.state[v].owned
        or not r.state[v].covers(r.var_kind(v))
        or (v in r.facts.sharing.in_order and not r.state[v].in_order)
    }
    while pending:
        for v, n in pending.items():
            others = {o: r.state[o] for o in pending if o != v and o in r.state}
            if not A.mentions(others, n):
                settle(r, v, n, after=True, at=first)
                del pending[v]
                break
        else:
            v = next(iter(pending))
            fresh = r.names.fresh(f"{r.facts.fn.source_name(v)}_bar")
            settle(r, v, fresh, after=True, at=first)
