"""`dict(d, a=x)`, and `d.update` with a display of pairs."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def pairs(x):
    d = {"a": x}
    d.update([("b", x * 2.0)])
    return np.sum(d["a"] * d["b"])


def pairs_in_a_tuple(x):
    d = {"a": x}
    d.update((("b", x * 2.0), ["a", x * x]))
    return np.sum(d["a"] * d["b"])


def pairs_and_words(x):
    d = {"a": x}
    d.update([("b", d["a"] * 2.0), ("a", x * x)], c=x * 3.0)
    return np.sum(d["a"] * d["b"] * d["c"])


def pairs_in_a_loop(x):
    d = {}
    for k in ("p", "q"):
        d.update([(k, x * 2.0), (k + "z", x * x)])
    return np.sum(d["p"] * d["qz"])


def a_dictionary_and_words(x):
    d = {"a": x}
    d.update({"b": x * 2.0}, c=x * 3.0)
    return np.sum(d["a"] * d["b"] * d["c"])


def copied(x):
    d = {"a": x * 1.0}
    e = dict(d, a=x * x, b=x[0])
    e["c"] = x
    return np.sum(e["a"] * d["a"]) * e["b"] + np.sum(e["c"]) * len(d)


def of_a_display(x):
    d = dict({"a": x}, b=x * 2.0)
    return np.sum(d["a"] * d["b"])


def of_pairs(x):
    d = dict([("a", x), ("b", x * 2.0)], c=x)
    return np.sum(d["a"] * d["b"] * d["c"])


def of_a_zip(x):
    d = dict(zip("ab", [x, x * 2.0], strict=True), c=x)
    return np.sum(d["a"] * d["b"] * d["c"])


def words_that_change_it(x):
    d = {"a": x * 1.0, "z": x * x}

    def changes():
        d["a"] = x * 5.0
        return x

    e = dict(d, b=changes(), z=d.pop("z"))
    return np.sum(e["a"] * e["b"] * e["z"]) * len(e) * len(d)


ALL = [pairs, pairs_in_a_tuple, pairs_and_words, pairs_in_a_loop, a_dictionary_and_words, copied,
       of_a_display, of_pairs, of_a_zip, words_that_change_it]  # fmt: skip


@pytest.mark.parametrize("f", ALL)
def test_derivatives(f):
    assert ad.vjp(f, X)[0] == ad.jvp(f, (X,), (X,))[0] == f(X)
    check_grads(f, (X.copy(),))


def test_a_dictionary_of_the_caller():
    def f(d, x):
        d.update([("b", x * x), ("a", d["a"] * x)], c=x)
        return np.sum(d["a"] * d["b"]) * np.sum(dict(d, c=d["b"])["c"])

    def made():
        return {"a": X + 1.0}

    d, plain = made(), made()
    value = f(plain, X)
    found, pullback = ad.vjp(f, d, X)
    assert found == value and [*d] == [*plain] == ["a", "b", "c"]
    for k in d:
        np.testing.assert_array_equal(d[k], plain[k])
    by_d, by_x = pullback(1.0)
    h = 1e-6
    for k in range(3):
        step = h * np.eye(3)[k]
        slope = (f(made(), X + step) - f(made(), X - step)) / (2.0 * h)
        np.testing.assert_allclose(by_x[k], slope, rtol=1e-6)
        slope = (f({"a": X + 1.0 + step}, X) - f({"a": X + 1.0 - step}, X)) / (2.0 * h)
        np.testing.assert_allclose(by_d["a"][k], slope, rtol=1e-6)
