"""Stores that copy between overlapping parts of one array: what is read before it is overwritten?

    a[1:] = a[:-1]        NumPy reads everything first, or goes through it in the right order
    a[1:4] = a[::2]       one dimension, two steps: it depends on the numbers

NumPy copies a one-dimensional part in place, element by element, backwards where the source begins
before the target and runs into it, otherwise forwards. (Parts of more dimensions, and of opposite
directions, it copies first.) So no element is read too late where the source keeps ahead of the
target.
"""

from __future__ import annotations

from adtrans.analyses.disjoint import disjoint
from adtrans.analyses.facts import Facts
from adtrans.analyses.prove import Facts as Known
from adtrans.analyses.prove import proves_nonneg
from adtrans.analyses.regions import Axis, Run, Whole
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Container, Scalar
from adtrans.ir.walk import statements


def unordered(facts: Facts) -> tuple[S.Store, ...]:
    """The stores that may read elements which they have already written."""
    stores = (s for s in statements(facts.fn.body) if isinstance(s, S.Store))
    return tuple(s for s in stores if order_matters(s, facts))


def order_matters(s: S.Store, facts: Facts) -> bool:
    """Whether NumPy may read elements that the very store has already written."""
    if not isinstance(s.value, E.Name) or not facts.activity.active(s.base):
        return False
    if isinstance(facts.kinds.at(s.site, s.base), Container):  # it holds the array itself
        return False
    value = facts.kinds.at(s.site, s.value.id)
    if not isinstance(value, Array) or value.ndim not in (None, 1):
        return False
    if not facts.aliasing.together(s.value.id, s.base, s.site):
        return False
    if _is_row(s.base, s.items, s.site, facts) and _takes_row(s.value.id, facts):
        return False  # of one array, with one step: the same one or another
    if _in_one_step(s, s.value.id, facts):
        return False
    target = facts.places.region(s.base, s.items, s.site)
    source = facts.places.region(s.value.id, None, s.site)
    known = facts.places.facts(s.site)
    if disjoint(target, source, known):
        return False
    to, of = _steady(target.axes), _steady(source.axes)
    return to is None or of is None or not keeps_ahead(of, to, known)


def _in_one_step(s: S.Store, value: str, facts: Facts) -> bool:
    """Whether both are slices of one line, with one step, wherever they begin."""
    made = [facts.structure.stmts[d] for d in facts.definitions.sites.get(value, ())]
    if value in facts.definitions.params or len(made) != 1 or not s.origin:
        return False
    load, kind = made[0], facts.kinds.at(s.site, s.base)
    if not isinstance(load, S.Load) or (load.base, load.origin) != (s.base, s.origin):
        return False
    rebound = any(
        facts.structure.stmts[d].origin == s.origin
        for d in facts.definitions.sites.get(s.base, ())
    )
    if not isinstance(kind, Array) or kind.ndim != 1 or rebound:
        return False
    return _step(load.items) == _step(s.items) is not None


def _step(items: tuple[E.Expr, ...]) -> int | None:
    """The step of the slice that is all of a subscript, where it is written out."""
    match items:
        case (E.Slice(step=None),):
            return 1
        case (E.Slice(step=E.Const(value=int() as step)),) if step > 0:
            return step
        case _:
            return None


def _is_row(base: str, items: tuple[E.Expr, ...], site: int, facts: Facts) -> bool:
    """Whether a subscript is all numbers but for the last axis of a whole array."""
    kind = facts.kinds.at(site, base)
    if not isinstance(kind, Array) or kind.ndim != len(items) + 1:
        return False
    numbers = (facts.kinds.expr(site, i) for i in items)
    plain = all(isinstance(k, Scalar) and k.type == "int" for k in numbers)
    return plain and facts.places.is_object(base)


def _takes_row(var: str, facts: Facts) -> bool:
    """Whether a variable always is such a row."""
    made = [facts.structure.stmts[d] for d in facts.definitions.sites.get(var, ())]
    return var not in facts.definitions.params and bool(made) and all(
        isinstance(m, S.Load) and _is_row(m.base, m.items, m.site, facts) for m in made
    )


def _steady(axes: tuple[Axis, ...]) -> tuple[Affine, int] | None:
    """Where a part begins on its only (or last) axis, and its step."""
    match axes[-1:]:
        case () | (Whole(),):
            return Affine.const(0), 1
        case (Run() as run,) if run.aligned:
            return run.start, run.step
        case _:
            return None


def keeps_ahead(source: tuple[Affine, int], target: tuple[Affine, int], known: Known) -> bool:
    """Whether every element is read before it is written.

    >>> one, two = Affine.const(1), Affine.const(2)
    >>> keeps_ahead((two, 3), (one, 2), Known()), keeps_ahead((two, 1), (one, 2), Known())
    (True, False)
    >>> keeps_ahead((one, 1), (two, 2), Known())           # backwards
    True
    """
    (s, fast), (t, slow) = source, target
    if fast == slow:
        return True
    if fast > slow:
        return proves_nonneg(s - t, known)
    return proves_nonneg(t - s - 1, known)
