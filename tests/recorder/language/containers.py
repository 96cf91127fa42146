"""Containers: those of Python, and subclasses of them."""

from __future__ import annotations

import bisect
import collections
import copy
import heapq
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque

import numpy as np

from tests.recorder.language.judge import program, world


@program()
def list_methods(x):
    a = [x[0]]
    a.append(x[1] * 2)
    a.extend(v * v for v in x)
    a.insert(1, x[2])
    a += [x[3]]
    b = a.pop(0)
    a.reverse()
    a.sort(key=lambda v: -v)
    del a[1]
    a[1:3] = [x[0] * x[1], 2.0, x[2]]
    c = a.copy()
    a.clear()
    return b * sum(v * k for k, v in enumerate(c)) + c.index(2.0) + c.count(2.0)


@program()
def list_of_arrays_sliced(x):
    rows = [x * k for k in range(1, 4)]
    rows[::2] = [rows[2], rows[0]]
    rows[0] = rows[0] * rows[1]
    return sum(float(r[k]) for k, r in enumerate(rows))


@program()
def dict_methods(x):
    d = {"a": x[0], "b": x[1]}
    d.update(c=x[2], b=x[1] * x[3])
    d.setdefault("e", x[0] * 7)
    d |= {"f": x[2] ** 2}
    e = {**d, "g": 1.0}
    p = e.pop("a") * e.get("zz", x[3])
    k, last = e.popitem()
    return p + last * sum(v for k, v in sorted(e.items())) + (d.get("zz") is None) + len(k)


@program()
def dict_of_lists(x):
    d = {}
    for k, v in enumerate(x):
        d.setdefault(k % 2, []).append(v * v)
    return sum(np.prod(v) for v in d.values())


@program()
def comprehension_nested(x):
    m = [[a * b for b in x if b > 0.65] for a in x]
    d = {k: sum(r) for k, r in enumerate(m)}
    s = {k for k in d if d[k] > 1.0}
    return sum(d[k] for k in s) + sum(v for r in m for v in r if v < 1.0)


@program()
def default_dict(x):
    d = defaultdict(list)
    e = defaultdict(lambda: x[0])
    for k, v in enumerate(x):
        d[k % 3].append(v)
        e[k] *= v
    n = defaultdict(float)
    for k in "abca":
        n[k] += x[1] * x[2]
    return sum(sum(v) ** 2 for v in d.values()) + sum(e.values()) + n["a"] * n["b"]


@program()
def ordered_and_counter_and_chain(x):
    o = OrderedDict(a=x[0], b=x[1])
    o.move_to_end("a")
    c = Counter("abca")
    m = ChainMap({"a": x[2]}, o)
    return m["a"] * m["b"] + sum(v * c[k] for k, v in o.items()) + list(o.values())[0]


@program()
def deque_rotated(x):
    d = deque(x, maxlen=3)
    d.appendleft(x[0] * 2)
    d.rotate(1)
    d.extend([x[1] * x[2]])
    return sum(v * (k + 1) for k, v in enumerate(d)) + d[0] * d.pop() + d.popleft()


@program()
def subclass_of_dict(x):
    class Params(dict):
        def __getattr__(self, name):
            try:
                return self[name]
            except KeyError:
                raise AttributeError(name) from None

        def __setattr__(self, name, value):
            self[name] = value

        def __missing__(self, key):
            return 3.0

    p = Params(a=x[0], b=x[1])
    p.c = p.a * p.b
    p["d"] = x[2]
    return p.c * p.d + p["none"] * p.get("a") + sum(p.values())


@program()
def subclass_of_dict_that_logs(x):
    class Log(dict):
        def __init__(self, *a, **k):
            super().__init__(*a, **k)
            self.writes = 0.0

        def __setitem__(self, k, v):
            self.writes += v
            super().__setitem__(k, v * 2)

        def __getitem__(self, k):
            return super().__getitem__(k) + 1.0

    d = Log(a=x[0])
    d["b"] = x[1]
    d["b"] = d["b"] * x[2]
    return d["a"] * d["b"] + d.writes


@program()
def subclass_of_list(x):
    class Vec(list):
        def __add__(self, other):
            return Vec(a + b for a, b in zip(self, other))

        def __mul__(self, k):
            return Vec([v * k for v in self])

        __rmul__ = __mul__

        def norm(self):
            return sum(v * v for v in self) ** 0.5

    v = Vec(x) + 2.0 * Vec([x[3], x[2], x[1], x[0]])
    v.append(x[0] * x[1])
    return v.norm() + v[0] + len(v) + sum(v[1:3])


@program()
def subclass_of_tuple(x):
    class Point(tuple):
        __slots__ = ()

        def __new__(cls, a, b):
            return super().__new__(cls, (a, b * 2))

        def dot(self, o):
            return self[0] * o[0] + self[1] * o[1]

    p, q = Point(x[0], x[1]), Point(x[2], x[3])
    a, b = p
    return p.dot(q) * a + b


@program()
def subclass_of_float(x):
    class Money(float):
        def __add__(self, o):
            return Money(float(self) + float(o))

        def taxed(self, rate):
            return Money(self * (1 + rate))

    m = Money(x[0] * 10) + Money(x[1])
    return float(m.taxed(x[2])) * 2.0


@program()
def user_dict_and_list(x):
    class D(UserDict):
        def __setitem__(self, k, v):
            super().__setitem__(k.upper(), v * v)

    class L(UserList):
        def total(self):
            return sum(self.data)

    d = D(a=x[0])
    d["b"] = x[1]
    li = L([x[2]])
    li.append(x[3])
    li += [d["A"]]
    return li.total() * d["B"] + li[0] + len(li)


@program()
def sets_of_numbers(x):
    s = {v * 2 for v in x}
    t = frozenset(s | {x[0] * 3})
    return sum(sorted(t)) * max(s)


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
