"""What is known of each variable at each statement of a function, as it was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds.expression_kinds import kind_of_expr
from adtrans.analyses.kinds.operation_kinds import Callee
from adtrans.analyses.prove import NO_FACTS, Facts
from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    UNKNOWN,
    Kind,
    TupleOf,
    is_optional,
    present,
)  # fmt: skip

State = Mapping[str, Kind]


@dataclass(frozen=True, slots=True)
class Kinds:
    """What `infer` found. Sites that no path reaches know nothing: everything is NEVER there.

    `grown`: the parameters that are or hold a container into which something may be put.
    """

    loops: Mapping[int, LoopFacts]
    result: Kind
    _before: Mapping[int, State] = field(repr=False)
    _bound: Mapping[int, State] = field(repr=False)
    _vars: State = field(repr=False)
    _facts: Mapping[int, Facts] = field(repr=False)
    _call: Callee | None = field(repr=False)
    grown: frozenset[str] = frozenset()

    def before(self, site: int) -> State:
        """The kinds of the variables where the statement evaluates its expressions.

        For a `While` that is where its test is evaluated, for a `For` where the loop is entered.
        """
        return self._before.get(site, {})

    def at(self, site: int, var: str) -> Kind:
        """The kind of `var` there; NEVER when no path binds it before.

        Where something is done with a number that may be None it is one: all else has raised.
        """
        return present(self.before(site).get(var, NEVER))

    def bound(self, site: int) -> Kind:
        """The kind of what the statement binds: a tuple of kinds if it binds several variables."""
        found = self.bounds(site)
        kinds = tuple(found.values())
        return next(iter(kinds), NEVER) if len(kinds) < 2 else TupleOf(kinds)

    def bounds(self, site: int) -> State:
        """The variables that the statement binds, with their kinds."""
        return self._bound.get(site, {})

    def expr(self, site: int, e: Expr) -> Kind:
        """The kind of an expression evaluated where the statement stands."""
        return present(self.passed(site, e))

    def passed(self, site: int, e: Expr) -> Kind:
        """The same for what is only passed on, and may be None."""
        before = self._before.get(site)
        if before is None:
            return NEVER
        if isinstance(e, E.Name):  # most of what is asked
            return before.get(e.id, UNKNOWN)
        return kind_of_expr(e, before, self.facts(site), self._call)

    def var(self, var: str) -> Kind:
        """The kind of `var` wherever it is bound."""
        return present(self._vars.get(var, UNKNOWN))

    def changed(self, by: Callable[[Kind], Kind]) -> Kinds:
        """The same with each kind of a variable changed."""
        before = {site: {v: by(k) for v, k in at.items()} for site, at in self._before.items()}
        return replace(self, _before=before, _vars={v: by(k) for v, k in self._vars.items()})

    def may_be_none(self, var: str) -> bool:
        """Whether `var` is bound to None somewhere, and elsewhere to what holds others."""
        return is_optional(self._vars.get(var, UNKNOWN))

    def facts(self, site: int) -> Facts:
        """The inequalities that hold there, of renamed loop indices too (see `iterations`)."""
        return self._facts.get(site, NO_FACTS)
