"""Attributes of arguments and globals, as further parameters of the function asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import TypeAlias

from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.objects.displays import read, shown
from adtrans.analyses.objects.expand import returned_objects, with_keywords
from adtrans.analyses.objects.functions import Followed, shapes_of
from adtrans.analyses.objects.model import Path, Place, Shape, parts_of
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.part_paths import joined, steps
from adtrans.analyses.objects.seen import places
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import UNKNOWN, Instance, Kind
from adtrans.ir.names import NameAllocator
from adtrans.source import SourceFunction


@dataclass(frozen=True)
class Owner:
    """An object from outside whose attributes are followed: an argument or a global, or reached
    from there by attributes. One of which attributes are only read may be seen in two places."""

    root: E.Name | E.Ref
    path: Path
    single: bool = True  # whether it must not be seen in another place as well

    @property
    def text(self) -> str:
        """How it is written."""
        e: E.Expr = self.root
        for attr in self.path:
            e = shown(e, attr)
        return E.text(e)

    def value(self, arguments: Mapping[str, object]) -> object:
        """The object at a call."""
        found = arguments[self.root.id] if isinstance(self.root, E.Name) else self.root.value
        for attr in self.path:
            found = read(found, attr)
        return found


@dataclass(frozen=True)
class Attribute:
    """A further parameter of the function asked for: the attribute of an argument or a global.

    `name` is that of the parameter, `owner` what the object is called in the function."""

    name: str
    place: Place
    owner: E.Name | E.Ref
    kind: Kind

    def read(self) -> E.Expr:
        """The expression that reads it."""
        e: E.Expr = self.owner
        for attr in (*self.place.path, self.place.attr):
            e = shown(e, attr)
        return e

    @property
    def path(self) -> str:
        """How it is written: `self.Q`."""
        return E.text(self.read())

    def value(self, arguments: Mapping[str, object]) -> object:
        """Its value at a call."""
        return read(Owner(self.owner, self.place.path).value(arguments), self.place.attr)


Written: TypeAlias = "tuple[tuple[Owner, str], ...]"
Rewritten: TypeAlias = (
    "tuple[S.Function, tuple[Attribute, ...], tuple[Owner, ...], tuple[Path, ...], Written]"
)


def _place(path: str) -> Place:
    root, *between, attr = steps(path)
    return Place(("param", root), tuple(between), attr)


def _owner(place: Place, objects: Objects) -> E.Name | E.Ref:
    form, name = place.root
    if form == "param":
        return E.Name(str(name))
    assert isinstance(name, int)
    return objects.refs[name].ref


def _kind_of_owner(
    place: Place, kinds: Mapping[str, Kind], objects: Objects
) -> Kind | None:
    """The kind of the object of which something is an attribute."""
    owner = _owner(place, objects)
    kind: Kind | None
    kind = kinds.get(owner.id) if isinstance(owner, E.Name) else kind_of_value(owner.value)
    for attr in place.path:
        kind = None if kind is None else dict(parts_of(kind)).get(attr)
    return kind


def _kind_at(place: Place, kinds: Mapping[str, Kind], objects: Objects) -> Kind | None:
    """The kind of an attribute, None for one that the object does not have, or not as data."""
    kind = _kind_of_owner(place, kinds, objects)
    if isinstance(kind, Instance):
        return kind.attribute(place.attr)
    return None if kind is None else dict(parts_of(kind)).get(place.attr)


def from_outside(
    functions: Followed, fn: FunctionType, kinds: Mapping[str, Kind], wrt: tuple[str, ...],
    parting: frozenset[str] = frozenset(),
) -> Rewritten | None:  # fmt: skip
    """The function with variables for the attributes that are assigned or in `wrt`, the attributes
    that it gets from outside, the objects that they belong to, the attributes that it returns
    behind its value, those that are written; None without any. `parting`: dictionaries of arrays
    that count as objects."""
    shapes = shapes_of(kinds, parting)
    while True:
        objects, times = functions.objects(fn, shapes), functions.times
        made = _made(functions, fn, kinds, wrt, objects, shapes)
        if functions.times != times or functions.keeps_methods():
            continue
        if not isinstance(made, Place):
            return made
        key = next(k for k, at in places(objects).items() if at == (made.root, made.path))
        functions.lose(id(fn), key, f"it may have no attribute `{made.attr}`")


def _made(
    functions: Followed,
    fn: FunctionType,
    kinds: Mapping[str, Kind],
    wrt: tuple[str, ...],
    objects: Objects,
    shapes: Mapping[str, Shape],
) -> Rewritten | Place | None:
    """The same; a place that is read but that the object need not have, if there is one."""
    asked = [_place(w) for w in wrt if len(steps(w)) > 1]
    assigned = {
        Place(root, path, attr)
        for key, (root, path) in places(objects).items()
        if key not in objects.lost
        for attr in objects.written.get(key, ())
    }
    cells = assigned.union(asked)
    changed, unseen = {(p.root, p.path) for p in cells}, functions.unseen_changes()
    cells |= {  # what is only read, too
        Place(root, path, attr)
        for key, (root, path) in places(objects).items()
        if key not in objects.lost
        for owner, attr in objects.read
        if objects.one(owner) == key
    }
    found = functions.function(fn)
    assert found is not None
    lost = {at: objects.lost[key] for key, at in places(objects).items() if key in objects.lost}
    for p in asked:
        for end in range(len(p.path) + 1):
            if (why := lost.get((p.root, p.path[:end]))) is not None:
                raise CompileError(_lost(p, p.path[:end], why, found[1]))
        shape = shapes.get(str(p.root[1]))
        if shape is None or shape.at(p.path) is None:
            raise CompileError(_unseen(p, found[1]))
    if not cells and not objects.bound and not any(returned_objects(found[2], objects)):
        return None
    body = functions.body(fn, shapes, frozenset(cells), callee=False, entry=True)
    names = NameAllocator(set(body.fn.reserved) | {p.name for p in body.fn.params})
    known = {place for _, place in body.ins}
    more = [(names.fresh(_stem(p)), p) for p in asked if p not in known]
    attributes = []
    for name, p in (*body.ins, *more):
        kind = _kind_at(p, kinds, objects)
        if kind is None and p not in asked:
            return p
        attributes.append(Attribute(name, p, _owner(p, objects), kind or UNKNOWN))
    keywords = tuple(S.Param(name, "keyword") for name, _ in more)
    made = replace(
        body.fn,
        params=with_keywords(body.fn.params, keywords),
        reserved=body.fn.reserved | {a.name for a in attributes},
    )
    kept = {at: key for key, at in places(objects).items()}
    single = {
        at for at, key in kept.items() if unseen or at in changed or objects.classes[key] is dict
    }
    owners = {}
    for p in cells:
        at = p.root, p.path
        owners[at] = Owner(_owner(p, objects), p.path, at in single or at not in kept)
    listed = tuple(owners[at] for at in sorted(owners, key=repr))
    results = tuple((*path, attr) for path, attr in body.result)
    written = [(Owner(_owner(p, objects), p.path), p.attr) for p in sorted(assigned, key=repr)]
    return made, tuple(attributes), listed, results, tuple(written)


def _lost(place: Place, path: Path, why: str, source: SourceFunction) -> Diagnostic:
    """What others do with an object may depend on any of its attributes."""
    owner = joined((str(place.root[1]), *path))
    part = joined((str(place.root[1]), *place.path, place.attr))
    return Diagnostic(
        "AD207",
        f"`{owner}` cannot be followed, so that nothing is known by `{part}`",
        source.span(source.node),
        why=f"{why}; what is read of it there would count as a constant",
        fixes=[Fix(f"pass the attribute instead of `{owner}`: `{part}`")],
    )


def _unseen(place: Place, source: SourceFunction) -> Diagnostic:
    """For what is held in a way that is not followed at all."""
    owner = joined((str(place.root[1]), *place.path))
    part = joined((str(place.root[1]), *place.path, place.attr))
    return Diagnostic(
        "AD207",
        f"`{owner}` cannot be followed, so that nothing is known by `{part}`",
        source.span(source.node),
        why="objects in lists, tuples and dictionaries from outside are not followed",
        fixes=[Fix(f"pass the object as an argument of its own, or `{part}`")],
    )


def _stem(place: Place) -> str:
    return "_".join((str(place.root[1]), *place.path, place.attr))
