"""Needs (to be recorded): which values the pullback reads, and which later write destroys them.

The analysis runs forwards. A need is born where a statement's adjoint will read what an array
holds; it lives until the end of the function; a write that may hit its region meanwhile is a
conflict, and the pair (use, write) is what an error message shows. Around the back edge of a loop
the region of a need moves to "an earlier iteration" (Naumann: the TBR analysis, lifted to
regions with direction).

Only contents of mutable values are tracked: numbers are kept by value and cannot be overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from adtrans.analyses.abstract import Obj
from adtrans.analyses.activity import values_in
from adtrans.analyses.aliasing import Aliasing
from adtrans.analyses.apply import Application, Operand
from adtrans.analyses.dataflow import Loop, forward, merged
from adtrans.analyses.disjoint import disjoint
from adtrans.analyses.effects import WHOLE, Summary, is_lost
from adtrans.analyses.influence import Influence
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.loops import leaves
from adtrans.analyses.needed import DIVISOR, Conflict, Live, Need, Needs, formulas, in_order
from adtrans.analyses.places import Places
from adtrans.analyses.points_to import Memory
from adtrans.analyses.regions import Region
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
from adtrans.analyses.writes import Write, actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.effort import spend
from adtrans.ir.kinds import Array, is_immutable, may_change
from adtrans.ir.walk import names_in, statements

Lives = Mapping[Obj, frozenset[Live]]
NOTHING: frozenset[Live] = frozenset()


@dataclass(frozen=True, slots=True)
class State:
    """The needs under way, by object, and for each variable those into whose memory it may look:
    what a name may refer to anywhere does not tell what it refers to at the same time.

    Those sets have two bits for each need: it was born in this iteration, or in an earlier one.
    """

    lives: Lives
    seen: Mapping[str, int]


def _together(seen: Mapping[str, int], names: Iterable[str]) -> int:
    """What one of `names` sees."""
    found = 0
    for n in names:
        found |= seen.get(n, 0)
    return found


def actual(name: str, app: Application, target: str) -> E.Expr:
    """What a formal name in a formula means at this application."""
    return E.Name(target) if name == "y" else app.bound.get(name, E.NONE)


def is_cheap_arithmetic(e: E.Expr) -> bool:
    """Whether an operation costs no more than keeping its result: one sum, product or the like."""
    match e:
        case E.Binary(op="+" | "-" | "*" | "/"):
            return True
        case E.Binary(op="**", right=E.Const(value=2)):
            return True
        case E.Unary(op="-"):
            return True
        case _:
            return False


def is_reloaded(source: str, var: str, site: int, kinds: Kinds) -> bool:
    """Whether reading `var` from `source` again gives the same only if nothing was written there:
    a number, or the item of a list, which may be another array by then."""
    return is_immutable(kinds.var(var)) or may_change(kinds.at(site, source))


def contents_in(e: E.Expr, site: int, kinds: Kinds) -> set[str]:
    """The variables whose contents, not only sizes, a subscript depends on. Arrays keep theirs."""
    found = values_in(e)
    return {n for n in names_in(e) if n in found or not isinstance(kinds.at(site, n), Array)}


def needs_of(
    s: S.Stmt,
    reach: Influence,
    kinds: Kinds,
    apps: Mapping[int, Application],
    summaries: Mapping[int, Summary],
) -> Iterator[Need]:
    """What the adjoint of one statement reads."""
    act = reach.activity

    def index_needs(items: tuple[E.Expr, ...]) -> Iterator[Need]:
        for item in items:
            for n in sorted(contents_in(item, s.site, kinds)):
                if not is_immutable(kinds.at(s.site, n)):
                    yield Need(s.site, n, "index", f"the pullback selects with `{n}` again")

    match s:
        case _ if s.site in reach.idle:
            pass
        case S.Bind() if act.active(s.target) and s.site in apps:
            app = apps[s.site]
            for operand, e in app.operands():
                if not reach.carries(e, s.site):
                    continue
                for k, f in enumerate(formulas(app, operand, s.site, kinds, s.target)):
                    for name in sorted(f.values):
                        meaning = actual(name, app, s.target)
                        why = f"the derivative of `{E.text(s.value)}` is computed from it"
                        for var in sorted(names_in(meaning)):
                            yield Need(
                                s.site, var, "value", why, option=(operand, k), result=name == "y"
                            )
        case S.Load() if act.active(s.target):
            yield from index_needs(s.items)
        case S.Edit(op="take") if s.target is not None and act.active(s.target):
            yield from index_needs(s.args)
        case S.Edit(op="splice") if act.active(s.base):
            yield from index_needs(s.args[:2])
        case S.Store() if act.active(s.base):
            yield from index_needs(s.items)
        case S.Update() if act.active(s.base):
            yield from index_needs(s.items or ())
            if s.op in ("*", "/") and isinstance(s.value, E.Name):
                why = f"the derivative of `{s.base} {s.op}= {s.value}` is computed from it"
                yield Need(s.site, s.value.id, "value", why)
                if is_divided(s, reach):
                    for k, result in enumerate((False, True)):
                        yield Need(
                            s.site, s.base, "value", why, s.items, (DIVISOR, k), result=result
                        )
                elif reach.carries(s.value, s.site):
                    yield Need(s.site, s.base, "value", why, items=s.items)
        case S.Invoke():
            summary = summaries.get(s.site)
            if summary is not None:
                given = actuals(s, summary)
                for p, span in summary.keeps:
                    passed = given.get(p)
                    if isinstance(passed, E.Name):
                        why = f"the pullback of `{E.text(s.fn)}` reads it ({span})"
                        yield Need(s.site, passed.id, "callee", why, result=True)
                if summary.keeps_result and s.target is not None:
                    span = summary.keeps_result[0][1]
                    why = f"the pullback of `{E.text(s.fn)}` reads it ({span})"
                    yield Need(s.site, s.target, "made", why, result=True)
    match s:
        case S.Bind():
            cheap = is_cheap_arithmetic(s.value)
            for var in sorted(names_in(s.value)):
                if cheap or may_change(kinds.at(s.site, var)):  # `len(items)`, `k in seen`
                    yield Need(s.site, var, "recompute", "", soft=True)
        case S.For():
            for var, leaf in leaves(s, kinds).items():
                if leaf.source is not None and is_reloaded(leaf.source, var, s.site, kinds):
                    yield Need(s.site, leaf.source, "reload", "", soft=True)
        case S.Load() if is_reloaded(s.base, s.target, s.site, kinds):
            yield Need(s.site, s.base, "reload", "", items=s.items, soft=True)


def is_divided(s: S.Stmt, reach: Influence) -> bool:
    """Whether the adjoint of a divisor in place is computed, from the dividend or the quotient."""
    if not isinstance(s, S.Update) or s.op != "/" or not reach.activity.active(s.base):
        return False
    return s.site not in reach.idle and reach.carries(s.value, s.site)


def needs(
    fn: S.Function,
    reach: Influence,
    kinds: Kinds,
    apps: Mapping[int, Application],
    mem: Memory,
    places: Places,
    summaries: Mapping[int, Summary],
    alias: Aliasing,
    lost: frozenset[str] = frozenset(),
    trips: Runs = UNKNOWN_RUNS,
) -> Needs:
    """Run the analysis over `fn`. The parameters in `lost` are overwritten when it has returned;
    with RESULT what it returns is (`effects.item_lost`)."""
    stmts = {s.site: s for s in statements(fn.body)}
    at = {
        site: (
            *needs_of(s, reach, kinds, apps, summaries), *_items_made(s, stmts, summaries),
            *_items_needed(s, stmts, reach, kinds, apps, mem),
        )
        for site, s in stmts.items()
    }
    writes = {site: mem.at(site) for site in stmts}
    conflicts: dict[tuple[Need, int], Conflict] = {}
    live = cache(Live)

    @cache
    def objects_of(need: Need) -> tuple[tuple[Obj, Region], ...]:
        if is_immutable(kinds.at(need.site, need.var) if not need.result else kinds.var(need.var)):
            return ()
        region = places.region(need.var, need.items, need.site)
        objs = mem.objects(need.var, need.site, after=need.result and need.role != "callee")
        if need.role == "callee":  # what it was given, also where the result gets the same name
            made = mem.allocates.get(need.site, frozenset())
            objs = frozenset(replace(o, old=True) if o in made else o for o in objs)
        if need.role == "made":  # an argument that is returned is the need of another
            own = {need.site, *makers(stmts[need.site], stmts.values())}
            objs &= frozenset(o for site in own for o in mem.allocates.get(site, ()))
            return tuple((obj, region) for obj in sorted(objs))
        return tuple((obj, region) for obj in sorted(objs or {Obj("unknown", need.var)}))

    @cache
    def names_of(need: Need) -> frozenset[str]:
        """The variables that may look into the memory of a need when it is born."""
        var, site = need.var, need.site
        link = alias.links.get(site)
        if need.role == "callee":
            return alias.follow(alias.partners(frozenset({var}), site), site)
        if not need.result:
            return alias.partners(frozenset({var}), site)
        if link is None or var not in link.ends:
            return alias.follow(alias.partners(frozenset({var}), site), site)
        others = alias.partners(link.sources, site) - link.ends if link.sources else link.sources
        return others | link.targets | {var} if link.sources else frozenset({var})

    order: dict[Need, int] = {}

    def key(need: Need, carried: bool = False) -> int:
        return 1 << 2 * order.setdefault(need, len(order)) + carried

    def born(state: State, found: Iterable[Need]) -> State:
        lives, seen = dict(state.lives), dict(state.seen)
        for need in found:
            for obj, region in objects_of(need):
                lives[obj] = lives.get(obj, NOTHING) | {live(need, obj, region)}
            if objects_of(need):
                for name in names_of(need):
                    seen[name] = seen.get(name, 0) | key(need)
        return State(lives, seen)

    @cache
    def parts(w: Write) -> tuple[Region, ...]:
        return places.written(w, summaries.get(w.site))

    @cache
    def hits(w: Write, v: Live) -> bool:
        facts = places.facts(w.site)
        return not all(disjoint(v.region, part, facts) for part in parts(w))

    def clash(w: Write, state: State) -> None:
        reached = state.seen.get(w.var, 0)
        for obj in w.objects & state.lives.keys() if reached else ():
            spend(len(state.lives[obj]) / 16)
            for v in state.lives[obj]:
                if not reached & key(v.need, v.carried):
                    continue
                before = conflicts.get((v.need, w.site))
                if before is not None and before.carried <= v.carried:
                    continue
                if hits(w, v):
                    conflicts[v.need, w.site] = Conflict(v.need, w.site, v.carried, w.unknown)

    def linked(seen: Mapping[str, int], site: int) -> Mapping[str, int]:
        """Who sees what after a statement."""
        link = alias.links.get(site)
        if link is None or not seen:
            return seen
        new = dict(seen)
        for into, held in link.puts * 2:
            inside = _together(new, held)
            for n in alias.partners(frozenset({into}), site):
                new[n] = new.get(n, 0) | inside
            outside = new.get(into, 0)
            for n in alias.partners(held, site) if outside else ():
                new[n] = new.get(n, 0) | outside
        through = [(_together(new, sources), targets) for sources, targets in link.flows]
        for n in link.ends:
            new.pop(n, None)
        for found, targets in through:
            for n in targets if found else ():
                new[n] = new.get(n, 0) | found
        return new

    def transfer(s: S.Stmt, state: State) -> State:
        before = [n for n in at[s.site] if not n.result]
        after = [n for n in at[s.site] if n.result]
        if before:
            state = born(state, before)
        for w in writes[s.site]:
            clash(w, state)
        made = mem.allocates.get(s.site, frozenset()) & state.lives.keys()
        lives = state.lives
        if made:
            lives = {obj: found if obj not in made else NOTHING for obj, found in lives.items()} | {
                (old := replace(obj, old=True)): lives.get(old, NOTHING)
                | {live(v.need, old, v.region, v.carried) for v in lives[obj]}
                for obj in made
            }
        seen = linked(state.seen, s.site)
        if lives is not state.lives or seen is not state.seen:
            state = State(lives, seen)
        return born(state, after) if after else state

    def moved(lives: Lives, move: Callable[[Live, int], Live], loop: Loop) -> Lives:
        spend(sum(map(len, lives.values())) / 16)
        return {obj: frozenset(move(v, loop.site) for v in found) for obj, found in lives.items()}

    @cache
    def earlier(v: Live, loop: int) -> Live:
        return live(v.need, v.obj, places.earlier(v.region, loop), True)

    @cache
    def beyond(v: Live, loop: int) -> Live:
        return live(v.need, v.obj, places.after(v.region, loop), v.carried)

    def back(loop: Loop, state: State) -> State:
        now = (4 ** len(order) - 1) // 3  # every other bit
        seen = {v: keys & ~now | (keys & now) << 1 for v, keys in state.seen.items()}
        return State(moved(state.lives, earlier, loop), seen)

    def leave(loop: Loop, state: State) -> State:
        return State(moved(state.lives, beyond, loop), state.seen)

    def join(a: State, b: State) -> State:
        if a is b:
            return a
        return State(merged(a.lives, b.lives), merged(a.seen, b.seen))

    start = State({}, {})
    flow = forward(
        fn.body,
        start,
        transfer,
        join,
        at_back_edge=back,
        at_loop_exit=leave,
        runs=trips.some,
        single=trips.single,
    )
    end = tuple(v for lives in (flow.end or start).lives.values() for v in lives)
    handed_out = {o for o, items in returned_objects(fn, mem).items() if is_lost(items, lost)}
    for v in end:
        if (v.obj.form in ("param", "held") and v.obj.key in lost) or v.obj in handed_out:
            exit_site = fn.body[-1].site
            conflicts.setdefault((v.need, exit_site), Conflict(v.need, exit_site, False))
    found = tuple(sorted(conflicts.values(), key=in_order))
    options = {
        (site, operand): len(formulas(apps[site], operand, site, kinds, s.target))
        for site, s in stmts.items()
        if isinstance(s, S.Bind) and site in apps and reach.activity.active(s.target)
        for operand, e in apps[site].operands()
        if reach.carries(e, site)
    }
    options |= {(site, DIVISOR): 2 for site, s in stmts.items() if is_divided(s, reach)}
    choice = _choose(options, found)
    return Needs(at, found, choice, end, frozenset((c.need.site, c.need.role) for c in found))


def makers(s: S.Stmt, stmts: Iterable[S.Stmt]) -> list[int]:
    """The calls that made what a statement calls or takes apart."""
    if not isinstance(s, S.Unpack):
        return [s.site]
    return [c.site for c in stmts if isinstance(c, S.Invoke) and c.target == s.source]


def items_of(var: str, s: S.Stmt) -> list[int]:
    """The items of a call's result that a variable is bound to, in the call or where it is taken
    apart."""
    if not isinstance(s, S.Unpack) or s.star is not None or var not in s.targets:
        return [WHOLE]
    return [i for i, target in enumerate(s.targets) if target == var]


def _items_made(
    s: S.Stmt, stmts: Mapping[int, S.Stmt], summaries: Mapping[int, Summary]
) -> Iterator[Need]:
    """What the pullback of a call reads of the arrays in the tuple that it returned: they have
    objects of their own from where it is taken apart."""
    if not isinstance(s, S.Unpack):
        return
    for site in makers(s, stmts.values()):
        call, summary = stmts[site], summaries.get(site)
        whole = None if s.star is None else WHOLE
        for i, span in summary.keeps_result if summary is not None else ():
            assert isinstance(call, S.Invoke)
            why = f"the pullback of `{E.text(call.fn)}` reads it ({span})"
            for target in s.targets if WHOLE in (i, whole) else s.targets[i : i + 1]:
                yield Need(s.site, target, "made", why, result=True)


def _items_needed(
    s: S.Stmt, stmts: Mapping[int, S.Stmt], reach: Influence, kinds: Kinds,
    apps: Mapping[int, Application], mem: Memory,
) -> Iterator[Need]:  # fmt: skip
    """What the derivative of a primitive reads of the arrays in the tuple that it returned."""
    if not isinstance(s, S.Unpack):
        return
    held = mem.of(E.Name(s.source))
    for b in stmts.values():
        if not isinstance(b, S.Bind) or b.site not in apps or b.site in reach.idle:
            continue
        same = b.target == s.source or held & mem.allocates.get(b.site, frozenset())
        if not same or not reach.activity.active(b.target):
            continue
        app, why = apps[b.site], f"the derivative of `{E.text(b.value)}` is computed from it"
        for operand, e in app.operands():
            if not reach.carries(e, b.site):
                continue
            for k, f in enumerate(formulas(app, operand, b.site, kinds, b.target)):
                wanted = items_read(f.expr, len(s.targets))
                for i, target in enumerate(s.targets):
                    if i in wanted or (wanted and s.star is not None):
                        item = i if s.star is None else None
                        yield Need(
                            s.site, target, "made", why, option=(operand, k), result=True,
                            held=(b.site, b.target, item),
                        )  # fmt: skip


def items_read(e: E.Expr, count: int) -> set[int]:
    """Which items of the result, of so many, a formula reads.

    >>> from adtrans.rules.formula import parse
    >>> items_read(parse("y_bar[0] * y[1]", frozenset()), 3)
    {1}
    >>> sorted(items_read(parse("eigh_pullback(y_bar, y, 'L')", frozenset()), 2))
    [0, 1]
    """
    match e:
        case E.Index(base=E.Name("y"), items=(E.Const(value=int() as i),)):
            return {i % count}
        case E.Name("y"):
            return set(range(count))
        case _:
            found: set[int] = set()
            return found.union(*(items_read(child, count) for child in E.children(e)))


def returned_objects(fn: S.Function, mem: Memory) -> dict[Obj, frozenset[int]]:
    """What was made here and is returned, with the items of the tuple that hold it, or WHOLE."""
    found: dict[Obj, frozenset[int]] = {}
    for s in statements(fn.body):
        if isinstance(s, S.Return):
            for i, v in enumerate(s.values):
                at = i if s.is_tuple else WHOLE
                for o in mem.of(v):
                    if o.form in ("site", "list"):
                        found[o] = found.get(o, frozenset()) | {at}
    return found


def _choose(
    options: Mapping[tuple[int, Operand], int], conflicts: tuple[Conflict, ...]
) -> dict[tuple[int, Operand], int]:
    """For each operand the first formula none of whose values is overwritten, else the first one
    of which no value is overwritten by the statement itself: that is certain."""
    bad = {(c.need.reader, *c.need.option) for c in conflicts if c.need.option is not None}
    own = {
        (c.need.site, *c.need.option)
        for c in conflicts
        if c.need.option is not None and c.write == c.need.site and not c.carried
    }

    def first(site: int, operand: Operand, n: int) -> int:
        return next(
            (k for out in (bad, own) for k in range(n) if (site, operand, k) not in out), 0
        )

    return {(site, operand): first(site, operand, n) for (site, operand), n in options.items()}
