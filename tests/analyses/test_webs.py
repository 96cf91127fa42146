"""Webs: what must stay one variable, and what becomes two."""

from __future__ import annotations

from adtrans.analyses.webs import webs
from adtrans.ir import stmt as S
from adtrans.ir import walk

from .build import Build, less, plus


def bound(fn: S.Function) -> list[tuple[str, ...]]:
    return [walk.binds_of(s) for s in walk.statements(fn.body) if walk.binds_of(s)]


def test_straight_code_splits() -> None:
    b = Build()
    fn = webs(b.fn("u", b.bind("u", plus("u", 1)), b.bind("u", plus("u", 2)), b.ret("u")))
    first, second, ret = fn.body
    assert isinstance(first, S.Bind) and isinstance(second, S.Bind) and isinstance(ret, S.Return)
    assert (first.target, str(first.value)) == ("u@2", "u + 1")
    assert (second.target, str(second.value)) == ("u@3", "u@2 + 2")
    assert str(ret.values[0]) == "u@3"
    assert dict(fn.names) == {"u@2": "u", "u@3": "u"}
    assert fn.source_name("u@3") == "u"


def test_a_loop_carried_variable_is_one_web() -> None:
    b = Build()
    loop = b.for_("i", "x", (b.bind("s", plus("s", "i")),))
    fn = webs(b.fn("x", b.bind("s", 0), loop, b.ret("s")))
    assert bound(fn) == [("s",), ("i",), ("s",)]


def test_temporaries_of_two_loops_are_apart() -> None:
    b = Build()
    first = b.for_("i", "x", (b.bind("t", "i"), b.keep("t")))
    second = b.for_("i", "x", (b.bind("t", "i"), b.keep("t")))
    fn = webs(b.fn("x", first, second))
    assert bound(fn) == [("i",), ("t",), ("i@2",), ("t@2",)]


def test_the_loop_variable_after_a_loop_that_may_not_run() -> None:
    b = Build()
    loop = b.for_("i", "x", (b.keep("i"),))
    fn = webs(b.fn("x", b.bind("i", -1), loop, b.ret("i")))
    assert bound(fn) == [("i",), ("i",)]


def test_branches_meet() -> None:
    b = Build()
    branch = b.if_("c", (b.bind("y", 1),), (b.bind("y", 2),))
    fn = webs(b.fn("c", b.bind("y", 0), b.keep("y"), branch, b.ret("y")))
    assert bound(fn) == [("y",), ("y@2",), ("y@2",)]
    branch_only = webs(b.fn("c", b.bind("y", 0), b.if_("c", (b.bind("y", 1),)), b.ret("y")))
    assert bound(branch_only) == [("y",), ("y",)]


def test_update_does_not_split() -> None:
    b = Build()
    fn = webs(b.fn("u x", b.bind("u", plus("u", 1)), b.update("u", "+", "x"), b.ret("u")))
    update = fn.body[1]
    assert isinstance(update, S.Update)
    assert update.base == "u@2"
    assert bound(fn) == [("u@2",), ("u@2",)]


def test_while_test_sees_the_body() -> None:
    b = Build()
    loop = b.while_(less("i", 3), (b.bind("i", plus("i", 1)),))
    fn = webs(b.fn("", b.bind("i", 0), loop))
    assert bound(fn) == [("i",), ("i",)]
    outer = fn.body[1]
    assert isinstance(outer, S.While)
    assert str(outer.test) == "i < 3"


def test_break_keeps_both_definitions() -> None:
    b = Build()
    leave = b.if_("c", (b.bind("r", 1), b.brk()))
    fn = webs(b.fn("c", b.while_(True, (leave, b.bind("r", 2), b.brk())), b.ret("r")))
    assert bound(fn) == [("r",), ("r",)]


def test_a_definition_that_only_a_raise_can_see() -> None:
    b = Build()
    fail = b.if_("c", (b.bind("y", 1), b.keep("y", form="raise")))
    fn = webs(b.fn("c", fail, b.bind("y", 2), b.ret("y")))
    assert bound(fn) == [("y",), ("y@2",)]


def test_keep_may_leave_the_old_value() -> None:
    b = Build()
    fn = webs(b.fn("c", b.bind("y", 1), b.keep("c", "y"), b.ret("y")))
    assert bound(fn) == [("y",), ("y",)]


def test_del_ends_a_web() -> None:
    b = Build()
    fn = webs(b.fn("x", b.bind("y", 1), b.keep(unbinds=("y",)), b.bind("y", 2), b.ret("y")))
    assert bound(fn) == [("y",), ("y@2",)]
    deleted = fn.body[1]
    assert isinstance(deleted, S.Keep)
    assert deleted.unbinds == ("y",)


def test_whole_variables_stay() -> None:
    b = Build()
    fn = b.fn("u", b.bind("u", plus("u", 1)), b.bind("u", plus("u", 2)), b.ret("u"))
    assert bound(webs(fn, whole=["u"])) == [("u",), ("u",)]


def test_splitting_twice_changes_nothing() -> None:
    b = Build()
    once = webs(b.fn("u", b.bind("u", plus("u", 1)), b.bind("u", plus("u", 2)), b.ret("u")))
    assert webs(once) == once
