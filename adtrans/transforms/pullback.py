"""The pullback: the function that carries the adjoint of the result back to the arguments.

Statements are reversed one by one, last first. What is written depends on what is known of each
adjoint at that point: the first contribution assigns, later ones add; what is certainly zero is
neither made nor read; an array that nobody else sees is changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from adtrans.analyses.apply import Operand
from adtrans.analyses.loops import count, is_plain, leaves, position, range_expr
from adtrans.analyses.memory import elements_in
from adtrans.analyses.structure import BlockId
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Scalar, TupleOf
from adtrans.ir.walk import binds_of, names_in, reads_of, statements
from adtrans.transforms import adjoints as A
from adtrans.transforms import (
    reverse_attempts,
    reverse_calls,
    reverse_lists,
    reverse_memory,
    tuples,
)
from adtrans.transforms.adjoints import Adjoint, State
from adtrans.transforms.residuals import Fetch
from adtrans.transforms.reverser import Reverser


def reverse_block(r: Reverser, name: BlockId, body: S.Block) -> None:
    """Reverse a block; what it needs of the primal is fetched first."""
    start = len(r.out)
    for s in reversed(body):
        reverse(r, s)
    r.out[start:start] = list(fetching(r, name))


def reverse(r: Reverser, s: S.Stmt) -> None:
    """Write the adjoint of one statement."""
    before = (r.current, r.note)
    r.current, r.note = s, r.note_for(s)
    match s:
        case _ if s.site in r.facts.influence.idle:
            for var in binds_of(s):  # its adjoint is zero
                if not isinstance(s, S.Update) and var not in r.facts.sharing.base:
                    r.state.pop(var, None)
        case S.Bind():
            bind(r, s)
        case S.Load():
            reverse_memory.load(r, s)
        case S.Store():
            reverse_memory.store(r, s)
        case S.Update():
            reverse_memory.update(r, s)
        case S.Alias():
            adj = None if s.target in r.facts.sharing.base else r.state.pop(s.target, None)
            if adj is not None and r.facts.activity.active(s.source):
                r.add(s.source, adj)
        case S.Pack(kind="list"):
            reverse_lists.pack(r, s)
        case S.Pack():
            reverse_calls.pack(r, s)
        case S.Edit():
            reverse_lists.edit(r, s)
        case S.Unpack():
            reverse_calls.unpack(r, s)
        case S.Invoke():
            reverse_calls.call(r, s)
        case S.Return():
            seed(r, s)
        case S.If():
            branch(r, s)
        case S.For() | S.While():
            loop(r, s)
        case S.Try():
            reverse_attempts.attempt(r, s, reverse_block, fork)
        case S.Onward():
            reverse_block(r, (s.site, 0), s.body)
        case S.With():
            reverse_attempts.within(r, s, reverse_block)
        case S.Keep() | S.Break() | S.Continue():
            for var in binds_of(s):
                r.state.pop(var, None)
    r.current, r.note = before


def seed(r: Reverser, s: S.Return) -> None:
    """Start from the cotangents of the results."""
    if r.facts.same in r.facts.finals:
        return
    if not s.is_tuple:
        seeds: list[E.Expr] = [E.Name(r.seed_name)]
    else:
        stem = r.seed_name.removesuffix("_bar")
        active = [isinstance(v, E.Name) and r.facts.activity.active(v) for v in s.values]
        seeds = [
            E.Name(r.names.fresh(f"{stem}{i + 1}_bar") if a else "_") for i, a in enumerate(active)
        ]
        if any(active):
            given: E.Expr = E.Name(r.seed_name)
            if len(seeds) == 1:
                given = E.Index(given, (E.Const(0),))
            r.emit(C.Assign(tuple(seeds), given, None))
    for v, e in zip(s.values, seeds, strict=True):
        if isinstance(v, E.Name) and r.facts.activity.active(v):
            assert isinstance(e, E.Name)
            r.env[e.id] = r.var_kind(v.id)
            r.add(v.id, Adjoint(e, r.var_kind(v.id), False, frozenset({e.id}), whole=True))


def bind(r: Reverser, s: S.Bind) -> None:
    """A primitive: each active operand gets what its rule says."""
    if s.target in r.facts.sharing.base:
        return
    adj = r.state.pop(s.target, None)
    app = r.facts.apps.get(s.site)
    if adj is None:
        return
    if app is None:
        if isinstance(s.value, E.Name) and r.facts.activity.active(s.value):
            r.add(s.value.id, adj)
        return
    if app.rule.gives_tuple(app.bound) and not app.rule.partial:
        adj = all_parts(r, s, adj)
    active = [
        (o, e.id)
        for o, e in app.operands()
        if isinstance(e, E.Name) and r.facts.influence.carries(e, s.site)
    ]
    if len(active) > 1 and not isinstance(adj.expr, E.Name | E.Const):
        r.assign(s.target, adj)
        adj = r.state.pop(s.target)
    alone = len(active) == 1
    by_var: dict[str, list[Operand]] = {}
    for operand, var in active:
        by_var.setdefault(var, []).append(operand)
    made = [
        (var, merged([r.contribution(s, app, o, var, adj, alone=alone) for o in operands]))
        for var, operands in by_var.items()
    ]
    if app.rule.custom is not None and app.rule.custom.joint and len(made) > 1:
        made = called_once(r, made)
    waiting = [
        (f"{s.target}@{k}", var, part)
        for k, (var, part) in enumerate((v, p) for v, ps in made for p in ps)
    ]
    for key, _, part in waiting:  # what is not added yet must not see what the others change
        looks = part.borrows | adj.borrows | frozenset(names_in(part.expr))
        r.state[key] = replace(part, owned=False, borrows=looks)
    for key, var, part in waiting:
        now = r.state.pop(key)
        r.add(var, part if now.expr == part.expr else replace(now, owned=True, borrows=frozenset()))


def called_once(
    r: Reverser, made: list[tuple[str, list[Adjoint]]]
) -> list[tuple[str, list[Adjoint]]]:
    """Contributions that are items of one call, with that call made once."""
    every = [part.expr for _, parts in made for part in parts]
    calls = [e.base for e in every if isinstance(e, E.Index)]
    if len(calls) != len(every) or len(set(calls)) != 1:
        return made
    name = r.names.fresh("t_bars")
    r.emit(C.Assign((E.Name(name),), calls[0], r.note))

    def one(part: Adjoint) -> Adjoint:
        assert isinstance(part.expr, E.Index)
        borrows = part.borrows | {name}
        return replace(part, expr=replace(part.expr, base=E.Name(name)), borrows=borrows)

    return [(var, [one(part) for part in parts]) for var, parts in made]


def all_parts(r: Reverser, s: S.Bind, adj: Adjoint) -> Adjoint:
    """The adjoint of a tuple with zeros for the items that have none."""
    kind = r.var_kind(s.target)
    if not isinstance(adj.expr, E.Sequence) or not isinstance(kind, TupleOf):
        return adj
    parts: list[E.Expr] = []
    for k, (part, item) in enumerate(zip(adj.expr.items, kind.items, strict=True)):
        if part == E.NONE and isinstance(item, Array):
            whole = r.residuals.reference(s.target, s.site, result=True)
            part = A.zeros(item, E.Attribute(E.Index(whole, (E.Const(k),)), "shape"))
        elif part == E.NONE:
            part = A.ZERO
        parts.append(part)
    return replace(adj, expr=E.Sequence("tuple", tuple(parts)))


def merged(parts: list[Adjoint]) -> list[Adjoint]:
    """Two equal contributions (as from `u * u`) as one, twice as large."""
    if len(parts) == 2 and parts[0].expr == parts[1].expr:
        first = parts[0]
        double = E.Binary("*", E.Const(2.0), first.expr)
        return [Adjoint(double, first.kind, True, whole=first.whole)]
    return parts


# -- control flow ----------------------------------------------------------------------------------


def branch(r: Reverser, s: S.If) -> None:
    """Reverse the branch that was taken."""
    fork(
        r,
        lambda: test_of(r, s),
        lambda: reverse_block(r, (s.site, 0), s.then),
        lambda: reverse_block(r, (s.site, 1), s.orelse),
    )


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
        joined[var] = Adjoint(E.Name(name), r.var_kind(var), True, whole=True, in_order=ordered)
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


def settle(r: Reverser, var: str, name: str, *, after: bool) -> None:
    """Make `name` the adjoint of `var`: whole, in memory of its own, zero if there was none.

    `after`: the shape of `var` is the one that it has after the statement being reversed.
    """
    adj, kind = r.state.get(var), r.var_kind(var)
    if isinstance(kind, TupleOf):
        settle_tuple(r, var, name, kind, after=after)
        return
    if adj is None and after:
        keeps_its_shape(r, var)
    if adj is None and isinstance(kind, Container):
        assert r.current is not None
        adj = Adjoint(r.zeros_of_list(var, r.current.site, after), kind, True)
    if adj is None:
        adj = Adjoint(
            A.zeros(kind, r.shape(var, after) if not isinstance(kind, Scalar) else E.NONE),
            kind,
            True,
        )
    elif isinstance(kind, Array) and not adj.covers(kind):
        adj = A.full(adj, kind, r.shape(var, after), own=True)
    expr = adj.expr
    ordered = var in r.facts.sharing.in_order and isinstance(kind, Array)
    untidy = (not adj.owned and not isinstance(kind, Scalar)) or (ordered and not adj.in_order)
    if expr != E.Name(name) or untidy:
        if not adj.owned and not isinstance(kind, Scalar):
            expr = A.copied(expr, kind)
        elif ordered and not adj.in_order:
            expr = E.Call(E.Ref("np.ascontiguousarray", np.ascontiguousarray), (expr,))
        r.emit(C.Assign((E.Name(name),), expr, r.note))
    r.env[name] = kind
    r.state[var] = Adjoint(E.Name(name), kind, True, whole=True, in_order=ordered)


def settle_tuple(r: Reverser, var: str, name: str, kind: TupleOf, *, after: bool) -> None:
    """The same for a tuple: it has a part for each item, and is not changed in place."""
    assert r.current is not None
    adj = r.state.get(var)
    expr = E.NONE if adj is None else adj.expr
    if tuples.has_gaps(kind, expr):
        primal = r.residuals.reference(var, r.current.site, result=after)
        expr = tuples.filled(kind, expr, primal)
    else:
        expr = tuples.filled(kind, expr, E.NONE)
    if expr != E.Name(name):
        r.emit(C.Assign((E.Name(name),), tuples.copied(kind, expr), r.note))
    r.env[name] = kind
    r.state[var] = Adjoint(E.Name(name), kind, True, whole=True)


def certainly_differ(a: Array, b: Array) -> bool:
    """Whether two arrays cannot have the same shape."""
    if a.dims is None or b.dims is None:
        return False
    if len(a.dims) != len(b.dims):
        return True
    known = [(x - y).value for x, y in zip(a.dims, b.dims, strict=True) if x and y]
    return any(difference not in (None, 0) for difference in known)


def keeps_its_shape(r: Reverser, var: str) -> None:
    """Refuse what has one shape before a loop and another one in it: its adjoint is one array."""
    facts = r.facts
    made = [facts.kinds.bounds(d).get(var) for d in facts.definitions.sites.get(var, ())]
    arrays = [k for k in made if isinstance(k, Array)]
    if any(certainly_differ(a, b) for i, a in enumerate(arrays) for b in arrays[i + 1 :]):
        assert r.current is not None
        name = facts.fn.source_name(var)
        raise CompileError(
            Diagnostic(
                "AD201",
                f"`{name}` changes its shape in a loop",
                r.current.span,
                why="the adjoint of what is carried from one iteration to the next is one array",
                fixes=[Fix(f"use another name than `{name}` for what has another shape")],
            )
        )


def test_of(r: Reverser, s: S.If) -> E.Expr:
    """The condition in the pullback: evaluated again, or kept."""
    if r.residuals.available(s.test, s.site):
        return r.residuals.expression(s.test, s.site)
    if isinstance(s.test, E.Name):
        return r.residuals.value(s.test.id, s.site)
    return r.residuals.kept("condition", s.test, s.site)


def loop(r: Reverser, s: S.For | S.While) -> None:
    """Reverse a loop. What is carried from one iteration to the next has one name throughout; which
    variables those are is found by writing the body until nothing is added."""
    touched = [v for v in touched_by(r, s) if v in r.state or r.facts.activity.active(v)]
    saved_state, saved_out, saved_note = dict(r.state), list(r.out), r.note
    carried = [v for v in touched if v in r.state]
    while True:
        r.state, r.out = dict(saved_state), list(saved_out)
        names: dict[str, str] = {}
        for v in carried:
            name = joint_name(r, v, (r.state,))
            settle(r, v, name, after=True)
            names[v] = name
        outer, r.out = r.out, []
        reverse_block(r, (s.site, 1 if isinstance(s, S.While) else 0), s.body)
        loop_targets(r, s)
        more = [v for v in r.state if v in touched and v not in carried]
        if not more:
            break
        carried += more
    r.note = saved_note
    finish(r, names)
    body, r.out = r.out, outer
    if body:
        emit_loop(r, s, body)


def touched_by(r: Reverser, s: S.For | S.While) -> list[str]:
    """The variables that the loop reads or binds."""
    found: dict[str, None] = {}
    for inner in (s, *statements(s.body)):
        for v in (*sorted(reads_of(inner)), *binds_of(inner)):
            found.setdefault(v)
            found.setdefault(r.facts.sharing.root(v))
    return list(found)


def loop_targets(r: Reverser, s: S.For | S.While) -> None:
    """The adjoints of elements that the loop iterated over go back to where they came from."""
    if isinstance(s, S.While):
        return
    for var, leaf in leaves(s, r.facts.kinds).items():
        adj = None if var in r.facts.sharing.base else r.state.pop(var, None)
        if adj is None or leaf.source is None or not r.facts.activity.active(leaf.source):
            continue
        key = r.hold(adj)
        buf, _ = r.window(leaf.source)
        r.before_write(r.root_name(leaf.source), key)
        adj = r.release(key)
        place = r.element_of(leaf, s.site, buf)
        if isinstance(r.var_kind(leaf.source), Container):
            reverse_lists.add_to(r, *reverse_lists.inside(r, place, adj, var, leaf.source))
        else:
            r.emit(A.accumulate(place, adj.expr, r.note))


def finish(r: Reverser, names: dict[str, str]) -> None:
    """At the end of an iteration, everything carried is under its name again."""
    pending = {
        v: n
        for v, n in names.items()
        if r.state.get(v) is None
        or r.state[v].expr != E.Name(n)
        or not r.state[v].owned
        or (v in r.facts.sharing.in_order and not r.state[v].in_order)
    }
    while pending:
        for v, n in pending.items():
            others = {o: r.state[o] for o in pending if o != v and o in r.state}
            if not A.mentions(others, n):
                settle(r, v, n, after=True)
                del pending[v]
                break
        else:
            v = next(iter(pending))
            fresh = r.names.fresh(f"{r.facts.fn.source_name(v)}_bar")
            settle(r, v, fresh, after=True)


def emit_loop(r: Reverser, s: S.For | S.While, body: list[C.Code]) -> None:
    """The header of the reversed loop."""
    trips = trip_count(r, s)
    if isinstance(s, S.For) and is_plain(s):
        it = s.iter.inner if isinstance(s.iter, S.Reversed) else s.iter
        assert isinstance(it, S.Range)
        forward = isinstance(s.iter, S.Reversed)
        target = header_name(r, s, str(s.target))
        values: E.Expr = r.residuals.expression(range_expr(it), s.site, contents=False)
        if trips is not None:
            if forward:
                values = E.Call(E.Ref("reversed", reversed), (values,))
                values = E.Index(
                    E.Call(E.Ref("list", list), (values,)), (E.Slice(None, trips, None),)
                )
                values = E.Call(E.Ref("reversed", reversed), (values,))
            else:
                part = E.Index(values, (E.Slice(None, trips, None),))
                values = E.Call(E.Ref("reversed", reversed), (part,))
        elif not forward:
            counts_only = (
                target == E.Name("_") and isinstance(values, E.Call) and len(values.args) == 1
            )
            values = values if counts_only else E.Call(E.Ref("reversed", reversed), (values,))
        r.emit(C.ForEach(target, values, tuple(body), r.note))
        return
    if trips is None:
        assert isinstance(s, S.For)
        trips = r.residuals.expression(count(s.iter), s.site, contents=False)
    counter = E.Name("_")
    if isinstance(s, S.For):
        counter = header_name(r, s, position(s))
    run: E.Expr = E.Call(E.Ref("range", range), (trips,))
    if counter.id != "_":
        run = E.Call(E.Ref("reversed", reversed), (run,))
    r.emit(C.ForEach(counter, run, tuple(body), r.note))


def header_name(r: Reverser, s: S.For, var: str) -> E.Name:
    """The name of the loop variable of the reversed loop, `_` if nothing asks for it."""
    found = [
        f.name
        for f in r.residuals.fetches.values()
        if f.way == "header" and f.at == s.site and f.value == E.Name(var)
    ]
    return E.Name(found[0] if found else "_")


def trip_count(r: Reverser, s: S.For | S.While) -> E.Expr | None:
    """The kept number of iterations, where the header does not tell it."""
    breaks = any(isinstance(x, S.Break) for x in own_statements(s.body))
    if isinstance(s, S.For) and not breaks:
        lists = [v for v in elements_in(s.iter) if is_list(r, v, s.site)]
        writes = [w for v in lists for w in changes(r, v, s.site)]
        inside = {x.site for x in statements(s.body)}
        if not any(w in inside for w in writes):
            later = r.facts.inner or any(may_follow(r, w, s.site) for w in writes)
            if not (lists and later):
                return None
            return r.residuals.kept("steps", count(s.iter), s.site)
    return r.residuals.kept("steps", E.Name(f"count#{s.site}"), s.site, after=True)


def is_list(r: Reverser, var: str, site: int) -> bool:
    """Whether the length of what a loop runs over may change."""
    return not isinstance(r.facts.kinds.at(site, var), Array | TupleOf)


def changes(r: Reverser, var: str, site: int) -> Iterator[int]:
    """The statements that may change the length of the list that `var` is at `site`."""
    objects = r.facts.memory.objects(var, site)
    for w in r.facts.memory.writes:
        if w.objects & objects and not isinstance(r.facts.structure.stmts[w.site], S.Store):
            yield w.site


def may_follow(r: Reverser, later: int, site: int) -> bool:
    """Whether a statement may run after another one."""
    order = list(r.facts.structure.stmts)
    around = {loop.site for loop in r.facts.structure.loops(site)}
    again = any(loop.site in around for loop in r.facts.structure.loops(later))
    return again or order.index(later) > order.index(site)


def own_statements(body: S.Block) -> Iterator[S.Stmt]:
    """The statements of a loop body that are not in a loop further inside."""
    for s in body:
        yield s
        if isinstance(s, S.If):
            yield from own_statements(s.then)
            yield from own_statements(s.orelse)


# -- fetching --------------------------------------------------------------------------------------


def fetching(r: Reverser, name: BlockId) -> Iterator[C.Code]:
    """The statements that get the primal values which belong to one execution of a block."""
    seen = -1
    while seen != len(r.residuals.fetches):  # recomputing may ask for more
        seen = len(r.residuals.fetches)
        for f in list(r.residuals.fetches.values()):
            if f.block == name and f.way in ("recompute", "header"):
                r.residuals.expression(f.value, f.at, contents=False)
    mine = [f for f in r.residuals.fetches.values() if f.block == name]
    order = {site: n for n, site in enumerate(r.facts.structure.stmts)}
    for f in sorted(mine, key=lambda f: (order[f.at], f.after)):
        if f.way in ("recompute", "header") and not bound_by_header(r, f):
            yield C.Assign((E.Name(f.name),), r.residuals.expression(f.value, f.at, contents=False))
        elif f.way == "record" and r.in_loop(f.block):
            pop = E.Call(E.Attribute(E.Name(storage(f)), "pop"), ())
            yield C.Assign((E.Name(f.name),), pop)


def storage(f: Fetch) -> str:
    """The list that holds the records of a value."""
    return f.stack


def bound_by_header(r: Reverser, f: Fetch) -> bool:
    """Whether the header of the reversed loop itself binds the value."""
    s = r.facts.structure.stmts.get(f.at)
    return isinstance(s, S.For) and (is_plain(s) or f.value == E.Name(position(s)))
