"""`deque`, `defaultdict`, `Counter`, `OrderedDict`; subscripts out of containers of anything."""

# ruff: noqa: B905

import bisect
import collections
import heapq
import itertools
import statistics
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("collections")


@CASES.add(vec(5))
def moving_average(x):
    window = deque(maxlen=3)
    s = 0.0
    for v in x:
        window.append(v * v)
        s += sum(window) / len(window) * np.max(window) * window[0]
    return s


@CASES.add(vec(4), 3)
def history_of_a_size_that_is_given(x, n):
    h = deque([0.5] * n, maxlen=n)
    for k in range(5):
        h.append(h[-1] * x[1] + h[0] * x[2] + k * x[0])
    return h[-1] * h[0] * len(h)


@CASES.add(vec(4))
def queue_of_places(x):
    q, seen = deque([0]), {0}
    s = 0.0
    while q:
        k = q.popleft()
        s += x[k] ** 2 * (1 + len(q))
        for j in (2 * k + 1, 2 * k + 2):
            if j < 4 and j not in seen:
                seen.add(j)
                q.append(j)
    return s


@CASES.add(vec(4))
def both_ends_of_pairs(x):
    q = deque()
    for k in range(4):
        q.append((x[k], k))
    s = 0.0
    while len(q) > 1:
        (a, i), (b, j) = q.popleft(), q.pop()
        s += a * b * (i + 1) * (j + 1)
    return s


@CASES.add(vec(4))
def turned_and_extended(x):
    q = deque(x)
    s = 0.0
    for k in range(3):
        q.rotate(-k)
        s += q[0] * q[1]
    q.rotate()
    r = deque(maxlen=3)
    r.extend(q)
    r.extendleft([x[0] * x[1], x[2]])
    r.appendleft(s)
    return s * q[2] * r[0] + r[1] * r[2]


@CASES.refused(vec(4), code="AD401/AD301")
def arrays_in_a_deque_written(x):
    h = deque([x.copy(), x * 2], maxlen=2)
    for _ in range(3):
        h.append(h[0] * h[1])
    h[0][0] = x[1]
    return np.sum(h[0] * h[1])


@CASES.add(vec(4))
def two_deques_of_arrays(x):
    rows, columns = deque(maxlen=2), deque(maxlen=2)
    g = x
    for k in range(4):
        rows.append(x * (k + 1))
        columns.append(np.sin(g))
        for a, b in zip(reversed(rows), reversed(columns)):
            g = g - np.dot(a, g) / np.dot(b, a) * b
    return np.sum(g)


@CASES.add(vec(4))
def empty_deque_caught(x):
    q = deque([x[0] * x[0]])
    s = 1.0
    for _ in range(3):
        try:
            s = s * q.popleft()
        except IndexError:
            s = s + x[1]
    return s


@CASES.add(vec(4))
def deque_of_a_deque(x):
    q = deque([x[0], x[1]])
    r = deque(q)
    q[0] = x[2] * x[3]
    if x[0] > 0.5:
        q.clear()
        q.append(r.pop())
    return r[0] * q[0] + len(r)


@CASES.add(vec(4), **later("AD401"))
def deque_under_two_names(x):
    q = deque([x[0], x[1]])
    r = q
    r.append(x[2])
    return q[2] * q[0]


@CASES.add(vec(4), default="MutationError", save="MutationError")
def deque_changed_while_gone_through(x):
    q = deque(x)
    s = 0.0
    try:
        for v in q:
            s += v * v
            q.append(v)
    except RuntimeError:
        s = 2.0 * s
    return s


@CASES.add(vec(4))
def sums_by_key(x):
    d = defaultdict(float)
    for k, v in zip("abab", x):
        d[k] += v * v
    e = collections.defaultdict(lambda: 1.0, {1: x[0]})
    e[1] *= x[1]
    if 2 not in e:
        e[3] = e[2] * x[2]
    return d["a"] * d["b"] * e[3] * e[1] * len(e)


@CASES.add(vec(4))
def groups(x):
    d = defaultdict(list)
    for v in x:
        d["small" if v < 0.8 else "big"].append(v)
    by_rest = defaultdict(lambda: [0.0, 1.0])
    for k in range(4):
        by_rest[k % 2][1] *= x[k]
        by_rest[k % 2][0] += x[k]
    return sum(len(g) * sum(g) ** 2 for g in d.values()) + by_rest[0][0] * by_rest[1][1]


