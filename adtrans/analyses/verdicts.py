"""Answers to conflicts: for each write the verdict, for each needed value that is lost an answer.

In order: another formula (already chosen by `needs`), renaming the write, saving a copy, refusing.

>>> import adtrans, numpy as np
>>> @adtrans.differentiable
... def f(x):
...     y = np.exp(x)
...     y[0] = 0.0
...     return np.sum(y)
>>> _ = f.grad(np.ones(3))
>>> [(v.target, v.verdict) for v in f.report().writes]
[('y', 'recomputed')]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from adtrans.analyses.abstract import Objects
from adtrans.analyses.alias_paths import aliases, called, connection, users
from adtrans.analyses.arrays_held import or_none
from adtrans.analyses.effects import Step
from adtrans.analyses.facts import Facts
from adtrans.analyses.held_once import holder
from adtrans.analyses.needed import Conflict, Need
from adtrans.analyses.needed_checks import rests_on_a_guess
from adtrans.analyses.places import is_whole
from adtrans.analyses.points_to import elements_in
from adtrans.analyses.visible import is_visible
from adtrans.analyses.writes import Write, actuals
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, Mixed, Scalar, TupleOf, Unknown, is_immutable

Word = Literal["safe", "by value", "renamed", "recomputed", "checked", "saved", "refused"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one write: its place, the array that is written, the verdict and its reason.

    `use`: the place that needs what is overwritten, where there is one. `path`: how the name that
    is written is connected with what is needed (or with the array that it looks into).
    `bytes`: what the pullback keeps because of it, as a formula; see `transforms.footprint`.
    """

    site: int
    span: Span
    target: str
    verdict: Word
    reason: str
    use: Span | None = None
    path: tuple[Step, ...] = ()
    function: str = ""
    bytes: str = ""


Found = tuple[Verdict, ...]
Copies = Callable[[Conflict], str]


def _nothing(c: Conflict) -> str:
    return ""


def renamable(w: Write, facts: Facts) -> bool:
    """Whether the write replaces all of an array that nothing else refers to, so that a new array
    in its place makes no difference to anyone."""
    s = facts.structure.stmts[w.site]
    kind = facts.kinds.at(w.site, w.var)
    plain = isinstance(s, S.Update) and s.items is None
    if isinstance(kind, Mixed) and or_none(kind) and not plain:
        kind = kind.array  # None cannot be written
    match s:
        case S.Update(items=None, op="+" | "-" | "*" | "/") if isinstance(kind, Unknown):
            pass
        case _ if not isinstance(kind, Array):
            return False
        case S.Store() if is_whole(s.items, kind, w.site, facts.kinds):
            pass
        case S.Update(items=items) if items is not None and is_whole(
            items, kind, w.site, facts.kinds
        ):
            pass
        case _:
            return False
    if any(o.form not in ("site", "list") for o in w.objects):  # made here
        return False
    if is_visible(w, facts) or w.objects & _perhaps_passed(facts):
        return False
    for loop in facts.structure.loops(w.site):  # a loop over the array goes on with the old one
        held = elements_in(loop.iter) if isinstance(loop, S.For) else ()
        if any(facts.aliasing.together(v, w.var, w.site) for v in held):
            return False
    others = facts.live.out.get(w.site, frozenset()) - {w.var}
    owner = holder(s, facts) if isinstance(s, S.Update) and s.items is None else None
    if owner is not None:
        others = others - {owner}
    elif not facts.places.is_object(w.var):
        return False
    if isinstance(s, S.Store | S.Update) and isinstance(s.value, E.Name):
        others = others - {w.var}
    return not any(facts.aliasing.together(v, w.var, w.site) for v in others)


def _perhaps_passed(facts: Facts) -> Objects:
    """What functions with a rule of the user's return, where that may look into an argument."""
    sites = (site for site, app in facts.apps.items() if app.shares)
    return frozenset(o for site in sites for o in facts.memory.allocates.get(site, ()))


def to_rename(facts: Facts) -> frozenset[int]:
    """The writes that conflict with a need, or may be none, and can be renamed."""
    by_site = {w.site: w for w in facts.memory.writes}
    found = {c.write for c in unanswered(facts)} & by_site.keys()
    found |= {site for site, w in by_site.items() if may_rebind(facts.structure.stmts[site], facts)}
    return frozenset(site for site in found if renamable(by_site[site], facts))


def may_rebind(s: S.Stmt, facts: Facts) -> bool:
    """Whether a statement is `s += ...` on what may be a number, which it would rebind, or an
    array, which it would write."""
    if not isinstance(s, S.Update) or s.items is not None:
        return False
    return facts.activity.active(s.base) and isinstance(facts.kinds.at(s.site, s.base), Unknown)


def unanswered(facts: Facts) -> tuple[Conflict, ...]:
    """The conflicts that are neither saved, nor decided at run time, nor otherwise harmless."""
    guarded = {(g.need, g.write) for g in facts.guards}
    return tuple(
        c
        for c in facts.needs.hard
        if c.need.copied not in facts.saved
        and (c.need, c.write) not in guarded
    )


