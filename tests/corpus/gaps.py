"""Entries of lists and dictionaries: None where nothing has been put yet, pairs and values as keys;
sums of several shapes."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("gaps")


@CASES.add(vec(4))
def filled_by_position(x):
    out = [None] * 4
    for i in (2, 0, 3, 1):
        out[i] = x[i] * x[0]
    return sum(out) * out[1]


@CASES.add(vec(4))
def recurrence_in_a_list_of_none(x):
    memo = [None for _ in range(4)]
    memo[0] = x[0]
    for i in range(1, 4):
        memo[i] = memo[i - 1] * x[i] + 1.0
    return memo[3] * memo[1]


@CASES.add(vec(4))
def computed_when_it_is_missing(x):
    cache = [None] * 4
    s = 0.0
    for i in [0, 1, 0, 2, 1]:
        if cache[i] is None:
            cache[i] = np.sin(x[i])
        s += cache[i] * x[3]
    return s + sum(c * c for c in cache if c is not None)


@CASES.add(vec(4))
def remembered_by_a_recursion(x):
    cache = [None] * 5

    def fib(n):
        if cache[n] is not None:
            return cache[n]
        r = x[n] if n < 2 else fib(n - 1) * x[1] + fib(n - 2) * x[0]
        cache[n] = r
        return r

    return fib(4)


@CASES.add(vec(4))
def numbers_replaced_by_none(x):
    a = [x[0], x[1], None]
    a[2] = a[0] * a[1]
    s = a[2] * a[0]
    a[0] = None
    a[1] = s * a[2]
    return s + a[1]


@CASES.add(vec(4))
def none_for_what_is_left_out(x):
    out = [v * v if v > 0.5 else None for v in x]
    good = [o for o in out if o is not None]
    for o in out:
        if o is None:
            continue
        good[0] += o * o
    return sum(good) * good[0]


@CASES.add(vec(4))
def table_filled_by_position(x):
    table = [[None] * 4 for _ in range(4)]
    for i in range(4):
        for j in range(4):
            if i == 0 or j == 0:
                table[i][j] = x[i] + x[j]
            else:
                table[i][j] = table[i - 1][j] * x[i] + table[i][j - 1] * x[j]
    return table[3][3]


@CASES.add(vec(4))
def edits_of_a_list_with_none(x):
    out = [None, x[0]]
    out.append(x[1] * x[0])
    out.append(None)
    out.reverse()
    out.pop()
    out.insert(0, x[2])
    out += [None, x[3]]
    out[1:2] = [None, out[0] * x[1]]
    first = out[2] * out[3]
    out.clear()
    out.append(first)
    return out[0] * out[-1]


@CASES.add(vec(4))
def copies_of_a_list_with_none(x):
    out = [None] * 3
    b = out.copy()
    out[1] = x[1] * x[1]
    b[1] = x[0]
    c = out[:2] + b[1:]
    del out[1]
    return c[1] * c[2] * len(out)


def _fill(r, x):
    for i in range(len(r)):
        if r[i] is None:
            r[i] = x[i] * x[0]


@CASES.add(vec(4))
def filled_by_a_function(x):
    r = [None] * 3
    r[1] = x[3]
    _fill(r, x)
    return r[1] * r[2]


@CASES.add(vec(4))
def pairs_with_none(x):
    out = [(None, x[0])]
    for v in x:
        out.append((out[-1][1], v * out[-1][1]))
    s = 0.0
    for a, b in out:
        if a is not None:
            s += a * b
    return s


@CASES.add(vec(4))
def entry_that_may_be_none(x):
    d = {"r": None}
    for v in x:
        d["r"] = v if d["r"] is None else d["r"] * v + 1
    best = dict.fromkeys(["a", "b", "c"])
    best["a"] = d["r"] * x[1]
    return sum(w for w in best.values() if w is not None) * x[2]


@CASES.add(vec(4))
def told_by_its_type(x):
    out = [None] * 3
    out[1] = x[0] * x[1]
    s = 0.0
    for o in out:
        s += x[2] if not isinstance(o, (float, np.floating)) else o * o
        s += x[1] if type(o) is type(None) else o
    return s


@CASES.add(vec(4))
def sum_from_an_array_of_another_shape(x):
    items = [x[i : i + 1] * x[i] for i in range(3)]
    numbers = [x[0] * x[1]]
    numbers.append(x[2])
    return np.sum(sum(items, x * x) ** 2) + np.sum(sum(numbers, x * x) ** 2)


@CASES.add(vec(4))
def sum_from_zeros_of_another_rank(x):
    items = [x[:1], x, 2 * x]
    items.append(x * x)
    return np.sum(sum(items, np.zeros((2, 4))) ** 2) + np.sum(sum([x * 2, x], x[0]) ** 2)


@CASES.add(vec(5))
def pairs_as_keys(x):
    memo = {}
    for i in range(4):
        for j in range(4):
            if i == 0 or j == 0:
                memo[i, j] = x[i] * x[j]
            else:
                memo[i, j] = memo[i - 1, j] * x[i] + memo[(i, j - 1)] * x[j]
    return memo[3, 3]


@CASES.add(vec(5))
def recursion_with_pairs_as_keys(x):
    memo = {}

    def go(i, j):
        if i < 0 or j < 0:
            return 1.0
        if (i, j) in memo:
            return memo[i, j]
        r = x[i] * go(i - 1, j) + x[j] * go(i, j - 1)
        memo[i, j] = r
        return r

    return go(3, 3)


@CASES.add(vec(5))
def entries_of_pairs(x):
    d = {(0, 1): x[0], (1, 2): x[1] * x[2]}
    d[0, 1] += x[3]
    d[2, 0] = d.get((0, 1), 0.0) * d.pop((1, 2))
    s = 0.0
    for (i, j), w in d.items():
        s += x[i] * w * (j + 1)
    return s + sum(d.values())


@CASES.add(vec(5))
def arrays_by_name_and_number(x):
    d = {}
    for i in range(3):
        for name in ("a", "b"):
            d[name, i] = x * x[i]
    return sum(np.sum(d[k] ** 2) for k in d if k[0] == "a") + np.sum(d["b", 2] * d["a", 0])


@CASES.never(vec(3), code="AD207")
def keys_that_vary(x):
    d = {}
    d[x[0]] = 2.0
    s = 0.0
    for a in d:
        s += a * a
    return s + x[1]


@CASES.never(vec(3), code="AD207")
def keys_that_vary_in_pairs(x):
    d = {(x[0] * x[1], 1): 2.0}
    return sum(a * a for a, _ in d) + x[1]


@CASES.never(vec(3), code="AD207")
def largest_of_keys_that_vary(x):
    d = {x[0] * 2: 1.0, x[1]: 2.0}
    return max(d) + sum(d) + x[0]


def _remember(d, key):
    d[key] = 1.0


@CASES.never(vec(3), code="AD207")
def keys_that_vary_in_a_function(x):
    d = {0.5: 1.0}
    _remember(d, x[0])
    return sum(k * k for k in d) + x[1]


@CASES.add(vec(3))
def keys_that_are_constants(x):
    d = {}
    t = 0.0
    for v in x:
        d[t] = v * x[0]
        t += 0.25
    return sum(t * w for t, w in d.items())


@CASES.never(vec(3), code="AD207")
def entries_found_by_a_value(x):
    seen = {}
    s = 0.0
    for v in (x[0], x[1], x[0]):
        if v not in seen:
            seen[v] = v * v
        s += seen[v] * v
    return s


@CASES.add(vec(4))
def items_removed_by_value(x):
    items = [v * v for v in x]
    items.remove(items[1])
    total = items[0] * items[1]
    while items:
        s = min(items)
        items.remove(s)
        total += s * (len(items) + 1)
    return total


@CASES.add(vec(4))
def entries_taken_off_the_end(x):
    d = {}
    for i, v in enumerate(x):
        d[i] = v * v
    s = 0.0
    while True:
        try:
            k, v = d.popitem()
        except KeyError:
            break
        s = 0.5 * s + v * (k + 1)
    return s


@CASES.add(vec(4))
def places_and_counts(x):
    items = [v * v for v in x]
    items.append(items[0])
    k = items.index(items[2])
    return items[k] * x[k] * items.count(items[0]) + x[items.index(items[1], 1)]


@CASES.add(vec(4))
def pairs_in_the_order_of_their_second(x):
    items = [(i, x[i] * x[-1 - i]) for i in range(len(x))]
    items.sort(key=lambda p: p[1], reverse=True)
    return sum((k + 1) * p[1] for k, p in enumerate(items))


@CASES.add(vec(4))
def rows_that_are_dropped(x):
    rows = [x * 1.0, x[:2] * 2.0, x * x]
    rows.pop(1)
    rows.pop()
    return np.sum(rows[0] * rows[0])


@CASES.add(vec(4))
def the_largest_pair_is_taken_out(x):
    pairs = [(v * v, v) for v in x]
    largest = max(pairs, key=lambda p: p[0])
    pairs.remove(largest)
    least = min(pairs, key=lambda p: p[1])
    return largest[0] * least[1] * pairs[0][0] * (1 + pairs.index(least))


@CASES.add(vec(5), 1)
def windows_by_a_range_of_places(x, k):
    s = 0.0
    for c in range(len(x)):
        w = x[np.arange(max(0, c - k), min(len(x), c + k + 1))]
        s += np.sum(w * w) * x[c]
    return s


@CASES.add(0.7)
def a_range_of_multiples(s):
    total = 0.0
    for _ in range(2):
        total += np.sum(np.arange(s, 5 * s, s) * np.arange(4))
        s = s * 0.95
    return total
