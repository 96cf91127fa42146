"""What a caller knows of a callee: kinds in its words, effects, what its pullback still needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adtrans.analyses.abstract import GLOBAL, Obj, Objects, holds_mutable
from adtrans.analyses.alias_paths import trail
from adtrans.analyses.analyse import Question, same_items
from adtrans.analyses.behind import final_contents_of, with_sources
from adtrans.analyses.contiguity import layouts
from adtrans.analyses.effects import RESULT, Deposits, Summary, is_lost, item_lost
from adtrans.analyses.facts import Facts
from adtrans.analyses.kept import kept_defaults
from adtrans.analyses.kinds.lattice import map_affine
from adtrans.analyses.needed import Live
from adtrans.analyses.needed_checks import guesses
from adtrans.analyses.needs import items_of, makers, returned_objects
from adtrans.analyses.places import SIZE
from adtrans.analyses.points_to import new_tuples
from adtrans.analyses.refused.files import loading, saving
from adtrans.analyses.refused.numbers_in_texts import texts_left
from adtrans.analyses.refused.unknown_stores import form_assigned
from adtrans.analyses.regions import Part, Region, Whole
from adtrans.analyses.repeatable import assigns, finds_objects, repeatable
from adtrans.analyses.stretched import returns_stretched
from adtrans.analyses.verdicts import unanswered
from adtrans.analyses.wanted import wanted
from adtrans.analyses.writes import Write, actuals
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Container, Kind, Scalar, TupleOf, is_anything, is_immutable
from adtrans.ir.walk import binds_of, statements
from adtrans.transforms.attempts import has_checks


def formal_kinds(given: Mapping[str, Kind]) -> tuple[dict[str, Kind], dict[str, Affine]]:
    """Argument kinds in the words of the callee, and what its symbols mean to the caller."""
    known: dict[Affine, Affine] = {}
    back: dict[str, Affine] = {}

    def one(kind: Kind, path: str) -> Kind:
        match kind:
            case Array(dims=dims) if dims is not None:
                return replace(
                    kind, dims=tuple(size(d, f"{path}.shape[{i}]") for i, d in enumerate(dims))
                )
            case Scalar(type="int"):
                if kind.value is not None and kind.value.value is not None:
                    return replace(kind, value=None)
                if kind.value is not None:
                    back[path] = kind.value
                    return replace(kind, value=Affine.symbol(path))
                return kind
            case TupleOf():
                items = tuple(one(k, f"{path}[{i}]") for i, k in enumerate(kind.items))
                return replace(kind, items=items)
            case _:
                return map_affine(kind, lambda e: None)

    def size(d: Affine | None, path: str) -> Affine | None:
        if d is None or d.value is not None:
            return d if d is not None else Affine.symbol(path)
        if d not in known:
            known[d] = Affine.symbol(path)
            back[path] = d
        return known[d]

    return {name: one(kind, name) for name, kind in given.items()}, back


def map_back(kind: Kind, back: Mapping[str, Affine]) -> Kind:
    def f(e: Affine) -> Affine | None:
        if not e.symbols <= back.keys():
            return None
        for s in sorted(e.symbols):
            e = e.substitute(s, back[s])
        return e

    return map_affine(kind, f)


def joined(fn: S.Function, same: frozenset[tuple[str, str]]) -> S.Function:
    """`fn` for arguments that are the same: `def f(a, c): c = a; ...`."""
    number = max((s.site for s in statements(fn.body)), default=0)
    aliases = tuple(
        S.Alias(q, p, site=number + k, span=fn.span)
        for k, (q, p) in enumerate(sorted(same), start=1)
    )
    return replace(fn, body=(*aliases, *fn.body))


def same_arguments(facts: Facts) -> dict[int, frozenset[tuple[str, str]]]:
    """For each call that writes an array which it is given twice: parameters with their twins."""
    found: dict[int, frozenset[tuple[str, str]]] = {}
    for site, unit in facts.units.items():
        call = facts.structure.stmts[site]
        assert isinstance(call, S.Invoke)
        first: dict[str, str] = {}
        pairs: set[tuple[str, str]] = set()
        for p, a in actuals(call, unit.summary).items():
            if isinstance(a, E.Name) and isinstance(facts.kinds.at(site, a.id), Array):
                var = facts.sharing.whole(a.id, facts.structure.stmts)
                if first.setdefault(var, p) != p:
                    pairs.add((p, first[var]))
        if any(unit.summary.written() & {q, p} for q, p in pairs):
            found[site] = frozenset(pairs)
    return found


def scattered_arguments(facts: Facts) -> dict[int, frozenset[str]]:
    """For each call of a function that relies on how arrays lie: the parameters that are given
    those which do not lie in the order of C, as far as it is known."""
    asked = [site for site, unit in facts.units.items() if unit.summary.guesses]
    lie = layouts(facts.fn, facts.apps, facts.kinds) if asked else {}
    found: dict[int, frozenset[str]] = {}
    for site in asked:
        call = facts.structure.stmts[site]
        assert isinstance(call, S.Invoke)
        found[site] = frozenset(
            p
            for p, a in actuals(call, facts.units[site].summary).items()
            if isinstance(a, E.Name) and isinstance(facts.kinds.at(site, a.id), Array)
            if lie.get(a.id, "c") not in ("C", "c")
        )
    return found


def overwritten_arguments(facts: Facts) -> list[tuple[int, str]]:
    """Calls with a parameter whose contents the pullback reads although they are lost by then."""
    found: dict[tuple[int, str], None] = {}
    for c in unanswered(facts):
        call = facts.structure.stmts[c.need.site]
        if c.need.role == "callee" and isinstance(call, S.Invoke) and c.need.site in facts.units:
            summary = facts.units[c.need.site].summary
            given = actuals(call, summary)
            for p, _ in summary.keeps:
                if given.get(p) == E.Name(c.need.var):
                    found.setdefault((c.need.site, p))
        if c.need.role == "made":
            items = items_of(c.need.var, call)
            for site in makers(call, facts.structure.stmts.values()):
                if site in facts.units:
                    found |= {(site, item_lost(i)): None for i in items}
    return list(found)


def summarise(facts: Facts, question: Question) -> Summary:
    """The effects of an analysed function, for its callers."""
    params = tuple(p.name for p in facts.fn.params)
    writes: dict[str, Span] = {}

    def in_truth(objects: Objects) -> Objects:
        return with_sources(objects, facts.apps, facts.behind, facts.memory)

    for w in facts.memory.writes:
        for o in in_truth(w.objects):
            if o.form in ("param", "held") and o.key not in writes:
                writes[o.key] = facts.structure.stmts[w.site].span
    behind = written_behind(facts)
    writes = behind | writes
    keeps: dict[str, Span] = {}
    keeps_result: dict[int, Span] = {}
    handed_out = returned_objects(facts.fn, facts.memory)
    asked = wanted(facts)
    for live in facts.needs.at_end:
        items = handed_out.get(live.obj, frozenset())
        if items and _is_read(live, facts, asked, is_lost(items, question.lost)):
            span = facts.structure.stmts[live.need.site].span
            for i in items:
                keeps_result[i] = min(keeps_result.get(i, span), span)
        if _kept_by_reference(live, facts, asked, question.lost):
            span = facts.structure.stmts[live.need.site].span
            keeps[live.obj.key] = min(keeps.get(live.obj.key, span), span)
    returned = [v for s in statements(facts.fn.body) if isinstance(s, S.Return) for v in s.values]
    shared = frozenset(
        o.key
        for v in returned
        for o in in_truth(facts.memory.of(v))
        if o.form in ("param", "held")
    )
    if any(o.form == "global" for v in returned for o in facts.memory.of(v)):
        shared |= {GLOBAL}
    kept = {o for v in returned for o in facts.memory.of(v) if o.form == "global"}
    active = any(facts.activity.active(v) for v in returned)
    return Summary(
        params,
        tuple(sorted(writes.items())),
        tuple(sorted(keeps.items())),
        shared,
        frozenset(facts.wrt),
        frozenset(facts.finals),
        facts.kinds.result,
        active and facts.same not in facts.finals,
        facts.same,
        returns_apart(facts),
        constant=constant_results(facts),
        trails=tuple((p, trail(p, facts)) for p in sorted(writes)),
        one=question.same,
        repeatable=repeatable(facts),
        items=same_items(facts.fn, facts.memory, facts.definitions),
        puts=tuple(
            (p, kind)
            for p in sorted(writes)
            if p in facts.kinds.grown
            if not isinstance(kind := facts.kinds.var(p), Array | Scalar)
        ),
        checks=has_checks(facts),
        guesses=guesses(facts),
        held=tuple((p, held) for p in sorted(writes) if (held := _held(p, facts))),
        parts=tuple((p, parts) for p in sorted(writes) if (parts := written_parts(p, facts))),
        keeps_result=tuple(sorted(keeps_result.items())),
        shallow=frozenset(p for p in writes if changed_only(p, facts)),
        stretched=returns_stretched(facts),
        saves=bool(saving(facts)),
        loads=bool(loading(facts)),
        texts=texts_left(facts),
        deposits=(left := _deposits(facts, frozenset(writes))),
        rereads=_rereads(facts, left, asked),
        defaults=tuple(kept_defaults(facts.fn)),
        assigns=assigns(facts),
        finds_objects=finds_objects(facts),
        reuses=any(o in kept for w in facts.memory.writes if not w.unknown for o in w.objects),
        fills=any(u.summary.fills for u in facts.units.values())
        or any(map(final_contents_of, facts.apps.values())),
        certainly=frozenset(
            o.key
            for w in facts.memory.writes
            if _is_certain(w, facts)
            for o in in_truth(w.objects)
        ).intersection(writes).union(behind),
    )


def constant_results(facts: Facts) -> frozenset[int]:
    """The items of a tuple that is returned which carry no derivative."""
    last = facts.fn.body[-1]
    if not isinstance(last, S.Return) or not last.is_tuple:
        return frozenset()
    held = enumerate(last.values)
    return frozenset(i for i, v in held if not facts.activity.active(v))


def written_behind(facts: Facts) -> dict[str, Span]:
    """The parameters that are written by functions with a rule of the user's, with the calls, and
    those of which the form is assigned."""
    found: dict[str, Span] = {}
    for s in statements(facts.fn.body):
        base = None if not isinstance(s, S.Keep) else form_assigned(s, facts)
        for o in facts.memory.objects(base) if base is not None else ():
            if o.form in ("param", "held"):
                found.setdefault(o.key, s.span)
    for site, summary in facts.behind.items():
        bound = facts.apps[site].bound
        for p in sorted(summary.certainly & bound.keys()):
            for o in facts.memory.of(bound[p]):
                if o.form in ("param", "held"):
                    found.setdefault(o.key, facts.structure.stmts[site].span)
    return found


def _is_certain(w: Write, facts: Facts) -> bool:
    """Whether a write is one of the function's own, or of a callee's."""
    call = facts.structure.stmts[w.site]
    if w.unknown or not isinstance(call, S.Invoke):
        return not w.unknown
    summary = facts.units[w.site].summary
    return any(a == E.Name(w.var) and p in summary.certainly
               for p, a in actuals(call, summary).items())  # fmt: skip


def changed_only(p: str, facts: Facts) -> bool:
    """Whether the list `p` is changed, but no array that it holds."""
    if not isinstance(facts.kinds.var(p), Container):
        return False
    return not any(
        w.unknown or any((o.form, o.key) == ("held", p) for o in w.objects)
        for w in facts.memory.writes
    )


def written_parts(p: str, facts: Facts) -> tuple[Region, ...]:
    """The parts of the array `p` that are written, none where these cannot be told to callers."""
    found: dict[Region, None] = {}
    for w in facts.memory.writes:
        if not any((o.form, o.key) in (("param", p), ("held", p)) for o in w.objects):
            continue
        region = facts.places.region(w.var, w.items, w.site)
        vague = any(isinstance(a, Whole | Part) for a in region.axes) or not region.axes
        if vague or not all(SIZE.fullmatch(symbol) for symbol in region.symbols):
            return ()
        found[region] = None
    return tuple(found) if isinstance(facts.kinds.var(p), Array) else ()


def _held(p: str, facts: Facts) -> frozenset[str]:
    """The parameters whose memory the list `p` may hold in the end, itself left out."""
    kind = facts.kinds.var(p)
    if isinstance(kind, TupleOf) or is_anything(kind):
        return frozenset({GLOBAL})  # it may be a list here, and anything may be put there
    if not holds_mutable(kind):
        return frozenset()
    inside = [o for o in facts.memory.objects(p) if o.key != p]
    own = frozenset(o.key for o in inside if o.form in ("param", "held"))
    return own | ({GLOBAL} if any(o.form == "global" for o in inside) else set())


def _deposits(facts: Facts, written: frozenset[str]) -> Deposits:
    """The parameters among `written` that hold what the function made, with what else does."""
    returned = [v for s in statements(facts.fn.body) if isinstance(s, S.Return) for v in s.values]
    holding = {
        p: _made_in(facts.memory.objects(p))
        for p in sorted(written)
        if not isinstance(facts.kinds.var(p), Array | Scalar)
    }
    holding[RESULT] = _made_in(o for v in returned for o in facts.memory.of(v))
    return tuple(
        (p, frozenset(q for q, also in holding.items() if q != p and made & also))
        for p, made in holding.items()
        if made and p != RESULT
    )


def _rereads(facts: Facts, deposits: Deposits, asked: frozenset[str]) -> Deposits:
    """The forms of objects among the deposits that the pullback reads."""
    read = [
        v.obj
        for v in facts.needs.at_end
        if _is_read(v, facts, asked, False) and not (v.obj.form == "site" and _takes_out(v, facts))
    ]
    made = {p: _made_in(facts.memory.objects(p)) for p, _ in deposits}
    found = {p: frozenset(o.form for o in read if (o.form, o.key) in m) for p, m in made.items()}
    return tuple((p, forms) for p, forms in found.items() if forms)


def _takes_out(live: Live, facts: Facts) -> bool:
    """Whether an item of a container is read again: which array it is, not what is in it."""
    need = live.need
    return need.role == "reload" and isinstance(facts.kinds.at(need.site, need.var), Container)


def _made_in(objs: Iterable[Obj]) -> frozenset[tuple[str, str]]:
    return frozenset((o.form, o.key) for o in objs if o.form in ("site", "list"))


def returns_apart(facts: Facts) -> bool:
    """Whether no two of several results share memory."""
    summaries = {site: u.summary for site, u in facts.units.items()}
    made = new_tuples(facts.fn, facts.kinds, summaries, facts.apps)
    fresh = made - {p.name for p in facts.fn.params}
    for s in statements(facts.fn.body):
        if isinstance(s, S.Return):
            names = [v.id for v in s.values if isinstance(v, E.Name)]
            arrays = [n for n in names if not is_immutable(facts.kinds.at(s.site, n))]
            pairs = [(a, b) for i, a in enumerate(arrays) for b in arrays[i + 1 :]]
            if not s.is_tuple and names and fresh.issuperset(names):
                continue
            if not s.is_tuple or any(facts.aliasing.together(a, b, s.site) for a, b in pairs):
                return False
    return True


def _kept_by_reference(
    live: Live, facts: Facts, asked: frozenset[str], lost: frozenset[str]
) -> bool:
    if live.obj.form not in ("param", "held"):
        return False
    return _is_read(live, facts, asked, live.obj.key in lost)


def _is_read(live: Live, facts: Facts, asked: frozenset[str], lost: bool) -> bool:
    """Whether the pullback reads memory itself; where that is `lost`, numbers are kept by value."""
    need = live.need
    if need.soft:  # reading again what was read from it
        return not lost and bool(asked & {*binds_of(facts.structure.stmts[need.site])})
    return facts.needs.holds(need) and need.copied not in facts.saved
