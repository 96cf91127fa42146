"""Arrays that one place of one list or dictionary holds, and nothing else.

    acc = [0.0] * 3
    for k, row in enumerate(x):
        acc[k % 3] += row          t = acc[k % 3]; t += row; acc[k % 3] = t

The first `t += row` makes an array of a number, the others write that array. Nobody could tell if
they made a new one each time, because none of these arrays is ever in two places.
"""

from __future__ import annotations

from adtrans.analyses.facts import Facts
from adtrans.analyses.writes import puts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container, is_immutable
from adtrans.ir.walk import binds_of, names_in, reads_of, statements


def holder(s: S.Update, facts: Facts) -> str | None:
    """The container to which `t op= v` gives back what `t` was taken out of, if what it holds is at
    one place of it, and otherwise only in variables."""
    load = _taken(s.base, facts)
    if load is None or load.span != s.span or not _is_apart(load.base, facts):
        return None
    return load.base


def _taken(var: str, facts: Facts) -> S.Load | None:
    """The statement that takes out of a container what a variable stands for."""
    found = [facts.structure.stmts[d] for d in facts.definitions.sites.get(var, ())]
    made = [d for d in found if not isinstance(d, S.Update)]
    if len(made) != 1 or not isinstance(load := made[0], S.Load):
        return None
    return load if isinstance(facts.kinds.at(load.site, load.base), Container) else None


def _is_apart(var: str, facts: Facts) -> bool:
    """Whether no array is at two places of the containers that a variable stands for."""
    if var in facts.definitions.params:
        return False
    summaries = {site: u.summary for site, u in facts.units.items()}
    for s in statements(facts.fn.body):
        if var in binds_of(s) and not _begins_apart(s, var, facts):
            return False
        if var in reads_of(s) and not _only_uses_items(s, var, facts):
            return False
        for into, values in puts(s, facts.kinds, summaries):
            near = into == var or facts.aliasing.together(into, var, s.site)
            if near and not _goes_back(s, facts) and not _is_new(s, into, values, facts):
                return False
    return True


def _begins_apart(s: S.Stmt, var: str, facts: Facts) -> bool:
    """Whether what can be written in the container that a statement makes is at one place of it."""
    match s:
        case S.Pack(kind="list", items=items):
            held = [i for i in items if not is_immutable(facts.kinds.expr(s.site, i))]
            return not any(
                not isinstance(a, E.Name)
                or not isinstance(b, E.Name)
                or facts.aliasing.together(a.id, b.id, s.site)
                or a == b
                for k, a in enumerate(held)
                for b in held[:k]
            )
        case _:
            return _begins_with_numbers(s, var, facts)


def _begins_with_numbers(s: S.Stmt, var: str, facts: Facts) -> bool:
    """Whether the container that a statement makes holds nothing yet that can be written."""
    match s:
        case S.Pack(kind="list" | "dict"):
            return all(is_immutable(facts.kinds.expr(s.site, i)) for i in s.items)
        case S.Edit(op="repeat", base=source) | S.Alias(source=source):
            return _is_only_for(source, s, facts)
        case _:
            return False


def _is_only_for(var: str, s: S.Stmt, facts: Facts) -> bool:
    """Whether a variable is a container that is made for one statement, empty or of numbers, and
    gets nothing else twice."""
    made = [facts.structure.stmts[d] for d in facts.definitions.sites.get(var, ())]
    if var in facts.definitions.params or not made:
        return False
    for u in statements(facts.fn.body):
        fills = isinstance(u, S.Store) and u.base == var and (
            is_immutable(facts.kinds.expr(u.site, u.value))
            or _is_new(u, var, (u.value,), facts)
        )
        if var in reads_of(u) and u != s and not fills:
            return False
    return all(isinstance(m, S.Pack) and _begins_with_numbers(m, var, facts) for m in made)


def _only_uses_items(s: S.Stmt, var: str, facts: Facts) -> bool:
    """Whether a statement does something with what a container holds, and gives no second name to
    the container itself."""
    match s:
        case S.Load():
            return s.base == var
        case S.Store():
            return s.base == var and var not in names_in(s.value)
        case S.Edit():
            return s.base == var and all(var not in names_in(a) for a in s.args)
        case S.Bind():
            app = facts.apps.get(s.site)
            return app is not None and not app.rule.writes
        case S.Unpack() | S.For() | S.If() | S.While() | S.Return():
            return True
        case _:
            return False


def _goes_back(s: S.Stmt, facts: Facts) -> bool:
    """Whether a statement puts something back where it has been taken out."""
    if not isinstance(s, S.Store) or not isinstance(s.value, E.Name):
        return False
    load = _taken(s.value.id, facts)
    return load is not None and (load.base, load.items, load.span) == (s.base, s.items, s.span)


def _is_new(s: S.Stmt, into: str, values: tuple[E.Expr, ...], facts: Facts) -> bool:
    """Whether a container holds nothing yet of what is put into it."""
    if isinstance(s, S.Edit) and s.op in ("extend", "splice"):
        return False  # several at once, of which two may be one
    names = {n for v in values for n in names_in(v) if not is_immutable(facts.kinds.var(n))}
    return not any(n == into or facts.aliasing.together(n, into, s.site) for n in names)
