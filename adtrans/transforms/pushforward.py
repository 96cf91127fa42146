"""The pushforward: the primal with its tangents carried along.

>>> import adtrans
>>> adtrans.jvp(lambda x: x * x, (3.0,), (1.0,))
(9.0, 6.0)

Each statement is followed (or, where it overwrites what its tangent needs, preceded) by the same
operation on tangents. Every object that carries a derivative has a tangent array, and views and
aliases of the one are views and aliases of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import Application
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.loops import leaves, position
from adtrans.analyses.memory import actuals, is_advanced
from adtrans.analyses.reality import Doubt, doubts
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    Kind,
    Known,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
)
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, blocks_of, names_in, statements, substitute, walk
from adtrans.transforms import push_lists, tuples
from adtrans.transforms.adjoints import same_shape
from adtrans.transforms.checking import guesses_with_tangents, real
from adtrans.transforms.fold import fold
from adtrans.transforms.forward import Forward
from adtrans.transforms.fresh import is_fresh
from adtrans.transforms.polish import short_names, signs
from adtrans.transforms.simplify import simplify
from adtrans.transforms.spelled import scatter

NoteFor = Callable[[S.Stmt], C.Note]


@dataclass
class Pusher:
    """Writes one pushforward."""

    facts: Facts
    names: NameAllocator
    primal: Forward
    dots: dict[str, str] = field(default_factory=dict)
    guarded: int = 0  # the `try` statements around, whose handlers see what was done before
    doubtful: tuple[Doubt, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.doubtful = doubts(self.facts)

    def dot(self, var: str) -> E.Name:
        """The tangent of a variable."""
        name = self.facts.fn.source_name(var)
        if name not in self.dots:
            self.dots[name] = self.names.fresh(f"{name}_dot")
        return E.Name(self.dots[name])

    def carries(self, e: E.Expr | str) -> bool:
        """Whether a variable has a tangent."""
        name = e if isinstance(e, str) else e.id if isinstance(e, E.Name) else None
        act = self.facts.activity
        if name is None or name not in act.varied:
            return False
        # What nothing is known of has no tangent; it is refused where somebody wants one.
        return name in act.useful or not isinstance(self.facts.kinds.var(name), Unknown)

    def zero_of(self, var: str) -> E.Expr:
        """A zero tangent for the value that `var` has now."""
        return zero(self.facts.kinds.var(var), E.Name(self.primal.printed_name(var)))

    def zero_like(self, var: str, value: E.Expr) -> E.Expr:
        """A zero tangent for a variable that is about to be bound to `value`."""
        return zero(self.facts.kinds.var(var), value)

    def tangent(self, e: E.Expr) -> E.Expr:
        """The tangent of an atom, zero where it carries none."""
        return self.dot(e.id) if isinstance(e, E.Name) and self.carries(e) else E.Const(0.0)

    # -- statements --------------------------------------------------------------------------------

    def block(self, body: S.Block) -> Iterator[C.Code]:
        """A block with its tangent statements."""
        groups: list[list[S.Stmt]] = []
        for s in body:
            if s.origin and groups and groups[-1][-1].origin == s.origin:
                groups[-1].append(s)
            else:
                groups.append([s])
        for group in groups:
            inside = list(statements(tuple(group)))
            handed_on = any(v in self.primal.handed_on for s in inside for v in binds_of(s))
            touched = handed_on or any(self.touches(s) for s in inside)
            origin, spelled_out = group[0].origin, self.primal.spelled_out
            if origin and origin not in spelled_out and not touched:
                yield from self.primal.original(origin, tuple(group))
                continue
            spelled_out.add(origin)
            for s in group:
                about = [d for d in self.doubtful if d.site == s.site]
                yield from (real(d, self.facts) for d in about if not d.after)
                yield from self.statement(s)
                yield from (real(d, self.facts) for d in about if d.after)

    def touches(self, s: S.Stmt) -> bool:
        """Whether a statement has a tangent statement, or a check, beside it."""
        if any(d.site == s.site for d in self.doubtful):
            return True
        if isinstance(s, S.Store | S.Update):
            return self.carries(s.base)
        if isinstance(s, S.Edit) and s.op in S.CHANGES:
            return self.carries(s.base)
        if isinstance(s, S.Invoke) and self.pushes(s):
            return True
        return any(self.carries(v) for v in binds_of(s))

    def pushes(self, s: S.Invoke) -> bool:
        """Whether a call becomes one of the callee's pushforward."""
        if s.site not in self.facts.units:
            return False
        summary = self.facts.units[s.site].summary
        return bool(summary.active) and (summary.result_active or bool(summary.finals))

    def statement(self, s: S.Stmt) -> Iterator[C.Code]:
        """One statement and its tangent."""
        p = self.primal
        match s:
            case S.If():
                yield C.Branch(
                    p.printed(s.test), tuple(self.block(s.then)), tuple(self.block(s.orelse))
                )
            case S.For():
                yield from self.loop(s)
            case S.While():
                yield self.while_loop(s)
            case S.Try():
                yield from self.attempt(s)
            case S.Onward():
                yield from p.attempts.onward(s)
                yield from self.block(s.body)
            case S.With():
                target = None if s.target is None else p.printed_name(s.target)
                yield C.Within(p.printed(s.context), target, tuple(self.block(s.body)))
            case S.Return():
                values = tuple(p.printed(v) for v in s.values)
                dots = tuple(self.result_tangent(v) for v in s.values)
                value = E.Sequence("tuple", values) if s.is_tuple else values[0]
                dot = E.Sequence("tuple", dots) if s.is_tuple else dots[0]
                yield C.Result(E.Sequence("tuple", (value, dot)))
            case S.Invoke() if self.pushes(s):
                yield self.call(s)
            case S.Update() if self.carries(s.base):
                yield from self.update(s)
                yield from p.flat(s)
            case S.Bind() if self.carries(s.target) and s.site in self.facts.apps:
                yield from self.bind(s, self.facts.apps[s.site])
                yield from guesses_with_tangents(
                    self.facts, s.site, self.dot, self.carries
                )
            case S.Invoke() | S.Keep():  # what it binds does not vary, whatever was there before
                yield from p.flat(s)
                for v in binds_of(s):
                    if self.carries(v):
                        yield C.Assign((self.dot(v),), self.zero_of(v))
            case _:
                before = list(self.simple(s))
                late = isinstance(s, S.Bind | S.Edit)
                late &= not (isinstance(s, S.Edit) and push_lists.reads_operands(self, s))
                late = late or (isinstance(s, S.Store) and bool(self.guarded))
                if not late:
                    yield from before
                yield from p.flat(s)
                if late:
                    yield from before

    def attempt(self, s: S.Try) -> Iterator[C.Code]:
        """A `try` statement: primal and tangent are interrupted at the same place."""
        p = self.primal
        body = blocks_of(s)[:1] if s.handlers else ()

        def block(b: S.Block) -> tuple[C.Code, ...]:
            inside = b in body
            self.guarded += inside
            code = tuple(self.block(b))
            self.guarded -= inside
            return code

        yield from p.attempts.attempt(s, block, p.printed, p.printed_name, "arithmetic")

    def result_tangent(self, v: E.Expr) -> E.Expr:
        """The tangent of a part of a result, of the shape of the part."""
        if isinstance(v, E.Name) and not self.carries(v):
            kind = self.facts.kinds.var(v.id)
            if isinstance(kind, Container):  # what an empty list holds later may vary
                return self.zero_of(v.id)
            if isinstance(kind, Array | TupleOf):
                return self.zero_of(v.id) if is_differentiable(kind) else E.NONE
        return self.tangent(v)

    def simple(self, s: S.Stmt) -> Iterator[C.Code]:
        """The tangent of a statement that needs no value of the primal but indices."""
        p = self.primal
        match s:
            case S.Load() if self.carries(s.target) and not self.carries(s.base):
                part = p.printed(E.Index(E.Name(s.base), s.items))
                yield C.Assign((self.dot(s.target),), self.zero_like(s.target, part))
            case S.Load() if self.carries(s.target):
                yield C.Assign((self.dot(s.target),), p.printed(self.index(s.base, s.items)))
            case S.Store() if self.touches(s):
                target = p.printed(self.index(s.base, s.items))
                value = self.spread(s)
                yield C.Assign((target,), value)
            case S.Alias() if self.carries(s.target) and not self.carries(s.source):
                yield C.Assign(
                    (self.dot(s.target),), self.zero_like(s.target, p.printed(E.Name(s.source)))
                )
            case S.Alias() if self.carries(s.target):
                if self.dot(s.target) != self.dot(s.source):
                    yield C.Assign((self.dot(s.target),), self.dot(s.source))
            case S.Edit():
                yield from push_lists.edit(self, s)
            case S.Pack() if self.carries(s.target):
                tangent = self.result_tangent if s.kind == "tuple" else self.list_item
                dots = E.Sequence(s.kind, tuple(tangent(i) for i in s.items))
                yield C.Assign((self.dot(s.target),), dots)
            case S.Unpack() if not self.carries(s.source):
                for k, t in enumerate(s.targets):
                    if self.carries(t):
                        item = E.Index(p.printed(E.Name(s.source)), (E.Const(k),))
                        yield C.Assign((self.dot(t),), self.zero_like(t, item))
            case S.Unpack() if any(self.carries(t) for t in s.targets):
                given: E.Expr = self.dot(s.source)
                if len(s.targets) == 1:
                    given = E.Index(given, (E.Const(0),))
                targets = (self.dot(t) if self.carries(t) else E.Name("_") for t in s.targets)
                yield C.Assign(tuple(targets), given)
            case S.Bind() if self.carries(s.target):
                value = (
                    self.dot(s.value.id)
                    if isinstance(s.value, E.Name) and self.carries(s.value)
                    else self.zero_of(s.target)
                )
                yield C.Assign((self.dot(s.target),), value)
            case _:
                return

    def list_item(self, e: E.Expr) -> E.Expr:
        return push_lists.item(self, e)

    def spread(self, s: S.Store) -> E.Expr:
        """The tangent of what is stored."""
        if isinstance(self.facts.kinds.at(s.site, s.base), Container):
            return push_lists.item(self, s.value)
        return self.tangent(s.value)

    def index(self, base: str, items: tuple[E.Expr, ...]) -> E.Expr:
        return E.Index(self.dot(base), items)

    def bind(self, s: S.Bind, app: Application) -> Iterator[C.Code]:
        """A primitive: the primal value, then the sum of what the operands contribute."""
        parts = [self.contribution(s, app, o, e) for o, e in app.operands() if self.carries(e)]
        total: E.Expr | None = None
        for part, _ in parts:
            total = part if total is None else app.rule.added(total, part, app.bound)
        alike = len(parts) == 2 and parts[0][0] == parts[1][0]
        if alike and not app.rule.gives_tuple(app.bound):
            total = E.Binary("*", E.Const(2.0), parts[0][0])  # as from `u * u`
        own = E.Name(self.primal.printed_name(s.target))
        new = own.id + "#new"
        if total is None:
            yield from self.primal.flat(s)
            yield C.Assign((self.dot(s.target),), self.zero_of(s.target))
            return
        kinds = self.facts.kinds
        result = kinds.bounds(s.site).get(s.target, kinds.var(s.target))
        total = self.widened(simplify(total), parts, result, s)
        total = self.apart(total, app, s)
        reads_old = own.id in names_in(total)
        if not reads_old:
            yield from self.primal.flat(s)
            yield self.apart_from_primal((self.dot(s.target),), substitute(total, {new: own}))
        elif new not in names_in(total) and not self.guarded:
            yield C.Assign((self.dot(s.target),), total)
            yield from self.primal.flat(s)
        else:
            fresh = E.Name(self.names.fresh("t"))
            yield C.Assign((fresh,), self.primal.printed(s.value))
            yield self.apart_from_primal((self.dot(s.target),), substitute(total, {new: fresh}))
            yield C.Assign((own,), fresh)

    def apart_from_primal(self, targets: tuple[E.Expr, ...], total: E.Expr) -> C.Code:
        """A tangent statement; what may go wrong in it is kept from the handlers of the primal."""
        statement = C.Assign(targets, total)
        if self.guarded and any(
            isinstance(e, E.Call) or (isinstance(e, E.Binary) and e.op not in ("+", "-", "*"))
            for e in walk(total)
        ):
            manager = E.Call(E.Ref("derivative", runtime.derivative), ())
            return C.Within(manager, None, (statement,))
        return statement

    def apart(self, total: E.Expr, app: Application, s: S.Bind) -> E.Expr:
        """The tangent of a new array in its own memory, where any of this is written in place."""
        mem = self.facts.memory
        if (
            app.result != "fresh"
            or is_fresh(total)
            or isinstance(self.facts.kinds.var(s.target), Scalar)
        ):
            return total
        touched = mem.objects(s.target).union(*(mem.of(e) for _, e in app.operands()))
        both = {(o.form, o.key) for o in touched} & {(o.form, o.key) for o in mem.written}
        if not both:
            return total
        if app.rule.gives_tuple(app.bound):
            return E.Call(E.Ref("duplicate", runtime.duplicate), (total,))
        return E.Call(E.Ref("np.copy", np.copy), (total,))

    def widened(
        self, total: E.Expr, parts: list[tuple[E.Expr, frozenset[str]]], result: Kind, s: S.Bind
    ) -> E.Expr:
        """A tangent whose operands are smaller than the result, in full."""
        app = self.facts.apps[s.site]
        if not isinstance(result, Array) or app.rule.form not in ("elementwise",):
            return total
        for _, e in app.operands():
            if self.carries(e) and same_shape(self.facts.kinds.expr(s.site, e), result):
                return total
        if any("y" in values for _, values in parts):
            return total
        own = E.Name(self.primal.printed_name(s.target) + "#new")
        return E.Binary("+", total, E.Call(E.Ref("np.zeros_like", np.zeros_like), (own,)))

    def contribution(
        self, s: S.Bind, app: Application, operand: object, e: E.Expr
    ) -> tuple[E.Expr, frozenset[str]]:
        kinds = self.facts.kinds
        given = app.kinds(lambda x: kinds.expr(s.site, x))
        given["y"] = kinds.bounds(s.site).get(s.target, kinds.var(s.target))
        f = app.rule.pushforward(operand, app.bound, given)  # type: ignore[arg-type]  # a name or (name, number)
        by: dict[str, E.Expr] = {"y": E.Name(self.primal.printed_name(s.target) + "#new")}
        for n in names_in(f.expr):
            if n == "dot" or n == _dot_name(operand):
                by[n] = self.tangent(e)
            elif n.endswith("_dot") and n[:-4] in app.bound:
                by[n] = self.tangent(app.bound[n[:-4]])
            elif n in app.bound:
                by[n] = self.primal.printed(app.bound[n])
        return simplify(substitute(f.expr, by)), f.values | (
            frozenset({"y"}) if "y" in names_in(f.expr) else frozenset()
        )

    def update(self, s: S.Update) -> Iterator[C.Code]:
        """`base op= value` in place, before the primal."""
        p = self.primal
        if s.op.endswith("at"):
            if self.carries(s.value):
                yield C.Do(scatter(self.dot(s.base), s, p.printed, self.tangent(s.value)))
            return
        target = (
            self.dot(s.base)
            if s.items in (None, (E.ELLIPSIS,))
            else self.index(s.base, s.items or ())
        )
        target = p.printed(target)
        value, dot = p.printed(s.value), self.tangent(s.value)
        if s.op in "+-":
            if dot != E.Const(0.0):
                yield C.AugAssign(target, s.op, dot)
            return
        old: E.Expr = (
            E.Name(s.base) if s.items in (None, (E.ELLIPSIS,)) else E.Index(E.Name(s.base), s.items)
        )
        old = p.printed(old)
        if dot == E.Const(0.0):
            yield C.AugAssign(target, s.op, value)
            return
        place = E.Index(target, (E.ELLIPSIS,)) if isinstance(target, E.Name) else target
        scaled = E.Binary(s.op, target, value)
        if s.op == "*":
            new = E.Binary("+", scaled, E.Binary("*", old, dot))
        else:
            lost = E.Binary("/", E.Binary("*", old, dot), E.Binary("*", value, value))
            new = E.Binary("-", scaled, lost)
        yield C.Assign((place,), new)  # at once: operand and target may overlap

    def call(self, s: S.Invoke) -> C.Code:
        """A call becomes a call of the callee's pushforward."""
        p, unit = self.primal, self.facts.units[s.site]
        given = actuals(s, unit.summary)
        args = tuple(p.printed(a) for a in s.args)
        kwargs = tuple((k, p.printed(v)) for k, v in s.kwargs)
        dots: list[tuple[str, E.Expr]] = []
        for name in unit.summary.params:
            if name in unit.summary.active:
                a = given.get(name, E.NONE)
                carried = isinstance(a, E.Name) and self.carries(a)
                zero = self.zero_of(a.id) if isinstance(a, E.Name) else E.Const(0.0)
                seed = self.dot(a.id) if carried and isinstance(a, E.Name) else zero
                dots.append((unit.tangents[name], seed))
        value = E.Call(E.Ref(unit.pushforward, None), args, (*kwargs, *dots))
        target = E.Name("_" if s.target is None else p.printed_name(s.target))
        dot = self.dot(s.target) if s.target is not None and self.carries(s.target) else E.Name("_")
        return C.Assign((target, dot), value)

    def loop(self, s: S.For) -> Iterator[C.Code]:
        """A `for` loop; what it takes from an active array takes its tangent along."""
        p = self.primal
        active = [v for v in binds_of(s) if self.carries(v)]
        if not active:
            yield C.ForEach(
                p.target(s.target),
                p.iterable(s.iter),
                tuple(self.block(s.body)) or (C.Leave("pass"),),
            )
            return
        k = E.Name(self.names.fresh("k"))
        known = leaves(s, self.facts.kinds)
        start: list[C.Code] = []
        for v in active:
            leaf = known[v]
            assert isinstance(leaf.value, E.Index) and leaf.source is not None
            at = substitute(leaf.value, {position(s): k, leaf.source: self.dot(leaf.source)})
            start.append(C.Assign((self.dot(v),), p.printed(at)))
        counted = E.Call(E.Ref("enumerate", enumerate), (p.iterable(s.iter),))
        target = E.Sequence("tuple", (k, p.target(s.target)))
        yield C.ForEach(target, counted, (*start, *self.block(s.body)))

    def while_loop(self, s: S.While) -> C.Code:
        p = self.primal
        body = tuple(self.block(s.body)) or (C.Leave("pass"),)
        if not s.head:
            return C.Loop(p.printed(s.test), body)
        done = C.Branch(E.Unary("not", p.printed(s.test)), (C.Leave("break"),))
        return C.Loop(E.Const(True), (*self.block(s.head), done, *body))


