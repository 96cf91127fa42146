"""Globals that are assigned or written, as attributes of an object that stands for their module.

def step(x):                      def step(x):
    global count           =>         heat.count += 1
    count += 1                        heat.state[:] = x
    state[:] = x

From there on they are followed like the attributes of any other object from outside.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator

import gast

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.lower.replacing import Replacing, defined
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import (
    Scope,
    bound_names,
    declared_elsewhere,
    in_scope,
    mentioned,
    nodes_in,
    parameters,
)
from adtrans.source import MISSING, SourceFunction
from adtrans.source.made import made_functions
from adtrans.source.namespaces import Global, Globals, Written, name_of, namespace, place_of


def assigned_globals(source: SourceFunction) -> Iterator[Global]:
    """The globals that a function, or one inside it, assigns: names that it declares `global`, and
    attributes of modules."""
    table = source.fn.__globals__
    for n in nodes_in(source.node):
        if isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef):
            names = declared_elsewhere(n.body).items()
            own = {k for k, d in names if isinstance(d, gast.Global)}
            yield from (Global(table, name) for name in own & set(bound_names(n.body)))
        elif isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store):
            place = place_of(source.fn, gast.unparse(n)) if _is_dotted(n) else None
            if place is not None:
                yield Global(*place)


def _is_dotted(node: gast.AST) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def with_namespaces(source: SourceFunction, written: Written) -> SourceFunction:
    """The function with these globals as attributes; itself where it mentions none.

    Raises:
        CompileError: AD203, where it mentions one in a way that no attribute can stand for.
    """
    if not written:
        return source
    change = _Change(source, written)
    if not change.concerned(source.node):
        return source
    if isinstance(source.node, gast.AsyncFunctionDef):
        raise CompileError(_unlike(source, source.node))
    node = defined(copy.deepcopy(source.node), source.name)
    body: list[gast.stmt] = []
    for s in node.body:
        gone = isinstance(s, gast.Global)
        made = change.visit(s)
        assert isinstance(made, gast.stmt)
        if not (gone and isinstance(made, gast.Pass)):
            body.append(made)
    node.body = body or [nothing(node)]
    return made_functions(source, node, [], change.values)


class _Change(Replacing):
    def __init__(self, source: SourceFunction, written: Written) -> None:
        self.source, self.written = source, written
        self.values: dict[str, object] = {}
        self.taken = mentioned(source.node)
        self.local = [self.own(source.node)]

    def own(self, node: gast.AST) -> frozenset[str]:
        """The names that belong to a function."""
        if not isinstance(node, Scope):
            return frozenset()
        body: Iterable[gast.AST] = [node.body] if isinstance(node, gast.Lambda) else node.body
        own = {p.id for p in parameters(node.args)} | set(bound_names(body))
        elsewhere = declared_elsewhere(body)
        return frozenset(own - set(elsewhere))

    def concerned(self, node: gast.AST) -> bool:
        """Whether the names may be globals in question."""
        found = {self.place(n) for n in gast.walk(node)}
        return found != {None} or any(
            isinstance(n, gast.Global) and self.names(self.source.fn.__globals__) & {*n.names}
            for n in gast.walk(node)
        )

    def names(self, table: Globals) -> frozenset[str]:
        """The names in question in a module."""
        return self.written.get(id(table), (table, frozenset()))[1]

    def place(self, node: gast.AST) -> tuple[int, str] | None:
        """The global that an expression means."""
        parts: list[str] = []
        root = node
        while isinstance(root, gast.Attribute):
            parts.append(root.attr)
            root = root.value
        if not isinstance(root, gast.Name) or any(root.id in own for own in self.local):
            return None
        if isinstance(root.ctx, gast.Store | gast.Del) and not parts:
            table: Globals = self.source.fn.__globals__
            return (id(table), root.id) if root.id in self.names(table) else None
        found = place_of(self.source.fn, ".".join((root.id, *reversed(parts))))
        if found is None or found[1] not in self.names(found[0]):
            return None
        return id(found[0]), found[1]

    def attribute(self, node: gast.Name | gast.Attribute) -> gast.AST | None:
        """The attribute that stands for a global."""
        place = self.place(node)
        if place is None:
            return None
        table, names = self.written[place[0]]
        root = gast.Name(self.called(table, namespace(table, names)), gast.Load(), None, None)
        made = gast.Attribute(root, place[1], node.ctx)
        gast.copy_location(root, node)
        gast.copy_location(made, node)
        return made

    def called(self, table: Globals, value: object) -> str:
        """What the object with these globals is called here."""
        for name, known in self.values.items():
            if known is value:
                return name
        name = name_of(table)
        while name in self.taken or name in self.values or not self.free(name, value):
            name += "_globals"
        self.values[name] = value
        return name

    def free(self, name: str, value: object) -> bool:
        """Whether a name means nothing else in the function."""
        meaning = self.source.resolve(name)
        return meaning is MISSING or meaning is value

    def replacement(self, node: gast.AST) -> gast.AST | None:
        self.refuse_other_forms(node)
        match node:
            case gast.Name() | gast.Attribute():
                return self.attribute(node)
            case gast.Global():
                names = self.names(self.source.fn.__globals__)
                left = [n for n in node.names if n not in names]
                made: gast.AST = gast.Global(left) if left else gast.Pass()
                gast.copy_location(made, node)
                return made
            case gast.AnnAssign():
                self.generic_visit(node)
                node.simple = int(isinstance(node.target, gast.Name))
                return node
            case gast.FunctionDef() | gast.Lambda():
                self.local.append(self.own(node))
                self.generic_visit(node)
                self.local.pop()
                return node
            case _:
                return None

    def refuse_other_forms(self, node: gast.AST) -> None:
        """Refuses what binds one of the names in a place where no attribute can stand."""
        bound: list[str | None] = []
        match node:
            case gast.NamedExpr(target=gast.Name(id=name)):
                bound = [name]
            case gast.MatchAs(name=name) | gast.MatchStar(name=name):
                bound = [name]
            case gast.ExceptHandler(name=gast.Name(id=name)):
                bound = [name]
            case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
                bound = [name]
            case gast.Import() | gast.ImportFrom():
                bound = [*bound_names([node]), *(n.id for n in _names(node))]
            case gast.Delete(targets=targets):
                bound = [n.id for t in targets for n in _names(t) if isinstance(n.ctx, gast.Del)]
            case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
                bound = [n.id for g in node.generators for n in _names(g.target)]
            case gast.AsyncFunctionDef():
                bound = list(mentioned(node))
            case _:
                pass
        mine = self.names(self.source.fn.__globals__)
        if any(b in mine and not any(b in own for own in self.local) for b in bound):
            raise CompileError(_unlike(self.source, node))


def _names(node: gast.AST) -> list[gast.Name]:
    return [n for n in in_scope([node]) if isinstance(n, gast.Name)]


def _unlike(source: SourceFunction, node: gast.AST) -> Diagnostic:
    return Diagnostic(
        "AD203",
        "a global that is assigned elsewhere is used in this form",
        source.span(node),
        why="globals that are assigned are followed like attributes, which cannot stand here",
        fixes=[Fix("pass it as an argument, and return its new value")],
    )
