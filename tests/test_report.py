"""The report: one line for each write, with place, verdict and reason."""

from __future__ import annotations

import numpy as np

import adtrans as ad
from adtrans.report import Report

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
    rows = f.report().text().splitlines()[1:]
    assert len({row.index("`") for row in rows}) == 1


def test_nothing_written() -> None:
    assert Report("g", ()).text() == "g: no array is written"
