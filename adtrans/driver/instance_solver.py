"""One function analysed for one question, and rewritten until nothing more is in the way.

What an analysis finds may be that the function means something simpler: that a name is another
name for an argument, that a write makes a new array. It is rewritten so, and analysed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from adtrans.analyses.analyse import KindsOf, Question, analyse
from adtrans.analyses.apply import Application
from adtrans.analyses.cheaper import with_copies
from adtrans.analyses.effects import Summary
from adtrans.analyses.facts import Facts, Unit
from adtrans.analyses.heads import without_active_heads
from adtrans.analyses.kept_arguments import with_kept_arguments
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.needed_checks import guards
from adtrans.analyses.order import unordered
from adtrans.analyses.parted_arguments import parted
from adtrans.analyses.returned import returned_arguments, returned_items, unread_results
from adtrans.analyses.steps import has_handlers, steps
from adtrans.analyses.verdicts import copyable, to_rename, unanswered
from adtrans.driver.instances import PLAIN, Calls, Circumstances
from adtrans.driver.options import Options
from adtrans.driver.summaries import overwritten_arguments, same_arguments, scattered_arguments
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements
from adtrans.source import is_generated
from adtrans.transforms.rename import rename_writes


class Callees(Protocol):
    """What is asked about the functions that are called."""

    def unit_of(
        self,
        s: S.Invoke,
        kinds: Kinds,
        varied: frozenset[str] | None,
        calls: Calls = MappingProxyType({}),
    ) -> Unit | None:
        """The compiled callee of a call, for the varied arguments (None: all that can be)."""

    def behind_of(self, s: S.Bind, app: Application, kinds: Kinds) -> Summary | None:
        """What the source of a function with a rule of the user's tells, where it can be read."""


@dataclass(frozen=True)
class Settling:
    """What is asked, and whom to ask. `reverse`: a pullback is wanted, and no pushforward only."""

    question: Question
    kinds_of: KindsOf
    callees: Callees
    options: Options
    reverse: bool = True

    def settled(self, fn: S.Function) -> tuple[Facts, frozenset[int]]:
        """All that is known of `fn`, and the writes that were renamed; what has to be is saved."""
        save = self.saves(fn)
        fn = self.stepped(fn)
        renamed: frozenset[int] = frozenset()
        calls: dict[int, Circumstances] = {}
        facts = self.analysed(fn, calls)
        if self.reverse and (changed := without_active_heads(facts)) is not None:
            facts = self.analysed(changed, calls)
        while (changed := returned_arguments(facts)) is not None:
            facts = self.analysed(changed, calls)
        if self.reverse and (changed := unread_results(facts)) is not None:
            facts = self.analysed(changed, calls)
        if (changed := parted(facts)) is not None:
            facts = self.analysed(changed, calls)
        if (changed := with_kept_arguments(facts)) is not None:
            facts = self.analysed(changed, calls)
        while (apart := returned_items(facts)) is not None:
            fn, taken = apart
            calls |= {site: Circumstances(taken=items) for site, items in taken.items()}
            facts = self.analysed(fn, calls)
        while same := {
            k: v for k, v in same_arguments(facts).items() if not calls.get(k, PLAIN).same
        }:
            for site, pairs in same.items():
                calls[site] = replace(calls.get(site, PLAIN), same=pairs)
            facts = self.analysed(facts.fn, calls)
        while lying := {
            k: v for k, v in scattered_arguments(facts).items()
            if not v <= calls.get(k, PLAIN).scattered
        }:  # fmt: skip
            for site, params in lying.items():
                how = calls.get(site, PLAIN)
                calls[site] = replace(how, scattered=how.scattered | params)
            facts = self.analysed(facts.fn, calls)
        while todo := to_rename(facts) - renamed:
            renamed |= todo
            facts = self.analysed(rename_writes(facts, todo), calls)
        facts = self.by_value(facts, calls)
        if self.options.on_unproven == "check":
            facts = replace(facts, ordered=frozenset(s.site for s in unordered(facts)))
        if not save and self.options.on_unproven == "check":
            facts = replace(facts, guards=guards(facts, unanswered(facts)))
        if save:
            facts = with_copies(facts)
            saved = (c.need.copied for c in unanswered(facts) if copyable(c.need, facts))
            facts = replace(facts, saved=frozenset(saved))
        return facts, renamed

    def by_value(self, facts: Facts, calls: Calls) -> Facts:
        """The same function with calls whose pullbacks keep numbers of an argument by value, where
        they would read them again from an array that is overwritten by then."""
        tried: set[tuple[int, str]] = set()
        while True:
            more = [c for c in overwritten_arguments(facts) if c not in tried]
            if not more:
                return facts
            tried |= {*more}
            before = calls
            for site in dict.fromkeys(site for site, _ in more):
                call = facts.structure.stmts[site]
                assert isinstance(call, S.Invoke)
                way = frozenset(p for at, p in more if at == site)
                while way:  # without all of them, then without those that it can do without
                    now = calls.get(site, PLAIN)
                    asked = {**calls, site: replace(now, lost=now.lost | way)}
                    unit = self.callees.unit_of(call, facts.kinds, facts.activity.varied, asked)
                    read = frozenset() if unit is None else unit.summary.still_read(way)
                    if unit is not None and not read:
                        calls = asked
                    way = way - read if read else frozenset()
            if calls is not before:
                facts = self.analysed(facts.fn, calls)

    def analysed(self, fn: S.Function, calls: Calls) -> Facts:
        """All analyses, with callees compiled for the circumstances of their calls."""

        def unit_of(s: S.Invoke, kinds: Kinds, varied: frozenset[str] | None) -> Unit | None:
            return self.callees.unit_of(s, kinds, varied, calls)

        prove, behind_of = self.options.on_unproven == "refuse", self.callees.behind_of
        kinds = self.kinds_of(fn)
        return analyse(fn, self.question, kinds, unit_of, behind_of=behind_of, prove=prove)

    def stepped(self, fn: S.Function) -> S.Function:
        """`fn` with the steps of its `try` statements told apart."""
        if not has_handlers(fn):
            return fn
        kinds, summaries = self.summaries(fn)
        return steps(fn, kinds, summaries)

    def summaries(self, fn: S.Function) -> tuple[Kinds, Mapping[int, Summary]]:
        """What is known of the callees before activity is."""
        kinds = self.kinds_of(fn)
        calls = [s for s in statements(fn.body) if isinstance(s, S.Invoke)]
        units = {s.site: self.callees.unit_of(s, kinds, None) for s in calls}
        return kinds, {site: u.summary for site, u in units.items() if u is not None}

    def saves(self, fn: S.Function) -> bool:
        """Whether copies are kept. What generated code overwrites is not the user's affair."""
        return self.options.on_overwrite == "save" or is_generated(fn.span.file)
