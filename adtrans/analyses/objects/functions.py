"""Functions with variables for the attributes of objects, made on demand and remembered."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, TypeAlias

from adtrans.analyses.objects.attribute_variables import Body, Expanded
from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.displays import CONTAINERS, read
from adtrans.analyses.objects.expand import expand
from adtrans.analyses.objects.known_functions import LOWERED
from adtrans.analyses.objects.model import Key, Place, Shape, maker, shape_of_kind
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.seeing import Seeing, Shapes
from adtrans.analyses.objects.seen import places
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind
from adtrans.ir.names import plain_name
from adtrans.ir.walk import statements
from adtrans.source import SourceFunction
from adtrans.source.cached import MEMO, remembers

_NOTHING: Shapes = frozenset()
Version: TypeAlias = "tuple[int, Shapes, frozenset[Place]]"
WRITTEN = "_adtrans_written"  # what the user calls it
EXPANDED = "_adtrans_expanded"  # what has been added to its parameters and results


@dataclass
class Followed(Seeing):
    """Each function is made once for what it is given. `register` takes what is made."""

    register: Callable[[FunctionType, SourceFunction, S.Function], None] = field(kw_only=True)
    _expanded: dict[Version, Expanded] = field(default_factory=dict)
    _bodies: dict[Version, Body] = field(default_factory=dict)
    _open: set[Version] | None = None
    _plain: dict[int, Body] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _refs: dict[int, E.Ref] = field(default_factory=dict)

    def forget(self) -> None:
        """What was made does not count, either."""
        super().forget()
        for known in (self._expanded, self._bodies, self._plain):
            known.clear()

    def lose(self, home: int, key: Key, why: str) -> None:
        """What is made is made anew without the object."""
        super().lose(home, key, why)
        self._plain.clear()
        self._bodies.clear()

    def expanded(
        self,
        fn: object,
        shapes: Mapping[str, Shape],
        cells: frozenset[Place],
    ) -> Expanded | None:
        """The function with variables for `cells`; None where it is called as it is."""
        found = self.function(fn)
        assert found is not None
        of = (id(found[0]), frozenset(shapes.items()))
        own = bool(shapes) and bool(self.seen(fn, shapes).bound)
        own = own or of in self._answered or self.told_by_shapes(of, shapes)
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

    def needed(self, key: Version) -> Expanded | None:
        e = self._expanded[key]
        rewritten = self._seen_bound(key) or key[:2] in self._answered
        rewritten = rewritten or self.told_by_shapes(key[:2], dict(key[1]))
        return e if e.ins or e.several or rewritten else None

    def told_by_shapes(self, of: tuple[int, Shapes], shapes: Mapping[str, Shape]) -> bool:
        """Whether only the shapes of what it is given tell which methods a function calls."""
        if not shapes or of not in self._objects:
            return False
        found = self._prepared[of[0]]
        assert found is not None
        o, fn = self._objects[of], self._spelled.get(of, found[2])
        calls = (s for s in statements(fn.body) if s.site in o.calls)
        called = (o.of(e) for s in calls if (e := called_object(s)) is not None)
        return any(key is not None and maker(key)[0] == "param" for key in called)

    def _seen_bound(self, key: Version) -> bool:
        """Whether a function makes objects of the methods of what it is given."""
        seen = self._seen.get((key[0], key[1]))
        return bool(key[1]) and seen is not None and bool(seen.bound)

    def make(
        self,
        key: Version,
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
        e = replace(self._expanded[key], ins=body.ins, outs=body.outs, result=body.result)
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
        """The function rewritten. Where objects may lack an attribute that is read, they are not
        followed. `entry`: the attributes of objects that it returns have derivatives by
        themselves."""
        found = self.function(fn)
        assert found is not None
        while True:
            objects, times = self.objects(fn, shapes), self.times
            fn_now = self._spelled.get((id(found[0]), frozenset(shapes.items())), found[2])
            lost: Mapping[Key, str] = {} if entry else objects.returned
            if not callee and not entry:  # callers would not connect the items with anything
                lost = {**lost, **dict.fromkeys(_handed_back(fn_now, objects), "it is returned")}
            followed = _followed(objects, cells, lost, fn_now)
            body = expand(fn_now, objects, followed, self, callee=callee, entry=entry)
            if self.times != times:
                continue
            if not body.undefined:
                return body
            for key in body.undefined:
                self.lose(id(found[0]), key, "it may lack an attribute that is read")

    def plain(self, fn: FunctionType) -> Body:
        """The function as it is called without attributes of objects from outside."""
        if id(fn) not in self._plain:
            self._plain[id(fn)] = self.body(fn, {}, frozenset(), callee=False)
        return self._plain[id(fn)]

    def wrapper(
        self, fn: FunctionType, source: SourceFunction, key: Version
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


def called_object(s: S.Stmt) -> E.Expr | None:
    """What a statement calls, or whose method."""
    match s:
        case S.Invoke(fn=E.Name() as fn):
            return fn
        case S.Bind(value=E.Call(fn=E.Attribute(base=base))):
            return base
        case _:
            return None


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


def _followed(
    o: Objects, cells: frozenset[Place], lost: Mapping[Key, str], fn: S.Function
) -> dict[Key, set[str]]:
    """The followed attributes of each object that is not lost: `cells` of those from outside, of
    new ones all that are assigned."""
    found: dict[Key, set[str]] = {}
    outside = places(o)
    for key in o.classes:
        if o.one(key) != key or key in o.lost or key in lost:
            continue
        if key in outside:
            root, path = outside[key]
            own = {c.attr for c in cells if (c.root, c.path) == (root, path)}
            below = any(c.root == root and c.path[: len(path)] == path for c in cells)
            if own or below or key in o.bound:
                found[key] = own
        else:
            found[key] = set(o.written.get(key, ()))
    return found


def _handed_back(fn: S.Function, o: Objects) -> set[Key]:
    """The containers that are made here and returned, and what is in them."""
    returned = (v for s in statements(fn.body) if isinstance(s, S.Return) for v in s.values)
    keys = {o.one(k) for v in returned for k in o.values_of(v)}
    waiting = [k for k in keys if o.classes.get(k) in CONTAINERS and k not in places(o)]
    found: set[Key] = set()
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            held = (ks for (owner, _), ks in o.contents.items() if owner == key)
            waiting += [o.one(k) for ks in held for k in ks if o.one(k) in o.classes]
    return found


def shapes_of(kinds: Mapping[str, Kind], parting: frozenset[str] = frozenset()) -> dict[str, Shape]:
    """The shapes of the objects among the arguments, and of the dictionaries called `parting`."""
    found = {n: shape_of_kind(k, can_follow, parting=n in parting) for n, k in kinds.items()}
    return {name: shape for name, shape in found.items() if shape is not None}
