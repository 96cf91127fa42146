"""Runs the small language and holds everything that the kinds and regions claim against the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adtrans.analyses.disjoint import covers, disjoint
from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import liveness
from adtrans.analyses.regions import Region, after, earlier
from adtrans.analyses.subscripted import region_of
from adtrans.ir import expr as E
from adtrans.ir import kinds as K
from adtrans.ir import stmt as S
from adtrans.ir import walk
from adtrans.ir.affine import Affine
from tests.interpreter import Interpreter, _Break, _Continue

_TYPES: dict[str, tuple[type, ...]] = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
    "complex": (complex, np.complexfloating),
}


class Refuted(Exception):
    """A claim that a run proves wrong."""


def claim(holds: bool, *what: object) -> None:
    """Raises `Refuted`, which no program catches for its own `AssertionError`."""
    if not holds:
        raise Refuted(*(str(w) for w in what))


def number(e: Affine, symbols: dict[str, int]) -> int | None:
    """The value of `e`, None when a symbol of it means nothing now."""
    if not e.symbols <= symbols.keys():
        return None
    return sum(c * symbols[s] for s, c in e.terms) + e.constant


def fits(kind: K.Kind, value: Any, symbols: dict[str, int]) -> bool:
    """Whether all that `kind` says is true of `value`; symbols must have a meaning."""
    match kind:
        case K.Unknown():
            return True
        case K.Never():
            return False
        case K.Scalar():
            return fits_scalar(kind, value, symbols)
        case K.Maybe():
            return value is None or fits(kind.item, value, symbols)
        case K.Array():
            if type(value) is not np.ndarray or kind.dtype not in (None, value.dtype.name):
                return False
            if kind.dims is None:
                return True
            if len(kind.dims) != value.ndim or any(value.shape[n] == 1 for n in kind.not_one):
                return False
            sizes = [None if d is None else number(d, symbols) for d in kind.dims]
            named = all(d is None or s is not None for d, s in zip(kind.dims, sizes, strict=True))
            return named and all(
                s is None or max(s, 0) == n for s, n in zip(sizes, value.shape, strict=True)
            )
        case K.TupleOf():
            if not isinstance(value, tuple) or len(value) != len(kind.items):
                return False
            return all(fits(k, v, symbols) for k, v in zip(kind.items, value, strict=True))
        case K.ListOf():
            # a tuple of any length has the kind of a list
            return type(value) in (list, tuple) and all(fits(kind.item, v, symbols) for v in value)
        case K.DictOf():
            items = value.items() if type(value) is dict else ((None, None),)
            return all(fits(kind.field(key), v, symbols) for key, v in items)
        case K.Known():
            return bool(kind.value is value or kind.value == value)
        case K.Instance():
            return isinstance(kind.cls, type) and type(value) is kind.cls


def fits_scalar(kind: K.Scalar, value: Any, symbols: dict[str, int]) -> bool:
    if kind.dtype == "?":  # a number of this type or a narrower one
        order = list(_TYPES)
        allowed = tuple(t for name in order[: order.index(kind.type) + 1] for t in _TYPES[name])
        if not isinstance(value, allowed):
            return False
    elif kind.dtype is None:
        if type(value) is not _TYPES[kind.type][0]:
            return False
    elif not isinstance(value, np.generic) or value.dtype.name != kind.dtype:
        return False
    return kind.value is None or number(kind.value, symbols) == value


@dataclass
class Access:
    """A read under way: which array, what is claimed of the part, and what it was."""

    array: Any
    region: Region
    elements: frozenset[int]
    site: int


@dataclass
class Watch(Interpreter):
    """An interpreter of functions in webs that checks kinds, facts and regions as it goes."""

    fn: S.Function
    kinds: Kinds
    symbols: dict[str, int]
    reads: list[Access] = field(default_factory=list)
    checked: int = 0
    apart: int = 0

    def __post_init__(self) -> None:
        self.live = liveness(self.fn)

    def run(self) -> Any:
        result = self.block(self.fn.body)
        claim(fits(self.kinds.result, result, self.symbols), "result", self.kinds.result, result)
        return result

    def check(self, site: int, state: Any, what: str) -> None:
        for var, kind in state.items():
            if var in self.env:
                true = fits(kind, self.env[var], self.symbols)
                claim(true, what, site, var, self.env[var], kind, self.symbols)
                self.checked += 1
        for h in self.kinds.facts(site).known:
            value = number(h, self.symbols)
            claim(value is None or value >= 0, what, site, h, self.symbols)

    def expr(self, e: E.Expr) -> Any:
        if isinstance(e, E.Verbatim):
            for r in e.reads:
                if r in self.env:
                    self.env[self.fn.source_name(r)] = self.env[r]
        return super().expr(e)

    def keep(self, s: S.Keep) -> None:
        for r in (*s.reads, *s.unbinds):
            if r in self.env:
                self.env[self.fn.source_name(r)] = self.env[r]
        super().keep(s)
        for b in s.binds:
            if self.fn.source_name(b) in self.env:
                self.env[b] = self.env[self.fn.source_name(b)]

    def stmt(self, s: S.Stmt) -> None:
        if not isinstance(s, S.While):
            live = self.live.into.get(s.site, frozenset())  # nothing relies on the others
            known = {v: k for v, k in self.kinds.before(s.site).items() if v in live}
            self.check(s.site, known, "before")
        self.access(s)
        for e in walk.operands(s):
            if isinstance(e, E.Name | E.Const | E.Binary | E.Index | E.Attribute | E.Compare):
                kind = self.kinds.passed(s.site, e)
                if not isinstance(s, S.While | S.Keep | S.Bind) and kind != K.UNKNOWN:
                    claim(fits(kind, self.expr(e), self.symbols), s.site, e, kind)
        match s:
            case S.For():
                self.loop(s)
            case S.While():
                self.whilst(s)
            case _:
                super().stmt(s)
                self.sizes(s.site)
                self.check(s.site, self.kinds.bounds(s.site), "behind")

    def sizes(self, site: int) -> None:
        """Gives the sizes that this statement names their values."""
        for var, kind in self.kinds.bounds(site).items():
            value = self.env.get(var)
            if isinstance(kind, K.Array) and kind.dims and type(value) is np.ndarray:
                for d, n in zip(kind.dims, value.shape, strict=False):
                    symbol = "" if d is None else next(iter(d.symbols), "")
                    if d == Affine.symbol(symbol) and symbol.startswith(f"{site}."):
                        self.symbols[symbol] = n

    # Loops, with their symbols

    def loop(self, s: S.For) -> None:
        facts = self.kinds.loops[s.site]
        for k, item in enumerate(self.iterate(s.iter)):
            self.bind(s.target, item)
            self.symbols[facts.position] = k
            if facts.symbol not in (None, facts.position):
                assert facts.symbol is not None and facts.index is not None
                self.symbols[facts.symbol] = self.env[facts.index]
            self.check(s.site, self.kinds.bounds(s.site), "in")
            for bound in facts.bounds:
                value = number(bound, self.symbols)
                claim(value is None or value >= 0, "bound", bound, self.symbols)
            if self.leaves(s.body):
                break
            self.back(facts)
        self.leave(facts)

    def whilst(self, s: S.While) -> None:
        facts = self.kinds.loops[s.site]
        for k in range(10_000):
            self.symbols[facts.position] = k
            try:
                self.block(s.head)
            except _Break:
                break
            except _Continue:
                self.back(facts)
                continue
            self.check(s.site, self.kinds.before(s.site), "test")
            if not self.expr(s.test) or self.leaves(s.body):
                break
            self.back(facts)
        self.leave(facts)

    def back(self, loop: LoopFacts) -> None:
        for a in self.reads:
            a.region = earlier(a.region, loop)
        for symbol in self.own(loop):
            del self.symbols[symbol]

    def leave(self, loop: LoopFacts) -> None:
        for a in self.reads:
            a.region = after(a.region, loop)
        for symbol in self.own(loop):
            del self.symbols[symbol]

    def own(self, loop: LoopFacts) -> list[str]:
        inside = {f"#{site}" for site in loop.inside}
        sizes = [s for s in self.symbols if "#" + s.rpartition("#")[2] in inside]
        return [*{*(s for s in loop.symbols if s in self.symbols), *sizes}]

    # Reads and writes of parts

    def access(self, s: S.Stmt) -> None:
        if not isinstance(s, S.Load | S.Store | S.Update) or s.items is None:
            return
        array = self.env[s.base]
        if type(array) is not np.ndarray:
            return
        here = self.kinds.before(s.site)
        facts = self.kinds.facts(s.site)
        region = region_of(s.items, here.get(s.base, K.UNKNOWN), here, facts)
        try:
            key = self.key(s.items)
            picked = np.arange(array.size).reshape(array.shape)[key]
        except IndexError:
            return
        elements = frozenset(np.ravel(picked).tolist())
        for other in self.others(array):
            if disjoint(other.region, region, facts):
                self.apart += 1
                claim(not other.elements & elements, other.region, region, s.site)
            if covers(region, other.region, facts):
                claim(other.elements <= elements, region, other.region, s.site)
            if covers(other.region, region, facts):
                claim(elements <= other.elements, other.region, region, s.site)
        if len(self.reads) < 300:
            self.reads.append(Access(array, region, elements, s.site))

    def others(self, array: Any) -> Iterator[Access]:
        return (a for a in self.reads if a.array is array)


