"""Dictionaries of `collections` that come from outside, are returned, or are held by objects."""

from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

pytestmark = pytest.mark.recorded

X = np.array([0.3, 0.7, 1.1])


def arrays(d):
    return np.sum(d["a"] * d["b"]) + d["c"] ** 2


def in_order(d):
    return sum(v * v * (i + 1) for i, v in enumerate(d.values()))


def by_key(d):
    return sum((i + 1) * d[k] ** 2 for i, k in enumerate(list(d)))


def written(d):
    d["a"] = d["a"] * d["b"]
    d["q"] = d["c"] ** 2
    return np.sum(d["a"]) * d["q"]


def taken_first(d):
    _, v = d.popitem(last=False)
    return v * 3.0 + sum(w * w for w in d.values())


def taken_last(d):
    _, v = d.popitem()
    return v * 3.0 + sum(w * w for w in d.values())


def moved(d):
    d.move_to_end("a")
    return sum((i + 1) * v * v for i, v in enumerate(d.values()))


def missing(d):
    d["z"] += d["c"] ** 2
    return d["z"] * d["c"]


def only_asked(d):
    v = d["z"]
    return v + d["c"] ** 2 * len(d)


def counted_up(c):
    c["a"] += 2.0 * c["b"]
    c["n"] += c["b"] ** 2
    return c["a"] * c["n"] + c["zz"] * len(c)


def dropped(c):
    del c["nothing"]
    del c["a"]
    return c["a"] + c["b"] ** 2


def same(d):
    return d


ITEMS = [("a", X.copy()), ("b", 2.0 * X), ("c", 1.5)]
NUMBERS = [("a", 1.2), ("b", 0.7), ("c", 0.4)]


def counter(**items):
    made = Counter()
    made.update(items)
    return made


@pytest.mark.parametrize("policy", ["refuse", "save"])
@pytest.mark.parametrize(
    ("f", "given"),
    [
        (arrays, OrderedDict(ITEMS)),
        (arrays, defaultdict(float, ITEMS)),
        (in_order, OrderedDict(NUMBERS)),
        (in_order, defaultdict(float, NUMBERS)),
        (by_key, OrderedDict(NUMBERS)),
        (by_key, defaultdict(lambda: 2.5, NUMBERS)),
        (written, OrderedDict(ITEMS)),
        (written, defaultdict(None, ITEMS)),
        (taken_first, OrderedDict(NUMBERS)),
        (taken_last, OrderedDict(NUMBERS)),
        (moved, OrderedDict(NUMBERS)),
        (missing, defaultdict(float, NUMBERS)),
        (missing, defaultdict(lambda: 2.5, NUMBERS)),
        (missing, Counter(dict(NUMBERS))),
        (only_asked, defaultdict(int, NUMBERS)),
        (only_asked, Counter(dict(NUMBERS))),
        (counted_up, Counter(dict(NUMBERS))),
        (dropped, Counter(dict(NUMBERS))),
        (same, OrderedDict(ITEMS)),
        (same, defaultdict(float, ITEMS)),
        (same, Counter(dict(NUMBERS))),
    ],
)
def test_arguments(f, given, policy):
    check_grads(f, (given,), on_overwrite=policy)


def test_gradients_have_the_class_of_the_argument():
    for given in (OrderedDict(NUMBERS), defaultdict(float, NUMBERS), Counter(dict(NUMBERS))):
        gradient = ad.grad(lambda d: d["a"] ** 2 * d["b"])(given)
        assert type(gradient) is type(given)
        assert gradient == {"a": 2 * 1.2 * 0.7, "b": 1.2**2, "c": 0.0}


def test_a_factory_is_a_version_of_its_own():
    gradient = ad.value_and_grad(lambda d: d["a"] * d["z"])
    assert gradient(defaultdict(lambda: 2.0, a=3.0))[0] == 6.0
    assert gradient(defaultdict(lambda: 5.0, a=3.0))[0] == 15.0
    with pytest.raises(KeyError):
        gradient({"a": 3.0})


def test_counters_are_no_sums_in_trees():
    assert ad.tree.map(lambda v: v + 1, counter(a=2, b=3)) == {"a": 3, "b": 4}


