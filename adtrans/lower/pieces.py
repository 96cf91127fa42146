"""The body of a generator cut at each `yield`.

while True:             0:  while True:  (once)           1:  p = p * a
    yield p                     item = p; at = 1              item = p; at = 1
    p = p * a

A piece starts at the beginning, or behind a `yield`, and ends where the next element is in `item`;
it says in `at` where the next piece is to start, or that this was the end. A loop is entered again
in its middle, so that it becomes a test in front of a copy of its body; one that may turn without
an element stays a loop.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import gast

from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import in_scope, leaves
from adtrans.lower.trees import assignment

_Node = TypeVar("_Node", bound=gast.AST)

END = -1
_LARGE = 2000  # nodes of a tree


class Unfit(Exception):
    """A generator that cannot be cut."""


@dataclass(frozen=True)
class Pieces:
    """The piece for each place; where each may lead. `receives`: what is sent is used."""

    of: dict[int, list[gast.stmt]]
    follows: dict[int, frozenset[int]]
    receives: bool

    def after_one(self, at: set[int]) -> set[int]:
        """Where one step may lead."""
        return {n for a in at for n in (self.follows[a] if a != END else {END})}

    def after(self, at: set[int]) -> set[int]:
        """Where any number of steps, but at least one, may lead."""
        found: set[int] = set()
        waiting = self.after_one(at)
        while waiting - found:
            found |= waiting
            waiting = self.after_one(found)
        return found


@dataclass
class _Loop:
    """A loop in whose middle there is a way out: what is done before it, tested and run."""

    before: list[gast.stmt]
    test: gast.expr
    first: list[gast.stmt]
    body: list[gast.stmt]
    orelse: list[gast.stmt]
    then: _Then
    again: bool = False


@dataclass(frozen=True)
class _Rest:
    """Statements that come next, and then more."""

    body: Sequence[gast.stmt]
    then: _Then


_Then: TypeAlias = "_Rest | _Loop | None"


def cut(
    body: list[gast.stmt],
    at: str,
    item: str,
    sent: str,
    fresh: Callable[[str], str],
    counted: str,
    index: str,
    means: Callable[[gast.AST], object],
) -> Pieces:
    """The pieces of a body; `counted` means a function that counts the elements of a sequence, and
    `index` one that makes an `int` of a whole number; `means` tells what other names mean.

    Raises:
        Unfit: if there is a `yield` where it is not known how to go on.
    """
    return _Cutting(at, item, sent, fresh, counted, index, means).all(body)


@dataclass
class _Cutting:
    at: str
    item: str
    sent: str
    fresh: Callable[[str], str]
    counted: str
    index: str
    means: Callable[[gast.AST], object]
    resumes: list[tuple[Sequence[gast.stmt], _Then]] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    loops: dict[int, _Loop] = field(default_factory=dict)
    active: list[_Loop] = field(default_factory=list)
    leads: set[int] = field(default_factory=set)
    receives: bool = False
    size: int = 0

    def all(self, body: list[gast.stmt]) -> Pieces:
        self.resumes.append((body, None))
        of: dict[int, list[gast.stmt]] = {}
        follows = {}
        k = 0
        while k < len(self.resumes):  # which grows meanwhile
            self.leads = set()
            of[k] = self.run(*self.resumes[k])
            follows[k] = frozenset(self.leads)
            k += 1
        return Pieces(of, follows, self.receives)

    def run(self, body: Sequence[gast.stmt], then: _Then) -> list[gast.stmt]:
        """The statements up to the next element on each path."""
        out: list[gast.stmt] = []
        for k, s in enumerate(body):
            rest = _Rest(body[k + 1 :], then)
            match s:
                case gast.Expr(value=gast.Yield(value=value) as node):
                    return [*out, *self.given(value, node, rest, s)]
                case gast.Assign(targets=[target], value=gast.Yield(value=value) as node):
                    self.receives = True
                    got = assignment(target, name_node(self.sent, s), s)
                    return [*out, *self.given(value, node, _Rest([got, *rest.body], then), s)]
                case gast.Return(value=None | gast.Constant(value=None)):
                    return [*out, self.lead(END, s)]
                case gast.Return():
                    raise Unfit
                case gast.Raise():
                    return [*out, self.copied(s)]
                case gast.Break():
                    loop = _innermost(then)
                    return [*out, *self.go_on(loop.then, s)]
                case gast.Continue():
                    return [*out, *self.enter(_innermost(then), s)]
                case _ if _stays(s):
                    out.append(self.copied(s))
                case gast.If():
                    test = self.copied(s.test)
                    both = self.run(s.body, rest), self.run(s.orelse, rest)
                    made = gast.If(test, *both)
                    return [*out, placed(made, s)]
                case gast.While():
                    loop = self.loop(s, rest)
                    return [*out, *self.enter(loop, s)]
                case gast.For():
                    loop = self.loop(s, rest)
                    return [*out, *(self.copied(p) for p in loop.before), *self.enter(loop, s)]
                case gast.Expr(value=gast.YieldFrom(value=values)) if not isinstance(
                    values, gast.Call | gast.GeneratorExp
                ):
                    loop = self.loop(self.each(s, values), rest, s)
                    return [*out, *(self.copied(p) for p in loop.before), *self.enter(loop, s)]
                case _:
                    raise Unfit
        last = body[-1] if body else None
        return [*out, *self.go_on(then, last)]

    def go_on(self, then: _Then, like: gast.stmt | None) -> list[gast.stmt]:
        match then:
            case None:
                return [self.lead(END, like)]
            case _Rest(body=body, then=more):
                return self.run(body, more)
            case _Loop():
                return self.enter(then, like)

    def given(
        self, value: gast.expr | None, node: gast.AST, rest: _Rest, s: gast.stmt
    ) -> list[gast.stmt]:
        """The element is there; the next piece starts behind."""
        if id(node) not in self.numbers:
            self.numbers[id(node)] = len(self.resumes)
            self.resumes.append((rest.body, rest.then))
        element = gast.Constant(None, None) if value is None else self.copied(value)
        made = assignment(name_node(self.item, s, gast.Store()), element, s)
        return [placed(made, s), self.lead(self.numbers[id(node)], s)]

    def lead(self, to: int, like: gast.stmt | None) -> gast.stmt:
        self.leads.add(to)
        target = gast.Name(self.at, gast.Store(), None, None)
        made = gast.Assign([target], gast.Constant(to, None), None)
        return made if like is None else placed(made, like)

    # Loops

    def loop(self, s: gast.stmt, rest: _Rest, key: gast.stmt | None = None) -> _Loop:
        at = id(key or s)
        if at not in self.loops:
            if isinstance(s, gast.While):
                self.loops[at] = _Loop([], s.test, [], s.body, s.orelse, rest)
            else:
                assert isinstance(s, gast.For)
                before, test, first = self.counted_loop(s)
                self.loops[at] = _Loop(before, test, first, s.body, s.orelse, rest)
        return self.loops[at]

    def enter(self, loop: _Loop, like: gast.stmt | None) -> list[gast.stmt]:
        """The test of a loop and what follows, from its beginning or at the end of a turn."""
        if any(loop is a for a in self.active):
            if self.active[-1] is not loop:
                raise Unfit
            loop.again = True
            made = gast.Continue()
            return [made if like is None else placed(made, like)]
        outside, loop.again = loop.again, False
        self.active.append(loop)
        turn = [*(self.copied(p) for p in loop.first), *self.run(loop.body, loop)]
        self.active.pop()
        again, loop.again = loop.again, outside
        always = isinstance(loop.test, gast.Constant) and bool(loop.test.value)
        if again and self.active:
            raise Unfit
        if always:
            code = turn
        else:
            # what comes after the loop is no part of a turn of it
            after = self.run(loop.orelse, loop.then)
            made_if = gast.If(self.copied(loop.test), turn, after)
            code = [made_if if like is None else placed(made_if, like)]
        if not again:
            return code
        whole = gast.While(gast.Constant(True, None), self.ended(code), [])
        return [whole if like is None else placed(whole, like)]

    def ended(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Statements of a loop that is left where a piece ends."""
        out: list[gast.stmt] = []
        for s in body:
            if isinstance(s, gast.If) and not _stays_whole(s, self.at):
                s.body, s.orelse = self.ended(s.body), self.ended(s.orelse)
            out.append(s)
            match s:
                case gast.Assign(targets=[gast.Name(id=name)]) if name == self.at:
                    out.append(placed(gast.Break(), s))
                case gast.While() if any(_leads(n, self.at) for n in gast.walk(s)):
                    raise Unfit
                case _:
                    pass
        return out

    def counted_loop(self, s: gast.For) -> tuple[list[gast.stmt], gast.expr, list[gast.stmt]]:
        """A `for` as a loop that counts: before it, its test, and what each turn starts with."""
        k = self.fresh("k")

        def name(n: str, store: bool = False) -> gast.Name:
            return name_node(n, s, gast.Store() if store else gast.Load())

        def bind(n: str, value: gast.expr) -> gast.stmt:
            return assignment(name(n, True), value, s)

        def number(n: int) -> gast.expr:
            return gast.Constant(n, None)

        up = assignment(name(k, True), gast.BinOp(name(k), gast.Add(), number(1)), s)
        match s.iter:
            case gast.Call(func=gast.Name() as fn, args=[*args], keywords=[]) if (
                1 <= len(args) <= 2
                and self.means(fn) is range
                and not any(isinstance(a, gast.Starred) for a in args)
            ):
                stop = self.fresh("stop")
                start = args[0] if len(args) == 2 else number(0)
                before = [bind(k, start), bind(stop, args[-1])]
                for n, bound in ((k, start), (stop, args[-1])):
                    if not self.is_whole(bound):
                        before.append(bind(n, gast.Call(name(self.index), [name(n)], [])))
                test: gast.expr = gast.Compare(name(k), [gast.Lt()], [name(stop)])
                first: list[gast.stmt] = [assignment(s.target, name(k), s), up]
            case gast.Call() | gast.GeneratorExp() | gast.Set() | gast.Dict() | gast.DictComp():
                raise Unfit
            case _:
                of = self.fresh("of")
                before = [bind(of, s.iter), bind(k, number(0))]
                count = gast.Call(name(self.counted), [name(of)], [])
                test = gast.Compare(name(k), [gast.Lt()], [count])
                element = gast.Subscript(name(of), name(k), gast.Load())
                first = [assignment(s.target, element, s), up]
        for made in (*before, *first):
            placed(made, s)
        return before, placed(test, s), first

    def is_whole(self, bound: gast.expr) -> bool:
        """Whether a bound of a `range` can only be an `int` of Python's."""
        match bound:
            case gast.Constant(value=value):
                return type(value) is int
            case gast.Call(func=fn, args=[_], keywords=[]):
                return self.means(fn) is len
            case _:
                return False

    def each(self, s: gast.Expr, values: gast.expr) -> gast.For:
        """`yield from values` as a loop."""
        v = self.fresh("v")
        inner = gast.Expr(gast.Yield(name_node(v, s)))
        made = gast.For(name_node(v, s, gast.Store()), values, [inner], [], None)
        if id(s) not in self.loops:
            return placed(made, s)
        return made

    def copied(self, node: _Node) -> _Node:
        self.size += sum(1 for _ in gast.walk(node))
        if self.size > _LARGE:
            raise Unfit
        return copy.deepcopy(node)


