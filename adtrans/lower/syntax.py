"""Facts about syntax trees: which names they bind and read, and how operators are spelled.

>>> import gast
>>> tree = gast.parse("y = [k * x for k in ks if (n := k)]")
>>> bound_names(tree.body), list(free_names(tree))
({'y': None, 'n': None}, ['ks', 'x'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import gast

from adtrans.ir.effort import spend

BINARY = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//",
    gast.Mod: "%", gast.Pow: "**", gast.MatMult: "@", gast.BitAnd: "&", gast.BitOr: "|",
    gast.BitXor: "^", gast.LShift: "<<", gast.RShift: ">>",
}  # fmt: skip
UNARY = {gast.UAdd: "+", gast.USub: "-", gast.Invert: "~", gast.Not: "not"}
COMPARE = {
    gast.Eq: "==", gast.NotEq: "!=", gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=",
    gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in",
}  # fmt: skip

Scope = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_DIVIDED = frozenset({*Scope, gast.ClassDef, gast.comprehension})  # parts are their own
Comprehension = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def text_of(node: gast.AST) -> str:
    """The tree as source on one line."""
    return " ".join(gast.unparse(node).split())


def parameters(args: gast.arguments) -> list[gast.Name]:
    """All parameters in the order of the signature."""
    rest = [p for p in (args.vararg, args.kwarg) if p is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *rest]


def nodes_in(node: gast.AST) -> list[gast.AST]:
    """The node and all below it, from the outside in, without the marks of loads and stores."""
    found = [node]
    for n in found:  # which grows meanwhile
        if type(n) not in _LEAVES:
            found += parts(n)
    spend(len(found) / 16)
    return found


_MARKS = (gast.operator, gast.unaryop, gast.boolop, gast.cmpop, gast.expr_context)
_LEAVES = frozenset({gast.Constant, *(c for mark in _MARKS for c in mark.__subclasses__())})


def parts(node: gast.AST) -> list[gast.AST]:
    """What a node is made of, without the marks of loads and stores."""
    known = _PARTS.get(type(node))
    if known is not None:
        return known(node)
    found: list[gast.AST] = []
    own = vars(node)
    for name in _with_parts(node._fields):
        part = own.get(name)
        if type(part) is list:
            found += [p for p in part if isinstance(p, gast.AST)]
        elif isinstance(part, gast.AST):
            found.append(part)
    return found


_PARTS: dict[type, Callable[[Any], list[gast.AST]]] = {  # most nodes: this is asked all the time
    gast.Name: lambda n: [] if vars(n).get("annotation") is None else [n.annotation],
    gast.Constant: lambda n: [],
    gast.Attribute: lambda n: [n.value],
    gast.Subscript: lambda n: [n.value, n.slice],
    gast.Call: lambda n: [n.func, *n.args, *n.keywords],
    gast.keyword: lambda n: [n.value],
    gast.BinOp: lambda n: [n.left, n.op, n.right],
    gast.UnaryOp: lambda n: [n.op, n.operand],
    gast.Compare: lambda n: [n.left, *n.ops, *n.comparators],
    gast.Tuple: lambda n: [*n.elts],
    gast.Expr: lambda n: [n.value],
    gast.Assign: lambda n: [*n.targets, n.value],
    gast.AugAssign: lambda n: [n.target, n.op, n.value],
    gast.If: lambda n: [n.test, *n.body, *n.orelse],
    gast.For: lambda n: [n.target, n.iter, *n.body, *n.orelse],
}


@cache
def _with_parts(fields: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that may hold nodes: neither the marks of loads and stores nor mere strings."""
    return tuple(f for f in fields if f not in {"ctx", "id", "attr", "type_comment"})


