"""Dictionaries whose keys are computed of what loops count, of what calls give, of attributes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.random.default_rng(4).uniform(0.3, 1.2, size=(3, 2))
THETA = np.random.default_rng(5).normal(size=24)


def filled(n, theta):
    p, k = {}, 0
    for i in range(n):
        p[f"W{i}"] = theta[k : k + 4].reshape(2, 2)
        p["b%d" % i] = theta[k + 4 : k + 6]  # noqa: UP031
        k += 6
    return p


def normalised(x):
    return x - x.max(-1, keepdims=True) / (1 + x.std(-1, keepdims=True))


def layers(theta, x):
    p = filled(3, theta)
    for i in range(3):
        x = normalised(x @ p[f"W{i}"] + p[f"b{i}"])
    return np.sum(x**2) + len(p) * sum(np.sum(v) for k, v in p.items() if k.startswith("W"))


def block(x, params, name):
    x = normalised(x @ params[name + "/W"] + params[f"{name}/b"])
    return x if name == "block0" else np.tanh(x)


def by_path(theta, x):
    params, k = {}, 0
    for i in range(2):
        for part, shape in (("W", (2, 2)), ("b", (2,))):
            n = int(np.prod(shape))
            params[f"block{i}/{part}"] = theta[k : k + n].reshape(shape)
            k += n
    for i in range(2):
        x = block(x, params, f"block{i}")
    return np.sum(x * x)


def from_shapes(theta, x):
    shapes = dict(W=(2, 2), b=(2,), V=(2, 1))  # noqa: C408
    p, k = {}, 0
    for name, shape in shapes.items():
        n = int(np.prod(shape))
        p[name] = theta[k : k + n].reshape(shape)
        k += n
    q = {name: v * 2.0 for name, v in p.items()}
    for name in q:
        q[name] += 0.1 * p[name]
    h = normalised(x @ q["W"] + q["b"])
    return np.sum(h @ q["V"]) + np.sum(np.concatenate([p[k].ravel() for k in p]) ** 2)


class Net:
    def __init__(self, sizes, theta):
        self.depth = len(sizes) - 1
        self.params, self.cache, self.grads = {}, {}, {}
        k = 0
        for i in range(self.depth):
            n, m = sizes[i], sizes[i + 1]
            self.params["W" + str(i)] = 0.5 * theta[k : k + n * m].reshape(n, m)
            self.params["b" + str(i)] = np.zeros(m)
            k += n * m

    def forward(self, x):
        self.cache["A0"] = x
        for i in range(self.depth):
            z = self.cache[f"A{i}"] @ self.params[f"W{i}"] + self.params[f"b{i}"]
            self.cache[f"A{i + 1}"] = np.tanh(z) if i < self.depth - 1 else z
        return self.cache[f"A{self.depth}"]

    def backward(self, y):
        d = 2 * (self.cache[f"A{self.depth}"] - y) / len(y)
        for i in reversed(range(self.depth)):
            self.grads[f"W{i}"] = self.cache[f"A{i}"].T @ d
            self.grads[f"b{i}"] = d.sum(axis=0)
            if i > 0:
                d = (d @ self.params[f"W{i}"].T) * (1 - self.cache[f"A{i}"] ** 2)

    def update(self, rate):
        for k in self.params:
            self.params[k] = self.params[k] - rate * self.grads[k]

    def update_in_place(self, rate):
        for k in self.params:
            self.params[k] -= rate * self.grads[k]


def trained(theta, x):
    net = Net([2, 3, 1], theta)
    for _ in range(2):
        net.forward(x)
        net.backward(x[:, :1])
        net.update(0.1)
    return np.mean(net.forward(x) ** 2)


def trained_in_place(theta, x):
    net = Net([2, 1], theta)
    net.forward(x)
    net.backward(x[:, :1])
    net.update_in_place(0.1)
    return np.mean(net.forward(x) ** 2)


def test_items_that_are_changed_in_place():
    check_grads(trained_in_place, (THETA, X), on_overwrite="save", rtol=1e-4)


SPEC = [("first", "dense", 2, 3), ("act", "tanh", 0, 0), ("last", "dense", 3, 1)]


def applied(params, spec, x):
    for name, kind, _, _ in spec:
        if kind == "dense":
            p = params[name]
            x = np.sin(x @ p["W"]) * x.max() + p["b"]
        elif kind == "tanh":
            x = np.tanh(x)
        else:
            raise ValueError(kind)
    return x


def by_table(theta, x):
    params, k = {}, 0
    for name, kind, n, m in SPEC:
        if kind == "dense":
            W = theta[k : k + n * m].reshape(n, m)
            params[name] = {"W": W, "b": theta[k + n * m]}
            k += n * m + 1
    return np.sum(applied(params, SPEC, x) ** 2)


def left_early(theta, x):
    p = filled(3, theta)
    for i in range(5):
        if i == 1:
            continue
        if i == 3:
            break
        x = x @ p[f"W{i}"] + p[f"b{i}"].max()
    return np.sum(x)


def lists_by_name(theta, x):
    s = {"u": x[0], "v": theta[:2]}
    names = ["u", "v"]
    path = {n: [] for n in names}
    for _ in range(3):
        s = {n: v * 0.5 + s["u"] for n, v in s.items()}
        for n in names:
            path[n].append(s[n])
    return sum(np.sum(np.array(path[n]) ** 2) for n in names)


EVERY: list[Callable[..., float]] = [
    layers,
    by_path,
    from_shapes,
    trained,
    by_table,
    left_early,
    lists_by_name,
]


@pytest.mark.parametrize("fn", EVERY, ids=lambda f: f.__name__)
def test_value_and_gradients(fn):
    theta, x = THETA.copy(), X.copy()
    value, grads = ad.value_and_grad(fn, wrt=("theta", "x"))(theta, x)
    assert value == fn(THETA, X)
    assert np.array_equal(theta, THETA) and np.array_equal(x, X)
    assert len(grads) == 2
    check_grads(fn, (THETA, X), wrt=("theta", "x"), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("fn", EVERY, ids=lambda f: f.__name__)
def test_tangents(fn):
    t, u = np.cos(THETA), np.sin(X)
    value, dot = ad.jvp(fn, (THETA, X), (t, u))
    assert value == fn(THETA, X)
    h = 1e-6
    there = fn(THETA + h * t, X + h * u) - fn(THETA - h * t, X - h * u)
    assert np.allclose(dot, there / (2 * h), rtol=1e-4, atol=1e-5)


class Depth:
    """An attribute that makes keys, and is assigned something else later."""

    def __init__(self, n, x):
        self.n = n
        self.p = {}
        for i in range(self.n):
            self.p[f"W{i}"] = x * (i + 1.0)
            self.p[f"b{i}"] = x[0, 0]

    def run(self, x):
        for i in range(self.n):
            x = normalised(x * self.p[f"W{i}"] + self.p[f"b{i}"])
        return x

    def cut(self):
        self.n = 1


def assigned_again(x):
    a, b = Depth(2, x), Depth(1, x)
    y = a.run(x) * b.run(x)
    a.cut()
    return np.sum(y * a.run(x)) * a.n


def in_turns(x):
    s = 0.0
    for k in range(3):
        a = Depth(2, x)
        s = s + np.sum(a.run(x))
        if k == 1:
            a.n = 1
        s = s + np.sum(a.run(x)) * a.n
    return s


def filled_later(x):
    p = {}
    for i in range(2):
        p[f"W{i}"] = x * (i + 1.0)
        p["last"] = x[0, 0] * (i + 2.0)
    n = len(p)
    if x[0, 0] > 0.1:
        p["more"] = x[1]
    s = 0.0
    for j, (k, v) in enumerate(p.items()):
        s = s + np.sum(v) * (j + 1) * len(k)
    return s * n * len(p)


def how_many(p):
    return len(p)


def seen_between(x):
    p, n = {}, 0
    for i in range(2):
        p[f"W{i}"] = x * (i + 1.0)
        n = n + how_many(p)
        p[f"b{i}"] = x[0, 0] * 2.0
    return n * np.sum(p["W1"]) * p["b0"] + len(p)


@pytest.mark.parametrize("fn", [assigned_again, in_turns, filled_later, seen_between])
def test_what_is_not_the_same_all_the_time(fn):
    assert ad.value_and_grad(fn)(X)[0] == fn(X)
    check_grads(fn, (X,), rtol=1e-4, atol=1e-5)


def deeper(p, n, x):
    for i in range(2):
        x = normalised(x @ p[f"W{i}"] + p[f"b{i}"])
        if n > i:
            x = deeper(p, n - 1 - i, x)
    return x


def calls_itself(theta, x):
    return np.sum(deeper(filled(2, theta), 2, x) ** 2)


@pytest.mark.parametrize("fn", [calls_itself, by_path])
def test_second_derivatives(fn):
    try:
        check_grads(fn, (THETA, X), order=2, rtol=1e-3, atol=1e-4)
    except ad.CompileError as error:
        assert fn is calls_itself and error.diagnostics[0].code != "AD901"


def lacks_a_key(theta, x):
    p = filled(2, theta)
    for i in range(3):
        x = normalised(x @ p[f"W{i}"] + p[f"b{i}"])
    return np.sum(x)


def test_a_key_that_is_not_there():
    with pytest.raises(KeyError, match="W2"):
        ad.grad(lacks_a_key)(THETA, X)


SIZES = [2, 2]
COUNT = 2


def by_sizes(x):
    p = {}
    for i, n in enumerate(SIZES):
        p[f"W{i}"] = x * (i + 1.0)
        p[f"b{i}"] = x[0, 0] * n
    s = 0.0
    for i in range(COUNT):
        s = s + np.sum(p[f"W{i}"] * p[f"b{i}"].max())
    return s


def test_tables_and_numbers_that_change_between_calls(monkeypatch):
    grad = ad.grad(by_sizes)
    here = globals()
    for sizes, count in (([2, 2], 2), ([2, 5], 2), ([2, 5, 3], 3), ([4, 4, 4], 1)):
        SIZES[:] = sizes
        monkeypatch.setitem(here, "COUNT", count)

        h, expected = 1e-6, np.zeros_like(X)
        for at in np.ndindex(X.shape):
            e = np.zeros_like(X)
            e[at] = h
            expected[at] = (by_sizes(X + e) - by_sizes(X - e)) / (2 * h)
        assert np.allclose(grad(X), expected, rtol=1e-5, atol=1e-6)
    monkeypatch.setitem(here, "SIZES", [1, 1])
    assert ad.value_and_grad(by_sizes)(X)[0] == by_sizes(X)


def grow():
    GROWING.append(7)


GROWING = [2, 3]


def while_it_grows(x):
    p = {}
    for i, n in enumerate(GROWING):
        p[f"W{i}"] = x * (i + 1.0)
        p[f"b{i}"] = x[0, 0] * n
        if len(GROWING) < 4:
            grow()
    s = 0.0
    for v in p.values():
        s = s + np.sum(v)
    return s * len(p) * p["b0"].max()


def test_a_table_that_changes_while_it_is_in_use():
    def at(x):
        GROWING[:] = [2, 3]
        return while_it_grows(x)

    expected = np.zeros_like(X)
    for k in np.ndindex(X.shape):
        e = np.zeros_like(X)
        e[k] = 1e-6
        expected[k] = (at(X + e) - at(X - e)) / 2e-6
    GROWING[:] = [2, 3]
    np.testing.assert_allclose(ad.grad(while_it_grows)(X), expected, rtol=1e-6)
    assert GROWING == [2, 3, 7, 7]
