"""Whole programs: books of trades, networks, interpreters, simulations by events."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np

from tests.features.model import Section

row = Section("Programs")


@row("recursive updates of trees of dictionaries, lists and tuples")
def trees_updated(x):
    def mapped(f, *trees):
        first = trees[0]
        if isinstance(first, dict):
            return {k: mapped(f, *(t[k] for t in trees)) for k in first}
        if isinstance(first, list | tuple):
            return type(first)(mapped(f, *parts) for parts in zip(*trees, strict=True))
        return f(*trees)

    def loss(p):
        hidden = [math.tanh(w * p["in"] + b) for w, b in p["cells"]]
        return sum(h * h for h in hidden) + p["out"]["bias"] ** 2

    def slopes(p, at=()):
        if isinstance(p, dict):
            return {k: slopes(v, (*at, k)) for k, v in p.items()}
        if isinstance(p, list | tuple):
            return type(p)(slopes(v, (*at, k)) for k, v in enumerate(p))
        return 0.1 * p + 0.01 * len(at)

    p = {"in": x[0], "cells": [(x[1], x[2]), (x[0] * x[1], 0.3)], "out": {"bias": x[2]}}
    momentum = mapped(lambda v: 0.0 * v, p)
    for _ in range(3):
        momentum = mapped(lambda m, g: 0.9 * m + g, momentum, slopes(p))
        p = mapped(lambda v, m: v - x[0] * m, p, momentum)
    return loss(p)


class Instrument:
    def __init__(self, maturity):
        self.maturity = maturity


class Bond(Instrument):
    def __init__(self, coupon, maturity):
        super().__init__(maturity)
        self.coupon = coupon

    def value(self, market):
        paid = sum(self.coupon * market.discount(t) for t in range(1, self.maturity + 1))
        return paid + market.discount(self.maturity)


class Option(Instrument):
    def __init__(self, strike, maturity):
        super().__init__(maturity)
        self.strike = strike

    def value(self, market):
        forward = market.spot / market.discount(self.maturity)
        width = market.vol * math.sqrt(self.maturity)
        d = math.log(forward / self.strike) / width + 0.5 * width
        n = lambda v: 0.5 * math.erfc(-v / math.sqrt(2.0))  # noqa: E731
        return market.spot * n(d) - self.strike * market.discount(self.maturity) * n(d - width)


class Market:
    def __init__(self, spot, rate, vol):
        self.spot, self.rate, self.vol, self.asked = spot, rate, vol, {}

    def discount(self, t):
        if t not in self.asked:
            self.asked[t] = math.exp(-self.rate * t)
        return self.asked[t]


BOOK = [(Bond(0.05, 3), 2.0), (Option(1.0, 1), 10.0), (Option(1.2, 2), -4.0)]


@row("a book of pairs `(instrument, quantity)`", np.array([1.1, 0.04, 0.3]))
def book_of_pairs(x):
    market = Market(*x)
    total, worst = 0.0, None
    for instrument, quantity in BOOK:
        value = quantity * instrument.value(market)
        total += value
        if worst is None or value < worst[0]:
            worst = (value, instrument)
    by_maturity = sorted(BOOK, key=lambda pair: pair[0].maturity)
    first = by_maturity[0][0].value(market)
    return total + 0.1 * worst[0] * worst[1].maturity + first


@row("dictionaries of books, with limits and hedges", np.array([1.1, 0.04, 0.3]))
def dictionaries_of_books(x):
    books = {
        "rates": {"short": [(Bond(0.02, 1), 1.0)], "long": [(Bond(0.06, 5), 2.0)]},
        "equity": {"atm": [(Option(1.0, 1), 5.0), (Option(x[0], 2), -2.0)]},
    }
    market, shifted = Market(*x), Market(x[0] * 1.01, x[1], x[2])
    values, deltas = {}, {}
    for desk, book in books.items():
        for name, positions in book.items():
            values[desk, name] = sum(q * i.value(market) for i, q in positions)
            moved = sum(q * i.value(shifted) for i, q in positions)
            deltas.setdefault(desk, {})[name] = (moved - values[desk, name]) / (0.01 * x[0])
    hedged = {k: v - deltas[k[0]][k[1]] * x[0] for k, v in values.items()}
    breached = [k for k, v in hedged.items() if abs(v) > 2.0]
    return sum(hedged.values()) + sum(hedged[k] ** 2 for k in breached)


class Layer:
    def __init__(self, weights, bias):
        self.weights, self.bias = weights, bias

    def __call__(self, h):
        return h @ self.weights + self.bias


class Tanh:
    def __call__(self, h):
        return np.tanh(h)


class Skip:
    def __init__(self, *inner):
        self.inner = inner

    def __call__(self, h):
        start = h
        for layer in self.inner:
            h = layer(h)
        return start + 0.1 * h


class Network:
    def __init__(self, *layers):
        self.layers, self.seen = list(layers), []

    def __call__(self, h):
        for layer in self.layers:
            h = layer(h)
            self.seen.append(h.shape)
        return h


@row("a network of 40 objects that are layers", np.linspace(-0.6, 0.7, 6))
def network_of_layers(x):
    layers = []
    for k in range(20):
        layer = Layer(np.outer(x[:2], x[2:4]) + 0.1 * k * np.eye(2), x[4:] * (k % 3))
        layers.append(layer if k % 4 else Skip(layer, Tanh()))
        layers.append(Tanh())
    net = Network(*layers)
    inputs = np.array([[0.2, -0.4], [1.0, 0.3], [-0.7, 0.5]])
    out = net(inputs)
    assert len(net.seen) == 40
    return np.sum(out * out) + np.mean(net(out)[:, 0])


class Value:
    """A number that knows how it came about, and passes slopes back by itself."""

    def __init__(self, data, parents=(), op=""):
        self.data, self.grad, self.parents, self.op = data, 0.0, parents, op
        self.backward_step = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out.backward_step = step
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.backward_step = step
        return out

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def step():
            self.grad += (1.0 - out.data**2) * out.grad

        out.backward_step = step
        return out

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v.backward_step()


@row("a small engine of automatic differentiation: class `Value`")
def engine_of_values(x):
    weights = [Value(v) for v in x]
    loss = Value(0.0)
    for inputs, target in [((1.0, 0.5), 0.3), ((-0.4, 0.8), -0.2)]:
        h = sum((w * i for w, i in zip(weights, inputs, strict=False)), Value(0.0))
        miss = (h.tanh() * weights[2]) + -target
        loss = loss + miss * miss
    loss.backward()
    moved = [w.data - 0.5 * w.grad for w in weights]
    return loss.data + sum(v * v for v in moved)


@row("an interpreter of expression trees, with a parser")
def interpreter(x):
    def tokens(text):
        word = ""
        for c in text + " ":
            if c.isalnum() or c == ".":
                word += c
                continue
            if word:
                yield word
                word = ""
            if not c.isspace():
                yield c

    def parsed(stream, stop=None):
        items = []
        for t in stream:
            if t == stop:
                return items
            items.append(parsed(stream, ")") if t == "(" else t)
        return items

    def run(tree, env):
        if isinstance(tree, str):
            return env[tree] if tree in env else float(tree)
        head, *rest = tree
        match head:
            case "let":
                name, bound, body = rest
                return run(body, {**env, name: run(bound, env)})
            case "fn":
                names, body = rest
                return lambda *given: run(body, {**env, **dict(zip(names, given, strict=True))})
            case "if":
                test, yes, no = rest
                return run(yes if run(test, env) > 0.0 else no, env)
        return run(head, env)(*(run(r, env) for r in rest))

    env = {"+": lambda *v: sum(v), "*": lambda *v: math.prod(v), "sin": math.sin}
    env |= {"a": x[0], "b": x[1], "c": x[2], "-": lambda u, v: u - v}
    text = """(let f (fn (u v) (+ (* u v) (sin (* 2.0 u))))
               (let g (fn (h n) (if (- n 1) (h n (h a b)) (h b c)))
                 (+ (g f 0.5) (g f c) (if (- a b) a (* b c)))))"""
    (program,) = parsed(tokens(text))
    return run(program, env)


@row("a simulation by events, with `heapq`, and handlers that plan others")
def event_queue(x):
    service, pause, urgency = x
    events, order = [], itertools.count()
    waiting, log, busy = [], [], {"until": 0.0}

    def plan(at, what, *args):
        heapq.heappush(events, (at, next(order), what, args))

    def arrive(now, name, left):
        waiting.append((name, now))
        plan(now, serve)
        if left:
            plan(now + pause * (1.0 + 0.1 * left), arrive, name + 1, left - 1)

    def serve(now):
        if not waiting:
            return
        if now < busy["until"]:
            plan(busy["until"], serve)
            return
        name, since = waiting.pop(0)
        busy["until"] = now + service * (2.0 if name % 2 else 1.0)
        plan(busy["until"], leave, name, since)

    def leave(now, name, since):
        log.append((name, now - since))

    plan(0.3 * urgency, arrive, 0, 4)
    while events:
        now, _, what, args = heapq.heappop(events)
        what(now, *args)
    return now + sum(math.exp(-urgency * wait) for _, wait in log)


@row("dictionaries as memories of a recursion")
def memories(x):
    memo, calls = {}, []

    def alignment(i, j):
        if (i, j) in memo:
            return memo[i, j]
        calls.append((i, j))
        if i == 0 or j == 0:
            found = x[2] * (i + j)
        else:
            same = "kitten"[i - 1] == "sitting"[j - 1]
            found = min(
                alignment(i - 1, j - 1) + (0.0 if same else x[0]),
                alignment(i - 1, j) + x[1] * (1.0 + 0.01 * j),
                alignment(i, j - 1) + x[1] * (1.0 + 0.02 * i),
            )
        memo[i, j] = found
        return found

    best = alignment(6, 7)
    assert len(calls) == len(memo)
    return best * best + sum(v for (i, j), v in memo.items() if i == j)


@row("callbacks kept in lists: who listens is told, and may stop listening")
def callbacks(x):
    class Signal:
        def __init__(self):
            self.listeners, self.sent = [], 0

        def connect(self, f, *, once=False):
            self.listeners.append((f, once))
            return f

        def send(self, *args):
            self.sent += 1
            for f, once in list(self.listeners):
                f(*args)
                if once:
                    self.listeners.remove((f, once))

    class Thermostat:
        def __init__(self, goal):
            self.goal, self.heat, self.changed = goal, 0.0, Signal()

        def see(self, temperature):
            self.heat = max(self.goal - temperature, 0.0) * 0.5
            self.changed.send(self.heat)

    room = {"t": x[1], "cost": 0.0}
    box = Thermostat(x[2])
    box.changed.connect(lambda h: room.update(cost=room["cost"] + h * h))
    first = []
    box.changed.connect(first.append, once=True)
    for _ in range(4):
        box.see(room["t"])
        room["t"] += x[0] * box.heat
    assert len(box.changed.listeners) == 1
    return room["t"] + room["cost"] * first[0]
