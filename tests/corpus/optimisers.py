"""Objects that hold lists of arrays and change them in place, as optimisers and networks do."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("optimisers")


class Momentum:
    def __init__(self, params, lr=0.1):
        self.params = params
        self.lr = lr
        self.m = [np.zeros_like(p) for p in params]

    def step(self, grads):
        for p, m, g in zip(self.params, self.m, grads, strict=True):
            m *= 0.9
            m += g
            p -= self.lr * m


class Adam:
    def __init__(self, params, lr=0.1):
        self.params = params
        self.lr = lr
        self.t = 0
        self.m = [np.zeros_like(p) for p in params]
        self.v = [np.zeros_like(p) for p in params]

    def step(self, grads):
        self.t += 1
        for i, g in enumerate(grads):
            self.m[i] = 0.9 * self.m[i] + 0.1 * g
            self.v[i] = 0.99 * self.v[i] + 0.01 * g**2
            unbiased = self.m[i] / (1.0 - 0.9**self.t)
            self.params[i] = self.params[i] - self.lr * unbiased / (np.sqrt(self.v[i]) + 1e-3)


class InPlace(Adam):
    def step(self, grads):
        for i, (p, g) in enumerate(zip(self.params, grads, strict=True)):
            self.m[i] *= 0.9
            self.m[i] += 0.1 * g
            self.v[i] *= 0.99
            self.v[i] += 0.01 * g * g
            p -= self.lr * self.m[i] / (np.sqrt(self.v[i]) + 1e-3)


@CASES.add(vec(3), vec(3) * 2.0, wrt=(0, 1))
def momentum(a, b):
    params = [a.copy(), b.copy()]
    optimiser = Momentum(params)
    for _ in range(3):
        optimiser.step([2.0 * params[0], params[1]])
    return np.sum(params[0]) + np.sum(params[1])


@CASES.add(vec(3), vec(3) * 2.0, wrt=(0, 1))
def adam(a, b):
    optimiser = Adam([a, b])
    for _ in range(2):
        optimiser.step([2.0 * optimiser.params[0], optimiser.params[1] * optimiser.params[0]])
    return np.sum(optimiser.params[0]) + np.sum(optimiser.params[1] ** 2)


@CASES.add(vec(3), vec(3) * 2.0, wrt=(0, 1))
def adam_in_place(a, b):
    params = [a.copy(), b.copy()]
    optimiser = InPlace(params)
    for _ in range(2):
        optimiser.step([2.0 * params[0], params[1] * 3.0])
    return np.sum(params[0]) + np.sum(params[1] ** 2)


@CASES.add(vec(3))
def one_array_twice(x):
    w = x.copy()
    optimiser = Momentum([w, w])
    for _ in range(2):
        optimiser.step([2.0 * w, w])
    return np.sum(w**2)


@CASES.add([vec(3), vec(3) * 2.0], vec(3), wrt=(0, 1))
def a_list_of_the_caller(params, x):
    optimiser = Momentum(params)
    for _ in range(2):
        optimiser.step([2.0 * params[0] * x, params[1]])
    return np.sum(params[0]) + np.sum(params[1] ** 2)


@CASES.refused(vec(3), code="ok/AD303")
def list_changed_outside(x):
    params = [x.copy(), x * 2.0]
    optimiser = Momentum(params)
    optimiser.step([x, x * x])
    params[0] = x * 3.0
    optimiser.step([x, x * x])
    return np.sum(optimiser.params[0] * params[1])


@CASES.refused(vec(3), code="ok/AD303")
def items_swapped_outside(x):
    params = [x.copy(), x * 2.0]
    optimiser = Momentum(params)
    params[0], params[1] = params[1], params[0]
    optimiser.step([x, x * x])
    return np.sum(optimiser.params[0] * params[1] ** 2)


class Last:
    def __init__(self):
        self.values = [0.0, 0.0]

    def set(self, values):
        self.values = values

    def double(self):
        self.values[0] *= 2.0


@CASES.add(vec(3))
def display_is_kept(x):
    y = x * 2.0
    last = Last()
    last.set([y, x * x])
    last.double()
    return np.sum(y * last.values[0]) + np.sum(last.values[1])


class Net:
    def __init__(self, weights):
        self.weights = weights
        self.slopes = [np.zeros_like(w) for w in weights]
        self.seen = []

    def forward(self, x):
        self.seen = [x]
        for w in self.weights:
            x = np.tanh(w * x)
            self.seen.append(x)
        return x

    def backward(self, error):
        for i in reversed(range(len(self.weights))):
            y = self.seen[i + 1]
            error = error * (1.0 - y * y)
            self.slopes[i] += error * self.seen[i]
            error = error * self.weights[i]

    def step(self, lr):
        for w, g in zip(self.weights, self.slopes, strict=True):
            w -= lr * g
            g[:] = 0


@CASES.refused(vec(3), vec(3) * 0.5, code="ok/AD303", wrt=(0, 1))
def network(w, x):
    net = Net([w.copy(), w * 0.5])
    for _ in range(2):
        y = net.forward(x)
        net.backward(y - 1.0)
        net.step(0.1)
    return np.sum(net.forward(x) ** 2)
