"""Iterators that have a name, and `next`, as the loops that they are.

squares = (v * v for v in x)          source = x
s = sum(squares)                 ->   s = sum((v * v for v in source))

a = next((v for v in x if f(v)), d)   found = d
                                 ->   for v in x: if f(v): found = v; break
                                      a = found

An iterator is written out where it is used, if that is one place which is reached once. What it
evaluates when it is made is evaluated there; the rest is evaluated late, as Python does it.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_generators import local_generators
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.quiet import Means
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    declared_elsewhere,
    in_scope,
    map_bodies,
    mentioned,
    nodes_in,
    parameters,
)
from adtrans.lower.trees import assignment
from adtrans.lower.undisturbed import Waiting
from adtrans.source import MISSING, SourceFunction
from adtrans.source.unwrap import in_python

_LAZY = (builtins.zip, builtins.map, builtins.filter, builtins.enumerate, builtins.reversed)



def with_written_iterators(source: SourceFunction) -> SourceFunction:
    """The function without such names; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    inside = local_generators(node)

    def means_in(node: gast.FunctionDef) -> Means:
        local = LocalNames(node)

        def means(n: gast.AST) -> object:
            here = inside.get(n.id) if isinstance(n, gast.Name) else None
            return here or meaning(n, source, local)

        return means

    means = means_in(node)
    if not any(_is_lazy(n, means) or _is_next(n, means) for n in nodes_in(node)):
        return source
    made = copy.deepcopy(node)
    work = _Writing(made, means_in(made))
    made.body = work.block(made.body)
    return replace(source, node=made) if work.changed else source


def _is_next(node: gast.AST, means: Means) -> bool:
    return isinstance(node, gast.Call) and means(node.func) is builtins.next


def _is_lazy(node: gast.AST, means: Means) -> bool:
    """Whether an expression makes an iterator, of which nothing but its sources exists yet."""
    if isinstance(node, gast.GeneratorExp):
        return not any(g.is_async for g in node.generators)
    if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args):
        return False
    meant = means(node.func)
    if any(meant is f for f in _LAZY):
        return True
    if meant is MISSING or isinstance(meant, gast.FunctionDef):
        return meant is not MISSING
    code = getattr(in_python(meant), "__code__", None)
    made_here = isinstance(meant, type) and meant.__module__ == itertools.__name__
    lazy = made_here and meant not in (itertools.count, itertools.cycle)
    return lazy or bool(code and code.co_flags & inspect.CO_GENERATOR)


