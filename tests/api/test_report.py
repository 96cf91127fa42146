"""The report: one line for each write, with place, verdict and reason."""

from __future__ import annotations

import re

import numpy as np
import pytest

import adtrans as ad
from adtrans.driver.report import Report

X = np.array([1.0, 2.0, 3.0])


def halve(a):
    a *= 0.5


@ad.differentiable
def f(x):
    y = np.exp(x)
    y[0] = 0.0
    z = x * x
    halve(z)
    return np.sum(y) + np.sum(z)


def test_all_writes_with_their_places() -> None:
    f.grad(X)
    report = f.report()
    first = halve.__code__.co_firstlineno
    lines = report.text().splitlines()
    assert lines[0].startswith("f: 2 writes") or lines[0].startswith("f: 3 writes")
    assert any(f"test_report.py:{first + 1}" in line and "`a`" in line for line in lines)
    assert any("`y`" in line and "recomputed" in line for line in lines)
    assert str(report) == report.text()


def test_columns_line_up() -> None:
    f.grad(X)
    rows = [row for row in f.report().text().splitlines() if row.startswith("  test_report")]
    assert len(rows) == len(f.report().writes)
    assert len({row.index("`") for row in rows}) == 1


def square_inner(a):
    inner = a[1:]
    inner *= inner


@ad.differentiable(on_overwrite="save")
def stepped(u, steps, dt):
    u = u.copy()
    for _ in range(steps):
        v = u[1:-1]
        u[1:-1] = v + dt * (u[2:] * u[1:-1] - np.exp(v))
        square_inner(u)
    rows = np.outer(u, u).T
    rows[0] = 3.0
    return np.sum(u * u) + np.sum(rows)


def evaluated(formula: str, report: Report, names: dict) -> int:
    """A formula as a user would evaluate it: `kept(g)` is what the part `g` says."""

    def kept(name: str) -> int:
        part = next(p for p in report.parts if p.name == name)
        return evaluated(part.bytes, report, names)

    text = re.sub(r"kept\((\w+)\)", r"kept('\1')", formula)
    return eval(text, {"kept": kept, **names})


@pytest.mark.parametrize(("n", "steps"), [(5, 1), (20, 5), (20, 0)])
def test_formula_and_measurement_agree(n: int, steps: int) -> None:
    u = np.linspace(0.1, 0.3, n)
    stepped.grad(u, steps, 0.1)
    report = stepped.report()
    assert report.kept_bytes == evaluated(
        report.parts[0].bytes, report, {"u": u, "a": u, "steps": steps}
    )


def test_the_path_goes_through_views_and_calls() -> None:
    stepped.grad(np.linspace(0.1, 0.3, 5), 2, 0.1)
    by_line = {
        w.span.line - stepped.__wrapped__.__code__.co_firstlineno: w
        for w in stepped.report().writes
    }
    assert [s.text for s in by_line[6].path] == [
        "`u` is passed to `square_inner` as `a`",
        "`inner` is a view of `a`",
        "`square_inner` writes `inner`",
    ]
    assert by_line[5].bytes == "8 * steps * u.shape[0]"


def kept_by(fn, *args, **options):
    ad.differentiable(**options)(fn).grad(*args)
    g = ad.differentiable(**options)(fn)
    g.grad(*args)
    return g.report()


def loops(x, n):
    total = 0.0
    for i in range(1, n):
        for j in range(i):
            total += x[i] * x[j] * total
    while total > 1.0:
        total = total * np.sin(total)
    return total


def test_loops_that_are_not_counted_beforehand() -> None:
    formulas = {r.bytes for r in kept_by(loops, X, 3).kept if r.loops}
    line = loops.__code__.co_firstlineno
    assert f"8 * runs({line + 3})" in formulas and f"8 * runs({line + 5})" in formulas


def matrix(a, k):
    for v in a[:k]:
        w = np.exp(v)
        a[0] = w * w
    return np.sum(a)


def test_dtypes_and_constant_sizes_count() -> None:
    report = kept_by(matrix, np.ones((4, 3), np.float32), 3)
    kept = [r for r in report.kept if r.loops]
    assert kept and all(r.bytes.startswith("4 * ") for r in kept)


def test_what_the_caller_owns_is_not_counted() -> None:
    report = kept_by(lambda x: np.sum(x * x), X)
    assert [r.how for r in report.kept] == ["shared"]
    assert report.kept_bytes == 0 and "keeps the caller's `x`" in report.text()


def test_a_pullback_that_is_held_owns_copies() -> None:
    g = ad.differentiable(lambda x: np.sum(x * x))
    g.vjp(X)
    assert g.report().kept_bytes == X.nbytes


def test_the_html_says_the_same_and_escapes() -> None:
    stepped.grad(np.linspace(0.1, 0.3, 5), 2, 0.1)
    page = stepped.report()._repr_html_()
    assert page.count("<tr>") == len(stepped.report().writes)
    assert "saved" in page and "8 * steps * u.shape[0]" in page
    assert stepped.report()._repr_html_() in stepped._repr_html_()


def test_nothing_written() -> None:
    assert Report("g", ()).text() == "g: no array is written"


def leaves_alone(x):
    y = x.copy()
    y[0] = 1.0
    z = np.zeros(3, np.float32)
    z[:] = np.float32(2.0)
    z[1] = 0.5
    row = y[[0, 1]]
    row[0] = x[2]
    return np.sum(y) + np.sum(row) + np.sum(z)


def test_no_notes_where_nothing_surprises() -> None:
    assert kept_by(leaves_alone, X).notes == ()


def test_a_callee_that_writes_its_argument_is_no_surprise_in_itself() -> None:
    f.grad(X)
    assert f.report().notes == ()


def writes_both(x, out):
    x[0] = 2.0
    np.multiply(x, x, out=out)
    x[1] = 3.0
    return np.sum(out)


def test_one_note_for_each_written_argument() -> None:
    report = kept_by(writes_both, X.copy(), np.zeros(3), on_overwrite="save")
    assert [n.title for n in report.notes] == [
        "the argument `x` is written",
        "the argument `out` is written",
    ]


def add_one_by_one(a, b):
    for i in range(len(a)):
        a[i] += b[i] * b[i]


def overlapping_parts(x):
    u = x * 1.0
    add_one_by_one(u[1:], u[:-1])
    return np.sum(u * u)


def test_a_view_of_what_is_kept_costs_nothing() -> None:
    f = ad.differentiable(overlapping_parts)
    f.grad(np.ones(6))
    report = f.report()
    assert report.parts[0].bytes == "8 * x.shape[0]"
    assert report.kept_bytes == 48
    assert [w.target for w in report.writes] == ["a"]


def overwritten_afterwards(x):
    y = 2.0 * x
    z = y * y
    y[0] = 3.0
    return np.sum(z) + np.sum(y)


def test_what_computes_tangents_on_the_way_needs_nothing_afterwards() -> None:
    f = ad.differentiable(overwritten_afterwards)
    f.jvp((X.copy(),), (np.ones_like(X),))
    assert [w.verdict for w in f.report().writes] == ["safe"]


def two_in_one_place(x):
    sums = [0.0] * 2
    sums[0] += x
    sums[1] = sums[0]
    for k in range(2):
        sums[k] += x * x
    return np.sum(sums[0])


def test_what_is_taken_out_of_a_list_is_called_by_its_name() -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(two_in_one_place)(X.copy())
    titles = {d.title for d in caught.value.diagnostics}
    assert titles == {"`sums[...] += ...` may rebind a number or change an array in place"}
