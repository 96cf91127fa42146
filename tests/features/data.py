"""Tuples, lists, dictionaries, sets, named tuples, dataclasses, comprehensions, unpacking."""

from __future__ import annotations

import bisect
import enum
import heapq
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import asdict, astuple, dataclass, replace
from typing import NamedTuple

import numpy as np

from tests.features.model import Section, X

row = Section("Data")

Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    x: float
    y: float = 2.0


@dataclass(frozen=True)
class Frozen:
    x: float
    y: float


@row("tuple as a local")
def tuple_local(x):
    pair = (x[0] * x[1], x[2])
    return pair[0] * pair[1]


@row("tuple as an argument", (X, 2.0))
def tuple_argument(p):
    return np.sum(p[0] * p[0]) * p[1]


@row("tuple as a result")
def tuple_result(x):
    return np.sum(x * x), x * 2.0


@row("tuples added, sliced")
def tuple_added(x):
    t = (x[0], x[1]) + (x[2],)
    return t[1:][0] * t[0]


@row("tuple, or None")
def tuple_or_none(x):
    best = None
    for v in x:
        if best is None or v * v < best[0]:
            best = v * v, v * x
    return best[0] * np.sum(best[1])


@row("list, or None")
def list_or_none(x):
    best = None
    if x[0] > 0.0:
        best = [v * v for v in x]
    if best is None:
        return 0.0
    return best[0] * best[1]


@row("list as an argument", [X, 2.0 * X])
def list_argument(p):
    return np.sum(p[0] * p[1])


@row("list as a result")
def list_result(x):
    return [x[0] * x[1], x[2]]


@row("dictionary as an argument", {"a": X, "b": 2.0})
def dict_argument(p):
    return np.sum(p["a"] * p["a"]) * p["b"]


@row("dictionary as a result")
def dict_result(x):
    return {"a": x[0] * x[1], "b": np.sum(x)}


@row("set of inactive things")
def inactive_set(x):
    chosen = {0, 2}
    return sum(x[k] * x[k] for k in range(3) if k in chosen)


@row("named tuple as a local")
def named_local(x):
    p = Pair(x[0] * x[0], x[1])
    return p.a * p.b


@row("named tuple as an argument", Pair(X, 2.0))
def named_argument(p):
    return np.sum(p.a * p.a) * p.b


@row("named tuple as a result")
def named_result(x):
    return Pair(x[0] * x[1], x)


@row("named tuple with `_replace`")
def named_replace(x):
    p = Pair(x[0], x[1])._replace(b=x[2] * x[2])
    return p.a * p.b


class Measured(NamedTuple):
    value: float
    weight: float = 2.0

    @property
    def scaled(self):
        return self.value * self.weight

    def plus(self, other):
        return self._replace(value=self.scaled + other.scaled)


@row("methods and properties of a named tuple")
def named_methods(x):
    return Measured(x[0] * x[1]).plus(Measured(x[2], x[0])).scaled


class Shift(NamedTuple):
    a: float
    b: float

    def __add__(self, other):
        return Shift(self.a + other.a, self.b * other.b)

    def __mul__(self, k):
        return Shift(self.a * k, self.b * k)

    __rmul__ = __mul__


@row("operators of a named tuple, `_asdict`")
def named_operators(x):
    s = Shift(x[0], x[1])
    for k in range(2):
        s += 2.0 * (Shift(x[2], 1.5) * x[k])
    return s._asdict()["a"] * s.b


@row("dataclass as a local")
def dataclass_local(x):
    p = Point(x[0] * x[0])
    p.y = x[1]
    return p.x * p.y


@row("dataclass as an argument", Point(1.5, 0.5))
def dataclass_argument(p):
    return p.x * p.x * p.y


@row("dataclasses with defaults in a list that grows")
def dataclasses_in_a_list(x):
    points = []
    for v in x:
        points.append(Point(v * v) if v > 0.8 else Point(v, v * x[0]))
    points[0].y *= points[1].x
    return sum(p.x * p.y for p in points)


@row("dataclass as a result")
def dataclass_result(x):
    return Point(x[0] * x[1], x[2])


