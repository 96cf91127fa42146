"""Objects that a rule is handed, and that are changed between `vjp` and its pullback."""

from array import array
from collections import UserList

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0, 3.0])


class Factor:
    def __init__(self, k):
        self.k = k
        self.table = np.array([k])
        self.known = None


def factor_of(op):
    if isinstance(op, Factor):
        if op.known is None:
            op.known = op.k * op.table[0]
        return op.k * op.table[0]
    if callable(op):
        return op()
    return float(sum(op))


def applied(x, op):
    return factor_of(op) * x


ad.rule(applied, lambda y_bar, op: factor_of(op) * y_bar, wrt="x")


def program(x, op):
    return np.sum(applied(x, op))


def set_k(op):
    op.k = 5.0


def write_table(op):
    op.table[0] = 7.0


def in_a_cell(held):
    return lambda: held[0]


CELL = [2.0]


@pytest.mark.parametrize(("op", "change"), [
    (Factor(2.0), set_k),
    (Factor(2.0), write_table),
    (UserList([2.0]), lambda op: op.append(1.0)),
    (array("d", [2.0]), lambda op: op.append(1.0)),
    (bytearray(b"ab"), lambda op: op.extend(b"c")),
    ({2.0, 3.0}, lambda op: op.add(4.0)),
    (in_a_cell(CELL), lambda op: CELL.__setitem__(0, 9.0)),
])  # fmt: skip
def test_an_object_that_is_changed(op, change):
    factor = factor_of(op)
    _, pullback = ad.vjp(program, X, op, wrt="x")
    for _ in range(2):
        np.testing.assert_array_equal(pullback(1.0)[0], np.full(3, factor))
    change(op)
    with pytest.raises(ad.MutationError, match="AD301"):
        pullback(1.0)


def test_what_a_rule_keeps_in_its_object():
    def remembered(x, op):
        return op.k * x

    def remembered_pullback(y_bar, op):
        if op.known is None:
            op.known = op.k
        return op.known * y_bar

    ad.rule(remembered, remembered_pullback, wrt="x")
    op = Factor(2.0)
    _, pullback = ad.vjp(lambda x, op: np.sum(remembered(x, op)), X, op, wrt="x")
    for _ in range(3):
        np.testing.assert_array_equal(pullback(1.0)[0], np.full(3, 2.0))


def test_what_else_happens_is_no_matter():
    op = Factor(2.0)
    _, pullback = ad.vjp(program, X, op, wrt="x")
    Factor(3.0).k = 4.0
    X.sum()
    np.testing.assert_array_equal(pullback(1.0)[0], np.full(3, 4.0))
