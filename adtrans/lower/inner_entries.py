"""Derivatives by `differentiable` inside a function, as those by `grad` and the like.

ad.differentiable(g).grad(x)              ->   ad.grad(g)(x)
f = ad.differentiable(g); f(x), f.grad(x) ->   g(x), ad.grad(g)(x)
f(x), f.grad(x) of a decorated definition ->   f(x), ad.grad(f)(x)
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import Replacing, defined
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import mentioned, nodes_in, parameters
from adtrans.rules.entry_points import derived_by, is_entry
from adtrans.source import MISSING, SourceFunction
from adtrans.source.made import made_functions


def with_entries(source: SourceFunction) -> SourceFunction:
    """The function with such derivatives rewritten; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return source
    local = LocalNames(node)

    def starts(n: gast.AST) -> bool:
        makers = n.decorator_list if isinstance(n, gast.FunctionDef) else []
        makers = [n.func] if isinstance(n, gast.Call) else makers
        return any(is_entry(meaning(m, source, local)) for m in makers)

    if not any(starts(n) for n in nodes_in(node) if n is not node):
        return source
    made = defined(copy.deepcopy(node), source.name)
    work = _Entries(source, made)
    work.visit(made)
    if not work.changed:
        return source
    return replace(made_functions(source, made, [], work.functions), node=made)


def bindings(node: gast.FunctionDef) -> dict[str, int]:
    """How often each name is bound, in the function or inside it."""
    times: dict[str, int] = {}
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load):
            times[n.id] = times.get(n.id, 0) + 1
        elif isinstance(n, gast.FunctionDef) and n is not node:
            times[n.name] = times.get(n.name, 0) + 1
    return times


class _Entries(Replacing):
    """Rewrites the derivatives, also where a variable holds what they are taken of."""

    def __init__(self, source: SourceFunction, node: gast.FunctionDef) -> None:
        self.source, self.local = source, LocalNames(node)
        self.names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
        self.functions: dict[str, object] = {}
        self.changed = False
        params = {p.id for p in parameters(node.args)}
        times = bindings(node)
        self.held: dict[str, gast.Call] = {}  # with what is differentiated in the first place
        kept: list[gast.stmt] = []
        bases = {
            id(n.value) for n in gast.walk(node)
            if isinstance(n, gast.Attribute) and derived_by(n.attr) is not None
        } | {id(n.func) for n in gast.walk(node) if isinstance(n, gast.Call)}  # fmt: skip
        every = [n for n in gast.walk(node) if isinstance(n, gast.Name)]
        reads = [n for n in every if isinstance(n.ctx, gast.Load)]

        def only_known(name: str) -> bool:
            uses = [n for n in reads if n.id == name]
            alone = times[name] == 1 and name not in params
            return alone and all(id(n) in bases for n in uses)

        for s in node.body:
            match s:
                case gast.Assign(targets=[gast.Name(id=name) as target],
                                 value=gast.Call() as call) if (
                    self.is_first(call) and only_known(name)
                ):  # fmt: skip
                    fn = call.args[0]
                    if isinstance(fn, gast.Lambda):
                        self.held[name] = call
                        call.args[0] = name_node(name, fn)
                        kept.append(assignment(target, fn, s))
                        continue
                    known = self.means(fn) is not MISSING
                    if known or (isinstance(fn, gast.Name) and times.get(fn.id, 0) <= 1):
                        self.held[name] = call
                        continue
                case gast.FunctionDef(name=name, decorator_list=[by]) if (
                    (first := self.decorated(name, by)) is not None and only_known(name)
                ):
                    s.decorator_list = []
                    self.held[name] = first
                case _:
                    pass
            kept.append(s)
        node.body = kept or node.body

    def means(self, node: gast.AST) -> object:
        return meaning(node, self.source, self.local)

    def name_of(self, function: Any) -> str:
        """A name for a function of adtrans."""
        for name, known in self.functions.items():
            if known is function:
                return name
        name = self.names.fresh(function.__name__)
        self.functions[name] = function
        return name

    def decorated(self, name: str, by: gast.expr) -> gast.Call | None:
        """`differentiable(f)` for what stands above the definition of `f`."""
        fn = name_node(name, by)
        if is_entry(self.means(by)):
            return gast.Call(by, [fn], [])
        if isinstance(by, gast.Call) and is_entry(self.means(by.func)) and not by.args:
            return gast.Call(by.func, [fn], by.keywords)
        return None

    def is_first(self, call: gast.Call) -> bool:
        """Whether it is `differentiable(g)`, perhaps with options."""
        return is_entry(self.means(call.func)) and len(call.args) == 1

    def replacement(self, node: gast.AST) -> gast.AST | None:
        match node:
            case gast.Attribute(value=gast.Name(id=name), attr=attr) if name in self.held:
                return self.derivative(self.held[name], attr, node)
            case gast.Attribute(value=gast.Call() as call, attr=attr) if self.is_first(call):
                return self.derivative(call, attr, node)
            case gast.Call(func=gast.Name(id=name)) if name in self.held:
                self.changed = True
                node.func = copy.deepcopy(self.held[name].args[0])
                node.args = [self.inner(a) for a in node.args]
                for k in node.keywords:
                    k.value = self.inner(k.value)
                return node
            case _:
                return None

    def derivative(self, call: gast.Call, attr: str, like: gast.AST) -> gast.AST | None:
        """`grad(g)` with the options."""
        function = derived_by(attr)
        if function is None:
            return None
        self.changed = True
        name = self.name_of(function)
        call = copy.deepcopy(call)
        made = gast.Call(name_node(name, like), [self.inner(a) for a in call.args], call.keywords)
        gast.copy_location(made, like)
        return made
