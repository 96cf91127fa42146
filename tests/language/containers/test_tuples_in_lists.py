"""Lists, tuples and dictionaries of tuples of arrays, which are written in place."""
# ruff: noqa: B007

from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.5, 0.7])


class L(NamedTuple):
    W: object
    b: object


def grown(x):
    layers = []
    for i in range(2):
        layers.append((np.outer(x, x) * (i + 1), x * i))
    for k in range(2):
        layers[k][0][:] *= 0.5
        layers[k][1][1] += x[0]
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def by_position(x):
    layers = [(np.outer(x, x), x * 1), (np.outer(x, x) * 2, x * 3)]
    for _ in range(3):
        for layer in layers:
            layer[0][:] *= 0.5
            layer[1][1] += x[0]
    h = x
    for layer in layers:
        h = np.tanh(layer[0] @ h + layer[1])
    return np.sum(h)


def shared_with_another(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(2)]
    for k, (W, b) in enumerate(layers):
        W -= 0.1 * k * W
        b[:] = b + x
    layers[1] = (layers[0][0] * 2, layers[0][1])  # b shared
    for W, b in layers:
        b *= 0.5
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def momentum(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(2)]
    vel = [(np.zeros_like(W), np.zeros_like(b)) for W, b in layers]
    for _ in range(3):
        for (W, b), (vW, vb) in zip(layers, vel, strict=True):
            vW *= 0.9
            vW += W * 0.1
            vb[:] = 0.9 * vb + b
            W -= 0.3 * vW
            b -= 0.1 * vb
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def helper(x, layers):
    for W, b in layers:
        W *= 0.5
        b -= x * x
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def in_a_function(x):
    return helper(x, [(np.outer(x, x), x * 1), (np.outer(x, x) * 2, x * 3)])


def upd(layers, x):
    for W, b in layers:
        W *= 0.5
        b -= x * x


def by_a_function(x):
    layers = [(np.outer(x, x), x * 1), (np.outer(x, x) * 2, x * 3)]
    upd(layers, x)
    upd(layers, x * 2)
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def one_of_them(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(3)]
    t = layers[1]
    W, b = t
    W[0] = x * 2
    b[1:] = x[0]
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def taken_out(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(3)]
    W, b = layers[1]
    W[0] = x * 2
    b[1:] = x[0]
    layers.pop(0)
    h = x
    for W, b in layers:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def backwards(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(3)]
    W, b = layers[1]
    W[0] = x * 2
    b[1:] = x[0]
    h = x
    for W, b in reversed(layers):
        h = np.tanh(W @ h + b)
    return np.sum(h)


def slices(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(3)]
    for W, b in layers[1:]:
        W[0] = x * 2
        b[1:] = x[0]
    h = x
    W, b = layers.pop()
    for W, b in layers[::-1]:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def with_numbers(x):
    res = []
    for i in range(3):
        a = x * i
        c = x + i
        res.append((i, a, c))
    for i, a, c in res:
        a[0] = c[1] * i
    return sum(i * np.sum(a * c) for i, a, c in res)


def in_a_dictionary(x):
    res = {}
    for i in range(3):
        res[i] = (x * i, x + i)
    for i in res:
        a, c = res[i]
        a[0] = c[1] * i
    for a, c in res.values():
        c *= 2
    return sum(np.sum(a * c) for a, c in res.values())


def by_key(x):
    res = {"u": (x * 2, x + 1), "v": (x * 3, x - 1)}
    for key in ("u", "v"):
        a, c = res[key]
        a[0] = c[1] * 2
    return sum(np.sum(a * c) for a, c in res.values())


def named(x):
    layers = [L(np.outer(x, x) * (i + 1), x * i) for i in range(3)]
    for layer in layers:
        layer.W[0] = x * 2
        layer.b[1:] = x[0]
    h = x
    for layer in layers:
        h = np.tanh(layer.W @ h + layer.b)
    return np.sum(h)


def mk(x):
    layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(2)]
    for W, b in layers:
        W *= 0.5
        b += x
    return layers


def made_elsewhere(x):
    return mk(x)


def returned(x):
    layers = mk(x)
    for W, b in layers:
        b *= 2.0
    return layers, layers[0][1]


def stacked(x):
    layers = [(x * i, x + i) for i in range(3)]
    for a, b in layers:
        a[0] = b[1]
    return np.sum(np.array(layers) ** 2)


def zipped(x):
    layers = [(x * i, x + i) for i in range(3)]
    for a, b in layers:
        a[0] = b[1]
    A, B = zip(*layers, strict=True)
    return np.sum(np.stack(A) * np.stack(B))


def in_a_tuple(x):
    layers = tuple((x * i, x + i) for i in range(3))
    for a, b in layers:
        a[0] = b[1]
    return sum(np.sum(a * b) for a, b in layers)


def others_made_of_them(x):
    layers = [(x * i, x + i) for i in range(3)]
    for a, b in layers:
        a[0] = b[1]
    new = [(a * 2, b) for a, b in layers]
    for a, b in new:
        b[1] = a[0]
    m = dict(zip("abc", new, strict=True))
    return sum(np.sum(a * b) for a, b in layers) + np.sum(m["a"][1])


