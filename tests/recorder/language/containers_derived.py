"""Containers: those of Python, and subclasses of them."""

from __future__ import annotations

import bisect
import collections
import copy
import heapq
from collections import defaultdict

import numpy as np

from tests.recorder.language.judge import program, world


@program()
def heap_of_events(x):
    q = []
    for k, v in enumerate(x):
        heapq.heappush(q, (v * v, k, v))
    t = 0.0
    done = 0
    while q:
        when, k, v = heapq.heappop(q)
        t += when * (done + 1)
        done += 1
        if done < 6:
            heapq.heappush(q, (when + v * x[0], k + 10, v * 0.5))
    return t


@program()
def heap_functions(x):
    h = [v for v in x]
    heapq.heapify(h)
    a = heapq.heappushpop(h, x[0] * x[1])
    b = heapq.heapreplace(h, x[2] * 2)
    return (
        a * b
        + sum(heapq.nlargest(2, x)) * heapq.nsmallest(1, x)[0]
        + sum(v * k for k, v in enumerate(heapq.merge([x[0], x[1]], [x[3], x[2]])))
        + heapq.nlargest(2, x, key=lambda v: -v)[1]
    )


@program()
def bisected(x):
    knots = [0.0, 0.5, 1.0, 1.5]
    vals = [x[0], x[1], x[2], x[3]]
    t = 0.0
    for q in x:
        k = bisect.bisect(knots, q) - 1
        w = (q - knots[k]) / 0.5
        t += vals[k] * (1 - w) + vals[min(k + 1, 3)] * w
    srt = []
    for v in x:
        bisect.insort(srt, v)
    return t + sum(v * k for k, v in enumerate(srt))


@program()
def copied(x):
    class Node:
        def __init__(self, v):
            self.v, self.kids = v, []

    a = Node(x[0] * 2)
    a.kids.append(Node(x[1]))
    b, c = copy.copy(a), copy.deepcopy(a)
    c.kids[0].v *= x[2]
    b.kids.append(Node(x[3]))
    arr = copy.deepcopy({"w": x * 2, "t": (x[0], [x[1]])})
    arr["w"][0] = 5.0
    return sum(k.v for k in a.kids) * c.kids[0].v + b.v + np.sum(arr["w"]) * arr["t"][1][0]


@world()
def memo_dictionary():
    memo = {}

    def fib(n, a, b):
        if n in memo:
            return memo[n]
        r = a if n == 0 else b if n == 1 else fib(n - 1, a, b) * b + fib(n - 2, a, b)
        memo[n] = r
        return r

    def f(x):
        memo.clear()
        return fib(8, x[0], x[1]) * x[2]

    return f, [memo]


@program()
def keys_that_are_numbers(x):
    d = {}
    for v in x:
        d[v] = v * v
    return sum(k * v for k, v in d.items()) + d[x[0]]


@program({"a": np.array([0.4, 0.9]), "b": {"c": 0.7, "d": [1.1, 0.2]}})
def recursive_update_of_a_tree(p):
    def update(t, f):
        if isinstance(t, dict):
            return {k: update(v, f) for k, v in t.items()}
        if isinstance(t, (list, tuple)):
            return type(t)(update(v, f) for v in t)
        return f(t)

    q = update(p, lambda v: v - 0.1 * v * v)
    return np.sum(q["a"] ** 2) * q["b"]["c"] + q["b"]["d"][0] * q["b"]["d"][1]


@program()
def unpacked_in_all_forms(x):
    a, *b = x
    *c, d = [v * 2 for v in x]
    (e, f), g = (x[0], x[1]), x[2]
    [h, [i, *j]] = [x[0], [x[1], x[2], x[3]]]
    k = [*b, *c, *(v for v in j)]
    o = {**{"p": a}, **dict(q=d)}
    m, n = n, m = e, f
    z = [0.0, 0.0]
    z[0], z[1] = x[2], x[3]
    z[0], z[1] = z[1], z[0]
    for q, (r, *s) in [(1, x), (2, x[::-1])]:
        a += q * r * s[0]
    return a * d + e * f - g * h + i * sum(k) + o["p"] * o["q"] + m * n * n + z[0] * z[0] * z[1]


@program()
def linked_list(x):
    class Cell:
        __slots__ = ("head", "tail")

        def __init__(self, head, tail=None):
            self.head, self.tail = head, tail

    c = None
    for v in x:
        c = Cell(v * v, c)
    t, w = 0.0, 1
    while c is not None:
        t += w * c.head
        c, w = c.tail, w + 1
    return t


@world()
def callbacks_kept():
    class Bus:
        def __init__(self):
            self.subs = defaultdict(list)

        def on(self, name):
            def add(f):
                self.subs[name].append(f)
                return f

            return add

        def emit(self, name, *a):
            return [f(*a) for f in self.subs[name]]

    bus = Bus()
    seen = []

    @bus.on("price")
    def square(v):
        return v * v

    @bus.on("price")
    def note(v):
        seen.append(v)
        return v * seen[0]

    def f(x):
        return sum(sum(bus.emit("price", v)) for v in x)

    return f, [seen, bus]


@program()
def named_tuples(x):
    P = collections.namedtuple("P", "a b c", defaults=(2.0,))
    p = P(x[0], b=x[1])
    q = p._replace(a=x[2])
    d = q._asdict()
    r = P._make(x[:3])
    return p.a * q.b * p.c + d["a"] + r.c * r[0] + sum(p) + getattr(q, "a")


@world()
def argument_like_state():
    state = {"hist": [], "best": None, "n": 0}

    def f(x):
        for v in x:
            state["hist"].append(v * 2)
            state["n"] += 1
            if state["best"] is None or v > state["best"]:
                state["best"] = v
        return state["best"] * sum(state["hist"])

    return f, [state]
