"""A dynamic oracle: which needed values a run of a program really overwrites, element by element.

The primal is executed, statement by statement of the small language, on real arrays. Every element
is known by its address, so views, aliases and overlaps are exact; nothing of the static analyses of
memory, regions, activity and needs is used. What a pullback needs is read off the rules' formulas,
for the values that really depend on the inputs and really influence the result in this run.

>>> import numpy as np
>>> def f(x):
...     y = 2.0 * x
...     z = y * y
...     y[0] = 3.0
...     return np.sum(z) + np.sum(y)
>>> [(c.var, c.use, c.write) for c in clobbers(f, (np.ones(3),))]
[('y', 3, 4)]
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import gast
import numpy as np

from adtrans.analyses.analyse import asked_once, prepared
from adtrans.analyses.apply import application
from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.webs import webs
from adtrans.driver.callees import python_function
from adtrans.driver.instances import Member
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.driver.summaries import formal_kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind, is_immutable
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import names_in
from tests.interpreter import Interpreter

Cells: TypeAlias = "frozenset[int]"
"""Elements: the addresses of those of arrays; numbers count from -1 down, one for each value."""

NOTHING: Cells = frozenset()


class Unsupported(Exception):
    """The oracle does not know what this statement does."""


@dataclass(frozen=True, slots=True)
class Clobber:
    """Line `use` needs `var`, line `write` overwrites an element of it."""

    var: str
    use: int
    write: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Elements that a formula reads, as they are before the statement, or `after` it."""

    var: str
    cells: Cells
    after: bool = False


Group: TypeAlias = "tuple[tuple[Wanted, ...], ...]"
"""Alternatives: what each formula for one operand reads."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of the run: `into` gets values computed from `sources`.

    `replaces`: what was there before has no influence any more. `groups`: what its adjoint needs.
    """

    line: int
    sources: Cells
    into: Cells
    replaces: bool
    groups: tuple[Group, ...] = ()


@dataclass
class Trace:
    """The events of a run; `written`: for each element the last event that overwrote it."""

    events: list[Event] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)
    varied: set[int] = field(default_factory=set)
    alive: list[Any] = field(default_factory=list)  # so that no address is used twice
    numbers: int = 0

    def number(self) -> Cells:
        """The element that stands for a new number."""
        self.numbers -= 1
        return frozenset({self.numbers})

    def add(self, event: Event, *, write: bool) -> None:
        """Record an event, and what depends on the inputs afterwards."""
        if event.sources & self.varied:
            self.varied |= event.into
        elif event.replaces:
            self.varied -= event.into
        if write:
            now = len(self.events)
            self.written.update(dict.fromkeys(event.into, now))
        self.events.append(event)

    def clobbers(self, result: Cells) -> list[Clobber]:
        """What the pullback of the run needs and does not find, `result` being differentiated."""
        useful = set(result)
        found: list[Clobber] = []
        for now in range(len(self.events) - 1, -1, -1):
            e = self.events[now]
            if not e.into & useful:
                continue
            if e.replaces:
                useful -= e.into
            useful |= e.sources
            for group in e.groups:
                lost = [[c for w in option for c in self.lost(w, now)] for option in group]
                if lost and all(lost):
                    found.extend(lost[0])
        return sorted(set(found), key=lambda c: (c.use, c.write, c.var))

    def lost(self, w: Wanted, now: int) -> Iterator[Clobber]:
        """The elements of `w` that are overwritten after event `now` needed them."""
        first = now + 1 if w.after else now
        when = max((self.written.get(c, -1) for c in w.cells), default=-1)
        if when >= first:
            yield Clobber(w.var, self.events[now].line, self.events[when].line)


