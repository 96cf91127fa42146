"""Assignments: names, subscripts, tuples of targets, chained and augmented forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import comprehensions, expressions, partial_calls
from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.purity import has_effects
from adtrans.lower.syntax import BINARY, bound_names, free_names

Displays: TypeAlias = "gast.Tuple | gast.List"


def assign(b: Builder, node: gast.Assign) -> None:
    """`target = ... = value`: the value first, then the targets from left to right."""
    first, *rest = node.targets
    if not rest and isinstance(first, gast.Tuple | gast.List) and _matches(first, node.value):
        assert isinstance(node.value, gast.Tuple | gast.List)
        _pairwise(b, first, node.value)
        return
    if not rest and isinstance(first, gast.Name):
        if partial_calls.keep_partial(b, first.id, node.value):
            return
    if isinstance(first, gast.Tuple | gast.List):
        b.read_first(node.value)
        generator = comprehensions.generator(b, node.value)
        if generator is not None:  # as many elements as there are targets
            store(b, first, comprehensions.listed(b, generator))
            for target in rest:
                b.report(
                    "AD202",
                    "a generator is assigned to several targets",
                    target,
                    why="the first one uses it up",
                    fix="assign a list",
                )
            return
    if isinstance(first, gast.Name) and first.id not in b.volatile:
        atom: S.Atom = expressions.value(b, node.value, first.id)
        b.forget()
        atom = E.Name(first.id)
    else:
        atom = expressions.value(b, node.value)
        store(b, first, atom)
    for target in rest:
        store(b, target, atom)


def store(b: Builder, target: gast.AST, atom: S.Atom) -> None:
    """Binds or writes one target."""
    match target:
        case gast.Name():
            b.assign(target.id, atom, target)
            b.forget()
        case gast.Subscript():
            base = expressions.variable(b, target.value)
            where = expressions.items(b, target.slice)
            b.block.append(
                S.Store(base, where, atom, site=b.site(), span=b.span(target), origin=b.origin)
            )
            b.forget()
        case gast.Attribute():
            owner = expressions.value(b, target.value)
            b.set_attribute(owner, target.attr, atom, target)
        case gast.Tuple() | gast.List():
            unpack(b, target.elts, atom, target)
        case _:
            _verbatim(b, target, atom)


def unpack(b: Builder, targets: Sequence[gast.AST], atom: S.Atom, node: gast.AST) -> None:
    """`targets = atom`, one level at a time."""
    source = atom.id if isinstance(atom, E.Name) else b.bind(b.temp(), atom, node).id
    star = next((k for k, t in enumerate(targets) if isinstance(t, gast.Starred)), None)
    targets = [t.value if isinstance(t, gast.Starred) else t for t in targets]
    names = [t.id if isinstance(t, gast.Name) else b.temp() for t in targets]
    if len({*names, source}) <= len(names):  # a, a = pair, or a, b = a
        names = [b.temp() for _ in targets]
    b.block.append(
        S.Unpack(tuple(names), source, star, site=b.site(), span=b.span(node), origin=b.origin)
    )
    b.forget()
    for target, name in zip(targets, names, strict=True):
        if not (isinstance(target, gast.Name) and target.id == name):
            store(b, target, E.Name(name))


def _matches(target: gast.AST, value: gast.AST) -> bool:
    """Whether a display is assigned to a display, item by item."""
    return (
        isinstance(target, gast.Tuple | gast.List)
        and isinstance(value, gast.Tuple | gast.List)
        and len(target.elts) == len(value.elts)
        and not _starred(target)
        and not _starred(value)
    )


def _starred(node: Displays) -> bool:
    return any(isinstance(e, gast.Starred) for e in node.elts)


def _pairwise(b: Builder, targets: Displays, values: Displays) -> None:
    if _independent(b, targets.elts, values.elts):
        for target, v in zip(targets.elts, values.elts, strict=True):
            assert isinstance(target, gast.Name)
            expressions.value(b, v, target.id)
            b.forget()
        return
    bound: set[str] = set()
    atoms: list[S.Atom] = []
    for target, v in zip(targets.elts, values.elts, strict=True):
        atom = expressions.value(b, v)
        if isinstance(atom, E.Name) and atom.id in bound:
            atom = b.alias(b.temp(), atom.id, v)  # an earlier target rebinds it
        atoms.append(atom)
        bound.update(bound_names([target]))
    for target, atom in zip(targets.elts, atoms, strict=True):
        store(b, target, atom)


def _independent(b: Builder, targets: list[gast.expr], values: list[gast.expr]) -> bool:
    """Whether each value may be computed straight into its target."""
    names = [t.id for t in targets if isinstance(t, gast.Name)]
    if len(names) < len(targets) or len(set(names)) < len(names) or b.volatile or b.guarded:
        return False
    if not b.captured.isdisjoint(names):
        return False
    return all(
        name not in set(free_names(later))
        for k, name in enumerate(names)
        for later in values[k + 1 :]
    )


def _verbatim(b: Builder, target: gast.AST, atom: S.Atom) -> None:
    """A target that is not understood (`obj.a = e`, `a, *rest = e`), kept as a statement."""
    assert isinstance(target, gast.expr)
    name = atom.id if isinstance(atom, E.Name) else b.bind(b.temp(), atom, target).id
    statement = gast.Assign([target], name_node(name, target), None)
    gast.copy_location(statement, target)
    b.keep(statement, supported=False, place=target)


def augmented(b: Builder, node: gast.AugAssign) -> None:
    """`target op= value`: the target's base and items are evaluated once, and first."""
    op = BINARY[type(node.op)]
    target = node.target
    late = has_effects(b, node.value)
    if isinstance(target, gast.Name):
        if target.id in b.volatile:
            old = b.alias(b.temp(), target.id, target).id
            _update(b, old, None, op, expressions.value(b, node.value, share=True), target)
            b.alias(target.id, old, target)
        else:
            atom = expressions.value(b, node.value, share=True)
            _update(b, target.id, None, op, atom, target)
    elif isinstance(target, gast.Subscript):
        base = expressions.variable(b, target.value)
        where = expressions.items(b, target.slice)
        if late:  # the old item is read before the value is computed, which may change it
            where = tuple(expressions.settle(b, part, target) for part in where)
            old = b.temp()
            b.block.append(
                S.Load(old, base, where, site=b.site(), span=b.span(target), origin=b.origin)
            )
            atom = expressions.value(b, node.value)
            _update(b, old, None, op, atom, target)
            b.block.append(
                S.Store(
                    base, where, E.Name(old), site=b.site(), span=b.span(target), origin=b.origin
                )
            )
        else:
            atom = expressions.value(b, node.value, share=True)
            _update(b, base, where, op, atom, target)
    elif isinstance(target, gast.Attribute):
        owner = expressions.value(b, target.value)
        old = b.bind(b.temp(), E.Attribute(owner, target.attr), target).id
        if expressions.counts(b, target):
            old = b.bind(b.temp(), expressions.counted(old), target).id
        atom = expressions.value(b, node.value)
        _update(b, old, None, op, atom, target)
        b.set_attribute(owner, target.attr, E.Name(old), target)
    elif late:
        before = expressions.value(b, _as_value(target))
        assert isinstance(before, E.Name)
        atom = expressions.value(b, node.value)
        _update(b, before.id, None, op, atom, target)
        _verbatim(b, target, before)
    else:
        b.keep(node, supported=False)
    b.forget()


def _as_value(target: gast.expr) -> gast.expr:
    """The target read: trees are the same but for the context, which is of no matter here."""
    return target


def _update(
    b: Builder,
    base: str,
    items: tuple[E.Expr, ...] | None,
    op: str,
    atom: S.Atom,
    node: gast.AST,
) -> None:
    b.block.append(
        S.Update(base, items, op, atom, site=b.site(), span=b.span(node), origin=b.origin)
    )
    b.forget()
