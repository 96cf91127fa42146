"""Derivatives of local functions: `grad(g)(x)` is seen as a call of `g`, so that `g` can be lifted.

A lambda that is handed to a maker, or called at once, gets a name, and a name that is bound once to
what a maker returns is written out where it is called.

>>> from adtrans.source import get_source
>>> import adtrans as ad
>>> def f(x):
...     d = ad.grad(lambda y: x * y * y)
...     return x * d(x)
>>> node = named(get_source(f))
>>> print(gast.unparse(node))
def f(x):
    inner = lambda y: x * y * y
    return x * ad.grad(inner)(x)
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment, keyword
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    free_names,
    map_bodies,
    mentioned,
    nodes_in,
    own_fields,
    parameters,
)  # fmt: skip
from adtrans.rules import is_maker
from adtrans.source import MISSING, SourceFunction
from adtrans.source.unwrap import in_python, is_jitted

_NONE: frozenset[str] = frozenset()


def made_from(node: gast.AST) -> gast.AST | None:
    """The function that a chain of maker calls begins with: `g` of `grad(grad(g))`.

    Whether they are makers has to be known from elsewhere.
    """
    found: gast.AST | None = None
    while isinstance(node, gast.Call) and node.args:
        found = node = node.args[0]
    return found


def callee_name(node: gast.AST, makers: frozenset[int]) -> str | None:
    """The name of the function that a call runs, itself or as a derivative."""
    if not isinstance(node, gast.Call):
        return None
    fn: gast.AST | None = node.func
    if isinstance(fn, gast.Call):
        fn = made_from(fn) if id(fn) in makers else None
    return fn.id if isinstance(fn, gast.Name) else None


def named(source: SourceFunction) -> gast.FunctionDef:
    """The function with names for what makers are given, in place; see above."""
    node = source.node
    assert isinstance(node, gast.FunctionDef)
    local = LocalNames(node)
    if not any(_is_maker_call(n, source, local) or _calls_lambda(n) for n in nodes_in(node)):
        return node
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    node.body = _Naming(source, local, names).block(node.body)
    _written_out(node, source)
    return node


def makers_in(source: SourceFunction, node: gast.FunctionDef) -> frozenset[int]:
    """The identities of all calls of makers."""
    local = LocalNames(node)
    return frozenset(id(n) for n in nodes_in(node) if _is_maker_call(n, source, local))


def _is_maker_call(node: gast.AST, source: SourceFunction, local: LocalNames) -> bool:
    return (
        isinstance(node, gast.Call)
        and bool(node.args)
        and is_maker(meaning(node.func, source, local))
    )


def _calls_lambda(node: gast.AST) -> bool:
    """Whether a lambda is called where it is written."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Lambda):
        return False
    args = node.func.args
    return not args.defaults and not any(args.kw_defaults)


def meaning(node: gast.AST, source: SourceFunction, local: LocalNames) -> object:
    """The object that a dotted name means, `MISSING` for a local one and for anything else."""
    if isinstance(node, gast.Name):
        if node.id in local.own:
            return MISSING
        meant = source.resolve(node.id)
        return MISSING if meant is MISSING or local.is_of_inner(node) else meant
    if isinstance(node, gast.Attribute):
        base = meaning(node.value, source, local)
        if node.attr == "py_func" and is_jitted(base):
            return in_python(base)
        return getattr(base, node.attr, MISSING) if isinstance(base, type(sys)) else MISSING
    return MISSING


def means_in(
    node: gast.FunctionDef | gast.Lambda, source: SourceFunction
) -> Callable[[gast.AST], object]:
    """What the names in a tree mean, which is that of the function or a copy of it."""
    local = LocalNames(node)
    return lambda n: meaning(n, source, local)


