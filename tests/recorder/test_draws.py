"""Random draws that move what varies: the same elements as in the plain run, and their gradient."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

X = np.array([[0.6, 0.9, 1.3], [0.7, 1.1, 0.4], [1.5, 0.2, 0.8], [0.1, 1.2, 1.7]])
W = np.arange(1.0, 13.0).reshape(4, 3)


def chosen(rng, x):
    return np.sum(rng.choice(x[:, 0] ** 2, 7) * np.arange(7))


def chosen_by_weight(rng, x):
    return np.sum(rng.choice(x, 2, replace=False, p=[0.1, 0.2, 0.3, 0.4]) * W[:2])


def shuffled(rng, x):
    y = x * x
    rng.shuffle(y)
    return np.sum(y * W)


def shuffled_in_one_axis(rng, x):
    y = np.sin(x[:, 1])
    rng.shuffle(y)
    return np.sum(y * W[:, 0])


def permuted_into(rng, x):
    y, out = x * x, np.zeros((4, 3))
    rng.permuted(y, axis=1, out=out)
    return np.sum(out * W) + np.sum(y)


def permuted_in_place(rng, x):
    y = x * x
    rng.permuted(y, out=y)
    return np.sum(y * W)


def a_shuffled_list(rng, x):
    y = [v * v for v in x[:, 2]]
    rng.shuffle(y)
    return y[0] * 2.0 + y[1] * 3.0 + y[2]


def permutation(rng, x):
    return np.sum(rng.permutation(x) ** 2 * W)


def permuted(rng, x):
    return np.sum(rng.permuted(x.T, axis=1).T ** 2 * W)


NEW = (chosen, chosen_by_weight, shuffled, shuffled_in_one_axis, a_shuffled_list, permutation,
       permuted, permuted_into, permuted_in_place)  # fmt: skip
OLD = tuple(f for f in NEW[:-3] if f is not chosen_by_weight)  # which has no `permuted`
CASES = [(f, np.random.default_rng) for f in NEW] + [(f, np.random.RandomState) for f in OLD]


@pytest.mark.parametrize(("f", "make"), CASES, ids=lambda c: c.__name__)
def test_values_states_and_gradients(f, make):
    def g(x, rng):
        return f(rng, x)

    plain, recorded = make(5), make(5)
    value, gradient = ad.recorded(g).value_and_grad(X.copy(), recorded)
    assert value == g(X, plain)
    assert plain.random_sample() if make is np.random.RandomState else plain.random() == (
        recorded.random()
    )
    differences = np.zeros(X.shape)
    for at in np.ndindex(*X.shape):
        step = np.zeros(X.shape)
        step[at] = 1e-6
        differences[at] = (g(X + step, make(5)) - g(X - step, make(5))) / 2e-6
    np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-7)


def test_weights_that_vary_are_refused():
    def f(p):
        return np.random.default_rng(0).choice(np.ones(3), 2, p=p / np.sum(p))[0]

    with pytest.raises(ad.CompileError, match="AD401"):
        ad.recorded(f).grad(np.ones(3))
