"""Functions with variables for the attributes of objects, made on demand and remembered.

What a function does with objects depends on what it calls, which may be itself: the answers start
from nothing and are asked again until they stay the same.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, TypeAlias

from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.looks import told_by_objects
from adtrans.analyses.objects.apart import told_apart as told_apart_objects
from adtrans.analyses.objects.cells import Body, Expanded
from adtrans.analyses.objects.class_attributes import set_in_classes
from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.displays import CONTAINERS, read, unrolled
from adtrans.analyses.objects.elsewhere import may_change
from adtrans.analyses.objects.entry_classes import with_answers
from adtrans.analyses.objects.expand import expand
from adtrans.analyses.objects.following import joined_alive, maker
from adtrans.analyses.objects.found import Bound, Objects
from adtrans.analyses.objects.given import Given
from adtrans.analyses.objects.infer import infer
from adtrans.analyses.objects.mirrors import told
from adtrans.analyses.objects.model import Key, Place, Seen, Shape, is_shared, shape_of_kind
from adtrans.analyses.objects.pools import Pools, begun, overlooked
from adtrans.analyses.objects.predicates import asked
from adtrans.analyses.objects.preparing import filled_before, lost_sources, prepared_for_objects
from adtrans.analyses.objects.reasons import Reason
from adtrans.analyses.objects.seen import places, seen_outside
from adtrans.analyses.objects.visits import Visits
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind
from adtrans.ir.names import plain_name
from adtrans.ir.walk import reads_of, statements
from adtrans.lower.collected import Collected, for_call
from adtrans.source import SourceFunction, is_generated
from adtrans.source.bound import of_class
from adtrans.source.cached import MEMO, remembers
from adtrans.source.method_classes import METHOD, method_class

Raw: TypeAlias = "tuple[SourceFunction, S.Function]"
Shapes: TypeAlias = "frozenset[tuple[str, Shape]]"
_NOTHING: Shapes = frozenset()
_ROUNDS = 24  # in which pools are found
_PASSES = 100  # over functions that call each other; a few are usual
LOWERED = "_adtrans_lowered"  # where a function that was rewritten keeps its source and its form

WRITTEN = "_adtrans_written"  # what the user calls it
EXPANDED = "_adtrans_expanded"  # what has been added to its parameters and results


@dataclass
class Followed:
    """`raw` gives the source and the lowered form of a function, None if it has none; `known` the
    Python function behind what is called; `register` takes what is made; `inert`: see `mirrors`;
    `reading`: what is only read from outside is followed, too; `pools`: objects that are lost
    otherwise are followed with all of their class; `entry` identifies the function asked for;
    `assuming`: what is no object that is followed is taken for a number or an array where a
    function asks for its class, `asks`: some do (see `entry_classes`); `twice`: where what stands
    twice has to run twice (see `looks`)."""

    raw: Callable[[FunctionType], Raw | None]
    known: Callable[[object], FunctionType | None]
    register: Callable[[FunctionType, SourceFunction, S.Function], None]
    inert: bool = False
    reading: bool = False
    pools: Pools | None = None
    entry: int = 0
    assuming: bool = False
    asks: bool = False
    twice: set[Span] = field(default_factory=set)
    times: int = 0
    _spans: dict[tuple[int, object], Span] = field(default_factory=dict)
    _prepared: dict[int, tuple[FunctionType, SourceFunction, S.Function] | None] = field(
        default_factory=dict
    )
    _seen: dict[tuple[int, Shapes], Seen] = field(default_factory=dict)
    _objects: dict[tuple[int, Shapes], Objects] = field(default_factory=dict)
    _done: set[tuple[int, Shapes]] = field(default_factory=set)
    replaced: dict[Span, str] = field(default_factory=dict)
    _again: bool = False
    _visited: set[tuple[int, Shapes]] | None = None
    _lost: dict[int, dict[Key, str]] = field(default_factory=dict)
    _expanded: dict[tuple[int, Shapes, frozenset[Place]], Expanded] = field(default_factory=dict)
    _bodies: dict[tuple[int, Shapes, frozenset[Place]], Body] = field(default_factory=dict)
    _open: set[tuple[int, Shapes, frozenset[Place]]] | None = None
    _plain: dict[int, Body] = field(default_factory=dict)
    _unlike: dict[tuple[int, Shapes], frozenset[Key]] = field(default_factory=dict)
    _blank: dict[tuple[int, Shapes], frozenset[int]] = field(default_factory=dict)
    _without: dict[tuple[int, Shapes], frozenset[tuple[Key, str]]] = field(default_factory=dict)
    _unrolled: dict[tuple[int, Shapes], S.Function] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _refs: dict[int, E.Ref] = field(default_factory=dict)
    _remembered: dict[int, object] = field(default_factory=dict)  # what holds a function
    _collected: Collected = field(default_factory=dict)
    _given: Given = field(default_factory=Given)
    _visits: Visits[tuple[int, Shapes]] = field(default_factory=Visits)
    _answered: set[tuple[int, Shapes]] = field(default_factory=set)
    stay: set[tuple[type, str]] = field(default_factory=set)
    _methods: dict[tuple[type, str, object], type | None] = field(default_factory=dict)
    _meant: dict[int, tuple[object, FunctionType | None]] = field(default_factory=dict)
    _shapes: dict[int, tuple[object, Shape | None]] = field(default_factory=dict)

    # -- what is asked while objects are followed ------------------------------------------------

    def function(self, fn: object) -> tuple[FunctionType, SourceFunction, S.Function] | None:
        """The Python function behind `fn`, its source, its webs."""
        if id(fn) not in self._meant:
            self._meant[id(fn)] = fn, self.known(fn)  # it stays alive, and its number its own
            if remembers(fn):
                self._remembered[id(self._meant[id(fn)][1])] = fn
        found = self._meant[id(fn)][1]
        if found is None:
            return None
        if id(found) not in self._prepared:
            raw = self.raw(found)
            made = None
            if raw is not None:
                body = told(found, prepared_for_objects(raw[1]), inert=self.inert)
                made = (found, raw[0], body)
            self._prepared[id(found)] = made
        return self._prepared[id(found)]

    def shape_of(self, value: object) -> Shape | None:
        """The shape of a global object that can be followed, or of a container of such."""
        if id(value) not in self._shapes:
            self._shapes[id(value)] = value, shape_of_kind(kind_of_value(value), can_follow)
        return self._shapes[id(value)][1]

    def block_of(self, fn: object) -> S.Block | None:
        """The statements of a function; None where it is not known."""
        found = self.function(fn)
        return None if found is None else found[2].body

    def method_class(self, cls: type, attr: str, fn: object) -> type | None:
        """The class of the objects that stand for a method; None where there is none."""
        key = (cls, attr, fn)
        if key not in self._methods:
            found = self.function(fn)
            made = None if found is None else method_class(cls, attr, fn, found[1])
            self._methods[key] = made
        return self._methods[key]

    def keeps_methods(self) -> bool:
        """Whether objects that stand for methods were lost: the methods stay what they are then."""
        lost = {cls for o in self._objects.values() for k in o.lost if (cls := o.classes.get(k))}
        found = {vars(cls)[METHOD] for cls in lost if METHOD in vars(cls)} - self.stay
        if found:
            self.stay |= found
            self.forget()
        return bool(found)

    def bound(
        self, fn: object, args: tuple[E.Atom, ...], kwargs: Mapping[str, E.Atom]
    ) -> Bound | None:
        """The arguments of a call by parameter; None where that is not known."""
        found = self.function(fn)
        if found is None or any(p.form in ("varargs", "varkw") for p in found[2].params):
            return None
        try:
            return found[1].signature.bind(*args, **kwargs).arguments
        except TypeError:
            return None

    def meant(self, fn: object, count: int, keywords: tuple[str, ...]) -> object:
        """A function for the arguments of a call: one that collects some has them as parameters."""
        found = of_class(fn) or fn
        if not isinstance(found, FunctionType) or LOWERED in vars(found):
            return fn
        made = for_call(found, count, keywords, self._collected)
        return fn if made is found else made

    def given(
        self, fn: object, bound: Bound, called: frozenset[str], objects: frozenset[str]
    ) -> object:
        """A function for what a call gives: classes in the place of parameters, and nothing that
        is decided by what the call leaves out where it hands over functions."""
        found = self.function(fn)
        if found is None or LOWERED in vars(found[0]):
            return fn
        made = self._given.of(found[0], found[1], bound, called, objects)
        if made is not None and id(found[0]) in self._remembered:
            vars(made)[MEMO] = True
        return made or fn

    def replaces(self, span: Span, name: str) -> None:
        """A function is put in the place of a method of one object."""
        self.replaced[span] = name

    def left_out(self, fn: object, bound: Bound) -> Iterator[str]:
        """The parameters that get None because nothing is passed."""
        found = self.function(fn)
        for p in () if found is None else found[2].params:
            if p.name not in bound and p.default == E.NONE:
                yield p.name

    def seen(self, fn: object, shapes: Mapping[str, Shape]) -> Seen:
        """What a function does with objects of these shapes."""
        found = self.function(fn)
        assert found is not None
        key = (id(found[0]), frozenset(shapes.items()))
        if self.pools is None or self._visited is not None:
            return self._visits.reads(key, self._seen_for(key, found[2]))
        for rounds in itertools.count():
            if rounds > _ROUNDS:
                self.pools.give_up()
            self.pools.changed = False
            seen = self._seen_for(key, found[2])
            if self.pools.changed:
                self._done.clear()
            elif self.promoted():
                self.pools.final = False
                self.forget()
            elif self.pools.final and not (self.waits() and self.pools.give_up()):
                return seen
            else:
                self.pools.finish()
                self.forget()
        raise AssertionError("unreachable")

    def waits(self) -> bool:
        """Whether a call was left out to the end: a recursion that has none, perhaps."""
        return any(o.waits for o in self._objects.values())

    def promoted(self) -> bool:
        """Whether more objects were lost that can be followed together with all of their class."""
        assert self.pools is not None
        classes: set[type] = set()
        displays: set[object] = set()
        for (home, _), o in self._objects.items():
            for key in o.lost:
                if is_shared(key) or maker(key)[0] not in ("new", "result", "made"):
                    continue
                cls = o.classes.get(key)
                if cls is not None and cls not in CONTAINERS:
                    classes.add(cls)
                elif key[0] == "new" and (span := self._spans.get((home, key[1]))) is not None:
                    if self.inert or not is_generated(span.file):  # no helper of a derivative
                        displays.add(span)
        return self.pools.promote(classes, displays)

    def forget(self) -> None:
        """What was found out with fewer pools does not count."""
        self.times += 1
        self._visits.clear()
        for known in (
            self._seen, self._objects, self._done, self._lost, self._expanded, self._bodies,
            self._plain, self._unlike, self._blank, self._unrolled, self._without,
            self._answered,
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
        if self.pools is None and self._visits.unchanged(key, lost, self._once_more):
            return self._seen[key]
        with self._visits.visit(key, lost):
            return self._looked_into(key, fn)

    def _once_more(self, key: tuple[int, Shapes]) -> Seen:
        found = self._prepared[key[0]]
        assert found is not None
        return self._seen_for(key, found[2])

    def _looked_into(self, key: tuple[int, Shapes], fn: S.Function) -> Seen:
        if key not in self._unrolled:
            answered, asks = with_answers(fn, dict(key[1]), assume=self.assuming)
            self.asks |= asks
            if answered is not fn and key[1]:
                self._answered.add(key)
            if self.pools is not None and self.pools.final and key[0] == self.entry:
                answered = begun(answered, self.pools)
            if answered is not fn:
                self._unrolled[key] = prepared_for_objects(answered)
        fn = self._unrolled.get(key, fn)
        while True:
            unlike, blank = self._unlike.get(key, frozenset()), self._blank.get(key, frozenset())
            lost = self._lost.get(key[0])
            objects = infer(fn, dict(key[1]), self, lost, key[0], unlike, blank, self.pools)
            self.twice.update(told_by_objects(fn, objects))
            for s in statements(fn.body):
                if isinstance(s, S.Pack):
                    self._spans[key[0], s.site] = s.span
            if again := joined_alive(objects) - unlike:
                self._unlike[key] = unlike | again
                continue
            objects.loops &= {
                s.site
                for s in statements(fn.body)
                if isinstance(s, S.For) and not lost_sources(s, objects)
            }
            objects.loops -= filled_before(fn, objects)
            if not objects.loops and not objects.held and not objects.instead:
                sites = {s.site: reads_of(s) for s in statements(fn.body)}
                objects.split = {k for k in objects.split if sites[k] & objects.several}
                if not objects.split:
                    self.check_pools(fn, objects)
                    break
                fn, more = told_apart_objects(fn, objects, prepared_for_objects)
                self._unrolled[key] = fn
                self._blank[key] = blank | more
                continue
            fn = self._unrolled[key] = unrolled(fn, objects, prepared_for_objects)
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

    def loses(self) -> bool:
        """Whether objects made in the program are lost, or None is passed on in their place."""
        found = self._objects.values()
        lost = any(o.none_passed for o in found) and any(o.classes for o in found)
        return lost or any(
            maker(k)[0] in ("new", "result", "made")
            for o in found
            for k in (*o.lost, *o.returned)
        )

    def unseen_changes(self) -> bool:
        """Whether objects may be changed by way of something that is not followed."""
        for (home, shapes), o in self._objects.items():
            found = self._prepared[home]
            fn = self._unrolled.get((home, shapes), found[2] if found is not None else None)
            if fn is None or any(may_change(s, o) for s in statements(fn.body)):
                return True
        return False

    def meets_globals(self) -> bool:
        """Whether objects that global names mean have come into sight."""
        return any(o.refs for o in self._objects.values())

    def given_up(self) -> dict[type, str]:
        """The classes whose objects are not followed, with the reason that was met first."""
        lost: list[tuple[object, str]] = []
        if self.pools is not None:
            lost += [(k[1], why) for k, why in self.pools.lost.items() if k[0] == "pool"]
        for o in self._objects.values():
            lost += [(o.classes.get(k), why) for k, why in o.lost.items()]
        found: dict[type, str] = {}
        for cls, why in sorted(lost, key=lambda at: not isinstance(at[1], Reason)):
            if isinstance(cls, type) and cls not in CONTAINERS:
                found.setdefault(cls, why)
        return found

    def check_pools(self, fn: S.Function, o: Objects) -> None:
        """What reads attributes of pools in another way makes them lost."""
        if self.pools is not None and self.pools.final and not o.instead and not o.waits:
            for key, why in overlooked(fn, o, self.pools):
                self.pools.lose(key, why)

    def objects(self, fn: object, shapes: Mapping[str, Shape]) -> Objects:
        """The objects of a function."""
        self.seen(fn, shapes)
        found = self.function(fn)
        assert found is not None
        return self._objects[id(found[0]), frozenset(shapes.items())]

    # -- what is made ----------------------------------------------------------------------------

    def expanded(
        self, fn: object, shapes: Mapping[str, Shape], cells: frozenset[Place]
    ) -> Expanded | None:
        """The function with variables for `cells`; None where it is called as it is."""
        found = self.function(fn)
        assert found is not None
        of = (id(found[0]), frozenset(shapes.items()))
        own = bool(shapes) and (_pooled(shapes.items()) or bool(self.seen(fn, shapes).bound))
        own = own or of in self._answered
        key = (of[0], of[1] if cells or own else _NOTHING, cells)
        if key in self._bodies and self._open is None:
            return self.needed(key)
        if self._open is not None:
            self.make(key, found)
            return self.needed(key)
        while True:
            before = dict(self._expanded)
            self._open = set()
            try:
                self.make(key, found)
            finally:
                self._open = None
            if self._expanded == before:
                return self.needed(key)

    def needed(self, key: tuple[int, Shapes, frozenset[Place]]) -> Expanded | None:
        e = self._expanded[key]
        rewritten = _pooled(key[1]) or self._seen_bound(key) or key[:2] in self._answered
        return e if e.ins or e.several or rewritten else None

    def _seen_bound(self, key: tuple[int, Shapes, frozenset[Place]]) -> bool:
        """Whether a function makes objects of the methods of what it is given."""
        seen = self._seen.get((key[0], key[1]))
        return bool(key[1]) and seen is not None and bool(seen.bound)

    def make(
        self,
        key: tuple[int, Shapes, frozenset[Place]],
        found: tuple[FunctionType, SourceFunction, S.Function],
    ) -> None:
        assert self._open is not None
        fn, source, _ = found
        if key not in self._expanded:
            wrapper = self.wrapper(fn, source, key)
            self._expanded[key] = Expanded(wrapper, (), (), ())
        if key in self._open:
            return
        self._open.add(key)
        body = self.body(fn, dict(key[1]), key[2], callee=True)
        if key not in self._expanded:
            self._expanded[key] = Expanded(self.wrapper(fn, source, key), (), (), ())
        self._bodies[key] = body
        e = replace(self._expanded[key], ins=body.ins, outs=body.outs, result=body.result,
                    through=body.through, asked=asked(body.fn))  # fmt: skip
        self._expanded[key] = e
        wrapper_fn = e.fn.value
        assert isinstance(wrapper_fn, FunctionType)
        vars(wrapper_fn)[EXPANDED] = e
        self.register(wrapper_fn, with_keywords(source, body), body.fn)

    def body(
        self,
        fn: object,
        shapes: Mapping[str, Shape],
        cells: frozenset[Place],
        *,
        callee: bool,
        entry: bool = False,
    ) -> Body:
        """The function rewritten. Objects that may lack an attribute are not followed. `entry`: the
        attributes of objects that it returns have derivatives by themselves."""
        found = self.function(fn)
        assert found is not None
        while True:
            objects, times = self.objects(fn, shapes), self.times
            followed = _followed(objects, cells, {} if entry else objects.returned)
            fn_now = self._unrolled.get((id(found[0]), frozenset(shapes.items())), found[2])
            blank = self._without.get((id(found[0]), frozenset(shapes.items())), frozenset())
            body = expand(
                fn_now, objects, followed, self, callee=callee, entry=entry, blank=blank
            )
            if self.times != times:
                continue
            if body.blank and not body.undefined:
                self._without[id(found[0]), frozenset(shapes.items())] = blank | body.blank
                continue
            if not body.undefined:
                return body
            for key in body.undefined:
                self.lose(id(found[0]), key, "it may lack an attribute that is read")

    def lose(self, home: int, key: Key, why: str) -> None:
        """An object of a function, which `home` identifies, is not followed after all."""
        self._lost.setdefault(home, {})[key] = why
        self._done.clear()
        self._plain.clear()
        self._bodies.clear()

    def plain(self, fn: FunctionType) -> Body:
        """The function as it is called without attributes of objects from outside."""
        if id(fn) not in self._plain:
            self._plain[id(fn)] = self.body(fn, {}, frozenset(), callee=False)
        return self._plain[id(fn)]

    def wrapper(
        self, fn: FunctionType, source: SourceFunction, key: tuple[int, Shapes, frozenset[Place]]
    ) -> E.Ref:
        """What the expanded function computes, as a function: it calls the user's."""
        signature = source.signature
        again: Any = self._remembered.get(id(fn))
        inside = again is None or LOWERED in vars(fn) or source.fn is not fn
        run = again if not inside else fn if LOWERED in vars(fn) else source.fn

        def primal(*args: Any, **kwargs: Any) -> Any:
            e = vars(primal)[EXPANDED]
            hidden = {name for name, _ in e.ins}
            own = {k: v for k, v in kwargs.items() if k not in hidden}
            value = run(*args, **own)
            if not e.several:
                return value
            given = signature.bind(*args, **own).arguments
            parts = [_read(_root(p, given, self), (*p.path, p.attr)) for p in e.outs]
            parts += [_read(value, (*path, attr)) for path, attr in e.result]
            return (value, *parts)

        name = self.fresh(fn, source.qualname)
        primal.__name__ = primal.__qualname__ = name
        primal.__module__ = fn.__module__
        if again is not None or remembers(fn):
            vars(primal)[MEMO] = inside
        vars(primal)[WRITTEN] = source.qualname.rpartition("<locals>.")[2]
        return E.Ref(name, primal)

    def fresh(self, fn: FunctionType, qualname: str) -> str:
        """A plain name for a function, which nothing else has."""
        parts = [plain_name(p.strip("<>")) for p in qualname.split(".") if p != "<locals>"]
        stem = "_".join(parts[-2:] if len(parts) > 1 and parts[-2][:1].isupper() else parts[-1:])
        while stem in fn.__globals__:
            stem += "_"
        n = self._names[stem] = self._names.get(stem, 0) + 1
        return stem if n == 1 else f"{stem}_{n}"

    def named(self, fn: object) -> E.Ref:
        """A name for a function as it is."""
        if id(fn) not in self._refs:
            found = self.known(fn)
            assert found is not None
            self._refs[id(fn)] = E.Ref(self.fresh(found, found.__qualname__), fn)
        return self._refs[id(fn)]

    def sets_in_class(self, attr: str) -> bool:
        """Whether a function of the program assigns this attribute of a class."""
        bodies = (made[2].body for made in self._prepared.values() if made is not None)
        return any(not found.isdisjoint((attr, "")) for found in map(set_in_classes, bodies))


