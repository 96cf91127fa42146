"""Dictionaries with known keys, whose items are followed one by one, and tuples that are returned.

An item is an attribute whose name is in brackets. A dictionary is followed like any other object as
long as all keys are written out.

>>> item_of((E.Const("x"),)), item_of((E.Const(0),)), item_of((E.Name("i"),))
("['x']", '[0]', None)
>>> key_of("['x']"), label("['x']"), label("[0]"), label("level")
('x', 'x', '0', 'level')
"""

from __future__ import annotations

import ast

from adtrans.analyses.objects.model import Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, reads_of, statements

CONTAINERS = (list, dict, tuple)


def item_of(items: tuple[E.Expr, ...], o: Objects | None = None) -> str | None:
    """The attribute that a subscript means, None where the key is not known."""
    (first, *more) = items
    key = first.value if isinstance(first, E.Const) and not more else None
    if isinstance(first, E.Name) and not more and o is not None:
        key = o.consts.get(first.id)
    plain = isinstance(key, int | str) and not isinstance(key, bool)
    return name_of(key) if plain else None


def name_of(key: object) -> str:
    """The attribute of a key."""
    return f"[{key!r}]"


def is_item(attr: str) -> bool:
    """Whether an attribute is an item of a container."""
    return attr.startswith("[")


def key_of(attr: str) -> object:
    """The key of an item."""
    return ast.literal_eval(attr[1:-1])


def label(attr: str) -> str:
    """What the variable of an attribute is called."""
    return str(key_of(attr)) if is_item(attr) else attr


def read(obj: object, attr: str) -> object:
    """The value of an attribute or item."""
    return obj[key_of(attr)] if is_item(attr) else getattr(obj, attr)  # type: ignore[index]  # so it is


def shown(base: E.Expr, attr: str) -> E.Expr:
    """The expression that reads an attribute or item."""
    return E.Index(base, (E.Const(key_of(attr)),)) if is_item(attr) else E.Attribute(base, attr)


def displays(body: S.Block) -> dict[int, tuple[str, ...] | None]:
    """The keys of each dictionary that is written out, by site; None where one is computed."""
    found: dict[int, tuple[str, ...] | None] = {}
    for k, s in enumerate(body):
        for inner in blocks_of(s):
            found |= displays(inner)
        if not isinstance(s, S.Pack) or s.kind != "dict":
            continue
        keys: list[str] | None = []
        for t in body[k + 1 :]:
            if s.target not in {v for u in statements((t,)) for v in (*reads_of(u), *binds_of(u))}:
                continue
            if not isinstance(t, S.Store) or t.base != s.target or t.origin != s.origin:
                break
            attr = item_of(t.items)
            if attr is None:  # of a statement that was taken apart, it may be another's
                keys = None if s.origin else keys
                break
            if keys is not None and attr not in keys:
                keys.append(attr)
        found[s.site] = None if keys is None else tuple(keys)
    return found


def constants(fn: S.Function) -> dict[str, object]:
    """The variables that are bound once, to a number or a string."""
    found: dict[str, object] = {}
    times: dict[str, int] = {p.name: 1 for p in fn.params}
    for s in statements(fn.body):
        for v in binds_of(s):
            times[v] = times.get(v, 0) + 1
        if isinstance(s, S.Bind) and isinstance(s.value, E.Const):
            found[s.target] = s.value.value
    return {v: value for v, value in found.items() if times[v] == 1}


def counts(o: Objects, key: Key | None) -> int | None:
    """How many items a container has, where that is known."""
    items = None if key is None else o.items.get(o.one(key))
    return None if items is None or key in o.opened else len(items)
