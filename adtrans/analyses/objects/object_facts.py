"""What is found out about objects: which one a name means, of which class, with what attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from adtrans.analyses.objects.model import (
    DEPTH,
    OTHER,
    GlobalObject,
    Key,
    Seen,
    Shape,
    maker,
)
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.tree import is_class_of_objects

Bound = Mapping[str, E.Atom]


class Functions(Protocol):
    """What is asked about the functions that are called."""

    def bound(self, fn: object, args: tuple[E.Atom, ...], kwargs: Mapping[str, E.Atom]) -> (
        Bound | None
    ):
        """The arguments of a call by the names of parameters; None where `fn` is not known."""

    def meant(self, fn: object, count: int, keywords: tuple[str, ...]) -> object:
        """A function for the arguments of a call: one that collects some has them as parameters."""

    @property
    def stay(self) -> set[tuple[type, str]]:
        """The methods that no objects are made of, with their classes."""

    @property
    def entry(self) -> int:
        """Identifies the function that is asked for."""

    def method_class(self, cls: type, attr: str, fn: object) -> type | None:
        """The class of the objects that stand for a method; None where there is none."""

    def function(self, fn: object) -> object | None:
        """Something for a Python function that can be read; None for all else."""

    def seen(self, fn: object, shapes: Mapping[str, Shape]) -> Seen:
        """What a function does with objects of these shapes."""

    def replaces(self, span: Span, name: str) -> None:
        """A function is put in the place of a method of one object."""

    def shape_of(self, value: object) -> Shape | None:
        """The shape of a global object that can be followed, or of a container of such."""


@dataclass(frozen=True)
class Call:
    """A call of a Python function: the arguments by parameter, how many of them are passed by
    position, and what the function does."""

    fn: object
    bound: Bound
    by_position: int
    seen: Seen
    shapes: Mapping[str, Shape] = field(default_factory=dict)

@dataclass
class Objects:
    """The result: the object that each variable means, its attributes, the calls.

    `items`: the items that a container is made with, in order (None: not known), `opened` those
    that get others; `home`: identifies the function, `origins`: who made what is not made here;
    `held`: calls of what an attribute holds; `instead`: what statements mean,
    by class;
    `bound`: objects of whose methods objects are made;
    `returned`: objects in a result that callers do not know as such; `deep`: objects made here that
    hold more, one inside the other, than callers can be told.
    """

    values: dict[str, set[Key]] = field(default_factory=dict)
    classes: dict[Key, type] = field(default_factory=dict)
    contents: dict[tuple[Key, str], set[Key]] = field(default_factory=dict)
    written: dict[Key, set[str]] = field(default_factory=dict)
    read: set[tuple[Key, str]] = field(default_factory=set)
    lost: dict[Key, str] = field(default_factory=dict)
    returned: dict[Key, str] = field(default_factory=dict)
    deep: dict[Key, str] = field(default_factory=dict)
    calls: dict[int, Call] = field(default_factory=dict)
    refs: dict[int, GlobalObject] = field(default_factory=dict)
    same: dict[Key, Key] = field(default_factory=dict)
    items: dict[Key, tuple[str, ...] | None] = field(default_factory=dict)
    opened: set[Key] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    instead: dict[int, tuple[S.Stmt, ...]] = field(default_factory=dict)
    bound: set[Key] = field(default_factory=set)
    consts: dict[str, object] = field(default_factory=dict)
    home: int = 0
    origins: dict[Key, tuple[int, Key]] = field(default_factory=dict)
    plain: set[tuple[Key, str]] = field(default_factory=set)

    def one(self, key: Key) -> Key:
        """The object that stands for `key` and for those that take its place in a loop."""
        while key in self.same:
            key = self.same[key]
        return key

    def among(self, keys: set[Key]) -> Key | None:
        """The one object among these values; None for none or for several."""
        found = self.told(keys)
        return found.pop() if len(found) == 1 and OTHER not in found else None

    def told(self, keys: Iterable[Key]) -> set[Key]:
        """The objects among these values, and OTHER where there is something else: what an
        attribute holds in which no object is found."""
        found: set[Key] = set()
        for k in keys:
            if k[0] != "part":
                found.add(self.one(k))
                continue
            _, owner, attr = k
            assert isinstance(owner, tuple) and isinstance(attr, str)
            if not self.contents.get((self.one(owner), attr), set()) - {OTHER}:
                found.add(OTHER)
        return found

    def of(self, e: E.Expr) -> Key | None:
        """The object that an atom means."""
        return self.among(self.values_of(e))

    def values_of(self, e: E.Expr) -> set[Key]:
        """Everything that an atom may mean."""
        if isinstance(e, E.Name):
            return self.values.get(e.id, set())
        if isinstance(e, E.Ref) and id(e.value) in self.refs:
            return {("global", id(e.value))}
        return {OTHER}

    def inner(self, key: Key, attr: str) -> Key | None:
        """The object that an attribute holds."""
        return self.among(self.contents.get((self.one(key), attr), set()))

    def shape(self, key: Key, depth: int = 0, *, made: bool = False) -> Shape | None:
        """The shape of an object, None where objects hold each other in a circle. `made`: with the
        attributes that were assigned."""
        if depth > DEPTH:
            return None
        inner: dict[str, Shape] = {}
        for owner, attr in list(self.contents):
            held = self.inner(key, attr) if owner == self.one(key) else None
            if made and held is not None and maker(held)[0] in ("param", "global"):
                continue  # callers know it (see `Seen.stored`)
            if held is not None and self.one(held) not in self.lost:
                found = self.shape(held, depth + 1, made=made)
                if found is None:
                    return None
                inner[attr] = found
        key = self.one(key)
        cells = self.written.get(key, set()) if made or key in self.items else ()
        items = None if key in self.opened else self.items.get(key)
        made_here = (self.home, key) if key[0] == "new" else None
        shape = Shape.of(self.classes[key], inner, cells, items)
        plain = frozenset(attr for owner, attr in self.plain if owner == key)
        origin = self.origins.get(key, made_here)
        return replace(shape, origin=origin, plain=plain)

    def escaped(self) -> Iterator[tuple[int, Key, str]]:
        """The objects that were made by other functions and are lost here, with the reason."""
        for key, (home, there) in self.origins.items():
            if self.one(key) in self.lost:
                yield home, there, self.lost[self.one(key)]


def is_tree(o: Objects, key: Key, around: tuple[Key, ...] = ()) -> bool:
    """Whether an object is one whose derivative is a tree, or a container of such objects."""
    key = o.one(key)
    if is_class_of_objects(o.classes[key]):
        return True
    items = o.items.get(key)
    if key in around or key in o.lost or key in o.opened or items is None:
        return False
    held = (o.inner(key, attr) for attr in items)
    return any(k is not None and is_tree(o, k, (*around, key)) for k in held)
