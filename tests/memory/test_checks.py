"""The checks in generated code: reported, refused on request, absent where nothing is unproven."""

from __future__ import annotations

import copy
import inspect
import zlib
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.analyses.kinds import param_kinds
from adtrans.arguments.inputs import target_of
from adtrans.diagnostics.errors import CompileError, MutationError
from adtrans.driver.options import Options
from adtrans.pipeline import compile_function
from adtrans.testing import check_grads
from tests.corpus import CASES, Case

HELPERS = ("check_view(", "check_copy(", "check_unneeded(", "check_unmarked(", "call_frozen(",
           "check_plain(", "check_order(")  # fmt: skip


def on_one_path(x, reset):
    y = x * 1.0
    z = y * y
    if reset:
        y[0] = 1.0
    return np.sum(z) + np.sum(y)


def at_places(x, perm):
    y = np.ones((4, 3))
    for i in range(1, 4):
        y[perm[i]] = y[perm[i - 1]] * x[i]
    return np.sum(y)


def through_a_ravel(x):
    f = x.ravel()
    f[0] = f[1] * f[2]
    return np.sum(x * x)


def one_of_two(x, p):
    a = x * 1.0
    w, b = np.ones(4), np.ones(4)
    c = w if p else b
    s = np.sum(a * w)
    c[0] = 5.0
    return s + np.sum(b)


def handed_out(x, listener):
    w = np.array([1.0, 2.0, 3.0, 4.0])
    s = np.sum(w * x)
    listener(w)
    return s


_UNREAD: dict[str, Any] = {}
exec("def look(self, a):\n    if self.write:\n        a[0] = 9.0", _UNREAD)


class Look:
    """Something adtrans cannot read."""

    def __init__(self, write: bool) -> None:
        self.write = write

    __call__ = _UNREAD["look"]


X, M = np.array([0.3, -1.0, 2.0, 0.7]), np.arange(1.0, 13.0).reshape(4, 3) / 7.0
BOTH = [
    ("path", on_one_path, (X, 0.0), (X, 1.0)),
    ("elements", at_places, (M, np.array([2, 0, 3, 1])), (M, np.array([2, 0, 2, 1]))),
    ("view", through_a_ravel, (M,), (np.asfortranarray(M),)),
    ("array", one_of_two, (X, 0.0), (X, 1.0)),
]


@pytest.mark.parametrize(("kind", "f", "fine", "wrong"), BOTH, ids=[b[0] for b in BOTH])
def test_each_check_is_silent_or_fires(kind, f, fine, wrong) -> None:
    g = ad.differentiable(f)
    x, *rest = copy.deepcopy(fine)
    expected = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        sides = []
        for h in (1e-6, -1e-6):
            moved = x.copy()
            moved[at] += h
            sides.append(f(moved, *copy.deepcopy(rest)))
        expected[at] = (sides[0] - sides[1]) / 2e-6
    np.testing.assert_allclose(g.grad(x, *rest), expected, rtol=1e-6, atol=1e-8)
    with pytest.raises(MutationError, match=r"^line \d+ .*line \d+"):
        g.grad(*copy.deepcopy(wrong))
    (check,) = g.report().checks
    assert check.kind == kind and check.sentence.endswith(")")
    assert "checked" in {v.verdict for v in g.report().writes}


@pytest.mark.parametrize(("kind", "f", "fine", "wrong"), BOTH[:2] + BOTH[3:])
def test_checks_are_refused_on_request(kind, f, fine, wrong) -> None:
    with pytest.raises(CompileError) as found:
        ad.grad(f, on_unproven="refuse")(*copy.deepcopy(fine))
    assert found.value.diagnostics[0].code in ("AD301", "AD302", "AD206")


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_view_or_copy_needs_no_check_where_nothing_is_assumed(order) -> None:
    x = np.array(M, order=order)
    check_grads(through_a_ravel, (x,), modes=("reverse",), on_unproven="refuse")
    f = ad.differentiable(through_a_ravel, on_unproven="refuse")
    f.grad(x)
    assert not f.report().checks
    with pytest.raises(CompileError, match="a view of `x` or a copy"):
        ad.jvp(through_a_ravel, (x,), (M,), on_unproven="refuse")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("order_dot", ["C", "F"])
def test_tangents_are_views_where_the_values_are(order, order_dot) -> None:
    x, x_dot = np.array(M, order=order), np.array(np.cos(M), order=order_dot)
    sides = [through_a_ravel(np.array(x + h * x_dot, order=order)) for h in (1e-6, -1e-6)]
    _, found = ad.jvp(through_a_ravel, (x,), (x_dot,))
    assert found == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-6)


@pytest.mark.parametrize(("kind", "f", "fine", "wrong"), BOTH[:2] + BOTH[3:])
def test_copies_need_no_checks(kind, f, fine, wrong) -> None:
    g = ad.differentiable(f, on_overwrite="save")
    g.grad(*copy.deepcopy(wrong))
    assert not g.report().checks and not any(h in g.source for h in HELPERS)


