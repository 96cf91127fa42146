"""Spells out, item by item, what is made of tuples whose length is known.

pair += (c,)           ->   t = pair[0]; t_2 = pair[1]; pair = (t, t_2, c)
q = pair * 2           ->   t = pair[0]; t_2 = pair[1]; q = (t, t_2, t, t_2)
q = p._replace(a=v)    ->   b = p[1]; q = P(v, b)                (a named tuple)
d = p._asdict()        ->   a = p[0]; b = p[1]; d = {}; d["a"] = a; d["b"] = b
for x in pair: ...     ->   t_2 = pair[0]; t_3 = pair[1]; t = [t_2, t_3]; for x in t: ...
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import TupleOf
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of

_ATOM = E.Name | E.Const | E.Ref


def grows_tuple(s: S.Stmt, kinds: Kinds) -> bool:
    """Whether a statement is `pair += ...`, which makes a tuple of another length."""
    update = isinstance(s, S.Update) and s.items is None
    return update and isinstance(kinds.at(s.site, binds_of(s)[0]), TupleOf)


def joined(
    s: S.Bind, e: E.Binary, kind: TupleOf, kinds: Kinds, new: Rewriter
) -> Iterator[S.Stmt]:
    """A sum of tuples, or a multiple of one, item by item; one to which nothing is added is the
    same one."""
    for side in (e.left, e.right):
        held = kinds.expr(s.site, side)
        if isinstance(side, E.Name) and held == kind and kind.items and kind.cls is None:
            if side.id != s.target:
                yield S.Alias(s.target, side.id, **S.place(s, s.site))
            return
    atoms: list[E.Atom] = []
    loads: list[S.Stmt] = []
    for side in (e.left, e.right):
        held = kinds.expr(s.site, side)
        if isinstance(side, E.Sequence):
            atoms += [i for i in side.items if isinstance(i, _ATOM)]
        elif isinstance(side, E.Name) and isinstance(held, TupleOf):
            for k in range(len(held.items)):
                part, item = new.fresh("t"), (E.Const(k),)
                atoms.append(E.Name(part))
                loads.append(S.Load(part, side.id, item, **new.place(s)))
    times = len(kind.items) // len(atoms) if e.op == "*" and atoms else 1
    if times * len(atoms) != len(kind.items):  # an item of a display that is no atom
        yield s
        return
    yield from loads
    yield S.Pack(s.target, "tuple", tuple(atoms * times), **S.place(s, s.site))


def replaced(
    s: S.Bind, owner: E.Name, cls: type, words: dict[str, E.Expr], new: Rewriter
) -> Iterator[S.Stmt]:
    """`p._replace(a=v)` of a named tuple."""
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]  # a named tuple
    atoms = {k: v for k, v in words.items() if isinstance(v, _ATOM)}
    if len(atoms) < len(words) or words.keys() - set(fields):
        yield s
        return
    items: list[E.Atom] = []
    for k, field in enumerate(fields):
        if field not in atoms:
            t = new.fresh(field)
            yield S.Load(t, owner.id, (E.Const(k),), **new.place(s))
            atoms[field] = E.Name(t)
        items.append(atoms[field])
    made = E.Ref(cls.__name__, cls)
    yield S.Pack(s.target, "tuple", tuple(items), made, **S.place(s, s.site))


def as_dict(
    s: S.Bind, owner: E.Name, cls: type, new: Rewriter
) -> Iterator[S.Stmt]:
    """`p._asdict()` of a named tuple."""
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]  # a named tuple
    items = [new.fresh(field) for field in fields]
    for k, item in enumerate(items):
        yield S.Load(item, owner.id, (E.Const(k),), **new.place(s))
    yield S.Pack(s.target, "dict", (), **new.place(s))
    for field, item in zip(fields, items, strict=True):
        yield S.Store(s.target, (E.Const(field),), E.Name(item), **new.place(s))


def in_a_list(
    s: S.For, target: str, source: str, count: int, new: Rewriter
) -> Iterator[S.Stmt]:
    """The items of a tuple in a list, which a loop runs over."""
    items = [new.fresh("t") for _ in range(count)]
    for k, item in enumerate(items):
        yield S.Load(item, source, (E.Const(k),), site=new.fresh_site(), span=s.span)
    atoms = tuple(E.Name(item) for item in items)
    yield S.Pack(target, "list", atoms, site=new.fresh_site(), span=s.span)
