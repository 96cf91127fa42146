"""A loop inside `try`: each iteration gets a `try` of its own, so that one may be left half done.

    try:                              stop = False
        s = 1.0                       try:
        for v in x:                       s = 1.0
            s = s * v                 except ValueError:
            check(s)                      s = -s
        s = s + 1.0                   else:
    except ValueError:                    for v in x:
        s = -s              =>                try:
                                                  s = s * v
                                                  check(s)
                                              except ValueError:
                                                  s = -s
                                                  stop = True
                                              if stop:
                                                  break
                                          if not stop:
                                              try:
                                                  s = s + 1.0
                                              except ValueError:
                                                  s = -s

A `try` in its body takes over its handlers. That is the same program: what a handler raises is
caught by none of them; `finally` is a handler of everything then, which raises again. The pullback
then knows how many iterations were done, and how many steps of the last one (see `steps`). Each
iteration keeps a record of that, so with loops this is done where copies are kept as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import liveness
from adtrans.analyses.steps import Looked, unsure_names
from adtrans.analyses.webs import webs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, Scalar
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import (
    binds_of,
    iter_map,
    map_blocks,
    reads_of,
    rename_stmt,
    statements,
    without_origins,
)
from adtrans.lower.exits import outcomes, structured_loop
from adtrans.lower.opaque import raised_again

LookedAt = Callable[[S.Try], Looked]


def by_iteration(
    fn: S.Function, kinds: Kinds, looked: LookedAt, *, loops: bool
) -> S.Function:
    """`fn` with what in a `try` an exception may leave half done taken apart, as above: branches,
    a `try` in it, and `loops`."""
    bound = {v for s in statements(fn.body) for v in binds_of(s)} | {p.name for p in fn.params}
    names = NameAllocator(fn.reserved | bound)
    number = max((s.site for s in statements(fn.body)), default=0)

    def site() -> int:
        nonlocal number
        number += 1
        return number

    unsure = unsure_names(fn, liveness(fn))
    taken = _Taken(kinds, looked, names.fresh, site, unsure, loops)
    body = taken.block(fn.body)
    if body == fn.body:
        return fn
    return webs(_united(replace(fn, body=without_origins(body, taken.split))))


def _united(fn: S.Function) -> S.Function:
    """`fn` in the user's names: what a handler binds is seen by a next iteration now, as far as can
    be told from the flow, and no longer another life of a variable."""

    def block(b: S.Block) -> S.Block:
        return tuple(rename_stmt(map_blocks(s, block), fn.names, fn.names) for s in b)

    return replace(fn, body=block(fn.body), names={})


@dataclass(frozen=True)
class _Taken:
    kinds: Kinds
    looked: LookedAt
    fresh: Callable[[str], str]
    site: Callable[[], int]
    unsure: frozenset[str]  # variables that may be unbound where they are read
    loops: bool
    split: set[int] = field(default_factory=set)  # the user's statements that are taken apart

    def block(self, b: S.Block) -> S.Block:
        return tuple(t for s in b for t in self.one(s))

    def one(self, s: S.Stmt) -> S.Block:
        if isinstance(s, S.Try) and s.handlers:
            made = self.apart(s, s.body, s.orelse, self.looked(s), again=False)
            if made is not None and s.final:
                return (replace(s, body=made, handlers=(), orelse=(), site=self.site()),)
            if made is not None:
                return made
        return (map_blocks(s, self.block),)

    def apart(
        self, s: S.Try, body: S.Block, orelse: S.Block, looked: Looked, *, again: bool
    ) -> S.Block | None:
        """`try: body ... else: orelse` with the handlers of `s`, divided at the first loop or
        branch that may be left half done; None if there is none that can be. `again`: the
        handlers stand elsewhere, too."""
        at = next((k for k, t in enumerate(body) if self.divides(t, looked)), None)
        if at is None:
            return None
        first, divided, rest = body[:at], body[at], body[at + 1 :]
        self.split.add(divided.origin)
        if isinstance(divided, S.If):
            ask, answer = self.asked(divided)
            first, divided = (*first, ask), replace(divided, test=answer)
        if isinstance(divided, S.For):
            divided, before = self.counted_before(divided)
            first = (*first, *before, *self.read_before(divided))
        stop = self.fresh("stop")
        inside = self.divided(s, divided, stop, looked)
        following = self.whole(s, rest, orelse, looked, again=True)
        unless = E.Unary("not", E.Name(stop))
        if following:
            following = (S.If(unless, following, (), site=self.site(), span=s.span),)
        start = self.set(stop, False, s)
        if not first:
            return (start, *inside, *following)
        handlers = tuple(self.handlers(s, again))
        attempt = replace(
            s, body=self.block(first), handlers=handlers, orelse=(*inside, *following), final=(),
            site=self.site(),
        )  # fmt: skip
        return (start, attempt)

    def whole(
        self, s: S.Try, body: S.Block, orelse: S.Block, looked: Looked, *, again: bool
    ) -> S.Block:
        """The same, also if nothing divides it."""
        if not body:
            return self.block(orelse)
        made = self.apart(s, body, orelse, looked, again=again)
        if made is not None:
            return made
        handlers = tuple(self.handlers(s, again))
        body, orelse = self.block(body), self.block(orelse)
        return (
            replace(s, body=body, handlers=handlers, orelse=orelse, final=(), site=self.site()),
        )

    def divides(self, s: S.Stmt, looked: Looked) -> bool:
        """Whether an exception may leave a loop or branch half done that can be taken apart."""
        match s:
            case S.For() if self.loops:
                known = all(map(self.never_raises, _inner(s.iter))) and not _is_strict(s.iter)
                known = known and all(self.is_whole(e, s.site) for e in _counted(s.iter))
            case S.While():
                known = self.loops
            case S.If() | S.Try():
                known = True
            case _:
                known = False
        return known and looked.partial(s) in ("any", "unfollowed")

    def never_raises(self, it: S.Iter) -> bool:
        """Whether going from one item to the next raises nothing."""
        match it:
            case S.Elements(source=source):
                kind = self.kinds.var(source)
                return isinstance(kind, ListOf) or (isinstance(kind, Array) and bool(kind.ndim))
            case S.Range():
                return isinstance(it.step, E.Const) and it.step.value != 0
            case _:
                return False

    def is_whole(self, e: E.Expr, site: int) -> bool:
        """Whether a loop may count from there, or to there: all else raises where it begins."""
        kind = self.kinds.var(e.id) if isinstance(e, E.Name) else self.kinds.expr(site, e)
        return isinstance(kind, Scalar) and kind.type in ("int", "bool")

    def is_plain(self, e: E.Expr) -> bool:
        """Whether to evaluate a number that a loop counts with raises nothing."""
        match e:
            case E.Binary(op="+" | "-" | "*", left=left, right=right):
                return self.is_plain(left) and self.is_plain(right)
            case E.Unary(op="-" | "+", operand=operand):
                return self.is_plain(operand)
            case E.Call(fn=E.Ref(value=f), args=(E.Name(id=var),), kwargs=()) if f is len:
                kind = self.kinds.var(var)
                return isinstance(kind, ListOf) or (isinstance(kind, Array) and bool(kind.ndim))
            case _:
                return E.is_atom(e)

    def divided(self, s: S.Try, inner: S.Stmt, stop: str, looked: Looked) -> S.Block:
        """The loop or branch with a `try` inside; `stop` is set when one of the handlers ran."""

        def stopping(t: S.Try) -> S.Try:
            marks = (self.set(stop, True, s),)
            handlers = (
                replace(h, body=(*h.body, *marks)) if "fall" in outcomes(h.body) else h
                for h in t.handlers
            )
            return replace(t, handlers=tuple(handlers))

        def attempt(body: S.Block) -> S.Block:
            return self.whole(stopping(s), body, (), looked, again=True)

        if isinstance(inner, S.If):
            return (map_blocks(inner, lambda b: attempt(b) if b else b),)
        if isinstance(inner, S.Try):
            inner = self.with_final_caught(inner) if inner.final else inner
            return (self.merged(stopping(s), inner),)
        leave = S.If(
            E.Name(stop), (S.Break(site=self.site(), span=s.span),), (),
            site=self.site(), span=s.span,
        )  # fmt: skip
        if isinstance(inner, S.While):
            end = S.Break(site=self.site(), span=inner.span)
            turn = S.If(inner.test, inner.body, (end,), site=self.site(), span=inner.span)
            body = (*attempt((*inner.head, turn)), leave)
            inner = replace(inner, head=(), test=E.Const(True), body=self.normal(body))
        else:
            assert isinstance(inner, S.For)
            inner = replace(inner, body=self.normal((*attempt(inner.body), leave)))
        return (inner,)

    def with_final_caught(self, s: S.Try) -> S.Try:
        """`finally` as what is done after the body, and by a handler of everything else."""
        body = s.body + s.orelse
        if s.handlers:
            body = (replace(s, final=(), site=self.site()),)
        again = raised_again({"site": self.site(), "span": s.span, "origin": 0})
        after = (*map(self.copied, s.final), again)
        if "fall" not in outcomes(s.final):
            after = after[:-1]
        every = S.Handler(E.Ref("BaseException", BaseException), None, after)
        return replace(s, body=body, handlers=(every,), orelse=s.final, final=())

    def merged(self, outer: S.Try, inner: S.Try) -> S.Try:
        """A `try` inside a `try` as one of them: the handlers of the outer one follow those of the
        inner one, and stand around the bodies of these."""

        def around(body: S.Block) -> S.Block:
            handlers = tuple(self.handlers(outer, True))
            attempt = replace(
                outer, body=body, handlers=handlers, orelse=(), final=(), site=self.site()
            )
            return (attempt,) if body else ()

        own = tuple(replace(h, body=around(h.body)) for h in inner.handlers)
        left = () if any(map(_takes_all, own)) else tuple(self.handlers(outer, True))
        return replace(
            inner,
            handlers=(*own, *left),
            orelse=around(inner.orelse),
            site=self.site(),
        )

    def asked(self, s: S.If) -> tuple[S.Stmt, E.Expr]:
        """The test of a branch by itself: it may raise, too."""
        answer = self.fresh("taken")
        yes, no = self.set(answer, True, s), self.set(answer, False, s)
        return replace(s, then=(yes,), orelse=(no,), site=self.site()), E.Name(answer)

    def counted_before(self, s: S.For) -> tuple[S.For, list[S.Stmt]]:
        """A loop, and what comes before it: numbers whose evaluation may raise have a name."""
        made: list[S.Stmt] = []

        def named(e: E.Expr) -> E.Expr:
            if self.is_plain(e):
                return e
            made.append(S.Bind(self.fresh("n"), e, site=self.site(), span=s.span))
            return E.Name(binds_of(made[-1])[0])

        return replace(s, iter=iter_map(s.iter, named)), made

    def read_before(self, s: S.For) -> Iterator[S.Stmt]:
        """What a loop goes over is looked at before it: a variable that is unbound raises there."""
        for v in sorted(reads_of(s) & self.unsure):
            test = E.Compare(E.Name(v), ("is",), (E.NONE,))
            yield S.Bind(self.fresh("t"), test, site=self.site(), span=s.span)

    def normal(self, body: S.Block) -> S.Block:
        return structured_loop(body, self.fresh, self.site)

    def handlers(self, s: S.Try, again: bool) -> Iterator[S.Handler]:
        for h in s.handlers:
            body = self.block(h.body)
            yield replace(h, body=tuple(map(self.copied, body)) if again else body)

    def copied(self, s: S.Stmt) -> S.Stmt:
        made = replace(s, site=self.site(), origin=0)
        return map_blocks(made, lambda body: tuple(map(self.copied, body)))

    def set(self, flag: str, value: bool, s: S.Try | S.If) -> S.Bind:
        return S.Bind(flag, E.Const(value), site=self.site(), span=s.span)


def _takes_all(h: S.Handler) -> bool:
    """Whether a handler catches everything."""
    return h.type is None or (isinstance(h.type, E.Ref) and h.type.value is BaseException)


def _is_strict(it: S.Iter) -> bool:
    """Whether a loop raises where what it goes over at once is not all equally long."""
    match it:
        case S.Zip(inners=inners, strict=strict):
            return strict or any(map(_is_strict, inners))
        case S.Enumerate() | S.Reversed():
            return _is_strict(it.inner)
        case _:
            return False


def _inner(it: S.Iter) -> Iterator[S.Iter]:
    """What a loop goes over in the end."""
    match it:
        case S.Enumerate() | S.Reversed():
            yield from _inner(it.inner)
        case S.Zip():
            for i in it.inners:
                yield from _inner(i)
        case _:
            yield it


def _counted(it: S.Iter) -> Iterator[E.Expr]:
    """The numbers that a loop counts with."""
    match it:
        case S.Range():
            yield from (it.start, it.stop)
        case S.Enumerate():
            yield it.start
            yield from _counted(it.inner)
        case S.Reversed():
            yield from _counted(it.inner)
        case S.Zip():
            for i in it.inners:
                yield from _counted(i)
        case S.Elements():
            pass
