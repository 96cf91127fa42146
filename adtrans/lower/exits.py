"""`break`, `continue` and early `return` brought into normal form: exits only at the end of a path.

What follows an `if` that leaves in one branch moves into the other branch. Where an exit sits
deeper and that would duplicate code, it sets a flag that the following code asks. A `return` inside
a loop sets the flag `done` and breaks out.

    for i in range(n):              for i in range(n):
        if a:                           skip = False
            if b: continue              if a:
            f()                  =>         if b: skip = True
        g()                                 else: f()
                                        if not skip: g()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import map_blocks, names_in, statements

_FLAGS = {"return": "done", "break": "stop", "continue": "skip"}
_LEAVING = frozenset(_FLAGS)


def outcomes(block: S.Block) -> frozenset[str]:
    """The ways in which control can leave a block: "fall" (off its end) and the exits."""
    found: set[str] = set()
    for s in block:
        ways = outcome(s)
        found |= ways - {"fall"}
        if "fall" not in ways:
            return frozenset(found)
    return frozenset(found | {"fall"})


def outcome(s: S.Stmt) -> frozenset[str]:
    """The same for one statement."""
    match s:
        case S.Return():
            return frozenset({"return"})
        case S.Break():
            return frozenset({"break"})
        case S.Continue():
            return frozenset({"continue"})
        case S.Keep(form="raise"):
            return frozenset({"raise"})
        case S.If():
            return outcomes(s.then) | outcomes(s.orelse)
        case S.For():
            return outcomes(s.body) & {"return", "raise"} | {"fall"}
        case S.While():
            inside = outcomes(s.body)
            endless = isinstance(s.test, E.Const) and bool(s.test.value)
            falls = not endless or "break" in inside
            return inside & {"return", "raise"} | ({"fall"} if falls else set())
        case S.With():  # it may hold an exception back
            ways = outcomes(s.body)
            return ways | {"fall"} if "raise" in ways and not s.trusted else ways
        case S.Try():
            ways = outcomes(s.body)
            if "fall" in ways:
                ways = ways - {"fall"} | outcomes(s.orelse)
            ways = ways.union(*(outcomes(h.body) for h in s.handlers))
            final = outcomes(s.final)
            return ways if "fall" in final else final
        case _:
            return frozenset({"fall"})


def may_end_exits(block: S.Block) -> bool:
    """Whether an exception may come when a way out is under way already: of a `finally`, or of a
    manager. Where it is caught, nothing is left any more."""
    inside = statements(block)
    return any(isinstance(s, S.With) or (isinstance(s, S.Try) and s.final) for s in inside)


def live(block: S.Block) -> S.Block:
    """A block without what stands behind a statement that does not fall through."""
    out: list[S.Stmt] = []
    for s in block:
        if isinstance(s, S.Try) and "fall" not in outcomes(s.body):
            s = replace(s, orelse=())
        out.append(map_blocks(s, live))
        if "fall" not in outcome(s):
            break
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Context:
    """Where a block stands: in a loop or not; `flags` is set where exits may only set flags."""

    loop: bool = False
    flags: Mapping[str, str] | None = None


@dataclass(slots=True)
class _Exits:
    fresh: Callable[[str], str]
    site: Callable[[], int]
    done: str | None = None

    def block(self, block: S.Block, at: _Context) -> S.Block:
        """`block` in normal form, given that nothing follows it where it stands."""
        out: list[S.Stmt] = []
        for k, s in enumerate(block):
            rest = block[k + 1 :]
            match s:
                case S.Return() | S.Break() | S.Continue():
                    return (*out, *self.leave(s, at))
                case S.For() | S.While():
                    if "return" in outcomes(s.body):
                        return (*out, *self.loop_with_return(s, rest, at))
                    out.append(replace(s, body=self.block(s.body, _Context(loop=True))))
                case S.If() if (outcomes(s.then) | outcomes(s.orelse)) & _LEAVING:
                    return (*out, *self.branch(s, rest, at))
                case S.With() | S.Try() if outcome(s) & _LEAVING:
                    return (*out, *self.scope(s, rest, at))
                case _:
                    out.append(map_blocks(s, lambda inner: self.block(inner, at)))
            if "fall" not in outcome(s):
                break
        return tuple(out)

    def leave(self, s: S.Stmt, at: _Context) -> S.Block:
        """The exit `s` at the end of a path."""
        kind = type(s).__name__.lower()
        if at.flags is not None:
            return (self.set(at.flags[kind], True, s.span),)
        if kind != "return":
            return (s,)
        if not at.loop:
            return ()  # the end of the path is the end of the function
        return (self.set(self.flag("return"), True, s.span), *self.again("return", s.span, at))

    def again(self, kind: str, span: Span, at: _Context) -> S.Block:
        """What remains to be done for an exit whose flag is set."""
        if at.flags is not None or (kind == "return" and not at.loop):
            return ()
        if kind == "continue":
            return (S.Continue(site=self.site(), span=span),)
        return (S.Break(site=self.site(), span=span),)

    def loop_with_return(self, s: S.For | S.While, rest: S.Block, at: _Context) -> S.Block:
        """A loop that the function may return from, and what follows it."""
        loop = replace(s, body=self.block(s.body, _Context(loop=True)))
        # a `try` in the body asks it, also where the loop has no other way out
        start = () if at.loop else (self.set(self.flag("return"), False, s.span),)
        if "fall" not in outcome(s):
            return (*start, loop, *self.again("return", s.span, at))
        after = self.ask("return", self.flag("return"), self.block(rest, at), s.span, at)
        return (*start, loop, *after)

    def branch(self, s: S.If, rest: S.Block, at: _Context) -> S.Block:
        """An `if` that may leave, and what follows it."""
        then, orelse = outcomes(s.then), outcomes(s.orelse)
        if "fall" not in then or not rest:
            following = rest if "fall" in orelse else ()
            both = self.block(s.then, at), self.block(s.orelse + following, at)
            return (replace(s, then=both[0], orelse=both[1]),)
        if "fall" not in orelse:
            both = self.block(s.then + rest, at), self.block(s.orelse, at)
            return (replace(s, then=both[0], orelse=both[1]),)
        kinds = [k for k in _FLAGS if k in then | orelse]
        inner, start = self.flagged(kinds, s.span, at)
        split = replace(s, then=self.block(s.then, inner), orelse=self.block(s.orelse, inner))
        return (*start, split, *self.asked(kinds, inner, self.block(rest, at), s.span, at))

    def scope(self, s: S.With | S.Try, rest: S.Block, at: _Context) -> S.Block:
        """A `with` or `try` that may leave, and what follows it. What leaves a `try` sets flags."""
        if isinstance(s, S.With) and (not rest or "fall" not in outcome(s)):
            return (replace(s, body=self.block(s.body, at)),)
        kinds = [k for k in _FLAGS if k in outcome(s)]
        if isinstance(s, S.Try) and not (rest or s.orelse or at.loop or at.flags):
            return (map_blocks(s, lambda inner: self.block(inner, at)),)
        inner, start = self.flagged(kinds, s.span, at)
        if isinstance(s, S.With):
            inside: S.Stmt = replace(s, body=self.block(s.body, inner))
        else:
            leaving = [k for k in _FLAGS if k in outcomes(s.body)]
            ended = leaving if may_end_exits(s.body) else []
            assert inner.flags is not None
            undone = tuple(self.set(inner.flags[k], False, s.span) for k in ended)
            orelse = self.asked(leaving, inner, self.block(s.orelse, inner), s.span, inner)
            inside = replace(
                s,
                body=self.block(s.body, inner),
                handlers=tuple(
                    replace(h, body=(*undone, *self.block(h.body, inner))) for h in s.handlers
                ),
                orelse=orelse,
                final=self.block(s.final, at),
            )
        return (*start, inside, *self.asked(kinds, inner, self.block(rest, at), s.span, at))

    def flagged(self, kinds: list[str], span: Span, at: _Context) -> tuple[_Context, S.Block]:
        """A place where exits set flags, and the statements that clear these before."""
        flags = at.flags or {k: self.flag(k) for k in kinds}
        start = tuple(
            self.set(flags[k], False, span)
            for k in kinds
            if at.flags is None and not (k == "return" and at.loop)
        )
        return _Context(at.loop, flags), start

    def asked(
        self, kinds: list[str], inner: _Context, after: S.Block, span: Span, at: _Context
    ) -> S.Block:
        """`after`, unless an exit was taken."""
        assert inner.flags is not None
        for kind in reversed(kinds):
            after = self.ask(kind, inner.flags[kind], after, span, at)
        return after

    def ask(self, kind: str, flag: str, after: S.Block, span: Span, at: _Context) -> S.Block:
        """`after`, unless the flag of an exit is set; then the exit."""
        leaving = self.again(kind, span, at)
        if leaving:
            return (S.If(E.Name(flag), leaving, after, site=self.site(), span=span),)
        if not after:
            return ()
        test = E.Unary("not", E.Name(flag))
        return (S.If(test, after, (), site=self.site(), span=span),)

    def flag(self, kind: str) -> str:
        """The flag for one kind of exit: one `done` for the function, others as needed."""
        if kind != "return":
            return self.fresh(_FLAGS[kind])
        if self.done is None:
            self.done = self.fresh(_FLAGS[kind])
        return self.done

    def set(self, flag: str, value: bool, span: Span) -> S.Bind:
        """`flag = value`."""
        return S.Bind(flag, E.Const(value), site=self.site(), span=span)


def structured(body: S.Block, fresh: Callable[[str], str], site: Callable[[], int]) -> S.Block:
    """The body of a function with exits in normal form; every `Return` is gone.

    The values that a `Return` names must be in place where it stands: the caller adds the last one.
    """
    made: set[str] = set()

    def flag(stem: str) -> str:
        name = fresh(stem)
        made.add(name)
        return name

    out = _Exits(flag, site).block(live(body), _Context())
    asked = {n for s in statements(out) if isinstance(s, S.If) for n in names_in(s.test)}
    return _without(out, made - asked)


def _without(block: S.Block, flags: set[str]) -> S.Block:
    """The block without the flags that nobody asks."""
    return tuple(
        map_blocks(s, lambda inner: _without(inner, flags))
        for s in block
        if not (isinstance(s, S.Bind) and s.target in flags)
    )
