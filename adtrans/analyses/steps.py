"""Divides the body of a `try` into steps, so that the pullback can tell which of them were done.

    try:                          try:
        y = x[0] / x[1]               y = x[0] / x[1]
        s = s + y           =>        s = s + y
        s = s * g(y)                  onward
    except ValueError:                s = s * g(y)
        s = -s                    except ValueError:
                                      s = -s

Where an exception interrupts a step, nothing that the step has done so far may matter afterwards.
So a step begins with each statement that may raise while an earlier one of the same step has bound
or written something that is still looked at: here `s`, but not `y`, which no handler reads.

A statement that may be left half done, such as a loop or a call of a function that writes its
argument, is the first of a step of its own, marked as `partial`: where that carries a derivative,
the function is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from adtrans.analyses.abstract import Objects
from adtrans.analyses.apply import Application, applications
from adtrans.analyses.behind import final_contents_of
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness, liveness
from adtrans.analyses.points_to import Memory, memory
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, Known, ListOf, Scalar, TupleOf, is_differentiable
from adtrans.ir.walk import binds_of, blocks_of, map_blocks, names_in, reads_of, statements


def has_handlers(fn: S.Function) -> bool:
    """Whether an exception may be caught in `fn`."""
    return any(isinstance(s, S.Try) and s.handlers for s in statements(fn.body))


def onwards(s: S.Try) -> Iterator[S.Onward]:
    """The steps of a body after the first."""
    block = s.body
    while block and isinstance(block[-1], S.Onward):
        yield block[-1]
        block = block[-1].body


def steps(fn: S.Function, kinds: Kinds, summaries: Mapping[int, Summary]) -> S.Function:
    """`fn` with the bodies of its `try` statements as chains of steps."""
    number = max((s.site for s in statements(fn.body)), default=0)
    looked_at = after_exceptions(fn, kinds, summaries)

    def fresh() -> int:
        nonlocal number
        number += 1
        return number

    def block(b: S.Block) -> S.Block:
        return tuple(map(one, b))

    def one(s: S.Stmt) -> S.Stmt:
        s = map_blocks(s, block)
        if not isinstance(s, S.Try) or not s.handlers:
            return s
        return replace(s, body=_chain(s.body, looked_at(s), fresh))

    return replace(fn, body=block(fn.body))


def after_exceptions(
    fn: S.Function, kinds: Kinds, summaries: Mapping[int, Summary]
) -> Callable[[S.Try], Looked]:
    """What is looked at after an exception in the body of a `try` statement."""
    apps = applications(fn, kinds)
    mem = memory(fn, kinds, apps, summaries)
    live = liveness(fn)
    unsure = unsure_names(fn, live)

    def looked_at(s: S.Try) -> Looked:
        after = live.head.get(s.site, frozenset())
        reach = frozenset(_reachable(mem, after))
        return Looked(kinds, apps, mem, summaries, after, reach, unsure)

    return looked_at


def unsure_names(fn: S.Function, live: Liveness) -> frozenset[str]:
    """The variables that may be unbound where they are read."""
    deleted = {v for s in statements(fn.body) if isinstance(s, S.Keep) for v in s.unbinds}
    return live.into[fn.body[0].site] - {p.name for p in fn.params} | deleted


def _reachable(mem: Memory, live: frozenset[str]) -> set[tuple[str, str]]:
    return {(o.form, o.key) for v in live for o in mem.objects(v)}


@dataclass(frozen=True)
class Looked:
    """What is still looked at after an exception: the variables `live`, and the objects in `reach`,
    parameters and globals. `unsure`: variables that may be unbound where they are read."""

    kinds: Kinds
    apps: Mapping[int, Application]
    mem: Memory
    summaries: Mapping[int, Summary]
    live: frozenset[str]
    reach: frozenset[tuple[str, str]]
    unsure: frozenset[str]

    def seen(self, s: S.Stmt) -> bool:
        """Whether `s` itself binds or writes something that is looked at."""
        if any(v in self.live and self.carries(v) for v in binds_of(s)):
            return True
        return self.fills(s) or any(
            self.carries(w.var) and self.reaches(w.objects) for w in self.mem.at(s.site)
        )

    def fills(self, s: S.Stmt) -> bool:
        """Whether `s` calls a function of the user's that writes what is looked at, and is not
        followed: the statement behind it stores what it has written."""
        into = final_contents_of(self.apps.get(s.site))
        if not isinstance(into, E.Name):
            return False
        return self.carries(into.id) and self.reaches(self.mem.objects(into.id))

    def reaches(self, objects: Objects) -> bool:
        return any(o.form != "site" or (o.form, o.key) in self.reach for o in objects)

    def carries(self, var: str) -> bool:
        return is_differentiable(self.kinds.var(var))

    def partial(self, s: S.Stmt) -> bool:
        """Whether an exception may leave `s` half done."""
        inside = blocks_of(s)
        if inside:
            if isinstance(s, S.Try) and any(self.seen(t) for t in statements(s.final)):
                return True  # an exception goes through what `finally` does
            done = False
            repeated = isinstance(s, S.For | S.While)
            for t in [t for b in inside for t in statements(b)]:
                if not blocks_of(t):
                    if (done and self.may_raise(t)) or self.partial(t):
                        return True
                    done = done or self.seen(t)
                elif done:
                    return True
            return done and repeated
        if not self.seen(s):
            return False
        if self.fills(s):
            return True
        match s:
            case S.Invoke():
                summary = self.summaries.get(s.site)
                known = summary is not None and not summary.fills and not summary.written()
                return bool(self.mem.at(s.site)) and not known
            case S.Bind(value=E.Call()):
                return bool(self.mem.at(s.site))
            case S.Update():  # NumPy may raise when it has written
                return not isinstance(self.kinds.at(s.site, s.base), Scalar)
            case S.Store():
                base = self.kinds.at(s.site, s.base)
                into = E.Const(Ellipsis) in s.items  # as of `out=`, where NumPy may raise later
                return into or not (isinstance(base, Array) and base.dtype == "float64")
            case _:
                return False

    def may_raise(self, s: S.Stmt) -> bool:
        """Whether anything can go wrong in `s` itself."""
        match s:
            case S.Onward() | S.Break() | S.Continue():
                return False
            case S.Alias() | S.Pack() | S.Bind(value=E.Const() | E.Name() | E.Ref()):
                return not reads_of(s).isdisjoint(self.unsure)
            case S.Keep(text="pass"):
                return False
            case S.If(test=E.Const()):
                tests: set[str] = set()
            case S.If(test=E.Name() | E.Unary(op="not", operand=E.Name()) as test):
                tests = names_in(test)
            case _:
                return True
        if any(v in self.unsure or not self.is_asked(v) for v in tests):
            return True
        return any(self.may_raise(t) for b in blocks_of(s) for t in b)

    def is_asked(self, var: str) -> bool:
        """Whether it is known that a value tells whether it counts as true."""
        kind = self.kinds.var(var)
        return isinstance(kind, Scalar | TupleOf | ListOf | DictOf | Known)


def _chain(body: S.Block, looked: Looked, fresh: Callable[[], int]) -> S.Block:
    """The statements of a body, each step nested in the one before."""
    parts: list[list[S.Stmt]] = [[]]
    partials = [False]
    done = False
    for s in body:
        partial = looked.partial(s)
        if parts[-1] and (partial or (done and looked.may_raise(s))):
            parts.append([])
            partials.append(partial)
            done = False
        elif partial:
            partials[-1] = True
        parts[-1].append(s)
        done = done or any(looked.seen(t) for t in statements((s,)))
    if partials[0]:  # what precedes the first step is nothing
        parts.insert(0, [])
        partials.insert(0, False)
    origins = [{t.origin for t in statements(tuple(p))} - {0} for p in parts]
    split = {o for k, here in enumerate(origins) for o in here if any(o in x for x in origins[:k])}
    chain: S.Block = ()
    for k in reversed(range(len(parts))):
        inside = tuple(_without_origin(s, split) for s in parts[k])
        if k == 0:
            return (*inside, *chain)
        span = parts[k][0].span
        chain = (S.Onward((*inside, *chain), partials[k], site=fresh(), span=span),)
    return chain


def _without_origin(s: S.Stmt, split: set[int]) -> S.Stmt:
    s = map_blocks(s, lambda b: tuple(_without_origin(t, split) for t in b))
    return replace(s, origin=0) if s.origin in split else s
