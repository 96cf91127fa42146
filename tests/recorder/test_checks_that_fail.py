"""Where a check of compiled code fails, the call is recorded, if it has done nothing so far."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError

X = np.array([1.2, 0.7, 0.9, 1.5])


def at_a_tuple(x, table):
    return 2.0 * x.reshape(2, 2)[table["at"]] * x[0]


def at_some(x, table):
    return np.sum(x[table["at"]] ** 2)


def in_place(x, table):
    y = 3.0 * x
    y[table["at"]] += x[1] ** 2
    return np.sum(y * y)


def at_a_star(x, table):
    place = table["at"]
    y = 2.0 * x.reshape(2, 2, 1)
    return y[(*place, 0)] * x[0]


def written_at_a_star(x, table):
    place = table["at"]
    y = 2.0 * x.reshape(2, 2, 1)
    y[(*place, 0)] -= x[1] * x[0]
    return np.sum(y * y)


CASES = [
    (at_a_tuple, (0, 1)), (at_some, [0, 2]), (at_some, np.array([True, False, True, False])),
    (in_place, [1, 3]), (in_place, slice(1, 3)), (at_a_star, (0, 1)), (at_a_star, [1, 0]),
    (written_at_a_star, (1, 1)),
]  # fmt: skip


class Held:
    """A table of which nothing is known before the run."""

    def __init__(self, at):
        self.at = at

    def __getitem__(self, key):
        return {"at": self.at}[key]


@pytest.mark.parametrize(("f", "at"), CASES)
def test_in_all_modes(f, at):
    table = Held(at)
    rows = 1e-6 * np.eye(4)
    wanted = np.array([(f(X + h, table) - f(X - h, table)) / 2e-6 for h in rows])
    for on_overwrite in ("refuse", "save"):
        value, found = ad.value_and_grad(f, on_overwrite=on_overwrite)(X.copy(), table)
        assert value == f(X, table)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
    _, back = ad.vjp(f, X.copy(), table, wrt=0)
    np.testing.assert_allclose(back(2.0)[0], 2.0 * wanted, rtol=1e-6, atol=1e-8)
    v = np.array([1.0, -0.5, 2.0, 0.25])
    _, along = ad.jvp(lambda x: f(x, table), (X.copy(),), (v,))
    np.testing.assert_allclose(along, wanted @ v, rtol=1e-6)
    np.testing.assert_allclose(ad.jacobian(f)(X.copy(), table), wanted, rtol=1e-6, atol=1e-8)
    slopes = (ad.grad(f)(X + 1e-5 * v, table) - ad.grad(f)(X - 1e-5 * v, table)) / 2e-5
    found = ad.hvp(lambda x: f(x, table), (X.copy(),), (v,))
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-6)


def chosen(x, places, log):
    total = 0.0
    for k in sorted(places):
        log.append(k)
        total += x[k] ** 2
    return total


def test_what_has_done_something_is_not_run_again():
    log = []
    with pytest.raises(AdtransError):
        ad.grad(chosen)(X.copy(), {True, 2}, log)
    assert log.count(True) <= 1
