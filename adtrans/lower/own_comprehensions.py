"""Dictionaries made anew in a loop beside a derivative, by a function of their own.

for _ in range(n):
    g = ad.grad(loss)(p)
    p = {k: p[k] - r * g[k] for k in p}   ->   p = (lambda p, r, g: {k: ... for k in p})(p, r, g)

Which keys there are is known of what a function is given, whatever each of them holds: parameters
that are arrays and numbers stay what they are.
"""

from __future__ import annotations

import copy
from dataclasses import replace

import gast

from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import defined
from adtrans.lower.surely_bound import SurelyBound
from adtrans.lower.syntax import Scope, bound_names, free_names, map_bodies, nodes_in
from adtrans.rules import is_maker
from adtrans.rules.entry_points import inner_mode
from adtrans.source import SourceFunction

_NOT_INSIDE = (*Scope, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)


def with_own_comprehensions(source: SourceFunction) -> SourceFunction:
    """The function with such dictionaries rewritten; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    local = LocalNames(node)

    def derives(n: gast.AST) -> bool:
        meant = meaning(n.func, source, local) if isinstance(n, gast.Call) else None
        return meant is not None and (is_maker(meant) or inner_mode(meant) is not None)

    every = list(nodes_in(node))
    if not any(isinstance(n, gast.DictComp) for n in every) or not any(map(derives, every)):
        return source
    made = defined(copy.deepcopy(node), source.name)
    work = _Work(LocalNames(made), SurelyBound(made))
    work.block(made.body)
    if not work.changed:
        return source
    work.everywhere = True  # what is made before the loop has the same keys
    made.body = work.block(made.body)
    return replace(source, node=made)


class _Work:
    """Rewrites the assignments of dictionaries that a loop makes of the ones before."""

    def __init__(self, local: LocalNames, bound: SurelyBound) -> None:
        self.local, self.bound, self.changed = local, bound, False
        self.rebound: frozenset[str] = frozenset()  # what the loops around bind
        self.everywhere = False

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        for s in body:
            if isinstance(s, (*Scope, gast.ClassDef)):
                continue
            before = self.rebound
            if isinstance(s, gast.For | gast.While):
                self.rebound |= frozenset(bound_names(s.body))
            map_bodies(s, self.block)
            self.rebound = before
            match s:
                case gast.Assign(targets=[gast.Name()], value=gast.DictComp() as comp) if (
                    self.is_remade(comp, s)
                ):
                    s.value = self.of_its_own(comp)
                    self.changed = True
                case _:
                    pass
        return body

    def is_remade(self, comp: gast.DictComp, s: gast.stmt) -> bool:
        """Whether a comprehension goes over a dictionary that a loop around binds anew, and needs
        nothing that may be unbound."""
        first = comp.generators[0].iter
        if isinstance(first, gast.Call) and isinstance(first.func, gast.Attribute):
            first = first.func.value if first.func.attr in ("items", "keys") else first
        if not isinstance(first, gast.Name) or first.id not in self.local.own:
            return False
        if first.id not in self.rebound and not self.everywhere:
            return False
        if len(comp.generators) > 1 or any(isinstance(n, _NOT_INSIDE) for n in gast.walk(comp)):
            return False
        return all(self.bound.at(s, name) for name in self.given(comp))

    def given(self, comp: gast.expr) -> list[str]:
        """The variables that a comprehension needs, in order."""
        return [*dict.fromkeys(n for n in free_names(comp) if n in self.local.own)]

    def of_its_own(self, comp: gast.DictComp) -> gast.expr:
        names = self.given(comp)
        params = [name_node(n, comp, gast.Param()) for n in names]
        formal = gast.arguments(params, [], None, [], [], None, [])
        call = gast.Call(gast.Lambda(formal, comp), [name_node(n, comp) for n in names], [])
        for n in gast.walk(call):
            if not hasattr(n, "lineno"):
                gast.copy_location(n, comp)
        return call
