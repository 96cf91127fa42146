"""Which variables of a function are surely bound, before each of its statements.

>>> tree = gast.parse('''
... def f(x):
...     if x:
...         k = 1
...         y = k
...     def g():
...         return h() + k
...     def h():
...         return x
...     return g()
... ''')
>>> bound = SurelyBound(tree.body[0])
>>> [bound.is_first(name) for name in ("k", "g", "h")]
[False, True, True]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import gast

from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    free_names,
    in_scope,
    own_fields,
    parameters,
)

State: TypeAlias = "frozenset[str] | None"  # None: control never comes there

_SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Nonlocal)


@dataclass
class _Loop:
    breaks: State = None
    continues: State = None


@dataclass
class _Inner:
    """A function inside: where it is defined, and what it reads from outside when it runs."""

    name: str
    at: State
    reads: frozenset[str]


@dataclass
class SurelyBound:
    """The variables that are bound before each statement, and at each place that reads one.
    `ends`: whether a context manager may end an exception."""

    node: gast.FunctionDef
    ends: Callable[[gast.expr], bool] = lambda context: True
    before: dict[int, State] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.loops: list[_Loop] = []
        self.block(self.node.body, frozenset(p.id for p in parameters(self.node.args)))

    def at(self, s: gast.AST, name: str) -> bool:
        """Whether a variable is bound before a statement."""
        state = self.before.get(id(s), frozenset())
        return state is None or name in state

    @cached_property
    def noted(self) -> tuple[dict[str, list[State]], list[_Inner]]:
        """What is bound where a variable is read, and the functions inside."""
        reads: dict[str, list[State]] = {}
        inner: list[_Inner] = []
        for s in in_scope(self.node.body):
            if isinstance(s, gast.stmt | gast.ExceptHandler | gast.match_case):
                self.note(s, reads, inner)
        return reads, inner

    @property
    def reads(self) -> dict[str, list[State]]:
        """What is bound wherever a variable is read."""
        return self.noted[0]

    @property
    def inner(self) -> list[_Inner]:
        """The functions inside."""
        return self.noted[1]

    def is_first(self, name: str) -> bool:
        """Whether a variable is bound wherever it is read, also by functions inside."""
        return all(s is None or name in s for s in self.reads.get(name, ())) and all(
            self.follows(name, g, frozenset()) for g in self.inner if name in g.reads
        )

    def runs_after(self, name: str, fn: str) -> bool:
        """Whether a function inside runs only when a variable is bound."""
        return all(self.follows(name, g, frozenset()) for g in self.inner if g.name == fn)

    def follows(self, name: str, g: _Inner, seen: frozenset[str]) -> bool:
        """Whether a function inside runs only when a variable is bound."""
        if g.at is None or name in g.at or g.name in seen or g.name == name:
            return True
        places = self.reads.get(g.name, ())
        callers = [h for h in self.inner if g.name in h.reads]
        return all(s is None or name in s for s in places) and all(
            self.follows(name, h, seen | {g.name}) for h in callers
        )

    def note(self, s: gast.AST, reads: dict[str, list[State]], inner: list[_Inner]) -> None:
        """Notes what a statement itself reads."""
        state = self.before.get(id(s), frozenset())
        match s:
            case gast.FunctionDef(name=name, decorator_list=[]):
                inner.append(_Inner(name, state, frozenset(_inside(s))))
                parts: Sequence[gast.AST] = _evaluated(s)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as g):
                inner.append(_Inner(name, state, frozenset(_inside(g))))
                parts = _evaluated(g)
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                parts = [s]
            case _:
                parts = [*_own(s)]
        for name in {n for p in parts for n in free_names(p)}:
            reads.setdefault(name, []).append(state)

    # What is bound, statement by statement

    def block(self, body: Iterable[gast.stmt], state: State) -> State:
        for s in body:
            if id(s) in self.before:  # a `finally` is gone through twice
                known = self.before[id(s)]
                self.before[id(s)] = _either(known, state)
            else:
                self.before[id(s)] = state
            state = None if state is None else self.statement(s, state)
        return state

    def statement(self, s: gast.stmt, state: frozenset[str]) -> State:
        """What is bound after a statement."""
        match s:
            case gast.Return() | gast.Raise():
                return None
            case gast.Break() | gast.Continue():
                loop = self.loops[-1]
                if isinstance(s, gast.Break):
                    loop.breaks = _either(loop.breaks, state)
                else:
                    loop.continues = _either(loop.continues, state)
                return None
            case gast.If():
                state |= _named(s.test)
                return _either(self.block(s.body, state), self.block(s.orelse, state))
            case gast.For() | gast.AsyncFor() | gast.While():
                return self.loop(s, state)
            case gast.Try():
                return self.guarded(s, state)
            case gast.With() | gast.AsyncWith():
                state |= frozenset(bound_names(_own(s)))
                after = self.block(s.body, state)
                ended = any(self.ends(i.context_expr) for i in s.items)
                return state - _unbound(s.body) if ended else after
            case gast.Match():
                return self.match(s, state)
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                return state | {s.name}
            case gast.Delete():
                return state - _unbound([s])
            case gast.AnnAssign(value=None):
                return state
            case gast.Assign() | gast.AugAssign() | gast.AnnAssign() as a:
                targets = a.targets if isinstance(a, gast.Assign) else [a.target]
                value = frozenset() if a.value is None else _named(a.value)
                return state | frozenset(bound_names(targets)) | value
            case gast.Import() | gast.ImportFrom():
                return state | frozenset(bound_names([s]))
            case _:
                return state.union(*map(_named, _own(s)))

    def loop(self, s: gast.For | gast.AsyncFor | gast.While, state: frozenset[str]) -> State:
        head = state - _unbound(s.body)
        endless = False
        if isinstance(s, gast.While):
            head |= _named(s.test)
            begin = head
            endless = isinstance(s.test, gast.Constant) and bool(s.test.value)
        else:
            head |= _named(s.iter)
            begin = head | frozenset(bound_names([s.target]))
        self.loops.append(_Loop())
        end = self.block(s.body, begin)
        loop = self.loops.pop()
        after: State = None if endless else head
        if not isinstance(s, gast.While) and _surely_runs(s.iter):
            after = _either(end, loop.continues)
        return _either(self.block(s.orelse, after), loop.breaks)

    def guarded(self, s: gast.Try, state: frozenset[str]) -> State:
        left = state - _unbound(s.body)
        out = self.block(s.orelse, self.block(s.body, state))
        for h in s.handlers:
            self.before[id(h)] = left
            name = frozenset() if h.name is None else frozenset(bound_names([h.name]))
            after = self.block(h.body, left | name)
            out = _either(out, None if after is None else after - name)
        if not s.finalbody:
            return out
        blocks = [*s.body, *s.handlers, *s.orelse]
        self.block(s.finalbody, state - _unbound(blocks))
        return self.block(s.finalbody, out)

    def match(self, s: gast.Match, state: frozenset[str]) -> State:
        state |= _named(s.subject)
        out: State = None
        whole = False
        for c in s.cases:
            inside = state | frozenset(bound_names([c.pattern]))
            self.before[id(c)] = inside
            out = _either(out, self.block(c.body, inside))
            plain = isinstance(c.pattern, gast.MatchAs) and c.pattern.pattern is None
            whole |= plain and c.guard is None
        return out if whole else _either(out, state)


def _either(a: State, b: State) -> State:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _own(s: gast.AST) -> list[gast.AST]:
    """The parts of a statement that it evaluates itself, without its blocks."""
    if isinstance(s, gast.ExceptHandler):
        return [] if s.type is None else [s.type]
    if isinstance(s, gast.match_case):
        return [s.pattern] if s.guard is None else [s.pattern, s.guard]
    assert isinstance(s, gast.stmt)
    found: list[gast.AST] = []
    for name in own_fields(s):
        part = getattr(s, name, None)
        parts = part if isinstance(part, list) else [part]
        found += [p for p in parts if isinstance(p, gast.AST)]
    return found


def _evaluated(g: gast.FunctionDef | gast.Lambda) -> list[gast.AST]:
    """The defaults of a function, which its definition evaluates."""
    return [*g.args.defaults, *(d for d in g.args.kw_defaults if d is not None)]


def surely_read(g: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The names that a function reads in whatever call, up to the first branch."""
    if isinstance(g, gast.Lambda):
        return {*_sure(g.body)}
    found: set[str] = set()
    for s in g.body:
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            found.add(s.target.id)
        if not isinstance(s, (*Scope, gast.ClassDef, gast.Match, gast.Try)):
            found.update(name for part in _own(s) for name in _sure(part))
        if not isinstance(s, _SIMPLE):
            break
    return found


