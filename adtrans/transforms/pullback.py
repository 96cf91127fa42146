"""The pullback: the function that carries the adjoint of the result back to the arguments.

Statements are reversed one by one, last first. What is written depends on what is known of each
adjoint at that point: the first contribution assigns, later ones add; what is certainly zero is
neither made nor read; an array that nobody else sees is changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adtrans.analyses.apply import Operand
from adtrans.analyses.fixed import as_truth, asks_only_fixed
from adtrans.analyses.identity_tests import identity_told
from adtrans.analyses.loops import is_plain, position
from adtrans.analyses.structure import BlockId
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    UNKNOWN,
    Array,
    Kind,
    Known,
    ListOf,
    Mixed,
    Scalar,
    TupleOf,
    is_differentiable,
    is_immutable,
    present,
)
from adtrans.ir.walk import binds_of, names_in, reads_of, rebuild, walk
from adtrans.rules.complexes import is_complex
from adtrans.transforms import adjoints as A
from adtrans.transforms import reverse_attempts, reverse_calls, reverse_lists, reverse_memory
from adtrans.transforms.adjoints import Adjoint
from adtrans.transforms.joints import finish, fork, joint_name, settle
from adtrans.transforms.putting_back import put_back
from adtrans.transforms.reverse_loops import emit_loop, loop_targets, touched_by
from adtrans.transforms.reverser import Reverser
from adtrans.transforms.ways import Fetch


def reverse_block(
    r: Reverser,
    name: BlockId,
    body: S.Block,
    following: Callable[[], None] | None = None,
    preceding: Callable[[], None] | None = None,
) -> None:
    """Reverse a block; what it needs of the primal is fetched first. `following` and `preceding`
    write what is reversed before and after it, and see its values."""
    start = len(r.out)
    if following is not None:
        following()
    for s in reversed(body):
        reverse(r, s)
    if preceding is not None:
        preceding()
    r.out[start:start] = list(fetching(r, name))


def reverse(r: Reverser, s: S.Stmt) -> None:
    """Write the adjoint of one statement."""
    before = (r.current, r.note)
    r.current, r.note = s, r.note_for(s)
    put_back(r, s)
    match s:
        case _ if s.site in r.facts.influence.idle:
            for var in binds_of(s):  # its adjoint is zero
                if not isinstance(s, S.Update) and not r.facts.sharing.shares(var):
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
            adj = r.taken(s.target)
            nothing = isinstance(r.facts.kinds.at(s.site, s.source), Known)  # None, as its adjoint
            if adj is not None and r.facts.activity.active(s.source) and not nothing:
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
    for var in sorted(reads_of(s) & r.facts.sharing.through):
        if var in r.state:  # what a list got as a whole goes to the arrays in it
            r.add(var, r.state.pop(var))
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
            E.Name(r.names.fresh(f"{stem}{i}_bar") if a else r.nobody)
            for i, a in enumerate(active, 1)
        ]
        if any(active):
            given: E.Expr = E.Name(r.seed_name)
            if len(seeds) == 1:
                given = E.Index(given, (E.Const(0),))
            r.emit(C.Assign(tuple(seeds), given, None))
    for k, (v, e) in enumerate(zip(s.values, seeds, strict=True)):
        if isinstance(v, E.Name) and r.facts.activity.active(v):
            assert isinstance(e, E.Name)
            kind = r.var_kind(v.id)
            r.env[e.id] = kind
            given = r.thawed(e, kind) if isinstance(kind, ListOf) else e
            if is_complex(result := returned(r, s, k)):  # in another branch
                kind = result
            r.add(v.id, Adjoint(given, kind, False, frozenset({e.id}), whole=True))


def returned(r: Reverser, s: S.Return, k: int) -> Kind:
    """The kind of the result, or of one of them, whatever branch returns it."""
    result = present(r.facts.kinds.result)
    if not s.is_tuple:
        return result
    return result.items[k] if isinstance(result, TupleOf) else UNKNOWN


def bind(r: Reverser, s: S.Bind) -> None:
    """A primitive: each active operand gets what its rule says."""
    app = r.facts.apps.get(s.site)
    carried = app is None or any(r.facts.influence.carries(e, s.site) for _, e in app.operands())
    if s.target in r.facts.sharing.addressed and (not carried or s.value == E.NONE):
        return  # made of constants: nothing reads this adjoint any more
    adj = r.taken(s.target)
    if adj is None:
        return
    if app is None:
        if isinstance(s.value, E.Name) and r.facts.activity.active(s.value):
            r.add(s.value.id, adj)
        return
    if app.rule.gives_tuple(app.bound) and not app.rule.partial:
        adj = all_parts(r, s, adj)
    elif app.rule.custom is not None:
        adj = replace(adj, expr=without_gaps(r, s, adj.expr, r.var_kind(s.target), ()))
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
    made = solved_once(r, made)
    waiting = [
        (f"{s.target}@{k}", var, part)
        for k, (var, part) in enumerate((v, p) for v, ps in made for p in ps)
    ]
    for key, _, part in waiting:  # what is not added yet must not see what the others change
        looks = part.borrows | adj.borrows | frozenset(names_in(part.expr))
        r.state[key] = replace(part, owned=False, borrows=looks)
    for key, var, part in waiting:
        now = r.state.pop(key)
        r.add(var, part if now.expr == part.expr else now)


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


def solved_once(
    r: Reverser, made: list[tuple[str, list[Adjoint]]]
) -> list[tuple[str, list[Adjoint]]]:
    """Contributions that have an expensive call in common, such as the solution of one system, with
    that call made once."""
    calls = [
        e
        for _, parts in made
        for part in parts
        for e in walk(part.expr)
        if isinstance(e, E.Call) and isinstance(e.fn, E.Ref) and e.fn.text.startswith(_EXPENSIVE)
    ]
    twice = next((c for k, c in enumerate(calls) if c in calls[:k]), None)
    if twice is None:
        return made
    name = r.names.fresh("t_bar")
    r.env[name] = r.kind(twice)
    r.emit(C.Assign((E.Name(name),), twice, r.note))

    def named(e: E.Expr) -> E.Expr:
        return E.Name(name) if e == twice else rebuild(e, named)

    def one(part: Adjoint) -> Adjoint:
        own = part.owned and (isinstance(part.expr, E.Binary) or part.expr == twice)  # no view
        return replace(part, expr=named(part.expr), owned=own, borrows=part.borrows | {name})

    return [(var, [one(part) for part in parts]) for var, parts in made]


_EXPENSIVE = ("np.linalg.", "scipy.linalg.")


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
        elif part == E.NONE and isinstance(item, Mixed):
            whole = r.residuals.reference(s.target, s.site, result=True)
            part = r.zeros(E.Index(whole, (E.Const(k),)))
        elif part == E.NONE:
            part = A.zero(item)
        parts.append(part)
    return replace(adj, expr=E.Sequence("tuple", tuple(parts)))


def without_gaps(
    r: Reverser, s: S.Bind, expr: E.Expr, kind: Kind, place: tuple[int, ...]
) -> E.Expr:
    """The adjoint of a result with zeros where the item at `place`, or an item of that, has none:
    for functions of the user's, which calculate with all of them."""
    if expr == E.NONE and place and is_differentiable(kind):
        if isinstance(kind, Scalar):
            return A.zero(kind)
        value = r.residuals.reference(s.target, s.site, result=True)
        for k in place:
            value = E.Index(value, (E.Const(k),))
        if isinstance(kind, Array):
            return A.zeros(kind, E.Attribute(value, "shape"))
        return r.zeros(value, kind)
    if isinstance(expr, E.Sequence) and isinstance(kind, TupleOf):
        items = (without_gaps(r, s, e, k, (*place, i))
                 for i, (e, k) in enumerate(zip(expr.items, kind.items, strict=True)))  # fmt: skip
        return replace(expr, items=tuple(items))
    return expr


