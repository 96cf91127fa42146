"""Variables that closures bind, as attributes of an object that all of them share.

def make(start):                   def make(start):
    total = start                      cells = Cells()
    def add(v):                        cells.total = start
        nonlocal total         =>      def add(v):
        total = total + v                  cells.total = cells.total + v
        return total                       return cells.total
    return add                         return add

That is what Python itself does. `cells` is bound once, so that the function that captures it can be
an object (`closures`), and objects are followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from adtrans.lower.later import other_names
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment, nothing
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    declared_elsewhere,
    nodes_in,
    own_names,
    parameters,
)


def variables(node: gast.FunctionDef) -> frozenset[str]:
    """The variables of a function that may be attributes: bound by nothing but assignments and
    loops, the first of which surely comes before anything else is done with them."""
    given = {p.id for p in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    outside = declared_elsewhere(node.body)
    if any(isinstance(n, gast.ClassDef | gast.AsyncFunctionDef) for n in nodes_in(node)):
        return frozenset()
    found = {v for v in own_names(node) - {*outside} if v in given or _begins(node.body, v)}
    stores = {id(t) for n in nodes_in(node) for t in _assigned(n)}
    for n in nodes_in(node):
        match n:
            case gast.Name(id=v, ctx=gast.Store() | gast.Del()) if id(n) not in stores:
                found.discard(v)
            case gast.Global(names=names):
                found -= {*names}
            case _ if not isinstance(n, (gast.Name, gast.Nonlocal, *Scope)):
                found -= set(other_names(n))
    return frozenset(found - {f.name for f in nodes_in(node) if isinstance(f, gast.FunctionDef)})


def _begins(body: Sequence[gast.stmt], var: str) -> bool:
    """Whether the first statement of a block that mentions a variable assigns it. In a loop or a
    branch it may stand, too, where that is all that mentions the variable."""
    told = [s for s in body if _mentions(s, var)]
    if not told:
        return False
    first = told[0]
    named = [n for n in nodes_in(first) if isinstance(n, gast.Name) and n.id == var]
    if isinstance(first, gast.Assign):
        return len(named) == 1 and any(n in named for n in _assigned(first))
    if len(told) > 1 or not isinstance(first, gast.For | gast.While | gast.With | gast.If):
        return False
    blocks = [first.body, *([first.orelse] if isinstance(first, gast.If) else [])]
    inside = {id(n) for block in blocks for s in block for n in nodes_in(s)}
    if isinstance(first, gast.For) and any(n in named for n in _assigned(first)):
        return all(id(n) in inside or n in _assigned(first) for n in named)
    if not all(id(n) in inside for n in named):
        return False
    return all(_begins(b, var) for b in blocks if any(_mentions(s, var) for s in b))


def _mentions(s: gast.stmt, var: str) -> bool:
    return any(
        var in n.names if isinstance(n, gast.Nonlocal) else isinstance(n, gast.Name) and n.id == var
        for n in nodes_in(s)
    )


def _assigned(n: gast.AST) -> list[gast.AST]:
    """The names that an assignment or the header of a loop binds."""
    match n:
        case gast.Assign(targets=targets):
            return [t for top in targets for t in _targets(top)]
        case gast.AugAssign(target=target):
            return [target]
        case gast.For(target=target):
            return _targets(target)
        case _:
            return []


def _targets(target: gast.AST) -> list[gast.AST]:
    if isinstance(target, gast.Tuple):
        return [t for part in target.elts for t in _targets(part)]
    return [target]


def shared(node: gast.FunctionDef, names: frozenset[str], cells: str, cls: str) -> None:
    """Makes the variables `names` of a function attributes of the object `cells`, in place."""
    work = _Cells(names, cells)
    body = [work.statement(s) for s in node.body]
    first = node.body[0]
    made = gast.Call(name_node(cls, first), [], [])
    gast.copy_location(made, first)
    start: list[gast.stmt] = [assignment(name_node(cells, first, gast.Store()), made, first)]
    for p in parameters(node.args):
        if p.id in names:
            place = work.attribute(p.id, first, gast.Store())
            start.append(assignment(place, name_node(p.id, first), first))
    node.body = [*start, *body]


class _Cells:
    """Replaces the names, where they mean the variables."""

    def __init__(self, names: frozenset[str], cells: str) -> None:
        self.names, self.cells = names, cells

    def attribute(self, v: str, like: gast.AST, ctx: gast.expr_context) -> gast.Attribute:
        made = gast.Attribute(name_node(self.cells, like), v, ctx)
        gast.copy_location(made, like)
        return made

    def statement(self, s: gast.stmt) -> gast.stmt:
        made = self.visit(s, self.names)
        assert isinstance(made, gast.stmt)
        return made

    def visit(self, node: gast.AST, names: frozenset[str]) -> gast.AST:
        """`node` with attributes for the variables that `names` still mean there."""
        match node:
            case gast.Name(id=v, ctx=ctx):
                plain = v not in names or isinstance(ctx, gast.Param)
                return node if plain else self.attribute(v, node, ctx)
            case gast.Nonlocal():
                node.names = [n for n in node.names if n not in names]
                return node if node.names else nothing(node)
            case gast.FunctionDef() | gast.Lambda():
                self.fields(node.args, names, ("defaults", "kw_defaults"))
                body: list[gast.AST] = (
                    [node.body] if isinstance(node, gast.Lambda) else [*node.body]
                )
                own = {p.id for p in parameters(node.args)}
                own |= set(bound_names(body)) - set(declared_elsewhere(body))
                self.fields(node, names - own, ("body",))
                return node
            case _ if isinstance(node, Comprehension):
                for g in node.generators:
                    self.fields(g, names, ("iter",))
                    names -= {n.id for n in gast.walk(g.target) if isinstance(n, gast.Name)}
                    self.fields(g, names, ("ifs",))
                self.fields(node, names, ("elt", "key", "value"))
                return node
            case _:
                self.fields(node, names, node._fields)
                return node

    def fields(self, node: gast.AST, names: frozenset[str], which: Iterable[str]) -> None:
        for name in which:
            old = getattr(node, name, None)
            if isinstance(old, list):
                old[:] = [self.visit(v, names) if isinstance(v, gast.AST) else v for v in old]
            elif isinstance(old, gast.AST) and not isinstance(old, gast.expr_context):
                setattr(node, name, self.visit(old, names))