def copyable(need: Need, facts: Facts) -> bool:
    """Whether a copy can be kept: of an array, of a list of numbers that a rule reads (of other
    lists and of objects we do not know how), and of an argument, if the callee neither writes nor
    returns it. What a rule reads and nothing is known of is an array or a number; the run looks
    (`runtime.copy_of`)."""
    kinds = facts.kinds
    kind = kinds.var(need.var) if need.result else kinds.at(need.site, need.var)
    if isinstance(kind, TupleOf) and need.role == "value" and need.result:  # made here
        return all(isinstance(k, Array | Scalar) for k in kind.items)
    if not isinstance(kind, Array):
        numbers = isinstance(kind, ListOf) and isinstance(kind.item, Scalar) and need.held is None
        return (numbers or isinstance(kind, Unknown)) and need.role == "value"
    call = facts.structure.stmts[need.site]
    if need.held is not None:
        return isinstance(kinds.var(need.held[1]), TupleOf)
    if need.role == "made":  # the callee keeps it, unless it was asked for a copy
        return False
    if need.role != "callee" or not isinstance(call, S.Invoke):
        return True
    summary = facts.units[need.site].summary
    mine = {p for p, a in actuals(call, summary).items() if a == E.Name(need.var)}
    return not mine & (summary.written() | summary.returns)


def verdicts(
    facts: Facts,
    renamed: frozenset[int],
    copies: Copies = _nothing,
    undone: frozenset[int] = frozenset(),
) -> Found:
    """One verdict for each statement that writes into an array, in textual order.

    `copies`: the formulas of the bytes that are kept for needs that are saved; `undone`: the writes
    that the pullback undoes.
    """
    found: dict[int, Verdict] = {}
    stmts = facts.structure.stmts
    for w in facts.memory.writes:
        if w.site not in found:
            found[w.site] = _verdict(w, facts, renamed, copies, undone)
    for site in renamed:
        bind = stmts.get(site)
        if isinstance(bind, S.Bind) and site not in found:
            name = facts.fn.source_name(bind.target)
            found[site] = Verdict(
                site, bind.span, name, "renamed", _new_array(name), function=facts.fn.name
            )
    return _one_a_line(found, stmts)


def _verdict(
    w: Write, facts: Facts, renamed: frozenset[int], copies: Copies, undone: frozenset[int]
) -> Verdict:
    stmts = facts.structure.stmts
    name = facts.fn.source_name(users(w.var, facts))
    every = [c for c in facts.needs.conflicts if c.write == w.site]
    mine = [c for c in every if facts.needs.holds(c.need) and c.need.role != "recompute"]
    hard = [c for c in mine if not c.need.soft]
    word: Word = "safe"
    reason = "the derivative needs nothing of what it overwrites"
    first = hard[0] if hard else mine[0] if mine else None
    kept: tuple[str, ...] = ()
    if hard:
        saved = [c for c in hard if c.need.copied in facts.saved]
        guarded = {(g.need, g.write) for g in facts.guards}
        word = "saved" if len(saved) == len(hard) else "refused"
        line = stmts[hard[0].need.site].span.line
        lost = facts.fn.source_name(users(hard[0].need.var, facts))
        tail = "; a copy is kept there" if word == "saved" else ""
        if word == "saved" and w.site in undone:
            tail = "; what is overwritten is kept, and put back"
        reason = f"line {line} needs `{lost}`{tail}"
        if all((c.need, c.write) in guarded for c in hard):
            word, reason = "checked", f"raises where it overwrites what line {line} needs"
        kept = tuple(dict.fromkeys(copies(c) for c in saved))
    elif (guess := rests_on_a_guess(w, facts)) is not None:
        target, source = (facts.fn.source_name(users(v, facts)) for v in guess.names)
        word = "checked"
        reason = f"that `{target}` is a {guess.form} of `{source}` is checked"
    elif w.site in facts.ordered:
        word, reason = "checked", "that it reads nothing that it has written is checked"
    elif w.site in renamed:
        word, reason = "renamed", _new_array(name)
    elif any(not facts.needs.holds(c.need) for c in every):
        word, reason = "recomputed", "the derivative is computed from another value that stays"
    elif mine:
        line = stmts[mine[0].need.site].span.line
        word, reason = "by value", f"the numbers that line {line} reads are kept by value"
    elif _reads_old_number(stmts[w.site], facts):
        word, reason = "by value", "the old number is kept by value"
    use = None if first is None else stmts[first.need.site].span
    path = (
        *(aliases(w.var, facts) if first is None else connection(w.var, first.need.var, facts)),
        *called(stmts[w.site], w.var, facts),
    )
    formula = " + ".join(k for k in kept if k)
    return Verdict(
        w.site, stmts[w.site].span, name, word, reason, use, path, facts.fn.name, formula
    )


def _new_array(name: str) -> str:
    return f"`{name}` gets a new array, the old contents stay for the pullback"


def _reads_old_number(s: S.Stmt, facts: Facts) -> bool:
    return isinstance(s, S.Update) and s.op in "*/" and is_immutable(facts.kinds.var(s.base))


_RANK = {
    "refused": 0,
    "saved": 1,
    "checked": 2,
    "renamed": 3,
    "recomputed": 4,
    "by value": 5,
    "safe": 6,
}


def _one_a_line(found: Mapping[int, Verdict], stmts: Mapping[int, S.Stmt]) -> tuple[Verdict, ...]:
    """Several writes that one statement was lowered into count as one: the strongest verdict."""
    best: dict[tuple[Span, str], Verdict] = {}
    for v in found.values():
        key = (v.span, v.target)
        if key not in best or _RANK[v.verdict] < _RANK[best[key].verdict]:
            best[key] = v
    return tuple(sorted(best.values(), key=lambda v: (v.span.line, v.span.column)))
