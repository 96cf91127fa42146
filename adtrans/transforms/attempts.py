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
        self, s: S.Try, block: Print, printed: Printed, name: Callable[[str], str], why: str = "any"
    ) -> Iterator[C.Code]:
        """The statement with its marks. `why`: the partial steps that are checked, "arithmetic"
        for those, and for what is not followed, alone."""
        checks = list(self.checks(s, why))
        if checks and s.site not in self.step:
            self.step[s.site] = self.names.fresh("step")
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
        if s.handlers and (self.may_fail(s) or why == "arithmetic"):
            again = C.Leave("raise")
            errors: E.Expr = E.Ref("MutationError", runtime.MutationError)
            if why == "arithmetic" or self.may_leave_the_reals(s):
                other = E.Ref("DerivativeError", runtime.DerivativeError)
                errors = E.Sequence("tuple", (other, errors))
            handlers.append(C.Rescue(errors, None, (again,)))
        for k, h in enumerate(s.handlers, 1):
            first: list[C.Code] = []
            if s.site in self.caught:
                first.append(C.Assign((E.Name(self.caught[s.site]),), E.Const(k)))
            kind = None if h.type is None else printed(h.type)
            bound = None if h.name is None else name(h.name)
            body = (*first, *self._checked(step, checks), *block(h.body))
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

    def checks(self, s: S.Try, why: str) -> Iterator[tuple[int, S.Onward]]:
        """The steps that an exception may leave half done, where that matters."""
        for k, onward in enumerate(onwards(s), 1):
            always = onward.partial == "unfollowed"
            wrong = onward.partial != "never" and (always or why in ("any", onward.partial))
            if wrong and self.facts.activity.touches(onward.body[:1]):
                yield k, onward

    def _checked(self, step: str | None, checks: list[tuple[int, S.Onward]]) -> Iterator[C.Code]:
        check = E.Ref("check_whole", runtime.check_whole)
        for k, onward in checks:
            place = E.Const(f"line {onward.body[0].span.line}")
            floating = (E.Const(True),) if onward.partial == "arithmetic" else ()
            yield C.Do(E.Call(check, (E.Name(str(step)), E.Const(k), place, *floating)))

    def may_fail(self, s: S.Try) -> bool:
        """Whether a check inside the body may raise, which no handler of the user's may take."""
        inside = {t.site for t in statements(s.body)}
        if inside & checked_at(self.facts):
            return True
        for t in statements(s.body):
            if isinstance(t, S.Try) and any(self.checks(t, "any")):
                return True
            if isinstance(t, S.With) and unsure(t, self.facts):
                return True
            if checks_itself(t):
                return True
            if t.site in self.facts.units and self.facts.units[t.site].summary.checks:
                return True
        return False

    def may_leave_the_reals(self, s: S.Try) -> bool:
        """Whether the check that fails inside the body may raise `DerivativeError`: such as one
        about complex numbers."""
        if any(map(checks_itself, statements(s.body))):
            return True
        inside = {t.site for t in statements(s.body)}
        called = (self.facts.units[t] for t in inside if t in self.facts.units)
        return any(d.site in inside for d in doubts(self.facts)) or any(
            u.summary.checks for u in called
        )

    def within(
        self, s: S.With, block: Print, printed: Printed, name: str | None
    ) -> Iterator[C.Code]:
        """A `with` statement; a manager that may keep an exception back is watched."""
        body = tuple(block(s.body))
        watched = None
        if unsure(s, self.facts):
            watched = E.Name(self.names.fresh("whole"))
            yield C.Assign((watched,), E.Const(False))
            body = (*body, C.Assign((watched,), E.Const(True)))
        yield C.Within(printed(s.context), name, body)
        if watched is not None:
            place = E.Const(f"line {s.span.line}")
            yield C.Do(E.Call(E.Ref("check_left", runtime.check_left), (watched, place)))


def unsure(s: S.With, facts: Facts) -> bool:
    """Whether an exception that the manager kept back would go unnoticed."""
    return not s.trusted and facts.activity.touches(s.body)


def checks_itself(s: S.Stmt) -> bool:
    """Whether a statement raises an error of ours where an exception comes from elsewhere."""
    match s:
        case S.With(context=E.Call(fn=E.Ref(value=fn))) | S.Bind(value=E.Call(fn=E.Ref(value=fn))):
            return fn is runtime.leaving
        case _:
            return False


def checked_at(facts: Facts) -> set[int]:
    """The statements at which the forward function checks what the analysis could not decide."""
    undecided = {g.write for g in facts.guards} | {a.site for a in assumptions(facts)}
    undecided |= {site for site, app in facts.apps.items() if final_contents_of(app) is not None}
    return undecided | facts.ordered | {d.site for d in doubts(facts)}


def has_checks(facts: Facts) -> bool:
    """Whether the generated functions may raise an error of ours where an exception is caught."""
    if checked_at(facts):
        return True
    marks = Attempts(facts, NameAllocator(()))
    for s in statements(facts.fn.body):
        if isinstance(s, S.Try) and any(marks.checks(s, "any")):
            return True
        if (isinstance(s, S.With) and unsure(s, facts)) or checks_itself(s):
            return True
    return any(u.summary.checks for u in facts.units.values())
