"""What the header of a loop binds in each iteration, and what is known of the indices.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Const, Name
>>> here = Span("f.py", 1, 0, 1, 1)
>>> n = Scalar("int", None, Affine.symbol("n"))
>>> loop = S.For("i", S.Range(Const(1), Name("n"), Const(1)), (), site=7, span=here)
>>> kind = lambda e: n if e == Name("n") else Scalar("int", None, Affine.const(1))
>>> header = of_for(loop, kind, frozenset((7,)), ())
>>> print(header.kinds["i"], *header.facts.bounds, sep="; ")
int=i#7; #7; i#7 - 1; -i#7 + n - 1
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds.indexing import Part, index_kind
from adtrans.analyses.kinds.lattice import join
from adtrans.analyses.prove import NO_FACTS
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    PY_INT,
    TEXT,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Never,
    Scalar,
    TupleOf,
    present,
)  # fmt: skip
from adtrans.ir.never import assert_never
from adtrans.ir.walk import targets_of

__all__ = ["Header", "items_of", "of_for", "of_while"]

Look = Callable[[Expr], Kind]

PLACES: tuple[type, ...] = (
    np.ndindex, itertools.product, itertools.combinations, itertools.permutations,
    itertools.combinations_with_replacement,
)  # fmt: skip
"""What goes over tuples of integers, of ranges: the field `item` is the kind of one."""


@dataclass(frozen=True, slots=True)
class Header:
    """The kinds of a loop's targets in an iteration, and the facts about the loop."""

    kinds: Mapping[str, Kind]
    facts: LoopFacts


@dataclass(frozen=True, slots=True)
class _Count:
    """A range: its bounds, where affine."""

    start: Affine | None
    stop: Affine | None
    step: Affine | None

    @property
    def stride(self) -> int | None:
        return None if self.step is None or not self.step.value else self.step.value

    def reversed(self) -> _Count:
        """The same numbers from the end, where these can be told."""
        if self.stride not in (1, -1) or self.start is None or self.stop is None:
            return _Count(None, None, None if self.step is None else -self.step)
        assert self.stride is not None
        return _Count(self.stop - self.stride, self.start - self.stride, Affine.const(-self.stride))

    def bounds(self, value: Affine) -> Iterator[Affine]:
        """What is >= 0 of a value of the range."""
        if self.stride is None:
            return
        sign = 1 if self.stride > 0 else -1
        if self.start is not None:
            yield sign * (value - self.start)
        if self.stop is not None:
            yield sign * (self.stop - value) - 1


def of_while(
    site: int, inside: frozenset[int], around: tuple[int, ...], *, entered: bool = False
) -> LoopFacts:
    """The facts about a `while` loop: that its iterations can be numbered."""
    at = f"#{site}"
    return LoopFacts(
        site,
        symbols=(at,),
        bounds=(Affine.symbol(at),),
        steps=((at, 1),),
        inside=inside,
        around=around,
        entered=entered,
    )


def of_for(s: S.For, look: Look, inside: frozenset[int], around: tuple[int, ...]) -> Header:
    """The header of a loop; `look` gives the kinds of expressions where it is entered."""
    work = _Work(s.site, look)
    it = s.iter
    backward = isinstance(it, S.Reversed)
    ranged = it.inner if isinstance(it, S.Reversed) else it
    if isinstance(ranged, S.Range) and isinstance(s.target, str):
        work.count(s.target, ranged, backward)
    else:
        work.bind(s.target, it)
    count = work.main
    return Header(
        {var: work.kinds.get(var, UNKNOWN) for var in targets_of(s.target)},
        LoopFacts(
            s.site,
            index=s.target if work.symbol is not None and isinstance(s.target, str) else None,
            symbol=work.symbol,
            start=None if count is None else count.start,
            stop=None if count is None else count.stop,
            step=None if count is None else count.step,
            symbols=tuple(dict.fromkeys((work.position, work.symbol or work.position))),
            bounds=tuple(dict.fromkeys(work.bounds)),
            steps=tuple(work.steps),
            inside=inside,
            around=around,
        ),
    )


