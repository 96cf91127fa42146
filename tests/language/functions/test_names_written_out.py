"""A callee that is written out, whose names mean several variables in what is kept as written."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7, 0.4])


def _scale(p, q, s, log):
    scale = {"s0": 2.0, "s1": s}
    k = 0
    log.append(f"a{k}")
    p *= scale[f"s{k}"]
    k = 1
    log.append(f"b{k}")
    q *= scale[f"s{k}"]


def bound_twice(x):
    a, b = x[:2] * 1, x[2:4] * 1
    log = []
    try:
        _scale(a, b, x[4], log)
    except KeyError:
        a += 1.0
    return a @ b + (3.0 if log == ["a0", "b1"] else 0.0)


def _in_turn(p, q, s):
    scale = {}
    scale["s1"] = s
    both = [p, q]
    for j, (k, a) in enumerate(enumerate([p, q])):
        d = both[j]
        name = f"s{k}"
        d *= scale.get(name, 1.0)
        a += d
    return (p, q), (q, p)


def bound_in_each_turn(x):
    a, b = x[:2] * 1, x[2:4] * 1
    (c, d), _ = _in_turn(a, b, x[4])
    c += d
    return a @ b


def _normalize(*arrays, **scale):
    for k, a in enumerate(arrays):
        a /= np.sqrt(np.sum(a * a) + 1e-3) * scale.get(f"s{k}", 1.0)
    return arrays


def in_the_tangent(x):
    a, b = x[:2] * 1, x[2:4] * 1
    c, d = _normalize(a, b, s1=x[4])
    c += d
    return a @ b + c[0]


@pytest.mark.recorded
@pytest.mark.parametrize("f", [bound_twice, bound_in_each_turn, in_the_tangent])
def test_gradient(f):
    g = ad.differentiable(f, on_overwrite="save")
    assert ad.vjp(g, X)[0] == f(X)
    check_grads(g, (X,))


def test_second_order():
    g = ad.grad(in_the_tangent, on_overwrite="save")
    expected = [(g(X + 1e-6 * e) - g(X - 1e-6 * e)) / 2e-6 for e in np.eye(5)]
    found = ad.hessian(in_the_tangent, on_overwrite="save")(X)
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-5)
