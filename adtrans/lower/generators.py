"""Loops over generator functions: the body of the generator with that of the loop in its middle.

def evens(x):                      for v in evens(y): body
    for k in range(0, len(x), 2):         =>
        yield x[k]                 for k in range(0, len(y), 2):
                                       v = y[k]
                                       body

The generator runs exactly as far as the loop asks for elements, so the order of everything stays.
Its variables get names that are free in the function.
"""

from __future__ import annotations

import copy
import inspect
import re
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import map_blocks
from adtrans.lower import expressions, iterators, local_generators
from adtrans.lower.builder import Builder
from adtrans.lower.exits import outcomes, structured
from adtrans.lower.generator_methods import Method, asked_class, generator_method
from adtrans.lower.makers import means_in
from adtrans.lower.staying import Exit, staying
from adtrans.lower.stops import may_stop
from adtrans.lower.syntax import (
    bound_names,
    declared_elsewhere,
    free_names,
    in_scope,
    parameters,
)
from adtrans.source import SourceFunction, get_source
from adtrans.source.unwrap import in_python

Each = Callable[[E.Name], None]

_DEEP = 8  # generators inside generators
_RESERVED = re.compile(r"t(_\d+)?\Z")


@dataclass(frozen=True)
class Found:
    """A generator function that is called: its source, and what its parameters are given."""

    source: SourceFunction
    node: gast.FunctionDef
    given: dict[str, object]
    method: Method | None = None


def generator_call(b: Builder, node: gast.AST) -> Found | None:
    """The generator function that `node` calls, if its body can stand where it is used."""
    if not isinstance(node, gast.Call) or len(b.yields) >= _DEEP:
        return None
    if any(k.arg is None for k in node.keywords):
        return None
    if (made := iterators.written(b, node)) is not None:
        return Found(b.source, *made)
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    if isinstance(node.func, gast.Name) and node.func.id in b.generators:
        return _called_here(b, b.generators[node.func.id], node)
    if (method := generator_method(b, node)) is not None:
        found = called(b, method.fn, method.call, _plain)
        return None if found is None else replace(found, method=method)
    return called(b, b.means(node.func), node, _plain)


def _called_here(b: Builder, node: gast.FunctionDef, call: gast.Call) -> Found | None:
    """The same for a generator function that is defined inside the function."""
    given = local_generators.arguments(node, call)
    if given is None or not _stands(node):
        return None
    if any(_defines(n) for n in in_scope(_without_deletions(node))):
        return None
    if may_stop(node.body, means_in(node, b.source)):
        return None
    return Found(b.source, node, dict(given))


def called(
    b: Builder, meant: object, node: gast.Call, can_stand: Callable[[gast.FunctionDef], bool]
) -> Found | None:
    """A generator function and what it is given, where its body may stand in the place of a call
    as far as its statements and names are concerned."""
    meant = in_python(meant)
    if not isinstance(meant, types.FunctionType):
        return None
    if not meant.__code__.co_flags & inspect.CO_GENERATOR:
        return None
    try:
        source = get_source(meant)
        bound = inspect.signature(meant).bind(
            *node.args, **{str(k.arg): k.value for k in node.keywords}
        )
    except (CompileError, TypeError):
        return None
    if not isinstance(source.node, gast.FunctionDef) or not can_stand(source.node):
        return None
    if any(_defines(n) for n in in_scope(_without_deletions(source.node))):
        return None
    if may_stop(source.node.body, means_in(source.node, source)):
        return None
    if any(y.source.fn is source.fn for y in b.yields):  # a recursive one has no end
        return None
    free = set(free_names(source.node))
    if any(b.is_local(n) for n in free):  # it means something else here
        return None
    b.names.reserve(free)
    # in the order in which the call evaluates them
    order = {id(a): k for k, a in enumerate((*node.args, *(k.value for k in node.keywords)))}
    given: dict[str, object] = dict(
        sorted(bound.arguments.items(), key=lambda p: order.get(id(p[1]), 0))
    )
    for name, p in bound.signature.parameters.items():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            return None
        if name not in given:
            if not E.is_literal(p.default):
                return None
            given[name] = E.Const(p.default)
    return Found(source, source.node, given)


