"""What is needed of values, what destroys it, and which formulas are chosen because of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses.abstract import Obj
from adtrans.analyses.apply import Application, Operand
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.regions import Region
from adtrans.ir import expr as E
from adtrans.rules import Formula
from adtrans.rules.again import again


@dataclass(frozen=True, slots=True, eq=False)
class Need:
    """The contents of `var`, as they are just before (or, `result`, after) the statement `site`.

    `items`: only this part of `var` is needed. `option`: (operand, number of its formula) for a
    need that only arises if that formula is chosen. `soft`: another way exists when it is
    overwritten. `held`: the statement that made the tuple which `var` was an item of, that tuple,
    and which item: there the pullback reads it, so there a copy is kept.
    """

    site: int
    var: str
    role: str
    why: str
    items: tuple[E.Expr, ...] | None = None
    option: tuple[Operand, int] | None = None
    result: bool = False
    soft: bool = False
    held: tuple[int, str, int | None] | None = None

    @property
    def reader(self) -> int:
        """The statement whose adjoint reads it."""
        return self.site if self.held is None else self.held[0]

    @property
    def copied(self) -> tuple[int, str, bool]:
        """What is copied where a copy is kept: what variable, at (or, True, after) what site."""
        return (self.site, self.var, self.result) if self.held is None else (*self.held[:2], True)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A write that may destroy what a need is about; `carried`: in a later iteration of a loop."""

    need: Need
    write: int
    carried: bool
    unknown: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Live:
    """A need under way: the object it is about and the region in that object.

    One analysis makes no two that are alike, so that they are compared by identity.
    """

    need: Need
    obj: Obj
    region: Region
    carried: bool = False


DIVISOR = "divisor"
"""The operand `v` of `a /= v`: its adjoint is computed from `a` as it was, or as it is then."""


@dataclass(frozen=True, slots=True)
class Needs:
    """All needs by site, the conflicts, the chosen formula of each active operand, what is still
    needed when the function returns; `lost`: (site, role) of what is overwritten."""

    at: Mapping[int, tuple[Need, ...]]
    conflicts: tuple[Conflict, ...]
    choice: Mapping[tuple[int, Operand], int]
    at_end: tuple[Live, ...]
    lost: frozenset[tuple[int, str]] = frozenset()

    def of(self, site: int, var: str) -> tuple[Conflict, ...]:
        """The conflicts of what `site` needs of `var` under the chosen formulas."""
        return tuple(
            c
            for c in self.conflicts
            if (c.need.site, c.need.var) == (site, var) and self.holds(c.need)
        )

    def covers(self, site: int, var: str, result: bool) -> bool:
        """Whether the contents of `var` there were followed to the end."""
        return any(n.var == var and n.result == result for n in self.at.get(site, ()))

    def holds(self, need: Need) -> bool:
        """Whether a need really arises under the chosen formulas."""
        if need.option is None:
            return True
        operand, k = need.option
        return self.choice.get((need.reader, operand), 0) == k

    def lost_items(self, site: int, var: str) -> frozenset[int] | None:
        """Which arrays in the tuple `var`, made at `site`, are overwritten; None: any may be."""
        needs = [c.need for c in self.hard if c.need.copied[:2] == (site, var)]
        items = {None if need.held is None else need.held[2] for need in needs}
        return None if None in items else frozenset(i for i in items if i is not None)

    def clobbered(self, site: int, role: str) -> bool:
        """Whether what `site` needs in `role` may be overwritten later."""
        return (site, role) in self.lost

    @property
    def hard(self) -> tuple[Conflict, ...]:
        """The conflicts that need an answer."""
        return tuple(c for c in self.conflicts if not c.need.soft and self.holds(c.need))


def formulas(
    app: Application, operand: Operand, site: int, kinds: Kinds, target: str
) -> tuple[Formula, ...]:
    """The alternatives for the adjoint of one operand; the last may compute the result again."""
    given = app.kinds(lambda e: kinds.expr(site, e))
    given["y"] = kinds.bounds(site).get(target, kinds.var(target))
    found = app.rule.pullback(operand, app.bound, given)
    return (*found, *again(app.rule, app.bound, found, given))


def in_order(c: Conflict) -> tuple[object, ...]:
    """Where a conflict stands among the others, in every run."""
    need = c.need
    return need.site, need.var, c.write, need.role, str(need.option), need.result
