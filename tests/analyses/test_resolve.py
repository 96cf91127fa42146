"""What only the kinds tell, spelled out."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.ir.dump import dump
from tests.analyses.found import facts_of

V = np.array([1.0, 2.0, 3.0])


def augmented(x, s):
    y = x * 1.0
    y += s
    s += 1.0
    y[0] *= s
    return np.sum(y)


def test_numbers_rebind_and_arrays_are_written() -> None:
    text = dump(facts_of(augmented, V, 2.0).fn)
    assert "y[...] += s" in text
    assert "= s + 1.0" in text
    assert "y[0] = " in text and "y[0] *=" not in text


def writers(x):
    y = x * 1.0
    y.fill(2.0)
    np.multiply(x, x, out=y)
    np.add.at(y, [0, 0], x[:2])
    np.copyto(y, x, where=x > 1.5)
    return np.sum(y)


def test_writers_become_stores() -> None:
    text = dump(facts_of(writers, V).fn)
    assert "y[...] = 2.0" in text
    assert "out=" not in text and ".fill" not in text and "np.copyto" not in text
    assert "+at=" in text and "np.add.at" not in text


@pytest.mark.parametrize("start", [1.0, np.array([1.0, 2.0, 3.0])])
def test_the_same_statement_is_one_or_the_other(start) -> None:
    def f(x, y):
        y += np.sum(x)
        return np.sum(y)

    text = dump(facts_of(f, V, start).fn)
    assert ("y[...] +=" in text) == isinstance(start, np.ndarray)