@row("`dataclasses.replace`")
def dataclass_replace(x):
    p = replace(Frozen(x[0], x[1]), y=x[2] * x[0])
    return p.x * p.y


@row("`dataclasses.asdict` and `astuple`")
def dataclass_shown(x):
    d = asdict(Point(x[0] * x[0], x[1]))
    a, b = astuple(Frozen(x[1], x[2]))
    return d["x"] * d["y"] * a * b


@row("nested structure as an argument", {"layers": [(X, 0.5), (2.0 * X, 0.7)]})
def nested_argument(p):
    total = 0.0
    for w, b in p["layers"]:
        total = total + np.sum(w * w) * b
    return total


@row("nested structure as a local")
def nested_local(x):
    state = {"u": [x[0], x[1]], "v": (x[2],)}
    return state["u"][0] * state["u"][1] * state["v"][0]


@row("nested structure as a result")
def nested_result(x):
    return {"u": [x[0] * x[1], x[2]], "v": (x,)}


@row("list of lists, an item set")
def list_of_lists(x):
    rows = [[x[0], x[1]], [x[2], 1.0]]
    rows[0][1] = x[0] * x[2]
    return rows[0][1] * rows[1][0]


@row("list of lists, items set at computed places")
def list_of_lists_computed(x):
    rows = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            rows[i][j] = x[i] * x[j]
        rows[i][i] += 1.0
    return rows[1][0] * rows[2][2]


@row("list of lists joined by NumPy")
def lists_of_lists_joined(x):
    a = [v * v for v in x]
    rows = [a, [x[0], x[1], x[2]]]
    return np.sum(np.vstack(rows)[0] * np.concatenate(rows)[3:])


@row("arrays in a list joined into `out`")
def joined_into_out(x):
    y = np.zeros(6)
    parts = [x, x * x]
    np.concatenate(parts, out=y)
    return np.sum(y * y)


def _add_rows(rows, i, j, factor):
    for k in range(len(rows[i])):
        rows[i][k] += factor * rows[j][k]


@row("list of lists written by a helper")
def rows_by_helper(x):
    rows = [[v, v * v] for v in x]
    _add_rows(rows, 0, 2, x[1])
    return rows[0][0] * rows[0][1]


@row("list of lists as an argument, written", [[2.0, 0.5], [0.25, 1.5]])
def rows_argument(rows):
    rows[1][1] -= rows[1][0] * rows[0][1] / rows[0][0]
    return rows[0][0] * rows[1][1]


@row("rows of a list of lists swapped")
def rows_swapped(x):
    rows = [[v, v * v] for v in x]
    k = 2 if x[0] > 0.5 else 1
    rows[0], rows[k] = rows[k], rows[0]
    rows[k][1] = rows[0][0] * x[1]
    return rows[k][1] * rows[0][1]


@row("lists in a dictionary that grow")
def groups(x):
    found = {}
    for k in range(3):
        found.setdefault(k % 2, []).append(x[k] * x[k])
    return found[0][1] * found[1][0]


@row("columns of rows: `zip(*rows)`")
def columns(x):
    rows = [[v, v * v] for v in x]
    first, second = zip(*rows)
    return sum(a * b for a, b in zip(first, second))


@row("list `append`")
def append(x):
    values = []
    for v in x:
        values.append(v * v)
    return values[0] * values[-1]


@row("list `extend`")
def extend(x):
    values = [x[0] * x[0]]
    values.extend([x[1], x[2]])
    return values[0] * values[2]


@row("list `extend` by a generator expression")
def extend_by_generator(x):
    values = [x[0]]
    values.extend(v * values[-1] for v in x if v > 0.5)
    return sum(values)


@row("list `insert`")
def insert(x):
    values = [x[0], x[1]]
    values.insert(0, x[2] * x[2])
    return values[0] * values[1]


@row("list `pop`")
def pop(x):
    values = [x[0], x[1] * x[2]]
    last = values.pop()
    return last * values[0]


@row("list `clear`")
def clear(x):
    values = [x[0] * x[0]]
    s = values[0]
    values.clear()
    values.append(x[1])
    return s * values[0]


@row("list `reverse`")
def reverse(x):
    values = [x[0], x[1] * x[1], x[2]]
    values.reverse()
    return values[0] * values[1]


