"""Generators that are asked for one element at a time, as variables of the function that asks.

def powers(a):                        p_a = x[0]; p_at = 0
    p = a                             ...
    while True:             =>        if p_at == 0: p_p = p_a            # first = next(p)
        yield p                       elif p_at == 1: p_p = p_p * p_a
        p = p * a                     p_at = 1
p = powers(x[0])                      first = p_p
first = next(p)

The body of the generator is cut at each `yield`: a piece leads from where it stands to the next
one. `p_at` says where that is (-1: at the end); pieces that cannot be meant are left out. Which
variables the generator sees outside does not change.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import operator
import types
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.ir import expr as E
from adtrans.ir.names import NameAllocator
from adtrans.lower.asked_expressions import with_functions
from adtrans.lower.hoisting import Hoisting, assigned, parts_of, takes_rest
from adtrans.lower.local_names import LocalNames
from adtrans.lower.looked_up import is_assigned
from adtrans.lower.makers import means_in
from adtrans.lower.opaque import name_node
from adtrans.lower.pieces import END, Pieces, Unfit, cut, holds, placed, renamed
from adtrans.lower.signatures import signature_of
from adtrans.lower.stops import may_stop
from adtrans.lower.syntax import (
    BLOCKS,
    Scope,
    bound_names,
    declared_elsewhere,
    free_names,
    in_scope,
    map_bodies,
    mentioned,
    nodes_in,
    own_fields,
    own_names,
    parameters,
)
from adtrans.lower.trees import assignment
from adtrans.runtime import count_of
from adtrans.source import SourceFunction, get_source
from adtrans.source.made import made_functions


def with_asked_generators(source: SourceFunction) -> SourceFunction:
    """The function without such generators; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    means = means_in(node, source)
    if not any(_asks(n, means) for n in nodes_in(node)):
        return source
    made = copy.deepcopy(node)
    here = means_in(made, source)
    outer = set(source.fn.__globals__) | set(source.fn.__code__.co_freevars)
    written = with_functions(made, lambda n, name: asks(n, name, here), outer, here)
    work = Asking(source, made, means_in(made, source))
    if not written <= work.found.keys():
        made = copy.deepcopy(node)
        work = Asking(source, made, means_in(made, source))
    if not work.found:
        return source
    try:
        made.body = work.block(made.body)
    except Unfit:
        return source
    gone = {id(w.local) for w in work.found.values() if w.local is not None}
    made.body = [s for s in made.body if id(s) not in gone]
    return made_functions(source, made, (), {work.counted: count_of, work.index: operator.index})


def _asks(n: gast.AST, means: Callable[[gast.AST], object]) -> bool:
    match n:
        case gast.Call(func=gast.Attribute(attr="send" | "__next__")):
            return True
        case _:
            return isinstance(n, gast.Call) and means(n.func) is builtins.next


def asks(n: gast.AST, name: str, means: Callable[[gast.AST], object]) -> bool:
    """Whether an expression asks the generator of this name for one element."""
    match n:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=v), attr="send"), args=[_]):
            return v == name and not n.keywords
        case gast.Call(func=gast.Attribute(value=gast.Name(id=v), attr="__next__"), args=[]):
            return v == name and not n.keywords
        case gast.Call(args=[gast.Name(id=v), *rest], keywords=[]):
            return v == name and len(rest) < 2 and means(n.func) is builtins.next
        case _:
            return False


@dataclass
class Generator:
    """A variable that means a generator: its pieces, and the variables that they are about."""

    name: str
    call: gast.Call
    pieces: Pieces
    to: dict[str, str]
    given: dict[str, gast.expr]
    place: str
    item: str
    sent: str
    local: gast.FunctionDef | None
    holds: bool
    at: set[int] = field(default_factory=set)  # where it may stand


