"""What is known about the objects that a function sees: abstract objects and their shapes.

An object is a parameter, a global, an attribute of another object, or made at a site. Its shape is
its class and the shapes of the objects among its attributes; of an object that a function has made,
also the attributes that were assigned, its cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from adtrans.analyses.objects.classes import member
from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, DictOf, Instance, Kind, Scalar

Key: TypeAlias = tuple[object, ...]
Path: TypeAlias = tuple[str, ...]
Root: TypeAlias = tuple[str, object]  # ("param", name) or ("global", id of the object)

Follow: TypeAlias = Callable[[object], bool]

OTHER: Key = ("other",)
DEPTH = 5


@dataclass(frozen=True)
class Shape:
    """The class of an object, and the attributes that are objects themselves. `origin`: the
    function that made it, and what it is there. `plain`: the attributes that may hold a number or
    an array when it comes into sight.
    """

    cls: type = field(compare=False)
    name: int  # identifies the class
    inner: tuple[tuple[str, Shape], ...] = ()
    cells: tuple[str, ...] = ()
    items: tuple[str, ...] | None = None
    origin: tuple[int, Key] | None = field(default=None, compare=False)
    plain: frozenset[str] = frozenset()

    @staticmethod
    def of(
        cls: type,
        inner: dict[str, Shape] | None = None,
        cells: Iterable[str] = (),
        items: tuple[str, ...] | None = None,
    ) -> Shape:
        """The shape of an object of the class; `items` of a container."""
        held = sorted((inner or {}).items(), key=lambda item: item[0])
        return Shape(cls, id(cls), tuple(held), tuple(sorted(cells)), items)

    def at(self, path: Path) -> Shape | None:
        """The shape of an object reached by attributes."""
        shape: Shape | None = self
        for attr in path:
            shape = None if shape is None else dict(shape.inner).get(attr)
        return shape


@dataclass(frozen=True)
class Place:
    """An attribute of an object that a function gets from outside: `root.path.attr`."""

    root: Root
    path: Path
    attr: str


@dataclass(frozen=True)
class GlobalObject:
    """An object that a global name means."""

    ref: E.Ref
    shape: Shape


@dataclass
class Seen:
    """What a function does with objects, as its callers need to know.

    `written`: the attributes that are assigned, or whose contents may be written; `other`: those
    that are assigned what is no object, `plain`: a number or an array perhaps; `read`: those that
    are read; `made`: those that new objects of a shape
    are assigned to; `stored`: those that objects from outside are assigned to, with how these are
    reached; `lost`: objects that are not followed any more, and why, `inside`: containers among
    their attributes; `result`: the object that is returned, None if it is none, `given`: what it
    holds that comes from outside, with how that is reached; `bound`: objects of whose methods
    objects are made.
    """

    written: set[Place] = field(default_factory=set)
    other: set[Place] = field(default_factory=set)
    plain: set[Place] = field(default_factory=set)
    read: set[Place] = field(default_factory=set)
    made: dict[Place, Shape] = field(default_factory=dict)
    stored: set[tuple[Place, Root, Path]] = field(default_factory=set)
    lost: dict[Root, str] = field(default_factory=dict)
    inside: dict[tuple[Root, Path], str] = field(default_factory=dict)
    globals: dict[int, GlobalObject] = field(default_factory=dict)
    result: Root | Shape | None = None
    given: dict[Path, tuple[Root, Path]] = field(default_factory=dict)
    bound: set[tuple[Root, Path]] = field(default_factory=set)

    def size(self) -> tuple[object, ...]:
        """Grows whenever something is added."""
        found = (
            self.written, self.read, self.made, self.stored, self.lost, self.inside, self.bound,
            self.given,
        )  # fmt: skip
        more = (*map(len, (self.other, self.plain, self.globals)), self.result)
        return (*map(len, found), *more)


def maker(key: Key) -> Key:
    """The object that something is an attribute of, whatever is in between."""
    while key[0] == "attribute" and isinstance(key[1], tuple):
        key = key[1]
    return key


def shape_of_kind(
    kind: Kind, follow: Follow, depth: int = 0, *, parting: bool = False
) -> Shape | None:
    """The shape of a parameter of this kind; None for what is no object that can be followed.
    `parting`: a dictionary of arrays counts as one."""
    if depth > DEPTH:
        return None
    parts = dict(parts_of(kind, follow))
    numbers = frozenset(name for name, k in parts.items() if isinstance(k, Scalar | Array))
    if isinstance(kind, DictOf):
        arrays = parting and any(isinstance(k, Array) for k in parts.values())
        return Shape.of(dict, items=tuple(parts)) if arrays else None
    if not isinstance(kind, Instance) or not isinstance(cls := kind.cls, type):
        return None
    if not follow(cls) or hides_methods(kind):
        return None
    each = {n: shape_of_kind(k, follow, depth + 1) for n, k in parts.items()}
    inner = {n: s for n, s in each.items() if s is not None}
    return replace(Shape.of(cls, inner), plain=numbers)


def hides_methods(kind: Instance) -> bool:
    """Whether an object has attributes of its own where its class has methods."""
    names = [n for n, _ in (*kind.fields, *kind.holders)]
    cls = kind.cls
    assert isinstance(cls, type)
    return any(member(cls, n).form in ("method", "static", "class", "other") for n in names)


def parts_of(kind: Kind, follow: Follow = lambda cls: True) -> Iterable[tuple[str, Kind]]:
    """The attributes of an object that may be objects, or the items of a dictionary."""
    if isinstance(kind, Instance) and follow(kind.cls):
        return (*kind.fields, *kind.holders)
    return [(f"[{key!r}]", k) for key, k in kind.fields] if isinstance(kind, DictOf) else ()