@row("list `copy`")
def list_copy(x):
    values = [x[0], x[1]]
    other = values.copy()
    other[0] = x[2] * x[2]
    return values[0] * other[0]


@row("list `sort`")
def sort(x):
    values = [x[2] * x[2], x[0], x[1]]
    values.sort()
    return values[0] * values[2]


@row("list `sort(key=...)`")
def sort_key(x):
    values = [x[2] * x[2], x[0], x[1]]
    values.sort(key=lambda v: -v)
    return values[0] * values[2]


@row("slice of a list")
def list_slice(x):
    values = [x[0], x[1] * x[1], x[2]]
    return sum(values[1:])


@row("slice of a list assigned")
def list_slice_set(x):
    values = [x[0], x[1], x[2]]
    values[1:] = [x[0] * x[0], x[1] * x[2]]
    return values[1] * values[2]


@row("lists added and multiplied")
def list_added(x):
    values = [x[0] * x[0]] * 2 + [x[1]]
    return values[0] * values[1] * values[2]


@row("`in` and `len` of a list")
def list_in(x):
    names = ["a", "b"]
    values = [x[0], x[1]]
    return values[0] * values[1] * len(values) if "a" in names else x[2]


@row("`del` of an item of a list")
def list_del(x):
    values = [x[0] * x[0], x[1], x[2]]
    del values[0]
    return values[0] * values[1]


@row("an array in a list, written in place")
def array_in_list(x):
    values = [x * 2.0, x * 3.0]
    values[0][1] = x[0] * x[0]
    return np.sum(values[0]) * values[1][2]


@row("dictionary read and written")
def dict_written(x):
    d = {"a": x[0] * x[0]}
    d["b"] = d["a"] * x[1]
    return d["b"]


@row("dictionary `get`")
def dict_get(x):
    d = {"a": x[0] * x[0]}
    return d.get("a", 1.0) * d.get("b", x[1])


@row("dictionary `setdefault`")
def dict_setdefault(x):
    d = {"a": x[0] * x[0]}
    d.setdefault("a", 3.0)
    d.setdefault("b", x[1])
    return d["a"] * d["b"]


@row("dictionary `update`")
def dict_update(x):
    d = {"a": x[0], "b": x[1]}
    d.update({"a": x[2] * x[2]})
    return d["a"] * d["b"]


@row("dictionary `pop`")
def dict_pop(x):
    d = {"a": x[0] * x[0], "b": x[1]}
    return d.pop("a") * d["b"]


@row("dictionaries joined: `|`")
def dict_joined(x):
    d = {"a": x[0], "b": x[1]} | {"b": x[2] * x[2]}
    return d["a"] * d["b"]


@row("dictionary changed by `|=` in a loop")
def dict_united_in_a_loop(x):
    state = {"q": x[0]}
    for k in range(3):
        state |= {"q": state["q"] * x[k], "p": x[k] ** 2}
    return state["q"] + state["p"]


@row("dictionary with `**` of another")
def dict_star(x):
    d = {"a": x[0], "b": x[1]}
    e = {**d, "b": x[2] * d["b"]}
    return e["a"] * e["b"]


@row("list with `*` of another")
def list_star(x):
    values = [x[0], x[1] * x[1]]
    more = [*values, x[2]]
    return more[1] * more[2]


@row("dictionary `items`")
def dict_items(x):
    total = 1.0
    for name, v in {"a": x[0], "b": x[1]}.items():
        total = total * (v * v if name == "a" else v)
    return total


@row("dictionary `keys` and `values`")
def dict_values(x):
    d = {"a": x[0] * x[0], "b": x[1]}
    return sum(d.values()) * sum(d[k] for k in d.keys())


@row("loop over a dictionary")
def dict_loop(x):
    d = {"a": x[0] * x[0], "b": x[1]}
    total = 1.0
    for k in d:
        total = total * d[k]
    return total


@row("`del` of an item of a dictionary")
def dict_del(x):
    d = {"a": x[0] * x[0], "b": x[1]}
    del d["b"]
    return d["a"] * len(d)