@CASES.add(vec(4))
def arrays_by_key(x):
    d = defaultdict(lambda: np.zeros(2))
    for k in range(4):
        d[k % 2] += x[:2] * x[k]
    return np.sum(d[0] * d[1])


@CASES.add(vec(4))
def sums_by_pair(x):
    d = defaultdict(float)
    for i in range(3):
        for j in range(3):
            d[i, j] += x[i] * x[j]
    return sum(v * v for v in d.values()) + d[0, 2]


@CASES.add(vec(4))
def counted_and_weighed(x):
    c = Counter("abca")
    w = Counter()
    for k, v in zip("abca", x):
        w[k] += v
    w["z"] += 1
    s = w["a"] * w["b"] * w["q"] + w["a"] * w["c"] * w["z"]
    return s + sum(n * x[i] for i, (k, n) in enumerate(c.items())) ** 2


@CASES.add(vec(4))
def ordered_entries(x):
    d = OrderedDict([("a", x[0]), ("b", x[1])])
    d["c"] = d["a"] * x[2]
    e = dict.fromkeys("ab", 0.0)
    for k, v in zip("abab", x):
        e[k] += v * v
    f = dict.fromkeys(range(3), x * x)  # one array
    f[0] = f[0] * 2.0
    f[1][0] = x[1]
    return sum(k * v * v for k, v in enumerate(d.values())) + e["a"] * e["b"] * f[2][0]


# Subscripts of which nothing is known but at run time.

TABLE = {"a": 1, "b": 2}