class _Work:
    """Collects the kinds of the targets and the bounds of the symbols."""

    def __init__(self, site: int, look: Look) -> None:
        self.site, self.look = site, look
        self.position: str = f"#{site}"
        self.k = Affine.symbol(self.position)
        self.symbol: str | None = None
        self.main: _Count | None = None
        self.kinds: dict[str, Kind] = {}
        self.bounds: list[Affine] = [self.k]
        self.steps: list[tuple[str, int]] = [(self.position, 1)]

    def range(self, r: S.Range) -> _Count:
        start, stop, step = (self.value(e) for e in (r.start, r.stop, r.step))
        return _Count(start, stop, step)

    def value(self, e: Expr) -> Affine | None:
        kind = self.look(e)
        return kind.value if isinstance(kind, Scalar) and kind.type == "int" else None

    def count(self, var: str, r: S.Range, backward: bool) -> None:
        """A plain counting loop: its index is a symbol of its own."""
        forth = self.range(r)
        count = forth.reversed() if backward else forth
        self.main = count
        stride = count.stride
        if stride not in (None, 1, -1) and count.start is not None:
            assert stride is not None
            self.symbol = self.position  # so that the stride is seen in the expression
            self.numbered(var, count, stride)
            return
        self.symbol = f"{var}#{self.site}"
        value = Affine.symbol(self.symbol)
        self.kinds[var] = Scalar("int", None, value)
        self.bounds.extend(forth.bounds(value))
        if stride is not None:
            self.steps.append((self.symbol, stride))

    def numbered(self, var: str, count: _Count, stride: int) -> None:
        """A value that is affine in the position."""
        assert count.start is not None
        value = count.start + stride * self.k
        self.kinds[var] = Scalar("int", None, value)
        self.bounds.extend(count.bounds(value))

    def bind(self, target: S.Target, it: S.Iter) -> None:
        match it:
            case S.Range():
                self.counted(target, self.range(it))
            case S.Elements():
                self.element(target, present(self.look(E.Name(it.source))))
            case S.Reversed():
                inner = it.inner
                if isinstance(inner, S.Range):
                    self.counted(target, self.range(inner).reversed())
                else:
                    self.bind(target, inner)
            case S.Enumerate():
                if isinstance(target, tuple) and len(target) == 2:
                    start = self.value(it.start)
                    value = None if start is None else start + self.k
                    if isinstance(target[0], str):
                        self.kinds[target[0]] = Scalar("int", None, value)
                    self.bind(target[1], it.inner)
            case S.Zip():
                if isinstance(target, tuple) and len(target) == len(it.inners):
                    for t, inner in zip(target, it.inners, strict=True):
                        self.bind(t, inner)
                elif isinstance(target, tuple) and len(target) == 1:
                    return
            case _:
                assert_never(it)

    def counted(self, target: S.Target, count: _Count) -> None:
        if not isinstance(target, str):
            return
        self.kinds[target] = PY_INT
        if count.start is not None and count.stride is not None:
            self.numbered(target, count, count.stride)

    def element(self, target: S.Target, source: Kind) -> None:
        if isinstance(source, Array) and source.dims and source.dims[0] is not None:
            self.bounds.append(source.dims[0] - self.k - 1)
        if isinstance(source, TupleOf):
            self.bounds.append(Affine.const(len(source.items) - 1) - self.k)
        self.spread(target, element_of(source))

    def spread(self, target: S.Target, kind: Kind) -> None:
        if isinstance(target, str):
            self.kinds[target] = kind
            return
        for t, item in zip(target, items_of(kind, len(target)), strict=True):
            self.spread(t, item)


def element_of(kind: Kind) -> Kind:
    """The kind of what iterating over a value gives."""
    match kind:
        case Array():
            return index_kind(kind, (Part(E.Const(0), PY_INT),), NO_FACTS)
        case DictOf():
            return kind.key
        case ListOf():
            return kind.item
        case TupleOf():
            found: Kind = NEVER
            for item in kind.items:
                found = join(found, item)
            return found
        case Instance(cls=cls) if cls in PLACES:
            return dict(kind.fields).get("item", UNKNOWN)
        case Known(value=str()):
            return TEXT
        case Instance(cls=cls) if cls is str:
            return TEXT
        case Instance(cls=cls) if cls is tuple:
            return PY_INT
        case _:
            return UNKNOWN


def items_of(kind: Kind, count: int) -> tuple[Kind, ...]:
    """The kinds of the `count` items that a value is unpacked into."""
    if isinstance(kind, TupleOf) and len(kind.items) == count:
        return kind.items
    if isinstance(kind, Never):
        return (kind,) * count
    return (element_of(kind),) * count
