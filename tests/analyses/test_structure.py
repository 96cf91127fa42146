"""Blocks, positions, and what is executed before what."""

from __future__ import annotations

from adtrans.analyses.structure import BODY, structure
from tests.analyses.build import Build


def test_blocks_and_dominance() -> None:
    b = Build()
    first = b.bind("t", 1)
    inner, other = b.bind("u", "t"), b.bind("u", 2)
    branch = b.if_("c", (inner,), (other,))
    nested = b.for_("i", "x", (branch,))
    last = b.ret("t")
    s = structure(b.fn("x c", first, nested, last))

    assert s.block[first.site] == s.block[last.site] == BODY
    assert s.block[inner.site] == (branch.site, 0) and s.block[other.site] == (branch.site, 1)
    assert s.ancestors(s.block[inner.site]) == ((branch.site, 0), (nested.site, 0), BODY)
    assert s.loops(inner.site) == (nested,) and s.loops(nested.site) == ()
    assert s.owner(BODY) is None and s.owner((nested.site, 0)) is nested

    assert s.dominates(first.site, inner.site) and s.dominates(first.site, last.site)
    assert not s.dominates(inner.site, other.site), "never both"
    assert not s.dominates(inner.site, last.site), "the branch may not be taken"
    assert not s.dominates(last.site, first.site) and not s.dominates(first.site, first.site)
    assert s.conditional((branch.site, 1)) and not s.conditional(BODY)
