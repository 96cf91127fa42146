"""A variable that means the view of one dictionary or of another: its dictionary is kept instead.

if far:                               if far:
    pairs = d.items()                     held = d
else:                          ->     else:
    pairs = e.items()                     held = e
for k, v in pairs: ...                pairs_2 = held.items()
                                      for k, v in pairs_2: ...

What is done with such a variable is to loop over it, or to unpack it (see `dict_views`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adtrans.analyses.dict_views import named, view_of, views_bound
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.points_to import elements_in
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, iter_map, reads_of, rename, statements, without_origins


def with_dictionaries(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` without variables of that sort; the same object where there are none."""
    found = views_bound(fn, kinds)
    chosen = {
        v: ways[0][1] for v, ways in found.items()
        if len({*ways}) > 1 and len({attr for _, attr in ways}) == 1
    }  # fmt: skip
    if not chosen:
        return fn
    named = chosen.keys()
    changed = {s.origin for s in statements(fn.body) if named & {*reads_of(s), *binds_of(s)}}
    return replace(fn, body=without_origins(_Chosen(fn, chosen).block(fn.body), changed))


class _Chosen(Rewriter):
    """`methods`: by variable, the method that makes the view."""

    def __init__(self, fn: S.Function, methods: Mapping[str, str]) -> None:
        super().__init__(fn)
        self.methods = methods
        self.read = named(statements(fn.body))
        self.held = {v: self.fresh(v) for v in methods}

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        match s:
            case S.Bind(target=view) if view in self.methods:
                made = view_of(s)
                assert made is not None
                if view in self.read:
                    yield S.Alias(view, made[0], **S.place(s, s.site))
                yield S.Alias(self.held[view], made[0], **self.place(s))
            case S.Unpack(source=view) if view in self.methods:
                name = self.fresh(view)
                yield self.view(s, view, name)
                yield replace(s, source=name)
            case S.For() if seen := self.methods.keys() & {*elements_in(s.iter)}:
                names = {v: self.fresh(v) for v in sorted(seen)}
                for v, name in names.items():
                    yield self.view(s, v, name)
                yield replace(s, iter=iter_map(s.iter, lambda e: rename(e, names)))
            case _:
                yield s

    def view(self, s: S.Stmt, view: str, name: str) -> S.Bind:
        """The view of what the dictionary is by now."""
        made = E.Attribute(E.Name(self.held[view]), self.methods[view])
        return S.Bind(name, E.Call(made, ()), **self.place(s))
