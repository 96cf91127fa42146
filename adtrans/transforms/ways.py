"""How the pullback gets at a primal value.

For `u` needed at a statement, the first of these that applies:

- header: it is the index of a loop, and the reversed loop runs over the same values;
- final: it is not bound again, so that the value at the end of the forward function will do;
- recompute: it is an element, a view or shape arithmetic of values had without a record;
- record: the forward function keeps it, once for each time its block is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from adtrans.analyses.aliasing import sources
from adtrans.analyses.facts import Facts
from adtrans.analyses.fixed import asks_only_fixed
from adtrans.analyses.loops import Leaf, is_position, leaves
from adtrans.analyses.naming import Naming, naming
from adtrans.analyses.needs import is_cheap_arithmetic, is_reloaded
from adtrans.analyses.structure import BlockId
from adtrans.analyses.subscripts import is_basic, is_plain_attribute
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Known, Scalar, TupleOf, may_change
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, names_in, reads_of, statements
from adtrans.transforms.bases import Base, Derivations, never_written


@dataclass
class Ways:
    """Decides, and remembers what was decided in `fetches`."""

    facts: Facts
    names: NameAllocator
    fetches: dict[tuple[object, ...], Fetch] = field(default_factory=dict)
    local: dict[str, dict[str, list[BlockId]]] = field(default_factory=dict)
    bases: frozenset[Base] = frozenset()
    naming: Naming = field(init=False)

    def __post_init__(self) -> None:
        self.naming = naming(self.facts.fn)

    @cached_property
    def read(self) -> frozenset[str]:
        """The variables that a statement reads."""
        return frozenset(v for s in statements(self.facts.fn.body) for v in reads_of(s))

    @cached_property
    def called_alike(self) -> Mapping[str, frozenset[str]]:
        """The variables that are bound or deleted, by the names that the user gave to them."""
        found: dict[str, set[str]] = {}
        kept = (s for s in statements(self.facts.fn.body) if isinstance(s, S.Keep))
        for v in (*self.facts.definitions.sites, *(v for s in kept for v in s.unbinds)):
            found.setdefault(self.facts.fn.source_name(v), set()).add(v)
        return {name: frozenset(variables) for name, variables in found.items()}

    def has_name(self, var: str, site: int, result: bool) -> bool:
        """Whether there is such a place."""
        return self._named(var, site, result) is not None

    def named(self, var: str, site: int, result: bool) -> tuple[int, bool]:
        """The place, this or an earlier one, where the name of `var` stands for it."""
        found = self._named(var, site, result)
        if found is None:
            raise AssertionError(f"`{var}` has no name at {site}")
        return found

    def _named(self, var: str, site: int, result: bool) -> tuple[int, bool] | None:
        f = self.facts
        if is_position(var) or self.naming.reachable(var, site, after=result):
            return site, result
        d = f.definitions
        sites = d.sites.get(var, ())
        if var in d.params and not sites:
            return f.fn.body[0].site, False
        if len(sites) == 1 and var not in d.params and not d.loops[sites[0]]:
            return sites[0], True
        bound_inside = result and any(site in d.loops[s] for s in sites)
        return None if bound_inside else self.earlier(var, site)

    def earlier(self, var: str, site: int) -> tuple[int, bool] | None:
        """The last place on every way to `site`, behind (True) or before a statement, where the
        name stands for `var`."""
        d, block = self.facts.definitions, self.facts.structure.block
        around = {block[site], *self.facts.structure.ancestors(block[site])}
        order = list(d.statements)
        inner = False
        for p in reversed(order[: order.index(site)]):
            again = {*d.loops[site]} - {*d.loops[p]}  # loops in which `site` may come a second time
            if any(again & {s, *d.loops[s]} for s in d.sites.get(var, ())):
                return None
            if p in d.parents[site]:
                continue
            if block[p] in around:
                if self.naming.reachable(var, p, after=True):
                    return p, True
                if inner or var in binds_of(d.statements[p]):
                    return None
                if self.naming.reachable(var, p, after=False):
                    return p, False
            elif var in binds_of(d.statements[p]):
                inner = True  # in a branch or loop that starts further up
        return None

    def way(
        self, var: str, site: int, result: bool = False, depth: int = 0, *, contents: bool = True
    ) -> tuple[Way, int]:
        """How `var`, as it is before (or, for a result, after) `site`, is had: the way and place.

        `contents` False: only its shape is asked for, which no write changes.
        """
        f = self.facts
        if is_position(var):
            return "header", int(var[2:])
        stale = contents and self._stale(var, site, result)
        derived = None if stale else self._derived(var, site, result)
        if derived is not None:
            return "recompute", derived
        if contents and (site, var, result) in f.saved:
            return "record", site
        sites = tuple(d for d in f.definitions.sites.get(var, ()))
        loops = [loop.site for loop in f.structure.loops(site)]
        if len(sites) == 1 and sites[0] in loops and isinstance(f.structure.stmts[sites[0]], S.For):
            if self._from_header(var, sites[0]):
                return "header", sites[0]
        if not self.renamed_later(var, site, result):
            return "final", site
        if len(sites) == 1 and var not in f.definitions.params and self._always_same(sites[0]):
            if not self.renamed_later(var, site, result, others=True):
                return "final", site
        if len(sites) == 1 and var not in f.definitions.params:
            d = sites[0]
            if f.structure.dominates(d, site) or (d == site and result):
                if depth < 6 and not stale and self._recomputable(d, depth):
                    return "recompute", d
                return "record", d
        return "record", site

    def _derived(self, var: str, site: int, result: bool) -> int | None:
        """The statement that computes `var` from an array of which a copy is kept (see `bases`)."""
        if not self.bases:
            return None
        f = self.facts
        derive = Derivations(f, lambda v, at: self.without_record(v, at, 4))
        d = derive.single(var)
        if d is None or not (f.structure.dominates(d, site) or (d == site and result)):
            return None
        base = derive.base_of(d)
        return d if base is not None and (f.structure.block[d], base) in self.bases else None

    def _stale(self, var: str, site: int, result: bool) -> bool:
        """Whether `var` looks into an array of which a copy is kept, and sees what was written
        there since: it is not what it would be if it were taken from the copy."""
        derive = Derivations(self.facts, lambda v, at: self.without_record(v, at, 4))
        d = derive.single(var) if self.bases else None
        if d is None or not self._looks_into_copy(d, derive):
            return False
        return not derive.unwritten(self.facts.structure.block[d], var, site, result)

    def _looks_into_copy(self, d: int, derive: Derivations, depth: int = 0) -> bool:
        s, f = self.facts.structure.stmts[d], self.facts
        if depth > 8:
            return True
        for v in sources(s, f.kinds, f.apps, {}):
            above = derive.single(v)
            if (f.structure.block[d], v) in self.bases:
                return True
            if above is not None and self._looks_into_copy(above, derive, depth + 1):
                return True
        return False

    def place(
        self, var: str, site: int, result: bool, *, behind: bool = False
    ) -> tuple[int, bool]:
        """Where a value that is recorded at its use is kept: right where it came to be in the same
        block, so that several uses of one value share a record. With `behind`, an array is kept
        when it has been written into there, so that nothing is written into what was kept: this
        derivative does not mind, but the one of it does. (statement, after it?)"""
        f = self.facts
        if result:
            return site, True
        block = f.structure.contents[f.structure.block[site]]
        before = block[: f.structure.position[site]]
        written: tuple[int, bool] | None = None
        for n, s in reversed([*enumerate(before)]):
            if any(var in binds_of(inner) for inner in statements((s,))):
                return written or (s.site, True)
            if behind and written is None and self._writes_into(s, var, site):
                written = self._behind(before, n, site)
        return written or (block[0].site, False)

    def _writes_into(self, s: S.Stmt, var: str, site: int) -> bool:
        """Whether a statement may write into the array that `var` is at `site`."""
        f = self.facts
        if not isinstance(f.kinds.at(site, var), Array):
            return False
        mine = f.memory.objects(var, site)
        return any(w.objects & mine for inner in statements((s,)) for w in f.memory.at(inner.site))

    def _behind(self, before: S.Block, n: int, site: int) -> tuple[int, bool]:
        """The place behind the statement of the user's that the `n`-th one of a block belongs to;
        that one where everything up to `site` does."""
        origin = before[n].origin
        behind = n
        while behind + 1 < len(before) and origin and before[behind + 1].origin == origin:
            behind += 1
        if behind + 1 == len(before) and self.facts.structure.stmts[site].origin == origin:
            behind = n
        return before[behind].site, True

    def renamed_later(
        self, var: str, site: int, result: bool, *, others: bool = False
    ) -> bool:
        """Whether the user's name for `var` may be bound again after the value in question, with
        `others` for another variable; or may be deleted, on whatever way to the end."""
        f = self.facts
        if self.naming.deleted(var, f.fn.body[-1].site):
            return True
        alike = self.called_alike.get(f.fn.source_name(var), frozenset())
        alike = alike - {var} if others else alike
        if not alike.isdisjoint(f.definitions.redefined_after(site)):
            return True
        if result:
            return False
        own = f.structure.stmts[site]
        return any(v in alike for inner in statements((own,)) for v in binds_of(inner))

    def in_parts(self, block: BlockId) -> bool:
        """Whether it may be that only the first statements of a block are run."""
        f = self.facts
        around = (f.structure.owner(b) for b in f.structure.ancestors(block))
        return any(isinstance(s, S.Try | S.With | S.Onward) for s in around)

    def _named_here(self, var: str, site: int, result: bool) -> bool:
        """Whether the user's name for `var` means it, from here to the end."""
        named = self.naming.reachable(var, site, after=result)
        return named and not self.renamed_later(var, site, result)

    def _always_same(self, site: int) -> bool:
        """Whether a definition in a loop binds the same value each time: a stored attribute."""
        s, f = self.facts.structure.stmts[site], self.facts
        if not (isinstance(s, S.Bind) and isinstance(s.value, E.Attribute)):
            return False
        base = s.value.base
        if not isinstance(base, E.Name) or not is_plain_attribute(s.value, site, f.kinds):
            return False
        moves = base.id in f.definitions.redefined_after(site)
        return not moves and not f.memory.objects(base.id, site) & f.memory.written

    def without_record(self, var: str, site: int, depth: int = 0) -> bool:
        """Whether `var` at `site` can be had without keeping anything for it."""
        return self.way(var, site, depth=depth)[0] != "record"

    def _recomputable(self, site: int, depth: int) -> bool:
        s, f = self.facts.structure.stmts[site], self.facts
        match s:
            case S.Load():
                if isinstance(f.kinds.at(site, s.base), Array) and not is_basic(
                    s.items, site, f.kinds
                ):
                    return False
                if is_reloaded(s.base, s.target, site, f.kinds):
                    if f.needs.clobbered(site, "reload") or self.comes_from_outside(s.base, site):
                        return False
                reads = {s.base}.union(*(names_in(i) for i in s.items))
            case S.Alias():
                reads = {s.source}
            case S.Bind():
                app = f.apps.get(site)
                kind = f.kinds.var(s.target)
                cheap = (
                    app is not None
                    and not app.rule.impure
                    and (
                        (app.rule.cheap and (_is_int(kind) or isinstance(kind, TupleOf | Known)))
                        or app.result == "view"
                    )
                )
                number = isinstance(kind, Scalar | Array)
                if number and is_cheap_arithmetic(s.value) and never_written(f, s):
                    cheap = not f.needs.clobbered(site, "recompute")
                if not (cheap or isinstance(s.value, E.Const | E.Ref)):
                    return False
                view = app is not None and app.result == "view"
                if not (view or isinstance(s.value, E.Ref) or asks_only_fixed(s.value)):
                    return False
                if any(may_change(f.kinds.at(site, n)) for n in names_in(s.value)):
                    if f.needs.clobbered(site, "recompute"):
                        return False
                reads = names_in(s.value)
            case _:
                return False
        return all(self.without_record(r, site, depth + 1) for r in reads)

    def comes_from_outside(self, var: str, site: int) -> bool:
        """Whether `var` is a list or the like that others have, too: of those whoever wants may
        put in something else before the pullback runs, and no statement here tells."""
        f = self.facts
        known = may_change(f.kinds.at(site, var))
        return known and any(o.form == "global" for o in f.memory.objects(var, site))

    def _leaf(self, var: str, loop: int) -> Leaf | None:
        s = self.facts.structure.stmts[loop]
        assert isinstance(s, S.For)
        return leaves(s, self.facts.kinds).get(var)

    def _from_header(self, var: str, loop: int) -> bool:
        """Whether a loop target can be had again from the position and what is iterated over."""
        leaf = self._leaf(var, loop)
        if leaf is None:
            return False
        if leaf.source is None:
            return True
        f = self.facts
        clobbered = is_reloaded(leaf.source, var, loop, f.kinds)
        clobbered = clobbered and (
            f.needs.clobbered(loop, "reload") or self.comes_from_outside(leaf.source, loop)
        )
        return not clobbered and self.without_record(leaf.source, loop, 1)
Way = Literal["header", "final", "recompute", "record"]


@dataclass(frozen=True, slots=True)
class Fetch:
    """One primal value in the pullback: `name` there, and how it comes about.

    `value` is what is kept or recomputed, as an expression over primal variables; `at` the
    statement and `after` the side of it where that is evaluated; `block` the block that is fetched
    with it. `copy`: the contents are overwritten later, so a copy is kept; `undoes`: the variable
    of which it is a part that is put back, or all of it as it is at the end (see `undoing`).
    """

    way: Way
    name: str
    value: E.Expr
    at: int
    after: bool
    block: BlockId
    copy: bool = False
    kind: Kind | None = field(default=None, compare=False)
    stack: str = ""
    undoes: str = ""


def _is_int(kind: Kind) -> bool:
    return isinstance(kind, Scalar) and kind.type in ("int", "bool")
