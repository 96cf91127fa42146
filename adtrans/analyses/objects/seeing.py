"""What functions do with objects, found out on demand and remembered.

What a function does with objects depends on what it calls, which may be itself: the answers start
from nothing and are asked again until they stay the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from adtrans.analyses.looks import told_by_objects
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.elsewhere import may_change
from adtrans.analyses.objects.entry_classes import with_answers
from adtrans.analyses.objects.infer_objects import infer
from adtrans.analyses.objects.known_functions import KnownFunctions
from adtrans.analyses.objects.model import Key, Seen, Shape
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.preparing import prepared_for_objects
from adtrans.analyses.objects.reasons import Reason
from adtrans.analyses.objects.seen import seen_outside
from adtrans.analyses.objects.spelled import spelled
from adtrans.analyses.objects.visits import Visits
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir import stmt as S
from adtrans.ir.effort import spent_on
from adtrans.ir.walk import statements
from adtrans.source import SourceFunction
from adtrans.source.method_classes import METHOD

Shapes: TypeAlias = "frozenset[tuple[str, Shape]]"
_TURNS = 60  # in which loops over objects are unrolled and objects are told apart
_LONG = 8000  # statements, at most, of a function that is written out so; or
_GROWN = 50  # times as many as it had before
_PASSES = 100  # over functions that call each other; a few are usual


@dataclass
class Seeing(KnownFunctions):
    """What each function does, by the shapes of the objects that it is given. `entry` identifies
    the function asked for; `assuming`: what is no object that is followed is taken for a number or
    an array where a function asks for its class, `asks`: some do (see `entry_classes`); `twice`:
    where what stands twice has to run twice (see `looks`); `times`: how often all was forgotten."""

    entry: int = 0
    assuming: bool = False
    asks: bool = False
    twice: set[Span] = field(default_factory=set)
    times: int = 0
    _seen: dict[tuple[int, Shapes], Seen] = field(default_factory=dict)
    _objects: dict[tuple[int, Shapes], Objects] = field(default_factory=dict)
    _done: set[tuple[int, Shapes]] = field(default_factory=set)
    _again: bool = False
    _visited: set[tuple[int, Shapes]] | None = None
    _visits: Visits[tuple[int, Shapes]] = field(default_factory=Visits)
    _lost: dict[int, dict[Key, str]] = field(default_factory=dict)
    _spelled: dict[tuple[int, Shapes], S.Function] = field(default_factory=dict)
    _answered: set[tuple[int, Shapes]] = field(default_factory=set)

    def seen(self, fn: object, shapes: Mapping[str, Shape]) -> Seen:
        """What a function does with objects of these shapes."""
        found = self.function(fn)
        assert found is not None
        key = (id(found[0]), frozenset(shapes.items()))
        return self._visits.reads(key, self._seen_for(key, found[2]))

    def objects(self, fn: object, shapes: Mapping[str, Shape]) -> Objects:
        """The objects of a function."""
        self.seen(fn, shapes)
        found = self.function(fn)
        assert found is not None
        return self._objects[id(found[0]), frozenset(shapes.items())]

    def forget(self) -> None:
        """What was found out does not count."""
        self.times += 1
        self._visits.clear()
        for known in (
            self._seen, self._objects, self._done, self._lost, self._spelled, self._answered,
        ):  # fmt: skip
            known.clear()

    def _seen_for(self, key: tuple[int, Shapes], fn: S.Function) -> Seen:
        if key in self._done:
            return self._seen[key]
        if self._visited is not None:
            return self.visit(key, fn)
        for _ in range(_PASSES):
            before = {k: s.size() for k, s in self._seen.items()}
            self._visited = set()
            try:
                seen = self.visit(key, fn)
                visited = self._visited
            finally:
                self._visited = None
            again, self._again = self._again, False
            if not again and {k: s.size() for k, s in self._seen.items()} == before:
                self._done |= visited
                return seen
        found = self._prepared[key[0]]
        assert found is not None
        raise CompileError(_unsettled(found[1]))

    def visit(self, key: tuple[int, Shapes], fn: S.Function) -> Seen:
        assert self._visited is not None
        if key in self._visited or key in self._done:
            return self._seen.setdefault(key, Seen())
        self._visited.add(key)
        lost = dict(self._lost.get(key[0], {}))
        if self._visits.unchanged(key, lost, self._once_more):
            return self._seen[key]
        found = self._prepared[key[0]]
        code = found and found[1].fn.__code__
        with self._visits.visit(key, lost), spent_on(code):
            return self._looked_into(key, fn)

    def _once_more(self, key: tuple[int, Shapes]) -> Seen:
        found = self._prepared[key[0]]
        assert found is not None
        return self._seen_for(key, found[2])

    def _looked_into(self, key: tuple[int, Shapes], fn: S.Function) -> Seen:
        if key not in self._spelled:
            answered, asks = with_answers(fn, dict(key[1]), assume=self.assuming)
            self.asks |= asks
            if answered is not fn and key[1]:
                self._answered.add(key)
            if answered is not fn:
                self._spelled[key] = self.prepared(answered)
        fn = self._spelled.get(key, fn)
        most = max(_LONG, _GROWN * sum(1 for _ in statements(fn.body)))
        for turns in itertools.count():
            if turns > _TURNS or sum(1 for _ in statements(fn.body)) > most:
                found = self._prepared[key[0]]
                assert found is not None
                raise CompileError(_unsettled(found[1]))
            lost = self._lost.get(key[0])
            objects = infer(fn, dict(key[1]), self, lost, key[0])
            self.twice.update(told_by_objects(fn, objects))
            if not objects.held and not objects.instead:
                break
            fn = self._spelled[key] = spelled(fn, objects, self.prepared)
        for home, made, why in objects.escaped():
            if made not in self._lost.setdefault(home, {}):
                self.lose(home, made, why)
                self._again = True
        self._objects[key] = objects
        seen = seen_outside(fn, objects)
        if seen != self._seen.get(key):  # else what was found out with the last one stays good
            self._seen[key] = seen
        for made, why in objects.deep.items():  # for good: else it gets deeper all over again
            if made not in self._lost.setdefault(key[0], {}):
                self.lose(key[0], made, why)
                self._again = True
        return self._seen[key]


    def lose(self, home: int, key: Key, why: str) -> None:
        """An object of a function, which `home` identifies, is not followed after all."""
        self._lost.setdefault(home, {})[key] = why
        self._done.clear()

    def keeps_methods(self) -> bool:
        """Whether objects that stand for methods were lost: the methods stay what they are then."""
        lost = {cls for o in self._objects.values() for k in o.lost if (cls := o.classes.get(k))}
        found = {vars(cls)[METHOD] for cls in lost if METHOD in vars(cls)} - self.stay
        if found:
            self.stay |= found
            self.forget()
        return bool(found)

    def prepared(self, fn: S.Function) -> S.Function:
        """A function as it is before objects are looked for in it."""
        return prepared_for_objects(fn)

    def unseen_changes(self) -> bool:
        """Whether objects may be changed by way of something that is not followed."""
        for (home, shapes), o in self._objects.items():
            found = self._prepared[home]
            fn = self._spelled.get((home, shapes), found[2] if found is not None else None)
            if fn is None or any(may_change(s, o) for s in statements(fn.body)):
                return True
        return False

    def given_up(self) -> dict[type, str]:
        """The classes whose objects are not followed, with the reason that was met first."""
        lost = [
            (o.classes.get(k), why) for o in self._objects.values() for k, why in o.lost.items()
        ]
        found: dict[type, str] = {}
        for cls, why in sorted(lost, key=lambda at: not isinstance(at[1], Reason)):
            if isinstance(cls, type) and cls not in CONTAINERS:
                found.setdefault(cls, why)
        return found


def _unsettled(source: SourceFunction) -> Diagnostic:
    return Diagnostic(
        "AD201",
        f"what `{source.name}` does with objects cannot be told",
        source.span(source.node),
        why="which object holds which depends on what its calls do, and that comes to no end",
        fixes=[Fix("keep what varies in variables, or in objects that are made in one place")],
    )
