"""Names never collide with what is taken, and are the same each time."""

from __future__ import annotations

import builtins
import keyword

from hypothesis import given
from hypothesis import strategies as st

from adtrans.ir.names import NameAllocator


def test_numbers_follow_the_hint() -> None:
    names = NameAllocator({"x_bar", "u_2"})
    assert [names.fresh("t") for _ in range(3)] == ["t", "t_2", "t_3"]
    assert names.fresh("x_bar") == "x_bar_2"
    assert names.fresh("u") == "u"
    assert names.fresh("u") == "u_3"
    assert names.fresh("t_2") == "t_4"


def test_what_reads_badly_is_avoided() -> None:
    names = NameAllocator()
    for word in ("lambda", "match", "sum", "len", "_", "", "None"):
        got = names.fresh(word)
        assert got not in [*keyword.kwlist, *keyword.softkwlist, *dir(builtins)]


def test_reserved_later() -> None:
    names = NameAllocator()
    names.reserve(["t"])
    assert not names.is_free("t")
    assert names.fresh("t") == "t_2"


@given(st.lists(st.text(max_size=6)), st.sets(st.sampled_from(["t", "t_2", "a", "a_3"])))
def test_names_are_identifiers_used_once(hints: list[str], reserved: set[str]) -> None:
    names = NameAllocator(reserved)
    got = [names.fresh(hint) for hint in hints]
    assert len(set(got)) == len(got)
    assert not set(got) & reserved
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in got)
    again = NameAllocator(reserved)
    assert [again.fresh(hint) for hint in hints] == got
