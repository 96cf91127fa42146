"""What is known of the attributes of a parameter while the statements of a function are gone
through: numbers and texts, and how many items a list or tuple has.

    self.layers = len(sizes) - 1          is 2, if three sizes are given
    for k in range(self.layers): ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from adtrans.analyses.objects.attribute_values import Value, constants
from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.grown_behind import RESIZING
from adtrans.analyses.objects.model import Key, Shape
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.lower.known_values import UNTOLD


@dataclass
class KnownAttributes:
    """`shapes`: those of the parameters; `values`: the attributes that are known by now; `named`:
    variables that mean an attribute that is a list or tuple, with how many items it has."""

    shapes: Mapping[str, Shape] = field(default_factory=dict)
    values: dict[tuple[str, str], object] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    used_values: set[tuple[str, str]] = field(default_factory=set)  # that callers tell
    own: set[tuple[str, str]] = field(default_factory=set)  # that the function assigns
    varying: frozenset[tuple[str, str]] = frozenset()  # are told, but assigned something else

    def of(self, fn: S.Function) -> KnownAttributes:
        """At the start of a function: of parameters that are not bound again."""
        bound = {v for s in statements(fn.body) for v in binds_of(s)}
        own = {p: shape for p, shape in self.shapes.items() if p not in bound}
        found = KnownAttributes(own)
        for p, shape in own.items():
            found.values |= {
                (p, a): v
                for a, v in constants(shape.values).items()
                if found.is_data(p, a) and (p, a) not in self.varying
            }
            if shape.cls in (list, tuple) and shape.items is not None and not _resized(fn):
                found.counts[p] = len(shape.items)
        found.used_values = self.used_values
        return found

    def copy(self) -> KnownAttributes:
        return replace(self, values=dict(self.values))

    def joined(self, other: KnownAttributes) -> None:
        """Behind a block that need not run: what is known with it and without it."""
        self.values = {
            at: v for at, v in self.values.items() if other.values.get(at, UNTOLD) is v
        }

    def refuted(self, o: Objects) -> frozenset[tuple[str, str]]:
        """The attributes that were taken for what callers tell, and that the function, or one that
        it calls, gives another value."""
        found = o.values_held.found if o.values_held is not None else {}
        return frozenset(
            (p, a)
            for p, a in self.used_values
            if constants(tuple(_items(found, p))).get(a, UNTOLD)
            != constants(self.shapes[p].values).get(a)
        )

    def is_data(self, var: str, attr: str) -> bool:
        shape = self.shapes.get(var)
        return shape is not None and member(shape.cls, attr).form == "instance"

    def read(self, s: S.Bind, times: Counter[str]) -> object:
        """What a statement binds that reads an attribute, or counts items."""
        match s.value:
            case E.Attribute(base=E.Name(id=base), attr=attr):
                shape = self.shapes.get(base)
                if (base, attr) in self.values:
                    if (base, attr) not in self.own:
                        self.used_values.add((base, attr))
                    return self.values[base, attr]
                held = None if shape is None else shape.at((attr,))
                if held is not None and held.cls is tuple and held.items is not None:
                    self.counts[s.target] = len(held.items)
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=v),), kwargs=()) if fn is len:
                return self.counts.get(v, UNTOLD)
            case _:
                pass
        return UNTOLD

    def assigned(self, s: S.SetAttr, value: object) -> S.SetAttr:
        """An attribute is assigned; with the value itself where that is known."""
        for at in [at for at in self.values if at[1] == s.attr]:
            del self.values[at]
        if type(value) not in (int, str, bool):
            return s
        if isinstance(s.base, E.Name) and self.is_data(s.base.id, s.attr):
            self.values[s.base.id, s.attr] = value
            self.own.add((s.base.id, s.attr))
        return replace(s, value=E.Const(value))

    def used(self, s: S.Stmt) -> None:
        """Forgets what a statement may change: of objects that others get to see."""
        if isinstance(s, S.SetAttr):
            seen = reads_of(replace(s, base=E.NONE))
        elif isinstance(s, S.Bind) and isinstance(s.value, E.Attribute):
            seen = frozenset()
        elif isinstance(s, S.If | S.For | S.While | S.Try | S.With):
            inner = {v for t in statements((s,)) for v in _looked_at(t)}
            seen = frozenset(inner)
        else:
            seen = reads_of(s)
        for at in [at for at in self.values if at[0] in seen]:
            del self.values[at]
        changed = {t.attr for t in statements((s,)) if isinstance(t, S.SetAttr)}
        if not isinstance(s, S.SetAttr):
            for at in [at for at in self.values if at[1] in changed]:
                del self.values[at]


def _items(found: Mapping[tuple[Key, str], Value], p: str) -> Iterator[tuple[str, object]]:
    yield from ((a, v) for (k, a), v in found.items() if k == ("param", p))


def _looked_at(s: S.Stmt) -> frozenset[str]:
    if isinstance(s, S.Bind) and isinstance(s.value, E.Attribute):
        return frozenset()
    if isinstance(s, S.SetAttr):
        return reads_of(replace(s, base=E.NONE))
    return reads_of(s)


def _resized(fn: S.Function) -> bool:
    """Whether a function changes how many items any list has that it has not made."""
    others = {p.name for p in fn.params}  # variables that may mean such a list
    for s in statements(fn.body):
        if not isinstance(s, S.Pack | S.Bind | S.Update) or (
            isinstance(s, S.Bind) and isinstance(s.value, E.Attribute | E.Verbatim | E.IfExp)
        ):
            others |= {*binds_of(s)}
    for s in statements(fn.body):
        match s:
            case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=v), attr=attr))):
                if attr in RESIZING and v in others:
                    return True
            case S.Bind(value=E.Call(fn=E.Attribute(attr=attr))) if attr in RESIZING:
                return True
            case S.Edit(base=v, op=op) if op in S.CHANGES and v in others:
                return True
            case S.Update(base=v, items=None) | S.Store(base=v, items=(E.Slice(),)) if v in others:
                return True
            case _:
                pass
    return False
