"""The functions that are called: their sources, prepared for objects, and versions for one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import TypeAlias

from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.objects.class_attributes import set_in_classes
from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.mirrors import told
from adtrans.analyses.objects.model import Shape, shape_of_kind
from adtrans.analyses.objects.object_facts import Bound
from adtrans.analyses.objects.preparing import prepared_for_objects
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower.collected import Collected, for_call
from adtrans.source import SourceFunction
from adtrans.source.bound import of_class
from adtrans.source.cached import remembers
from adtrans.source.method_classes import method_class

Raw: TypeAlias = "tuple[SourceFunction, S.Function]"
LOWERED = "_adtrans_lowered"  # where a function that was rewritten keeps its source and its form


@dataclass
class KnownFunctions:
    """Each function is prepared once. `raw` gives the source and the lowered form of a function,
    None if it has none; `known` the Python function behind what is called; `inert`: see `mirrors`.
    `replaced`: where a function is put in the place of a method, with its name; `stay`: the methods
    that no objects are made of, with their classes."""

    raw: Callable[[FunctionType], Raw | None]
    known: Callable[[object], FunctionType | None]
    inert: bool = False
    replaced: dict[Span, str] = field(default_factory=dict)
    stay: set[tuple[type, str]] = field(default_factory=set)
    _prepared: dict[int, tuple[FunctionType, SourceFunction, S.Function] | None] = field(
        default_factory=dict
    )
    _meant: dict[int, tuple[object, FunctionType | None]] = field(default_factory=dict)
    _remembered: dict[int, object] = field(default_factory=dict)  # what holds a function
    _shapes: dict[int, tuple[object, Shape | None]] = field(default_factory=dict)
    _methods: dict[tuple[type, str, object], type | None] = field(default_factory=dict)
    _collected: Collected = field(default_factory=dict)

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
                body = told(found, self.prepared(raw[1]), inert=self.inert)
                made = (found, raw[0], body)
            self._prepared[id(found)] = made
        return self._prepared[id(found)]

    def prepared(self, fn: S.Function) -> S.Function:
        """A function as it is before objects are looked for in it."""
        return prepared_for_objects(fn)

    def shape_of(self, value: object) -> Shape | None:
        """The shape of a global object that can be followed, or of a container of such."""
        if id(value) not in self._shapes:
            self._shapes[id(value)] = value, shape_of_kind(kind_of_value(value), can_follow)
        return self._shapes[id(value)][1]

    def method_class(self, cls: type, attr: str, fn: object) -> type | None:
        """The class of the objects that stand for a method; None where there is none."""
        key = (cls, attr, fn)
        if key not in self._methods:
            found = self.function(fn)
            made = None if found is None else method_class(cls, attr, fn, found[1])
            self._methods[key] = made
        return self._methods[key]

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


    def replaces(self, span: Span, name: str) -> None:
        """A function is put in the place of a method of one object."""
        self.replaced[span] = name

    def sets_in_class(self, attr: str) -> bool:
        """Whether a function of the program assigns this attribute of a class."""
        bodies = (made[2].body for made in self._prepared.values() if made is not None)
        return any(not found.isdisjoint((attr, "")) for found in map(set_in_classes, bodies))
