"""What callers see of a function's objects: attributes written, objects made, the result."""

from __future__ import annotations

from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.found import Objects
from adtrans.analyses.objects.model import (
    Key,
    Path,
    Place,
    Root,
    Seen,
    Shape,
)
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements


def seen_outside(fn: S.Function, o: Objects) -> Seen:
    """What the callers of a function need to know."""
    seen = Seen(globals=dict(o.refs))
    outside = places(o)
    for key, (root, path) in outside.items():
        for attr in o.written.get(key, ()):
            place = Place(root, path, attr)
            seen.written.add(place)
            held = o.inner(key, attr)
            if held is not None and held[0] in ("new", "result", "made"):
                shape = o.shape(held, made=True)
                if shape is None:
                    seen.lost[root] = "objects hold each other in a circle"
                else:
                    seen.made[place] = shape
                    _lose_held(held, o, seen)
            elif held in outside and outside[held] != (root, (*path, attr)):
                seen.stored.add((place, *outside[held]))
        if key in o.lost and path and o.classes[key] in CONTAINERS:
            seen.inside[root, path] = o.lost[key]
        elif key in o.lost:
            seen.lost[root] = o.lost[key]
    for s in statements(fn.body):
        if isinstance(s, S.Return):
            keys = {k for v in s.values for k in o.values_of(v) if k[0] not in ("part", "other")}
            one = o.of(s.values[0]) if len(s.values) == 1 and not s.is_tuple else None
            if one is not None and one not in o.lost:
                seen.result = _returned(one, o)
                if isinstance(seen.result, Shape):
                    _lose_held(one, o, seen)
            if keys and seen.result is None:
                for k in keys:
                    owner = _root(o.one(k))
                    o.lost.setdefault(o.one(k), "it is returned")
                    if owner is not None:
                        seen.lost[owner] = "it is returned"
    return seen


def _returned(key: Key, o: Objects) -> Root | Shape | None:
    if key[0] in ("param", "global"):
        return (str(key[0]), key[1])
    return o.shape(key, made=True) if key[0] in ("new", "result", "made") else None


def _lose_held(key: Key, o: Objects, seen: Seen) -> None:
    """Objects from outside that a new object holds are lost: callers would see another one."""
    for owner, attr in list(o.contents):
        held = o.inner(key, attr) if owner == o.one(key) else None
        if held is None:
            continue
        if held[0] in ("new", "result", "made"):
            _lose_held(held, o, seen)
        elif (root := _root(held)) is not None:
            o.lost.setdefault(held, "a new object that callers see holds it")
            seen.lost[root] = o.lost[held]


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
