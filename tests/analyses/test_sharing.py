"""Which names must share their adjoint with the array that they look into."""

from __future__ import annotations

import numpy as np

from tests.analyses.found import facts_of

X = np.arange(6.0)


def read_only(x):
    v = x[1:]
    return np.sum(v * v)


def written_through(x):
    y = x * 1.0
    v = y[1:]
    v[0] = 0.5
    return np.sum(y)


def across_a_write(x):
    y = x * 1.0
    v = y[1:]
    y[2] = 0.5
    return np.sum(v)


def chain(x):
    y = x * 1.0
    v = y[1:]
    w = v[1:]
    w += 2.0
    return np.sum(y)


def test_a_view_that_is_only_read_has_an_adjoint_of_its_own() -> None:
    assert not facts_of(read_only, X).sharing.base


def test_views_that_live_across_a_write_share() -> None:
    for fn in (written_through, across_a_write):
        sharing = facts_of(fn, X).sharing
        assert sharing.root("v") == "y" and not sharing.ambiguous


def test_views_of_views_share_with_the_first() -> None:
    sharing = facts_of(chain, X).sharing
    assert sharing.base["w"][0] == "v" and sharing.root("w") == "y"


def one_or_the_other(x, first):
    a = x * 1.0
    b = x * 2.0
    c = a if first else b
    c[0] = 0.5
    return np.sum(a) + np.sum(b)


def either_is_a_copy(x, first):
    a = x * 1.0
    c = a.copy() if first else x * 2.0
    c[0] = 0.5
    return np.sum(a) + np.sum(c)


def in_a_tuple(x, k):
    a = x * 1.0
    b = x * 2.0
    pair = (a, b)
    c = pair[k]
    c[0] = 0.5
    return np.sum(a) + np.sum(b)


def test_a_name_that_may_be_either_is_found_by_address() -> None:
    sharing = facts_of(one_or_the_other, X, True).sharing
    assert sharing.addressed == {"a", "b", "c"} and not sharing.ambiguous and not sharing.base
    sharing = facts_of(either_is_a_copy, X, True).sharing
    assert not sharing.addressed and not sharing.ambiguous


def test_what_comes_out_of_a_tuple_is_found_by_address() -> None:
    sharing = facts_of(in_a_tuple, X, 1).sharing
    assert sharing.addressed >= {"a", "b", "c"} and sharing.through and not sharing.ambiguous


def of_two_types(x, first):
    a = x * 1.0
    b = np.zeros(3, np.float32)
    c = a if first else b
    c[0] = 0.5
    return np.sum(a) + np.sum(b)


def test_arrays_of_several_types_are_found_by_address() -> None:
    sharing = facts_of(of_two_types, X, True).sharing
    assert sharing.addressed >= {"a", "b", "c"} and not sharing.ambiguous
