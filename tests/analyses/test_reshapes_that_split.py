"""A reshape that divides axes and joins none is a view, however the array lies."""

import random

import numpy as np
import pytest

from adtrans.analyses.contiguity import only_splits
from adtrans.diagnostics.errors import MutationError
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array
from adtrans.testing import check_grads

X = np.arange(6.0).reshape(2, 3) + 0.3


def _reshaped(draw, size):
    found, rest = [], size
    while rest > 1 and len(found) < 5:
        d = draw.choice([k for k in range(1, rest + 1) if rest % k == 0])
        found.append(d)
        rest //= d
    found += [rest] if rest > 1 else []
    for _ in range(draw.randint(0, 2)):
        found.insert(draw.randint(0, len(found)), 1)
    return found


def test_what_is_found_is_a_view_of_an_array_with_gaps():
    draw, found = random.Random(0), 0
    for _ in range(2000):
        shape = [draw.choice([1, 2, 3, 4, 6]) for _ in range(draw.randint(1, 4))]
        new = _reshaped(draw, int(np.prod(shape)))

        def kind(sizes):
            def known(d):
                return draw.choice([None, Affine.symbol(f"n{d}"), *[Affine.const(d)] * 4])
            return Array("float64", tuple(map(known, sizes)))

        if only_splits(kind(shape), kind(new)):
            found += 1
            wide = np.zeros([2 * n + 1 for n in shape])
            gaps = wide[tuple(slice(0, 2 * n, 2) for n in shape)][::-1]
            assert np.shares_memory(gaps.reshape(new), gaps), (shape, new)
    assert found > 500


def read_by_what_is_kept(x):
    y = x * 2
    p = y[:, :2].reshape(2, 1, 2).max(axis=1)
    y[0] *= 1.5
    return np.sum(p * p) + np.sum(y)


def written(x):
    y = x * 2
    q = y[:, :2].reshape(2, 2, 1)
    q[0] += x[:1, :2].T
    y[:, 1:].reshape(y.shape[0], 1, -1)[:] += x[0, 0]
    return np.sum(y * y * x)


def linear(x):
    y = x * 2
    p = y[:, :2].reshape(2, 1, 2) * 3
    y[0] = 1.5
    return np.sum(p * x[0, 0]) + np.sum(y)


@pytest.mark.parametrize("f", [read_by_what_is_kept, written, linear], ids=lambda f: f.__name__)
def test_with_copies(f):
    check_grads(f, (X,), on_overwrite="save")


def test_without_copies():
    check_grads(written, (X,))
    check_grads(linear, (X,))
    with pytest.raises(MutationError, match="AD301"):
        check_grads(read_by_what_is_kept, (X,))