def _defines(n: gast.AST) -> bool:
    """Whether a statement binds a name in a way that no other name can stand for."""
    match n:
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
            return True
        case gast.Import(names=names) | gast.ImportFrom(names=names):
            return any((a.asname is None and "." in a.name) or a.name == "*" for a in names)
        case gast.Delete(targets=targets):
            return any(isinstance(t, gast.Name) for t in targets)
        case _:
            return False


def _plain(node: gast.FunctionDef) -> bool:
    """Whether the body may stand elsewhere, as far as its `yield`s and its names are concerned."""
    declared = any(isinstance(n, gast.Global | gast.Nonlocal) for n in in_scope(node.body))
    return not declared and _stands(node)


def _stands(node: gast.FunctionDef) -> bool:
    """Whether every `yield` is a statement of its own, outside of `try` and `with`."""
    statements = {id(n.value) for n in in_scope(node.body) if isinstance(n, gast.Expr)}
    guarded = (gast.Try, gast.TryStar, gast.With, gast.AsyncWith)
    held = {id(n) for g in in_scope(node.body) if isinstance(g, guarded) for n in gast.walk(g)}
    yields = [n for n in in_scope(node.body) if isinstance(n, gast.Yield | gast.YieldFrom)]
    return all(id(y) in statements and id(y) not in held for y in yields)


@dataclass
class Inlining:
    """A generator under way: what happens at a `yield`, and whose source it is."""

    at_yield: Callable[[gast.expr | None, gast.AST], None]
    source: SourceFunction


def inlined(b: Builder, found: Found, each: Each, like: gast.AST) -> bool:
    """Emits the generator with what `each` emits for an element; whether a `return` of the function
    may have been taken: then the function's results are in place, and `b.left` is the flag."""
    body = own_body(b, found, like)
    many = sum(isinstance(n, gast.Yield | gast.YieldFrom) for n in in_scope(found.node.body)) > 1
    stop, left = b.temp("stop"), b.temp("left")
    ways: set[str] = set()
    outer, depth, flags = b.source, b.inlining, list(b.loop_flags)

    def at_yield(value: gast.expr | None, node: gast.AST) -> None:
        item = b.temp("item")
        if value is None:
            b.bind(item, E.NONE, node)
        else:
            with b.alone(node):
                expressions.value(b, value, item)
        b.forget()
        inner = b.yields.pop()
        source, b.source = b.source, outer
        loops, b.loop_flags = b.loop_flags, flags
        before, b.inlining = b.inlining, depth + many
        with b.nested() as turn:
            each(E.Name(item))
        b.source, b.inlining, b.loop_flags = source, before, loops
        b.yields.append(inner)
        found_ways = outcomes(tuple(turn))
        ways.update(found_ways)
        b.block.extend(_one_turn(b, tuple(turn), found_ways, stop, left))
        b.forget()

    b.inlined.append(found.source)
    place = len(b.block)
    b.yields.append(Inlining(at_yield, found.source))
    b.source, b.inlining = found.source, depth + 1
    with b.nested() as raw:
        for s in body:
            b.lower_statement(s)
    b.source, b.inlining = outer, depth
    b.yields.pop()
    for flag, way in ((stop, "break"), (left, "return")):
        if way in ways:
            where: S.Place = {"site": b.site(), "span": b.span(like), "origin": b.origin}
            b.block.insert(place, S.Bind(flag, E.Const(False), **where))
    region = structured(tuple(raw), b.temp, b.site)
    b.block.extend(_within(region, b.origin) if b.origin else region)
    b.forget()
    b.left = left
    return "return" in ways


