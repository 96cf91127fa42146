"""Lists of lists of tuples of numbers: the tuples have adjoints by value, the lists by identity."""

import heapq

import numpy as np
import pytest

from adtrans.testing import check_grads

W = np.array([0.3, 0.7, 1.1])


def neighbours(w):
    adj = [[] for _ in range(3)]
    for (a, b), c in zip([(0, 1), (1, 2), (0, 2)], w, strict=True):
        adj[a].append((b, c))
        adj[b].append((a, c))
    return sum(c * c for row in adj for _, c in row)


def shortest(w):
    adj = [[] for _ in range(3)]
    for (a, b), c in zip([(0, 1), (1, 2), (0, 2)], w, strict=True):
        adj[a].append((b, c))
        adj[b].append((a, c))
    dist = [0.0, np.inf, np.inf]
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, c in adj[u]:
            if d + c * c < dist[v]:
                dist[v] = d + c * c
                heapq.heappush(heap, (dist[v], v))
    return sum(dist)


def by_key(w):
    adj = {i: [] for i in range(3)}
    for k in range(3):
        adj[k % 2].append((w[k], w[k] * w[0]))
        adj[2].append(adj[k % 2][-1])
    s = 0.0
    for i in adj:
        for a, b in adj[i]:
            s += a * b * (i + 1)
    return s


def surgery(w):
    adj = [[] for _ in range(3)]
    for k in range(3):
        adj[k % 2].append((k, w[k]))
    adj[0].insert(0, (5, w[1] * w[1]))
    adj[0][1] = (2, w[2] * w[1])
    for row in adj:
        row.reverse()
    adj[1].extend([(4, w[0])])
    adj[0] = adj[0] + adj[1]
    adj[1] = adj[0][1:]
    del adj[0][0]
    adj[2], adj[0] = adj[0], adj[2]
    last = adj[2].pop()
    return sum(c * c * k for row in adj for k, c in row) + last[1]


def swapped(w):
    rows = [[], []]
    for k in range(3):
        rows[k % 2].append((k, (w[k], w[0])))
    best = 0.0
    for row in rows:
        for k, (a, b) in row:
            best += a * b * k
    rows[0], rows[1] = rows[1], rows[0]
    first = rows[1][0]
    rows[0].append(first)
    return best + rows[0][-1][1][0]


def _made(w):
    rows = [[] for _ in range(2)]
    for k in range(3):
        rows[k % 2].append((k, w[k]))
    return rows


def returned(w):
    rows = _made(w)
    rows[0].append((7, w[0] * w[1]))
    return rows[0][-1][1] * rows[1][0][1] + len(rows[0])


def given(w, rows):
    rows[0].append((1, w[0] * 2))
    rows[1].append((2, w[1]))
    i = 1 if w[2] > 1 else 0
    rows[i][0] = (3, rows[i][0][1] * w[2])
    return sum(c * k for row in rows for k, c in row)


@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [neighbours, shortest, by_key, surgery, swapped, returned], ids=lambda f: f.__name__
)
def test_tuples_of_numbers_in_lists_of_lists(f, on_overwrite):
    check_grads(f, (W,), on_overwrite=on_overwrite)


def test_lists_that_are_given():
    rows = [[(1, 2.0)], [(2, 0.5), (4, 1.5)]]
    check_grads(given, (W, rows), wrt=(0, 1))