@row("unpacking")
def unpacking(x):
    a, (b, c) = x[0], (x[1], x[2])
    a, b = b * c, a
    return a * b


@row("unpacking an array")
def unpacking_array(x):
    a, b, c = x * x
    return a * b + c


@row("star in a target")
def star_target(x):
    first, *rest = [x[0], x[1] * x[1], x[2]]
    return first * rest[0] * rest[1]


@row("list comprehension")
def list_comprehension(x):
    return sum([v * v for v in x])


@row("comprehension with a condition")
def comprehension_if(x):
    return sum([v * v for v in x if v > 0.7])


@row("nested comprehension")
def comprehension_nested(x):
    return sum([a * b for a in x for b in x])


@row("comprehension of comprehensions")
def comprehension_rows(x):
    rows = [[a * b for a in x] for b in x]
    return rows[0][1] * rows[2][1]


@row("dictionary comprehension")
def dict_comprehension(x):
    d = {k: x[k] * x[k] for k in range(3)}
    return d[0] * d[2]


@row("set comprehension of inactive things")
def set_comprehension(x):
    chosen = {k % 2 for k in range(4)}
    return sum(x[k] * x[k] for k in sorted(chosen))


@row("walrus")
def walrus(x):
    return (a := x[0] * x[0]) * a + np.sum(x)


@row("`match` on values")
def match_value(x, mode="square"):
    match mode:
        case "square":
            return np.sum(x * x)
        case _:
            return np.sum(x)


@row("`match` on a sequence")
def match_sequence(x):
    match (x[0] * x[0], x[1]):
        case (a, b):
            return a * b
    return x[2]


@row("`collections.deque`")
def deque_(x):
    window = deque(maxlen=2)
    s = 0.0
    for v in x:
        window.append(v * v)
        s += window[0] * len(window)
    return s * window.popleft()


class Averaged:
    def __init__(self, n):
        self.window = deque(maxlen=n)

    def __call__(self, v):
        self.window.append(v)
        return sum(self.window) / len(self.window)


@row("a deque that an object holds, and one that is handed to a function")
def deque_held(x):
    average = Averaged(2)
    s = sum(average(v * v) for v in x)
    return s * last_of(deque([x[0], x[1]], maxlen=1))


def last_of(q):
    return q.pop()


@row("`collections.defaultdict` of numbers")
def defaultdict_numbers(x):
    d = defaultdict(float)
    for k, v in zip("aba", x):
        d[k] += v * v
    return d["a"] * d["b"]


@row("`collections.defaultdict` of lists")
def defaultdict_lists(x):
    d = defaultdict(list)
    for k in range(3):
        d[k % 2].append(x[k] * x[k])
    return sum(d[0]) * d[1][0]


@row("`collections.Counter`")
def counter(x):
    s = 0.0
    c = Counter("aba")
    for k, (_, n) in enumerate(c.items()):
        s += n * x[k] * x[k]
    return s


@row("`collections.OrderedDict`")
def ordered_dict(x):
    d = OrderedDict([("a", x[0] * x[0])])
    d["b"] = x[1]
    return d["a"] * d["b"]


@row("`dict.fromkeys`")
def fromkeys(x):
    d = dict.fromkeys("ab", 0.0)
    for k, v in zip("aba", x):
        d[k] += v * v
    return d["a"] * d["b"]


@row("set that grows")
def set_grows(x):
    seen, s = {0}, 0.0
    for k in [0, 1, 2, 1]:
        s += x[k] ** 2 * len(seen) * (2.0 if k in seen else 1.0)
        seen.add(k)
    return s


@row("`del` of a slice of a list")
def del_slice(x):
    values = [v * v for v in x]
    del values[1:2]
    return values[0] * values[1]


@row("tuple of a comprehension, in a loop")
def tuple_in_a_loop(x):
    t = (1.0, 2.0)
    for v in x:
        t = tuple(v * e for e in t)
    return t[0] + t[1] * t[1]


def _powers(x, n):
    return tuple(x**k for k in range(n))


@row("tuple of a comprehension, from a helper")
def tuple_from_a_helper(x):
    t = _powers(x, 4)
    return np.sum(t[1] * t[3])