def test_a_function_that_cannot_be_read_may_look_but_not_write() -> None:
    assert ad.grad(handed_out)(X, Look(False)).tolist() == [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(MutationError, match="overwrites `w`") as found:
        ad.grad(handed_out)(X, Look(True))
    assert isinstance(found.value.__cause__, ValueError)
    with pytest.raises(CompileError):
        ad.grad(handed_out, on_unproven="refuse")(X, Look(False))


def test_arguments_that_may_overlap_are_in_the_report() -> None:
    def f(u, v):
        v[0] = 1.0
        return np.sum(u * u) + np.sum(v)

    g = ad.differentiable(f)
    g.grad(X.copy(), X.copy())
    (check,) = g.report().checks
    assert check.kind == "overlap" and "`u`, `v`" in check.sentence
    x = X.copy()
    with pytest.raises(MutationError, match="share memory"):
        g.grad(x, x)


def test_arguments_that_one_name_may_mean_are_in_the_report() -> None:
    def f(u, v, k):
        w = u * v
        c = u if k > 3 else w
        d = v if k > 4 else w
        w[0] = u[1] * v[0]
        return np.sum(c) + 2.0 * np.sum(d)

    g = ad.differentiable(f)
    assert g.grad(X[:2].copy(), X[2:].copy(), 5).tolist() == [1.0, 1.0]
    (check,) = g.report().checks
    assert check.kind == "overlap" and "`u`, `v`" in check.sentence
    with pytest.raises(MutationError, match="share memory"):
        g.grad(X[:3], X[1:], 5)


def test_checked_code_stands_alone_and_is_differentiated_again() -> None:
    kinds = param_kinds({"x": X, "reset": False})
    compiled = compile_function(on_one_path, kinds, Options(), wrt=("x",))
    names: dict[str, object] = {}
    exec(compiled.standalone(), names)
    forward = names["on_one_path_forward"]
    assert callable(forward)
    assert forward(X, False)[0] == on_one_path(X, False)
    with pytest.raises(RuntimeError, match="line"):
        forward(X, True)
    second = ad.grad(lambda x: np.sum(ad.grad(on_one_path)(x, False)))(X)
    assert second.tolist() == [2.0, 2.0, 2.0, 2.0]


def compiled_or_none(case: Case):
    bound = inspect.signature(case.fn).bind(*case.args).arguments
    wrt = target_of(case.fn).select(case.wrt)
    try:
        return compile_function(case.fn, param_kinds(bound), Options(**case.options), wrt=wrt)
    except CompileError:
        return None


def chosen(share: int) -> list[Any]:
    """The groups, with one in so many of their programs."""
    some = [c for c in CASES if zlib.crc32(c.name.encode()) % share == 0 and c.group != "bad"]
    groups = sorted({c.group for c in some})
    return [pytest.param([c for c in some if c.group == g], id=g) for g in groups]


@pytest.mark.parametrize("cases", chosen(4))
def test_no_check_where_nothing_is_unproven(cases: list[Case]) -> None:
    hold_checks_where_listed(cases)


@pytest.mark.slow
@pytest.mark.parametrize("cases", chosen(1))
def test_no_check_in_any_program_where_nothing_is_unproven(cases: list[Case]) -> None:
    hold_checks_where_listed(cases)


def hold_checks_where_listed(cases: list[Case]) -> None:
    for case in cases:
        made = compiled_or_none(case)
        if made is not None:
            inside = any(h in made.source for h in HELPERS)
            listed = {c.kind for c in made.report.checks} - {"overlap"}
            assert inside == bool(listed), case.name
            words = {v.verdict for v in made.report.writes}
            assert not listed - {"real"} or "checked" in words, case.name


def overwritten_on_a_path(x, reset):
    y = 2.0 * x
    z = y * y
    if reset:
        y[0] = 3.0
    return np.sum(z) + np.sum(y)


def overwritten_at_computed_places(x, at):
    y = np.outer(x, x)
    for i in range(1, 3):
        y[at[i]] = y[at[i - 1]] * x * y[at[i - 1]]
    return np.sum(y)


def copied_into_itself(x, n):
    y = x * x
    y[::2] = y[n : n + 4]
    return np.sum(y * x)


@pytest.mark.parametrize("f, args, code, write", [
    (overwritten_on_a_path, (np.array([1.0, 2.0]), True), "AD301", "y[0] = 3.0"),
    (overwritten_at_computed_places, (np.array([1.0, 2.0]), np.array([0, 0, 0])),
     "AD301/AD304", "y[at[i]] = "),
    (copied_into_itself, (np.arange(1.0, 9.0), 1), "AD302", "y[::2] = y[n : n + 4]"),
])  # fmt: skip
@pytest.mark.parametrize("asked", ["grad", "vjp"])
def test_what_a_failing_check_says_has_places(f, args, code, write, asked):
    with pytest.raises(MutationError) as found:
        ad.grad(f)(*args) if asked == "grad" else ad.vjp(f, *args)
    (d,) = found.value.diagnostics
    lines, first = inspect.getsourcelines(f)
    assert d.code in code.split("/")
    assert d.fixes
    assert write in lines[d.primary.span.line - first]
    assert str(found.value).count("\n") == 0


def test_arguments_that_share_memory_have_a_diagnostic():
    x = np.arange(1.0, 5.0)
    with pytest.raises(MutationError) as found:
        ad.grad(written_beside)(x[:3], x[1:])
    (d,) = found.value.diagnostics
    assert (d.code, d.primary.span.file) == ("AD308", __file__)


def written_beside(u, v):
    v[0] = 1.0
    return np.sum(u * u) + np.sum(v)