class Asking:
    """Rewrites the statements of a function."""

    def __init__(
        self, source: SourceFunction, node: gast.FunctionDef, means: Callable[[gast.AST], object]
    ) -> None:
        self.source, self.node, self.means = source, node, means
        taken = {*mentioned(node), *bound_names(node.body), *source.fn.__code__.co_freevars}
        self.names = NameAllocator(taken | set(source.fn.__globals__))
        self.counted = self.names.fresh("count_of")
        self.index = self.names.fresh("index")
        self.guarded = any(isinstance(n, gast.Try | gast.With) for n in in_scope(node.body))
        self.found: dict[str, Generator] = {}
        uses = Counter(
            n.id
            for n in nodes_in(node)
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)
        )
        stores = Counter(
            n.id for n in nodes_in(node)
            if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)
        )  # fmt: skip
        elsewhere = declared_elsewhere(node.body)
        for s in in_scope(node.body):
            match s:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                    stores[name] == 1
                    and name not in elsewhere
                    and uses[name] == sum(self.is_use(n, name) for n in in_scope(node.body))
                    and (made := self.generator(name, call)) is not None
                ):
                    if any(self.asks(n, name) for n in in_scope(node.body)):
                        self.found[name] = made
                case _:
                    pass
        of = Counter(g.local.name for g in self.found.values() if g.local is not None)
        self.found = {
            name: g
            for name, g in self.found.items()
            if g.local is None or of[g.local.name] == uses[g.local.name]
        }
        # what a generator, or what it calls, may bind
        self.rebound = {
            v for n in nodes_in(node) if isinstance(n, gast.Nonlocal | gast.Global) for v in n.names
        }

    def is_same(self, n: gast.AST) -> bool:
        """Whether an expression means the same before and after a generator ran."""
        if isinstance(n, gast.Name):
            return n.id not in self.rebound
        return isinstance(n, gast.Constant)

    def assigns(self, attr: str) -> bool:
        """Whether a generator, or what it calls, may assign an attribute of this name."""
        nodes = (n for n in nodes_in(self.node) if isinstance(n, gast.Attribute))
        here = {n.attr for n in nodes if not isinstance(n.ctx, gast.Load)}
        return attr in here or is_assigned(self.source.fn, attr)

    def asks(self, n: gast.AST, name: str) -> bool:
        return asks(n, name, self.means)

    def rest_of(self, e: gast.Call) -> Generator | None:
        """The generator of which an expression takes the rest."""
        return self.found.get(takes_rest(e, self.means) or "")

    def is_use(self, n: gast.AST, name: str) -> bool:
        """The same, or goes through what is left of it."""
        match n:
            case gast.For(iter=gast.Name(id=v)):
                return v == name
            case _:
                return self.asks(n, name) or takes_rest(n, self.means) == name

    def generator(self, name: str, call: gast.Call) -> Generator | None:
        """What a call makes, if it is a generator that can be cut into pieces."""
        found = self.function(call)
        if found is None:
            return None
        node, signature, local = found
        if may_stop(node.body, self.means):
            return None
        inside = list(in_scope(node.body))
        unfit = (*Scope, gast.ClassDef, gast.Import, gast.ImportFrom, gast.Global, gast.Await)
        if any(isinstance(n, unfit) for n in inside) or any(
            isinstance(n, gast.Nonlocal) and n not in node.body for n in inside
        ):
            return None
        try:
            words = {str(k.arg): k.value for k in call.keywords}
            bound = signature.bind(*call.args, **words).arguments
        except TypeError:
            return None
        given: dict[str, gast.expr] = {}
        for p in signature.parameters.values():
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                return None
            value = bound.get(p.name, p.default)
            if E.is_literal(value):
                value = gast.Constant(value, None)
            if not isinstance(value, gast.expr):
                return None
            given[p.name] = value
        own = {p.id for p in parameters(node.args)} | set(bound_names(node.body))
        own |= {t.id for n in gast.walk(node) if isinstance(n, gast.comprehension)
                for t in gast.walk(n.target) if isinstance(t, gast.Name)}  # fmt: skip
        own -= {v for n in inside if isinstance(n, gast.Nonlocal) for v in n.names}
        to = {v: self.names.fresh(f"{name}_{v}") for v in sorted(own)}
        body = [renamed(s, to) for s in node.body if not isinstance(s, gast.Nonlocal)]
        at, item, sent = (self.names.fresh(f"{name}_{w}") for w in ("at", "item", "sent"))

        def fresh(stem: str) -> str:
            return self.names.fresh(f"{name}_{stem}")

        try:
            pieces = cut(body, at, item, sent, fresh, self.counted, self.index, self.means)
        except Unfit:
            return None
        inner = holds(body, self.means)
        return Generator(name, call, pieces, to, given, at, item, sent, local, inner)

    def function(
        self, call: gast.Call
    ) -> tuple[gast.FunctionDef, inspect.Signature, gast.FunctionDef | None] | None:
        """The generator function that is called, if its names mean the same here."""
        if any(isinstance(a, gast.Starred) for a in call.args) or any(
            k.arg is None for k in call.keywords
        ):
            return None
        if isinstance(call.func, gast.Name) and (node := self.local(call.func.id)) is not None:
            signature = signature_of(node)
            return None if signature is None else (node, signature, node)
        fn = self.means(call.func)
        if not isinstance(fn, types.FunctionType):
            return None
        if not fn.__code__.co_flags & inspect.CO_GENERATOR:
            return None
        try:
            source = get_source(fn)
        except CompileError:
            return None
        if not isinstance(source.node, gast.FunctionDef) or source.bound_args:
            return None
        around = LocalNames(self.node)
        own = around.own | around.inner
        free = set(free_names(source.node)) - own_names(source.node)
        if any(v in own or self.source.resolve(v) is not source.resolve(v) for v in free):
            return None
        return source.node, inspect.signature(fn), None

    def local(self, name: str) -> gast.FunctionDef | None:
        """The generator function of this name that is defined in the function."""
        found = [
            s for s in in_scope(self.node.body)
            if isinstance(s, gast.FunctionDef | gast.ClassDef) and s.name == name
        ]  # fmt: skip
        if len(found) != 1 or not isinstance(found[0], gast.FunctionDef):
            return None
        node = found[0]
        streams = any(isinstance(n, gast.Yield) for n in in_scope(node.body))
        plain = not node.decorator_list and node in self.node.body
        uses = [n for n in nodes_in(self.node) if isinstance(n, gast.Name) and n.id == name]
        calls = {id(n.func) for n in nodes_in(self.node) if isinstance(n, gast.Call)}
        only = all(id(n) in calls for n in uses)
        return node if streams and plain and only else None

    # Statements

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [made for s in body for made in self.statement(s)]

    def statement(self, s: gast.stmt) -> list[gast.stmt]:
        if isinstance(s, (*Scope, gast.ClassDef)):
            return [s]
        match s:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                name in self.found and self.found[name].call is call
            ):
                return self.started(self.found[name], s)
            case gast.For(iter=gast.Name(id=name)) if name in self.found:
                return self.gone_through(s, self.found[name])
            case gast.While() if self.mentions(s.test):
                raise Unfit
            case gast.For() | gast.While():
                out = [] if isinstance(s, gast.While) else self.asked(s, ["iter"])
                self.repeated(s)
                s.orelse = self.block(s.orelse)
                return [*out, s]
            case gast.If():
                out = self.asked(s, ["test"])
                before = self.state()
                s.body = self.block(s.body)
                then = self.state()
                self.restore(before)
                s.orelse = self.block(s.orelse)
                self.join(then)
                return [*out, s]
            case gast.Try() | gast.With() | gast.Match():
                out = self.asked(s, own_fields(s))
                seen = self.reachable(s)
                self.join(seen)
                map_bodies(s, lambda body: self.joined(body, seen))
                return [*out, s]
            case _:
                if any(hasattr(s, name) for name in BLOCKS) and self.mentions(s):
                    raise Unfit
                out = self.asked(s, own_fields(s))
                return [*out, s]

    def joined(self, body: list[gast.stmt], seen: dict[str, set[int]]) -> list[gast.stmt]:
        made = self.block(body)
        self.join(seen)
        return made

    def repeated(self, s: gast.For | gast.While) -> None:
        """The body of a loop: any number of times."""
        self.join(self.reachable(s))
        seen = self.state()
        s.body = self.block(s.body)
        self.join(seen)

    def reachable(self, s: gast.stmt) -> dict[str, set[int]]:
        """Where generators may stand after a part of a statement."""
        named = {n.id for n in nodes_in(s) if isinstance(n, gast.Name) and n.id in self.found}
        found = {}
        for name in named:
            g = self.found[name]
            made = any(isinstance(t, gast.Assign) and t.value is g.call for t in nodes_in(s))
            at = g.at | ({0} if made else set())
            found[name] = at | g.pieces.after(at)
            if self.guarded and at:  # what its body raises leaves it at its end
                found[name].add(END)
        return found

    def state(self) -> dict[str, set[int]]:
        return {name: set(g.at) for name, g in self.found.items()}

    def restore(self, state: dict[str, set[int]]) -> None:
        for name, at in state.items():
            self.found[name].at = set(at)

    def join(self, state: dict[str, set[int]]) -> None:
        for name, at in state.items():
            self.found[name].at |= at

    def mentions(self, n: gast.AST) -> bool:
        return any(isinstance(m, gast.Name) and m.id in self.found for m in gast.walk(n))

    # What becomes of the uses

    def started(self, g: Generator, s: gast.stmt) -> list[gast.stmt]:
        """The generator is made: its arguments are evaluated, nothing else happens."""
        out: list[gast.stmt] = []
        bound: list[gast.stmt] = []
        order = {
            id(a): k for k, a in enumerate((*g.call.args, *(k.value for k in g.call.keywords)))
        }
        for name, value in sorted(g.given.items(), key=lambda p: order.get(id(p[1]), 99)):
            if self.mentions(value):
                raise Unfit
            if self.guarded and g.at and len(g.given) > 1:
                # if only some are evaluated, it is still the one before
                first = self.names.fresh(g.to[name])
                out.append(assigned(first, value, s))
                value = name_node(first, s)
            bound.append(assigned(g.to[name], value, s))
        out += bound
        out.append(assigned(g.place, gast.Constant(0, None), s))
        for made in out:
            placed(made, s)
        g.at = {0}
        return out

    def step(
        self, g: Generator, s: gast.stmt, sent: gast.expr | None, item: str
    ) -> list[gast.stmt]:
        """One step of a generator; its element is in `item`, or it stands at its end."""
        if not g.at or (g.holds and len(g.at) > 1):
            raise Unfit
        before: list[gast.stmt] = []
        simple = sent is None or isinstance(sent, gast.Constant | gast.Name)
        if (g.pieces.receives and g.at - {0, END}) or not simple:
            value = gast.Constant(None, None) if sent is None else sent
            before = [assigned(g.sent, value, s)]
        if sent is not None and 0 in g.at and not _is_none(sent):
            raise Unfit  # Python refuses it at the beginning
        cases = [
            (at, [renamed(p, {g.item: item}) for p in g.pieces.of[at]])
            for at in sorted(g.at - {END})
        ]
        out: list[gast.stmt] = []
        if END in g.at:
            cases.append((END, []))
        here = g.place
        if self.guarded:  # after an exception it stands at its end
            here = self.names.fresh(g.place)
            before.append(assigned(here, name_node(g.place, s), s))
            before.append(assigned(g.place, gast.Constant(END, None), s))
        for at, body in reversed(cases):
            if not out and at == cases[-1][0]:
                out = body or [gast.Pass()]
                continue
            test = gast.Compare(name_node(here, s), [gast.Eq()], [gast.Constant(at, None)])
            out = [gast.If(test, body, out)]
        g.at = g.pieces.after_one(g.at)
        if g.at == {END}:  # there is no element
            before.append(assigned(item, gast.Constant(None, None), s))
        made = [*before, *out]
        for n in made:
            placed(n, s)
        return made

    def next_of(
        self, g: Generator, s: gast.stmt, sent: gast.expr | None, default: gast.expr | None
    ) -> tuple[list[gast.stmt], gast.expr]:
        """The statements before `s` that ask for an element, and the variable that it is in."""
        name = self.names.fresh(g.item)
        out = self.step(g, s, sent, name)
        if END in g.at:
            ended = gast.Compare(name_node(g.place, s), [gast.Eq()], [gast.Constant(END, None)])
            if default is None:
                ending = name_node("StopIteration", s)
                if self.means(ending) is not StopIteration:
                    raise Unfit  # the name means something else here
                stop: gast.stmt = gast.Raise(ending, None)
                out.append(gast.If(ended, [stop], []))
                g.at = g.at - {END}
            else:
                other = assignment(name_node(name, s, gast.Store()), default, s)
                out.append(gast.If(ended, [other], []))
        for n in out:
            placed(n, s)
        return out, name_node(name, s)

    def gone_through(self, s: gast.For, g: Generator) -> list[gast.stmt]:
        """`for v in g`: with what is left of it."""
        if any(isinstance(n, gast.Break | gast.Continue) for n in in_scope(s.orelse)):
            raise Unfit
        g.at |= self.reachable(s)[g.name]
        first = set(g.at)
        item = self.names.fresh(g.item)
        steps = self.step(g, s, None, item)
        ended = gast.Compare(name_node(g.place, s), [gast.Eq()], [gast.Constant(END, None)])
        bound = assignment(s.target, name_node(item, s), s)
        seen = self.state()
        body = self.block(s.body)
        self.join(seen)
        orelse = self.block(s.orelse)
        g.at |= first
        leave: list[gast.stmt] = [gast.If(ended, [*orelse, gast.Break()], [])]
        loop = gast.While(gast.Constant(True, None), [*steps, *leave, bound, *body], [])
        placed(loop, s)
        return [loop]

    def asked(self, s: gast.AST, fields: list[str]) -> list[gast.stmt]:
        """Takes what asks a generator out of parts of a statement; what comes before it."""
        if not any(self.mentions(p) for f in fields for p in parts_of(getattr(s, f, None))):
            return []
        return Hoisting(self, s).fields(s, fields)


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None
