"""Containers whose contents cannot be followed."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.frozen_tuples import meets_list
from adtrans.analyses.refused.calls_without_rule import only_given
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Container,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Mixed,
    TupleOf,
    Unknown,
    is_anything,
    is_differentiable,
    present,
)
from adtrans.ir.walk import binds_of, reads_of, statements


def followed(kind: Kind) -> bool:
    """Whether it is known what a value is made of, so that its adjoint can be made alike."""
    kind = present(kind)
    match kind:
        case DictOf():
            fields = [k for _, k in kind.fields]
            return all(followed(k) for k in fields or [kind.item])
        case Container():
            return followed(kind.item)
        case TupleOf():
            return all(followed(i) for i in kind.items)
        case Mixed():
            return True
        case Unknown():
            return False
        case Instance():
            return kind.followed or kind.cls in (str, slice, tuple)
        case _:
            return True


def lost_attribute(s: S.Bind, facts: Facts) -> bool:
    """Whether an attribute is read of an object made here that nobody follows any more: what
    varies in an object that is followed is in variables of its own."""
    assert isinstance(s.value, E.Attribute)
    kind = facts.kinds.expr(s.site, s.value.base)
    if not isinstance(kind, Instance) or not kind.followed or not facts.activity.varied:
        return False
    unknown = isinstance(facts.kinds.var(s.target), Unknown) and s.target in facts.activity.useful
    return unknown and all(o.form != "param" for o in facts.memory.of(s.value.base))


def adds_containers(s: S.Edit, facts: Facts) -> bool:
    """Whether `sum` puts lists or tuples together, where anything in them varies."""
    held = facts.kinds.at(s.site, s.base)
    inside = [held.item] if isinstance(held, ListOf) else []
    inside += [facts.kinds.expr(s.site, a) for a in s.args]
    found = any(isinstance(k, Container | TupleOf) for k in inside)
    return found and s.target is not None and facts.activity.active(s.target)


def joins(s: S.Bind, facts: Facts) -> bool:
    """Whether an operator is given a list or a tuple, and makes something unknown of it."""
    assert isinstance(s.value, E.Binary)
    sides = (facts.kinds.expr(s.site, e) for e in (s.value.left, s.value.right))
    unknown = isinstance(facts.kinds.var(s.target), Unknown)
    return unknown and any(isinstance(k, Container | TupleOf) for k in sides)


def unfollowed(var: str, s: S.Stmt, facts: Facts) -> Iterator[Diagnostic]:
    """What is done with a list that carries a derivative and cannot be followed."""
    kind, name = facts.kinds.at(s.site, var), facts.fn.source_name(var)
    if isinstance(s, S.Pack):
        kind = facts.kinds.var(var)
    if not isinstance(kind, Container):
        return
    why = None
    part: Kind = kind
    if isinstance(kind, DictOf) and isinstance(s, S.Load | S.Store):
        key = s.items[0].value if isinstance(s.items[0], E.Const) else None
        part = kind.item if key is None else kind.field(key)
    form = "dictionary" if isinstance(kind, DictOf) else "list"
    shown = f"the {form} `{name}`" if name in facts.fn.reserved else f"a {form}"
    if not followed(part):
        it = f"`{name}`" if name in facts.fn.reserved else "it"
        why = f"what {it} holds is of several kinds, or of one that is not known"
    elif isinstance(s, S.Store) and any(isinstance(i, E.Slice) for i in s.items):
        why = "several items are replaced at once"
    elif isinstance(s, S.Edit) and s.op in ("extend", "concat", "splice"):
        other = facts.kinds.expr(s.site, s.args[-1])
        if not (isinstance(other, ListOf) and followed(other)):
            why = "it is extended by something that is no list"
    if why is not None:
        yield Diagnostic(
            "AD207",
            f"{shown} cannot be followed here",
            Label(s.span, "it carries a derivative"),
            why=why,
            fixes=[Fix("keep the values in an array, or items of one kind in each list")],
        )


def tuple_or_list(s: S.Stmt, facts: Facts) -> Iterator[Diagnostic]:
    """A tuple of known length in a variable that elsewhere is a list."""
    for var, kind in facts.kinds.bounds(s.site).items():
        if meets_list(kind, var, facts.kinds) and facts.activity.active(var):
            yield container(s.span, facts.fn.source_name(var))


def one_form_or_another(s: S.Stmt, facts: Facts) -> Iterator[Diagnostic]:
    """A list, tuple or dictionary in a variable that elsewhere is an array or something else: its
    adjoint would have to be one here and another there. What the function that is asked for does
    nothing with but return it has the form of the seed."""
    for var, kind in facts.kinds.bounds(s.site).items():
        kind = present(kind)
        if not isinstance(kind, Container | TupleOf) or not is_differentiable(kind):
            continue
        if not is_anything(facts.kinds.var(var)) or not facts.activity.active(var):
            continue
        if not facts.inner and all(
            isinstance(u, S.Return) for u in statements(facts.fn.body) if var in reads_of(u)
        ):
            continue
        if only_given(var, facts, set()):
            continue  # the calls are refused
        name = facts.fn.source_name(var)
        shown = f"`{name}`" if name in facts.fn.reserved else "what is returned"
        form = {ListOf: "a list", DictOf: "a dictionary"}.get(type(kind), "a tuple")
        other, same = "something else elsewhere", "a list, or an array"
        if all(isinstance(present(k), TupleOf) for k in _bounds(var, facts)):
            other, same = "one of another length elsewhere", "a tuple of one length"
        yield Diagnostic(
            "AD207",
            f"{shown} is {form} here, and {other}",
            Label(s.span, "it carries a derivative"),
            why="its derivative would have to be of one form here and of another there",
            fixes=[Fix(f"make it the same on every path: {same}")],
        )


def _bounds(var: str, facts: Facts) -> Iterator[Kind]:
    """The kinds that a variable is bound to, one for each place."""
    for s in statements(facts.fn.body):
        if var in facts.kinds.bounds(s.site):
            yield facts.kinds.bounds(s.site)[var]


def taken_apart(s: S.For, facts: Facts) -> Iterator[Diagnostic]:
    """Objects whose elements are given to several names in the header of a loop."""

    def found(target: S.Target, it: S.Iter) -> bool:
        match target, it:
            case (_, second), S.Enumerate(inner=inner):
                return found(second, inner)
            case tuple(), S.Zip(inners=inners) if len(target) == len(inners):
                return any(found(t, i) for t, i in zip(target, inners, strict=True))
            case tuple(), S.Elements(source=source):
                return apart(target, _item(facts.kinds.at(s.site, source)))
            case _:
                return False

    def apart(target: S.Target, kinds: tuple[Kind, ...]) -> bool:
        if isinstance(target, str):
            return False
        for k in kinds:
            if isinstance(k, Instance) and k.cls not in (str, slice, tuple):
                return True
            if isinstance(k, TupleOf) and len(k.items) == len(target):
                if any(apart(t, (i,)) for t, i in zip(target, k.items, strict=True)):
                    return True
        return False

    if facts.activity.useful & {*binds_of(s)} and found(s.target, s.iter):
        yield Diagnostic(
            "AD201",
            "this loop cannot be differentiated",
            Label(s.span, "objects are unpacked in its header"),
            why="what an object gives when it is gone through is followed in statements only",
            fixes=[Fix("give the object a name in the loop, and unpack that in its body")],
        )


def _item(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of what a container holds."""
    match kind:
        case ListOf():
            return (kind.item, *kind.items)
        case DictOf():
            return (kind.item, *(k for _, k in kind.fields))
        case TupleOf():
            return kind.items
        case _:
            return ()


def container(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "AD207",
        "a list or object that carries a derivative cannot be followed yet",
        span,
        why=f"`{name}` holds values that depend on the differentiated argument",
        fixes=[Fix("keep the values in an array, or in separate variables")],
    )