def merged(parts: list[Adjoint]) -> list[Adjoint]:
    """Two equal contributions (as from `u * u`) as one, twice as large."""
    if len(parts) == 2 and parts[0].expr == parts[1].expr:
        first = parts[0]
        double = E.Binary("*", E.Const(2.0), first.expr)
        return [Adjoint(double, first.kind, True, whole=first.whole)]
    return parts


# -- control flow ----------------------------------------------------------------------------------


def ends_in_raise(block: S.Block) -> bool:
    """Whether a block never gets to its end."""
    last = block[-1] if block else None
    if isinstance(last, S.If):
        return ends_in_raise(last.then) and ends_in_raise(last.orelse)
    return isinstance(last, S.Keep) and last.form == "raise"


def caught(r: Reverser, s: S.Stmt) -> bool:
    """Whether an exception may be caught before it leaves the function."""
    return r.residuals.in_parts(r.facts.structure.block[s.site])


def branch(r: Reverser, s: S.If) -> None:
    """Reverse the branch that was taken: not one that ends in an exception which leaves the
    function, because then there is no pullback."""
    ended = [ends_in_raise(b) for b in (s.then, s.orelse)]
    if any(ended) and not caught(r, s):
        if not all(ended):
            half = 1 if ended[0] else 0
            reverse_block(r, (s.site, half), s.orelse if half else s.then)
        return
    fork(
        r,
        lambda: test_of(r, s),
        lambda: reverse_block(r, (s.site, 0), s.then),
        lambda: reverse_block(r, (s.site, 1), s.orelse),
    )


