"""`try` and `with` in the forward function: as the user wrote them, and what they have to note.

    caught = 0                            # which handler ran
    step = 0                              # how many steps of the body were done
    try:
        s = s + y
        step = 1
        s = s * g(y)
    except ValueError:
        caught = 1
        s = -s

Where this is repeated, the lengths of the lists of records before the attempt are kept as well: see
`reverse_attempts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from adtrans import runtime
from adtrans.analyses.behind import final_contents_of
from adtrans.analyses.facts import Facts
from adtrans.analyses.needed_checks import assumptions
from adtrans.analyses.reality import doubts
from adtrans.analyses.steps import onwards
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import statements

Printed = Callable[[E.Expr], E.Expr]
Print = Callable[[S.Block], Iterable[C.Code]]


@dataclass
class Attempts:
    """The marks that `try` statements set. `caught` and `step`: the names of these by site;
    `sizes`: by site and record the variable that holds the length of its list, which is in `lists`.
    """

    facts: Facts
    names: NameAllocator
    caught: dict[int, str] = field(default_factory=dict)
    step: dict[int, str] = field(default_factory=dict)
    sizes: dict[int, dict[str, str]] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    numbers: dict[int, tuple[str, int]] = field(default_factory=dict)

    def attempt(
        self, s: S.Try, block: Print, printed: Printed, name: Callable[[str], str],
        tangents: bool = False,
    ) -> Iterator[C.Code]:
        """The statement with its marks. `tangents`: the code inside computes them, too."""
        step = self.step.get(s.site)
        start: list[C.Code] = []
        if s.site in self.caught:
            start.append(C.Assign((E.Name(self.caught[s.site]),), E.Const(0)))
        if step is not None:
            start.append(C.Assign((E.Name(step),), E.Const(0)))
            for k, onward in enumerate(onwards(s), 1):
                self.numbers[onward.site] = (step, k)
        for stack, kept in self.sizes.get(s.site, {}).items():
            size = E.Call(E.Ref("len", len), (E.Name(self.lists[stack]),))
            start.append(C.Assign((E.Name(kept),), size))
        handlers = []
        if s.handlers and (tangents or self.may_fail(s)):
            again = C.Leave("raise")
            errors: E.Expr = E.Ref("MutationError", runtime.MutationError)
            if tangents or self.may_leave_the_reals(s):
                other = E.Ref("DerivativeError", runtime.DerivativeError)
                errors = E.Sequence("tuple", (other, errors))
            handlers.append(C.Rescue(errors, None, (again,)))
        for k, h in enumerate(s.handlers, 1):
            first: list[C.Code] = []
            if s.site in self.caught:
                first.append(C.Assign((E.Name(self.caught[s.site]),), E.Const(k)))
            kind = None if h.type is None else printed(h.type)
            bound = None if h.name is None else name(h.name)
            body = (*first, *block(h.body))
            handlers.append(C.Rescue(kind, bound, body))
        yield from start
        yield C.Attempt(
            tuple(block(s.body)), tuple(handlers), tuple(block(s.orelse)), tuple(block(s.final))
        )

    def onward(self, s: S.Onward) -> Iterator[C.Code]:
        """The mark between two steps."""
        if s.site in self.numbers:
            step, k = self.numbers[s.site]
            yield C.Assign((E.Name(step),), E.Const(k))

    def may_fail(self, s: S.Try) -> bool:
        """Whether a check inside the body may raise, which no handler of the user's may take."""
        inside = {t.site for t in statements(s.body)}
        if inside & checked_at(self.facts):
            return True
        for t in statements(s.body):
            if t.site in self.facts.units and self.facts.units[t.site].summary.checks:
                return True
        return False

    def may_leave_the_reals(self, s: S.Try) -> bool:
        """Whether the check that fails inside the body may raise `DerivativeError`: such as one
        about complex numbers."""
        inside = {t.site for t in statements(s.body)}
        called = (self.facts.units[t] for t in inside if t in self.facts.units)
        return any(d.site in inside for d in doubts(self.facts)) or any(
            u.summary.checks for u in called
        )

    def within(
        self, s: S.With, block: Print, printed: Printed, name: str | None
    ) -> Iterator[C.Code]:
        """A `with` statement."""
        yield C.Within(printed(s.context), name, tuple(block(s.body)))


def checked_at(facts: Facts) -> set[int]:
    """The statements at which the forward function checks what the analysis could not decide."""
    undecided = {g.write for g in facts.guards} | {a.site for a in assumptions(facts)}
    undecided |= {site for site, app in facts.apps.items() if final_contents_of(app) is not None}
    return undecided | facts.ordered | {d.site for d in doubts(facts)}


def has_checks(facts: Facts) -> bool:
    """Whether the generated functions may raise an error of ours where an exception is caught."""
    if checked_at(facts):
        return True
    return any(u.summary.checks for u in facts.units.values())
