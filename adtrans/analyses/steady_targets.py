"""Loops whose variable has another size elsewhere, and is read there: a turn binds another one.

for x in x: body; return x    ->    for x_2 in t: x = x_2; body

What `x` was before is there at the start of the body then, where its size can be kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adtrans.analyses.kinds import Kinds
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Scalar, Unknown, is_differentiable
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, reads_of, statements


def with_steady_targets(
    s: S.For, everything: Iterable[S.Stmt], kinds: Kinds, new: Rewriter
) -> S.For:
    """A loop whose targets keep their sizes. `everything`: the statements of the function."""
    bound = kinds.bounds(s.site)
    varying = [v for v in binds_of(s) if v in bound and _varies(kinds.var(v), bound[v])]
    if not varying:
        return s
    inside = {t.site for t in (s, *statements(s.body))}
    outside = {v for t in everything if t.site not in inside for v in reads_of(t)}
    own = {v: new.fresh(v) for v in varying if v in outside}
    start = tuple(S.Alias(v, t, site=new.fresh_site(), span=s.span) for v, t in own.items())
    return replace(s, target=_renamed(s.target, own), body=(*start, *s.body))


def _varies(everywhere: Kind, here: Kind) -> bool:
    """Whether a variable may have another size than in a loop, or in this turn of it."""
    match everywhere, here:
        case Array(dims=a), Array(dims=b):
            return a is None or None in a or a != b
        case Scalar(), _:
            return False
        case _:
            return isinstance(here, Scalar | Array | Unknown) and is_differentiable(here)


def _renamed(target: S.Target, to: dict[str, str]) -> S.Target:
    if isinstance(target, str):
        return to.get(target, target)
    return tuple(_renamed(t, to) for t in target)