def _pooled(shapes: Iterable[tuple[str, Shape]]) -> bool:
    """Whether a parameter may mean an object that is followed with all of its class."""
    return any(key[0] == "pool" for _, shape in shapes for key in shape.shared)


def _unsettled(source: SourceFunction) -> Diagnostic:
    return Diagnostic(
        "AD201",
        f"what `{source.name}` does with objects cannot be told",
        source.span(source.node),
        why="which object holds which depends on what its calls do, and that comes to no end",
        fixes=[Fix("keep what varies in variables, or in objects that are made in one place")],
    )


def _root(place: Place, given: Mapping[str, Any], functions: Followed) -> Any:
    form, name = place.root
    if form == "param":
        return given[str(name)]
    assert isinstance(name, int)
    found = (o.refs[name] for o in functions._objects.values() if name in o.refs)
    return next(found).ref.value


def _read(obj: Any, path: tuple[str, ...]) -> Any:
    for attr in path:
        if attr.isidentifier() and not hasattr(obj, attr) and not isinstance(obj, dict):
            return None  # it was not assigned
        obj = read(obj, attr)
    return obj


def with_keywords(source: SourceFunction, body: Body) -> SourceFunction:
    """`source` with the further parameters in its signature."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, keyword) for name, _ in body.ins]
    listed = list(source.signature.parameters.values())
    last = [p for p in listed if p.kind is inspect.Parameter.VAR_KEYWORD]
    first = [p for p in listed if p.kind is not inspect.Parameter.VAR_KEYWORD]
    return replace(source, signature=inspect.Signature([*first, *more, *last]))


def _followed(o: Objects, cells: frozenset[Place], lost: Mapping[Key, str]) -> dict[Key, set[str]]:
    """The followed attributes of each object that is not lost: `cells` of those from outside, of
    new ones all that are assigned."""
    found: dict[Key, set[str]] = {}
    outside = places(o)
    for key in o.classes:
        if o.one(key) != key or key in o.lost or key in lost or is_shared(key):
            continue
        if key in outside:
            root, path = outside[key]
            own = {c.attr for c in cells if (c.root, c.path) == (root, path)}
            below = any(c.root == root and c.path[: len(path)] == path for c in cells)
            if own or below or key in o.bound:
                found[key] = own
        else:
            found[key] = set(o.written.get(key, ()))
    for made, of in o.copies.items():
        if o.one(made) in found and o.one(of) in found:
            found[o.one(made)] |= found[o.one(of)]
    return found


def shapes_of(kinds: Mapping[str, Kind], plain: frozenset[str] = frozenset()) -> dict[str, Shape]:
    """The shapes of the objects among the arguments, and of the dictionaries called `plain`."""
    found = {n: shape_of_kind(k, can_follow, plain=n in plain) for n, k in kinds.items()}
    return {name: shape for name, shape in found.items() if shape is not None}
