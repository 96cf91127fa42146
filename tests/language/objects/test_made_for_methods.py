"""Objects and containers that are made in a function and given to methods of global objects, which
hand them on to other methods."""

from __future__ import annotations

import numpy as np
import pytest

from tests.right_or_refused import outcome

X = np.array([0.8, 1.1, 0.7, 1.3])

HELPERS = """
import adtrans as ad
class M:
    def __init__(self, spot): self.spot = spot
class Holder:
    def __init__(self): self.p = []
    def two(self, m): return self.other(m)
    def other(self, m): return m.spot * m.spot
    def twod(self, m): return self.otherd(m)
    def otherd(self, m): return m["s"] * m["s"]
    def twol(self, m): return self.otherl(m)
    def otherl(self, m): return m[0] * m[1]
    def kwo(self, *, m): return self.other(m)
    def chg(self, m):
        self.setit(m)
        return m.spot * 2.0
    def setit(self, m): m.spot = m.spot ** 2
    def direct(self, m): return m.spot ** 2
    def unr(self, u, v):
        p = u(v)
        return p["a"] * p["b"]
class Sub(Holder):
    def other(self, m): return m.spot ** 3
h = Holder()
hs = Sub()
hl = [Holder()]
hd = {"h": Holder()}
"""

PROGRAMS = {
    "issue": """
def f(x): return h.two(M(x[0]))
""",
    "dict": """
def f(x): return h.twod({"s": x[0]})
""",
    "list": """
def f(x): return h.twol([x[0], x[1]])
""",
    "tuple": """
def f(x): return h.twol((x[0], x[1]))
""",
    "another class": """
class D:
    spot: float
    def __init__(self, spot): self.spot = spot
def f(x): return h.two(D(x[0]))
""",
    "kw": """
def f(x): return h.two(m=M(x[0]))
""",
    "alias": """
def f(x):
    g = h
    return g.two(M(x[0]))
""",
    "bound": """
def f(x):
    g = h.two
    return g(M(x[0]))
""",
    "chg": """
def f(x): return h.chg(M(x[0]))
""",
    "a generator": """
class I:
    def __init__(self, k): self.k = k
    def price(self, m): return self.k * m.spot ** 2
class S:
    def __init__(self): self.p = [I(1.0), I(2.0)]
    def value(self, m): return sum(i.price(m) for i in self.p)
s = S()
def f(x): return s.value(M(x[0]))
""",
    "loop": """
class I:
    def __init__(self, k): self.k = k
    def price(self, m): return self.pay(m) * self.k
    def pay(self, m): return m.spot ** 2
class S:
    def __init__(self): self.p = [I(1.0), I(2.0)]
    def value(self, m):
        t = 0.0
        for i in self.p: t = t + i.price(m)
        return t
s = S()
def f(x): return s.value(M(x[0]))
""",
    "three": """
class T:
    def a(self, m): return self.b(m)
    def b(self, m): return self.c(m)
    def c(self, m): return m.spot ** 2
t = T()
def f(x): return t.a(M(x[0])) + x[1]
""",
    "arrays": """
class W:
    def __init__(self, a): self.a = a
class Net:
    def loss(self, w): return self.inner(w)
    def inner(self, w): return np.sum(w.a ** 2)
net = Net()
def f(x): return net.loss(W(x * 2.0))
""",
    "unravel": """
class Net:
    def loss(self, p, X, Y): return np.sum((self.forward(p, X) - Y) ** 2)
    def forward(self, p, X): return np.tanh(X @ p["w"]) * p["b"]
net = Net()
X = np.arange(6.0).reshape(2, 3) / 7; Y = np.array([0.3, 0.4])
params = {"w": np.ones(3), "b": 0.5}
v0, unravel = ad.tree.ravel(params)
def f(v): return net.loss(unravel(v), X, Y)
""",
    "global state read": """
class H2:
    def __init__(self): self.k = 3.0
    def two(self, m): return self.other(m) * self.k
    def other(self, m): return m.spot * m.spot
h2 = H2()
def f(x): return h2.two(M(x[0]))
""",
    "closure obj": """
def build():
    q = Holder()
    def f(x): return q.two(M(x[0]))
    return f
f = build()
""",
    "method fn": """
def helper(m): return h.two(m)
def f(x): return helper(M(x[0]))
""",
    "static": """
class H3:
    @staticmethod
    def s(m): return m.spot ** 2
    @classmethod
    def c(cls, m): return cls.s(m)
    def two(self, m): return self.c(m)
h3 = H3()
def f(x): return h3.two(M(x[0]))
""",
    "callobj": """
class H3:
    def __call__(self, m): return self.other(m)
    def other(self, m): return m.spot ** 2
h3 = H3()
def f(x): return h3(M(x[0]))
""",
    "operator": """
class H3:
    def __add__(self, m): return self.other(m)
    def other(self, m): return m.spot ** 2
h3 = H3()
def f(x): return h3 + M(x[0])
""",
    "super": """
class B:
    def other(self, m): return m.spot ** 2
class C(B):
    def other(self, m): return super().other(m) * 2.0
    def two(self, m): return self.other(m)
c = C()
def f(x): return c.two(M(x[0]))
""",
    "two objs": """
class N:
    def mix(self, a, b): return self.inner(a, b)
    def inner(self, a, b): return a.spot * b.spot
n = N()
def f(x): return n.mix(M(x[0]), M(x[1]))
""",
    "holds objs": """
class Q:
    def __init__(self, a): self.a = a
class N:
    def mix(self, q): return self.inner(q)
    def inner(self, q): return q.a.spot ** 2
n = N()
def f(x): return n.mix(Q(M(x[0])))
""",
    "comp": """
class N:
    def total(self, ms): return sum([self.one(m) for m in ms])
    def one(self, m): return m.spot ** 2
n = N()
def f(x): return n.total([M(x[0]), M(x[1])])
""",
    "lambda": """
class N:
    def total(self, m): return (lambda q: self.one(q))(m)
    def one(self, m): return m.spot ** 2
n = N()
def f(x): return n.total(M(x[0]))
""",
    "state": """
class N:
    def __init__(self): self.n = 0
    def total(self, m):
        self.n += 1
        return self.one(m)
    def one(self, m): return m.spot ** 2
n = N()
def f(x): return n.total(M(x[0])) * n.n
""",
    "kwo": """
def f(x): return h.kwo(m=M(x[0]))
""",
}


@pytest.mark.recorded
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_made_inside_is_followed(name: str) -> None:
    assert outcome(PROGRAMS[name], X, HELPERS) == "right"


OTHERS = {
    "a generator over a global list": """
class I:
    def __init__(self, k): self.k = k
    def price(self, m): return self.k * m.spot ** 2
items = [I(1.0), I(2.0)]
def f(x):
    m = M(x[0])
    return sum(i.price(m) for i in items)
""",
    "listed": """
def f(x): return hl[0].two(M(x[0]))
""",
    "dicted": """
def f(x): return hd["h"].two(M(x[0]))
""",
    "argobj": """
def g(x, q): return q.two(M(x[0]))
def f(x): return g(x, h)
""",
    "getitem": """
class H3:
    def __getitem__(self, m): return self.other(m)
    def other(self, m): return m.spot ** 2
h3 = H3()
def f(x): return h3[M(x[0])]
""",
    "returned obj": """
class F:
    def make(self, v): return self.build(v)
    def build(self, v): return M(v)
fac = F()
def f(x): return fac.make(x[0]).spot ** 2
""",
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_right_or_refused(name: str) -> None:
    outcome(OTHERS[name], X, HELPERS)
