"""Containers of `collections` inside a function, and dictionaries of dictionaries."""

from collections import OrderedDict, defaultdict

import numpy as np
import pytest

from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

W = np.array([0.3, 0.7, 1.1])


def neighbours(w):
    adj = defaultdict(dict)
    for k, (a, b) in enumerate([(0, 1), (1, 2), (0, 2)]):
        adj[a][b] = w[k] * w[0]
    return sum(c * c for d in adj.values() for c in d.values())


def by_default(w):
    adj = {}
    for k, (a, b) in enumerate([(0, 1), (1, 2), (0, 2)]):
        adj.setdefault(a, {})[b] = w[k]
        adj.setdefault(b, {})[a] = w[k] * w[0]
    adj[0][1] = adj[0][1] * adj[1][2]
    return sum(c * c * (i + 1) for i, d in adj.items() for c in d.values())


def unpacked(w):
    out, pos = OrderedDict(), 0
    for name, shape in (("W", (2, 1)), ("b", (1,))):
        n = int(np.prod(shape))
        out[name] = w[pos : pos + n].reshape(shape)
        pos += n
    return np.sum(out["W"] * out["b"])


def unpacked_list(w):
    out, pos = [], 0
    for shape in ((2, 1), (1,)):
        n = int(np.prod(shape))
        out.append(np.reshape(w[pos : pos + n], shape))
        pos += n
    return np.sum(out[0] @ np.ones(1) * out[1])


def with_words(w):
    d = OrderedDict(a=w[0], b=w[1] * w[2])
    e = defaultdict(float, c=w[0])
    d["c"] = d["a"] * d["b"]
    e["d"] += e["c"] * w[1]
    return sum(v * v * (i + 1) for i, v in enumerate(d.values())) + e["d"] + e["f"]


def moved(w):
    d = OrderedDict()
    d["a"], d["b"] = w[0], w[1] * w[2]
    for key in ("b", "a", "b"):
        d.move_to_end(key)
    d.move_to_end("a")
    return sum(v * (i + 1) for i, v in enumerate(d.values()))


@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [neighbours, by_default, unpacked, unpacked_list, with_words, moved],
    ids=lambda f: f.__name__,
)
def test_dictionaries(f, on_overwrite):
    check_grads(f, (W,), on_overwrite=on_overwrite)
