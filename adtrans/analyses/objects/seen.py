"""What callers see of a function's objects: attributes written, objects made, the result."""

from __future__ import annotations

from adtrans.analyses.objects.displays import CONTAINERS, name_of
from adtrans.analyses.objects.model import (
    OTHER,
    Key,
    Path,
    Place,
    Root,
    Seen,
    Shape,
)
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements
from adtrans.source.method_classes import stands_for_function

_NO_OBJECT = ("part", "other")
_IN_EACH_OTHER = "objects hold each other in a circle"


def seen_outside(fn: S.Function, o: Objects) -> Seen:
    """What the callers of a function need to know."""
    seen = Seen(globals=dict(o.refs))
    outside = places(o)
    seen.bound = {outside[o.one(k)] for k in o.bound if o.one(k) in outside}
    _lose_shared(fn, o)
    for key, attr in o.read:
        if o.one(key) in outside:
            root, path = outside[o.one(key)]
            seen.read.add(Place(root, path, attr))
    for key, (root, path) in outside.items():
        for attr in o.written.get(key, ()):
            place = Place(root, path, attr)
            seen.written.add(place)
            if OTHER in o.contents.get((key, attr), ()):
                seen.other.add(place)
            if (key, attr) in o.plain:
                seen.plain.add(place)
            held = o.inner(key, attr)
            if held is not None and held[0] in ("new", "result", "made") and held in o.lost:
                seen.other.add(place)  # callers do not follow it either
            elif held is not None and held[0] in ("new", "result", "made"):
                shape = o.shape(held, made=True)
                if shape is None:
                    seen.lost[root] = o.deep[held] = _IN_EACH_OTHER
                else:
                    seen.made[place] = shape
                    _keep_held(held, (root, (*path, attr)), outside, o, seen)
            elif held in outside and outside[held] != (root, (*path, attr)):
                seen.stored.add((place, *outside[held]))
        if key in o.lost and path and o.classes[key] in CONTAINERS:
            seen.inside[root, path] = o.lost[key]
        elif key in o.lost:
            seen.lost[root] = o.lost[key]
    for s in statements(fn.body):
        if isinstance(s, S.Return):
            _returned(s, o, seen, outside)
    return seen


def _returned(
    s: S.Return, o: Objects, seen: Seen, outside: dict[Key, tuple[Root, Path]]
) -> None:
    """The objects of a result: one from outside or one made here, or several of them in a tuple."""
    known: set[Key] = set()
    inner: dict[str, Shape] = {}
    for k, value in enumerate(s.values):
        key = o.of(value)
        if key is None or key in o.lost:
            continue
        if s.is_tuple and o.one(key) in outside:
            seen.given[name_of(k),] = outside[o.one(key)]
            known.add(o.one(key))
        elif key[0] in ("param", "global") and not s.is_tuple:
            seen.result = (str(key[0]), key[1])
            known.add(key)
        elif key[0] in ("new", "result", "made"):
            shape = o.shape(key, made=True)
            if shape is None:
                o.deep[key] = _IN_EACH_OTHER
            else:
                _note_held(key, (name_of(k),) if s.is_tuple else (), outside, o, seen)
                inner[name_of(k)] = shape
                known.add(key)
    if inner or seen.given:
        items = tuple(name_of(k) for k in range(len(s.values)))
        seen.result = Shape.of(tuple, inner, (), items) if s.is_tuple else inner[name_of(0)]
    for key in {o.one(k) for v in s.values for k in o.values_of(v) if k[0] not in _NO_OBJECT}:
        if key not in known:
            owner = _root(key)
            o.returned.setdefault(key, "it is returned")
            if owner is not None:
                seen.lost[owner] = "it is returned"


def _lose_shared(fn: S.Function, o: Objects) -> None:
    """New objects that callers reach in two ways are lost: they would be two to them."""
    roots = [k for s in statements(fn.body) if isinstance(s, S.Return) for v in s.values
             if (k := o.of(v)) is not None]  # fmt: skip
    for key in places(o):
        roots += [k for attr in o.written.get(key, ()) if (k := o.inner(key, attr)) is not None]
    found: set[Key] = set()
    waiting = [o.one(k) for k in roots]
    while waiting:
        key = waiting.pop()
        if key[0] not in ("new", "result", "made", "attribute") or _root(key) is not None:
            continue
        if key in found:
            o.lost.setdefault(key, "callers reach it in two ways")
            continue
        found.add(key)
        held = (o.among(ks) for (owner, _), ks in list(o.contents.items()) if owner == key)
        waiting += [o.one(k) for k in held if k is not None]


def _note_held(
    key: Key,
    at: Path,
    outside: dict[Key, tuple[Root, Path]],
    o: Objects,
    seen: Seen,
    done: frozenset[Key] = frozenset(),
) -> None:
    """Notes which objects from outside a new object holds that is returned."""
    done |= {o.one(key)}
    for owner, attr in list(o.contents):
        held = o.inner(key, attr) if owner == o.one(key) else None
        if held is None or o.one(held) in done:
            continue
        if held[0] in ("new", "result", "made"):
            _note_held(held, (*at, attr), outside, o, seen, done)
        elif held in outside and any(map(stands_for_function, map(o.classes.get, (key, held)))):
            o.lost.setdefault(held, "a new object that callers see holds it")
            seen.lost[outside[held][0]] = o.lost[held]
        elif held in outside:
            where = (*at, attr)
            seen.given[where] = outside[held]


def _keep_held(
    key: Key,
    at: tuple[Root, Path],
    outside: dict[Key, tuple[Root, Path]],
    o: Objects,
    seen: Seen,
    done: frozenset[Key] = frozenset(),
) -> None:
    """Notes which objects from outside a new object holds that is assigned to an attribute."""
    root, path = at
    done |= {o.one(key)}
    for owner, attr in list(o.contents):
        held = o.inner(key, attr) if owner == o.one(key) else None
        if held is None or o.one(held) in done:
            continue
        if held[0] in ("new", "result", "made"):
            _keep_held(held, (root, (*path, attr)), outside, o, seen, done)
        elif held in outside:
            seen.stored.add((Place(root, path, attr), *outside[held]))


def _root(key: Key) -> Root | None:
    while key[0] == "attribute" and isinstance(key[1], tuple):
        key = key[1]
    return (str(key[0]), key[1]) if key[0] in ("param", "global") else None


def places(o: Objects) -> dict[Key, tuple[Root, Path]]:
    """How the objects that come from outside are reached."""
    found: dict[Key, tuple[Root, Path]] = {}
    for key in o.classes:
        path: list[str] = []
        at = key
        while at[0] == "attribute":
            path.insert(0, str(at[2]))
            at = at[1]  # type: ignore[assignment]  # the owner
        if at[0] in ("param", "global"):
            found[key] = ((str(at[0]), at[1]), tuple(path))
    return found
