"""Containers: those of Python, and subclasses of them."""

from __future__ import annotations

from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque

import numpy as np

from tests.recorder.language.judge import program


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
