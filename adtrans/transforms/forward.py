"""The forward function: what the user wrote, and beside it what the pullback will need.

A statement of the user's is printed as it was written, unless a part of it has to be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby

from adtrans.analyses.checking_calls import is_generated_anyway
from adtrans.analyses.facts import Facts
from adtrans.analyses.loops import range_expr
from adtrans.analyses.objects.displays import shown
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.lower.syntax import binds_by_name
from adtrans.transforms.checking import frozen_call
from adtrans.transforms.keeping import Keeping, Kept
from adtrans.transforms.nobody import nobody_in
from adtrans.transforms.primal_statements import mentioned, operation, scatter, spliced
from adtrans.transforms.ways import Fetch


class Forward(Keeping):
    """Writes the forward function."""

    @cached_property
    def nobody(self) -> str:
        """The name for results that nobody reads."""
        return nobody_in(self.facts, self.names)

    def block(self, body: S.Block) -> Iterator[C.Code]:
        """Print a block, group by group."""
        for origin, members in groupby(body, key=lambda s: s.origin):
            group = tuple(members)
            if origin and origin not in self.spelled_out and self.intact(group):
                yield from self.original(origin, group)
            else:
                self.spelled_out.add(origin)  # what is inside its branches and loops, too
                for s in group:
                    yield from self.before.get(s.site, ())
                    yield from self.flat(s)
                    yield from self.after.get(s.site, ())

    def intact(self, group: tuple[S.Stmt, ...]) -> bool:
        """Whether the user's statement can be printed as it was written."""
        inside = list(statements(group))
        bound = [v for s in inside for v in binds_of(s)]
        if any(v in self.needed and self.is_temporary(v) for v in bound):
            return False
        written = binds_by_name(self.facts.fn.origins[group[0].origin])
        if any(v in self.needed and self.printed_name(v) not in written for v in bound):
            return False  # a variable of a generator, which the statement as it was written has not
        if not self.handed_on.isdisjoint(bound):
            return False
        if any(not self.apart.isdisjoint(reads_of(s)) for s in inside):
            return False  # `n > 0` as it was written would call the method again
        own = (self.facts.units, self.frozen, self.tests, self.counts)
        if any(s.site in of for s in inside for of in own):
            return False
        last = group[-1].site
        for k, s in enumerate(inside):
            moved: list[tuple[list[C.Code], list[S.Stmt]]] = []  # records, past these statements
            if s.site != group[0].site:
                moved.append((self.before.get(s.site, []), inside[:k]))
            if s.site != last:
                moved.append((self.after.get(s.site, []), inside[k + 1 :]))
            for records, past in moved:
                recorded = {n for c in records for n in mentioned(c)}
                at_once = records and len(group) != len(inside)
                rebound = {self.printed_name(v) for t in past for v in binds_of(t)}
                if at_once or recorded & rebound:
                    return False
                if records and any(map(self.acts, past)):
                    return False
        return True

    def acts(self, s: S.Stmt) -> bool:
        """Whether what is kept may be another value behind a statement."""
        changes = isinstance(s, S.Edit) and s.op in S.CHANGES
        own = isinstance(s, S.Store | S.Update | S.Invoke | S.SetAttr | S.Keep)
        return changes or own or bool(self.facts.memory.at(s.site))

    def original(self, origin: int, group: tuple[S.Stmt, ...]) -> Iterator[C.Code]:
        inside = list(statements(group))
        for s in inside:
            yield from self.before.get(s.site, ())
        reads = {
            self.printed_name(v) for s in inside for v in reads_of(s) if not self.is_temporary(v)
        }
        binds = {
            self.printed_name(v) for s in inside for v in binds_of(s) if not self.is_temporary(v)
        }
        yield C.Original(
            f"<{origin}>", self.facts.fn.origins[origin], tuple(sorted(reads)), tuple(sorted(binds))
        )
        for s in inside:
            yield from self.after.get(s.site, ())

    def flat(self, s: S.Stmt) -> Iterator[C.Code]:
        """One statement of the small language as Python."""

        def name(v: str) -> E.Name:
            return E.Name(self.printed_name(v))

        match s:
            case S.Bind(value=E.Call() as call) if s.site in self.frozen:
                frozen = frozen_call(call, *self.frozen[s.site])
                yield C.Assign((name(s.target),), self.printed(frozen))
            case S.Bind():
                yield C.Assign((name(s.target),), self.printed(s.value))
            case S.Load():
                yield C.Assign((name(s.target),), self.printed(E.Index(E.Name(s.base), s.items)))
            case S.Store():
                yield C.Assign(
                    (self.printed(E.Index(E.Name(s.base), s.items)),), self.printed(s.value)
                )
            case S.SetAttr(frozen=True):
                parts = (self.printed(s.base), E.Const(s.attr), self.printed(s.value))
                yield C.Do(E.Call(E.Ref("object.__setattr__", object.__setattr__), parts))
            case S.SetAttr():
                attribute = shown(self.printed(s.base), s.attr)
                yield C.Assign((attribute,), self.printed(s.value))
            case S.Update() if s.op.endswith("at"):
                yield C.Do(scatter(self.printed(E.Name(s.base)), s, self.printed))
            case S.Update():
                place: E.Expr = (
                    E.Name(s.base)
                    if s.items in (None, (E.ELLIPSIS,))
                    else E.Index(E.Name(s.base), s.items)
                )
                yield C.AugAssign(self.printed(place), s.op, self.printed(s.value))
            case S.Alias():
                if self.printed_name(s.target) != self.printed_name(s.source):
                    yield C.Assign((name(s.target),), name(s.source))
            case S.Pack():
                items = tuple(self.printed(i) for i in s.items)
                made = E.Sequence(s.kind, items) if s.cls is None else E.Call(s.cls, items)
                yield C.Assign((name(s.target),), made)
            case S.Unpack():
                targets: tuple[E.Expr, ...] = tuple(
                    E.Star(name(t)) if k == s.star else name(t) for k, t in enumerate(s.targets)
                )
                if len(targets) == 1:
                    targets = (E.Sequence("tuple", targets),)
                yield C.Assign(targets, name(s.source))
            case S.Invoke():
                yield self.call(s)
            case S.Edit():
                args = tuple(self.printed(a) for a in s.args)
                if s.op == "splice":
                    yield spliced(self.printed(E.Name(s.base)), args)
                    return
                base = self.printed(E.Name(s.base))
                value = operation(base, s.op, args)
                yield C.Do(value) if s.target is None else C.Assign((name(s.target),), value)
            case S.Keep():
                reads, binds = (
                    tuple(self.printed_name(v) for v in vs) for vs in (s.reads, s.binds)
                )
                yield C.Original(s.text, s.node, reads, binds)
            case S.If():
                yield C.Branch(
                    self.tests.get(s.site, self.printed(s.test)),
                    tuple(self.block(s.then)),
                    tuple(self.block(s.orelse)),
                )
            case S.For():
                yield from self.counting(s)
                body = (*self.count(s), *self.block(s.body))
                target = self.target(s.target)
                if s.site in self.targets:
                    target = E.Name(self.targets[s.site])
                yield C.ForEach(target, self.iterable(s.iter), body or (C.Leave("pass"),))
            case S.While():
                yield from self.counting(s)
                yield self.while_loop(s)
            case S.Try():
                yield from self.attempts.attempt(s, self.block, self.printed, self.printed_name)
            case S.Onward():
                yield from self.attempts.onward(s)
                yield from self.block(s.body)
            case S.With():
                bound = None if s.target is None else self.printed_name(s.target)
                yield from self.attempts.within(s, self.block, self.printed, bound)
            case S.Break():
                yield C.Leave("break")
            case S.Continue():
                yield C.Leave("continue")
            case S.Return():
                values = tuple(self.printed(v) for v in s.values)
                value = E.Sequence("tuple", values) if s.is_tuple else values[0]
                entries = tuple(k.entry for k in self.kept)
                yield C.Result(E.Sequence("tuple", (value, E.Sequence("tuple", entries))))

    def call(self, s: S.Invoke) -> C.Code:
        args = tuple(self.argument(a, s.site) for a in s.args)
        kwargs = tuple((k, self.argument(v, s.site)) for k, v in s.kwargs)
        unit = self.facts.units.get(s.site)
        if unit is None or s.site not in self.calls:
            if unit is not None and is_generated_anyway(s, self.facts):
                first = E.Index(E.Call(E.Ref(unit.forward, None), args, kwargs), (E.Const(0),))
                name = self.nobody if s.target is None else self.printed_name(s.target)
                return C.Assign((E.Name(name),), first)
            if isinstance(s.fn, E.Attribute):
                args = args[1:]  # the object is the first argument of its method
            value = E.Call(self.printed(s.fn), args, kwargs)
            if s.site in self.frozen:
                value = frozen_call(value, *self.frozen[s.site])
            if s.target is None:
                return C.Do(value)
            return C.Assign((E.Name(self.printed_name(s.target)),), value)
        value = E.Call(E.Ref(unit.forward, None), args, kwargs)
        target = E.Name(self.nobody if s.target is None else self.printed_name(s.target))
        return C.Assign((target, E.Name(self.calls[s.site])), value)

    def argument(self, a: E.Atom, site: int) -> E.Expr:
        """An argument, copied where the callee's pullback needs what is overwritten later."""
        value = self.printed(a)
        if isinstance(a, E.Name) and (site, a.id, True) in self.facts.saved:
            return E.Call(E.Attribute(value, "copy"), ())
        return value

    def counting(self, s: S.For | S.While) -> Iterator[C.Code]:
        if s.site in self.counts:
            yield C.Assign((E.Name(self.counts[s.site]),), E.Const(0))

    def count(self, s: S.For | S.While) -> Iterator[C.Code]:
        if s.site in self.counts:
            yield C.AugAssign(E.Name(self.counts[s.site]), "+", E.Const(1))

    def while_loop(self, s: S.While) -> C.Code:
        body = (*self.count(s), *self.block(s.body))
        if not s.head:
            return C.Loop(self.printed(s.test), body or (C.Leave("pass"),))
        head = tuple(self.block(s.head))
        done = C.Branch(E.Unary("not", self.printed(s.test)), (C.Leave("break"),))
        return C.Loop(E.Const(True), (*head, done, *body))

    def target(self, t: S.Target) -> E.Expr:
        if isinstance(t, str):
            return E.Name(self.printed_name(t))
        return E.Sequence("tuple", tuple(self.target(x) for x in t))

    def iterable(self, it: S.Iter) -> E.Expr:
        match it:
            case S.Range():
                return self.printed(range_expr(it))
            case S.Elements():
                return E.Name(self.printed_name(it.source))
            case S.Enumerate():
                extra = () if it.start == E.Const(0) else (self.printed(it.start),)
                return E.Call(E.Ref("enumerate", enumerate), (self.iterable(it.inner), *extra))
            case S.Zip():
                words = (("strict", E.Const(True)),) if it.strict else ()
                return E.Call(E.Ref("zip", zip), tuple(self.iterable(i) for i in it.inners), words)
            case S.Reversed():
                return E.Call(E.Ref("reversed", reversed), (self.iterable(it.inner),))


def forward_body(
    facts: Facts, names: NameAllocator, fetches: tuple[Fetch, ...]
) -> tuple[C.Body, tuple[Kept, ...]]:
    """The statements of the forward function, and the residuals in the order of the tuple."""
    w = Forward(facts, names, fetches)
    w.plan()
    body = tuple(w.block(facts.fn.body))
    return (*w.start, *body), tuple(w.kept)


__all__ = ["Forward", "Kept", "forward_body"]
