"""Where in an object a variable looks, and where a subscript of it lies: regions by site.

`v = u[2:5]` looks at `u[2:5]`, so `v[1]` lies at `u[3]`. What is not known is the whole object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from adtrans.analyses import regions
from adtrans.analyses.apply import Application
from adtrans.analyses.definitions import Definitions
from adtrans.analyses.effects import Summary
from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness
from adtrans.analyses.loops import Leaf, leaves, position
from adtrans.analyses.prove import Facts
from adtrans.analyses.regions import ALL, SOME, Point, Region
from adtrans.analyses.structure import Structure
from adtrans.analyses.subscripted import region_of
from adtrans.analyses.subscripts import is_basic, selects_number
from adtrans.analyses.writes import Write, actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind
from adtrans.ir.walk import binds_of

__all__ = ["SIZE", "Places", "is_whole"]

SIZE = re.compile(r"(?P<param>\w+)\.shape\[(?P<axis>\d+)\]")


def is_whole(items: tuple[E.Expr, ...], base: Kind, site: int, kinds: Kinds) -> bool:
    """Whether a subscript selects the whole array: `[:]`, `[...]`, `[:, :]`.

    >>> from adtrans.ir.expr import ELLIPSIS
    >>> is_whole((ELLIPSIS,), Array(None, None), 1, None)
    True
    """
    del site, kinds
    if not isinstance(base, Array):
        return False
    full = E.Slice(None, None, None)
    if items == (E.ELLIPSIS,):
        return True
    return (
        bool(items) and all(i == full for i in items) and (base.dims is None or len(base.dims) > 0)
    )


@dataclass(frozen=True, slots=True)
class Places:
    """Regions of variables and subscripts, relative to the objects that they refer to.

    `apart`: tuples of new arrays, each of which is an object (`memory.makes_apart`).
    """

    kinds: Kinds
    apps: Mapping[int, Application]
    definitions: Definitions
    live: Liveness
    structure: Structure
    summaries: Mapping[int, Summary]
    apart: frozenset[str] = frozenset()

    def facts(self, site: int) -> Facts:
        """The inequalities that hold at a site."""
        return self.kinds.facts(site)

    def region(self, var: str, items: tuple[E.Expr, ...] | None, site: int) -> Region:
        """The part of its objects that `var[items]` (or all of `var`) covers at `site`."""
        outer = self.window(var, site)
        if items is None:
            return outer
        inner = self.subscript(var, items, site)
        return inner if outer == ALL and self.is_object(var) else regions.compose(outer, inner)

    def written(self, w: Write, summary: Summary | None) -> tuple[Region, ...]:
        """The parts of its objects that a write may touch; `summary`: of the callee that writes."""
        s = self.structure.stmts[w.site]
        if not isinstance(s, S.Invoke) or summary is None or w.unknown:
            return (self.region(w.var, w.items, w.site),)
        given, known = actuals(s, summary), dict(summary.parts)
        outer = self.window(w.var, w.site)
        found: list[Region | None] = []
        for p in summary.written():
            if given.get(p) == E.Name(w.var):
                parts = known.get(p, ())
                found += [regions.in_words(part, self.sizes(s, given)) for part in parts or (SOME,)]
        if None in found or not found:
            return (outer,)
        whole = outer == ALL and self.is_object(w.var)
        return tuple(part if whole else regions.compose(outer, part) for part in found if part)

    def sizes(
        self, s: S.Invoke, given: Mapping[str, E.Atom]
    ) -> Callable[[str], Affine | None]:
        """What the sizes of a callee's parameters are where it is called."""

        def meaning(symbol: str) -> Affine | None:
            size = SIZE.fullmatch(symbol)
            actual = given.get(size["param"]) if size is not None else None
            kind = self.kinds.expr(s.site, actual) if actual is not None else None
            if size is None or not isinstance(kind, Array) or kind.dims is None:
                return None
            axis = int(size["axis"])
            return kind.dims[axis] if axis < len(kind.dims) else None

        return meaning

    def subscript(self, var: str, items: tuple[E.Expr, ...], site: int) -> Region:
        """The part of the array `var` that `[items]` covers at `site`."""
        return region_of(
            items, self.kinds.at(site, var), self.kinds.before(site), self.facts(site)
        )

    def window(self, var: str, site: int, depth: int = 0) -> Region:
        """The part of its objects that `var` looks at, as known at `site`; SOME when not known."""
        if self.is_object(var):
            return ALL
        sites = self.definitions.sites.get(var, ())
        if len(sites) != 1 or var in self.definitions.params or depth > 8:
            return SOME
        d = sites[0]
        header = self.structure.stmts[d]
        if isinstance(header, S.For):
            inside = any(loop.site == d for loop in self.structure.loops(site))
            return self.row(header, var, depth) if inside else SOME
        if not (self.structure.dominates(d, site) or d == site):
            return SOME
        match self.structure.stmts[d]:
            case S.Alias(source=source):
                return self.window(source, d, depth + 1)
            case S.Load(base=base, items=items) if is_basic(items, d, self.kinds):
                outer = self.window(base, d, depth + 1)
                inner = self.subscript(base, items, d)
                return inner if outer == ALL else regions.compose(outer, inner)
            case _:
                return SOME

    def row(self, loop: S.For, var: str, depth: int) -> Region:
        """The part that the target of a loop over the rows of an array looks at in an iteration."""
        leaf, facts = leaves(loop, self.kinds).get(var), self._loop(loop.site)
        match leaf:
            case Leaf(E.Index(E.Name(id=base), (E.Name(id=k),)), source) if (
                base == source and k == position(loop) and facts is not None
            ):
                kind = self.kinds.at(loop.site, base)
                if not isinstance(kind, Array) or not kind.least_ndim:
                    return SOME
                outer = self.window(base, loop.site, depth + 1)
                inner = Region((Point(Affine.symbol(facts.position)),))
                return inner if outer == ALL else regions.compose(outer, inner)
            case _:
                return SOME

    def is_object(self, var: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether `var` always stands for whole objects, never for a view of a part."""
        if var in seen:
            return True
        for d in self.definitions.sites.get(var, ()):
            s = self.structure.stmts[d]
            match s:
                case S.Alias():
                    if not self.is_object(s.source, seen | {var}):
                        return False
                case S.Bind(value=E.Const()):
                    pass
                case S.Bind():
                    app = self.apps.get(d)
                    if app is None or app.result != "fresh":
                        return False
                case S.Invoke():
                    summary = self.summaries.get(d)
                    if summary is None or summary.shares_result:
                        return False
                case S.Update():
                    pass
                case S.Unpack(star=None) if s.source in self.apart:
                    pass
                case S.Load():
                    if not selects_number(s, self.kinds):
                        return False
                case _:
                    return var not in binds_of(s)
        return True

    def _loop(self, site: int) -> LoopFacts | None:
        return self.kinds.loops.get(site)

    def earlier(self, region: Region, loop: int) -> Region:
        """A region of this iteration, as a later iteration of the loop sees it."""
        return self._moved(region, loop, regions.earlier)

    def after(self, region: Region, loop: int) -> Region:
        """A region of an iteration, as what follows the loop sees it."""
        return self._moved(region, loop, regions.after)

    def _moved(
        self, region: Region, loop: int, how: Callable[[Region, LoopFacts], Region]
    ) -> Region:
        facts = self._loop(loop)
        if facts is None:
            return SOME if region.symbols else region
        return how(region, facts)
