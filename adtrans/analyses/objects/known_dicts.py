"""Dictionaries that are filled where they are made, and only read from then on.

    shapes = {"W": (3, 2), "b": (2,)}
    for name, shape in shapes.items():      goes over "W" and "b"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from adtrans.analyses.objects.displays import VIEWS, key_of
from adtrans.analyses.objects.filled_dicts import filled
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, names_in, operands, reads_of, statements
from adtrans.lower.known_values import UNTOLD


@dataclass(frozen=True)
class Item:
    """What a dictionary or list holds under a key; `value`: what is known of it."""

    base: str
    key: object
    value: object = UNTOLD


@dataclass(frozen=True)
class KnownDict:
    """A dictionary, or a view of it, whose keys are known."""

    base: str
    keys: tuple[object, ...]
    view: str = "keys"

    def turns(self) -> list[object]:
        """What a loop over it goes through."""
        items = [Item(self.base, k) for k in self.keys]
        if self.view == "items":
            return list(zip(self.keys, items, strict=True))
        return list(items) if self.view == "values" else list(self.keys)


def known_dicts(fn: S.Function) -> dict[str, KnownDict]:
    """The variables that mean such dictionaries, and views of these that loops go over."""
    made = {s.site: s.target for s in statements(fn.body) if isinstance(s, S.Pack)}
    found: dict[str, KnownDict] = {}
    times = Counter(v for s in statements(fn.body) for v in binds_of(s))
    for site, attrs in filled(fn, lambda base, attr: False).items():
        names = {made[site]}
        for s in statements(fn.body):
            if isinstance(s, S.Alias) and s.source in names and times[s.target] == 1:
                names.add(s.target)
        keys = tuple(map(key_of, attrs))
        views: dict[str, KnownDict] = {}
        if attrs and _only_read(fn, names, len(attrs), views, made[site]):
            found |= {v: KnownDict(made[site], keys) for v in names}
            found |= {v: KnownDict(made[site], keys, k.view) for v, k in views.items()}
    return found


def _only_read(
    fn: S.Function, names: set[str], count: int, views: dict[str, KnownDict], made: str
) -> bool:
    """Whether the dictionary is filled once with so many keys, and is only read otherwise."""
    stored = 0
    for s in statements(fn.body):
        match s:
            case _ if names.isdisjoint((*reads_of(s), *binds_of(s))):
                pass
            case S.Pack(target=v) if v == made:
                pass
            case S.Alias(target=target, source=source) if {target, source} <= names:
                pass
            case S.Store(base=base, value=value) if base in names:
                stored += 1
                if names & names_in(value):
                    return False
            case S.Load(base=base, items=items) if base in names:
                if any(names & names_in(i) for i in items):
                    return False
            case S.For(iter=it) if {*_sources(it)} & names:
                pass
            case S.Bind(
                target=t, value=E.Call(fn=E.Attribute(base=E.Name(id=v), attr=attr), args=())
            ):
                if v not in names or attr not in VIEWS or not _only_looped(fn, t):
                    return False
                views[t] = KnownDict(made, (), attr)
            case S.Bind() | S.If():
                if any(names & names_in(e) for e in map(_without_looks, operands(s))):
                    return False
            case _:
                return False
    return stored == count


def _sources(it: S.Iter) -> Iterator[str]:
    match it:
        case S.Elements(source=source):
            yield source
        case S.Enumerate(inner=inner) | S.Reversed(inner=inner):
            yield from _sources(inner)
        case S.Zip(inners=inners):
            for inner in inners:
                yield from _sources(inner)
        case _:
            pass


def _only_looped(fn: S.Function, var: str) -> bool:
    """Whether nothing but loops go over a variable, which is bound once."""
    users = [s for s in statements(fn.body) if var in reads_of(s)]
    bound = sum(var in binds_of(s) for s in statements(fn.body))
    return bound == 1 and all(
        isinstance(s, S.For) and [*_sources(s.iter)].count(var) == 1 for s in users
    )


def _without_looks(e: E.Expr) -> E.Expr:
    """`e`, or nothing where it only asks how large a dictionary is, or whether a key is there."""
    match e:
        case E.Call(fn=E.Ref(value=fn), args=(E.Name(),), kwargs=()) if fn is len:
            return E.NONE
        case E.Compare(
            left=E.Const() | E.Name() as left, ops=("in" | "not in",), rights=(E.Name(),)
        ):
            return left
        case _:
            return e
