"""`np.einsum` with lists of numbers in place of letters, and quantiles by weights."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def times(x):
    return np.einsum(np.outer(x, x), [0, 1], x, (1,), [0])


def implicit(x):
    return np.einsum(np.outer(x, x * x), [7, 3], x, [7])


def stacked(x):
    return np.einsum(np.outer(x, x), [..., 0], x, [0], [...], optimize=True)


def trace(x):
    return np.einsum(np.outer(x, x), [30, 30])


@pytest.mark.parametrize("f", [times, implicit, stacked, trace])
def test_lists_in_place_of_letters(f):
    assert np.array_equal(ad.value_and_grad(lambda x: np.sum(f(x)))(X)[0], np.sum(f(X)))
    check_grads(f, (X,), order=2)


def test_lists_that_are_not_written_out_are_refused():
    axes = [int(k) for k in np.arange(2)]

    def f(x):
        return np.sum(np.einsum(np.outer(x, x), axes))

    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)


def test_a_view_by_lists_is_one():
    def f(x):
        m = np.outer(x, x)
        turned = np.einsum(m, [1, 0], [0, 1])
        turned[0] *= 2.0
        return np.sum(m[:, 0] ** 2)

    def plainly(x):
        m = np.outer(x, x)
        m.T[0] *= 2.0
        return np.sum(m[:, 0] ** 2)

    assert f(X) == plainly(X)
    try:
        found = ad.grad(f)(X)
    except ad.AdtransError:
        return
    np.testing.assert_allclose(found, ad.grad(plainly)(X))


@pytest.mark.skipif(np.__version__ < "2", reason="no `weights=` there")
def test_an_element_without_weight_has_no_derivative():
    a, w = np.array([2.0, 1.0, 1.0, 3.0]), np.array([1.0, 0.0, 2.0, 1.0])
    found = ad.grad(lambda a: np.quantile(a, 0.3, weights=w, method="inverted_cdf"))(a)
    assert found.tolist() == [0.0, 0.0, 1.0, 0.0]


@pytest.mark.skipif(np.__version__ < "2", reason="no `weights=` there")
def test_weights_and_quantiles_jump():
    def f(a, w, q):
        return np.quantile(a, q, weights=w, method="inverted_cdf")

    a_bar, w_bar, q_bar = ad.grad(f, wrt=(0, 1, 2))(X, X + 1.0, 0.4)
    assert a_bar.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert w_bar.tolist() == [0.0] * 4 and q_bar == 0.0
    assert ad.jvp(f, (X, X, 0.4), (X, X, 1.0), wrt=(0, 1, 2))[1] == 0.9
