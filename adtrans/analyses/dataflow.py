"""The one fixed-point engine: carries a state through a structured block, forward or backward.

A state is immutable. `transfer(stmt, state)` gives the state behind a statement; for `If` and
`While` it stands for evaluating the test, for `For` for binding the targets of an iteration.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir import walk
>>> from adtrans.ir.expr import Const
>>> here = Span("f.py", 1, 0, 1, 1)
>>> body = (S.Bind("y", Const(1), site=2, span=here),)
>>> loop = S.For("i", S.Elements("x"), body, site=1, span=here)
>>> bind = lambda s, state: state | {*walk.binds_of(s)}
>>> bound = forward((loop,), frozenset("x"), bind, frozenset.union)
>>> sorted(bound.before[2]), sorted(bound.end)
(['i', 'x', 'y'], ['i', 'x', 'y'])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.errors import InternalError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.effort import spend

__all__ = ["Flow", "backward", "forward", "merged"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V", frozenset[Any], int)
Loop = S.For | S.While

_BOUND = 10_000  # a lattice of finite height settles in a handful of rounds


@dataclass(frozen=True, slots=True)
class Flow(Generic[T]):
    """The state on both sides of each statement, by site. A site that is missing is unreachable.

    `before` and `after` belong to the whole statement: for a loop, to its entry and its exit.
    `head` is the state at the start of any iteration, or, of a `Try`, where something was raised;
    `test` the one in which the test of an `If` or a `While` is evaluated. `end` is the state at the
    far end of the function, None if unreached.
    """

    before: Mapping[int, T]
    after: Mapping[int, T]
    end: T | None
    head: Mapping[int, T] = field(default_factory=dict)
    test: Mapping[int, T] = field(default_factory=dict)


def merged(a: Mapping[K, V], b: Mapping[K, V]) -> Mapping[K, V]:
    """The union of sets, key by key; an integer is a set of bits.

    >>> merged({"x": 0b01}, {"x": 0b10, "y": 0b01})
    {'x': 3, 'y': 1}
    """
    if a is b:
        return a
    new: dict[K, V] | None = None  # mostly the one has all that the other has
    for key, theirs in b.items():
        mine = a.get(key)
        if mine is theirs:
            continue
        both = mine | theirs if mine else theirs
        if mine is None or both != mine:
            new = dict(a) if new is None else new
            new[key] = both
    return a if new is None else new


def _same(stmt: Loop, state: T) -> T:
    return state


def forward(
    block: S.Block,
    state: T,
    transfer: Callable[[S.Stmt, T], T],
    join: Callable[[T, T], T],
    *,
    at_loop_entry: Callable[[Loop, T], T] = _same,
    at_back_edge: Callable[[Loop, T], T] = _same,
    at_loop_exit: Callable[[Loop, T], T] = _same,
    at_branch: Callable[[S.If, T, bool], T | None] = lambda s, state, taken: state,
    runs: Callable[[Loop], bool] = lambda loop: False,
    single: Callable[[Loop], bool] = lambda loop: False,
    equal: Callable[[T, T], bool] = lambda a, b: a == b,
) -> Flow[T]:
    """The states on all paths from the start of `block`, where `state` holds.

    The hooks see a loop and the state that enters it, that goes from the end of an iteration to the
    next, and that leaves it; `at_branch` sees an `If`, the state at its test and whether its first
    block is run, and gives None where that cannot be. `runs`: whether a loop certainly has an
    iteration; `single`: whether it certainly has no second one.

    Raises:
        InternalError: if the states do not settle.
    """
    hooks = (at_loop_entry, at_back_edge, at_loop_exit, at_branch)
    run = _Forward(transfer, join, *hooks, runs, single, equal)
    end = run.block(block, state, [], [])
    return Flow(run.before, run.after, end, run.head, run.test)


def backward(
    block: S.Block,
    state: T,
    transfer: Callable[[S.Stmt, T], T],
    join: Callable[[T, T], T],
    *,
    bottom: T,
    at_loop_entry: Callable[[Loop, T], T] = _same,
    runs: Callable[[Loop], bool] = lambda loop: False,
    single: Callable[[Loop], bool] = lambda loop: False,
    equal: Callable[[T, T], bool] = lambda a, b: a == b,
) -> Flow[T]:
    """The states on all paths to the end of `block`, where `state` holds.

    `at_loop_entry` stands for evaluating, once, what a `For` iterates over. `bottom` is the neutral
    element of `join`: what holds where no path leads to the end. In the result, `before` is what
    the transfer of a statement gives, and `end` the state at the start.

    Raises:
        InternalError: if the states do not settle.
    """
    run = _Backward(transfer, join, bottom, at_loop_entry, runs, single, equal)
    end = run.block(block, state, bottom, bottom)
    return Flow(run.before, run.after, end, run.head, run.test)


def _is_forever(s: S.Stmt) -> bool:
    return isinstance(s, S.While) and isinstance(s.test, E.Const) and bool(s.test.value)


def _unsettled(s: S.Stmt) -> InternalError:
    return InternalError(Diagnostic("AD901", "an analysis of this loop does not settle", s.span))


@dataclass
class _Forward(Generic[T]):
    transfer: Callable[[S.Stmt, T], T]
    join_two: Callable[[T, T], T]
    at_loop_entry: Callable[[Loop, T], T]
    at_back_edge: Callable[[Loop, T], T]
    at_loop_exit: Callable[[Loop, T], T]
    at_branch: Callable[[S.If, T, bool], T | None]
    runs: Callable[[Loop], bool]
    single: Callable[[Loop], bool]
    equal: Callable[[T, T], bool]
    before: dict[int, T] = field(default_factory=dict)
    after: dict[int, T] = field(default_factory=dict)
    head: dict[int, T] = field(default_factory=dict)
    test: dict[int, T] = field(default_factory=dict)
    raised: list[T | None] = field(default_factory=list)
    joined: tuple[int, T | None] | None = None  # what was joined last: after one is before another

    def join(self, a: T | None, b: T | None) -> T | None:
        if a is None or b is None:
            return a if b is None else b
        return self.join_two(a, b)

    def block(self, block: S.Block, state: T | None, out: list[T], again: list[T]) -> T | None:
        """`out` and `again` collect the states at `break` and `continue` of the innermost loop."""
        spend(len(block))
        for s in block:
            if state is None:
                return None
            self.before[s.site] = state
            if self.raised:
                self.may_raise(state)
            state = self.statement(s, state, out, again)
            if state is not None:
                self.after[s.site] = state
                if self.raised:
                    self.may_raise(state)
        return state

    def may_raise(self, state: T | None) -> None:
        """In `state` something may be raised: `raised` joins these states, one for each `Try`."""
        if not self.raised:
            return
        known, last = self.raised[-1], self.joined
        if known is None or last is None or last[0] != len(self.raised) or last[1] is not state:
            self.raised[-1] = self.join(known, state)
            self.joined = len(self.raised), state

    def attempt(self, s: S.Try, state: T, out: list[T], again: list[T]) -> T | None:
        self.raised.append(None)  # by anything that is not the body
        self.raised.append(None)
        end = self.block(s.body, state, out, again)
        caught = self.raised.pop()
        self.may_raise(caught)  # what no handler takes
        end = self.block(s.orelse, end, out, again)
        if caught is not None and s.handlers:
            self.head[s.site] = caught
            entered = self.transfer(s, caught)
            for h in s.handlers:
                end = self.join(end, self.block(h.body, entered, out, again))
        escaping = self.raised.pop()
        self.may_raise(escaping)
        if not s.final:
            return end
        after = None if end is None else self.block(s.final, end, out, again)
        if escaping is not None:  # it runs then as well; behind it is whoever takes the exception
            self.block(s.final, self.join(end, escaping), out, again)
        return after

    def statement(self, s: S.Stmt, state: T, out: list[T], again: list[T]) -> T | None:
        match s:
            case S.If():
                self.test[s.site] = state
                state = self.transfer(s, state)
                then = self.block(s.then, self.at_branch(s, state, True), out, again)
                orelse = self.block(s.orelse, self.at_branch(s, state, False), out, again)
                return self.join(then, orelse)
            case S.For() | S.While():
                return self.loop(s, state)
            case S.Try():
                return self.attempt(s, state, out, again)
            case S.Onward():
                return self.block(s.body, state, out, again)
            case S.With():
                return self.block(s.body, self.transfer(s, state), out, again)
            case S.Break():
                out.append(state)
                return None
            case S.Continue():
                again.append(state)
                return None
            case S.Keep(form="raise"):
                return None
            case _:
                return self.transfer(s, state)

    def loop(self, s: S.For | S.While, state: T) -> T | None:
        head: T = self.at_loop_entry(s, state)
        for _ in range(_BOUND):
            self.head[s.site] = head
            out: list[T] = []
            again: list[T] = []
            inside = bool(self.raised)
            if inside:
                self.raised.append(None)
            leaving, end = self.iteration(s, head, out, again)
            raised = self.raised.pop() if inside else None
            if raised is not None:
                self.may_raise(self.at_loop_exit(s, raised))
            last = isinstance(s, S.For) and self.single(s)
            endings = [
                e if last else self.at_back_edge(s, e) for e in (*again, end) if e is not None
            ]
            merged = head
            for ending in () if last else endings:
                merged = self.join_two(merged, ending)
            if self.equal(merged, head):
                runs = self.runs(s)
                if last and not runs:
                    endings.append(head)
                if last or (runs and not _is_forever(s)):
                    leaving = None
                    for ending in endings:
                        leaving = self.join(leaving, ending)
                    if leaving is not None and isinstance(s, S.While):
                        leaving = self.block(s.head, leaving, [], [])
                        leaving = None if leaving is None else self.transfer(s, leaving)
                        self.block(s.head, head, [], [])  # what holds there in any iteration
                for state_at_break in out:
                    leaving = self.join(leaving, state_at_break)
                return None if leaving is None else self.at_loop_exit(s, leaving)
            head = merged
        raise _unsettled(s)

    def iteration(
        self, s: S.For | S.While, head: T, out: list[T], again: list[T]
    ) -> tuple[T | None, T | None]:
        """The state in which the loop ends by itself, and the one at the end of the body."""
        if isinstance(s, S.For):
            return head, self.block(s.body, self.transfer(s, head), out, again)
        tested = self.block(s.head, head, out, again)
        if tested is None:
            return None, None
        self.test[s.site] = tested
        tested = self.transfer(s, tested)
        leaving = None if _is_forever(s) else tested
        return leaving, self.block(s.body, tested, out, again)


@dataclass
class _Backward(Generic[T]):
    transfer: Callable[[S.Stmt, T], T]
    join: Callable[[T, T], T]
    bottom: T
    at_loop_entry: Callable[[Loop, T], T]
    runs: Callable[[Loop], bool]
    single: Callable[[Loop], bool]
    equal: Callable[[T, T], bool]
    before: dict[int, T] = field(default_factory=dict)
    after: dict[int, T] = field(default_factory=dict)
    head: dict[int, T] = field(default_factory=dict)
    test: dict[int, T] = field(default_factory=dict)
    handlers: list[T] = field(default_factory=list)

    def block(self, block: S.Block, state: T, out: T, again: T) -> T:
        """`out` and `again` are the states that `break` and `continue` lead to."""
        spend(len(block))
        for s in reversed(block):
            self.after[s.site] = state
            state = self.statement(s, state, out, again)
            if self.handlers:  # where an exception leads to
                state = self.join(state, self.handlers[-1])
            self.before[s.site] = state
        return state

    def attempt(self, s: S.Try, state: T, out: T, again: T) -> T:
        escape = self.handlers[-1] if self.handlers else self.bottom
        if s.final:
            state = escape = self.block(s.final, self.join(state, escape), out, again)
        self.handlers.append(escape)
        end = self.block(s.orelse, state, out, again)
        caught = escape
        for h in s.handlers:
            entered = self.block(h.body, state, out, again)
            caught = self.join(caught, self.transfer(s, entered))
        self.handlers[-1] = self.head[s.site] = caught
        state = self.join(self.block(s.body, end, out, again), caught)
        self.handlers.pop()
        return state

    def statement(self, s: S.Stmt, state: T, out: T, again: T) -> T:
        match s:
            case S.If():
                then = self.block(s.then, state, out, again)
                state = self.join(then, self.block(s.orelse, state, out, again))
                self.test[s.site] = state
                return self.transfer(s, state)
            case S.For() | S.While():
                return self.loop(s, state)
            case S.Try():
                return self.attempt(s, state, out, again)
            case S.Onward():
                return self.block(s.body, state, out, again)
            case S.With():
                return self.transfer(s, self.block(s.body, state, out, again))
            case S.Break():
                return out
            case S.Continue():
                return again
            case S.Keep(form="raise"):
                return self.transfer(s, self.bottom)
            case _:
                return self.transfer(s, state)

    def once(self, s: S.For, out: T) -> T:
        """A loop without a second iteration."""
        head = self.transfer(s, self.block(s.body, out, out, out))
        self.head[s.site] = self.join(out, head)
        return self.at_loop_entry(s, head if self.runs(s) else self.head[s.site])

    def loop(self, s: S.For | S.While, out: T) -> T:
        if isinstance(s, S.For) and self.single(s):
            return self.once(s, out)
        head = self.bottom
        for _ in range(_BOUND):
            before = self.join(head, self.iteration(s, head, out))
            if self.equal(before, head):
                self.head[s.site] = head
                if self.runs(s) and (isinstance(s, S.For) or not s.head):
                    head = self.transfer(s, self.block(s.body, head, out, head))
                return self.at_loop_entry(s, head)
            head = before
        raise _unsettled(s)

    def iteration(self, s: S.For | S.While, head: T, out: T) -> T:
        if isinstance(s, S.For):
            body = self.block(s.body, head, out, head)
            return self.join(out, self.transfer(s, body))
        state = self.block(s.body, head, out, head)
        if not _is_forever(s):
            state = self.join(out, state)
        self.test[s.site] = state
        return self.block(s.head, self.transfer(s, state), out, head)
