"""What each target of a loop is in the k-th iteration."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.analyses.loops import count, is_plain, leaves
from adtrans.ir import stmt as S
from adtrans.ir.walk import rename
from tests.analyses.found import at, facts_of

A, V = np.ones((4, 3)), np.ones(4)


def rows(a, v):
    s = 0.0
    for row in a:
        s += np.sum(row)
    return s


def numbered(a, v):
    s = 0.0
    for i, (row, e) in enumerate(zip(a, v), 2):  # noqa: B905
        s += np.sum(row) * e * i
    return s


def backwards(a, v):
    s = 0.0
    for e in reversed(v):
        s = s * e
    return s


def stepped(a, v):
    s = 0.0
    for i, e in zip(range(1, 9, 2), v):  # noqa: B905
        s += i * e
    return s


def plain(a, v):
    s = 0.0
    for i in reversed(range(1, 4)):
        s += v[i]
    return s


@pytest.mark.parametrize(
    ("fn", "expected", "trips"),
    [
        (rows, {"row": "a[k]"}, "len(a)"),
        (numbered, {"i": "2 + k", "row": "a[k]", "e": "v[k]"}, "min(len(a), len(v))"),
        (backwards, {"e": "v[-1 - k]"}, "len(v)"),
        (stepped, {"i": "1 + 2 * k", "e": "v[k]"}, "min(len(range(1, 9, 2)), len(v))"),
    ],
)
def test_leaves(fn, expected: dict[str, str], trips: str) -> None:
    facts = facts_of(fn, A, V, wrt=(0, 1))
    loop = at(facts, "for ", S.For)
    found = {
        facts.fn.source_name(v): str(rename(leaf.value, {f"k#{loop.site}": "k"}))
        for v, leaf in leaves(loop, facts.kinds).items()
    }
    assert found == expected
    assert str(count(loop.iter)) == trips
    assert not is_plain(loop)


def test_a_plain_range_is_run_again_as_it_is() -> None:
    facts = facts_of(plain, A, V, wrt=1)
    loop = at(facts, "for ", S.For)
    assert is_plain(loop)
    (leaf,) = leaves(loop, facts.kinds).values()
    assert leaf.value is None and leaf.source is None
