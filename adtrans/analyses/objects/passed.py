"""What a call does with the objects that it is given: what it writes, keeps and returns."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from adtrans.analyses.objects.classes import can_follow, member
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.followed_containers import Containers
from adtrans.analyses.objects.following import reason
from adtrans.analyses.objects.model import (
    OTHER,
    GlobalObject,
    Key,
    Root,
    Shape,
)
from adtrans.analyses.objects.object_facts import Call, Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in, walk
from adtrans.rules import lookup
from adtrans.source.cached import remembers
from adtrans.source.method_classes import METHOD
from adtrans.source.reach import names_of_values, reached, values_written

_HARMLESS = (isinstance, type, id, print, repr, str, callable, hasattr)


def is_harmless(fn: object, args: Sequence[object]) -> bool:
    """Whether a function only looks at what it is given. `type` of several makes a class."""
    return any(fn is f for f in _HARMLESS) and (fn is not type or len(args) == 1)


def takes_values(s: S.Invoke, o: Objects) -> bool:
    """Whether a call is one of a derivative or a checkpoint, or of what SciPy makes of a function,
    and is given no object."""
    made = s.fn.value if isinstance(s.fn, E.Ref) else None
    given = (*s.args, *(a for _, a in s.kwargs))
    values = (k for a in given for k in o.values_of(a))
    only = getattr(made, "reads_only", False) is True
    return only and all(k[0] in ("part", "other") for k in values)


def of_caller(key: Key) -> bool:
    """Whether an object, or a part of it, comes from outside, where it may be changed later."""
    while key[0] in ("part", "attribute") and isinstance(key[1], tuple):
        key = key[1]
    return key[0] in ("param", "global")


class Passing(Containers):
    """The part of the inference that concerns calls of functions."""

    def globals_in(self, e: E.Expr) -> None:
        """Objects that global names mean come into sight where they are used."""
        for sub in walk(e):
            if isinstance(sub, E.Ref) and id(sub.value) not in self.o.refs:
                shape = self.functions.shape_of(sub.value)
                if shape is not None and shape.cls not in CONTAINERS and lookup(sub.value) is None:
                    self.o.refs[id(sub.value)] = GlobalObject(sub, shape)
                    self.enter(("global", id(sub.value)), shape)
                    self.changed = True

    def comes_later(self, s: S.Invoke) -> bool:
        """Whether the object of `dataclasses.replace(obj, ...)` is made by a statement that will be
        written out first."""
        match s:
            case S.Invoke(fn=E.Ref(value=fn), args=(E.Name() as obj, *_)):
                known = fn is not dataclasses.replace or self.o.values_of(obj)
                return not known and bool(self.o.instead)
        return False

    def invoke(self, s: S.Invoke) -> None:
        if self.comes_later(s):
            return
        args = (*s.args, *(v for _, v in s.kwargs))
        key = self.o.of(s.fn) if E.is_atom(s.fn) else None
        if key is not None:
            fn = member(self.o.classes[key], "__call__").value
            self.call_or_lose(s, fn, (s.fn, *s.args), s.target, dict(s.kwargs))
            return
        if isinstance(s.fn, E.Ref) and is_harmless(s.fn.value, args):
            self.add(s.target, {OTHER})
            return
        if takes_values(s, self.o):  # and writes none of them
            for a in args:
                if any(k[0] == "part" and of_caller(k) for k in self.o.values_of(a)):
                    self.touch(a)  # it has a variable, as it is now
            self.behind(s.fn)
            self.add(s.target, {OTHER})
            return
        for a in args:
            self.touch(a)
        fn = s.fn.value if isinstance(s.fn, E.Ref) else None
        if not self.call(s, fn, s.args, s.target, dict(s.kwargs)):
            names = {n for a in args for n in names_in(a)}
            why = f"it is passed to `{s.fn}`"
            self.lose_names(names, why)
            for a in args:
                self.lose(self.o.values_of(a), why)
            self.behind(s.fn)
            for a in args:
                self.behind(a)
            self.add(s.target, self.parts(names))

    def behind(self, e: E.Expr) -> None:
        """The objects that a function which is not followed may change by their global names."""
        for name, value in values_written(e.value) if isinstance(e, E.Ref) else ():
            if can_follow(type(value)):
                self.globals_in(E.Ref(name, value))
                key: Key = ("global", id(value))
                self.lose({key} & self.o.classes.keys(), "it may be changed behind a call")

    def read_behind(self, fn: object) -> None:
        """The objects whose attributes a function that is taken whole may read by global names."""
        for f in reached(fn):
            for name, value in names_of_values(f):
                if can_follow(type(value)):
                    self.globals_in(E.Ref(name, value))
                    key: Key = ("global", id(value))
                    self.lose({key} & self.o.classes.keys(), "a rule is given for what reads it")

    def call_or_lose(
        self,
        s: S.Stmt,
        fn: object,
        args: tuple[E.Expr, ...],
        target: str | None,
        kwargs: dict[str, E.Expr] | None = None,
    ) -> None:
        atoms = tuple(a for a in args if isinstance(a, E.Name | E.Const | E.Ref))
        words = {
            k: v for k, v in (kwargs or {}).items() if isinstance(v, E.Name | E.Const | E.Ref)
        }
        if len(atoms) == len(args) and self.call(s, fn, atoms, target, words):
            return
        for e in (*args, *(kwargs or {}).values()):
            self.lose(self.o.values_of(e), reason(s))
        self.add(target, {OTHER})

    def call(
        self,
        s: S.Stmt,
        fn: object,
        args: tuple[E.Atom, ...],
        target: str | None,
        kwargs: dict[str, E.Atom],
    ) -> bool:
        """A call of a Python function; False where nothing is known about it."""
        binds = METHOD in getattr(fn, "__dict__", {})
        again = remembers(fn)
        fn = self.functions.meant(fn, len(args), tuple(kwargs))
        bound = self.functions.bound(fn, args, kwargs)
        if bound is None:
            return False
        given = {p: k for p, a in bound.items() if (k := self.o.of(a)) is not None}
        shapes = {p: self.o.shape(k) for p, k in given.items()}
        made_now = None
        for p, k in given.items():
            if bound[p] == E.Name(self.first_uses.get(s.site, "")):
                made_now, shapes[p] = k, Shape.of(self.o.classes[k])
        round_about = [k for p, k in given.items() if shapes[p] is None]
        self.lose(set(round_about), "objects hold each other in a circle")
        known = {p: shape for p, shape in shapes.items() if shape is not None}
        seen = self.functions.seen(fn, known)
        self.o.calls[s.site] = Call(fn, bound, len(args), seen, known)
        for number, g in seen.globals.items():
            if number not in self.o.refs:
                self.o.refs[number] = g
                self.enter(("global", number), g.shape)
        roots: dict[Root, Key] = {("param", p): k for p, k in given.items()}
        roots.update({("global", n): ("global", n) for n in seen.globals})
        ways: Counter[Key] = Counter()
        for k in given.values():
            ways.update([self.o.one(k)] if made_now == k else self.ways_down(k))
        for number in seen.globals:
            ways.update(self.ways_down(("global", number)))
        for place in seen.written:
            assigned = self.reach(roots.get(place.root), place.path)
            if assigned is not None and ways[assigned] > 1:
                self.lose({assigned}, "it is passed twice to what assigns its attributes")
        for root, why in seen.lost.items():
            if root in roots:
                self.lose({roots[root]}, why)
        for (root, path), why in seen.inside.items():
            below = self.reach(roots.get(root), path)
            if below is not None:
                self.lose({below}, why)
        # an exception may leave it half done; of what is only being made nothing is left then
        alone = all(roots.get(p.root) == made_now and not p.path for p in seen.written)
        halfway = s.site in self.interrupted and not (alone and made_now is not None)
        for place in seen.written:
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.write(key, place.attr)
                if halfway:
                    self.lose({key}, "a call inside `try` changes it")
                if again:
                    self.lose({key}, "a cached function changes it")
        inside = [self.reach(roots.get(root), path) for root, path in seen.bound]
        self.o.bound |= {self.o.one(k) for k in (*inside, *(given.values() if binds else ())) if k}
        for place in seen.other:
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.add_content(key, place.attr, {OTHER})
        for place in seen.plain:
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.o.plain.add((key, place.attr))
        for place in seen.read:
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.o.read.add((key, place.attr))
        for place, shape in seen.made.items():
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                made: Key = ("made", s.site, place.root, place.path, place.attr)
                self.enter(made, shape)
                self.add_content(key, place.attr, {made})
        for place, root, path in seen.stored:
            owner = self.reach(roots.get(place.root), place.path)
            inner = self.reach(roots.get(root), path)
            if owner is not None and inner is not None:
                self.add_content(owner, place.attr, {inner})
            elif inner is not None:
                self.lose({inner}, "it is assigned to an attribute of what is not followed")
        if isinstance(seen.result, Shape):
            self.enter(("result", s.site), seen.result)
            for at, (root, path) in seen.given.items():
                key = self.reach(roots.get(root), path)
                owner = self.reach(("result", s.site), at[:-1])
                if owner is not None:
                    self.add_content(owner, at[-1], {OTHER if key is None else key})
            self.remembered |= {("result", s.site)} if again else set()
            self.add(target, {("result", s.site)})
        elif seen.result is not None:
            self.add(target, {roots[seen.result]} if seen.result in roots else {OTHER})
        else:
            held = {n for a in args for n in names_in(a)}
            self.add(target, self.parts(held))
        return True

