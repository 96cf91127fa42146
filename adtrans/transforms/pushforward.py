"""The pushforward: the primal with its tangents carried along.

>>> import adtrans
>>> adtrans.jvp(lambda x: x * x, (3.0,), (1.0,))
(9.0, 6.0)

Each statement is followed (or, where it overwrites what its tangent needs, preceded) by the same
operation on tangents. Every object that carries a derivative has a tangent array, and views and
aliases of the one are views and aliases of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.loops import leaves, position
from adtrans.analyses.subscripts import is_advanced
from adtrans.analyses.tuple_slices import is_no_place
from adtrans.analyses.writes import actuals
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, TupleOf, is_differentiable
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, blocks_of, reads_of, statements, substitute, walk
from adtrans.transforms import push_lists
from adtrans.transforms.checking import guessed_without_tangent, guesses_with_tangents, real
from adtrans.transforms.evaluation import raised_in
from adtrans.transforms.fold import fold
from adtrans.transforms.forward import Forward
from adtrans.transforms.idle_reads import without_repeated
from adtrans.transforms.polish import short_names, signs
from adtrans.transforms.primitive_tangents import Tangents
from adtrans.transforms.prune import prune

NoteFor = Callable[[S.Stmt], C.Note]


@dataclass
class Pusher(Tangents):
    """Writes one pushforward."""

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
            again = any(not self.primal.apart.isdisjoint(reads_of(s)) for s in inside)
            touched = handed_on or again or any(self.touches(s) for s in inside)
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

    @cached_property
    def guessed(self) -> Mapping[int, list[C.Code]]:
        """The checks at calls whose result has no tangent."""
        return guessed_without_tangent(self.facts, self.carries)

    def touches(self, s: S.Stmt) -> bool:
        """Whether a statement has a tangent statement, or a check, beside it."""
        if s.site in self.guessed or any(d.site == s.site for d in self.doubtful):
            return True
        if isinstance(s, S.Store | S.Update):
            return self.carries(s.base)
        if isinstance(s, S.Edit) and s.op in S.CHANGES:
            return self.carries(s.base)
        if isinstance(s, S.Invoke) and self.pushes(s):
            return True
        return any(self.carries(v) for v in binds_of(s))

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
                yield from self.guessed.get(s.site, ())
                yield from guesses_with_tangents(self.facts, s.site, self.dot, self.carries)
            case S.Bind() if s.site in self.guessed:
                yield from p.flat(s)
                yield from self.guessed[s.site]
            case S.Load() if self.raises(s):
                yield from p.flat(s)
                yield C.Assign((self.dot(s.target),), E.NONE)
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

    def raises(self, s: S.Load) -> bool:
        """Whether an item of a tuple is read that cannot be."""
        kinds = self.facts.kinds
        of_tuple = self.carries(s.target) and isinstance(kinds.at(s.site, s.base), TupleOf)
        return of_tuple and is_no_place(s.items, s.site, kinds)

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

        yield from p.attempts.attempt(s, block, p.printed, p.printed_name, tangents=True)

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
                targets = (self.dot(t) if self.carries(t) else E.Name(p.nobody) for t in s.targets)
                yield C.Assign(tuple(targets), given)
            case S.Bind() if self.carries(s.target):
                value = (
                    self.dot(s.value.id)
                    if isinstance(s.value, E.Name) and self.carries(s.value)
                    else self.nothing(s)
                )
                yield C.Assign((self.dot(s.target),), value)
            case _:
                return

    def nothing(self, s: S.Bind) -> E.Expr:
        """The tangent of what is bound, where that does not vary."""
        none = s.value == E.NONE and self.facts.kinds.may_be_none(s.target)
        return E.NONE if none else self.zero_of(s.target)

    def list_item(self, e: E.Expr) -> E.Expr:
        return push_lists.item(self, e)

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
        target = E.Name(p.nobody if s.target is None else p.printed_name(s.target))
        carried = s.target is not None and self.carries(s.target)
        dot = self.dot(s.target) if s.target is not None and carried else E.Name(p.nobody)
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
            if leaf.source is None or not self.carries(leaf.source):  # it varies elsewhere only
                dot = self.zero_like(v, E.Name(p.printed_name(v)))
            else:
                assert isinstance(leaf.value, E.Index)
                at = {position(s): k, leaf.source: self.dot(leaf.source)}
                dot = p.printed(substitute(leaf.value, at))
            start.append(C.Assign((self.dot(v),), dot))
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


def named_tangents(fn: S.Function) -> dict[str, str]:
    """The names of the tangents of the parameters, which nothing else in the function has: neither
    what the user wrote nor what is taken from there, such as the variables of comprehensions."""
    params = [p.name for p in fn.params]
    bound = (v for s in statements(fn.body) for v in binds_of(s))
    names = NameAllocator(fn.reserved.union(params, bound))
    return {p: names.fresh(f"{p}_dot") for p in params}


def pushforward(
    facts: Facts, unit: Unit, note_for: NoteFor, roots: frozenset[str], guarded: bool = False
) -> C.Def:
    """`f_pushforward(primals..., tangents...)`, returning (result, tangent of the result).

    `guarded`: exceptions of the function may be caught by who calls it.
    """
    del note_for
    bound = {facts.fn.source_name(v) for v in facts.definitions.sites}
    names = NameAllocator(facts.fn.reserved | roots | bound | {p.name for p in facts.fn.params})
    names.reserve(unit.tangents.values())
    w = Pusher(facts, names, Forward(facts, names, ()), guarded=int(guarded))
    w.dots.update({p.name: unit.tangents[p.name] for p in facts.fn.params})
    active = [p.name for p in facts.fn.params if p.name in facts.wrt or p.name in facts.finals]
    params = [S.Param(w.dot(p).id, "keyword") for p in active]
    assert bound.isdisjoint(p.name for p in params), "a variable has the name of a tangent"
    body = [*w.block(facts.fn.body)]
    extra = [
        C.Assign((w.dot(p.name),), w.zero_of(p.name))
        for p in facts.fn.params
        if p.name not in active and w.carries(p.name)
    ]
    if w.by_memory:
        extra.insert(0, C.Assign((E.Name(w.by_memory),), E.Call(E.Ref("dict", dict), ())))
    reserved = facts.fn.reserved | {w.dot(p).id for p in active}
    dots = set(w.dots.values())
    # what only decides, as in `x * x > 1.0`, has a tangent that nothing reads
    code = prune((*extra, *body), lambda c: c.bound <= dots and _only_computes(c.value))
    code = fold(
        code,
        lambda n: n not in reserved,
        lambda a, b: a in dots and b not in dots,  # writing a tangent changes no primal
        raised_in(facts, w.dots),
    )
    code = without_repeated(code)
    (code,) = short_names((signs(code, dots),), reserved | roots)
    first = facts.fn.params
    return C.Def(unit.pushforward, (*first, *params), code)


def _only_computes(e: E.Expr) -> bool:
    """Whether leaving out an expression leaves out nothing but its value."""
    for part in walk(e):
        match part:
            case E.Call(fn=E.Ref(value=fn)):
                module = getattr(fn, "__module__", None) or ""
                if not isinstance(fn, np.ufunc) and module.partition(".")[0] != "numpy":
                    return False
            case E.Call() | E.Verbatim():
                return False
            case _:
                pass
    return True


__all__ = ["Pusher", "is_advanced", "pushforward"]