def test_of(r: Reverser, s: S.If) -> E.Expr:
    """The condition in the pullback: evaluated again, or kept."""
    identity = identity_told(s.test, s, r.facts.kinds)  # what is kept of tuples may be copies
    if r.residuals.available(s.test, s.site) and not identity:
        return r.residuals.expression(s.test, s.site)
    if isinstance(s.test, E.Name) and is_immutable(r.facts.kinds.at(s.site, s.test.id)):
        return r.residuals.value(s.test.id, s.site)
    number = isinstance(s.test, E.Compare | E.Call | E.Unary)
    number = number or is_immutable(r.facts.kinds.expr(s.site, s.test))
    if number and asks_only_fixed(s.test):
        return r.residuals.kept("condition", s.test, s.site)
    # What is no number may be something else by then; what it was as a condition is a number.
    return r.residuals.kept("condition", as_truth(s.test), s.site)


def loop(r: Reverser, s: S.For | S.While) -> None:
    """Reverse a loop. What is carried from one iteration to the next has one name throughout; which
    variables those are is found by writing the body until nothing is added."""
    touched = [v for v in touched_by(r, s) if v in r.state or r.facts.activity.active(v)]
    saved_state, saved_out = dict(r.state), list(r.out)
    carried = [v for v in touched if v in r.state]
    apart: list[str] = []  # what looks into an array that changes in the loop: copied before it
    while True:
        r.state, r.out = dict(saved_state), list(saved_out)
        r.save(apart)
        names: dict[str, str] = {}
        for v in carried:
            name = joint_name(r, v, (r.state,))
            settle(r, v, name, after=True)
            names[v] = name
        outer, r.out = r.out, []
        before = dict(r.state)
        more = iteration(r, s, names, touched)
        if not more:
            more = [v for v in before if v not in names and r.state.get(v, before[v]) != before[v]]
            if not more:
                break
            assert not {*more} & {*apart}
            apart += more
            continue
        carried += more
    body, r.out = r.out, outer
    if body:
        emit_loop(r, s, body)


def iteration(
    r: Reverser, s: S.For | S.While, names: dict[str, str], touched: list[str]
) -> list[str]:
    """Reverse the body of a loop, whose adjoints are called by these names wherever an iteration
    ends. Returns the variables among `touched` that turn out to be carried, too."""
    more: list[str] = []
    note = r.note

    def ends() -> None:
        loop_targets(r, s)
        more.extend(v for v in r.state if v in touched and v not in names)
        r.note = note
        if not more:
            finish(r, names, s)

    inside = (s.site, 1 if isinstance(s, S.While) else 0)
    reverse_block(r, inside, s.body, preceding=ends)
    return more


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
