"""Arrays that code outside a function can get hold of while it runs, or afterwards.

    def f(log, x):
        y = 2.0 * x
        log.append(y)          the caller has `y`, too:
        y *= x                 it must be changed, and no new array put in its place
"""

from __future__ import annotations

from adtrans.analyses.abstract import NOTHING, Objects
from adtrans.analyses.deposits import deposits
from adtrans.analyses.facts import Facts
from adtrans.analyses.writes import Write, puts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container, Scalar, TupleOf
from adtrans.ir.walk import names_in, reads_of, statements

_OUTSIDE = ("param", "held", "global")


def is_visible(w: Write, facts: Facts) -> bool:
    """Whether somebody else may see what is written: in an attribute of an object that outlives
    this function, in a container that comes from outside, or in code that is not followed."""
    return bool(w.objects & _handed_out(w, facts)) or _in_attributes(w, facts)


def _handed_out(w: Write, facts: Facts) -> Objects:
    """The objects that are put into containers from outside, or passed to unknown functions; not
    where what was written is put next, as in `d["u"] *= 2.0`."""
    found: Objects = NOTHING
    again = [(s.base, s.items) for s in _next(w, facts) if isinstance(s, S.Store)]
    summaries = {site: u.summary for site, u in facts.units.items()}
    escapes = _objects_escape(facts)
    for s in statements(facts.fn.body):

        def of(var: str, site: int = s.site) -> Objects:
            return facts.memory.objects(var, site)

        if isinstance(s, S.Store) and (s.base, s.items) in again and _is_plain(s.items):
            continue
        for into, values in puts(s, facts.kinds, summaries):
            if any(o.form in _OUTSIDE for o in of(into)):
                found = found.union(*(of(n) for v in values for n in names_in(v)))
        for d in deposits(s, summaries):
            if any(o.form in _OUTSIDE for o in of(d.into)):
                found |= facts.memory.allocates.get(s.site, NOTHING)
        if (isinstance(s, S.Invoke) and s.site not in summaries) or _may_keep(s, facts):
            found = found.union(*map(of, reads_of(s)))
        if escapes and isinstance(s, S.Invoke | S.SetAttr):
            found = found.union(*map(of, reads_of(s)))
    return found


def _objects_escape(facts: Facts) -> bool:
    """Whether a global, or an attribute of an object that is not made here, gets an object or a
    container: what is in it can be seen by others."""
    fn = facts.fn
    return bool(fn.outliving) and any(
        isinstance(s, S.Alias)
        and fn.source_name(s.target) in fn.outliving
        and not isinstance(facts.kinds.var(s.target), Array | Scalar)
        for s in statements(fn.body)
    )


def _may_keep(s: S.Stmt, facts: Facts) -> bool:
    """Whether a function with a rule of the user's, or one that is said to be constant, may keep
    what it is given: where its source is not known, or does more than compute."""
    app, behind = facts.apps.get(s.site), facts.behind.get(s.site)
    if app is None or app.rule.custom is None:
        return False
    return behind is None or not behind.repeatable or behind.assigns


def _in_attributes(w: Write, facts: Facts) -> bool:
    """Whether a global, or an attribute of an object that is not made here, means the array, and is
    not assigned again right after the write, as `self.u *= 2.0` does it."""
    fn = facts.fn
    names = (*facts.definitions.sites, *facts.definitions.params) if fn.outliving else ()
    cells = {
        fn.source_name(v)
        for v in names
        if fn.source_name(v) in fn.outliving
        and (facts.aliasing.together(v, w.var, w.site) or _holds(v, w, facts))
    }
    if not cells:
        return False
    again = _next(w, facts)
    named = {s.target for s in again if isinstance(s, S.Alias)}
    named |= {s.value.id for s in again if isinstance(s, S.SetAttr) and isinstance(s.value, E.Name)}
    return bool(cells - {fn.source_name(v) for v in named})


def _holds(var: str, w: Write, facts: Facts) -> bool:
    """Whether a container may hold the array."""
    holder = isinstance(facts.kinds.var(var), Container | TupleOf)
    return holder and bool(facts.memory.objects(var) & w.objects)


def _next(w: Write, facts: Facts) -> list[S.Alias | S.Store | S.SetAttr]:
    """The attributes and items that are assigned what was written, before anything else happens."""
    where = facts.structure
    names = {w.var}
    found: list[S.Alias | S.Store | S.SetAttr] = []
    for s in where.contents[where.block[w.site]][where.position[w.site] + 1 :]:
        match s:
            case S.Alias(source=source) if source in names:
                names.add(s.target)
                found.append(s)
            case S.Store(value=E.Name(id=value)) if value in names:
                found.append(s)
            case S.SetAttr(value=E.Name(id=value)) if value in names:
                found.append(s)
            case S.SetAttr():
                pass
            case _:
                break
    return found


def _is_plain(items: tuple[E.Expr, ...]) -> bool:
    return all(isinstance(i, E.Const) for i in items)
