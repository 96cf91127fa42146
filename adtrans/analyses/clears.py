"""Which stores need no clearing of the adjoint when they are reversed.

`h[i] = v` reversed hands the adjoint of `h[i]` to `v` and sets it to zero, because what `h[i]` held
before had no influence. Where nothing reads that element of the adjoint afterwards, that is where
no earlier statement wrote the element and the array was made of constants, no zero is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adtrans.analyses.abstract import Obj
from adtrans.analyses.activity import Activity
from adtrans.analyses.apply import Application
from adtrans.analyses.dataflow import forward
from adtrans.analyses.disjoint import disjoint
from adtrans.analyses.places import Places
from adtrans.analyses.points_to import Memory
from adtrans.analyses.regions import ALL, Region
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements


@dataclass(frozen=True, slots=True)
class Written:
    """A region of an object that an earlier statement wrote."""

    obj: Obj
    region: Region


def dead_clears(
    fn: S.Function,
    act: Activity,
    apps: Mapping[int, Application],
    mem: Memory,
    places: Places,
) -> frozenset[int]:
    """The sites of stores whose adjoint need not be set to zero."""
    stmts = {s.site: s for s in statements(fn.body)}
    made_of_constants = {
        replace(obj, old=old)
        for site, objs in mem.allocates.items()
        for obj in objs
        for old in (False, True)
        if is_constant(stmts[site], act, apps)
    }
    needed: set[int] = set()

    def transfer(s: S.Stmt, state: frozenset[Written]) -> frozenset[Written]:
        for w in mem.at(s.site):
            region = ALL if w.items is None else places.region(w.var, w.items, w.site)
            if isinstance(s, S.Store):
                facts = places.facts(s.site)
                clash = any(
                    v.obj in w.objects and not disjoint(v.region, region, facts) for v in state
                )
                if clash or not w.objects <= made_of_constants:
                    needed.add(s.site)
            state |= {Written(obj, region) for obj in w.objects}
        made = mem.allocates.get(s.site)
        if not made:
            return state
        return frozenset(
            replace(v, obj=replace(v.obj, old=True)) if v.obj in made else v for v in state
        )

    def back(loop: S.Stmt, state: frozenset[Written]) -> frozenset[Written]:
        return frozenset(replace(v, region=places.earlier(v.region, loop.site)) for v in state)

    def leave(loop: S.Stmt, state: frozenset[Written]) -> frozenset[Written]:
        return frozenset(replace(v, region=places.after(v.region, loop.site)) for v in state)

    start: frozenset[Written] = frozenset()
    forward(
        fn.body, start, transfer, frozenset.union, at_back_edge=back, at_loop_exit=leave
    )
    stores = {w.site for w in mem.writes if isinstance(stmts[w.site], S.Store) and w.objects}
    return frozenset(stores - needed)


def is_constant(s: S.Stmt, act: Activity, apps: Mapping[int, Application]) -> bool:
    """Whether a statement makes an array that depends on nothing differentiated."""
    app = apps.get(s.site)
    if not isinstance(s, S.Bind) or app is None or app.result != "fresh":
        return False
    return not any(act.active(e) for _, e in app.operands())
