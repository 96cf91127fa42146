"""Puts lifted functions to use: calls pass what is captured."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.locals import Filling, Local, fill
from adtrans.lower.makers import callee_name
from adtrans.lower.opaque import name_node
from adtrans.lower.scopes import ScopedWalk
from adtrans.lower.small_trees import assignment, keyword, nothing
from adtrans.lower.syntax import (
    Scope,
    bound_names,
    declared_elsewhere,
    parameters,
)


class Rewriting:
    """Calls with the captured variables."""

    def __init__(
        self, found: dict[str, Local], names: NameAllocator, makers: frozenset[int]
    ) -> None:
        self.found, self.names, self.makers = found, names, makers
        self.walk = ScopedWalk(frozenset(found), self.call, lambda n, bound: n, makers=makers)
        self.params: dict[str, dict[str, str]] = {}
        self.statements = {id(g.statement): g for g in found.values()}

    def call(self, node: gast.expr, bound: frozenset[str]) -> gast.expr:
        """`g(x)` as `g(x, k=k)`."""
        assert isinstance(node, gast.Call)
        self.extend(node, self.found[str(callee_name(node, self.makers))])
        return node

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
        body = self.block(body, inner)
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
