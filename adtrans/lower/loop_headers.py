"""Headers of `for` loops: `range`, `enumerate`, `zip`, `reversed` and plain iteration."""

from __future__ import annotations

import builtins

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import assignment_targets, expressions
from adtrans.lower.builder import Builder


def iteration(b: Builder, node: gast.expr) -> S.Iter:
    """What a loop runs over; what it needs is evaluated in front of the loop."""
    if isinstance(node, gast.Call) and not any(isinstance(a, gast.Starred) for a in node.args):
        meant = b.means(node.func)
        keywords = {k.arg: k.value for k in node.keywords}
        if meant is builtins.range and not keywords and 1 <= len(node.args) <= 3:
            parts = expressions.index_parts(b, node.args)
            zero, one = E.Const(0), E.Const(1)
            if len(parts) == 1:
                return S.Range(zero, parts[0], one)
            return S.Range(parts[0], parts[1], parts[2] if len(parts) == 3 else one)
        if meant is builtins.enumerate and 1 <= len(node.args) <= 2 and set(keywords) <= {"start"}:
            inner = iteration(b, node.args[0])
            start = node.args[1] if len(node.args) == 2 else keywords.get("start")
            first = E.Const(0) if start is None else expressions.index(b, start)
            return S.Enumerate(inner, first)
        strict = keywords.get("strict", gast.Constant(False, None))
        if meant is builtins.zip and node.args and set(keywords) <= {"strict"}:
            if isinstance(strict, gast.Constant):
                inners = tuple(iteration(b, a) for a in node.args)
                return S.Zip(inners, bool(strict.value))
        if meant is builtins.reversed and len(node.args) == 1 and not keywords:
            inner = iteration(b, node.args[0])
            if isinstance(inner, S.Range | S.Elements):
                return S.Reversed(inner)
    b.read_first(node)
    return S.Elements(expressions.variable(b, node))


def target(b: Builder, node: gast.AST, it: S.Iter | None = None) -> S.Target:
    """The variables that each iteration over `it` binds; other targets, and the tuples that have
    one name, are written first in the body."""
    match node:
        case gast.Name():
            return _whole(b, node.id, it, node)
        case gast.Tuple() | gast.List() if not any(isinstance(e, gast.Starred) for e in node.elts):
            parts = _parts(it, len(node.elts))
            return tuple(target(b, e, i) for e, i in zip(node.elts, parts, strict=True))
        case _:
            name = b.temp()
            made = _whole(b, name, it, node)
            assignment_targets.store(b, node, E.Name(name))
            return made


def _parts(it: S.Iter | None, count: int) -> tuple[S.Iter | None, ...]:
    """What the items of a tuple that an iteration gives run over."""
    match it:
        case S.Enumerate() if count == 2:
            return None, it.inner
        case S.Zip() if count == len(it.inners):
            return it.inners
        case _:
            return (None,) * count


def _whole(b: Builder, name: str, it: S.Iter | None, node: gast.AST) -> S.Target:
    """A name for all that an iteration gives: of `zip` and `enumerate` a tuple of the parts."""
    if not isinstance(it, S.Enumerate | S.Zip):
        return name
    inners = _parts(it, len(it.inners) if isinstance(it, S.Zip) else 2)
    names = [b.temp() for _ in inners]
    made = tuple(_whole(b, n, i, node) for n, i in zip(names, inners, strict=True))
    atoms = tuple(E.Name(n) for n in names)
    b.block.append(
        S.Pack(name, "tuple", atoms, site=b.site(), span=b.span(node), origin=b.origin)
    )
    return made
