"""Walks a tree with the names that inner scopes give another meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import gast

from adtrans.lower.makers import callee_name
from adtrans.lower.syntax import Comprehension, Scope, bound_names, declared_elsewhere, parameters

Visit: TypeAlias = "Callable[[gast.expr, frozenset[str]], gast.expr]"


class ScopedWalk:
    """Hands the calls and the other uses of `names` to functions that may replace them.

    These also get the names that mean something else there than outside. `skip`: nodes left out;
    `makers`: calls that make a derivative of a function, to be called itself.
    """

    def __init__(
        self,
        names: frozenset[str],
        call: Visit,
        value: Visit,
        skip: frozenset[int] = frozenset(),
        makers: frozenset[int] = frozenset(),
    ) -> None:
        self.names, self.call, self.value, self.skip = names, call, value, skip
        self.makers = makers

    def visit(self, node: gast.AST, bound: frozenset[str]) -> gast.AST:
        """`node` with its calls and other uses of the functions replaced, in place."""
        if id(node) in self.skip:
            return node
        if isinstance(node, gast.Name):
            known = node.id in self.names and node.id not in bound
            return self.value(node, bound) if known and isinstance(node.ctx, gast.Load) else node
        if isinstance(node, Scope):
            self.fields(node.args, bound, ("defaults", "kw_defaults"))
            if not isinstance(node, gast.Lambda):
                self.fields(node, bound, ("decorator_list",))
            body = [node.body] if isinstance(node, gast.Lambda) else node.body
            own = {p.id for p in parameters(node.args)} | set(bound_names(body))
            self.fields(node, bound | (own - set(declared_elsewhere(body))), ("body",))
            return node
        if isinstance(node, Comprehension):
            for generator in node.generators:
                self.fields(generator, bound, ("iter",))
                names = gast.walk(generator.target)
                bound = bound | {n.id for n in names if isinstance(n, gast.Name)}
                self.fields(generator, bound, ("ifs",))
            self.fields(node, bound, ("elt", "key", "value"))
            return node
        if isinstance(node, gast.ClassDef):
            self.fields(node, bound, ("bases", "keywords", "decorator_list"))
            within = bound | set(bound_names(node.body))
            for k, s in enumerate(node.body):
                if isinstance(s, gast.FunctionDef | gast.AsyncFunctionDef):
                    self.fields(s.args, within, ("defaults", "kw_defaults"))
                    self.fields(s, within, ("decorator_list",))
                    own = {p.id for p in parameters(s.args)} | set(bound_names(s.body))
                    own -= set(declared_elsewhere(s.body))
                    self.fields(s, bound | own, ("body",))  # it does not see the names of a class
                else:
                    made = self.visit(s, within)
                    assert isinstance(made, gast.stmt)
                    node.body[k] = made
            return node
        if isinstance(node, gast.Call):
            runs = callee_name(node, self.makers)
            if runs in self.names and runs not in bound:
                self.fields(node, bound, ("args", "keywords"))
                return self.call(node, bound)
        self.fields(node, bound, node._fields)
        return node

    def fields(self, node: gast.AST, bound: frozenset[str], names: Iterable[str]) -> None:
        for name in names:
            old = getattr(node, name, None)
            if isinstance(old, list):
                old[:] = [self.visit(v, bound) if isinstance(v, gast.AST) else v for v in old]
            elif isinstance(old, gast.AST):
                setattr(node, name, self.visit(old, bound))