def used_by_callee(x):
    def put(d, k, v):
        d[k] += v

    d = defaultdict(float)
    for i in range(3):
        put(d, i % 2, x[i] ** 2)
    return d[0] * d[1] * len(d)


def grouped(x):
    def put(d, k, v):
        d[k].append(v)

    d = defaultdict(list)
    for i in range(3):
        put(d, "ab"[i % 2], x[i] * x[0])
    n = len(d["zz"])
    h = dict(d)
    return n + len(h) + sum(np.sum(np.array(v)) ** 2 for v in h.values())


def joined(x):
    d = OrderedDict([("w", x), ("b", x[0])])
    f = d | OrderedDict(w=x * 2)
    return np.sum(f["w"]) * f["b"] * (type(f) is OrderedDict)


def copied(x):
    d = defaultdict(float, a=x[0])
    e, f = d.copy(), dict(d)
    e["z"] += x[1]
    return e["z"] * e["a"] * len(e) * len(d) * (type(e) is defaultdict) * (type(f) is dict)


def asked_in_a_test(x):
    d = defaultdict(int)

    def looks(d):
        return d["n"] > 0

    return x[0] if looks(d) else x[1] ** 2 * len(d)


def spread_out(x):
    def f(a=0.0, b=0.0):
        return a * b

    d = OrderedDict(a=x[0])
    d["b"] = x[1] ** 2
    return f(**d)


def within(x):
    d = {"x": OrderedDict(u=x[0], v=x[1])}
    d["x"]["u"] = d["x"]["u"] * d["x"]["v"]
    return d["x"]["u"] ** 2


class Held:
    def __init__(self):
        self.sums, self.rows = defaultdict(float), OrderedDict()

    def take(self, k, v):
        self.sums[k] += v
        self.rows[k] = v * self.sums[k]


def by_objects(x):
    h = Held()
    for i in range(3):
        h.take(i % 2, x[i] * x[0])
    return h.sums[0] * h.sums[1] + sum(h.rows.values())


@pytest.mark.parametrize(
    "f", [used_by_callee, joined, copied, asked_in_a_test, spread_out, within]
)
def test_made_inside(f):
    check_every_mode(f, X)
    check_grads(f, (X,), on_overwrite="save")


class Cache:
    def __init__(self, size):
        self.size, self.held = size, OrderedDict()

    def get(self, k, x):
        if k in self.held:
            self.held.move_to_end(k)
            return self.held[k]
        self.held[k] = v = x[k] ** 2
        if len(self.held) > self.size:
            self.held.popitem(last=False)
        return v


def recently_used(x):
    cache, total = Cache(2), 0.0
    for k in (0, 1, 0, 2, 0, 1):
        total += cache.get(k, x) * (k + 1)
    return total * sum(cache.held.values())


@pytest.mark.parametrize("policy", ["refuse", "save"])
@pytest.mark.parametrize("f", [by_objects, recently_used, grouped])
def test_held(f, policy):
    check_grads(f, (X,), on_overwrite=policy)


def several(x):
    d = defaultdict(float)
    d["a"] += x[0] * x[1]
    c = Counter(a=x[0])
    c["b"] += x[1] * x[0]
    return OrderedDict(w=x * 2, b=OrderedDict(c=x[0])), d, c


def test_results():
    check_grads(several, (X,))
    check_grads(several, (X,), on_overwrite="save")


def how_often(x, words):
    c = Counter(words)
    total = 0.0
    for w, n in c.items():
        total += n * x[0] ** len(w)
    c["a"] += 1
    return total * c["a"] * x[1] + c["never"]


def test_counted_items():
    check_grads(how_often, (X, ["a", "bc", "a"]))
    check_grads(how_often, (X, ["a", "bc", "a"]), on_overwrite="save")


def added_to(c):
    c.update({"a": c["b"]})
    return c["a"]


def test_what_is_added_to_a_counter():
    check_grads(added_to, (Counter(dict(NUMBERS)),))


class Joined(dict):
    """A class of the user's."""


def test_what_is_not_followed_is_not_lost_in_a_union():
    """A dictionary that joins another one carries its derivatives."""
    for given in (OrderedDict(NUMBERS), defaultdict(float, NUMBERS), Joined(NUMBERS)):
        assert ad.grad(lambda d: ({"a": 3.0} | d)["a"] ** 2)(given)["a"] == 2.4
