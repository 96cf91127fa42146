"""One copy instead of several temporaries: what a loop body computes from one array.

    lap = u[2:] - 2 * u[1:-1] + u[:-2]
    u[1:-1] += nu * lap - u[1:-1] * (u[2:] - u[:-2])

The pullback needs three arrays that are sums and products of parts of `u`, as it was when the
iteration began. Keeping `u` and computing them again takes less memory and less time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from adtrans.analyses.facts import Facts
from adtrans.analyses.needs import is_cheap_arithmetic
from adtrans.analyses.structure import BlockId
from adtrans.analyses.subscripts import is_basic
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, is_immutable
from adtrans.ir.walk import binds_of, names_in, statements

Base = tuple[BlockId, str]


@dataclass(frozen=True, slots=True)
class Derivations:
    """What the statements of a block compute from arrays as they are when the block begins.

    `available(var, site)`: a value that can be had in the pullback without keeping it.
    """

    facts: Facts
    available: Callable[[str, int], bool]

    def single(self, var: str) -> int | None:
        """The one statement that defines `var`."""
        sites = self.facts.definitions.sites.get(var, ())
        return sites[0] if len(sites) == 1 and var not in self.facts.definitions.params else None

    def untouched(self, block: BlockId, var: str, site: int) -> bool:
        """Whether the array `var` is still as it was when the block began."""
        f = self.facts
        if f.structure.block[site] != block:
            return False
        objects = f.memory.objects(var, site)
        for s in f.structure.contents[block][: f.structure.position[site]]:
            for inner in statements((s,)):
                if var in binds_of(inner):
                    return False
                if any(w.objects & objects for w in f.memory.at(inner.site)):
                    return False
        return True

    def unwritten(self, block: BlockId, var: str, site: int, result: bool) -> bool:
        """Whether the array `var` holds before (or, for a result, after) `site` what was there when
        the block began: a view sees what is written behind the statement that took it."""
        f = self.facts
        objects = f.memory.objects(var, site, after=result)
        if not objects & f.memory.written:
            return True
        if f.structure.block[site] != block:
            return False
        before = f.structure.contents[block][: f.structure.position[site] + result]
        return not any(
            w.objects & objects for s in statements(before) for w in f.memory.at(s.site)
        )

    def base_of(self, site: int, depth: int = 0) -> str | None:
        """The one array from which a statement computes by views and cheap arithmetic."""
        found = self.bases_of(site, depth)
        return next(iter(found)) if found is not None and len(found) == 1 else None

    def bases_of(self, site: int, depth: int) -> frozenset[str] | None:
        f = self.facts
        s, block = f.structure.stmts[site], f.structure.block[site]
        if depth > 8:
            return None
        match s:
            case S.Load() if is_basic(s.items, site, f.kinds):
                if not all(self.available(n, site) for i in s.items for n in names_in(i)):
                    return None
                return self.operand(s.base, site, block, depth)
            case S.Bind() if is_cheap_arithmetic(s.value) and never_written(f, s):
                total: frozenset[str] = frozenset()
                for n in sorted(names_in(s.value)):
                    part = self.operand(n, site, block, depth)
                    if part is None:
                        return None
                    total |= part
                return total
            case _:
                return None

    def operand(self, var: str, site: int, block: BlockId, depth: int) -> frozenset[str] | None:
        """The arrays that an operand is computed from; none if it can be had anyway."""
        f = self.facts
        if is_immutable(f.kinds.at(site, var)):
            return frozenset() if self.available(var, site) else None
        d = self.single(var)
        if d is not None and f.structure.block[d] == block and f.structure.dominates(d, site):
            inner = self.bases_of(d, depth + 1)
            if inner is not None and self.unwritten(block, var, site, False):
                return inner
        lost = bool(f.memory.objects(var, site) & f.memory.written)
        if self.available(var, site) and not lost:
            return frozenset()
        known = isinstance(f.kinds.at(site, var), Array)
        return frozenset({var}) if known and self.untouched(block, var, site) else None


def never_written(facts: Facts, s: S.Bind) -> bool:
    """Whether what a statement makes keeps the contents that it is made with."""
    made = facts.memory.allocates.get(s.site)
    if not made:
        return True
    return not any((o.form, o.key) in {(m.form, m.key) for m in made} for o in facts.memory.written)


def worthwhile(derive: Derivations, kept: Iterable[tuple[str, BlockId]]) -> frozenset[Base]:
    """The arrays of which one copy takes the place of two or more of the values `kept`; of one, if
    the array itself is among them."""
    groups: dict[Base, set[str]] = {}
    f = derive.facts
    every = frozenset(kept)
    for var, block in sorted(every, key=lambda k: (k[1], k[0])):
        d = derive.single(var)
        if d is None or f.structure.block[d] != block or not isinstance(f.kinds.var(var), Array):
            continue
        base = derive.base_of(d)
        if base is not None:
            groups.setdefault((block, base), set()).add(var)
    return frozenset(
        (block, base)
        for (block, base), values in groups.items()
        if (base, block) in every or (len(values) > 1 and saves((block, base), values, f))
    )


def saves(base: Base, values: Iterable[str], facts: Facts) -> bool:
    """Whether a copy of the base is hardly larger than the values: two slices of a thousand
    elements are no reason to keep a million."""
    block, var = base
    first = facts.structure.contents[block][0].site
    large = _elements(facts.kinds.at(first, var))
    sizes = [_elements(facts.kinds.var(v)) for v in values]
    known = [s for s in sizes if s is not None]
    return large is None or (len(known) == len(sizes) and sum(known) >= 0.99 * large)


_TYPICAL = 1e6  # for a size that is not known: slices such as `u[1:-1]` are about as large as `u`


def _elements(kind: Kind) -> float | None:
    if not isinstance(kind, Array) or kind.dims is None:
        return None
    sizes = [
        None
        if d is None or any("#" in symbol for symbol in d.symbols)
        else sum(c * _TYPICAL for _, c in d.terms) + d.constant
        for d in kind.dims
    ]
    return math.prod(max(s, 0.0) for s in sizes if s is not None) if None not in sizes else None