def own_body(b: Builder, found: Found, like: gast.AST) -> list[gast.stmt]:
    """The statements of a generator with variables of their own; its parameters are bound."""
    to = _names(b, found.node)
    for name, value in found.given.items():
        if isinstance(value, E.Const):
            b.bind(to[name], value, like)
        else:
            assert isinstance(value, gast.expr)
            expressions.value(b, value, to[name])
            b.forget()
    if found.method is not None:
        asked_class(b, found.method, to[next(iter(found.given))], like)
    body = (s for s in _without_deletions(found.node) if not isinstance(s, gast.Nonlocal))
    return [_renamed(s, to) for s in body]


def _without_deletions(node: gast.FunctionDef) -> list[gast.stmt]:
    """The statements of a function without `del t` where `t` is bound, and not used again: what is
    yielded may be the variable itself in the place where the body stands."""
    bound = {p.id for p in parameters(node.args)}
    out: list[gast.stmt] = []
    for k, s in enumerate(node.body):
        match s:
            case gast.Delete(targets=[gast.Name(id=name)]) if name in bound:
                after = (n for r in node.body[k + 1 :] for n in gast.walk(r))
                if not any(isinstance(n, gast.Name) and n.id == name for n in after):
                    continue
                bound.discard(name)
            case gast.Assign(targets=[gast.Name(id=name)]):
                bound.add(name)
            case _:  # which may delete it inside, or use its name for an exception
                within = gast.Delete | gast.ExceptHandler
                ended = (n for n in in_scope([s]) if isinstance(n, within))
                bound -= {t.id for n in ended for t in gast.walk(n) if isinstance(t, gast.Name)}
        out.append(s)
    return out


def _within(block: S.Block, origin: int) -> S.Block:
    """A block as a part of one statement of the user's."""
    return tuple(
        replace(map_blocks(s, lambda inner: _within(inner, origin)), origin=origin) for s in block
    )


def _names(b: Builder, node: gast.FunctionDef) -> dict[str, str]:
    outer = declared_elsewhere(node.body)  # of a generator inside the function: its variables
    bound = (n for n in bound_names(node.body) if n not in outer)
    own = [*(p.id for p in parameters(node.args)), *bound]
    inner = (t.id for n in gast.walk(node) if isinstance(n, gast.comprehension)
             for t in gast.walk(n.target) if isinstance(t, gast.Name))  # fmt: skip
    return {n: b.temp("item" if _RESERVED.match(n) else n) for n in dict.fromkeys([*own, *inner])}


def _renamed(node: gast.stmt, to: dict[str, str]) -> gast.stmt:
    made = copy.deepcopy(node)
    for n in gast.walk(made):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
        elif isinstance(n, gast.MatchAs | gast.MatchStar) and n.name in to:
            n.name = to[n.name]
        elif isinstance(n, gast.alias) and (n.asname or n.name) in to:
            n.asname = to[n.asname or n.name]
    return made


def _one_turn(
    b: Builder, turn: S.Block, ways: frozenset[str], stop: str, left: str
) -> Iterator[S.Stmt]:
    """One turn of the loop; what leaves it sets flags, and then leaves the generator."""
    flags: dict[Exit, str] = {"break": stop, "return": left}
    yield from staying(turn, lambda s, way: flags.get(way), b.temp, b.site)
    for way, flag in flags.items():
        if way in ways:
            span = turn[0].span
            out = S.Return((), site=b.site(), span=span)
            yield S.If(E.Name(flag), (out,), (), site=b.site(), span=span)


def as_loop(node: gast.YieldFrom, b: Builder) -> gast.For:
    """`yield from values` as a loop that yields each."""
    name = b.temp("item")
    target = gast.Name(name, gast.Store(), None, None)
    value = gast.Name(name, gast.Load(), None, None)
    made = gast.Yield(value)
    inner = gast.Expr(made)
    loop = gast.For(target, node.value, [inner], [], None)
    for part in (target, value, made, inner, loop):
        gast.copy_location(part, node)
    return loop
