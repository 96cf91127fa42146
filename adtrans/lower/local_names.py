"""Which names are local where: those of a function, and of the scopes inside of it.

A name means something from outside only where no function around it binds it, by Python's rules:
parameters, what is assigned, the variables of comprehensions, `global` and `nonlocal`. Names of a
class body are seen in that body, not in the functions there.

>>> node = gast.parse("def f(x):\\n    g = lambda quad: quad(x)\\n    return g(quad(x))").body[0]
>>> names = LocalNames(node)
>>> sorted((n.lineno, names.is_local(n.func)) for n in gast.walk(node) if isinstance(n, gast.Call))
[(2, True), (3, False), (3, True)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

import gast

from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    in_scope,
    names_bound_in,
    nodes_in,
    parameters,
    parts,
)  # fmt: skip

_INNER = (*Scope, *Comprehension, gast.ClassDef)


class LocalNames:
    """The names that are local at the places of a function, as its tree is when this is made.

    `own`: those of the function itself. A node that is not in the tree, such as a copy, counts as
    local where any scope inside has such a name.
    """

    def __init__(self, node: gast.FunctionDef | gast.Lambda) -> None:
        self.node = node
        self.own = {p.id for p in parameters(node.args)} | _bound(node)

    def is_local(self, node: gast.Name) -> bool:
        """Whether a name is that of a variable here: of the function, or of a scope inside."""
        return node.id in self.own or self.is_of_inner(node)

    def is_of_inner(self, node: gast.Name) -> bool:
        """Whether a name that the function itself does not bind is bound by a scope around it."""
        if node.id not in self.inner:
            return False
        found = self._places.get(id(node))
        return found is None or found[1]

    @cached_property
    def inner(self) -> frozenset[str]:
        """The names that scopes inside bind, or declare."""
        found: set[str] = set()
        for n in self._scopes:
            found |= _names_of(n) | _declared(n, gast.Global)
        return frozenset(found)

    @cached_property
    def _scopes(self) -> list[gast.AST]:
        return [n for n in nodes_in(self.node) if isinstance(n, _INNER) and n is not self.node]

    @cached_property
    def _places(self) -> dict[int, tuple[gast.AST, bool]]:
        """For each name that may be one of a scope inside whether it is local. The nodes are held,
        so that no other ones get their identities."""
        found: dict[int, tuple[gast.AST, bool]] = {}
        root = frozenset(self.own)
        for n in self._scopes:  # a global that a function inside binds does not stay what it is
            root |= _declared(n, gast.Global) & _bound(n)
        waiting: list[tuple[gast.AST, frozenset[str], frozenset[str]]]
        body = self.node.body
        waiting = [(p, root, root) for p in (body if isinstance(body, list) else [body])]
        while waiting:  # with the names that are local there, and to functions defined there
            node, here, seen = waiting.pop()
            if isinstance(node, gast.Name) and node.id in self.inner:
                found[id(node)] = node, node.id in here
            if not isinstance(node, _INNER):
                waiting += ((p, here, seen) for p in parts(node))
                continue
            outside, inside = _divided(node)
            inner = (seen - (_declared(node, gast.Global) - root)) | _names_of(node)
            waiting += ((p, here, seen) for p in outside)
            waiting += ((p, inner, seen if isinstance(node, gast.ClassDef) else inner)
                        for p in inside)  # fmt: skip
        return found

    def times(self) -> Mapping[str, int]:
        """How often each name is bound, in all scopes together. Without those that somewhere mean
        something from outside, are declared `global`, or are names of a class."""
        found: Counter[str] = Counter()
        left: set[str] = set()
        for n in nodes_in(self.node):
            if isinstance(n, gast.Name):
                if not isinstance(n.ctx, gast.Load):
                    found[n.id] += 1
                elif not self.is_local(n):
                    left.add(n.id)
            elif n is not self.node:
                found.update(names_bound_in(n))
            if isinstance(n, gast.Global):
                left.update(n.names)
            elif isinstance(n, gast.ClassDef):
                left.update(_bound(n))
        return {name: k for name, k in found.items() if name not in left}


def _body(node: gast.AST) -> list[gast.AST]:
    body = getattr(node, "body", [])
    return [*body] if isinstance(body, list) else [body]


def _bound(node: gast.AST) -> set[str]:
    """What a scope binds, also where it is declared to be somebody else's."""
    if isinstance(node, Comprehension):
        targets = (n for g in node.generators for n in nodes_in(g.target))
        return {n.id for n in targets if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    return set(bound_names(_body(node), deleted=True))


def _names_of(node: gast.AST) -> set[str]:
    """The names of a scope itself."""
    if not isinstance(node, Scope):
        return _bound(node) - _declared(node, gast.Global, gast.Nonlocal)
    found = {p.id for p in parameters(node.args)} | _bound(node)
    return found - _declared(node, gast.Global, gast.Nonlocal)


def _declared(node: gast.AST, *forms: type[gast.Global | gast.Nonlocal]) -> set[str]:
    if isinstance(node, Comprehension):
        return set()
    return {name for n in in_scope(_body(node)) if isinstance(n, forms) for name in n.names}


def _divided(node: gast.AST) -> tuple[Iterable[gast.AST], Iterable[gast.AST]]:
    """The parts of a scope that are evaluated outside of it, and those inside."""
    if isinstance(node, Comprehension):
        first = node.generators[0].iter
        own = [p for p in parts(node) if not isinstance(p, gast.comprehension)]
        for g in node.generators:
            own += [p for p in parts(g) if p is not first]
        return [first], own
    body = {id(n) for n in _body(node)}
    outside = [p for p in parts(node) if id(p) not in body]
    return outside, _body(node)
