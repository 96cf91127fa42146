"""How one name came to share the memory of another: through views, other names, and calls.

>>> import adtrans, numpy as np
>>> @adtrans.differentiable
... def f(x):
...     y = x.copy()
...     inner = y[1:-1]
...     row = inner.T
...     row[0] = 1.0
...     return np.sum(y)
>>> _ = f.grad(np.ones(4))
>>> for step in f.report().writes[0].path:
...     print(step.text, step.span.line)
`inner` is a view of `y` 4
`row` is a view of `inner` 5
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adtrans.analyses.abstract import Obj
from adtrans.analyses.effects import Step
from adtrans.analyses.facts import Facts
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container

_LONGEST = 6  # steps through calls: a recursion would go on for ever


def source_of(var: str, facts: Facts) -> str | None:
    """The variable that `var` is a part, a view or another name of."""
    sites = facts.definitions.sites.get(var, ())
    s = facts.structure.stmts[sites[0]] if len(sites) == 1 else None
    match s:
        case S.Load():
            return s.base
        case S.Alias():
            return s.source
        case S.Bind() if isinstance(s.value, E.Attribute) and isinstance(s.value.base, E.Name):
            return s.value.base.id
        case S.Bind() if s.site in facts.apps:
            app = facts.apps[s.site]
            e = app.source
            return e.id if isinstance(e, E.Name) else None
        case _:
            return None


def is_users(var: str, facts: Facts) -> bool:
    """Whether a variable has a name in the user's function."""
    return facts.fn.source_name(var) in facts.fn.reserved


def users(var: str, facts: Facts) -> str:
    """The user's variable that is meant: for a temporary, what it was read from."""
    seen: set[str] = set()
    while not is_users(var, facts) and var not in seen:
        seen.add(var)
        source = source_of(var, facts)
        if source is None:
            break
        var = source
    return var


def item_of(var: str, facts: Facts) -> tuple[str, tuple[E.Expr, ...]] | None:
    """The container that an array was taken out of, and which item; None: it was of none."""
    seen: set[str] = set()
    while var not in seen:
        seen.add(var)
        sites = facts.definitions.sites.get(var, ())
        s = facts.structure.stmts[sites[0]] if len(sites) == 1 else None
        if isinstance(s, S.Load) and isinstance(facts.kinds.at(s.site, s.base), Container):
            return s.base, s.items
        source = source_of(var, facts)
        if source is None:
            break
        var = source
    return None


def chain(var: str, facts: Facts) -> tuple[str, ...]:
    """`var` and the variables whose memory it shares, one behind the other."""
    found = [var]
    while (source := shared_source(found[-1], facts)) is not None and source not in found:
        found.append(source)
    return tuple(found)


def shared_source(var: str, facts: Facts) -> str | None:
    """`source_of`, where the two share memory: the row of an array does, a copy of it does not."""
    source = source_of(var, facts)
    if source is not None:
        return source if facts.memory.objects(var) & facts.memory.objects(source) else None
    returned = _returned(var, facts)
    return None if returned is None else returned[1]


def _returned(var: str, facts: Facts) -> tuple[str, str] | None:
    """(callee, argument) where `var` is a result that may share memory with one argument."""
    sites = facts.definitions.sites.get(var, ())
    s = facts.structure.stmts[sites[0]] if len(sites) == 1 else None
    unit = facts.units.get(s.site) if isinstance(s, S.Invoke) else None
    if not isinstance(s, S.Invoke) or unit is None:
        return None
    given = actuals(s, unit.summary)
    shared = [a.id for p, a in given.items() if p in unit.summary.returns and isinstance(a, E.Name)]
    return (str(s.fn), shared[0]) if len(shared) == 1 else None


def steps(var: str, until: str | None, facts: Facts) -> Iterator[Step]:
    """The links from `var` to `until` (or to the end), in the user's names."""
    links = chain(var, facts)
    named = [v for v in links if is_users(v, facts)]
    if until in named:
        named = named[: named.index(until) + 1]
    for a, b in pairwise(named):
        if facts.fn.source_name(a) == facts.fn.source_name(b):  # an attribute that is bound anew
            continue
        between = links[links.index(a) : links.index(b)]
        yield Step(_link(a, b, between, facts), facts.structure.stmts[_site(a, facts)].span)


def _site(var: str, facts: Facts) -> int:
    return facts.definitions.sites[var][0]


def _link(a: str, b: str, between: tuple[str, ...], facts: Facts) -> str:
    """What connects two of the user's variables: `between` starts with the first."""
    first, second = facts.fn.source_name(a), facts.fn.source_name(b)
    for v in between:
        returned = _returned(v, facts)
        if returned is not None:
            return f"`{first}` is what `{returned[0]}` returned of `{second}`"
    if all(isinstance(facts.structure.stmts[_site(v, facts)], S.Alias) for v in between):
        return f"`{first}` is another name of `{second}`"
    return f"`{first}` is a view of `{second}`"


def connection(written: str, needed: str, facts: Facts) -> tuple[Step, ...]:
    """The links between the name that is written through and the one whose contents are needed."""
    mine, theirs = chain(written, facts), chain(needed, facts)
    meet = next((v for v in mine if v in theirs), None)
    down = tuple(steps(needed, meet, facts)) if meet != needed else ()
    return (*steps(written, meet, facts), *reversed(down))


def called(write: S.Stmt, written: str, facts: Facts) -> tuple[Step, ...]:
    """Where a call passes the array on that its callee writes, down to the line that writes it."""
    unit = facts.units.get(write.site)
    if not isinstance(write, S.Invoke) or unit is None:
        return ()
    given = actuals(write, unit.summary)
    for p, trail in unit.summary.trails:
        if given.get(p) == E.Name(written):
            name = facts.fn.source_name(users(written, facts))
            return (Step(f"`{name}` is passed to `{write.fn}` as `{p}`", write.span), *trail)
    return ()


def trail(param: str, facts: Facts) -> tuple[Step, ...]:
    """How a parameter gets to a line that writes its memory, here or in a function called here."""
    writes = [w for w in facts.memory.writes if Obj("param", param) in w.objects]
    direct = [w for w in writes if not isinstance(facts.structure.stmts[w.site], S.Invoke)]
    for w in (direct or writes)[:1]:
        s = facts.structure.stmts[w.site]
        if isinstance(s, S.Invoke):
            return (*aliases(w.var, facts), *called(s, w.var, facts))[:_LONGEST]
        name = facts.fn.source_name(users(w.var, facts))
        here = Step(f"`{facts.fn.name}` writes `{name}`", s.span)
        return (*aliases(w.var, facts), here)[:_LONGEST]
    return ()


def aliases(var: str, facts: Facts) -> tuple[Step, ...]:
    """The links from the array that `var` looks into to `var` itself."""
    return tuple(reversed(tuple(steps(var, None, facts))))