@row("`tuple`, `list` and `sorted` of an array")
def tuple_of_array(x):
    return tuple(x)[0] * list(x)[1] * sorted(x)[2]


@row("`list` of a tuple")
def list_of_tuple(x):
    items = list((x[0], x[1]))
    items.append(x[2])
    return items[0] * items[2]


@row("slice as a value, chosen and handed on")
def slice_value(x):
    s = slice(0, 2) if x[0] > 0.5 else slice(1, 3)
    return squares_of(x, s) * x[0]


def squares_of(x, s):
    return np.sum(x[s] ** 2)


@row("list of slices")
def list_of_slices(x):
    y = np.zeros(3)
    for s in [slice(0, 2), slice(1, 3)]:
        y[s] += x[s] * x[0]
    return np.sum(y * y)


@row("method of a list under a name")
def append_named(x):
    out = []
    put = out.append
    for v in x:
        put(v * v)
    return out[0] * out[1]


@row("`heapq`")
def heap(x):
    h = []
    for v in x:
        heapq.heappush(h, v * v)
    return heapq.heappop(h) * heapq.heappop(h) * h[0]


@row("`heapq` of pairs")
def heap_of_pairs(x):
    h = [(v * v, i) for i, v in enumerate(x)]
    heapq.heapify(h)
    d, i = heapq.heappop(h)
    return d * x[i] * h[0][0]


@row("`bisect.insort`")
def insort(x):
    items = []
    for v in x:
        bisect.insort(items, v * v)
    return items[0] * items[1] * items[1]


@row("list of None, filled by position")
def list_of_none(x):
    out = [None] * 3
    for i in (2, 0, 1):
        out[i] = x[i] * x[0]
    return sum(out) * out[1]


@row("values remembered in a list of None")
def remembered_in_a_list(x):
    cache, s = [None] * 3, 0.0
    for i in (0, 1, 0, 2):
        if cache[i] is None:
            cache[i] = x[i] * x[i]
        s += cache[i] * x[1]
    return s