def placed(made: _Node, like: gast.AST) -> _Node:
    """Gives the new parts of a tree a place."""
    for n in gast.walk(made):
        if isinstance(n, gast.expr | gast.stmt) and not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made


def _innermost(then: _Then) -> _Loop:
    """The loop that statements are in."""
    while isinstance(then, _Rest):
        then = then.then
    if then is None:
        raise Unfit
    return then


def holds(body: Sequence[gast.stmt], means: Callable[[gast.AST], object]) -> bool:
    """Whether a generator makes a container in one piece that is read in others: where it is not
    known which of them ran, there may be none that could have an adjoint."""
    gone_through = {id(n.iter): n.iter for n in in_scope(body) if isinstance(n, gast.For)}
    gone_through |= {id(n.value): n.value for n in in_scope(body) if isinstance(n, gast.YieldFrom)}
    for n in in_scope(body):
        match n:
            case gast.List(ctx=gast.Load(), elts=items):
                if id(n) not in gone_through or not all(map(_is_number, items)):
                    return True
            case gast.ListComp() if id(n) in gone_through:
                return True
            case gast.Assign(value=gast.ListComp()):
                return True
            case gast.Call(func=fn) if means(fn) in (list, tuple, sorted):
                return True
            case gast.Assign(targets=[gast.Name()], value=gast.Tuple()):
                return True
            case gast.Tuple(elts=items) if id(n) in gone_through:
                if not all(map(_is_number, items)):
                    return True
            case _:
                pass
    return False


def _is_number(e: gast.expr) -> bool:
    return isinstance(e.operand if isinstance(e, gast.UnaryOp) else e, gast.Constant)


def _stays(s: gast.stmt) -> bool:
    """Whether control goes through a statement from its beginning to its end."""
    out = gast.Yield | gast.YieldFrom | gast.Return
    return leaves([s]) is None and not any(isinstance(n, out) for n in in_scope([s]))


def _leads(n: gast.AST, at: str) -> bool:
    return isinstance(n, gast.Name) and n.id == at and isinstance(n.ctx, gast.Store)


def _stays_whole(s: gast.stmt, at: str) -> bool:
    return not any(_leads(n, at) for n in gast.walk(s))


def renamed(node: gast.stmt, to: dict[str, str]) -> gast.stmt:
    """A copy of a statement with other variables."""
    made = copy.deepcopy(node)
    for n in gast.walk(made):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
        elif isinstance(n, gast.MatchAs | gast.MatchStar) and n.name in to:
            n.name = to[n.name]
    return made
