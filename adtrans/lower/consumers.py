"""What is done with the elements while something is gone through, as far as it can be told.

A source may be read as a whole beforehand only where nobody can tell: what runs between two of its
elements must not change what it reads, and it must be gone through to its end.

for a, b in pairwise(x):        # `x` can be read before the loop:
    out.append(a * b)           # nothing of `x` is in `out`
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.builder import Builder
from adtrans.lower.makers import means_in
from adtrans.lower.purity import has_effects, makes_fresh, rule_of
from adtrans.lower.syntax import Scope, bound_names, mentioned, nodes_in
from adtrans.source import get_source

_GROWS = frozenset({"append", "extend"})
_STATEMENTS = (
    gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.If, gast.For, gast.While,
    gast.Pass, gast.Break, gast.Continue, gast.Return,
)  # fmt: skip
_LEAVES = gast.Break | gast.Return
_BINDS = (
    gast.Global | gast.Nonlocal | gast.Delete | gast.With | gast.AsyncWith | gast.ClassDef
    | gast.Import | gast.ImportFrom
)  # fmt: skip
_DEEP = 4


def undisturbed(b: Builder, source: gast.expr, lazy: bool) -> bool:
    """Whether all of `source` can be read before the first of its elements is used. `lazy`: its
    elements are made only when it is their turn."""
    if not b.consumers or any(c is None for c in b.consumers):
        return False
    nodes = [n for c in b.consumers if c is not None for n in c]
    if lazy:
        if changes(b, source):
            return False
        read = {n.id for n in gast.walk(source) if isinstance(n, gast.Name)}
        if read & set(bound_names(nodes)):
            return False
        if any(isinstance(n, _LEAVES) for c in nodes for n in gast.walk(c)):
            return False
    return all(_quiet(b, n, source) for n in nodes)


def changes(b: Builder, node: gast.AST) -> bool:
    """Whether evaluating an expression may do something that is seen elsewhere."""
    return _acts(b.means, node, 0)


def _acts(means: Callable[[gast.AST], object], node: gast.AST, depth: int) -> bool:
    for n in nodes_in(node):
        if isinstance(n, gast.NamedExpr | gast.Await | gast.Yield | gast.YieldFrom):
            return True
        if not isinstance(n, gast.Call):
            continue
        fn = means(n.func)
        if getattr(fn, "__module__", None) == "itertools" or fn in (map, filter):
            continue
        looks = SimpleNamespace(means=means)
        bare = gast.Call(n.func, [gast.Name("_", gast.Load(), None, None) for _ in n.args], [])
        bare.keywords = [gast.keyword(k.arg, gast.Constant(None, None)) for k in n.keywords]
        rule = rule_of(fn) if callable(fn) else None
        told = rule is not None and (rule.impure or rule.custom is not None)
        if (told or has_effects(looks, bare)) and not _computes(fn, depth):  # type: ignore[arg-type]  # only `means` is asked
            return True
    return False


def _computes(fn: object, depth: int) -> bool:
    """Whether a function of the user's only computes: it binds names of its own, nothing else."""
    if not isinstance(fn, types.FunctionType) or depth > _DEEP:
        return False
    try:
        source = get_source(fn)
    except CompileError:
        return False
    node = source.node
    if isinstance(node, gast.AsyncFunctionDef):
        return False
    means = means_in(node, source)
    for n in nodes_in(node):
        if isinstance(n, _BINDS | gast.AugAssign) or (n is not node and isinstance(n, Scope)):
            return False
        if isinstance(n, gast.Subscript | gast.Attribute) and not isinstance(n.ctx, gast.Load):
            return False
    body = node.body if isinstance(node.body, list) else [node.body]
    return not any(_acts(means, s, depth + 1) for s in body)


