"""Regions against the index sets that NumPy really selects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adtrans.analyses.disjoint import covers, disjoint
from adtrans.analyses.iterations import LoopFacts, facts_at
from adtrans.analyses.prove import NO_FACTS, Facts, proves_nonneg, proves_nonzero
from adtrans.analyses.regions import ALL, SOME, Part, Point, Region, Run, after, compose, earlier
from adtrans.analyses.subscripted import region_of
from adtrans.ir.affine import Affine
from adtrans.ir.expr import ELLIPSIS, NONE, Binary, Const, Expr, Name, Sequence, Slice, Unary
from adtrans.ir.kinds import PY_INT, UNKNOWN, Array, Kind, Scalar

N = Affine.symbol("u.shape[0]")
J = Affine.symbol("i")
U = Array("float64", (N,))
ENV: dict[str, Kind] = {"i": Scalar("int", None, J), "j": PY_INT}


def cut(lower: object = None, upper: object = None, step: object = None) -> Slice:
    parts = (p if p is None or isinstance(p, Name | Binary | Unary) else Const(p)
             for p in (lower, upper, step))  # fmt: skip
    return Slice(*parts)


# What is proved


def test_triangular_bounds() -> None:
    n, i, j = (Affine.symbol(s) for s in ("x.shape[0]", "i#1", "j#2"))
    facts = Facts((i, n - 1 - i, j, i - 1 - j))  # for i in range(n): for j in range(i)
    assert proves_nonneg(n - 2 - j, facts)
    assert not proves_nonneg(n - 3 - j, facts)
    assert proves_nonzero(i - j, facts)
    assert not proves_nonzero(i - j - 1, facts)


def test_what_holds_only_inside_a_loop_is_not_used_outside() -> None:
    n, i = Affine.symbol("n"), Affine.symbol("i#1*1")
    facts = Facts((), {"i#1*1": (i, n - 1 - i)})
    assert not proves_nonneg(n - 1, facts)  # the loop may not have run
    assert proves_nonneg(n - 1, facts, among=["i#1*1"])


affines = st.builds(
    lambda a, b, c: a * Affine.symbol("p") + b * Affine.symbol("q") + c,
    st.integers(-3, 3), st.integers(-3, 3), st.integers(-4, 4),
)  # fmt: skip


@settings(max_examples=200, deadline=None, derandomize=True)
@given(affines, st.lists(affines, max_size=4))
def test_proofs_hold(goal: Affine, known: list[Affine]) -> None:
    def value(e: Affine, p: int, q: int) -> int:
        return e.coefficient("p") * p + e.coefficient("q") * q + e.constant

    if not proves_nonneg(goal, Facts(tuple(known))):
        return
    for p in range(-8, 9):
        for q in range(-8, 9):
            if all(value(h, p, q) >= 0 for h in known):
                assert value(goal, p, q) >= 0


# Regions against NumPy

bounds = st.one_of(
    st.none(),
    st.integers(-5, 5),
    st.sampled_from([Name("i"), Binary("+", Name("i"), Const(1)), Binary("-", Name("i"), Const(2)),
                     Unary("-", Name("i")), Name("j")]),
)  # fmt: skip
item = st.one_of(
    st.builds(cut, bounds, bounds, st.sampled_from([None, 1, 2, 3, -1, -2])),
    st.integers(-4, 4).map(Const),
    st.sampled_from([Name("i"), Binary("-", Name("i"), Const(1)), Name("j")]),
)


def evaluate(e: Expr | None, env: dict[str, int]) -> object:
    match e:
        case None:
            return None
        case Const():
            return e.value
        case Name():
            return env[e.id]
        case Slice():
            return slice(*(evaluate(p, env) for p in (e.lower, e.upper, e.step)))
        case Unary():
            return -evaluate(e.operand, env)  # type: ignore[operator]  # an int
        case Binary():
            left, right = evaluate(e.left, env), evaluate(e.right, env)
            return left + right if e.op == "+" else left - right  # type: ignore[operator]  # ints
        case _:
            raise AssertionError(e)


def chosen(shape: tuple[int, ...], items: tuple[Expr, ...], env: dict[str, int]) -> set[int] | None:
    """The elements that `u[items]` selects, None if it raises."""
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    try:
        return set(np.ravel(numbers[tuple(evaluate(i, env) for i in items)]).tolist())
    except IndexError:
        return None


def settings_of(facts: Facts) -> list[tuple[int, dict[str, int]]]:
    return [(n, {"i": i, "j": j}) for n in range(7) for i in range(-3, 7) for j in (-2, 0, 3)
            if all(_holds(h, n, i) for h in facts.known)]  # fmt: skip


def _holds(h: Affine, n: int, i: int) -> bool:
    return h.coefficient("u.shape[0]") * n + h.coefficient("i") * i + h.constant >= 0


FACTS = [
    Facts(),
    Facts((N - 2,)),
    Facts((J, N - 1 - J)),
    Facts((J - 2, N - 3 - J)),
    Facts((J - 2, N - 1 - J)),
    Facts((-J - 1,)),
]


@settings(max_examples=600, deadline=None, derandomize=True)
@given(item, item, st.sampled_from(FACTS))
def test_disjoint_and_covers_on_one_axis(a: Expr, b: Expr, facts: Facts) -> None:
    p, q = (region_of((e,), U, ENV, facts) for e in (a, b))
    apart, held = disjoint(p, q, facts), covers(p, q, facts)
    if not apart and not held:
        return
    for n, env in settings_of(facts):
        x, y = chosen((n,), (a,), env), chosen((n,), (b,), env)
        if x is None or y is None:
            continue
        assert not (apart and x & y), (str(p), str(q), n, env)
        assert not (held and not y <= x), (str(p), str(q), n, env)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(item, min_size=1, max_size=2), st.lists(item, min_size=1, max_size=2),
       st.sampled_from(FACTS[:4]))  # fmt: skip
def test_disjoint_and_covers_on_two_axes(a: list[Expr], b: list[Expr], facts: Facts) -> None:
    base = Array("float64", (N, Affine.const(3)))
    p, q = (region_of(tuple(e), base, ENV, facts) for e in (a, b))
    apart, held = disjoint(p, q, facts), covers(p, q, facts)
    if not apart and not held:
        return
    for n, env in settings_of(facts):
        x, y = chosen((n, 3), tuple(a), env), chosen((n, 3), tuple(b), env)
        if x is None or y is None:
            continue
        assert not (apart and x & y), (str(p), str(q), n, env)
        assert not (held and not y <= x), (str(p), str(q), n, env)


view_item = st.one_of(item, st.just(NONE), st.just(ELLIPSIS))


@settings(max_examples=600, deadline=None, derandomize=True)
@given(st.lists(view_item, min_size=1, max_size=3), st.lists(view_item, min_size=1, max_size=3),
       item, st.sampled_from(FACTS[1:4]))  # fmt: skip
def test_views_of_views(outer: list[Expr], inner: list[Expr], other: Expr, facts: Facts) -> None:
    """`u[outer][inner]` against `u[other]`."""
    from adtrans.analyses.kinds import kind_of_expr
    from adtrans.ir.expr import Index

    base = Array("float64", (N, Affine.const(3)))
    if outer.count(ELLIPSIS) > 1 or inner.count(ELLIPSIS) > 1:
        return
    view = kind_of_expr(Index(Name("u"), tuple(outer)), {**ENV, "u": base}, facts)
    if not isinstance(view, Array):
        return
    within = region_of(tuple(inner), view, ENV, facts)
    p = compose(region_of(tuple(outer), base, ENV, facts), within)
    q = region_of((other,), base, ENV, facts)
    apart, held, holds = disjoint(p, q, facts), covers(p, q, facts), covers(q, p, facts)
    if not (apart or held or holds):
        return
    for n, env in settings_of(facts):
        numbers = np.arange(n * 3).reshape(n, 3)
        try:
            seen = numbers[tuple(evaluate(e, env) for e in outer)]
            x = set(np.ravel(seen[tuple(evaluate(e, env) for e in inner)]).tolist())
            y = set(np.ravel(numbers[evaluate(other, env)]).tolist())
        except IndexError:
            continue
        assert not (apart and x & y), (str(p), str(q), n, env)
        assert not (held and not y <= x), (str(p), str(q), n, env)
        assert not (holds and not x <= y), (str(p), str(q), n, env)


# What must be found


def region(*items: Expr, facts: Facts = NO_FACTS, base: Kind = U) -> Region:
    return region_of(items, base, ENV, facts)


def test_halves_and_strides() -> None:
    assert disjoint(region(cut(None, 2)), region(cut(2)))
    assert not disjoint(region(cut(None, 3)), region(cut(2)))
    assert disjoint(region(cut(0, None, 2)), region(cut(1, None, 2)))
    assert not disjoint(region(cut(0, None, 2)), region(cut(1, None, 3)))
    assert disjoint(region(Const(0)), region(cut(1)))
    assert disjoint(region(Const(-1)), region(cut(None, -1)))
    assert disjoint(region(Const(3)), region(cut(None, None, 2)))


def test_the_whole_covers_and_parts_do_not() -> None:
    assert covers(ALL, region(cut(1, -1)))
    assert covers(region(cut()), ALL)
    assert covers(region(ELLIPSIS), SOME)
    assert covers(region(cut(0)), region(cut(1)))
    assert not covers(region(cut(1)), ALL)
    assert not covers(SOME, region(Const(0)))
    assert covers(region(cut(1)), region(cut(2, -1)), Facts((N - 3,)))


def test_a_sign_that_is_not_known_selects_some_part() -> None:
    assert region(Name("i")) == Region((Part(),))
    assert region(Name("i"), facts=Facts((J,))) == Region((Point(J),))
    assert region(Name("j")) == Region((Part(),))


def test_any_axis_suffices() -> None:
    a = Array("float64", (N, N))
    upper = region(Const(0), cut(), base=a)
    lower = region(cut(1), Const(2), base=a)
    assert disjoint(upper, lower)
    assert not disjoint(region(cut(), Const(2), base=a), lower)


def test_index_arrays_select_some_part() -> None:
    env = {"k": Array("int64", (None,)), "m": Array("bool", (None,)), "w": UNKNOWN}
    a = Array("float64", (N, N))
    picked = region_of((Name("k"), Const(1)), a, env)
    assert str(picked) == "[?, 1]"
    assert disjoint(picked, region_of((cut(), Const(0)), a, env))
    assert str(region_of((Name("m"),), a, env)) == "[?]"
    assert str(region_of((Name("w"), Const(1)), a, env)) == "[?]"
    assert str(region_of((Sequence("list", (Const(0), Const(2))), Const(1)), a, env)) == "[?, 1]"


# Iterations


def loop(
    site: int,
    symbol: str,
    start: Affine,
    stop: Affine,
    step: int,
    around: tuple[int, ...] = (),
    inside: frozenset[int] | None = None,
) -> LoopFacts:
    s = Affine.symbol(symbol)
    sign = 1 if step > 0 else -1
    return LoopFacts(
        site, symbol.partition("#")[0], symbol, start, stop, Affine.const(step), (symbol,),
        (sign * (s - start), sign * (stop - s) - 1), ((symbol, step),),
        inside or frozenset((site,)), around,
    )  # fmt: skip


def test_a_recurrence_reads_what_it_wrote_earlier() -> None:
    i = Affine.symbol("i#7")
    forward = loop(7, "i#7", Affine.const(1), N, 1)
    facts = facts_at((), (7,), {7: forward})
    before = earlier(Region((Point(i - 1),)), forward)
    assert disjoint(before, Region((Point(i),)), facts)  # use y[i-1], write y[i]
    ahead = earlier(Region((Point(i + 1),)), forward)
    assert not disjoint(ahead, Region((Point(i),)), facts)  # use y[i+1], write y[i]


def test_a_loop_that_counts_down() -> None:
    i = Affine.symbol("i#7")
    backward = loop(7, "i#7", N - 2, Affine.const(-1), -1)
    facts = facts_at((), (7,), {7: backward})
    assert disjoint(earlier(Region((Point(i + 1),)), backward), Region((Point(i),)), facts)
    assert not disjoint(earlier(Region((Point(i - 1),)), backward), Region((Point(i),)), facts)


def test_rows_of_an_elimination() -> None:
    """Use `A[k, k+1:]`, later writes `A[i, k+1:]` with `i` in `range(k + 1, n)`."""
    k, i = Affine.symbol("k#1"), Affine.symbol("i#2")
    outer = loop(1, "k#1", Affine.const(0), N, 1, inside=frozenset((1, 2)))
    inner = loop(2, "i#2", k + 1, N, 1, around=(1,))
    facts = facts_at((), (1, 2), {1: outer, 2: inner})
    use = Region((Point(k), Run(k + 1, N)))
    write = Region((Point(i), Run(k + 1, N)))
    assert disjoint(use, write, facts)
    assert disjoint(earlier(use, outer), write, facts)
    other = Region((Point(i), Run(k + 1, N)))  # a use of row i clashes when k reaches it
    assert not disjoint(earlier(after(other, inner), outer), Region((Point(k),)), facts)


def test_triangular_inner_loops() -> None:
    """`for i: for j in range(i): use L[i, j]; write L[i, i]` is never a clash."""
    i, j = Affine.symbol("i#1"), Affine.symbol("j#2")
    outer = loop(1, "i#1", Affine.const(0), N, 1, inside=frozenset((1, 2)))
    inner = loop(2, "j#2", Affine.const(0), i, 1, around=(1,))
    facts = facts_at((), (1,), {1: outer, 2: inner})
    use = after(Region((Point(i), Point(j))), inner)
    assert disjoint(use, Region((Point(i), Point(i))), facts)
    assert disjoint(earlier(use, outer), Region((Point(i), Point(i))), facts)
    column = after(Region((Point(j),)), inner)
    assert disjoint(column, Region((Point(i),)), facts)
    assert disjoint(earlier(column, outer), Region((Point(i),)), facts)


def test_a_loop_that_is_entered_again_has_no_order() -> None:
    """`for t: for i: use u[i-1]; write u[i]`: the next `t` overwrites what this one used."""
    i = Affine.symbol("i#2")
    outer = loop(1, "t#1", Affine.const(0), Affine.symbol("n"), 1, inside=frozenset((1, 2)))
    inner = loop(2, "i#2", Affine.const(1), N, 1, around=(1,))
    facts = facts_at((), (1, 2), {1: outer, 2: inner})
    use = earlier(Region((Point(i - 1),)), inner)
    assert disjoint(use, Region((Point(i),)), facts)
    again = earlier(after(use, inner), outer)
    assert not disjoint(again, Region((Point(i),)), facts)
    assert earlier(again, inner) == again


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.integers(-2, 2), st.integers(-2, 2), st.sampled_from([1, 2, -1, -2]), st.booleans(),
    st.integers(0, 2),
)  # fmt: skip
def test_order_of_iterations_against_running_them(
    use_at: int, write_at: int, step: int, nested: bool, low: int
) -> None:
    i = Affine.symbol("i#2")
    start, stop = (Affine.const(low), N) if step > 0 else (N - 1, Affine.const(low - 1))
    outer = loop(1, "t#1", Affine.const(0), Affine.const(2), 1, inside=frozenset((1, 2)))
    inner = loop(2, "i#2", start, stop, step, around=(1,) if nested else ())
    loops = {2: inner, **({1: outer} if nested else {})}
    facts = facts_at((), tuple(sorted(loops)), loops)
    use, write = Region((Point(i + use_at),)), Region((Point(i + write_at),))
    claim = disjoint(earlier(use, inner), write, facts)
    outer_claim = nested and disjoint(earlier(after(use, inner), outer), write, facts)
    for n in range(6):
        indices = range(low, n, step) if step > 0 else range(n - 1, low - 1, step)
        used: list[tuple[int, int]] = []
        for t in range(2 if nested else 1):
            for k in indices:
                for when, where in used:
                    if claim and when == t:
                        assert where != k + write_at
                    if outer_claim and when < t:
                        assert where != k + write_at
                used.append((t, k + use_at))


def test_writing_after_the_loop() -> None:
    i = Affine.symbol("i#2")
    inner = loop(2, "i#2", Affine.const(1), N - 1, 1)
    facts = facts_at((), (), {2: inner})
    used = after(Region((Point(i),)), inner)
    assert disjoint(used, region(Const(0)), facts)
    assert disjoint(used, region(Const(-1)), facts)
    assert not disjoint(used, region(Const(1)), facts)


@pytest.mark.parametrize("region", [ALL, SOME, Region((Point(J), Run(J, None)))])
def test_regions_have_texts(region: Region) -> None:
    assert str(region).startswith("[")


def test_an_element_of_a_view_is_an_element_of_its_base():
    three, one = Affine.const(3), Affine.const(1)
    from adtrans.analyses.regions import Point, Region, Run, compose

    view = Region((Run(one, None, 2),))
    assert str(compose(view, Region((Point(three),)))) == "[7]"
