"""Which variables must share their adjoint with the object that they refer to.

Adjoints alias if and only if primals do. A view or alias whose object is not written while it is in
use may as well have an adjoint by value, added to the object's where the view was taken; one that
lives across a write, or is written through, is a window on the object's own adjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from adtrans.analyses.abstract import Objects, containers
from adtrans.analyses.addressed import World, written_as
from adtrans.analyses.aliasing import Aliasing
from adtrans.analyses.apply import Application
from adtrans.analyses.arrays_held import HOLDERS, has_numbers, with_arrays
from adtrans.analyses.contiguity import LAID_OUT, Layout, layouts
from adtrans.analyses.definitions import Definitions
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness
from adtrans.analyses.loops import leaves
from adtrans.analyses.nested import is_leaf
from adtrans.analyses.points_to import Memory, makes_apart
from adtrans.analyses.references import UNCLEAR, reference
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Kind, Maybe, Mixed, Scalar, TupleOf, is_immutable
from adtrans.ir.walk import names_in, operands, statements


@dataclass(frozen=True, slots=True)
class Sharing:
    """`base`: for each variable that shares, the variable it is a view of or another name for, and
    the site of that definition. `addressed`: variables that would have to, but may refer to one
    object or another; their adjoints are found by the address of what they refer to in the run.
    `through`: tuples and lists of such variables, which have no adjoint of their own.
    `pointing`: those lists and dictionaries in which None stands among such arrays.
    `records`: tuples of arrays and numbers that lists or dictionaries hold: the adjoints of these
    numbers are found by the identity of the tuple.
    `ambiguous`: those of which that is not possible, with the site of a write that shows it.
    `in_order`: variables whose adjoint must have no gaps, because a window reshapes it."""

    base: Mapping[str, tuple[str, int]]
    ambiguous: Mapping[str, int]
    in_order: frozenset[str] = frozenset()
    addressed: frozenset[str] = frozenset()
    through: frozenset[str] = frozenset()
    pointing: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()

    def held(self, var: str, kind: Kind) -> Kind:
        """`kind`, that of a variable, as what it holds is found by address."""
        return with_arrays(kind) if var in self.pointing else kind

    def shares(self, var: str) -> bool:
        """Whether the adjoint of `var` lies in memory that is not its own."""
        return var in self.base or var in self.addressed

    def together(self, a: str, b: str) -> bool:
        """Whether the adjoints of two variables may share memory."""
        first, second = self.root(a), self.root(b)
        return first == second or {first, second} <= self.addressed

    def root(self, var: str) -> str:
        """The variable that owns the adjoint which `var` is a window on."""
        while var in self.base:
            var = self.base[var][0]
        return var

    def whole(self, var: str, stmts: Mapping[int, S.Stmt]) -> str:
        """The variable that `var` is another name for, where it stands for the same array."""
        while var in self.base and isinstance(stmts[self.base[var][1]], S.Alias):
            var = self.base[var][0]
        return var


def holds(kind: Kind, listed: bool) -> bool:
    """Whether what was written, an array or (`listed`) a list, may be an item of such a value."""
    if not isinstance(kind, Container):
        return False
    if listed:
        return not _without_lists(kind.item)
    return not is_immutable(kind.item)


def _without_lists(kind: Kind) -> bool:
    if isinstance(kind, TupleOf):
        return all(map(_without_lists, kind.items))
    if isinstance(kind, Maybe):
        return _without_lists(kind.item)
    return isinstance(kind, Scalar | Array | Mixed)


def sharing(
    fn: S.Function,
    kinds: Kinds,
    apps: Mapping[int, Application],
    mem: Memory,
    live: Liveness,
    defs: Definitions,
    summaries: Mapping[int, Summary],
    alias: Aliasing,
    finals: tuple[str, ...] = (),
    idle: frozenset[int] = frozenset(),
    active: Callable[[str], bool] = lambda var: True,
    given: frozenset[str] = frozenset(),
) -> Sharing:
    """Find the variables that live across a write to an object which another variable refers to.

    Writes at `idle` sites have no influence on the result, so that no adjoint is there to share;
    nor is there one of a variable that is not `active`. `given`: see `World`.
    """
    stmts = {s.site: s for s in statements(fn.body)}
    loops = {
        site: frozenset(t.site for t in statements((s,)))
        for site, s in stmts.items()
        if isinstance(s, S.For | S.While)
    }

    apart = makes_apart(fn, kinds, summaries, apps)

    def meant(var: str, site: int) -> Objects:
        anew = var in finals and var in defs.sites  # at the end it means the argument again
        return mem.objects(var) if anew else mem.objects(var, site)

    crossing: dict[str, int] = {}
    ambiguous: dict[str, int] = {}
    windows: dict[str, int] = {}
    for w in mem.writes:
        if w.site in idle:
            continue
        around = live.out.get(w.site, frozenset()) | {w.var, *finals}
        seen = [
            v
            for v in sorted(around)
            if alias.together(v, w.var, w.site) and not is_immutable(kinds.var(v))
        ]
        listed = isinstance(kinds.at(w.site, w.var), Container)
        if listed:  # what a list holds stays as it is when the list is changed
            seen = [v for v in seen if v == w.var or meant(v, w.site) & w.objects]
        if len(seen) > 1:
            called = isinstance(stmts[w.site], S.Invoke) and holds(kinds.at(w.site, w.var), True)
            if listed and (called or w.objects - containers(w.objects)):
                ambiguous.setdefault(w.var, w.site)  # by a function: what it holds, too
            for var in seen:
                crossing.setdefault(var, w.site)
                if var != w.var and holds(kinds.var(var), listed):
                    ambiguous.setdefault(var, w.site)
    moved = moved_items(stmts, loops, kinds, mem, live)
    for (var, _), site in moved.items():
        crossing.setdefault(var, site)
    base: dict[str, tuple[str, int]] = {}
    for site, s in stmts.items():  # parts of a named view are parts of what it looks at
        if isinstance(s, S.Load | S.Store) and fn.source_name(s.base) in fn.reserved:
            kind = kinds.var(s.base)  # the adjoint of a list is a list, that of a tuple a tuple
            if not is_immutable(kind) and not isinstance(kind, Container | TupleOf):
                windows.setdefault(s.base, site)
    windows = {v: site for v, site in windows.items() if v not in crossing}
    crossing.update(windows)
    waiting = list(crossing)
    while waiting:
        var = waiting.pop(0)
        site = crossing[var]
        sites = defs.sites.get(var, ())
        refs = {
            d: reference(stmts[d], kinds, apps, summaries, apart)
            for d in sites
            if not isinstance(stmts[d], S.Update)
        }
        for d in refs:
            loop = stmts[d]
            if isinstance(loop, S.For):
                leaf = leaves(loop, kinds).get(var)
                unclear = leaf is None or not isinstance(leaf.value, E.Index)
                unclear = unclear or isinstance(kinds.var(var), TupleOf)  # nothing is written into
                unclear = unclear or (var, d) in moved
                refs[d] = UNCLEAR if unclear or leaf is None else leaf.source
        if not any(refs.values()):
            continue
        if len(refs) == 1 and var not in defs.params:
            d, source = next(iter(refs.items()))
            assert source is not None
            if source != UNCLEAR and not _moves(source, var, d, defs, live, stmts, loops):
                base[var] = (source, d)
                must = var not in windows and source in windows
                if source not in crossing or must:  # it is shared all the way up
                    crossing[source] = site
                    waiting.insert(0, source)  # those that must share come first
                    if var in windows:
                        windows[source] = site
                    elif must:
                        del windows[source]
                continue
        if var not in windows:  # without a write in between, an adjoint by value will do
            ambiguous[var] = site
    gone = [
        v for v in base
        if _chain_moves(v, base, defs, live, stmts, loops) or _outlives(v, base, live, stmts)
    ]  # fmt: skip
    if any(d in apps and reshapes(apps[d]) for _, d in base.values()):
        lie = layouts(fn, apps, kinds)
        gone += [v for v in base if v not in gone and not _lies_alike(v, base, apps, lie)]
    for var in gone:
        del base[var]
        if var not in windows:
            ambiguous[var] = crossing[var]
    world = World(fn, kinds, apps, mem, defs, summaries, apart, given)
    either = [v for v in ambiguous if active(v)]
    for p in finals:
        if defs.sites.get(p):  # its name may stand for another array at the end
            either += written_as(p, mem)
    found = world.addressed(either, crossing.keys() - windows)
    left = [v for v in either if v not in found]
    every = {*defs.sites, *defs.params}
    beside_none = {v for v in every if with_arrays(kinds.var(v)) != kinds.var(v)}
    pointing: frozenset[str] = frozenset()
    if left and beside_none:
        more = world.of_arrays().addressed(left, crossing.keys() - windows) - found
        pointing, found = more & beside_none, found | more

    def is_through(var: str) -> bool:
        kind = with_arrays(kinds.var(var)) if var in pointing else kinds.var(var)
        return isinstance(kind, HOLDERS) and not is_leaf(kind)

    through = frozenset(filter(is_through, found))
    addressed = found - through
    base = {v: at for v, at in base.items() if not world.meets(v, base, addressed)}
    ambiguous = {v: site for v, site in ambiguous.items() if v not in found}
    windowed = Sharing(base, ambiguous)
    reshaped = (v for v, (_, d) in base.items() if d in apps and reshapes(apps[d]))
    in_order = frozenset(windowed.root(v) for v in reshaped)
    records = frozenset(v for v in through if has_numbers(kinds.var(v)))
    if not any(
        v in defs.params
        or isinstance(kinds.var(v), Container)
        or any(isinstance(stmts[d], S.Invoke) for d in defs.sites.get(v, ()))
        for v in records
    ):
        records = frozenset()  # by value, from name to name
    records = frozenset(v for v in records if isinstance(kinds.var(v), TupleOf))
    return Sharing(base, ambiguous, in_order, addressed, through, pointing, records)


def moved_items(
    stmts: Mapping[int, S.Stmt],
    loops: Mapping[int, frozenset[int]],
    kinds: Kinds,
    mem: Memory,
    live: Liveness,
) -> dict[tuple[str, int], int]:
    """The variables of loops that mean arrays or lists in a list which is changed while these are
    in use, under any name, with their loops, and the site of such a change: by then, they are at
    another place."""
    found: dict[tuple[str, int], int] = {}
    changes = [w for w in mem.writes if isinstance(kinds.at(w.site, w.var), Container)]
    for site, loop in stmts.items():
        for var, leaf in leaves(loop, kinds).items() if isinstance(loop, S.For) else ():
            source = leaf.source
            if source is None or is_immutable(kinds.var(var)):
                continue
            if isinstance(kinds.var(var), TupleOf):
                continue  # its adjoint is a value, which the header puts where it was
            meant = mem.objects(var)
            for w in changes:
                if w.site in loops[site] and mem.objects(source, site) & w.objects:
                    later = (mem.objects(v, w.site) for v in live.out.get(w.site, frozenset()))
                    if any(not meant.isdisjoint(objects) for objects in later):
                        found.setdefault((var, site), w.site)
    return found


def reshapes(app: Application) -> bool:
    """Whether the result is a view only of an array without gaps."""
    return app.rule.spelling in LAID_OUT and app.result == "view"


def _lies_alike(
    var: str,
    base: Mapping[str, tuple[str, int]],
    apps: Mapping[int, Application],
    lie: Mapping[str, Layout],
) -> bool:
    """Whether a view that takes an array without gaps is one of its adjoint, too, which is in the
    order of C: so is the array itself, and what is asked of its memory gives the same."""
    source, d = base[var]
    if d not in apps or not reshapes(apps[d]) or lie.get(source) not in ("C", "c"):
        return True  # a view of it, however it lies
    asked = False
    while source in base:
        source, d = base[source]
        asked |= d in apps and apps[d].rule.spelling == "as_it_lies"
    return lie.get(source) == "C" or (lie.get(source) == "c" and not asked)


def _outlives(
    var: str, base: Mapping[str, tuple[str, int]], live: Liveness, stmts: Mapping[int, S.Stmt]
) -> bool:
    """Is an element that a loop went through meant behind it? Which one is not known there."""
    at = var
    while at in base:
        at, site = base[at]
        if isinstance(stmts[site], S.For) and var in live.out.get(site, ()):
            return True
    return False


def _chain_moves(
    var: str,
    base: Mapping[str, tuple[str, int]],
    defs: Definitions,
    live: Liveness,
    stmts: Mapping[int, S.Stmt],
    loops: Mapping[int, frozenset[int]],
) -> bool:
    """Whether what a view of a view looks at may be bound to something else while it is in use,
    further up than where it was taken."""
    above = base[var][0]
    while above in base:
        source, site = base[above]
        if _moves(source, var, site, defs, live, stmts, loops):
            return True
        above = source
    return False


def _moves(
    source: str,
    var: str,
    site: int,
    defs: Definitions,
    live: Liveness,
    stmts: Mapping[int, S.Stmt],
    loops: Mapping[int, frozenset[int]],
) -> bool:
    """Whether `source` may be bound to something else while `var` is still in use, or what tells
    which part of `source` that is: `var` lives on after a loop in which that is bound."""
    for loop, inner in loops.items():
        if site in inner and var in live.out.get(loop, frozenset()):
            told = {n for e in operands(stmts[site]) for n in names_in(e)} - {source}
            if any(not inner.isdisjoint(defs.sites.get(n, ())) for n in told):
                return True
    for d in defs.sites.get(source, ()):
        s = stmts[d]
        if d != site and not isinstance(s, S.Update) and var in live.out.get(d, frozenset()):
            return True
        if isinstance(s, S.For) and var in live.head.get(d, frozenset()):
            return True
    return False
