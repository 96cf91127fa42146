"""Writes that the pullback undoes: what they overwrite is kept, instead of all that is needed.

    for i in range(n):                          for i, x_old in zip(reversed(range(n)), ...):
        t = b[i] - A[i] @ x                         x_then[i] = x_old
        x_old_saved.append(x[i])         ->         ...
        x[i] = t                                    A_bar[i] -= t_bar * x_then

The product needs the whole of `x`, and one element of it is overwritten in each iteration: a copy
for each iteration would keep n * n numbers. So `x_then` begins as `x` ended, each write reversed
puts back what it had overwritten, and `x_then` is at each statement what `x` was there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from adtrans.analyses.abstract import Obj, Objects
from adtrans.analyses.facts import Facts
from adtrans.analyses.structure import BODY
from adtrans.analyses.subscripts import is_basic
from adtrans.analyses.writes import Write
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Scalar, is_immutable
from adtrans.ir.walk import names_in, walk
from adtrans.transforms.ways import Fetch, Ways


@dataclass(frozen=True, slots=True)
class Undone:
    """An array, and the writes into it that are undone: all those from a place on, the `first`
    statement of the function's body for which a copy would be kept."""

    var: str
    writes: frozenset[int]
    first: int

    def covers(self, f: Facts, site: int, result: bool) -> bool:
        """Whether the array is had as it was before (or after) a statement, when that is reversed:
        what it overwrites itself is put back first."""
        return outermost(f, site) >= self.first and not (result and site in self.writes)


def worth_undoing(ways: Ways, fetches: Iterable[Fetch]) -> tuple[Undone, ...]:
    """The arrays of which copies are kept in loops, where what is overwritten is less: each write
    sets part of fewer axes, and not more often than a copy would be made."""
    found: dict[str, list[Fetch]] = {}
    bases = {var for _, var in ways.bases}  # one copy of these takes the place of other values
    for f in fetches:
        if f.way == "record" and f.copy and isinstance(f.value, E.Name):
            var = taken_from(ways.facts, f.value.id)[0]
            if ways.facts.structure.loops(f.at) and not {var, f.value.id} & bases:
                found.setdefault(var, []).append(f)
    every = (_undone(var, copies, ways) for var, copies in sorted(found.items()))
    return tuple(u for u in every if u is not None)


def taken_from(f: Facts, view: str) -> tuple[str, S.Load | None]:
    """The array that a variable is a part of, and the one statement that took it, if that can be
    taken again wherever the variable is read; otherwise the variable itself."""
    sites = f.definitions.sites.get(view, ())
    s = f.structure.stmts[sites[0]] if len(sites) == 1 else None
    if isinstance(s, S.Load) and view not in f.definitions.params:
        arrays = (f.kinds.at(s.site, s.base), f.kinds.var(view))
        if all(isinstance(k, Array) for k in arrays) and _selects_again(s.items, s.site, f):
            return s.base, s
    return view, None


def _selects_again(items: tuple[E.Expr, ...], site: int, f: Facts) -> bool:
    """Whether a subscript selects a view or an element by numbers, and runs no code for it."""
    names = {n for i in items for n in names_in(i)}
    plain = all(isinstance(x, _NUMBERS) for i in items for x in walk(i))
    return (
        plain
        and all(is_immutable(f.kinds.at(site, n)) for n in names)
        and is_basic(items, site, f.kinds)
    )


_NUMBERS = E.Name | E.Const | E.Slice | E.Unary | E.Binary


def _undone(var: str, copies: list[Fetch], ways: Ways) -> Undone | None:
    """The writes to be undone, so that `copies` of the array need not be kept; None if one of them
    cannot be, or keeps as much."""
    f = ways.facts
    objects = f.memory.objects(var)
    if not isinstance(f.kinds.var(var), Array) or not _is_one_array(var, objects, ways):
        return None
    at = [c.at for c in copies]
    first = min(outermost(f, site) for site in at)
    writes = [w for w in f.memory.writes if w.objects & objects]
    later = [w for w in writes if outermost(f, w.site) >= first]
    if not all(_can_be_undone(w, var, f) for w in later):
        return None
    sites = {w.site for w in later}
    if any(ways.in_parts(f.structure.block[site]) for site in (*at, *sites)):
        return None
    return Undone(var, frozenset(sites), first) if _is_less(later, var, copies, f) else None


def _is_one_array(var: str, objects: Objects, ways: Ways) -> bool:
    """Whether a variable means one array from the beginning of the function, or from a statement of
    its body, to the end, no two elements of which are one: a new one, or an argument."""
    f = ways.facts
    defined = f.definitions.sites.get(var, ())
    if var in f.definitions.params:
        first = f.fn.body[0].site
        alone = objects == {Obj("param", var)}
        return alone and not defined and not ways.renamed_later(var, first, False)
    if len(defined) != 1 or f.structure.block[defined[0]] != BODY:
        return False
    new = len(objects) == 1 and objects == f.memory.allocates.get(defined[0])
    return new and not ways.renamed_later(var, defined[0], True)


def outermost(f: Facts, site: int) -> int:
    """The position of the statement of the function's body that a statement is in."""
    return f.structure.position[f.structure.child_towards(BODY, site)]


def _can_be_undone(w: Write, var: str, f: Facts) -> bool:
    """Whether a write sets a part that can be selected before, and again in the pullback."""
    s = f.structure.stmts[w.site]
    if w.unknown or not isinstance(s, S.Store | S.Update) or s.base != var or s.items is None:
        return False
    if not _selects_again(s.items, w.site, f):
        return False
    return not s.op.endswith("at") if isinstance(s, S.Update) else True


def _is_less(writes: list[Write], var: str, copies: list[Fetch], f: Facts) -> bool:
    """Whether for each write there is a copy that is made at least as often, of something that has
    more axes than the part which is overwritten."""

    def axes_of(kind: Kind, fixed: int = 0) -> int:
        return -1 if not isinstance(kind, Array) or kind.ndim is None else kind.ndim - fixed

    def around(site: int) -> set[int]:
        return {loop.site for loop in f.structure.loops(site)}

    copied: list[tuple[int, set[int]]] = []
    for c in copies:
        assert isinstance(c.value, E.Name)
        kind = f.kinds.var(c.value.id) if c.after else f.kinds.at(c.at, c.value.id)
        copied.append((axes_of(kind), around(c.at)))
    for w in writes:
        items = w.items or ()
        fixed = sum(isinstance(f.kinds.expr(w.site, i), Scalar) for i in items)
        axes = axes_of(f.kinds.var(var), fixed)
        if not any(axes < more and around(w.site) <= loops for more, loops in copied):
            return False
    return bool(writes)
