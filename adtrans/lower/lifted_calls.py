"""Puts lifted functions to use: calls pass what is captured, bodies return what they bind."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.locals import Filling, Local, fill
from adtrans.lower.makers import callee_name
from adtrans.lower.one_return import with_one_return
from adtrans.lower.opaque import name_node
from adtrans.lower.scopes import ScopedWalk
from adtrans.lower.small_trees import assignment, item, keyword, nothing, walrus
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    declared_elsewhere,
    falls,
    in_scope,
    nodes_in,
    parameters,
)


class Rewriting:
    """Calls with the captured variables, and bodies that return what they bind."""

    def __init__(
        self, found: dict[str, Local], names: NameAllocator, makers: frozenset[int]
    ) -> None:
        self.found, self.names, self.makers = found, names, makers
        self.walk = _Walk(frozenset(found), self.call, lambda n, bound: n, makers=makers)
        self.walk.rebinding = frozenset(name for name, g in found.items() if g.rebound)
        self.walk.fresh = names.fresh
        self.params: dict[str, dict[str, str]] = {}
        self.statements = {id(g.statement): g for g in found.values()}

    def call(self, node: gast.expr, bound: frozenset[str]) -> gast.expr:
        """`g(x)` as `g(x, k=k)`; where `g` binds `k`, also that binding, inside the expression."""
        assert isinstance(node, gast.Call)
        g = self.found[str(callee_name(node, self.makers))]
        self.extend(node, g)
        if not g.rebound:
            return node
        result = self.names.fresh(f"{g.name}_result")
        outs = list(g.rebound)
        if not g.has_value and len(outs) == 1:
            steps = [walrus(outs[0], node, node)]
        else:
            first = 1 if g.has_value else 0
            steps = [walrus(result, node, node)]
            steps += [
                walrus(k, item(name_node(result, node), n + first, node), node)
                for n, k in enumerate(outs)
            ]
        value: gast.expr = gast.Constant(None, None)
        if g.has_value:
            value = item(name_node(result, node), 0, node)
        elif g.same is not None:
            value = name_node(g.same, node)
        whole = gast.Tuple([*steps, value], gast.Load())
        for n in (value, whole):
            gast.copy_location(n, node)
        return item(whole, len(steps), node)

    def extend(self, node: gast.Call, g: Local) -> None:
        filling = fill(g, node) or Filling()
        node.args += [copy.copy(g.defaults[name]) for name in filling.placed]
        for name in filling.named:
            node.keywords.append(keyword(name, copy.copy(g.defaults[name])))
        for name, passed in self.passed(g).items():
            node.keywords.append(keyword(passed, name_node(name, node)))

    def passed(self, g: Local) -> dict[str, str]:
        """The parameters for what a function captures: of names that are free also where it takes
        any keyword."""
        if g.name not in self.params:
            rest = g.node.args.kwarg is not None
            self.params[g.name] = {v: self.names.fresh(v) if rest else v for v in g.captured}
        return self.params[g.name]

    def block(self, body: Iterable[gast.stmt], bound: frozenset[str]) -> list[gast.stmt]:
        """Statements without the definitions of lifted functions."""
        out: list[gast.stmt] = []
        for s in body:
            g = self.statements.get(id(s))
            if g is None:
                out.append(self.statement(s, bound))
                continue
            for name, default in g.held:
                value = self.walk.visit(default, bound)
                assert isinstance(value, gast.expr)
                out.append(assignment(name_node(name, default, gast.Store()), value, s))
        return out

    def statement(self, s: gast.stmt, bound: frozenset[str]) -> gast.stmt:
        simple = self.simple(s)
        if simple is not None:
            return simple
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(s, name, None)
            if isinstance(inner, list) and not isinstance(s, (*Scope, gast.ClassDef)):
                kept = self.block(inner, bound)
                empty = [] if name == "orelse" or not inner else [nothing(s)]
                setattr(s, name, kept or empty)
        for name in ("handlers", "cases"):
            for part in getattr(s, name, ()):
                part.body = self.block(part.body, bound) or [nothing(s)]
                self.walk.fields(part, bound, ("type", "pattern", "guard"))
        if isinstance(s, (*Scope, gast.ClassDef)):
            self.walk.visit(s, bound)
        else:
            blocks = ("body", "orelse", "finalbody", "handlers", "cases")
            self.walk.fields(s, bound, [f for f in s._fields if f not in blocks])
        return s

    def simple(self, s: gast.stmt) -> gast.stmt | None:
        """`y = g(x)` as `y, k = g(x, k=k)`, and `g(x)` alone as `k = g(x, k=k)`."""
        match s:
            case gast.Expr(value=gast.Call(func=gast.Name(id=name)) as call):
                targets: list[gast.expr] = []
            case gast.Assign(
                targets=[gast.Name() as target],
                value=gast.Call(func=gast.Name(id=name)) as call,
            ):
                targets = [target]
            case _:
                return None
        g = self.found.get(name)
        if g is None or not g.rebound or any(n in g.rebound for n in bound_names(targets)):
            return None
        if targets and not g.has_value:
            return None
        self.walk.fields(call, frozenset(), ("args", "keywords"))
        self.extend(call, g)
        if g.has_value and not targets:
            targets = [name_node(self.names.fresh(f"{g.name}_result"), s, gast.Store())]
        targets += [name_node(k, s, gast.Store()) for k in g.rebound]
        if len(targets) == 1:
            return assignment(targets[0], call, s)
        several = gast.Tuple(targets, gast.Store())
        gast.copy_location(several, s)
        return assignment(several, call, s)

    def function(self, g: Local) -> gast.FunctionDef:
        """The lifted function."""
        node = g.node
        if isinstance(node, gast.Lambda):
            result = gast.Return(node.body)
            gast.copy_location(result, node.body)
            body: list[gast.stmt] = [result]
        else:
            body = list(node.body)
        own = {p.id for p in parameters(node.args)} | set(bound_names(body))
        inner = frozenset(own - set(declared_elsewhere(body)))
        ends = falls(body)
        body = _undeclared(self.block(body, inner))
        if g.late:
            body, ends = with_one_return(body, self.names), False
        if g.rebound:
            for r in [n for n in in_scope(body) if isinstance(n, gast.Return)]:
                r.value = _with_outs(g, r.value, r)
            if ends:
                last = gast.Return(_with_outs(g, None, g.statement))
                gast.copy_location(last, body[-1] if body else g.statement)
                body.append(last)
        args = copy.copy(node.args)
        for p in parameters(args):
            p.annotation = None
        passed = self.passed(g)
        more = [name_node(k, g.statement, gast.Param()) for k in passed.values()]
        like = g.statement
        body = [
            *(assignment(name_node(v, like, gast.Store()), name_node(k, like), like)
              for v, k in passed.items() if v != k),
            *body,
        ]  # fmt: skip
        args.kwonlyargs = [*args.kwonlyargs, *more]
        args.kw_defaults = [*args.kw_defaults, *(None for _ in more)]
        made = gast.FunctionDef(g.name, args, body or [nothing(g.statement)], [], None, None, [])
        gast.copy_location(made, node)
        return made


class _Walk(ScopedWalk):
    """Binds what a comprehension goes through before it, where a call in there binds variables:
    `[v for v in g(x)]` as `(rows := g(x), [v for v in rows])[1]`."""

    rebinding: frozenset[str] = frozenset()
    fresh: Callable[[str], str]

    def visit(self, node: gast.AST, bound: frozenset[str]) -> gast.AST:
        inner = node
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.args:
            inner = node.args[0]  # `sum(v for v in g(x))`
        if not isinstance(inner, Comprehension) or not any(
            isinstance(n, gast.Name) and n.id in self.rebinding - bound
            for n in nodes_in(inner.generators[0].iter)
        ):
            return super().visit(node, bound)
        first = inner.generators[0]
        rows = self.fresh("rows")
        given = self.visit(first.iter, bound)
        assert isinstance(given, gast.expr)
        first.iter = name_node(rows, node)
        made = super().visit(node, bound)
        assert isinstance(made, gast.expr)
        whole = gast.Tuple([walrus(rows, given, made), made], gast.Load())
        gast.copy_location(whole, node)
        return item(whole, 1, made)


def _undeclared(block: list[gast.stmt]) -> list[gast.stmt]:
    """Without the declarations of what is a parameter now, or not used at all."""
    for s in block:
        for part in [s, *getattr(s, "handlers", ()), *getattr(s, "cases", ())]:
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(part, name, None)
                if isinstance(inner, list) and not isinstance(s, (*Scope, gast.ClassDef)):
                    setattr(part, name, _undeclared(inner))
    kept = [s for s in block if not isinstance(s, gast.Nonlocal)]
    return kept or [nothing(s) for s in block[:1]]


def _with_outs(g: Local, value: gast.expr | None, like: gast.AST) -> gast.expr:
    names: list[gast.expr] = [name_node(k, like) for k in g.rebound]
    if not g.has_value and len(names) == 1:
        return names[0]
    first = [] if not g.has_value else [gast.Constant(None, None) if value is None else value]
    made = gast.Tuple([*first, *names], gast.Load())
    for n in (made, *first[:1]):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made