def in_scope(nodes: Iterable[gast.AST]) -> Iterator[gast.AST]:
    """Every node that belongs to the same function: bodies of nested functions are left out."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if type(node) not in _LEAVES:
            waiting += (inner := _inner(node)[::-1])
            spend(len(inner) / 16)


def _inner(node: gast.AST) -> list[gast.AST]:
    """What of the parts of a node belongs to the function that the node belongs to."""
    if type(node) not in _DIVIDED:
        return parts(node)
    if isinstance(node, Scope):
        defaults: list[gast.AST] = [*node.args.defaults]
        defaults += (d for d in node.args.kw_defaults if d is not None)
        return defaults if isinstance(node, gast.Lambda) else [*defaults, *node.decorator_list]
    if isinstance(node, gast.ClassDef):
        return [*node.bases, *node.decorator_list]
    assert isinstance(node, gast.comprehension)
    return [node.iter, *node.ifs]  # its targets are its own


_BINDING = frozenset(
    {
        gast.Name, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Import,
        gast.ImportFrom, gast.MatchAs, gast.MatchStar, gast.MatchMapping,
    }
)  # fmt: skip


def bound_names(nodes: Iterable[gast.AST], *, deleted: bool = False) -> dict[str, None]:
    """The names that running `nodes` may bind, in textual order (an ordered set). `deleted`: those
    that it may unbind, too."""
    found: dict[str, None] = {}
    marks = (gast.Store, gast.Del) if deleted else gast.Store
    for node in in_scope(nodes):
        if type(node) not in _BINDING:
            continue  # most nodes: this is asked all the time
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, marks):
                found[node.id] = None
        elif isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            found[node.name] = None
        elif isinstance(node, gast.Import | gast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = None
        elif isinstance(node, gast.MatchAs | gast.MatchStar) and node.name:
            found[node.name] = None
        elif isinstance(node, gast.MatchMapping) and node.rest:
            found[node.rest] = None
    return found


def declared_elsewhere(nodes: Iterable[gast.AST]) -> dict[str, gast.Global | gast.Nonlocal]:
    """The names declared `global` or `nonlocal`."""
    found: dict[str, gast.Global | gast.Nonlocal] = {}
    for node in in_scope(nodes):
        if isinstance(node, gast.Global | gast.Nonlocal):
            found.update(dict.fromkeys(node.names, node))
    return found


def names_bound_in(node: gast.AST) -> set[str]:
    """The names that are no nodes of their own: of functions, imports, patterns."""
    match node:
        case gast.alias(name=name, asname=other):
            return {other or name.partition(".")[0]}
        case gast.MatchMapping(rest=str() as rest):
            return {rest}
        case _:
            found = getattr(node, "name", None)
            return {found} if isinstance(found, str) else set()


def bound_again(own: str, body: Iterable[gast.stmt]) -> bool:
    """Whether a name is bound in a function, or in one inside of it."""
    nodes = [n for s in body for n in gast.walk(s)]
    again = {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    return own in again.union(*map(names_bound_in, nodes), bound_names(body))


def own_names(node: gast.FunctionDef) -> set[str]:
    """The names that are local to a function: its parameters, and what its body binds."""
    return {p.id for p in parameters(node.args)} | set(bound_names(node.body))


def free_names(node: gast.AST, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """The names that `node` reads, those that inner scopes bind for themselves left out."""
    if isinstance(node, gast.Name):
        if not isinstance(node.ctx, gast.Store | gast.Param) and node.id not in bound:
            yield node.id
    elif isinstance(node, Scope):
        outer = [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
        if not isinstance(node, gast.Lambda):
            outer += node.decorator_list
        for part in outer:
            yield from free_names(part, bound)
        body: list[gast.AST] = [node.body] if isinstance(node, gast.Lambda) else [*node.body]
        own = {p.id for p in parameters(node.args)} | set(bound_names(body))
        inner = bound | (own - set(declared_elsewhere(body)))
        for statement in body:
            yield from free_names(statement, inner)
    elif isinstance(node, Comprehension):
        for generator in node.generators:
            yield from free_names(generator.iter, bound)
            bound = bound | {n.id for n in gast.walk(generator.target) if isinstance(n, gast.Name)}
            for condition in generator.ifs:
                yield from free_names(condition, bound)
        made = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
        for part in made:
            yield from free_names(part, bound)
    else:
        for child in gast.iter_child_nodes(node):
            yield from free_names(child, bound)


def binds_by_name(origin: object) -> frozenset[str]:
    """The names that a statement of the user's binds where it is written."""
    assert isinstance(origin, gast.AST)
    return frozenset(bound_names([origin]))


def mentioned(node: gast.AST) -> frozenset[str]:
    """Every identifier in the tree that a generated name could collide with."""
    found: set[str] = set()
    for n in nodes_in(node):
        if isinstance(n, gast.Name):
            found.add(n.id)
        elif isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            found.add(n.name)
        elif isinstance(n, gast.alias):
            found.add(n.asname or n.name.partition(".")[0])
        elif isinstance(n, gast.Global | gast.Nonlocal):
            found.update(n.names)
    return frozenset(found | set(bound_names([node])))


def leaves(body: Iterable[gast.stmt]) -> gast.stmt | None:
    """The first `return`, `break` or `continue` that leaves `body` from inside, if there is one."""

    def search(node: gast.AST, in_loop: bool) -> gast.stmt | None:
        if isinstance(node, gast.Return):
            return node
        if isinstance(node, gast.Break | gast.Continue) and not in_loop:
            return node
        if isinstance(node, (*Scope, gast.ClassDef, gast.expr)):
            return None
        for child in gast.iter_child_nodes(node):
            inside = in_loop or (
                isinstance(node, gast.For | gast.AsyncFor | gast.While) and child in node.body
            )
            found = search(child, inside)
            if found is not None:
                return found
        return None

    for statement in body:
        found = search(statement, False)
        if found is not None:
            return found
    return None


def breaks(body: Iterable[gast.stmt]) -> bool:
    """Whether a `break` in `body` leaves the loop that `body` belongs to."""
    return any(map(_breaks, body))


BLOCKS = ("body", "orelse", "finalbody")
PARTS = ("handlers", "cases")  # which have a body each


def map_bodies(s: gast.stmt, block: Callable[[list[gast.stmt]], list[gast.stmt]]) -> None:
    """Replaces the blocks of a compound statement, in textual order."""
    for name in s._fields:
        inner = getattr(s, name, None)
        if name in BLOCKS and isinstance(inner, list):
            setattr(s, name, block(inner))
        elif name in PARTS:
            for part in inner or ():
                part.body = block(part.body)


def own_fields(s: gast.stmt) -> list[str]:
    """The fields of a statement without its blocks."""
    return [name for name in s._fields if name not in (*BLOCKS, *PARTS)]


def _breaks(node: gast.AST) -> bool:
    match node:
        case gast.Break():
            return True
        case gast.For() | gast.AsyncFor() | gast.While():
            return breaks(node.orelse)
        case gast.expr() | gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
            return False
        case _:
            return any(map(_breaks, gast.iter_child_nodes(node)))


def falls(body: Iterable[gast.stmt]) -> bool:
    """Whether control may reach the end of `body`."""
    for node in body:
        match node:
            case gast.Return() | gast.Raise() | gast.Break() | gast.Continue():
                return False
            case gast.If():
                if not falls(node.body) and not falls(node.orelse):
                    return False
            case gast.While(test=gast.Constant(value=always)) if always and not breaks(node.body):
                return False
            case gast.For() | gast.While():
                if node.orelse and not breaks(node.body) and not falls(node.orelse):
                    return False
            case _:
                pass
    return True