class _Writing:
    """Rewrites the statements of a function, in place."""

    def __init__(self, node: gast.FunctionDef, means: Means) -> None:
        self.means, self.changed = means, False
        self.taken = {*mentioned(node), *bound_names(node.body)}
        elsewhere = set(declared_elsewhere(node.body))
        inner = [n for n in in_scope(node.body) if isinstance(n, (*Scope, gast.ClassDef))]
        for n in inner:
            elsewhere |= {m.id for m in gast.walk(n) if isinstance(m, gast.Name)}
        own = {p.id for p in parameters(node.args)}
        names = [n for n in gast.walk(node) if isinstance(n, gast.Name)]
        stores = Counter(n.id for n in names if not isinstance(n.ctx, gast.Load))
        loads = Counter(n.id for n in names if isinstance(n.ctx, gast.Load))
        self.elsewhere = elsewhere
        self.waiting = Waiting(node, means, _is_lazy)
        self.stays: set[str] = set()  # names that mean the same until the iterator is used
        self.once = {
            v for v, n in stores.items() if n == loads[v] == 1 and v not in elsewhere | own
        }

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for k, s in enumerate(body):
            out += self.statement(s, body[k + 1 :])
        return out

    def statement(self, s: gast.stmt, later: list[gast.stmt]) -> list[gast.stmt]:
        """What stands for a statement, which `later` ones follow."""
        if isinstance(s, (*Scope, gast.ClassDef)):
            return [s]
        map_bodies(s, self.block)
        match s:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
                name in self.once
                and _is_lazy(value, self.means)
                and (place := _place(name, later)) is not None
                and self.waiting.may_wait(value, name, s, later)
            ):
                self.changed = True
                gone = {n.id for t in later for n in gast.walk(t)
                        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del)}  # fmt: skip
                self.stays = self.taken - self.elsewhere - set(bound_names(later)) - gone
                before: list[gast.stmt] = []
                _put(*place, self.settled(value, s, before))
                return before
            case (gast.Assign(targets=[gast.Name()]) | gast.Return()) if (
                s.value is not None and _is_next(s.value, self.means)
            ):
                return self.first(s, s.value)
            case _:
                return [s]

    def settled(self, node: gast.expr, s: gast.stmt, before: list[gast.stmt]) -> gast.expr:
        """An iterator whose sources have names; `before`: what gives them these."""
        if isinstance(node, gast.GeneratorExp):
            first = node.generators[0]
            first.iter = self.source(first.iter, s, before)
        elif isinstance(node, gast.Call):
            node.args = [self.source(a, s, before) for a in node.args]
            for k in node.keywords:
                k.value = self.source(k.value, s, before)
        return node

    def source(self, node: gast.expr, s: gast.stmt, before: list[gast.stmt]) -> gast.expr:
        if isinstance(node, gast.Constant | gast.Lambda):
            return node
        if isinstance(node, gast.Name) and node.id in self.stays:
            return node
        ranged = isinstance(node, gast.Call) and self.means(node.func) is builtins.range
        if _is_lazy(node, self.means) or ranged:
            return self.settled(node, s, before)
        if self.means(node) is not MISSING:
            return node
        name = self.fresh("source")
        before.append(assignment(name_node(name, s, gast.Store()), node, s))
        return name_node(name, s)

    def first(self, s: gast.Assign | gast.Return, call: gast.expr) -> list[gast.stmt]:
        """`a = next(iterator, default)` of an iterator that is made right there."""
        assert isinstance(call, gast.Call)
        if call.keywords or not 1 <= len(call.args) <= 2:
            return [s]
        given, *default = call.args
        if not _is_lazy(given, self.means):
            return [s]
        if isinstance(given, gast.GeneratorExp) and len(given.generators) != 1:
            return [s]
        if not self.waiting.stays(given, [*default]):
            return [s]
        self.changed = True
        self.stays = self.taken - self.elsewhere - set(bound_names(default))
        found, item = self.fresh("found"), self.fresh("item")
        out: list[gast.stmt] = []
        if default:
            given = self.settled(given, s, out)  # evaluated before the default
            out.append(assignment(name_node(found, s, gast.Store()), default[0], s))
            none: list[gast.stmt] = []
        else:
            none = [gast.Raise(name_node("StopIteration", s), None)]
        bound = assignment(name_node(found, s, gast.Store()), name_node(item, s), s)
        loop = gast.For(name_node(item, s, gast.Store()), given, [bound, gast.Break()], none, None)
        out.append(loop)
        for n in (loop, *loop.body, *none):
            gast.copy_location(n, s)
        s.value = name_node(found, s)
        return [*out, s]

    def fresh(self, stem: str) -> str:
        """A name that is free in the function."""
        name = NameAllocator(self.taken).fresh(stem)
        self.taken.add(name)
        return name


def _place(name: str, later: list[gast.stmt]) -> tuple[gast.AST, str, int | None] | None:
    """Where the only use of a name stands, if that is reached once: the parent, its field."""
    for s in later:
        found = [p for p in _places(s) if _holds(p, name)]
        if found:
            return found[0]
    return None


def _places(node: gast.AST) -> Iterator[tuple[gast.AST, str, int | None]]:
    """The places in a statement that are reached once, when it runs once."""
    if isinstance(node, (*Scope, gast.ClassDef, gast.While)):
        return
    skipped: tuple[str, ...] = ()
    if isinstance(node, gast.For):
        skipped = ("body",)
    if isinstance(node, Comprehension):
        first = node.generators[0]
        yield first, "iter", None
        yield from _places(first.iter)
        return
    for field, held in gast.iter_fields(node):
        if field in skipped:
            continue
        for k, child in enumerate(held) if isinstance(held, list) else [(None, held)]:
            if isinstance(child, gast.AST):
                yield node, field, k
                yield from _places(child)


def _holds(place: tuple[gast.AST, str, int | None], name: str) -> bool:
    parent, field, k = place
    held = getattr(parent, field)
    child = held if k is None else held[k]
    return isinstance(child, gast.Name) and child.id == name


def _put(parent: gast.AST, field: str, k: int | None, made: gast.expr) -> None:
    if k is None:
        setattr(parent, field, made)
    else:
        getattr(parent, field)[k] = made