def addresses(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The address of each element."""
    at = np.full(a.shape, a.__array_interface__["data"][0], dtype=np.int64)
    for axis, (size, stride) in enumerate(zip(a.shape, a.strides, strict=True)):
        shape = [1] * a.ndim
        shape[axis] = size
        at += (np.arange(size) * stride).reshape(shape)
    return at


def cells_of(value: Any) -> Cells:
    """The elements of the arrays in a value."""
    if isinstance(value, np.ndarray):
        return frozenset(addresses(value).ravel().tolist())
    if isinstance(value, tuple | list):
        return frozenset().union(*(cells_of(v) for v in value))
    return NOTHING


@dataclass
class Body:
    """The code of one function. `choice`: the formula that was chosen for an operand, None if any
    will do; `callee`: the code that a call means."""

    fn: S.Function
    choice: Callable[[int, Any], int | None]
    callee: Callable[[S.Invoke, Any, tuple[Any, ...], dict[str, Any]], tuple[Body, Any]]


@dataclass
class Watched(Interpreter):
    """One call of one function; `own` holds the elements that stand for numbers."""

    body: Body
    trace: Trace
    own: dict[str, Cells] = field(default_factory=dict)
    returned: Cells = NOTHING

    # Elements.

    def cells(self, e: E.Expr) -> Cells:
        """The elements that an expression reads."""
        found = NOTHING
        for name in names_in(e):
            found |= self.own.get(name, NOTHING) | cells_of(self.env.get(name))
        return found

    def kind(self, e: E.Expr) -> Kind:
        """The kind of the value that an expression has now."""
        return kind_of_value(self.expr(e))

    def is_active(self, e: E.Expr) -> bool:
        """Whether the value depends on the inputs."""
        return bool(self.cells(e) & self.trace.varied)

    def wanted(self, e: E.Expr, *, after: bool = False) -> tuple[Wanted, ...]:
        """The contents of what an expression names; numbers are kept by value."""
        return tuple(
            Wanted(self.body.fn.source_name(n), cells_of(self.env[n]), after)
            for n in sorted(names_in(e))
            if n in self.env and not is_immutable(kind_of_value(self.env[n]))
        )

    def indices(self, items: tuple[E.Expr, ...] | None) -> tuple[Group, ...]:
        """The pullback selects again."""
        return tuple(((w,),) for i in items or () for w in self.wanted(i))

    # Statements.

    def bound(self, name: str, sources: Cells, line: int, groups: tuple[Group, ...] = ()) -> None:
        """`name` was bound to a value computed from `sources`; a view has the elements it shows."""
        value = self.env[name]
        self.trace.alive.append(value)
        inside = cells_of(value)
        if isinstance(value, np.ndarray):
            self.own.pop(name, None)
            if inside & sources:
                self.trace.add(Event(line, NOTHING, inside, False, groups), write=False)
                return
        elif not isinstance(value, tuple | list) or sources - inside:
            self.own[name] = self.trace.number()
            inside |= self.own[name]
        self.trace.add(Event(line, sources, inside, True, groups), write=False)

    def wrote(self, s: S.Store | S.Update, items: tuple[E.Expr, ...], value: E.Expr) -> Event:
        """The event of writing `value` into part of an array; before it is executed."""
        base = self.env[s.base]
        if not isinstance(base, np.ndarray):
            raise Unsupported("a write into something that is no array")
        into = frozenset(np.ravel(addresses(base)[self.key(items)]).tolist())
        replaces = isinstance(s, S.Store)
        groups = self.indices(items)
        if isinstance(s, S.Update) and s.op in ("*", "/"):
            groups += (((*self.wanted(value),),),)
            if self.is_active(value):
                groups += (((Wanted(self.body.fn.source_name(s.base), into),),),)
        return Event(s.span.line, self.cells(value), into, replaces, groups)

    def stmt(self, s: S.Stmt) -> None:
        line = s.span.line
        match s:
            case S.Bind():
                self.bind_primitive(s)
            case S.Load():
                sources, groups = self.cells(E.Name(s.base)), self.indices(s.items)
                super().stmt(s)
                self.bound(s.target, sources, line, groups)
            case S.Store() | S.Update() if s.items is not None:
                event = self.wrote(s, s.items, s.value)
                if isinstance(s, S.Update) and s.op.endswith("at"):
                    ufunc = np.add if s.op[0] == "+" else np.subtract
                    ufunc.at(self.env[s.base], self.key(s.items), self.expr(s.value))
                else:
                    super().stmt(s)
                self.trace.add(event, write=True)
            case S.Update():
                raise Unsupported("an update of unknown kind")
            case S.Alias():
                super().stmt(s)
                self.own[s.target] = self.own.get(s.source, NOTHING)
            case S.Pack():
                sources = frozenset().union(*(self.cells(i) for i in s.items))
                super().stmt(s)
                self.bound(s.target, sources, line)
            case S.Unpack():
                sources = self.cells(E.Name(s.source))
                super().stmt(s)
                for target in s.targets:
                    self.bound(target, sources, line)
            case S.Invoke():
                self.invoke(s)
            case S.Keep():
                self.kept(s)
            case _:
                super().stmt(s)

    def bind_primitive(self, s: S.Bind) -> None:
        sources = self.cells(s.value)
        app = application(s.value, self.kind)
        groups: list[Group] = []
        if app is None:
            if isinstance(s.value, E.Call) and sources:
                raise Unsupported(E.text(s.value))
            super().stmt(s)
        else:
            if app.rule.form in ("writes", "scatter"):
                raise Unsupported(E.text(s.value))
            active = [(operand, e) for operand, e in app.operands() if self.is_active(e)]
            kinds = app.kinds(self.kind)
            before = {p: self.wanted(e) for p, e in app.bound.items()}
            sources = frozenset().union(*(self.cells(e) for _, e in app.operands()))
            super().stmt(s)
            kinds["y"] = kind_of_value(self.env[s.target])
            y = self.wanted(E.Name(s.target), after=True)
            for operand, _ in active:
                meant = {**before, "y": y}
                options = tuple(
                    tuple(w for v in sorted(f.values) for w in meant.get(v, ()))
                    for f in app.rule.pullback(operand, app.bound, kinds)
                )
                chosen = self.body.choice(s.site, operand)
                groups.append(options if chosen is None else options[chosen : chosen + 1])
        self.bound(s.target, sources, s.span.line, tuple(groups))

    def invoke(self, s: S.Invoke) -> None:
        fn = self.expr(s.fn)
        args = tuple(self.expr(a) for a in s.args)
        kwargs = {k: self.expr(v) for k, v in s.kwargs}
        if python_function(fn) is None:
            raise Unsupported(E.text(s.fn))
        body, source = self.body.callee(s, fn, args, kwargs)
        bound = inspect.signature(source).bind(*args, **kwargs)
        given = inspect.signature(source).bind(*s.args, **dict(s.kwargs)).arguments
        inner = Watched(environment(source, body.fn, bound), body, self.trace)
        for name, actual in given.items():
            if isinstance(actual, E.Name):
                inner.own[name] = self.own.get(actual.id, NOTHING)
        value = inner.block(body.fn.body)
        if s.target is not None:
            self.env[s.target] = value
            self.bound(s.target, inner.returned, s.span.line)

    def kept(self, s: S.Keep) -> None:
        if s.form != "plain":
            raise Unsupported(s.text)
        for web in s.reads:
            self.env[self.body.fn.source_name(web)] = self.env.get(web)
        tree = ast.Module([gast.gast_to_ast(s.node)], [])  # type: ignore[list-item]
        exec(self.code(tree, "exec"), self.env)
        for web in s.binds:
            self.env[web] = self.env.get(self.body.fn.source_name(web))
            self.bound(web, NOTHING, s.span.line)

    def expr(self, e: E.Expr) -> Any:
        if isinstance(e, E.Verbatim):
            for web in e.reads:
                self.env[self.body.fn.source_name(web)] = self.env[web]
        return super().expr(e)

    def bind(self, target: S.Target, value: Any) -> None:
        super().bind(target, value)
        if isinstance(target, str):
            self.bound(target, self.header, 0)

    header: Cells = NOTHING

    def block(self, block: S.Block) -> Any:
        for s in block:
            if isinstance(s, S.For):
                outer, self.header = self.header, frozenset().union(
                    *(self.cells(E.Name(n)) for n in names_in_header(s.iter))
                )
                self.stmt(s)
                self.header = outer
            elif isinstance(s, S.Return):
                self.returned = frozenset().union(*(self.cells(v) for v in s.values))
                values = tuple(self.expr(v) for v in s.values)
                return values if s.is_tuple else values[0]
            else:
                self.stmt(s)
        return None


def names_in_header(it: S.Iter) -> Iterator[str]:
    """The variables that a loop goes through."""
    match it:
        case S.Elements():
            yield it.source
        case S.Enumerate() | S.Reversed():
            yield from names_in_header(it.inner)
        case S.Zip():
            for inner in it.inners:
                yield from names_in_header(inner)


def environment(fn: Any, ir: S.Function, bound: inspect.BoundArguments) -> dict[str, Any]:
    """What the names in a function mean when it is called."""
    bound.apply_defaults()
    cells = zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True)
    return {**fn.__globals__, **{n: c.cell_contents for n, c in cells}, **bound.arguments}


def _written_out(program: Program, fn: Any, params: dict[str, Kind]) -> Body:
    """The code of `fn` before anything is decided about it."""
    _, ir = program.source(fn)
    known: dict[tuple[Any, ...], Body] = {}

    def callee(
        s: S.Invoke, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Body, Any]:
        source = python_function(fn)
        bound = inspect.signature(source).bind(*args, **kwargs)
        bound.apply_defaults()
        kinds, _ = formal_kinds({n: kind_of_value(v) for n, v in bound.arguments.items()})
        key = (source, *sorted(kinds.items()))
        if key not in known:
            known[key] = replace(_written_out(program, source, kinds), callee=callee)
        return known[key], source

    code = prepared(webs(ir), asked_once(params, program.result_kind))
    return Body(code, lambda site, operand: None, callee)


def _compiled(program: Program, member: Member) -> Body:
    """The code of a function as it is compiled, with the formulas that were chosen."""
    facts = member.facts
    assert facts is not None
    plain = _written_out(program, member.source.fn, dict(member.question.params))

    def callee(
        s: S.Invoke, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Body, Any]:
        unit = facts.units.get(s.site)
        for m in program.members.values():
            if unit is not None and m.unit.forward == unit.forward and m.facts is not None:
                return _compiled(program, m), m.source.fn
        return plain.callee(s, fn, args, kwargs)

    return Body(facts.fn, lambda site, operand: facts.needs.choice.get((site, operand)), callee)


def observe(body: Body, fn: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> list[Clobber]:
    """Run `body` on copies of `args` and say which needed values are overwritten.

    Raises:
        Unsupported: if there is a statement that cannot be followed.
    """
    bound = inspect.signature(fn).bind(*copy.deepcopy(args))
    run = Watched(environment(fn, body.fn, bound), body, Trace())
    names = list(inspect.signature(fn).parameters)
    for name in names:
        run.bound(name, NOTHING, 0)
    for k in wrt:
        run.trace.varied |= run.cells(E.Name(names[k]))
    with np.errstate(all="ignore"):
        run.block(body.fn.body)
    return run.trace.clobbers(run.returned)


def clobbers(fn: Any, args: tuple[Any, ...], wrt: tuple[int, ...] = (0,)) -> list[Clobber]:
    """What this run of `fn` overwrites although its pullback needs it; any formula may be used."""
    program = Program(Options(), NameAllocator())
    names = list(inspect.signature(fn).parameters)
    kinds = {n: kind_of_value(a) for n, a in zip(names, args, strict=True)}
    return observe(_written_out(program, fn, kinds), fn, args, wrt)


def clobbers_compiled(
    program: Program, member: Member, args: tuple[Any, ...], wrt: tuple[int, ...]
) -> list[Clobber]:
    """The same for a function as it was compiled: renamed, with the chosen formulas."""
    return observe(_compiled(program, member), member.source.fn, args, wrt)