class _Naming:
    """Gives names to the lambdas among the arguments of makers, before the statement."""

    def __init__(self, source: SourceFunction, local: LocalNames, names: NameAllocator) -> None:
        self.source, self.local, self.names = source, local, names

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            if not isinstance(s, (*Scope, gast.ClassDef)):
                map_bodies(s, self.block)
                for name in own_fields(s):
                    self.look(getattr(s, name, None), s, out)
            out.append(s)
        return out

    def look(
        self, node: object, s: gast.stmt, out: list[gast.stmt], targets: frozenset[str] = _NONE
    ) -> None:
        """`targets`: the variables of the comprehensions around."""
        if isinstance(node, list):
            for n in node:
                self.look(n, s, out, targets)
        if not isinstance(node, gast.AST) or isinstance(node, Scope):
            return
        if isinstance(node, Comprehension):
            bound = (n for g in node.generators for n in gast.walk(g.target))
            targets |= {n.id for n in bound if isinstance(n, gast.Name)}
        if isinstance(node, gast.Call) and targets:
            self.with_targets(node, targets)
        if _is_maker_call(node, self.source, self.local):
            assert isinstance(node, gast.Call)
            given = node.args[0]
            if isinstance(given, gast.Lambda) and targets.isdisjoint(free_names(given)):
                name = self.names.fresh("inner")
                out.append(assignment(name_node(name, given, gast.Store()), given, s))
                node.args[0] = name_node(name, given)
        if _calls_lambda(node) and not targets:
            assert isinstance(node, gast.Call)
            called = node.func
            name = self.names.fresh("inner")
            out.append(assignment(name_node(name, called, gast.Store()), called, s))
            node.func = name_node(name, called)
        for child in gast.iter_child_nodes(node):
            self.look(child, s, out, targets)

    def with_targets(self, call: gast.Call, targets: frozenset[str]) -> None:
        """`grad(lambda z: k * z)(x)` as `grad(lambda z, *, k: k * z)(x, k=k)`, where a
        comprehension binds `k`: the lambda stands before it then."""
        maker: gast.AST = call.func
        while _is_maker_call(maker, self.source, self.local):
            assert isinstance(maker, gast.Call)
            maker = maker.args[0]
        if not isinstance(maker, gast.Lambda) or maker is call.func:
            return
        captured = sorted(targets & set(free_names(maker)))
        taken = {p.id for p in parameters(maker.args)} | {k.arg for k in call.keywords}
        if None in taken or not taken.isdisjoint(captured):
            return
        for name in captured:
            maker.args.kwonlyargs.append(name_node(name, maker, gast.Param()))
            maker.args.kw_defaults.append(None)
            call.keywords.append(keyword(name, name_node(name, call)))


def _written_out(node: gast.FunctionDef, source: SourceFunction) -> None:
    """`d = grad(g)` away, and `grad(g)(x)` for `d(x)`, where `d` is only called."""
    local = LocalNames(node)
    times = local.times()
    known: dict[str, gast.expr] = {}
    for s in node.body:  # not where it may be skipped
        match s:
            case gast.Assign(targets=[gast.Name(id=d)], value=gast.Call() as value) if (
                times.get(d) == 1 and _is_maker_call(value, source, local)
            ):
                first = made_from(value)
                plain = isinstance(first, gast.Name) and first.id in local.own
                if plain and not _hidden(value, times, local):
                    known[d] = value
            case _:
                pass
    called = {id(n.func) for n in gast.walk(node) if isinstance(n, gast.Call)}
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in called:
            known.pop(n.id, None)
    for n in gast.walk(node):
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id in known:
            n.func = copy.deepcopy(known[n.func.id])
    if known:
        _drop(node, set(known))


def _hidden(node: gast.expr, times: Mapping[str, int], local: LocalNames) -> bool:
    """Whether a name in an expression has other meanings too, elsewhere in the function."""
    names = {n.id for n in nodes_in(node) if isinstance(n, gast.Name)}
    return any(n in local.inner or (n in local.own and times.get(n) != 1) for n in names)


def _drop(node: gast.AST, names: set[str]) -> None:
    """Remove the assignments to `names`."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        kept = []
        for s in block:
            target = s.targets[0] if isinstance(s, gast.Assign) else None
            if isinstance(target, gast.Name) and target.id in names:
                continue
            _drop(s, names)
            kept.append(s)
        filler = gast.Pass()
        gast.copy_location(filler, block[0]) if block else None
        setattr(node, name, kept or ([filler] if block else []))
    for name in ("handlers", "cases"):
        for part in getattr(node, name, ()):
            _drop(part, names)