def _dot_name(operand: object) -> str:
    return f"{operand}_dot" if isinstance(operand, str) else f"{operand[0]}[{operand[1]}]_dot"  # type: ignore[index]  # (name, number)


def pushforward(
    facts: Facts, unit: Unit, note_for: NoteFor, roots: frozenset[str], guarded: bool = False
) -> C.Def:
    """`f_pushforward(primals..., tangents...)`, returning (result, tangent of the result).

    `guarded`: exceptions of the function may be caught by who calls it.
    """
    del note_for
    taken = facts.fn.reserved | roots | {facts.fn.source_name(v) for v in facts.definitions.sites}
    names = NameAllocator(taken | {p.name for p in facts.fn.params})
    names.reserve(unit.tangents.values())
    w = Pusher(facts, names, Forward(facts, names, ()), guarded=int(guarded))
    w.dots.update({p.name: unit.tangents[p.name] for p in facts.fn.params})
    active = [p.name for p in facts.fn.params if p.name in facts.wrt or p.name in facts.finals]
    params = [S.Param(w.dot(p).id, "keyword") for p in active]
    body = [*w.block(facts.fn.body)]
    extra = [
        C.Assign((w.dot(p.name),), w.zero_of(p.name))
        for p in facts.fn.params
        if p.name not in active and w.carries(p.name)
    ]
    reserved = facts.fn.reserved | {w.dot(p).id for p in active}
    dots = set(w.dots.values())
    code = fold(
        (*extra, *body),
        lambda n: n not in reserved,
        lambda a, b: a in dots and b not in dots,  # writing a tangent changes no primal
    )
    (code,) = short_names((signs(code, dots),), reserved | roots)
    first = facts.fn.params
    return C.Def(unit.pushforward, (*first, *params), code)


__all__ = ["Pusher", "is_advanced", "pushforward"]


def zero(kind: Kind, value: E.Expr) -> E.Expr:
    """A zero tangent for `value`, in its own memory.

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> print(zero(TupleOf((PY_FLOAT, Array("float64", None))), E.Name("t")))
    (0.0, np.zeros_like(t[1]))
    """
    if isinstance(kind, TupleOf):
        items = (zero(k, tuples.part(value, i)) for i, k in enumerate(kind.items))
        return E.Sequence("tuple", tuple(items))
    if isinstance(kind, Scalar):
        return E.Const(0.0)
    if isinstance(kind, Known):
        return E.NONE
    if isinstance(kind, Container):
        return E.Call(E.Ref("zeros_of", runtime.zeros_of), (value,))
    return E.Call(E.Ref("np.zeros_like", np.zeros_like), (value,))
