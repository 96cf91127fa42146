"""Whether what a loop calls changes the size of a container that is an attribute of an object.

    for k in n.parts:              def add(self, k, v):
        n.add(k, 2.0)                  self.parts[k] = v

The attribute is looked for by its name, in the functions called and in those that they call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType

from adtrans.analyses.objects.classes import member
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in, operands, statements, walk

RESIZING = S.CHANGES | {"sort", "popitem", "update", "setdefault", "__delitem__", "__iadd__"}
"""Methods of containers that may change how many items they have."""


@dataclass
class Behind:
    """`attrs`: the names of the attributes that are the containers; `known`: whether a key is
    surely in all of these; `classes`: those of the objects that are followed."""

    attrs: frozenset[str]
    known: Callable[[object], bool]
    classes: frozenset[type]
    body_of: Callable[[object], S.Block | None]
    seen: set[int] = field(default_factory=set)
    handed_on: set[tuple[FunctionType, frozenset[str]]] = field(default_factory=set)

    def by(self, body: S.Block) -> bool:
        """Whether the calls in `body` may do so."""
        return bool(self.attrs) and any(map(self.in_function, self.called(body)))

    def called(self, body: S.Block) -> Iterator[object]:
        """The functions that are called, as far as their names tell."""
        for s in statements(body):
            for e in (sub for own in operands(s) for sub in walk(own)):
                if isinstance(e, E.Attribute):
                    yield from self.methods(e.attr)
                elif isinstance(e, E.Ref):
                    yield e.value

    def methods(self, name: str) -> Iterator[object]:
        for cls in self.classes:
            found = member(cls, name)
            if found.form in ("method", "static", "class"):
                yield found.value
            elif found.form == "property":
                yield getattr(found.value, "fget", None)

    def in_function(self, fn: object) -> bool:
        if isinstance(fn, type):
            fn = fn.__dict__.get("__init__")
        if id(fn) in self.seen or not callable(fn):
            return False
        self.seen.add(id(fn))
        body = self.body_of(fn)
        return body is not None and (self.changes(body) or self.by(body))

    def changes(self, body: S.Block, given: Iterable[str] = ()) -> bool:
        """Whether one of the statements changes what such an attribute holds, or the variables
        that are `given` it."""
        means = {*given}
        for _ in range(2):  # an alias may stand before what it means, in a loop
            for s in statements(body):
                match s:
                    case S.Bind(target=target, value=E.Attribute(attr=attr)) if attr in self.attrs:
                        means.add(target)
                    case S.Alias(target=target, source=source) if source in means:
                        means.add(target)
                    case _:
                        pass
        return any(self.changed(s, means) for s in statements(body)) if means else False

    def changed(self, s: S.Stmt, means: set[str]) -> bool:
        match s:
            case S.Store(base=base, items=items) if base in means:
                key = items[0] if len(items) == 1 else None
                return not isinstance(key, E.Const) or not self.known(key.value)
            case S.Edit(base=base, op=op):
                return base in means and op in S.CHANGES
            case S.Update(base=base, items=None):
                return base in means
            case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr=attr))) if (
                base in means
            ):
                return attr in RESIZING
            case S.Invoke():
                return self.handed(s, means)
            case S.Keep(only_names=False):
                return not means.isdisjoint(s.reads)
            case _:
                return False

    def handed(self, s: S.Invoke, means: set[str]) -> bool:
        """Whether a function changes what it is given."""
        places = [k for k, a in enumerate(s.args) if not means.isdisjoint(names_in(a))]
        words = [k for k, v in s.kwargs if not means.isdisjoint(names_in(v))]
        if not places and not words:
            return False
        fn = s.fn.value if isinstance(s.fn, E.Ref) else None
        if not isinstance(fn, FunctionType):
            return not isinstance(fn, BuiltinFunctionType | type)
        body, names = self.body_of(fn), fn.__code__.co_varnames[: fn.__code__.co_argcount]
        if body is None or any(k >= len(names) for k in places):
            return True
        given = frozenset((*(names[k] for k in places), *words))
        if (fn, given) in self.handed_on:
            return False
        self.handed_on.add((fn, given))
        return self.changes(body, given)