def _quiet(b: Builder, node: gast.AST, source: gast.expr) -> bool:
    """Whether nothing that `node` does can change what `source` reads."""
    if not isinstance(node, gast.stmt):
        return not changes(b, node)
    if not isinstance(node, _STATEMENTS):
        return False
    match node:
        case gast.Expr(
            value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) as call
        ) if attr in _GROWS:
            given = (*call.args, *(k.value for k in call.keywords))
            return not any(changes(b, a) for a in given) and _apart(b, name, source)
        case gast.AugAssign(target=gast.Name(id=name)):
            if not (_is_number(b, name) or _apart(b, name, source)):
                return False
        case _:
            pass
    for target in _targets(node):
        for n in gast.walk(target):
            if isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load):
                return False
            if isinstance(n, gast.Subscript) and not isinstance(n.ctx, gast.Load):
                if not isinstance(n.value, gast.Name) or not _apart(b, n.value.id, source):
                    return False
    return all(_quiet(b, n, source) for n in gast.iter_child_nodes(node))


def _targets(node: gast.stmt) -> Sequence[gast.AST]:
    match node:
        case gast.Assign(targets=targets):
            return targets
        case gast.AugAssign(target=target) | gast.AnnAssign(target=target):
            return [target]
        case gast.For(target=target):
            return [target]
        case _:
            return []


def _values_of(b: Builder, name: str) -> list[gast.AST] | None:
    """All that a variable of the function is bound to; None where that cannot be told."""
    node = b.source.node
    found: list[gast.AST] = []
    times = 0
    for n in nodes_in(node):
        if isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load):
            times += 1
        match n:
            case gast.Assign(targets=targets, value=value):
                found += [value for t in targets if isinstance(t, gast.Name) and t.id == name]
            case gast.AugAssign(target=gast.Name(id=v), value=value) if v == name:
                found.append(gast.BinOp(value, gast.Add(), value))
            case _:
                pass
    return found if found and times == len(found) and name not in b.captured else None


def _is_number(b: Builder, name: str) -> bool:
    """Whether `+=` of a variable rebinds it, or writes to memory of its own."""
    values = _values_of(b, name)
    made = gast.Constant | gast.BinOp | gast.UnaryOp
    return values is not None and all(isinstance(v, made) for v in values)


def _apart(b: Builder, name: str, source: gast.expr) -> bool:
    """Whether what a variable holds was made in the function, and nothing that `source` reads holds
    it or looks into it."""
    values = _values_of(b, name)
    if values is None or not all(_is_fresh(b, v) for v in values):
        return False
    known = mentioned(b.source.node)
    read = {n.id for n in gast.walk(source) if isinstance(n, gast.Name)}
    return read <= known and name not in _reached(b, read)


def _is_fresh(b: Builder, node: gast.AST) -> bool:
    match node:
        case gast.Constant() | gast.BinOp() | gast.UnaryOp() | gast.ListComp():
            return True
        case gast.List() | gast.Tuple() | gast.Dict():
            return True
        case gast.Call(func=fn):
            meant = b.means(fn)
            rule = rule_of(meant) if callable(meant) else None
            return rule is not None and makes_fresh(rule) and not has_effects(b, node)
        case _:
            return False


def _reached(b: Builder, names: Iterable[str]) -> set[str]:
    """The variables that these may hold something of."""
    puts: list[tuple[set[str], set[str]]] = []
    for n in nodes_in(b.source.node):
        match n:
            case gast.Assign(targets=targets, value=value):
                puts += [(_names(t), _names(value)) for t in targets]
            case gast.AugAssign(target=target, value=value):
                puts.append((_names(target), _names(value)))
            case gast.AnnAssign(target=target, value=gast.expr() as value):
                puts.append((_names(target), _names(value)))
            case gast.NamedExpr(target=target, value=value):
                puts.append((_names(target), _names(value)))
            case gast.For(target=target, iter=value) | gast.comprehension(
                target=target, iter=value
            ):
                puts.append((_names(target), _names(value)))
            case gast.withitem(optional_vars=gast.expr() as target, context_expr=value):
                puts.append((_names(target), _names(value)))
            case gast.Match(subject=value):
                bound = {v for c in n.cases for v in bound_names([c])}
                puts.append((bound, _names(value)))
            case gast.Call() if changes(b, n):
                every = _names(n)
                puts.append((every, every))
            case _:
                pass
    found = set(names)
    while True:
        more = {v for into, out in puts if into & found for v in out} - found
        if not more:
            return found
        found |= more


def _names(node: gast.AST) -> set[str]:
    return {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}