def _sure(node: gast.AST) -> Iterator[str]:
    """The names that evaluating an expression surely reads."""
    match node:
        case gast.Name(ctx=gast.Load()):
            yield node.id
        case gast.BoolOp():
            yield from _sure(node.values[0])
        case gast.IfExp():
            yield from _sure(node.test)
        case gast.Compare():
            yield from (*_sure(node.left), *_sure(node.comparators[0]))
        case _ if isinstance(node, Comprehension):
            yield from _sure(node.generators[0].iter)
        case _ if not isinstance(node, Scope):
            for part in gast.iter_child_nodes(node):
                yield from _sure(part)


def _inside(g: gast.FunctionDef | gast.Lambda) -> Iterator[str]:
    """The names that a function reads from outside when it runs."""
    body: list[gast.AST] = [g.body] if isinstance(g, gast.Lambda) else [*g.body]
    own = {p.id for p in parameters(g.args)} | set(bound_names(body))
    declared = {n for s in in_scope(body) if isinstance(s, gast.Nonlocal | gast.Global)
                for n in s.names}  # fmt: skip
    for part in body:
        yield from free_names(part, frozenset(own - declared))


def _named(node: gast.AST) -> frozenset[str]:
    """The names that `:=` surely binds when an expression is evaluated."""
    match node:
        case gast.NamedExpr():
            return _named(node.value) | {node.target.id}
        case gast.BoolOp():
            return _named(node.values[0])
        case gast.IfExp():
            return _named(node.test)
        case gast.Compare():
            return _named(node.left) | _named(node.comparators[0])
        case gast.Constant() | gast.Name():
            return frozenset()
        case _ if isinstance(node, (*Scope, *Comprehension)):
            return frozenset()
        case _:
            return frozenset().union(*map(_named, gast.iter_child_nodes(node)))


def _unbound(nodes: Iterable[gast.AST]) -> frozenset[str]:
    """The names that running `nodes` may unbind."""
    found: set[str] = set()
    for n in in_scope(nodes):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del):
            found.add(n.id)
        elif isinstance(n, gast.ExceptHandler) and isinstance(n.name, gast.Name):
            found.add(n.name.id)
    return frozenset(found)


def _surely_runs(node: gast.expr) -> bool:
    """Whether there is something to go through: a display with an item, `range(3)`."""
    match node:
        case gast.Tuple(elts=[first, *_]) | gast.List(elts=[first, *_]):
            return not isinstance(first, gast.Starred)
        case gast.Call(func=gast.Name(id="range"), args=[gast.Constant(value=int() as n)]):
            return n > 0
        case _:
            return False
