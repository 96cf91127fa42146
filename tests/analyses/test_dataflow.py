"""The fixed-point engine: joins, loops that may not run, early exits."""

from __future__ import annotations

import pytest

from adtrans.analyses import dataflow
from adtrans.analyses.definitions import definitions
from adtrans.analyses.liveness import liveness
from adtrans.diagnostics.errors import InternalError
from adtrans.ir import stmt as S
from adtrans.ir import walk

from .build import Build, less, plus


def surely_bound(fn: S.Function) -> dataflow.Flow[frozenset[str]]:
    """Variables bound on every path."""
    return dataflow.forward(
        fn.body,
        frozenset(p.name for p in fn.params),
        lambda s, state: state | {*walk.binds_of(s)},
        frozenset.intersection,
    )


def test_branches_join() -> None:
    b = Build()
    branch = b.if_("c", (b.bind("y", 1), b.bind("z", 1)), (b.bind("y", 2),))
    flow = surely_bound(b.fn("c", branch))
    assert flow.end == {"c", "y"}


def test_a_raise_ends_its_path() -> None:
    b = Build()
    branch = b.if_("c", (b.bind("y", 1),), (b.keep("c", form="raise"), b.bind("y", 3)))
    flow = surely_bound(b.fn("c", branch))
    assert flow.end == {"c", "y"}
    unreachable = branch.orelse[1].site
    assert unreachable not in flow.before


def test_a_loop_may_not_run() -> None:
    b = Build()
    loop = b.for_("i", "x", (b.bind("y", "i"),))
    flow = surely_bound(b.fn("x", loop))
    assert flow.end == {"x"}
    assert flow.before[loop.body[0].site] == {"x", "i"}


def test_the_head_of_a_while_runs_before_the_test() -> None:
    b = Build()
    loop = b.while_("t", (b.bind("y", 1),), head=(b.bind("t", less("n", 3)),))
    flow = surely_bound(b.fn("n", loop))
    assert flow.end == {"n", "t"}
    assert flow.head[loop.site] == {"n"}
    assert flow.test[loop.site] == {"n", "t"}


def test_break_and_continue_lead_to_their_places() -> None:
    b = Build()
    leave = b.if_("c", (b.bind("y", 1), b.brk()), (b.bind("z", 1), b.cont()))
    loop = b.while_(True, (leave,))
    flow = surely_bound(b.fn("c", loop))
    assert flow.end == {"c", "y"}  # `while True` is left by the break alone


def test_an_endless_loop_has_no_end() -> None:
    b = Build()
    assert surely_bound(b.fn("c", b.while_(True, (b.bind("y", 1),)))).end is None


def test_hooks_of_loops() -> None:
    b = Build()
    loop = b.for_("i", "x", (b.bind("y", "i"),))
    flow = dataflow.forward(
        (loop,),
        frozenset(("start",)),
        lambda s, state: state | {f"s{s.site}"},
        frozenset.union,
        at_loop_entry=lambda s, state: state | {"in"},
        at_back_edge=lambda s, state: state | {"again"},
        at_loop_exit=lambda s, state: state | {"out"},
    )
    assert flow.head[loop.site] >= {"start", "in", "again"}
    assert "out" not in flow.head[loop.site]
    assert flow.end is not None
    assert "out" in flow.end


def test_a_lattice_without_end_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataflow, "_BOUND", 50)
    b = Build()
    loop = b.while_("c", (b.bind("y", 1),))
    with pytest.raises(InternalError):
        dataflow.forward((loop,), 0, lambda s, n: n + 1, max)


def test_liveness_around_a_loop() -> None:
    b = Build()
    first = b.bind("s", 0)
    step = b.bind("s", plus("s", "i"))
    fn = b.fn("x w", first, b.for_("i", "x", (step,)), b.ret("s"))
    live = liveness(fn)
    assert live.out[first.site] == {"s", "x"}
    assert live.out[step.site] == {"s", "x"}  # the loop holds on to what it iterates over
    assert live.into[step.site] == {"s", "i", "x"}


def test_liveness_follows_break_and_raise() -> None:
    b = Build()
    leave = b.if_(less("i", "n"), (b.brk(),))
    fail = b.if_("c", (b.keep("message", form="raise"),))
    loop = b.while_(True, (leave, b.bind("i", plus("i", 1))))
    live = liveness(b.fn("i n c message y", fail, loop, b.ret("y")))
    assert live.into[fail.site] == {"c", "message", "i", "n", "y"}
    assert live.into[loop.site] == {"i", "n", "y"}


def test_a_kept_statement_may_not_bind() -> None:
    b = Build()
    keep = b.keep("c", "y")
    live = liveness(b.fn("c y", keep, b.ret("y")))
    assert live.into[keep.site] == {"c", "y"}


def test_redefinition_counts_later_iterations() -> None:
    b = Build()
    before = b.bind("a", 1)
    use = b.bind("t", "a")
    again = b.bind("a", 2)
    after = b.bind("z", "t")
    loop = b.for_("i", "x", (use, again))
    d = definitions(b.fn("x", before, loop, after))
    assert d.redefined_after(before.site) == {"i", "t", "a", "z"}
    assert d.redefined_after(again.site) == {"i", "t", "a", "z"}
    assert d.redefined_after(loop.site) == {"z"}
    assert d.redefined_after(after.site) == set()
    assert d.loops[use.site] == (loop.site,)
    assert d.is_loop_local("t", loop.site)
    assert not d.is_loop_local("a", loop.site)
    assert d.is_single("z")
    assert not d.is_single("t")
    assert d.is_single("x")


def test_deleting_counts_as_redefining() -> None:
    b = Build()
    use = b.bind("t", "x")
    d = definitions(b.fn("x", use, b.keep(unbinds=("x",)), b.ret("t")))
    assert "x" in d.redefined_after(use.site)


def test_a_loop_that_surely_runs_leaves_nothing_as_it_was():
    b = Build()
    inner = b.bind("y", 2)
    first, loop, last = b.bind("y", 1), b.for_("i", "x", (inner,)), b.bind("z", "y")
    body = (first, loop, last)

    def reaching(s: S.Stmt, state: frozenset[int]) -> frozenset[int]:
        return frozenset({s.site}) if "y" in walk.binds_of(s) else state

    start: frozenset[int] = frozenset()
    for runs, expected in ((False, {first.site, inner.site}), (True, {inner.site})):
        flow = dataflow.forward(body, start, reaching, frozenset.union, runs=lambda loop, r=runs: r)
        assert flow.before[last.site] == expected
        live = dataflow.backward(
            body,
            frozenset("z"),
            lambda s, v: (v - {*walk.binds_of(s)}) | walk.reads_of(s),
            frozenset.union,
            bottom=frozenset(),
            runs=lambda loop, r=runs: r,
        )
        assert ("y" in live.after[first.site]) is not runs
