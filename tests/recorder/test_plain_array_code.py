"""Plain array code that the compiler refused or failed on: right, however it is differentiated."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import adtrans as ad

X = np.array([0.6, 0.9, 1.3, 0.7])


def a_return_in_a_finally(x):
    def inner(v):
        try:
            return v * 2
        finally:
            return v * 3  # noqa: B012, SIM107

    return inner(x[0])


def an_array_of_objects(x):
    o = np.array([x[0], None, [x[1]]], dtype=object)
    return o[0] * o[2][0]


class Scaled:
    def by(self, x, **kw):
        return x * kw["a"]


def keywords_that_are_not_spelled_out(x):
    options = dict([("a", x[1])])  # noqa: C406
    return Scaled().by(x[0], **options)


def above_a_quantile(x, alpha=0.5):
    losses = x * x
    return np.mean(losses[losses >= np.quantile(losses, alpha)])


def fresh_in_each_branch(x):
    z = x * 2 if x[0] > 0 else x * 3
    z[z > 1.5] += 1e-4
    return np.sum(z * z)


def at_an_unravelled_index(x):
    a = x.copy().reshape(2, 2)
    a[np.unravel_index(a.argmax(), a.shape)] *= 3.0
    return np.sum(a)


def shuffled(x):
    y = x * 2
    np.random.default_rng(0).shuffle(y)
    return np.sum(y * np.arange(4))


def chosen(x):
    return np.sum(np.random.default_rng(0).choice(x * x, 3) * np.arange(3))


def entries_that_read_each_other(x):
    p = {"a": x[:2] * 2, "b": x[2:] * 1.0}
    p["b"] *= p["a"]
    p["a"] = 3.0
    return np.sum(p["b"]) * p["a"]


def a_strided_view(x):
    w = as_strided(x, (3, 2), (x.strides[0], x.strides[0]))
    return np.sum(w**2 * np.arange(3)[:, None])


def raveled(x):
    return float(x.ravel()[1] * 2)


CASES = [
    (a_return_in_a_finally, X), (an_array_of_objects, X), (keywords_that_are_not_spelled_out, X),
    (above_a_quantile, X), (fresh_in_each_branch, X), (at_an_unravelled_index, X), (shuffled, X),
    (chosen, X), (entries_that_read_each_other, X), (a_strided_view, X),
    (raveled, np.asfortranarray(X.reshape(2, 2))),
]  # fmt: skip
OPTIONS = [{}, {"on_overwrite": "save"}, {"on_unfollowed": "always"}]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "save", "recorded"])
@pytest.mark.parametrize(("f", "x"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_gradient_and_tangent(f, x, options):
    differences = np.zeros(x.shape)
    for at in np.ndindex(*x.shape):
        low, high = x.copy("K"), x.copy("K")
        low[at] -= 1e-6
        high[at] += 1e-6
        differences[at] = (f(high) - f(low)) / 2e-6
    value, found = ad.value_and_grad(f, **options)(x.copy("K"))
    assert value == f(x.copy("K"))
    np.testing.assert_allclose(found, differences, rtol=1e-5, atol=1e-7)
    _, along = ad.jvp(f, (x.copy("K"),), (np.ones_like(x),), **options)
    np.testing.assert_allclose(along, differences.sum(), rtol=1e-5, atol=1e-7)


def test_a_chain_of_48_calls_compiles_or_is_recorded(tmp_path, monkeypatch):
    lines = ["def c0(x): return x * x"]
    lines += [f"def c{k}(x): return c{k - 1}(x) * 1.01" for k in range(1, 48)]
    (tmp_path / "long_chain.py").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    import long_chain

    slope = 2 * 3.0 * 1.01**47
    assert ad.grad(long_chain.c47)(3.0) == pytest.approx(slope, rel=1e-12)
    assert ad.recorded(long_chain.c47).grad(3.0) == pytest.approx(slope, rel=1e-12)
