"""What functions with rules of the user's do beside what their rules say.

Such a function is called as it is. Where its source can be read, its summary tells whether its
result may be an argument, or look into one, and whether it writes.

    @ad.rule(turned)                      y = turned(x)
    def turned(x): return x               y[0] = 0.0          writes `x`, too: a check

    @ad.checkpoint
    def step(u): u *= 2.0                 step(u)             an error

    @ad.constant
    def log(u): u *= 2.0                  log(u)              an error if `u` varies
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import FunctionType

import numpy as np

from adtrans.analyses.abstract import GLOBAL, NOTHING, Objects
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.points_to import Memory
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements
from adtrans.rules.rule import Rule
from adtrans.source.libraries import package_of
from adtrans.source.reach import reached_by_any, writes_anything

_SAYS_IT = ("writes", "scatter")


def function_behind(value: E.Expr, app: Application) -> FunctionType | None:
    """The function of the user that a call with a rule runs, where not all of its effects are
    declared: one that writes what it says may write others, too, or keep it."""
    custom = app.rule.custom
    if custom is None or app.rule.form in _SAYS_IT or not isinstance(value, E.Call):
        return None
    if isinstance(value.fn, E.Ref) and custom.contents is None:
        # a helper of the rule may stand in the function's place
        called = value.fn.value
        if custom.fn is not called and custom.fn is not getattr(called, "__differentiates__", None):
            return None
    return custom.fn if isinstance(custom.fn, FunctionType) else None


def leads_elsewhere(fn: FunctionType) -> bool:
    """Whether a function calls those of packages that were installed, and what is the user's of it
    only reads: then it is called as it is, and nothing of it is looked into."""
    every = [fn, *reached_by_any(fn)]
    own = [f for f in every if package_of(f.__code__.co_filename) is None]
    return len(own) < len(every) and not any(map(writes_anything, own))


def is_unread(value: E.Expr, app: Application) -> bool:
    """Whether a call with a rule of the user's runs what has no source to be read: its result may
    look into any argument. That of a universal function is new."""
    custom = app.rule.custom
    if custom is None or custom.contents is not None or app.rule.form in (*_SAYS_IT, "constant"):
        return False
    if not isinstance(value, E.Call) or isinstance(custom.fn, np.ufunc):
        return False
    return not isinstance(value.fn, E.Ref) or value.fn.value is custom.fn


def final_contents_of(app: Application | None) -> E.Expr | None:
    """The argument of which a call gives the final contents, as a function with a rule of the
    user's writes them; None for any other call."""
    custom = None if app is None else app.rule.custom
    if app is None or custom is None or custom.contents is None:
        return None
    return app.bound.get(custom.contents)


def is_constant(app: Application) -> bool:
    """Whether a function is called that the user says to be constant."""
    return app.rule.custom is not None and app.rule.form == "constant"


def in_formulas(summary: Summary, rule: Rule, given: Iterable[str]) -> Summary:
    """A summary with parameters as the rule names them: by place, where `signature=` of the user's
    calls them otherwise, and by name. Those of a function that is said to be constant have no names
    there, only places; `given`: those of the call."""
    by_place = zip(summary.params, (p.name for p in rule.params), strict=False)
    to = {**dict(by_place), **{p.keyword: p.name for p in rule.params}}

    if rule.any_arguments:
        to = {p: f"arg{k}" for k, p in enumerate(summary.params) if f"arg{k}" in given}

    def names(found: Iterable[str]) -> frozenset[str]:
        return frozenset(to.get(p, p) for p in found)

    return replace(
        summary,
        params=tuple(to.get(p, p) for p in summary.params),
        writes=tuple((to.get(p, p), span) for p, span in summary.writes),
        returns=names(summary.returns),
        certainly=names(summary.certainly),
    )


def summaries_behind(
    fn: S.Function,
    apps: Mapping[int, Application],
    kinds: Kinds,
    behind_of: Callable[[S.Bind, Application, Kinds], Summary | None],
) -> dict[int, Summary]:
    """The summaries of these functions, by the site of the call."""
    found: dict[int, Summary] = {}
    for s in statements(fn.body):
        if isinstance(s, S.Bind) and s.site in apps and apps[s.site].rule.custom is not None:
            summary = behind_of(s, apps[s.site], kinds)
            if summary is not None:
                found[s.site] = summary
    return found


def sharing_arguments(
    apps: Mapping[int, Application], behind: Mapping[int, Summary], *, prove: bool
) -> Mapping[int, Application]:
    """`apps` with results that may be arguments taken for new arrays. Where it matters, that is
    checked; with `prove` it is refused. And with what functions write that are said to be
    constant."""
    made = dict(apps)
    for site, summary in behind.items():
        given = apps[site].bound.keys()
        # what comes from outside may be an argument as well; a table that is looked up is none
        outside = GLOBAL in summary.returns and not is_constant(apps[site])
        found = given if outside else summary.returns & given
        if shares := tuple(sorted(found)):
            made[site] = replace(apps[site], settled="fresh", assumed=not prove, shares=shares)
        if is_constant(apps[site]) and (writes := tuple(sorted(summary.certainly & given))):
            made[site] = replace(made[site], writes=writes)
    return made


def with_sources(
    objects: Objects,
    apps: Mapping[int, Application],
    behind: Mapping[int, Summary],
    memory: Memory,
) -> Objects:
    """The objects, and those that they may be in truth: the arguments of a user's function whose
    result they are taken for."""
    found, waiting = objects, list(objects)
    made = {o: site for site in behind for o in memory.allocates.get(site, NOTHING)}
    while made and waiting:
        site = made.get(waiting.pop())
        for source in apps[site].sources if site is not None else ():
            new = memory.of(source) - found
            found |= new
            waiting += new
    return found
