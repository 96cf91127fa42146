"""All analyses of one function, in their order, and the decisions that change the function itself.

Writes that clash with a need and can be renamed are renamed, and everything is analysed again,
until what is left has to be saved or refused (see `program`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from adtrans.analyses.activity import Activity, Carrying
from adtrans.analyses.aliasing import aliasing
from adtrans.analyses.apply import Application, applications
from adtrans.analyses.behind import sharing_arguments, summaries_behind, with_sources
from adtrans.analyses.clears import dead_clears
from adtrans.analyses.complex_parts import with_parts
from adtrans.analyses.contiguity import settled
from adtrans.analyses.decided import decided
from adtrans.analyses.definitions import Definitions, definitions
from adtrans.analyses.effects import Summary
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.flat import has_flat, with_places, with_rows
from adtrans.analyses.frozen_tuples import with_frozen_tuples
from adtrans.analyses.indices import with_whole_indices
from adtrans.analyses.influence import influence
from adtrans.analyses.item_by_item import grows_tuple
from adtrans.analyses.kinds import Kinds, infer
from adtrans.analyses.kinds.lists import Puts
from adtrans.analyses.liveness import liveness
from adtrans.analyses.needs import needs
from adtrans.analyses.places import Places
from adtrans.analyses.points_to import Memory, makes_apart, memory
from adtrans.analyses.resolve import resolve
from adtrans.analyses.sharing import sharing
from adtrans.analyses.spread import has_stars, spread
from adtrans.analyses.structure import structure
from adtrans.analyses.trips import runs
from adtrans.analyses.tuples import take_apart
from adtrans.analyses.webs import webs
from adtrans.diagnostics.errors import CompileError
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind, TupleOf
from adtrans.ir.walk import statements
from adtrans.lower.template import instantiate

ResultKind = Callable[[object, tuple[Kind, ...], Mapping[str, Kind]], Kind]
KindsOf = Callable[[S.Function], Kinds]
UnitOf = Callable[[S.Invoke, Kinds, frozenset[str] | None], Unit | None]
BehindOf = Callable[[S.Bind, Application, Kinds], Summary | None]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a function: adjoints of the parameters `wrt`, also from the final contents
    of the written parameters (`finals`; None: of all that carry a derivative).

    `lost`: parameters that the caller overwrites before the pullback runs. `same`: pairs of
    parameters, the first of which is given the same array as the second. `taken`: items of the
    result that are arguments, and that the caller takes from there. `scattered`: parameters that
    are given arrays which lie in another order than that of C, or may.
    """

    params: Mapping[str, Kind]
    wrt: tuple[str, ...]
    finals: tuple[str, ...] | None = ()
    lost: frozenset[str] = frozenset()
    same: frozenset[tuple[str, str]] = frozenset()
    taken: frozenset[int] = frozenset()
    scattered: frozenset[str] = frozenset()

    @property
    def callee(self) -> bool:
        """Whether another function's derivative asks."""
        return self.finals is None


def asked_once(
    params: Mapping[str, Kind], result_kind: ResultKind, puts: Puts | None = None
) -> KindsOf:
    """The kinds in the variants of one function, each inferred when it is asked for first."""
    found: dict[int, tuple[S.Function, Kinds]] = {}

    def kinds_of(fn: S.Function) -> Kinds:
        if id(fn) not in found:
            found[id(fn)] = fn, infer(fn, params, call=result_kind, puts=puts)
        return found[id(fn)][1]

    return kinds_of


_ROUNDS = 8


def prepared(fn: S.Function, kinds_of: KindsOf, *, decide: bool = False) -> S.Function:
    """`fn`, whose webs are apart, with everything made explicit that the kinds tell.

    `decide`: whether branches that these never take are taken out.
    """
    if has_flat(fn):
        fn = with_rows(fn, kinds_of(fn))
    for _ in range(5):  # what a branch leaves behind may tell the length of what has a star
        before = fn
        for _ in range(5):  # what one star gives may be the length of another
            if not has_stars(fn):
                break
            spelled = spread(fn, kinds_of(fn))
            if spelled == fn:
                break
            fn = spelled
        for _ in range(5 if decide else 0):  # what one branch leaves behind may decide the next
            shorter = decided(fn, kinds_of(fn))
            if shorter is fn:
                break
            fn = webs(shorter)
        if fn is before or not decide or not has_stars(fn):
            break
    for _ in range(_ROUNDS):  # what one round spells out may be a writer in the next
        kinds = kinds_of(fn)
        alike = with_places(fn, kinds)
        if alike is fn:
            alike = with_parts(fn, kinds)
        if alike is fn:
            alike = with_frozen_tuples(fn, kinds)
        if alike is not fn:
            fn = webs(alike)
            continue
        longer = any(grows_tuple(s, kinds) for s in statements(fn.body))
        plain = resolve(fn, kinds, instantiate)
        if plain.body == fn.body:
            plain = with_whole_indices(fn, kinds) if decide else fn
            if plain is fn:
                break
        fn = webs(plain) if longer else plain
    return take_apart(fn, kinds_of)


