"""Subscripts and stores whose effect on the derivative is not known."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.memory import is_advanced, is_basic
from adtrans.analyses.regions import Axis, Run, Whole, disjoint
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    is_differentiable,
)


def order_matters(s: S.Store, facts: Facts) -> bool:
    """Whether NumPy may read elements that the very store has already written.

    It buffers overlapping copies, except one-dimensional ones in the same direction, which are
    right only when both parts have the same step.
    """
    if not isinstance(s.value, E.Name) or not facts.activity.active(s.base):
        return False
    value = facts.kinds.at(s.site, s.value.id)
    if not isinstance(value, Array) or value.ndim not in (None, 1):
        return False
    if not facts.aliasing.together(s.value.id, s.base, s.site):
        return False
    target = facts.places.region(s.base, s.items, s.site)
    source = facts.places.region(s.value.id, None, s.site)
    if disjoint(target, source, facts.places.facts(s.site)):
        return False
    if len(target.axes) > 1 or len(source.axes) > 1:
        return not _same_steps(target.axes[-1:], source.axes[-1:])
    return not _same_steps(target.axes, source.axes)


def _same_steps(a: tuple[Axis, ...], b: tuple[Axis, ...]) -> bool:
    """Whether two parts of one axis certainly have the same step."""

    def step(axes: tuple[Axis, ...]) -> int | None:
        match axes:
            case () | (Whole(),):
                return 1
            case (Run() as run,) if run.aligned:
                return run.step
            case _:
                return None

    return step(a) is not None and step(a) == step(b)


def of_records(s: S.Load | S.Store, facts: Facts) -> bool:
    """Whether a field of an array of records is read or written that carries a derivative."""
    if not any(isinstance(i, E.Const) and isinstance(i.value, str) for i in s.items):
        return False
    made = [d for d in facts.definitions.sites.get(s.base, ()) if d in facts.apps]
    active = facts.activity.active(s.target if isinstance(s, S.Load) else s.base)
    return active and bool(made)


def unclear_index(s: S.Load | S.Store, facts: Facts) -> bool:
    """Whether an active part of an array is selected by something of unknown kind."""
    active = facts.activity.active(s.target if isinstance(s, S.Load) else s.base)
    if not active or not isinstance(facts.kinds.at(s.site, s.base), Array):
        return False
    args = (s.items, s.site, facts.kinds)
    return not is_basic(*args) and not is_advanced(*args)


def into_integers(s: S.Store, facts: Facts) -> Iterator[Diagnostic]:
    kind = facts.kinds.at(s.site, s.base)
    if isinstance(kind, Array) and kind.dtype is not None and not is_differentiable(kind):
        yield Diagnostic(
            "AD306",
            f"a float is written into an array of {kind.dtype}",
            Label(s.span, "the derivative is lost here"),
            why=f"`{facts.fn.source_name(s.base)}` holds whole numbers, so the fraction is cut off",
            fixes=[Fix("make it an array of floats: `np.zeros(n)`, not `np.zeros(n, int)`")],
        )
