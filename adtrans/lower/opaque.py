"""Expressions kept as written: f-strings, comprehensions, lambdas, dictionaries, starred calls.

Calls of unknown functions inside an f-string are lifted out in front of it, so that their effects
on arrays are seen; other such expressions become a statement that is kept as a whole.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, walk
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.purity import has_effects
from adtrans.lower.syntax import Scope, free_names, nodes_in, text_of

ALL = "*"


def name_node(name: str, like: gast.AST, ctx: gast.expr_context | None = None) -> gast.Name:
    """A tree for a variable, placed like another tree."""
    node = gast.Name(name, ctx or gast.Load(), None, None)
    gast.copy_location(node, like)
    return node


def verbatim(b: Builder, node: gast.AST) -> E.Verbatim:
    """`node` as it is."""
    return E.Verbatim(text_of(node), b.reads(node), node)


def value(b: Builder, node: gast.expr, target: str | None) -> S.Atom:
    """Evaluates an expression that carries no derivative."""
    if isinstance(node, gast.JoinedStr):
        node = _with_sizes(b, node)
        if has_effects(b, node):
            node = _formatted(b, node)
    if has_effects(b, node):
        return assign(b, node, target)
    return b.bind(target or b.temp(), verbatim(b, node), node)


def assign(b: Builder, node: gast.expr, target: str | None) -> S.Atom:
    """Evaluates an expression that is not understood, in a statement that is kept as a whole."""
    result = target or b.temp()
    statement = gast.Assign([name_node(result, node, gast.Store())], node, None)
    gast.copy_location(statement, node)
    binds = tuple(dict.fromkeys((*b.binds(node), result)))
    b.keep(statement, reads=b.reads(node), binds=binds, supported=False)
    return E.Name(result)


def is_text(e: E.Verbatim) -> bool:
    """Whether an expression that is kept is an f-string."""
    return isinstance(e.node, gast.JoinedStr)


def is_display(e: E.Verbatim) -> bool:
    """Is it a tuple or a list that is written out, as `*place, 1`?"""
    return isinstance(e.node, gast.Tuple | gast.List)


def seen_later(s: S.Stmt) -> Iterator[str]:
    """The variables that closures and generators see which a statement makes and nobody follows."""
    if isinstance(s, S.Keep):
        if _closes(s.node):
            yield from s.reads
        return
    for e in operands(s):
        for sub in walk(e) if not E.is_atom(e) else ():
            if isinstance(sub, E.Verbatim) and _closes(sub.node):
                yield from sub.reads


def _closes(node: object) -> bool:
    return isinstance(node, gast.AST) and any(
        isinstance(n, (*Scope, gast.ClassDef, gast.GeneratorExp)) for n in nodes_in(node)
    )


_CHANGING = frozenset({
    "append", "extend", "insert", "pop", "popitem", "remove", "clear", "update", "setdefault",
    "sort", "reverse", "fill", "put", "resize", "partition", "itemset", "add", "discard",
})  # fmt: skip
_CHANGING_FIRST = frozenset({"copyto", "put", "place", "putmask", "at", "shuffle", "fill_diagonal"})


def written_inside(s: S.Stmt) -> Iterator[tuple[str, gast.AST]]:
    """The variables whose contents closures change which a statement makes and nobody follows, each
    with the closure."""
    kept = [s.node] if isinstance(s, S.Keep) else []
    kept += [e.node for o in operands(s) for e in walk(o) if isinstance(e, E.Verbatim)]
    for tree in kept:
        for n in nodes_in(tree) if isinstance(tree, gast.AST) else ():
            if isinstance(n, (*Scope, gast.ClassDef)):
                seen = set(free_names(n))
                yield from ((v, n) for part in nodes_in(n) for v in _changed(part) if v in seen)


def _changed(n: gast.AST) -> Iterator[str]:
    """The variables whose contents an expression or a target changes."""
    match n:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=v), attr=attr)) if attr in _CHANGING:
            yield v
        case gast.Call(func=gast.Attribute(attr=attr), args=[gast.Name(id=v), *_]) if (
            attr in _CHANGING_FIRST
        ):
            yield v
        case gast.keyword(arg="out", value=gast.Name(id=v)):
            yield v
        case gast.Subscript(ctx=gast.Store() | gast.Del()) | gast.Attribute(
            ctx=gast.Store() | gast.Del()
        ):
            base: gast.AST = n
            while isinstance(base, gast.Subscript | gast.Attribute):
                base = base.value
            if isinstance(base, gast.Name):
                yield base.id


def bound_outside(s: S.Keep) -> set[str]:
    """The variables of the function that a definition declares `nonlocal`."""
    if not isinstance(s.node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        return set()
    return {v for n in nodes_in(s.node) if isinstance(n, gast.Nonlocal) for v in n.names}


def assigned_attribute(s: S.Stmt) -> tuple[str, str, S.Atom | None] | None:
    """Variable, attribute and value of `v.attr = value` of an object that is not followed; no value
    where that is no atom."""
    match s:
        case S.Keep(
            node=gast.Assign(targets=[gast.Attribute(value=gast.Name(), attr=attr)], value=value),
            reads=(base, *others),
        ):
            if isinstance(value, gast.Constant):
                return base, attr, E.Const(value.value)
            named = isinstance(value, gast.Name) and len(others) == 1
            return base, attr, E.Name(others[0]) if named else None
        case _:
            return None


def kept_attribute(s: S.SetAttr, name: Callable[[str], str]) -> S.Keep:
    """`obj.a = v` of an object that is not followed. `name`: what variables are called."""

    def atom(e: S.Atom) -> gast.expr:
        (tree,) = gast.parse(E.text(E.Name(name(e.id)) if isinstance(e, E.Name) else e)).body
        assert isinstance(tree, gast.Expr)
        return tree.value

    target = gast.Attribute(atom(s.base), s.attr, gast.Store())
    statement: gast.stmt = gast.Assign([target], atom(s.value), None)
    if s.frozen:
        call = f"object.__setattr__({E.text(s.base)}, {s.attr!r}, {E.text(s.value)})"
        statement = gast.parse(call.replace("@", "_at_")).body[0]
        parts = atom(s.base), gast.Constant(s.attr, None), atom(s.value)
        assert isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call)
        statement.value.args = list(parts)
    where = gast.parse("\n" * (s.span.line - 1) + "0").body[0]
    for node in (target, statement):
        gast.copy_location(node, where)
    reads = tuple(e.id for e in (s.base, s.value) if isinstance(e, E.Name))
    return S.Keep(
        text_of(statement),
        reads,
        (),
        statement,
        "unsupported",
        site=s.site,
        span=s.span,
        origin=s.origin,
    )


def _parsed(text: str, place: S.Place) -> gast.stmt:
    (node,) = gast.parse("\n" * (place["span"].line - 1) + text).body
    return node


def assigned_attributes(s: S.Keep) -> set[str]:
    """The attributes that a statement which is kept may assign, of whatever object; with `ALL`
    among them where it may be any."""
    found: set[str] = set()
    if not isinstance(s.node, gast.AST):
        return found
    nodes = list(gast.walk(s.node))
    for node in nodes:
        if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load):
            found.add(node.attr)
        named = getattr(node, "id", getattr(node, "attr", None))
        if named in ("setattr", "__setattr__", "__dict__", "vars"):
            words = {n.value for n in nodes if isinstance(n, gast.Constant)}
            found |= {w for w in words if isinstance(w, str)} or {ALL}
    return found


def printed_into(s: S.Keep) -> list[str]:
    """The files of `print(..., file=...)`."""
    match s.node:
        case gast.Expr(value=gast.Call(func=gast.Name(id="print"), keywords=keywords)):
            files = (k.value for k in keywords if k.arg == "file")
            return [f.id for f in files if isinstance(f, gast.Name)]
        case _:
            return []


def attributes_in(node: object, stored: bool = False) -> Iterator[str]:
    """The attributes that code reads, or those that it assigns."""
    context = gast.Store if stored else gast.Load
    for n in nodes_in(node) if isinstance(node, gast.AST) else ():
        if isinstance(n, gast.Attribute) and isinstance(n.ctx, context):
            yield n.attr


def shown_in(node: object) -> Iterator[str]:
    """The variables that stand as they are in the f-strings of an expression."""
    for n in nodes_in(node) if isinstance(node, gast.AST) else ():
        if isinstance(n, gast.FormattedValue) and isinstance(n.value, gast.Name):
            yield n.value.id


def settle(b: Builder, nodes: list[gast.expr]) -> list[gast.expr]:
    """Expressions evaluated in turn, up to the last one with effects; the others stay."""
    last = max((k for k, n in enumerate(nodes) if has_effects(b, n)), default=-1)
    return [
        _evaluated(b, n) if k <= last and not isinstance(n, gast.Constant) else n
        for k, n in enumerate(nodes)
    ]


def _evaluated(b: Builder, node: gast.expr) -> gast.expr:
    if isinstance(node, gast.Starred):
        starred = gast.Starred(_evaluated(b, node.value), gast.Load())
        gast.copy_location(starred, node)
        return starred
    atom = expressions.value(b, node)
    return name_node(atom.id, node) if isinstance(atom, E.Name) else node


def _with_sizes(b: Builder, node: gast.JoinedStr) -> gast.JoinedStr:
    """An f-string that reads the sizes of arrays from variables: it does not depend on the arrays.

    f"{x.shape} and {y}"    ->    t = x.shape; f"{t} and {y}"
    """
    parts: list[gast.expr] = []
    for part in node.values:
        if isinstance(part, gast.FormattedValue) and _is_size(part.value):
            part = copy.copy(part)
            part.value = _evaluated(b, part.value)
        parts.append(part)
    if parts == node.values:
        return node
    whole = gast.JoinedStr(parts)
    gast.copy_location(whole, node)
    return whole


def _is_size(node: gast.expr) -> bool:
    """Whether an expression is a size of a variable: `len(x)`, `x.ndim`, `x.shape[0]`."""
    if isinstance(node, gast.Subscript):
        return _is_size(node.value) and isinstance(node.slice, gast.Constant)
    if isinstance(node, gast.Call):
        called = isinstance(node.func, gast.Name) and node.func.id == "len" and not node.keywords
        return called and len(node.args) == 1 and isinstance(node.args[0], gast.Name)
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        return node.attr in ("shape", "ndim", "size", "dtype")
    return False


def _formatted(b: Builder, node: gast.JoinedStr) -> gast.JoinedStr:
    """An f-string whose calls are done: each field up to the last call becomes a string first."""
    last = max(k for k, part in enumerate(node.values) if has_effects(b, part))
    parts: list[gast.expr] = []
    with b.at(node):
        for k, part in enumerate(node.values):
            if k > last or not isinstance(part, gast.FormattedValue):
                parts.append(part)
                continue
            if part.format_spec is not None and has_effects(b, part.format_spec):
                parts.append(part)
                continue
            field = copy.copy(part)
            field.value = _evaluated(b, part.value)
            text = gast.JoinedStr([field])
            gast.copy_location(text, node)
            made = b.bind(b.temp(), verbatim(b, text), node)
            plain = gast.FormattedValue(name_node(made.id, node), -1, None)
            gast.copy_location(plain, node)
            parts.append(plain)
    whole = gast.JoinedStr(parts)
    gast.copy_location(whole, node)
    return whole


def without_deleted(s: S.Keep, gone: AbstractSet[str]) -> S.Keep | None:
    """`s` without the deletion of names in `gone`, which do not exist any more; None if that was
    all."""
    if not gone & {*s.unbinds}:
        return s
    assert isinstance(s.node, gast.Delete)
    left = [k for k, v in enumerate(s.unbinds) if v not in gone]
    if not left:
        return None
    targets = [s.node.targets[k] for k in left]
    unbinds = tuple(s.unbinds[k] for k in left)
    return replace(s, node=gast.Delete(targets), unbinds=unbinds, origin=0)