@row("arrays in a table of None, written in place")
def written_beside_none(x):
    rows = [[None, None] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            rows[i][j] = x * (i + j + 1.0)
            rows[i][j][i] += x[j]
    return np.sum(rows[0][1] * rows[1][0])


@row("`+=` of an array in a list that begins with None")
def added_beside_none(x):
    held = [None] * 2

    def get(i):
        if held[i] is None:
            held[i] = np.zeros(3)
        return held[i]

    for k in range(3):
        total = get(k % 2)
        total += x * x[k]
    return np.sum(held[0] * held[1])


@row("tuples of arrays and numbers in a list, arrays written in place")
def written_in_tuples(x):
    bodies = []
    for k in range(3):
        bodies.append((x * (k + 1.0), np.zeros(3), x[k]))
    for p, v, m in bodies:
        v += m * m
    for p, v, m in bodies:
        p += 0.1 * v
    return np.sum(bodies[0][0]) * np.sum(bodies[2][0]) * bodies[1][2]


@row("list `remove`, `index`, `count`")
def list_remove(x):
    a = [v * v for v in x]
    a.remove(a[0])
    return a[0] * x[a.index(a[1])] * (1 + a.count(1.0))


@row("list of pairs, `sort(key=...)`")
def sorted_pairs(x):
    a = [(i, v * (2.0 - v)) for i, v in enumerate(x)]
    a.sort(key=lambda p: p[1])
    return sum(k * p[1] ** 2 for k, p in enumerate(a))


@row("dictionary `popitem`")
def dict_popitem(x):
    d, s = {i: v * v for i, v in enumerate(x)}, 0.0
    while d:
        k, v = d.popitem()
        s = 0.5 * s + k * v * x[0]
    return s


@row("dictionary with pairs as keys")
def pairs_as_keys(x):
    d = {}
    for i in range(3):
        for j in range(i + 1):
            d[i, j] = x[i] * x[j]
    return sum(w * (i - j) ** 2 for (i, j), w in d.items()) * d[2, 1]


@row("varying numbers as keys")
def varying_keys(x):
    d = {v: 1.0 for v in x}
    return sum(k * k for k in d)


@row("`sum` from an array of another shape")
def sum_of_other_shapes(x):
    return np.sum(sum([x[:1] * x[1], x * x], np.ones((2, 3))) ** 2)


@row("star in a target, in a loop")
def head_and_rest(x):
    s, *rest = x
    total = s
    while rest:
        s, *rest = rest
        total = total * 0.5 + s * s
    return total


@row("walrus in a comprehension")
def walrus_inside(x):
    return sum([y * y for v in x if (y := np.sin(v)) > 0.6]) * y


@row("lists joined by `sum(rows, [])`")
def joined_lists(x):
    rows = [[v, v * v] for v in x]
    flat = sum(rows, [])  # noqa: RUF017  # as users write
    return flat[0] * flat[3]


@row("class of named tuples made inside")
def named_inside(x):
    State = namedtuple("State", "pos vel")
    s = State(x[0], x[1])
    for _ in range(3):
        s = State(s.pos + 0.1 * s.vel, s.vel - 0.1 * x[2] * s.pos)
    return s.pos * s.vel


@row("dictionary with computed keys, `p[f\"W{k}\"]`")
def dict_computed_keys(x):
    p = {}
    for k in range(2):
        p[f"W{k}"] = np.outer(x, x) * (k + 1.0)
        p[f"b{k}"] = x[k] * x
    y = x
    for k in range(2):
        y = y @ p[f"W{k}"] + p[f"b{k}"]
        y = y - y.max(axis=-1, keepdims=True)
    return np.sum(y)


@row("`for k in sorted(d)` of a dictionary")
def keys_in_order(x):
    d = {"b": x[0] * x, "a": x[1] * x[2]}
    s = 0.0
    for k in sorted(d):
        s = 0.5 * s + np.sum(d[k] ** 2)
    return s


@row("a `range` as index of an array")
def range_as_index(x):
    a = np.outer(x, x * x)
    n = range(3)
    a[n, n] *= x
    return np.sum(a[n, n]) * x[range(2)][1]


@row("`max(best, (value, i))` of tuples")
def largest_tuple(x):
    best = (-1.0, -1)
    for i, v in enumerate(x):
        best = max(best, (v * v, i))
    return best[0] * x[best[1]]


@row("parts of a complex array that are written, `z.imag *= v`")
def parts_written(x):
    z = np.fft.fft(x)
    z.imag *= 0.5
    z.real[0] = x[1] * x[2]
    return np.sum(np.abs(z))


@row("elements by flat positions, `a.flat[k] *= v`")
def by_flat_positions(x):
    y = np.outer(x, x)
    for k in range(1, y.size):
        y.flat[k] *= y.flat[k - 1]
    return sum(v * v for v in y.flat)


@row("all elements at once, `a, b, c, d = m.flat`")
def unpacked_flat(x):
    a, b, c, d = np.outer(x[:2], x[1:]).flat
    return a * d + b * c * c


@row("lists of lists that are filled by a helper and read by another")
def filled_table(x):
    def squares(v):
        table = [[0.0 for _ in range(3)] for _ in range(3)]
        for i in range(3):
            for j in range(3):
                table[i][j] = v[i] * v[j]
        return table

    def trace(table):
        total = 0.0
        for k in range(3):
            total += table[k][k] * table[k][0]
        return total

    return trace(squares(x))


@row("`a.transpose(*axes)`, `a.reshape(*sizes)`")
def methods_of_arrays_with_star(x):
    sizes, axes = (3, 1, 3), (2, 0, 1)
    return np.sum(np.outer(x, x * x).reshape(*sizes).transpose(*axes)[0] ** 2)


class _At(enum.IntEnum):
    POSITION = 0
    SPEED = 2


@row("members of an `IntEnum` as indices")
def named_places(x):
    return x[_At.POSITION] * x[_At.SPEED] ** 2


_DEFAULTS = {"k": 2.0, "m": 0.5}


@row("global dictionary in `{**TABLE, **d}`, and united with another one")
def defaults_and_more(x):
    p = {**_DEFAULTS, **{"m": x[0]}}
    q = _DEFAULTS | {"k": x[1]}
    return p["k"] * p["m"] * q["k"] * q["m"]
