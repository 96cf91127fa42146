"""Finds the variables that hold `d.items()`, `d.values()` or `d.keys()` only for loops to go over.

pairs = d.items()          ->   {"pairs": ("d", "items")}
for k, v in pairs: ...          the loop goes over the keys of `d` instead

The keys are taken down when such a loop is entered. Where its body changes a dictionary, a view
beside others (`zip(pairs, x)`) stays what it is: Python notices at each turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.memory import elements_in
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, ListOf, Scalar
from adtrans.ir.walk import binds_of, reads_of, statements


def dict_views(fn: S.Function, kinds: Kinds) -> dict[str, tuple[str, str]]:
    """The dictionary and the method of each view that is only looped over or unpacked."""
    used = Counter(v for s in statements(fn.body) for v in reads_of(s))
    for s in statements(fn.body):
        if isinstance(s, S.Unpack):
            used.subtract((s.source,))
        if isinstance(s, S.For) and not _changes_entries(s, kinds):
            used.subtract(elements_in(s.iter))
        elif isinstance(s, S.For) and isinstance(s.iter, S.Elements):
            used.subtract((s.iter.source,))
    found: dict[str, tuple[str, str]] = {}
    for s in statements(fn.body):
        match s:
            case S.Bind(
                target=view,
                value=E.Call(
                    fn=E.Attribute(base=E.Name(id=base), attr="items" | "values" | "keys" as attr)
                ),
            ) if isinstance(kinds.at(s.site, base), DictOf) and not used[view]:
                found[view] = base, attr
            case _:
                pass
    return found


def losing_names(fn: S.Function, views: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """Those of the `views` with a name of the user's whose dictionary may have lost its own by the
    time of the loop: `pairs = d.items(); d = {}`."""
    called = fn.source_name
    bound = Counter(called(p.name) for p in fn.params)
    for s in statements(fn.body) if views else ():
        bound.update(map(called, () if isinstance(s, S.Update) else binds_of(s)))
    return frozenset(
        v for v, (of, _) in views.items() if called(v) in fn.reserved and bound[called(of)] > 1
    )


def _changes_entries(loop: S.For, kinds: Kinds) -> bool:
    """Whether a loop may change a dictionary, so that a view of one has to be looked at late."""
    for s in statements(loop.body):
        if isinstance(s, S.Store | S.Update | S.Edit):
            if isinstance(s, S.Update) and s.items is None and s.op != "|":
                continue  # no dictionary
            if not isinstance(kinds.at(s.site, s.base), Array | ListOf | Scalar):
                return True
        elif isinstance(s, S.Invoke | S.Keep):
            if any(not isinstance(kinds.at(s.site, v), Array | Scalar) for v in reads_of(s)):
                return True
    return False
