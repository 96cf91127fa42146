"""The kinds of displays, comparisons, attributes and subscripts: of all that is no call."""

from __future__ import annotations

import operator as python
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from adtrans.analyses.kinds.arithmetic import BINARY, binary, elementwise, unary
from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.analyses.kinds.grid_kinds import grid_kind, is_grid
from adtrans.analyses.kinds.indexing import Part, index_kind
from adtrans.analyses.kinds.lattice import join, list_of, tuple_of
from adtrans.analyses.kinds.named import operation_of_named, property_of_named
from adtrans.analyses.kinds.text_kinds import text_operation
from adtrans.analyses.kinds.values import kind_of_value
from adtrans.analyses.prove import Facts, proves_nonneg
from adtrans.ir import expr as E
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    EXTENTS,
    NEVER,
    PY_BOOL,
    PY_INT,
    TEXT,
    UNKNOWN,
    Array,
    Container,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Scalar,
    TupleOf,
    is_optional,
    present,
)  # fmt: skip
from adtrans.lower.opaque import is_text
from adtrans.rules import attribute
from adtrans.rules.rule import Rule
from adtrans.rules.scipy_sparse import is_sparse

Callee: TypeAlias = Callable[[object, tuple[Kind, ...], Mapping[str, Kind]], Kind]
NUMBER = ("real", "imag")


def is_pure(rule: Rule) -> bool:
    return not rule.impure and not rule.writes and rule.form not in ("writes", "scatter")


def _constant(kind: Kind) -> int | None:
    if isinstance(kind, Scalar) and kind.type == "int" and kind.value is not None:
        return kind.value.value
    return None


