"""What is known about the objects that a function sees: abstract objects and their shapes.

An object is a parameter, a global, an attribute of another object, or made at a site. Its shape is
its class and the shapes of the objects among its attributes; of an object that a function has made,
also the attributes that were assigned, its cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from adtrans.ir import expr as E
from adtrans.ir.kinds import Instance, Kind

Key: TypeAlias = tuple[object, ...]
Path: TypeAlias = tuple[str, ...]
Root: TypeAlias = tuple[str, object]  # ("param", name) or ("global", id of the object)

OTHER: Key = ("other",)
DEPTH = 4


@dataclass(frozen=True)
class Shape:
    """The class of an object, and the attributes that are objects themselves. `origin`: the
    function that made it, and what it is there."""

    cls: type = field(compare=False)
    name: int  # identifies the class
    inner: tuple[tuple[str, Shape], ...] = ()
    cells: tuple[str, ...] = ()
    items: tuple[str, ...] | None = None
    origin: tuple[int, Key] | None = field(default=None, compare=False)

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

    `written`: the attributes that are assigned, or whose contents may be written; `made`: those
    that new objects of a shape are assigned to; `stored`: those that objects from outside are
    assigned to, with how these are reached; `lost`: objects that are not followed any more, and
    why, `inside`: containers among their attributes; `result`: the object that is returned, None if
    it is none.
    """

    written: set[Place] = field(default_factory=set)
    made: dict[Place, Shape] = field(default_factory=dict)
    stored: set[tuple[Place, Root, Path]] = field(default_factory=set)
    lost: dict[Root, str] = field(default_factory=dict)
    inside: dict[tuple[Root, Path], str] = field(default_factory=dict)
    globals: dict[int, GlobalObject] = field(default_factory=dict)
    result: Root | Shape | None = None

    def size(self) -> tuple[object, ...]:
        """Grows whenever something is added."""
        found = (self.written, self.made, self.stored, self.lost, self.inside, self.globals)
        return (*map(len, found), self.result)


def shape_of_kind(kind: Kind, follow: object, depth: int = 0) -> Shape | None:
    """The shape of a parameter of this kind; None for what is no object that can be followed."""
    assert callable(follow)
    if not isinstance(kind, Instance) or not isinstance(kind.cls, type) or not follow(kind.cls):
        return None
    inner = {}
    for name, k in kind.fields:
        shape = shape_of_kind(k, follow, depth + 1) if depth < DEPTH else None
        if shape is not None:
            inner[name] = shape
    return Shape.of(kind.cls, inner)
