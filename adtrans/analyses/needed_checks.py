"""What the generated code has to check when it runs, because no analysis can decide it beforehand.

    f = y.reshape(-1); f[0] = 1.0        is `f` a view of `y`?
    z = y * y; if p: y[0] = 1.0          does the write come after the use?
    y[perm[i]] = y[perm[i - 1]] * A[i]   is an element written that was used?
    log(w)                               does an unknown function write what is still needed?

A check costs a comparison, or as many as elements are touched. What would be wrong for certain is
refused before anything runs; a check is for what may be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from adtrans.analyses.abstract import Obj
from adtrans.analyses.alias_paths import users
from adtrans.analyses.facts import Facts
from adtrans.analyses.guard import Guard
from adtrans.analyses.needed import Conflict, Need
from adtrans.analyses.reality import doubts
from adtrans.analyses.references import read_only
from adtrans.analyses.regions import Axis, Part, Point, Region, Run, Whole
from adtrans.analyses.subscripts import is_basic, selects_copy
from adtrans.analyses.writes import Write, puts
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, is_immutable
from adtrans.ir.walk import binds_of, names_in, statements, substitute


@dataclass(frozen=True, slots=True)
class Check:
    """A check that the generated code makes at run time: where, of what kind, in a sentence.

    `kind`: "view", whether a result is a view or a copy; "path", whether a write comes after a use
    that happens on some paths; "elements", whether it hits elements that were used; "array",
    whether it hits an array that was used; "frozen", whether an unknown function writes;
    "overlap", whether arguments share memory; "order", whether a copy reads
    what it has written; "real", whether a number is not complex.
    """

    span: Span
    kind: str
    sentence: str


# -- views -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assumption:
    """The statement `site` is taken to bind `target` to a view of `source`, or to a copy."""

    site: int
    target: str
    source: str
    form: Literal["view", "copy"]

    @property
    def names(self) -> tuple[str, str]:
        """The variables that share memory, or do not."""
        return self.target, self.source


def assumptions(facts: Facts) -> tuple[Assumption, ...]:
    """The views and copies that are guesses, where a write would show that they are wrong."""
    return tuple(
        a
        for a in tangent_assumptions(facts)
        if facts.apps[a.site].assumed
        and (a.form == "copy" or facts.sharing.base.get(a.target) == (a.source, a.site))
    )


def tangent_assumptions(facts: Facts) -> tuple[Assumption, ...]:
    """The same for tangents: they are made as the primal values are, and must be views where those
    are, also of what may be one or the other."""
    returned = handed_out(facts)
    found = []
    for site, app in facts.apps.items():
        s = facts.structure.stmts[site]
        if not isinstance(s, S.Bind):
            continue
        if not app.assumed and app.result not in ("maybe_view", "maybe_same"):
            continue
        mine = facts.memory.objects(s.target, site, after=True)
        form: Literal["view", "copy"] = "copy" if app.result == "fresh" else "view"
        for of in app.sources:
            if isinstance(of, E.Name):
                both = mine | facts.memory.objects(of.id, site)
                if both & (facts.memory.written | returned):
                    found.append(Assumption(site, s.target, of.id, form))
    return tuple(found)


def handed_out(facts: Facts) -> frozenset[Obj]:
    """What is returned, or put where others find it."""
    put = [
        v
        for s in statements(facts.fn.body)
        if isinstance(s, S.Return | S.SetAttr)
        for v in (s.values if isinstance(s, S.Return) else (s.value,))
    ]
    return put_somewhere(facts).union(*(facts.memory.of(v) for v in put))


def guesses(facts: Facts) -> Literal["", "hands on", "writes"]:
    """What happens to a view or a copy that is a guess, of memory that callers have or get."""
    found = {u.summary.guesses for u in facts.units.values()}
    out = handed_out(facts)
    for a in assumptions(facts):
        both = facts.memory.objects(a.target, a.site, after=True)
        both |= facts.memory.objects(a.source, a.site)
        if any(o.form not in ("site", "list") or o in out for o in both):
            found.add("writes" if both & facts.memory.written else "hands on")
    return "writes" if "writes" in found else "hands on" if found - {""} else ""


def put_somewhere(facts: Facts) -> frozenset[Obj]:
    """What is put into lists, dictionaries and the like."""
    summaries = {site: u.summary for site, u in facts.units.items()}
    return frozenset(
        o
        for s in statements(facts.fn.body)
        for _, values in puts(s, facts.kinds, summaries)
        for v in values
        for n in names_in(v)
        for o in facts.memory.objects(n)
    )


def rests_on_a_guess(w: Write, facts: Facts) -> Assumption | None:
    """The assumption that a write would show to be wrong."""
    for a in assumptions(facts):
        if any(facts.aliasing.together(v, w.var, w.site) for v in (a.target, a.source)):
            return a
    return None


# -- overwritten, perhaps --------------------------------------------------------------------------


def guards(facts: Facts, open_conflicts: Iterable[Conflict]) -> tuple[Guard, ...]:
    """The conflicts that may turn out harmless, each with how the run decides that."""
    found = (guard(c, facts) for c in open_conflicts)
    return tuple(dict.fromkeys(g for g in found if g is not None))


def guard(c: Conflict, facts: Facts) -> Guard | None:
    """How the run decides whether the write hits what was used; None where it does for certain."""
    need, kinds = c.need, facts.kinds
    kind = kinds.var(need.var) if need.result else kinds.at(need.site, need.var)
    writes = [w for w in facts.memory.at(c.write) if may_hit(w, need, facts)]
    if not isinstance(kind, Array) or not writes:
        return None
    if any(not isinstance(kinds.at(w.site, w.var), Array) for w in writes):
        return None
    if c.unknown:
        if not freezable(c.write, facts):
            return None
        return Guard(need, c.write, "frozen", None, None, tuple(w.var for w in writes), ())
    if c.write == need.site and not need.result and not c.carried:
        if any((w.var, w.items) == (need.var, need.items) for w in writes):
            return None
    branch = conditions(need.site, facts) != conditions(c.write, facts)
    w = writes[0]
    used = root(need.var, need.site, facts, after=need.result)
    if used is not None and len(writes) == 1 and used == root(w.var, w.site, facts):
        if undecided(c, w, facts):
            mark = part(need.var, need.items, need.site, used, facts, after=need.result)
            asked = part(w.var, w.items, w.site, used, facts)
            if mark is not None and asked is not None:
                return Guard(need, c.write, "elements", used, mark, (w.var,), (asked,))
        return Guard(need, c.write, "flag", used, None, (w.var,), ()) if branch else None
    chosen = any(chosen_by_a_branch(v, facts) for v in (need.var, *(w.var for w in writes)))
    if branch or chosen:
        return Guard(need, c.write, "object", None, None, tuple(w.var for w in writes), ())
    return None


def freezable(site: int, facts: Facts) -> bool:
    """Whether a statement is a call of something outside that gets arrays as they are."""
    match facts.structure.stmts[site]:
        case S.Invoke(args=args, kwargs=kwargs):
            pass
        case S.Bind(value=E.Call(args=args, kwargs=kwargs)):
            pass
        case _:
            return False
    given = [*args, *(v for _, v in kwargs)]
    kinds = [facts.kinds.expr(site, a) for a in given]
    return all(isinstance(k, Array) or is_immutable(k) for k in kinds)


def may_hit(w: Write, need: Need, facts: Facts) -> bool:
    """Whether a write may be into the memory that a need is about."""
    objects = facts.memory.objects(need.var, need.site, after=need.result)
    return bool({(o.form, o.key) for o in objects} & {(o.form, o.key) for o in w.objects})


def conditions(site: int, facts: Facts) -> frozenset[tuple[int, int]]:
    """The branches that a statement stands in, but for those whose other side leaves the loop."""
    found = []
    for block in facts.structure.ancestors(facts.structure.block[site]):
        owner = facts.structure.owner(block)
        if isinstance(owner, S.If):
            other = owner.orelse if block[1] == 0 else owner.then
            if not (other and leaves(other[-1])):
                found.append(block)
    return frozenset(found)


def leaves(s: S.Stmt) -> bool:
    """Whether control does not go on behind a statement."""
    return isinstance(s, S.Break | S.Continue) or (isinstance(s, S.Keep) and s.form == "raise")


def chosen_by_a_branch(var: str, facts: Facts) -> bool:
    """Whether a name stands for one array or another, as a branch decides."""
    sites = facts.definitions.sites.get(var, ())
    owners = (facts.structure.owner(facts.structure.block[d]) for d in sites)
    return len(sites) > 1 and any(isinstance(o, S.If) for o in owners)


def root(var: str, site: int, facts: Facts, *, after: bool = False) -> str | None:
    """The variable that a name is a view of or another name for at `site`, if that stands for an
    array which is made at its definitions, or passed, and still stands for the same one."""
    up = _source(var, facts)
    if up is None:
        return var if _is_root(var, facts) else None
    source, d = up
    if not (d == site and after) and not facts.structure.dominates(d, site):
        return None
    if not _steady(source, d, site, facts):
        return None
    found = root(source, d, facts)
    return found if found is not None and _steady(found, d, site, facts) else None


def _source(var: str, facts: Facts) -> tuple[str, int] | None:
    """What the only definition of a name makes it a view of, and where."""
    sites = facts.definitions.sites.get(var, ())
    if len(sites) != 1 or var in facts.definitions.params:
        return None
    s = facts.structure.stmts[sites[0]]
    match s:
        case S.Alias():
            return s.source, s.site
        case S.Load() if is_basic(s.items, s.site, facts.kinds):
            return s.base, s.site
        case S.Bind() if s.site in facts.apps:
            app = facts.apps[s.site]
            of = app.source
            if app.result in ("view", "same") and not app.assumed and isinstance(of, E.Name):
                return of.id, s.site
    return None


def _is_root(var: str, facts: Facts) -> bool:
    made = [facts.structure.stmts[d] for d in facts.definitions.sites.get(var, ())]
    made = [s for s in made if not isinstance(s, S.Update)]

    def fresh(s: S.Stmt) -> bool:
        match s:
            case S.Bind():
                return s.site in facts.apps and facts.apps[s.site].result == "fresh"
            case S.Load():
                return selects_copy(s, facts.kinds)
            case S.Invoke():
                unit = facts.units.get(s.site)
                return unit is not None and not unit.summary.shares_result
            case _:
                return False

    param = var in facts.definitions.params
    return isinstance(facts.kinds.var(var), Array) and bool(made or param) and all(map(fresh, made))


def part(
    var: str,
    items: tuple[E.Expr, ...] | None,
    site: int,
    base: str,
    facts: Facts,
    *,
    after: bool = False,
) -> E.Expr | None:
    """`var[items]` as a part of its `base`, in words that mean the same at `site`; None if there
    are none. For a value that `site` itself binds: `after`."""
    stmts = facts.structure.stmts

    def steady(e: E.Expr, since: int, but: str = base) -> bool:
        together = stmts[since].origin == stmts[site].origin != 0
        fixed = (
            n in (base, but) or together or is_immutable(facts.kinds.at(since, n))
            for n in names_in(e)
        )
        named = (_steady(n, since, site, facts) for n in names_in(e))
        return all(fixed) and all(named) and not _opaque(e)

    if items is not None and any(_opaque(i) for i in items):
        return None
    if var == base:
        found: E.Expr = E.Name(base)
    else:
        up = _source(var, facts)
        if up is None:
            return None
        source, d = up
        s = stmts[d]
        outer = part(source, None, d, base, facts)
        if outer is None or not steady(outer, d):
            return None
        match s:
            case S.Load() if all(steady(i, d) for i in s.items):
                found = E.Index(outer, s.items)
                if not isinstance(facts.kinds.at(d, s.base), Array):
                    found = E.Index(found, (E.ELLIPSIS,))  # the array itself, no place in a list
            case S.Alias():
                found = outer
            case S.Bind() if facts.apps[d].result == "same":
                found = outer
            case S.Bind() if steady(s.value, d, source) and not read_only(facts.apps[d]):
                found = substitute(s.value, {source: outer})
            case _:
                return None
    return found if items is None else E.Index(found, items)


def _opaque(e: E.Expr) -> bool:
    return isinstance(e, E.Verbatim) or any(_opaque(c) for c in E.children(e))


def _steady(var: str, since: int, site: int, facts: Facts) -> bool:
    """Whether the name of a variable is not bound again between two statements."""
    if since == site:
        return True
    st = facts.structure
    block = st.block[since]
    if block not in st.ancestors(st.block[site]):
        return False
    inner = site
    while st.block[inner] != block:
        inner = st.block[inner][0]
    name = facts.fn.source_name(var)
    between = st.contents[block][st.position[since] + 1 : st.position[inner] + 1]
    bound = {facts.fn.source_name(v) for s in statements(between) if s.site != site
             for v in binds_of(s)}  # fmt: skip
    return name not in bound


def undecided(c: Conflict, w: Write, facts: Facts) -> bool:
    """Whether the regions of use and write may or may not meet, as the numbers in them say."""
    used = facts.places.region(c.need.var, c.need.items, c.need.site)
    written = facts.places.region(w.var, w.items, w.site)
    if _is_all(used) or _is_all(written):
        return False
    pairs = zip(used.axes, written.axes, strict=False)
    return any(_open(a, b) for a, b in pairs)


def _is_all(region: Region) -> bool:
    return all(isinstance(a, Whole) for a in region.axes)


def _open(a: Axis, b: Axis) -> bool:
    """Whether two positions depend on numbers that only the run knows: computed or passed ones.

    Loop indices sweep over their range, and sizes are large enough to clash.
    """
    match a, b:
        case (Part(), _) | (_, Part()):
            return True
        case (Whole(), _) | (_, Whole()):
            return False
        case _:
            symbols = {s for x in _ends(a) for y in _ends(b) for s in (x - y).symbols}
            return any("#" not in s and ".shape[" not in s for s in symbols)


def _ends(axis: Axis) -> Iterator[Affine]:
    match axis:
        case Point():
            yield axis.at
        case Run():
            yield axis.start
            if axis.stop is not None:
                yield axis.stop


# -- for the report --------------------------------------------------------------------------------

_KINDS = {"flag": "path", "elements": "elements", "object": "array", "frozen": "frozen"}
_COSTS = {
    "flag": "one comparison",
    "elements": "one look at each element that is written",
    "object": "one look-up",
    "frozen": "the arrays cannot be written during the call",
}


def checks(facts: Facts, *, entry: bool) -> tuple[Check, ...]:
    """All checks of a function, in textual order. `entry`: it is the one that the user calls."""
    name, stmts = facts.fn.source_name, facts.structure.stmts
    found = []
    for a in assumptions(facts):
        target, source = (name(users(v, facts)) for v in a.names)
        asks = f"is `{target}` a {a.form} of `{source}`? (one comparison)"
        found.append(Check(stmts[a.site].span, "view", asks))
    for g in facts.guards:
        used, line = name(users(g.need.var, facts)), stmts[g.need.site].span.line
        asks = f"does it overwrite what line {line} needs of `{used}`? ({_COSTS[g.form]})"
        found.append(Check(stmts[g.write].span, _KINDS[g.form], asks))
    for site in facts.ordered:
        asks = "does the copy read what it has written? (numbers as many as elements)"
        found.append(Check(stmts[site].span, "order", asks))
    for d in doubts(facts):
        asks = f"is what line {d.line} gives a real number or array? (a look at its type)"
        found.append(Check(stmts[d.site].span, "real", asks))
    for names, where in ((overlapping(facts) if entry else (), "at each call"), told(facts)):
        if names and not any(c.kind == "overlap" for c in found):
            listed = ", ".join(f"`{n}`" for n in names)
            asks = f"do {listed} share memory? (bounds {where}; exactly where these meet)"
            found.append(Check(facts.fn.span, "overlap", asks))
    return tuple(sorted(dict.fromkeys(found), key=lambda c: (c.span, c.kind, c.sentence)))


def told(facts: Facts) -> tuple[tuple[str, ...], str]:
    """The arguments that a name may mean one or another of, so that their adjoints are told by
    address; and where it is checked that they do not overlap."""
    told_apart = facts.sharing.addressed | facts.sharing.through
    params = tuple(p.name for p in facts.fn.params if p.name in told_apart)
    several = len(params) > 1 or facts.sharing.through & {*params}
    return params if several else (), "in the pullback"


def overlapping(facts: Facts) -> tuple[str, ...]:
    """The arguments that must not overlap, because one of them is written."""
    params = [p.name for p in facts.fn.params if not is_immutable(facts.kinds.var(p.name))]
    written = {o.key for o in facts.memory.written if o.form == "param"}
    return tuple(params) if len(params) > 1 and written & set(params) else ()
