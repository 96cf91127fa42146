"""Whole small programs, as they are written."""

from __future__ import annotations

import collections
import math

import numpy as np

from tests.recorder.language.judge import program


class Instrument:
    """Base of instruments."""

    def __init__(self, strike, expiry):
        self.strike, self.expiry = strike, expiry

    def price(self, market):
        raise NotImplementedError


class Forward(Instrument):
    """A forward."""

    def price(self, market):
        return market.spot - self.strike * market.discount(self.expiry)


class Call(Instrument):
    """A call."""

    def price(self, market):
        s, k, v = market.spot, self.strike, market.vol * math.sqrt(self.expiry)
        d = math.log(s / (k * market.discount(self.expiry))) / v + 0.5 * v
        n = lambda z: 0.5 * (1 + math.erf(z / math.sqrt(2)))  # noqa: E731
        return s * n(d) - k * market.discount(self.expiry) * n(d - v)


class Market:
    """What prices depend on."""

    def __init__(self, spot, rate, vol):
        self.spot, self.rate, self.vol = spot, rate, vol
        self._discounts = {}

    def discount(self, t):
        if t not in self._discounts:
            self._discounts[t] = math.exp(-self.rate * t)
        return self._discounts[t]


@program()
def book_of_pairs(x):
    m = Market(float(x[0]), float(x[1]), float(x[2]))
    book = [(Forward(0.5, 1.0), 10), (Call(0.6, 2.0), -3.5), (Call(0.7, 1.0), 2)]
    return sum(q * i.price(m) for i, q in book) * x[3]


@program()
def books_in_dictionaries(x):
    m = Market(x[0], x[1], x[2])
    desks = {
        "fx": [(Forward(0.5, 1.0), x[3])],
        "eq": [(Call(0.6, 2.0), 2.0), (Call(0.7, 0.5), x[3])],
    }
    totals = {d: sum(q * i.price(m) for i, q in b) for d, b in desks.items()}
    risk = collections.defaultdict(float)
    for d, b in desks.items():
        for i, q in b:
            risk[type(i).__name__] += q * i.strike
    return totals["fx"] * totals["eq"] + risk["Call"]


@program()
def network_of_40_layers(x):
    class Dense:
        def __init__(self, w, b):
            self.w, self.b = w, b

        def forward(self, h):
            self.out = np.tanh(self.w @ h + self.b)
            return self.out

    class Scale:
        def __init__(self, k):
            self.k = k

        def forward(self, h):
            return h * self.k + 0.01

    rng = np.random.default_rng(0)
    layers = []
    for k in range(40):
        layers.append(
            Dense(rng.normal(size=(4, 4)) * 0.7, x * 0.1) if k % 2 else Scale(1.0 + x[k % 4] * 0.1)
        )
    h = x
    for layer in layers:
        h = layer.forward(h)
    return np.sum(h**2) + layers[1].out[0]


@program()
def autograd_engine(x):
    class Value:
        def __init__(self, data, parents=()):
            self.data, self.grad, self.parents = data, 0.0, parents
            self.back = lambda: None

        def __add__(self, o):
            o = o if isinstance(o, Value) else Value(o)
            out = Value(self.data + o.data, (self, o))

            def back():
                self.grad += out.grad
                o.grad += out.grad

            out.back = back
            return out

        def __mul__(self, o):
            o = o if isinstance(o, Value) else Value(o)
            out = Value(self.data * o.data, (self, o))

            def back():
                self.grad += o.data * out.grad
                o.grad += self.data * out.grad

            out.back = back
            return out

        __radd__, __rmul__ = __add__, __mul__

        def tanh(self):
            t = math.tanh(self.data)
            out = Value(t, (self,))

            def back():
                self.grad += (1 - t * t) * out.grad

            out.back = back
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
                v.back()

    a, b, c = Value(x[0]), Value(x[1]), Value(float(x[2]))
    y = (a * b + c).tanh() * a + 2 * b
    y.backward()
    return y.data * a.grad + b.grad * x[3] + c.grad


@program()
def interpreter_of_expressions(x):
    class Node:
        pass

    class Num(Node):
        def __init__(self, v):
            self.v = v

    class Var(Node):
        def __init__(self, n):
            self.n = n

    class Bin(Node):
        def __init__(self, op, a, b):
            self.op, self.a, self.b = op, a, b

    class Let(Node):
        def __init__(self, n, v, body):
            self.n, self.v, self.body = n, v, body

    class Eval:
        def __init__(self, env):
            self.env = env

        def visit(self, n):
            return getattr(self, "visit_" + type(n).__name__)(n)

        def visit_Num(self, n):
            return n.v

        def visit_Var(self, n):
            return self.env[n.n]

        def visit_Bin(self, n):
            a, b = self.visit(n.a), self.visit(n.b)
            return {"+": a + b, "*": a * b, "-": a - b, "/": a / b}[n.op]

        def visit_Let(self, n):
            return Eval({**self.env, n.n: self.visit(n.v)}).visit(n.body)

    tree = Let(
        "t",
        Bin("*", Var("x"), Var("y")),
        Bin("+", Bin("/", Var("t"), Num(2.0)), Bin("*", Var("t"), Var("x"))),
    )
    return Eval({"x": x[0], "y": x[1]}).visit(tree)


@program()
def parser_and_evaluator(x):
    src = "a * ( b + 2 ) - c / d"
    tokens = collections.deque(src.split())
    env = dict(zip("abcd", x))

    def expr():
        v = term()
        while tokens and tokens[0] in "+-":
            v = v + term() if tokens.popleft() == "+" else v - term()
        return v

    def term():
        v = atom()
        while tokens and tokens[0] in "*/":
            v = v * atom() if tokens.popleft() == "*" else v / atom()
        return v

    def atom():
        t = tokens.popleft()
        if t == "(":
            v = expr()
            tokens.popleft()
            return v
        return env[t] if t in env else float(t)

    return expr()
