"""Tuples, lists and dictionaries that hold values with a derivative."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("containers")


# Tuples.


@CASES.add(vec(3), row="52")
def array_in_a_tuple_then_written(x):
    a = x * 1.0
    t = (a, 2.0)
    a[0] = x[1] * x[2]
    c = t[0]
    return np.sum(c * c)


@CASES.refused(vec(3), row="52")
def array_in_a_tuple_written_while_needed(x):
    a = x * 1.0
    t = (a, 2.0)
    s = np.sum(t[0] * t[0])
    a[0] = x[1] * x[2]
    return s + t[1] * np.sum(a)


@CASES.add(vec(3), row="52", **later("AD206"))
def tuple_chosen_then_written_through(x):
    a, b = x * x, np.sin(x)
    pair = (a, b)
    if x[0] > 0.1:
        pair = (b, a)
    c, d = pair
    c[0] += d[1]
    return np.sum(c * 3.0 + d) + a[0] * 2


def _step(state, h):
    q, p = state
    return q + h * p, p - h * q * q


@CASES.add(vec(3))
def tuple_carried_through_a_loop(x):
    state = (x[0], x[1])
    for _ in range(5):
        state = _step(state, x[2] * 0.1)
    q, p = state
    return q * p


@CASES.add(vec(4), 0.1, wrt=(0, 1))
def tuple_of_arrays_carried(x, h):
    state = (x * 1.0, x[::-1] * 2.0)
    for _ in range(3):
        state = _step(state, h)
    return np.sum(state[0] * state[1])


@CASES.add(vec(3))
def tuple_in_a_tuple(x):
    parts = (x[0], (x[1] * 2, x[2]))
    b, (c, d) = parts
    return b * c * d


@CASES.add(vec(5))
def best_so_far(x):
    best = (x[0], 0)
    for i in range(1, 5):
        v = x[i] * x[i - 1]
        if v > best[0]:
            best = (v, i)
    return best[0] * best[0]


@CASES.add(vec(4))
def conditional_expressions_in_one_statement(x):
    y = x[0] if x[1] > 0 else np.sin(x[0])
    s = 0.0
    s = s + (y * y if x[1] * y > 0.1 else y)
    return s * y


# Lists.


@CASES.add(vec(3), row="33", verdicts={"out.append": "safe"})
def append_a_product(x):
    out = []
    for v in x:
        out.append(np.sin(v) * v)
    return out[0] * out[2]


@CASES.add(vec(4), row="33")
def append_arrays(x):
    ys = [x]
    for _ in range(4):
        ys.append(ys[-1] + 0.1 * np.sin(ys[-1]) * ys[0])
    return np.sum(ys[-1] * ys[2])


@CASES.add(vec(4), row="33")
def append_on_a_condition(x):
    big = []
    for v in x:
        if v > 0.9:
            big.append(v)
            continue
        big.append(v * v)
        big.append(1.0)
    return sum(big) * big[1]


@CASES.add(vec(3), row="34")
def append_insert_and_pop(x):
    out = []
    for i in range(3):
        out.append(x[i] * x[i - 1])
    out.append(3.0)
    out.pop()
    out.insert(1, x[0] * x[1] * x[2])
    s = 0.0
    for i, v in enumerate(out):
        s += i * v * v
    return s * sum(out)


@CASES.add(vec(3), row="34")
def stack_in_a_while_loop(x):
    stack = [x[0]]
    while len(stack) < 5:
        stack.append(stack[-1] * x[1] + stack[0])
    t = stack.pop()
    u = stack.pop(0)
    return t * u * len(stack) + stack[1]


@CASES.add(vec(4), row="34")
def pop_from_the_middle_and_clear(x):
    a = [x[0] * x[1], x[1], x[2] * x[2]]
    t = a.pop(-2)
    b = a.copy()
    a.clear()
    a.append(t * b[0])
    return a[0] * b[1]


@CASES.add(vec(3), row="35")
def items_replaced(x):
    items = [x[0], x[1], 0.0]
    items[2] = items[0] * items[1]
    items[0] = items[2] * 2.0
    return items[0] * items[0] + items[2]


@CASES.add(vec(3), row="35")
def items_updated(x):
    a = [x[0] * 1.0, x[1]]
    for i in range(2):
        a[i] *= x[2]
        a[-1] += a[0]
    return a[1] * a[1]


@CASES.add(vec(3), row="35")
def recurrence_in_a_list(x):
    buf = [0.0] * 4
    for i in range(3):
        buf[i + 1] = buf[i] + x[i] * x[i]
    return buf[3] * buf[1]


@CASES.add(vec(3))
def lists_joined(x):
    a = [x[0], x[1]]
    b = a + [x[2]]
    c = b * 2
    d = c[1:4]
    a.extend(d)
    a += [x[0] * x[1]]
    a.reverse()
    return sum(a) * a[0] * np.sum(a) * np.mean(np.array(c))


@CASES.add(vec(4))
def list_of_arrays_stacked(x):
    ys = []
    y = x
    for _ in range(4):
        y = y * y + 0.1
        ys.append(y)
    s = np.sum(np.stack(ys) ** 2) + np.sum(np.concatenate(ys))
    return s + np.sum(np.stack(ys, axis=1)[0] * np.arange(4.0))


@CASES.add(vec(3))
def list_of_pairs(x):
    pairs = []
    for i in range(3):
        pairs.append((x[i], x[i] * x[0]))
    s = 0.0
    for a, b in pairs:
        s += a * b * b
    for k, (_, b) in enumerate(pairs):
        s += k * b
    p = pairs[1]
    return s * p[0]


@CASES.add(vec(3))
def list_of_lists(x):
    rows = []
    for i in range(3):
        row = []
        for j in range(i + 1):
            row.append(x[i] * x[j])
        rows.append(row)
    s = 0.0
    for row in rows:
        for v in row:
            s += v * v
    return s * rows[2][1]


@CASES.add(vec(3), row="25")
def two_names_for_a_list(x):
    q = [x[0], x[1]]
    r = q
    r.append(x[2] * x[0])
    return q[2] * q[0]


@CASES.add(vec(3))
def list_changed_on_a_branch(x):
    a = [x[0], x[1]]
    if x[0] > 0.1:
        a.append(x[2] * x[2])
    else:
        a.pop()
    return sum(a) * len(a)


def _push(items, v):
    items.append(v * v)


@CASES.add(vec(3), row="38")
def callee_appends(x):
    items = [x[0]]
    _push(items, x[1])
    _push(items, x[2])
    return items[0] * items[1] * items[2]


def _squares(items):
    out = []
    for v in items:
        out.append(v * v)
    return out


@CASES.add(vec(3))
def callee_returns_a_list(x):
    out = _squares([x[0], x[1]])
    return out[0] * out[1] * _squares(x)[2]


@CASES.add(vec(3), row="52")
def array_in_a_list_written_later(x):
    y = x * 1.0
    held = []
    held.append(y)
    y[0] = x[1] * x[2]
    return np.sum(held[0] * held[0])


@CASES.refused(vec(3), row="35")
def array_in_a_list_updated(x):
    ys = [x * 1.0, x * 2.0]
    ys[0] = ys[1] * ys[0]
    ys[1] += ys[0]
    return np.sum(ys[0] * ys[1])


@CASES.add(vec(3))
def list_grows_while_its_items_are_used(x):
    a = [x[0]]
    for v in x[1:]:
        a.append(a[-1] * v)
    n = len(a)
    a.append(2.0)
    s = 0.0
    for i in range(n):
        s += a[i] * a[i]
    for i in range(len(a)):
        a.append(a[i] * s)
        if len(a) > 6:
            break
    return a[-1] * s


# Comprehensions and what goes through lists.


@CASES.add(vec(3))
def comprehension_summed(x):
    return sum([v * v for v in x])


@CASES.add(vec(3))
def generator_summed_on_a_condition(x):
    return sum(v * v for v in x if v > 0.7)


@CASES.add(vec(3))
def comprehension_with_two_loops(x):
    a = [np.sin(v) for v in x]
    b = [a[i] * a[j] for i in range(3) for j in range(i)]
    return sum(b) * a[0]


@CASES.add(vec(3))
def array_of_a_comprehension(x):
    y = np.array([x[i - 1] * x[i] for i in range(len(x))])
    return np.sum(y * y)


@CASES.add(vec(3))
def comprehension_with_a_name_of_the_function(x):
    v = x[0]
    s = [v * v for v in x[1:]]
    return v * s[0] * s[1]


@CASES.add(vec(3))
def nested_comprehensions(x):
    m = [[x[i] * x[j] for j in range(3)] for i in range(3)]
    A = np.array(m)
    return np.sum(A * A)


@CASES.add(vec(3))
def zip_of_a_list_and_an_array(x):
    ws = [1.0 / (k + 1) for k in range(3)]
    return sum(w * v for w, v in zip(ws, x))


@CASES.add(vec(3))
def max_of_a_list(x):
    return max([v * v for v in x])


@CASES.add(vec(3))
def stack_of_a_comprehension(x):
    ys = np.stack([x * k for k in range(1, 4)])
    return np.sum(ys**2)


@CASES.add(vec(3))
def concatenate_of_a_comprehension(x):
    return np.sum(np.concatenate([x * k for k in range(3)]) ** 2)


def _power(v, k):
    return v**k


@CASES.add(vec(3))
def generator_that_calls(x):
    return sum(_power(v, 2) * k for k, v in enumerate(x))


@CASES.add(vec(3))
def list_of_strings(x):
    names = [str(k) for k in range(3)]
    n = len([q for q in names if q != "1"])
    return x[0] ** n


@CASES.add(vec(3))
def loop_over_a_displayed_list(x):
    total = 0.0
    for row in [[x[0], x[1]], [x[2], x[0]]]:
        total += row[0] * row[1]
    return total


@CASES.add(vec(3))
def sorted_list(x):
    s = sorted([x[2], x[0] * 1.5, x[1]])
    return s[0] * 2 + s[1] * s[2]


@CASES.add(vec(3))
def list_unpacked(x):
    a, b, c = [v * v for v in x]
    return a * b + c


@CASES.add(vec(3))
def list_of_an_array(x):
    L = list(x)
    L[0] = L[1] * L[2]
    return L[0] * L[1]


@CASES.add(vec(3))
def tolist_of_an_array(x):
    L = x.tolist()
    return L[0] * L[1]


@CASES.add(vec(3))
def list_repeated(x):
    L = [x[0]] * 3
    L[1] = x[1]
    return L[0] * L[1] * L[2]


@CASES.add(vec(3))
def list_extended_in_place(x):
    acc = []
    for a, b in zip(x, [x[1], x[2], x[0]]):
        acc += [a * b]
    return np.prod(acc)


@CASES.add(vec(3))
def dot_of_lists(x):
    return np.dot([x[0], x[1]], [x[2], x[0] * x[1]])


def _noted(v, log):
    log.append(v * v)


@CASES.add(vec(4))
def empty_list_filled_by_a_function(x):
    log = []
    for i in range(4):
        _noted(x[i], log)
    return log[1] * log[2]


# Dictionaries.


@CASES.add(vec(3), row="36")
def entry_overwritten(x):
    d = {}
    d["a"] = x[0] * x[1]
    d["a"] = d["a"] * x[2]
    return d["a"]


@CASES.add(vec(3), row="36")
def entries_of_different_kinds(x):
    d = {"a": x[0], "v": x * 2.0}
    d["b"] = d["a"] * x[1]
    d["a"] += d["b"]
    return d["a"] * d["b"] + np.sum(d["v"] * d["v"])


@CASES.add(vec(3), row="36")
def table_of_results(x):
    memo = {}
    for i in range(5):
        memo[i] = x[i % 3] if i < 2 else memo[i - 1] * memo[i - 2] + x[2]
    return memo[4]


@CASES.add(vec(3))
def loops_over_a_dictionary(x):
    d = {k: x[k] * x[k] for k in range(3)}
    s = 0.0
    for _, v in d.items():
        s += v
    for v in d.values():
        s += v * v
    for k in d:
        s += d[k]
    return s


@CASES.add(vec(3))
def entries_with_defaults(x):
    d = {"a": x[0]}
    t = d.get("a", 0.0)
    u = d.get("b", x[1])
    d.setdefault("c", x[2] * x[0])
    w = d.pop("a")
    return t * u * d["c"] * w * len(d)


@CASES.add(vec(3))
def two_names_for_a_dictionary(x):
    d = dict(a=x[0])
    if x[1] > 0.2:
        d["a"] = x[1] * d["a"]
    else:
        d["z"] = x[0]
    e = d
    e["q"] = d["a"] * 2.0
    return d["q"] * e["a"]


def _line(p, k):
    return p["w"] * k + p["b"]


def _scaled(p):
    p["w"] = p["w"] * p["b"]


@CASES.add(vec(3), row="38")
def callees_with_dictionaries(x):
    p = {"w": x[0], "b": x[1]}
    _scaled(p)
    _scaled(p)
    return _line(p, x[2]) * _line(p, 2.0)


@CASES.add(vec(4))
def grouped_sums(x):
    sums = {}
    for i in range(4):
        key = "odd" if i % 2 else "even"
        sums[key] = sums.get(key, 0.0) + x[i] * x[i]
    return sums["odd"] * sums["even"]


@CASES.add(vec(3), row="52", **later("AD206"))
def array_in_a_dictionary_written_later(x):
    y = x * 1.0
    d = {"y": y}
    y[0] = 3.0 * x[1]
    return np.sum(d["y"] * d["y"])


@CASES.add({"W": np.arange(9.0).reshape(3, 3) / 10, "b": vec(3)}, vec(3), wrt=(0, 1))
def parameters_in_a_dictionary(p, x):
    h = np.tanh(p["W"] @ x + p["b"])
    return np.sum(h * h)


def _listed(v):
    return [v]


def _with_list(v):
    return v, [v]


def _entry(v):
    return {"a": v}


@CASES.add(vec(3))
def two_names_for_a_returned_list(x):
    a = _listed(x[0])
    b = a
    b.append(x[2] * b[0])
    b[0] = b[0] * x[1]
    return sum(a)


@CASES.add(vec(3))
def two_names_for_a_list_in_a_returned_tuple(x):
    _, a = _with_list(x[0])
    b = a
    b.append(x[2])
    return sum(a) * b[0]


@CASES.add(vec(3))
def two_names_for_a_returned_dictionary(x):
    a = _entry(x[0])
    b = a
    b["a"] = b["a"] * x[2]
    return a["a"]


@CASES.add(vec(3))
def entry_written_by_another_name(x):
    a = {"a": x[0], "b": x[1]}
    b = a
    b["a"] = b["a"] * x[2]
    return a["a"] * a["b"]


@CASES.add(vec(3))
def two_names_for_a_made_dictionary(x):
    a = {k: x[0] for k in "ab"}
    b = a
    b["a"] = b["a"] * x[1]
    return a["a"] * a["b"]


@CASES.add(vec(3))
def two_names_for_numbers_of_an_array(x):
    a = x.tolist()
    b = a
    b[0] = b[0] * x[1]
    return a[0] * a[2]


@CASES.add(vec(3))
def product_in_a_dictionary(x):
    d = {"a": x[0]}
    for v in x:
        d["a"] = d["a"] * v
    return d["a"]


@CASES.add(vec(3))
def number_in_a_dictionary_set_again(x):
    d = {"a": x[0], "b": x[1]}
    for k in range(3):
        d["a"] = d["a"] * x[k]
        d["b"] = d["a"] * d["b"]
        if k == 1:
            d["a"] = 0.5
    return d["a"] * d["b"]


@CASES.add(vec(3))
def array_in_a_dictionary_set_again(x):
    d = {"a": x * x}
    e = d
    for k in range(3):
        e["a"] = d["a"] * x[k]
    return np.sum(d["a"] * x)


@CASES.add(vec(3), **later("AD206/AD301/AD302"))
def argument_in_a_list_that_changes(x):
    d = [x]
    y = d[0]
    for _ in range(2):
        d[0] = d[0] * y
        y = d[0] + 1.0
    return np.sum(d[0])


@CASES.add(vec(3), **later("AD206/AD301/AD302"))
def argument_in_a_dictionary_that_changes(x):
    d = {"a": x}
    y = d["a"]
    for _ in range(2):
        d["a"] = d["a"] * y
        y = d["a"] + 1.0
    return np.sum(d["a"])


@CASES.add(vec(3), **later("AD206/AD301/AD302"))
def argument_popped(x):
    d = [x, x * x]
    y = d.pop(0)
    d.append(y * d[0])
    return np.sum(d[-1] * y)


@CASES.add(1.5, 0.2, wrt=(0, 1))
def array_of_a_list_then_written(spot, sigma, n=5):
    up = np.exp(sigma)
    value = np.array([spot * up**j / up ** (n - j) for j in range(n + 1)])
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            value[j] = 0.49 * value[j + 1] + 0.5 * value[j]
    return value[0]


def _kept(log, a, b):
    log.append(a)
    log.append(a * b)
    return b * b


@CASES.add(vec(3))
def callee_puts_an_argument_and_a_new_array(x):
    log = []
    y = x * 2.0
    z = _kept(log, y, x)
    return np.sum(log[0] * log[1]) + np.sum(z)


@CASES.add(vec(3), **later("AD206/AD302/AD303"))
def callee_puts_an_argument_that_is_written(x):
    log = []
    y = x * 2.0
    z = _kept(log, y, x)
    s = np.sum(log[0] * log[1])
    y[0] = 5.0
    return s + np.sum(z) + np.sum(log[0])


@CASES.add(vec(3))
def lists_side_by_side(x):
    rows, sums = [], []
    for k in range(3):
        rows.append(x * (k + 1.0))
    total = 0.0
    for r in rows:
        sums.append(np.sum(r))
        total += sums[-1] * r[0]
    return total * sum(sums)


# Parts of a split array: a list of views.


@CASES.add(vec(6))
def parts_read_by_place(x):
    parts = np.array_split(x, 2)
    return np.sum(parts[0]) * parts[1][0]


@CASES.add(vec(6))
def equal_parts(x):
    parts = np.split(x * x, 3)
    return np.sum(parts[0]) * parts[2][1] + parts[1] @ parts[1]


@CASES.add(vec(6))
def loop_over_parts(x):
    s = 0.0
    parts = np.split(x * x, 3)
    for p in parts:
        s += p[0] * np.sum(p)
    return s


@CASES.add(vec(6))
def part_replaced(x):
    y = x * x
    parts = np.split(y, 3)
    parts[0] = x[:2] * 3.0
    return np.sum(y) * np.sum(parts[0])


@CASES.add(vec(6), **later("AD206"))
def part_changed_in_place(x):
    y = x * x
    parts = np.split(y, 3)
    parts[0] += x[2:4]
    return np.sum(y * x)


@CASES.add(vec(6), **later("AD206"))
def part_written_through(x):
    y = x * x
    for p in np.split(y, 3):
        p[0] = p[1]
    return np.sum(y * x)


@CASES.add(vec(6))
def parts_appended_and_reversed(x):
    parts = np.split(x, 3)
    parts.append(x[:2])
    parts.reverse()
    return sum(k * p[0] * p[1] for k, p in enumerate(parts))


@CASES.add(vec(6))
def neighbours_among_parts(x):
    parts = np.split(x, 3)
    return sum(p[0] * q[1] for p, q in zip(parts[:-1], parts[1:], strict=False))


class _Store:
    def __init__(self):
        self.held = {"a": np.ones(3)}

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value


@CASES.add(vec(3), _Store(), wrt=0)
def item_of_an_object_changed_in_place(x, store):
    first = store["a"]
    store["a"] += 1.0
    return np.sum(x * x) * first[0]


# Tuples that NumPy makes arrays of.


@CASES.add(vec(4))
def functions_of_a_tuple_in_a_variable(x):
    t = (x * 2.0, x * x)
    u = (x[0] * x[1], x[2])
    return np.mean(t, axis=0)[1] + np.sqrt(t)[1, 1] * np.dot(u, x[:2]) + np.max(u)


@CASES.add(vec(4))
def sum_of_a_tuple_of_one(x):
    t = (x * x[0],)
    return np.sum(t)


@CASES.add(vec(4))
def products_with_constant_tuples(x):
    c = np.cross((1.0, 2.0, 3.0), (x[0], x[1], 1.0))
    d = np.convolve((x[0], 2.0), [1.0, x[1]])
    return np.sum(c) + np.dot((1.0, 2.0), (x[2], x[3])) + np.sum(d)


@CASES.add(vec(4))
def tuples_in_arithmetic_with_arrays(x):
    t = (x[0] * x[1], x[2], x[0], 2.0)
    rows = (x, x * x)
    return np.sum(t * x) + np.sum(x / t) + np.sum((x - rows) * rows)


def _adds_to_each(arrays, x):
    for a in arrays:
        a += x


@CASES.add(vec(4), row="35", **later("AD206"))
def callee_writes_the_arrays_of_a_tuple(x):
    u, v = x * x, np.sin(x)
    _adds_to_each((u, v), x)
    return np.sum(u * v)


def _adds_to_the_second(pair, x):
    _, u = pair
    for a in [u]:
        a += x


@CASES.add(vec(4), row="35", **later("AD206"))
def callee_writes_the_array_beside_a_list(x):
    u = x * x
    _adds_to_the_second(([1.0], u), x)
    return np.sum(u * x)
