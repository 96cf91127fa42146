"""Lists of empty lists that functions fill."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("filled")


def _deal(groups, x):
    for i, v in enumerate(x):
        groups[i % 2].append(v * v)


@CASES.add(vec(4))
def displayed(x):
    groups = [[], []]
    _deal(groups, x)
    return sum(groups[0]) * sum(groups[1])


@CASES.add(vec(4))
def comprehended(x):
    groups = [[] for _ in range(2)]
    _deal(groups, x)
    return sum(groups[0]) * sum(groups[1])


def _deal_arrays(groups, x):
    for i, v in enumerate(x):
        groups[i % 2].append(v * x)


@CASES.add(vec(4))
def of_arrays(x):
    groups = [[] for _ in range(2)]
    _deal_arrays(groups, x)
    return sum(np.sum(a) for a in groups[0]) * np.sum(groups[1][0] ** 2)


def _deal_pairs(groups, x):
    for i, v in enumerate(x):
        groups[i % 2].append((v * v, i))


@CASES.add(vec(4))
def of_pairs(x):
    groups = [[] for _ in range(2)]
    _deal_pairs(groups, x)
    return sum(a * k for a, k in groups[0]) * sum(a for a, _ in groups[1])


def _put(groups, x):
    groups[0][0].append(x[0] * 2.0)
    groups[0][1].append(x[1])


@CASES.add(vec(4))
def three_levels(x):
    groups = [[[], []]]
    _put(groups, x)
    return groups[0][0][0] * groups[0][1][0]


def _by_key(groups, keys, x):
    for k, v in zip(keys, x):
        groups[k].append(v)
    return groups


@CASES.add(vec(4))
def returned(x):
    groups = [[], [], []]
    again = _by_key(groups, [0, 2, 0, 1], x)
    groups[1].append(x[0] * 2.0)
    return sum(sum(v) ** 2 for v in again)


class _Bins:
    def __init__(self):
        self.of = [[] for _ in range(2)]

    def put(self, k, v):
        self.of[k].append(v)

    def total(self):
        return sum(sum(row) ** 2 for row in self.of)


@CASES.add(vec(4))
def of_an_object(x):
    bins = _Bins()
    for i, v in enumerate(x):
        bins.put(i % 2, v)
    return bins.total()


def _visit(graph, u, seen, x):
    seen.append(u)
    for v in graph[u]:
        if v not in seen:
            _visit(graph, v, seen, x)
    graph[u].append(0)


@CASES.add(vec(4))
def while_walked_through(x):
    graph, seen = [[1], [2], [3], []], []
    _visit(graph, 0, seen, x)
    return sum(x[k] * len(graph[k]) for k in seen)


def _mixed(groups, x):
    groups[0].append(x[0])
    u = groups[0]
    u.append([x[1]])


@CASES.never(vec(4), code="AD207")
def numbers_and_lists(x):
    groups = [[], []]
    _mixed(groups, x)
    return groups[0][0] * groups[0][1][0]


def _deeper(groups, x):
    groups.append([[x[1]]])
    groups[0].append([x[0]])


@CASES.add(vec(4), default="ok/AD207", save="ok/AD207")
def lists_of_both_depths(x):
    groups = [[]]
    _deeper(groups, x)
    return groups[0][0][0] * groups[1][0][0]