def can_be_decided(fn: S.Function, kinds_of: KindsOf) -> bool:
    """Whether taking out branches might change what `prepared` makes of `fn`."""
    try:
        kinds = kinds_of(fn)
        return (
            has_stars(fn) or decided(fn, kinds) is not fn or with_whole_indices(fn, kinds) is not fn
        )
    except CompileError:  # perhaps on such a branch
        return True


def analyse(
    fn: S.Function,
    question: Question,
    kinds: Kinds,
    unit_of: UnitOf,
    saved: frozenset[tuple[int, str, bool]] = frozenset(),
    *,
    behind_of: BehindOf = lambda s, app, kinds: None,
    prove: bool = False,
) -> Facts:
    """Run all analyses on a prepared function. `behind_of`: what is known of the source of a
    function that has a rule of the user's. `prove`: take nothing for granted that the run would
    have to check."""
    apps = settled(fn, applications(fn, kinds), kinds, prove=prove)
    behind = summaries_behind(fn, apps, kinds, behind_of)
    apps = sharing_arguments(apps, behind, prove=prove)
    live, defs, struct = liveness(fn), definitions(fn), structure(fn)
    calls = [s for s in statements(fn.body) if isinstance(s, S.Invoke)]
    units = {s.site: u for s in calls if (u := unit_of(s, kinds, None)) is not None}
    results = [
        v.id
        for s in statements(fn.body)
        if isinstance(s, S.Return)
        for v in s.values
        if isinstance(v, E.Name)
    ]
    trips = runs(fn, kinds)
    for _ in range(8):
        summaries: dict[int, Summary] = {site: u.summary for site, u in units.items()}
        mem = memory(fn, kinds, apps, summaries, trips)
        carrying = Carrying(fn, kinds, apps, mem, summaries)
        varied, varied_objects = carrying.forwards(question.wrt)
        overwritten = with_sources(mem.written, apps, behind, mem) & varied_objects
        written = {o.key for o in overwritten if o.form in ("param", "held")}
        finals = tuple(p.name for p in fn.params if p.name in written)
        if question.finals is not None:
            finals = tuple(p for p in finals if p in question.finals)
        useful, useful_objects = carrying.backwards([*results, *finals])
        act = Activity(varied, useful, varied_objects, useful_objects)
        again = {s.site: u for s in calls if (u := unit_of(s, kinds, act.varied)) is not None}
        if {k: u.summary for k, u in again.items()} == summaries:
            break
        units = again
    apart = makes_apart(fn, kinds, summaries, apps)
    places = Places(kinds, apps, defs, live, struct, summaries, apart)
    alias = aliasing(fn, kinds, apps, mem, summaries, trips)
    reach = influence(
        fn, act, question.wrt, finals, kinds, apps, mem, places, summaries, alias, trips
    )
    share = sharing(
        fn, kinds, apps, mem, live, defs, summaries, alias, finals, reach.idle, act.active,
        # what a call leaves in a tuple comes back as another tuple
        frozenset(
            p.name
            for p in fn.params
            if not (question.callee and isinstance(kinds.var(p.name), TupleOf))
        ),
    )  # fmt: skip
    found = needs(fn, reach, kinds, apps, mem, places, summaries, alias, question.lost, trips)
    return Facts(
        fn,
        question.wrt,
        finals,
        kinds,
        apps,
        mem,
        act,
        found,
        live,
        defs,
        struct,
        places,
        share,
        again,
        saved,
        same_parameter(fn, mem, defs) if question.callee else None,
        dead_clears(fn, act, apps, mem, places),
        alias,
        influence=reach,
        inner=question.callee,
        behind=behind,
    )


def same_parameter(fn: S.Function, mem: Memory, defs: Definitions) -> str | None:
    """The parameter that the function always returns as it is."""
    last = fn.body[-1]
    if not isinstance(last, S.Return) or last.is_tuple:
        return None
    return _parameter(last.values[0], mem, defs)


def same_items(fn: S.Function, mem: Memory, defs: Definitions) -> tuple[tuple[int, str], ...]:
    """The items of a tuple of results that always are parameters as they are."""
    last = fn.body[-1]
    if not isinstance(last, S.Return) or not last.is_tuple:
        return ()
    found = ((k, _parameter(v, mem, defs)) for k, v in enumerate(last.values))
    return tuple((k, p) for k, p in found if p is not None)


def _in_place(s: S.Stmt) -> bool:
    """Whether a statement surely changes an array, and does not bind its name to something new."""
    return isinstance(s, S.Update) and s.items is not None


def _parameter(value: E.Expr, mem: Memory, defs: Definitions) -> str | None:
    """The parameter that a returned value always is."""
    if not isinstance(value, E.Name):
        return None
    var, seen = value.id, set()
    while var not in seen:
        seen.add(var)
        sites = [d for d in defs.sites.get(var, ()) if not _in_place(defs.statements[d])]
        if not sites and var in defs.params and mem.objects(var):
            return var
        alias = defs.statements[sites[0]] if len(sites) == 1 and var not in defs.params else None
        if isinstance(alias, S.Alias):
            var = alias.source
    return None