def one_or_another(x):
    layers = [(x * i, x + i) for i in range(3)]
    t = layers[0]
    for k in range(3):
        if k == 1:
            t = layers[2]
        a, b = t
        a[0] = b[1]
        if b[0] > 0.0:
            t = (b, a)
    return sum(np.sum(a * b) for a, b in layers) + np.sum(t[0])


def moved_about(x):
    layers = [(x * i, x + i) for i in range(3)]
    a, b = layers[0]
    layers[0] = (b, a)
    layers[1], layers[2] = layers[2], layers[1]
    for a, b in layers:
        a[0] = b[1] * 2
    del layers[1]
    layers.insert(0, (x * 7, x * 8))
    for a, b in layers:
        b[1] = a[1] * 2
    return sum(np.sum(a * b) for a, b in layers)


def by_a_closure(x):
    layers = []

    def add(a, b):
        layers.append((a, b))

    for i in range(3):
        add(x * i, x + i)
    for a, b in layers:
        a[0] = b[1] * 2
    return sum(np.sum(a * b) for a, b in layers)


class Net:
    def __init__(self, x):
        self.layers = [(np.outer(x, x) * (i + 1), x * i) for i in range(2)]

    def step(self, x):
        for W, b in self.layers:
            W *= 0.5
            b -= x

    def __call__(self, x):
        h = x
        for W, b in self.layers:
            h = np.tanh(W @ h + b)
        return h


def of_an_object(x):
    n = Net(x)
    for _ in range(3):
        n.step(x * x)
    return np.sum(n(x))


FUNCTIONS = [
    grown,
    by_position,
    shared_with_another,
    momentum,
    in_a_function,
    by_a_function,
    one_of_them,
    taken_out,
    backwards,
    slices,
    with_numbers,
    in_a_dictionary,
    by_key,
    named,
    made_elsewhere,
    returned,
    stacked,
    zipped,
    in_a_tuple,
    others_made_of_them,
    one_or_another,
    moved_about,
    by_a_closure,
    of_an_object,
]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(f, mode):
    check_grads(f, (X,), on_overwrite=mode)


class Layer(NamedTuple):
    W: object
    b: object
    act: str


def output(params, x):
    h = x
    for W, b in params:
        h = np.tanh(W @ h + b)
    return np.sum(h)


def trained(params, x):
    for W, b in params:
        W *= 0.5
        b -= x
    return output(params, x)


def unpacked(params, x):
    (W1, b1), (W2, b2) = params
    W1 *= 0.5
    b2 -= x
    return np.sum(W2 @ np.tanh(W1 @ x + b1) + b2)


def left_written(params, x):
    for W, b in params:
        W *= 0.5
        b -= x
    return params


def in_steps(params, x):
    for k in range(3):
        left_written(params, k * x)
    return output(params, x)


def exchanged(params, x):
    W, b = params[1]
    params[0] = (W * 2, b)
    for _, b in params:
        b *= 0.5
    params.append((W, b * 2))
    return output(params, x)


def of_layers(params, x):
    for layer in params:
        layer.W[:] *= 0.5
        layer.b[:] -= x
    h = x
    for layer in params:
        h = layer.W @ h + layer.b
        h = np.tanh(h) if layer.act == "tanh" else h
    return np.sum(h)


def by_name(params, x):
    for W, b in params.values():
        W *= 0.5
        b -= x
    return sum(np.sum(np.tanh(W @ x + b)) for W, b in params.values())


def in_a_loop(params, x):
    for W, b in params:
        W *= 0.5
        b -= x
    return sum(np.sum(np.tanh(W @ x + b)) for W, b in params)


def nested(params, x):
    for (W, b), n in params:
        W *= 0.5 * n
        b -= x
    return sum(np.sum(np.tanh(W @ x + b)) * n for (W, b), n in params)


W = np.outer(X, X)
PAIRS = [(W, X), (W * 2, X * 3)]
ARGUMENTS = [
    (trained, PAIRS),
    (in_a_loop, tuple(PAIRS)),
    (unpacked, PAIRS),
    (left_written, PAIRS),
    (in_steps, PAIRS),
    (exchanged, PAIRS),
    (of_layers, [Layer(W, X, "tanh"), Layer(W * 2, X * 3, "id")]),
    (by_name, dict(zip("ab", PAIRS, strict=True))),
    (nested, [((W, X), 2), ((W * 2, X * 3), 3)]),
]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(("f", "params"), ARGUMENTS)
def test_arguments(f, params, mode):
    check_grads(f, (params, X + 0.1), on_overwrite=mode)


def test_the_gradient_has_their_form():
    W_bar, b_bar, act_bar = ad.grad(of_layers)([Layer(W * 2, X * 2, "tanh")], X)[0]
    assert W_bar.shape == W.shape
    assert b_bar.shape == X.shape
    assert act_bar is None


def test_one_array_in_two_tuples():
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(trained)([(W, X), (W * 2, X)], X + 0.1)


def in_a_tuple_that_is_handed_on(params, x):
    left_written(params, x)
    return params


def test_a_tuple_that_a_call_writes():
    def of_new_ones(x):
        params = tuple([(w * 1.0, b * x) for w, b in PAIRS])
        return output(in_a_tuple_that_is_handed_on(params, x), x)

    check_grads(of_new_ones, (X + 0.1,), on_overwrite="save")
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(lambda params, x: output(in_a_tuple_that_is_handed_on(params, x), x))(
            tuple(PAIRS), X
        )
