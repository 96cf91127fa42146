"""A function in which much is recorded is compiled within the run, where that is sound."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.recorder import compiled, hot

X = np.linspace(0.5, 1.0, 6)
RATES = [0.1]
TABLE = {"k": 0.3}
SHIFT = 0.0


def relaxed(a, k, n):
    s = 0.0
    for _ in range(n):
        s = s + a * k - 0.1 * s * s
    return s


def smoothed(u, k):
    u = u.copy()
    for _ in range(10):
        for i in range(1, len(u)):
            u[i] = 0.5 * k * u[i - 1] + 0.5 * u[i]
    return u


def squared_in_place(u):
    y = u * u
    z = np.exp(y)
    for i in range(len(y)):
        for _ in range(10):
            z[i] = z[i] * 0.9 + y[i]
    return np.sum(z)


def with_the_rate(a, n):
    for _ in range(n):
        a = a * (1.0 - RATES[-1])
    return a


def with_the_table(a, n):
    for _ in range(n):
        a = a * (1.0 - TABLE["k"])
    return a


def shifted(a, n):
    for _ in range(n):
        a = 0.5 * (a - SHIFT) + 0.1 * a * a
    return a


def filled(out, a):
    for i in range(len(out)):
        for _ in range(10):
            out[i] = 0.5 * out[i] + a


def counted(a, seen):
    for k in range(40):
        a = a + 0.1 * a * a / (k + 1)
    seen.append(a)
    return a


class Log:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(v)


def numbers(x):
    log = Log()
    for v in x:
        log.add(relaxed(v, x[1], 40))
    return sum(log.values)


def arrays(x):
    log, u = Log(), x * 2.0
    for _ in range(4):
        u = smoothed(u, x[0])
        log.add(u[2])
    return sum(log.values) + np.sum(u * u)


def a_needed_value_inside(x):
    log = Log()
    for k in range(4):
        log.add(squared_in_place(x * (k + 1)))
    return sum(log.values)


def a_list_outside_varies(x):
    log = Log()
    for k in range(4):
        RATES.append(0.01 * x[k])
        log.add(with_the_rate(x[0], 40))
    del RATES[1:]
    return sum(log.values)


def a_table_outside_does_not(x):
    log = Log()
    for k in range(4):
        log.add(with_the_table(x[k], 40))
    return sum(log.values)


def a_table_outside_is_written(x):
    log, before = Log(), TABLE["k"]
    for k in range(12):
        TABLE["k"] = 0.01 * k if k % 2 else [0.01 * k][0]
        log.add(with_the_table(x[k % 4], 40))
    TABLE["k"] = before
    return sum(log.values)


def a_number_outside_changes(x):
    global SHIFT
    log = Log()
    for k in range(12):
        SHIFT = 0.01 * k
        log.add(shifted(x[k % 4], 40))
    return sum(log.values)


def its_argument_is_written(x):
    log, out = Log(), np.zeros(5)
    for k in range(4):
        filled(out, x[k])
        log.add(out[1])
    return sum(log.values) + np.sum(out)


def its_list_is_written(x):
    log, seen = Log(), []
    for k in range(4):
        log.add(counted(x[k], seen))
    return sum(log.values) + seen[0] * seen[-1]


CASES = {
    numbers: 5, arrays: 3, a_needed_value_inside: 3, a_list_outside_varies: 0,
    a_table_outside_does_not: 3, a_table_outside_is_written: 11,
    a_number_outside_changes: 5, its_argument_is_written: 0, its_list_is_written: 0,
}  # fmt: skip


@pytest.fixture
def made(monkeypatch):
    found = []
    init = compiled.Compiled.__init__
    monkeypatch.setattr(
        compiled.Compiled, "__init__", lambda self, *args: found.append(1) or init(self, *args)
    )
    monkeypatch.setattr(hot, "MANY", 30)
    monkeypatch.setattr(hot, "LONG", 20)
    return found


def differences(f, x):
    rows = 1e-6 * np.eye(len(x))
    return np.array([(f(x + h) - f(x - h)) / 2e-6 for h in rows])


@pytest.mark.parametrize(("f", "count"), CASES.items(), ids=[f.__name__ for f in CASES])
def test_the_gradient_is_right_and_so_many_calls_were_compiled(f, count, made):
    value, found = ad.value_and_grad(ad.recorded(f))(X.copy())
    assert value == f(X.copy())
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-5, atol=1e-6)
    assert len(made) == count
    again = ad.recorded(f).grad(X.copy())
    np.testing.assert_array_equal(again, found)  # the second run is as the first
    assert len(made) == 2 * count


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_second_derivatives_stay_recorded(f, made):
    v = np.linspace(1.0, -0.5, 6)
    g = ad.recorded(f).grad
    slopes = (g(X + 1e-5 * v) - g(X - 1e-5 * v)) / 2e-5
    made.clear()
    found = ad.recorded(f).hvp((X.copy(),), (v,))
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-4)


def test_few_operations_are_not_worth_a_compilation(made, monkeypatch):
    monkeypatch.setattr(hot, "MANY", 10_000)
    ad.recorded(numbers).grad(X.copy())
    assert not made