class Operations(ABC):
    """One question about an expression, with what it may be answered from."""

    def __init__(self, env: Mapping[str, Kind], facts: Facts, call: Callee | None) -> None:
        self.env, self.facts, self.call = env, facts, call

    @abstractmethod
    def called(self, e: E.Call) -> Kind:
        """The kind of the result of a call."""

    def at(self, e: Expr) -> Kind:
        match e:
            case E.Name():
                return self.env.get(e.id, UNKNOWN)
            case E.Const(value=bool() as truth):
                return Scalar("bool", truth=truth)
            case E.Const():
                return kind_of_value(e.value)
            case E.Ref():
                kind = kind_of_value(e.value)  # a list of the module's may be filled here
                return UNKNOWN if isinstance(kind, Container) and kind.item == NEVER else kind
            case E.Call():
                return self.called(e)
            case E.Index():
                return self.indexed(present(self.at(e.base)), e.items)
            case E.Attribute():
                return self.attribute(present(self.at(e.base)), e.attr)
            case E.Unary():
                operand = present(self.at(e.operand))
                own = self.named(e, operand)
                return unary(e.op, operand) if own is None else own
            case E.Binary():
                left, right = present(self.at(e.left)), present(self.at(e.right))
                if (own := self.named(e, left, right)) is not None:
                    return own
                if (text := text_operation(e.op, left, right)) != NEVER:
                    return text
                return binary(e.op, left, right, e.right)
            case E.Compare():
                return self.compared(e)
            case E.BoolOp():
                found: Kind = NEVER
                for v in e.values:
                    found = join(found, self.at(v))
                return found
            case E.IfExp():
                return join(self.at(e.then), self.at(e.orelse))
            case E.Sequence():
                return self.display(e)
            case E.Verbatim():
                return TEXT if is_text(e) else UNKNOWN
            case E.Slice() | E.Star():
                return UNKNOWN

    def named(self, e: Expr, *kinds: Kind) -> Kind | None:
        """The result of an operation that a class of named tuples defines; `kinds`: of what it is
        done with."""
        if not any(isinstance(k, TupleOf) and k.cls is not None for k in kinds):
            return None
        found = operation_of_named(e, kinds)
        if found is None:
            return None
        fn, order = found
        return UNKNOWN if self.call is None else self.call(fn, tuple(kinds[k] for k in order), {})

    def display(self, e: E.Sequence) -> Kind:
        kinds = self.spliced(e, self.at)
        if kinds is None:
            return UNKNOWN if e.kind == "tuple" else list_of(UNKNOWN)
        if e.kind == "tuple":
            return tuple_of(*kinds)
        item: Kind = NEVER
        for k in kinds:
            item = join(item, k)
        return list_of(item)

    def spliced(self, e: E.Sequence, look: Callable[[Expr], Kind]) -> list[Kind] | None:
        """The kinds of all items, those of `*t` included; None where `t` is no known tuple."""
        found: list[Kind] = []
        for i in e.items:
            if not isinstance(i, E.Star):
                found.append(look(i))
                continue
            inner = present(self.at(i.value))
            if not isinstance(inner, TupleOf):
                return None
            found.extend(inner.items)
        return found

    def argument(self, e: Expr) -> Kind:
        """Like `at`, but a literal that is no int stands for itself, and a list for its items; so
        does `np.inf`, on which it depends what is computed."""
        if isinstance(e, E.Ref) and isinstance(e.value, type(np.argmax)):
            return Known(e.text, e.value)  # a function of NumPy, passed to a helper
        if isinstance(e, E.Const) and type(e.value) is not int:
            return Known(f"{type(e.value).__name__} {e.value!r}", e.value)
        if isinstance(e, E.Sequence) and (kinds := self.spliced(e, self.argument)) is not None:
            # A displayed list has a known length: for an example a tuple serves as well.
            return TupleOf(tuple(kinds))
        if isinstance(e, E.Ref) and isinstance(e.value, float) and np.isinf(e.value):
            return Known(f"float {e.value!r}", e.value)
        if isinstance(e, E.Unary) and e.op == "-" and isinstance(e.operand, E.Const | E.Ref):
            value = e.operand.value
            if isinstance(value, float) and (isinstance(e.operand, E.Const) or np.isinf(value)):
                return Known(f"float {-value!r}", -value)
        kind = self.at(e)
        return UNKNOWN if is_optional(kind) else kind

    def length(self, kind: Kind) -> Kind:
        match kind:
            case Array(dims=(first, *_)):
                return self.size(first)
            case TupleOf():
                return Scalar("int", None, Affine.const(len(kind.items)))
            case _:
                return PY_INT

    def size(self, dim: Affine | None) -> Kind:
        """The int that a dimension is: `max(dim, 0)`."""
        known = dim is not None and proves_nonneg(dim, self.facts)
        return Scalar("int", None, dim if known else None)

    def compared(self, e: E.Compare) -> Kind:
        kinds = [self.at(x) for x in (e.left, *e.rights)]
        if all(op in ("is", "is not", "in", "not in") for op in e.ops):
            return PY_BOOL
        if any(isinstance(k, Maybe) for k in kinds):
            kinds = [present(k) for k in kinds]  # `None < 1` raises, `None == 1` is a bool
            return Scalar("bool", "?") if all(isinstance(k, Scalar) for k in kinds) else UNKNOWN
        if len(e.ops) == 1 and all(isinstance(k, Scalar | Array) for k in kinds):
            return elementwise(BINARY[e.ops[0]], kinds, {})
        if all(isinstance(k, Scalar) for k in kinds):
            plain = all(isinstance(k, Scalar) and k.dtype is None for k in kinds)
            return PY_BOOL if plain else Scalar("bool", "?")
        if all(isinstance(k, Known | Scalar | TupleOf) for k in kinds):
            known = all(isinstance(k, Known) for k in kinds)
            return PY_BOOL if known else UNKNOWN
        return UNKNOWN

    def attribute(self, base: Kind, attr: str) -> Kind:
        match base:
            case Array():
                if attr == "shape":
                    known = base.dims is not None
                    return tuple_of(*map(self.size, base.dims or ())) if known else EXTENTS
                if attr == "ndim":
                    rank = None if base.dims is None else Affine.const(len(base.dims))
                    return Scalar("int", None, rank)
                if attr == "size":
                    return self.count(base)
                if attr == "dtype" and base.dtype is not None:
                    return kind_of_value(np.dtype(base.dtype))
                rule = attribute(attr)
                if rule is None or rule.impure or not is_pure(rule):
                    return UNKNOWN
                return result_kind(python.attrgetter(attr), (base,), token=f"attribute {attr}")
            case Scalar():
                if not hasattr(np.float64, attr) or (base.dtype is None and attr not in NUMBER):
                    return UNKNOWN
                return result_kind(python.attrgetter(attr), (base,), token=f"attribute {attr}")
            case Instance() if is_sparse(base.cls) and attr == "T":
                return base
            case Instance(cls=cls) if cls is slice and attr in ("start", "stop", "step"):
                return Maybe(Scalar("int", "?"))
            case Instance():
                return base.attribute(attr) or UNKNOWN
            case TupleOf() if (at := base.position(attr)) is not None:
                return base.items[at]
            case TupleOf(cls=type() as cls) if (fn := property_of_named(cls, attr)) is not None:
                return UNKNOWN if self.call is None else self.call(fn, (base,), {})
            case _:
                return UNKNOWN

    def count(self, base: Array) -> Kind:
        dims = [] if base.dims is None else [d for d in base.dims if d != Affine.const(1)]
        if base.dims is None:
            return PY_INT
        if not dims:
            return Scalar("int", None, Affine.const(1))
        if all(d is not None and d.value is not None for d in dims):
            total = int(np.prod([max(d.value or 0, 0) for d in dims if d is not None]))
            return Scalar("int", None, Affine.const(total))
        return self.size(dims[0]) if len(dims) == 1 else PY_INT

    def indexed(self, base: Kind, items: tuple[Expr, ...]) -> Kind:
        match base:
            case Array():
                if len(items) == 1 and isinstance(items[0], E.Sequence):
                    if items[0].kind == "tuple":
                        items = items[0].items
                parts = [self.part(i) for i in items]
                if len(parts) == 1 and isinstance(parts[0].kind, TupleOf):
                    parts = [Part(parts[0].expr, k) for k in parts[0].kind.items]
                return index_kind(base, tuple(parts), self.facts)
            case DictOf():
                return _entry_of(base, items, self.at)
            case TupleOf() | ListOf() if len(items) == 1:
                return self.of_container(base, items[0])
            case Instance(cls=cls) if cls is str and len(items) == 1:
                return TEXT
            case Instance(cls=cls) if cls is tuple and len(items) == 1:
                return EXTENTS if isinstance(items[0], E.Slice) else PY_INT
            case Instance(cls=cls) if is_grid(cls):
                return grid_kind(cls, items, self.at, self.facts)
            case _:
                return UNKNOWN

    def part(self, item: Expr) -> Part:
        if isinstance(item, E.Slice):
            lower, upper, step = (
                None if b is None or b == E.NONE else self.at(b)
                for b in (item.lower, item.upper, item.step)
            )
            return Part(item, UNKNOWN, (lower, upper, step))
        length = len(item.items) if isinstance(item, E.Sequence) else None
        return Part(item, self.at(item), length=length)

    def of_container(self, base: TupleOf | ListOf, item: Expr) -> Kind:
        if isinstance(item, E.Slice):
            if isinstance(base, ListOf):
                return base
            bounds = [None if b is None else _constant(self.at(b))
                      for b in (item.lower, item.upper, item.step)]  # fmt: skip
            given = (item.lower, item.upper, item.step)
            if any(b is not None and v is None for b, v in zip(given, bounds, strict=True)):
                return UNKNOWN
            return tuple_of(*base.items[slice(*bounds)])
        kind = self.at(item)
        if not isinstance(kind, Scalar) or kind.type != "int":
            return UNKNOWN
        if isinstance(base, ListOf):
            return base.item
        at = _constant(kind)
        if at is not None:
            return base.items[at] if -len(base.items) <= at < len(base.items) else UNKNOWN
        found: Kind = NEVER
        for i in base.items:
            found = join(found, i)
        return found


def _entry_of(base: DictOf, items: tuple[Expr, ...], look: Callable[[Expr], Kind]) -> Kind:
    """The kind of what is in a dictionary under a key."""
    if len(items) > 1:  # a tuple is the key
        return base.item
    key = items[0].value if isinstance(items[0], E.Const) else None
    if isinstance(items[0], E.Name) and isinstance(known := look(items[0]), Known):
        key = known.value if type(known.value) is str else None
    return base.item if key is None else base.field(key)