@CASES.add(vec(4))
def places_out_of_sets_and_groups(x):
    y = x.copy()
    for k, n in Counter([0, 1, 0, 2]).items():
        y[k] = y[k] ** 2 * x[3] * n
    s = 0.0
    for k in {0, 2}:
        s += x[k] ** 2
    for _, k in TABLE.items():
        s += x[k] * x[k + 1]
    for _, g in itertools.groupby(range(4), key=lambda i: i // 2):
        p = 1.0
        for i in g:
            p *= x[i]
        s += p
    return s * sum(x[k] ** 2 for k in sorted({k % 3 for k in range(9)})) * np.sum(y)


MASKS = {"a": np.array([True, False, True, False])}


@CASES.add(vec(4), raises=ArithmeticError)
def masks_that_are_taken_for_places(x):
    s = 0.0
    for _, m in MASKS.items():
        s += np.sum(x[m] ** 2)
    return s


# Sets that change: what is asked of them is asked in the forward function.


@CASES.add(vec(6))
def length_of_a_set_that_grows(x):
    seen, s = {0}, 0.0
    for k in range(3):
        s += x[k] ** 2 * (1 + len(seen)) + x[len(seen) - 1]
        for _ in range(len(seen)):
            s = s * x[k]
        seen.add(k)
        seen.add(k + 5)
    return s


@CASES.add(vec(4))
def members_of_a_set_that_grows(x):
    seen, s = {0}, 1.0
    for k in [0, 1, 0, 2, 1]:
        w = 2.0 if k in seen else 1.0
        s *= x[k] * w * (1 + (2 in seen))
        seen.add(k)
    seen.discard(0)
    return s + len(seen) * x[3] ** 2


@CASES.add(vec(4))
def sets_of_what_is_left(x):
    todo, done = set(range(4)), set()
    s = 1.0
    while todo:
        k = min(todo)
        todo.remove(k)
        done.add(k)
        s = s * x[k] * len(done) + len(todo) * x[0]
        if len(done & {0, 2}) == 2:
            s = s + x[3] ** 2
    return s


@CASES.add(vec(4))
def tuple_made_in_a_loop(x):
    t = (1.0, 2.0)
    for v in x:
        t = tuple(v * e for e in t)
    return t[0] + t[1] * t[1]


def slopes(state):
    q, p = state
    return (p * 1.0, -np.sin(q) * q)


def tuple_step(state, h):
    return tuple(s + h * d for s, d in zip(state, slopes(state)))


@CASES.add(vec(4))
def tuple_of_arrays_stepped(x):
    state = (x, 2.0 * x)
    for _ in range(3):
        state = tuple_step(state, 0.1)
    q, p = state
    return np.sum(q * p)


@CASES.add(vec(4))
def tuple_of_arrays_written(x):
    state = (x.copy(), 2.0 * x)
    for i in range(3):
        state = tuple(s * x for s in state)
        state[0][0] = x[1]
    return np.sum(state[0] * state[1])


@CASES.add(vec(4))
def tuple_that_shares_an_array(x):
    a = x.copy()
    state = (a, a)
    for i in range(2):
        state[0][i] = x[1] * x[2]
        state = tuple(s for s in state)
    a[3] = x[0]
    return np.sum(state[0] * state[1])


@CASES.add(vec(4))
def tuple_or_list(x):
    t = (x[0], x[1])
    if x[0] > 0.5:
        t = [v * v for v in x]
    return t[0] * t[1]


def scaled_again(t, f):
    for i in range(3):
        t = tuple(f * v + i for v in t)
    return t[0] * t[1]


@CASES.add(vec(4))
def tuple_parameter_bound_again(x):
    t = (x[0], x[1])
    return scaled_again(t, x[2]) * t[0] * t[1]


@CASES.add((1.5, 2.5), vec(4), wrt=(0, 1))
def tuple_argument_bound_again(p, x):
    for v in x:
        p = tuple(a * v for a in p)
    return p[0] * p[1]


@CASES.add(vec(4))
def tuples_of_tuples_in_a_loop(x):
    t = ((x[0], 1.0), (x[1], 2.0))
    for v in x:
        t = tuple((a * v, b + v) for a, b in t)
    return t[0][0] * t[1][1]


@CASES.add(vec(4))
def array_sorted_into_a_list(x):
    a = sorted(x)
    b = sorted(x, reverse=True)
    return a[0] * b[0] * b[1]


@CASES.add(vec(4))
def tuple_sorted(x):
    lo, mid, hi = sorted((x[0], x[1], x[2]))
    return lo * mid * mid * hi


@CASES.add(vec(4))
def tuple_of_an_array(x):
    t = tuple(x)
    return t[0] * t[1] * len(t)


@CASES.add(vec(4))
def list_of_a_tuple(x):
    t = (x[0], x[1], x[2])
    items = list(t)
    items[0] = items[1] * items[2]
    items.append(x[3])
    return items[0] * t[0] * items[3]


@CASES.add(vec(4))
def splat_into_a_primitive(x):
    t = (x, 2.0 * x)
    where = (x > 0.8, x * x, x)
    return np.dot(*t) * np.sum(np.where(*where))


@CASES.add(vec(4))
def queue_heapq(x):
    h = []
    for v in x:
        heapq.heappush(h, v * v)
    s = 0.0
    w = 1.0
    while h:
        s += w * heapq.heappop(h)
        w *= 2.0
    return s


@CASES.add(vec(4))
def queue_heapify(x):
    h = [v * v for v in x]
    heapq.heapify(h)
    return heapq.heappop(h) * h[0]


@CASES.add(vec(4))
def queue_nsmallest(x):
    return sum(heapq.nsmallest(2, x)) * heapq.nlargest(1, x)[0]


@CASES.add(vec(4))
def queue_nsmallest_list(x):
    l = [v * v for v in x]
    a, b = heapq.nsmallest(2, l)
    return a * b


@CASES.add(vec(4))
def queue_heap_tuples(x):
    h = []
    for i, v in enumerate(x):
        heapq.heappush(h, (v * v, i))
    s = 0.0
    while h:
        d, i = heapq.heappop(h)
        s += d * x[i]
    return s


@CASES.add(vec(4))
def queue_insort(x):
    l = []
    for v in x:
        bisect.insort(l, v * v)
    return l[0] + 2.0 * l[1] + 3.0 * l[2]


@CASES.add(vec(4))
def queue_insort_right(x):
    l = [0.1, 2.0]
    bisect.insort_right(l, x[0])
    bisect.insort_left(l, x[1])
    return sum(a * b for a, b in zip(l, l[1:]))


@CASES.add(vec(3))
def keys_in_order(x):
    d = {0.5: x[0], 0.1: x[1], 0.9: x[2]}
    s = 0.0
    for k in sorted(d):
        s = s * k + d[k] ** 2
    return s * d[max(d)] * d[min(d)] * d[tuple(d)[1]]


@CASES.add(vec(3))
def keys_in_order_of_entries_that_differ(x):
    p = {"w": np.outer(x, x), "b": x * 2.0, "a": x[0]}
    s = 0.0
    for i, k in enumerate(sorted(p, reverse=True)):
        s = s * 0.5 + (i + 1) * np.sum(p[k] ** 2)
    return s


def _weighted(d):
    return sum((n + 1) * np.sum(d[k]) for n, k in enumerate(sorted(d)))


@CASES.add(vec(3))
def keys_in_order_of_a_dictionary_that_is_given(x):
    d = {"b": x * x}
    d["a"] = 2.0 * x
    return _weighted(d)


@CASES.add(vec(3))
def range_as_index(x):
    a = np.outer(x, x * x)
    n = range(3)
    a[n, n] += x
    a[range(2), [1, 0]] *= 0.5
    z = a[n, n] * x[range(2, -1, -1)]
    z[0] = z[1] * z[2]
    return np.sum(z) + np.sum(a * a)


@CASES.refused(vec(3))
def range_as_index_of_what_is_needed(x):
    y = x * x
    s = np.sum(y * y)
    y[range(2)] = x[1:]
    return s * np.sum(y)


@CASES.add(vec(4))
def largest_of_tuples_so_far(x):
    best = (-1.0, -1)
    least = (np.inf, "")
    for i, v in enumerate(x):
        best = max(best, (v * v * (3 - i), i))
        least = min((v * x[0], str(i)), least)
    return best[0] * x[best[1]] + least[0] * x[int(least[1])]


@CASES.add(vec(3))
def tuples_that_are_equal_in_front(x):
    a, b = max((1.0, x[0]), (1.0, x[2]), (0.5, 2.0 * x[1]))
    return a * b * b * min((x[0], 2.0), (x[1] * 9.0, 3.0))[0]


@CASES.add(vec(3))
def tuples_of_a_best_path(x):
    gain = np.outer(x, x)
    cost = [(v, k) for k, v in enumerate(x)]
    for _ in range(2):
        cost = [max((cost[i][0] + gain[i, j], i) for i in range(3)) for j in range(3)]
    return max(cost[0], (cost[1][0], 1))[0]


@CASES.add(vec(3))
def largest_of_tuples_with_names(x):
    a, b, c = (x[0] * 2, x[1]), (x[1], x[2]), (1.0, x[0])
    m, n = max(a, b, c), min(a, b)
    best = None
    for i, v in enumerate(x):
        pair = (v * v, i)
        best = pair if best is None else max(best, pair)
    return m[0] * m[1] * n[1] * best[0] * x[best[1]]


def _later_of(a, b):
    return max(a, b)


@CASES.add(vec(3))
def largest_of_tuples_that_are_given(x):
    first, second = _later_of((x[0], x[1]), (x[1], x[2]))
    best = (0.0, 0)
    for i in range(3):
        pair = (x[i] * x[(i + 1) % 3], i)
        best = max(best, pair)
    return first * second * best[0] * x[best[1]]


@CASES.refused(vec(3), code="AD301")
def mean_put_into_its_list(x):
    values = [v * v for v in x]
    values[0] = statistics.harmonic_mean(values)
    return values[0] * values[1] + sum(values)


@CASES.refused(vec(3), code="AD301")
def variances_appended_to_their_list(x):
    values = [v * v for v in x]
    for _ in range(3):
        values.append(statistics.variance(values))
    return sum(values)


@CASES.refused(vec(4), code="AD301")
def list_scaled_by_its_spread(x):
    values, s = [v * v for v in x], 0.0
    for k in range(4):
        spread = statistics.pstdev(values)
        s += spread
        values[k] = spread * values[k]
        if k == 2:
            values.pop(0)
            values.insert(1, s)
    return s + sum(values)


@CASES.refused(vec(3), code="AD301")
def list_in_a_dictionary_overwritten_by_its_spread(x):
    table = {"a": [v * v for v in x]}
    spread = statistics.pstdev(table["a"])
    table["a"][0] = spread
    table["a"].sort()
    return table["a"][0] * table["a"][1] + spread
