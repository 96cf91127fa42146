"""Lists of lists, and lists of arrays, that are written at computed places."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("nests")


@CASES.add(vec(4))
def outer_product(x):
    m = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            m[i][j] = x[i] * x[j]
    return m[0][1] * m[2][1]


@CASES.add(vec(4))
def diagonal_added(x):
    m = [[v * w for v in x] for w in x]
    s = 0.0
    for i in range(3):
        m[i][i] += x[0]
    for i in range(3):
        for j in range(3):
            s += m[i][j] * m[j][i]
    return s


@CASES.add(vec(4))
def elimination(x):
    m = [[v * w for v in x] for w in x]
    b = [v for v in x]
    n = 3
    for i in range(n):
        m[i][i] += 3.0
    for i in range(n):
        for j in range(i + 1, n):
            f = m[j][i] / m[i][i]
            for k in range(i, n):
                m[j][k] -= f * m[i][k]
            b[j] -= f * b[i]
    s = [0.0] * n
    for i in range(n - 1, -1, -1):
        t = b[i]
        for j in range(i + 1, n):
            t -= m[i][j] * s[j]
        s[i] = t / m[i][i]
    return sum(s)


@CASES.add(vec(4))
def rows_looped_over(x):
    rows = []
    for v in x:
        rows.append([v, v * v])
    for r in rows:
        r[0] = r[0] * r[1]
    return sum((r[0] for r in rows))


@CASES.add(vec(4))
def rows_swapped_and_chosen(x):
    m = [[x[0], x[1]], [x[2], 1.0]]
    m[0], m[1] = (m[1], m[0])
    k = 1
    m[k][0] = x[2]
    return m[0][0] * m[1][0]


@CASES.add(vec(4))
def lists_by_key(x):
    d = {}
    for k in range(3):
        d[k] = [x[k], 1.0]
    for k in d:
        d[k][1] = x[k] * d[k][0]
    return d[0][1] * d[2][1]


@CASES.add(vec(4))
def arrays_by_index(x):
    arrs = [x * k for k in range(3)]
    for k in range(3):
        arrs[k][0] = x[1] * x[2]
    return sum((np.sum(a * a) for a in arrs))


@CASES.add(vec(4))
def row_by_name(x):
    m = [[x[0], x[1]], [x[2], 1.0]]
    row = m[0]
    for i in range(2):
        row[i] = row[i] * x[i]
    return m[0][0] * m[0][1]


@CASES.add(vec(4))
def entries_looped_over(x):
    d = {}
    for k in range(3):
        d[k] = [x[k], 1.0]
    s = 0.0
    for k in d:
        d[k][1] = x[k] * d[k][0]
    for k, r in d.items():
        s += r[1]
    return s + d[0][1] * d[2][1]


@CASES.add(vec(4))
def pairs_as_keys(x):
    d = {}
    for i in range(2):
        for k in range(2):
            d[i, k] = x[i] * x[k]
    s = 0.0
    for p in d:
        s += d[p]
    return s


@CASES.add(vec(4))
def one_row_three_times(x):
    m = [[0.0] * 3] * 3
    m[1][0] = x[0] * x[1]
    m[2][1] = x[2]
    return m[0][0] * m[0][1]


@CASES.add(vec(4))
def rows_appended_and_popped(x):
    rows = [[v, v * v] for v in x]
    rows[0], rows[2] = (rows[2], rows[0])
    row = rows[1]
    k = int(x[0] > 0)
    row[k] = row[0] * rows[k + 1][1]
    rows.append(row)
    rows[-1][0] += x[1]
    rows.pop(0)
    s = 0.0
    for r in rows:
        for j in range(2):
            s += r[j] * (j + 1)
    return s


def _matmul(a, b):
    n = len(a)
    c = []
    for i in range(n):
        row = []
        for j in range(n):
            t = 0.0
            for k in range(n):
                t += a[i][k] * b[k][j]
            row.append(t)
        c.append(row)
    return c


@CASES.add(vec(4))
def product_of_a_helper(x):
    a = [[x[0], x[1]], [x[2], x[3]]]
    for i in range(2):
        a[i][i] *= x[1]
    c = _matmul(a, a)
    for i in range(2):
        c[i][1 - i] = c[i][i] * x[0]
    return c[0][1] * c[1][0] + a[0][0]


@CASES.add(vec(4))
def matrix_returned(x):
    m = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            m[i][j] = x[i] * x[j]
    return m


@CASES.add(vec(4))
def rows_that_grow(x):
    g = []
    for v in x:
        g.append([v])
    for r in g:
        r.append(r[0] * 2.0)
        r.insert(0, r[1] * x[0])
    g[1].extend(g[2])
    g[0] = g[1][1:]
    g[0][0] = x[3] * g[2][0]
    return sum((sum(r) for r in g))


@CASES.add(vec(4))
def three_levels(x):
    m = [[[x[i] * x[j] * x[k] for k in range(2)] for j in range(2)] for i in range(2)]
    for i in range(2):
        m[i][1 - i][0] = m[i][i][1] * m[0][0][0]
    return m[0][1][0] * m[1][0][0]


@CASES.add(vec(4))
def lists_in_a_dictionary(x):
    d = {'a': [x[0], x[1]], 'b': [x[2], x[3]]}
    for k in ['a', 'b']:
        for i in range(2):
            d[k][i] = d[k][i] * d['a'][1 - i]
    return d['a'][0] * d['b'][1]


@CASES.add(vec(4))
def groups_by_setdefault(x):
    d = {}
    for i in range(4):
        d.setdefault(i % 2, []).append(x[i] * x[0])
    return d[0][1] * d[1][0]


@CASES.add(vec(4))
def transposed(x):
    m = [[v * w for v in x] for w in x]
    t = [[m[j][i] for j in range(4)] for i in range(4)]
    t[0][1] = x[2]
    t = [list(r) for r in zip(*m)]
    return t[0][1] * t[1][2]


@CASES.add(vec(4))
def rows_replaced(x):
    m = [[v * w for v in x] for w in x]
    for i in range(4):
        m[i] = [a * x[i] for a in m[i]]
        m[i][0] = 1.0 * m[i][1]
    return sum((m[i][i] for i in range(4)))


@CASES.add(vec(4))
def dictionaries_in_a_dictionary(x):
    d = {}
    for k in range(3):
        d[k] = {}
        for j in range(2):
            d[k][j] = x[k] * x[j]
    d[1][0] = d[2][1] * d[1][0]
    return d[1][0] * d[0][0]


@CASES.add(vec(4))
def rows_swapped_until(x):
    m = [[v * w for v in x] for w in x]
    while m[0][0] < 3.0:
        m[0][0] = m[0][0] * 1.7 + m[1][1]
        m[0], m[1] = (m[1], m[0])
    return m[0][0] * m[1][1]


@CASES.add(vec(4))
def grid(x):
    grid = [[0.0] * 4 for _ in range(4)]
    for j in range(4):
        grid[0][j] = x[j]
    for i in range(1, 4):
        for j in range(4):
            left = grid[i - 1][j - 1] if j > 0 else grid[i - 1][0]
            grid[i][j] = 0.5 * (left + grid[i - 1][j]) * grid[i - 1][j]
    return sum(grid[3])


@CASES.add(vec(4))
def transposed_then_written(x):
    m = [[v * w for v in x] for w in x]
    t = [list(r) for r in zip(*m)]
    t[0][1] = x[2] * t[1][0]
    return t[0][1] * t[1][2]


@CASES.add(vec(4))
def pairs_taken_apart(x):
    pts = [(v, v * v) for v in x]
    xs, ys = zip(*pts)
    return sum((a * b for a, b in zip(xs, ys)))


@CASES.add(vec(4))
def tuple_of_arrays(x):
    t = tuple([x * v for v in x])
    a = t[0]
    b = t[2]
    return np.sum(a * b) + sum((np.sum(r) for r in t))


@CASES.add(vec(4))
def columns(x):
    m = [[v * w for v in x] for w in x]
    s = 0.0
    for col in zip(*m):
        s += col[0] * col[1]
    return s


@CASES.add(vec(4))
def arrays_swapped_and_written(x):
    arrs = [x * k for k in range(3)]
    arrs.append(x)
    k = 1
    arrs[k] *= 2.0
    arrs[k + 1][0] = arrs[0][1] + x[1] * arrs[k][2]
    arrs[0], arrs[1] = (arrs[1], arrs[0])
    a = arrs[0]
    a[1] = x[3] * a[0]
    return np.sum(arrs[0] * arrs[2])


@CASES.add(vec(4))
def arrays_stacked_after_writes(x):
    parts = [x[:2] * 1.0, x[2:] * 1.0]
    for i in range(2):
        for j in range(2):
            parts[i][j] = parts[1 - i][j] * x[i]
    return np.sum(np.array(parts))


@CASES.add(vec(4))
def two_lists_that_change_places(x):
    u = [v * 1.0 for v in x]
    w = [v * v for v in x]
    for _ in range(3):
        u, w = (w, u)
        u[0] = w[1] * x[0]
    return u[0] * w[0]


@CASES.add(vec(4))
def one_of_two_lists(x):
    best = [x[0], x[1]]
    other = [x[2], x[3]]
    c = best if x[0] > 0.5 else other
    c[0] = x[1] * c[1]
    return best[0] * other[0]


@CASES.add(vec(4))
def lists_by_name_that_grow(x):
    layers = {'a': [x[0], x[1]], 'b': [x[2]]}
    for name in layers:
        layers[name].append(x[3] * layers[name][0])
    total = 0.0
    for name, vals in layers.items():
        for i, v in enumerate(vals):
            total += v * (i + 1)
    return total


def _fill(m, x):
    for i in range(len(m)):
        m[i][0] = x[i] * x[0]


@CASES.add(vec(4))
def filled_by_a_helper(x):
    m = [[0.0, 1.0] for _ in range(4)]
    _fill(m, x)
    return m[1][0] * m[2][0]


@CASES.add(vec(4))
def row_copied_then_written(x):
    m = [[v * w for v in x] for w in x]
    m[1] = list(m[0])
    m[1][2] *= x[0]
    m[0][2] += 1.0
    return m[1][2] * m[0][2] + np.sum(np.array(m[1]))


def _det(m):
    n = len(m)
    if n == 1:
        return m[0][0]
    s = 0.0
    for j in range(n):
        minor = [row[:j] + row[j + 1:] for row in m[1:]]
        s += (-1) ** j * m[0][j] * _det(minor)
    return s


@CASES.add(vec(4))
def determinant(x):
    return _det([[x[0], x[1], 1.0], [x[2], x[3], 2.0], [1.0, x[0], x[1]]])


X = [[2.0, 0.3, 0.5], [0.1, 1.5, 0.2], [0.4, 0.6, 1.7]]


def _fill(m, x):
    for i in range(len(m)):
        m[i][0] = x[i] * x[0]


def _axpy(m, i, j, f):
    for k in range(len(m[i])):
        m[i][k] -= f * m[j][k]


def _solve(a, b):
    n = len(b)
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[p] = (a[p], a[i])
        b[i], b[p] = (b[p], b[i])
        for r in range(i + 1, n):
            f = a[r][i] / a[i][i]
            _axpy(a, r, i, f)
            b[r] -= f * b[i]
    out = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, n):
            s -= a[i][k] * out[k]
        out[i] = s / a[i][i]
    return out


@CASES.add(vec(4))
def solved_with_pivots(x):
    a = [[x[0], x[1], 0.3], [x[2], 0.2, x[3]], [0.4, x[0] * x[1], 2.0]]
    b = [x[0], 1.0, x[3]]
    s = _solve(a, b)
    return s[0] * s[1] + s[2]


@CASES.add(X)
def matrix_argument_written(m):
    for i in range(len(m)):
        m[i][i] = m[i][i] * m[0][i]
    return m[1][1] * m[0][0]


@CASES.add(X)
def determinant_in_place(m):
    d = 1.0
    n = len(m)
    for i in range(n):
        d *= m[i][i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            for k in range(i, n):
                m[r][k] -= f * m[i][k]
    return d


@CASES.add(X)
def matrix_argument_copied(m):
    m = [row[:] for row in m]
    for r in m:
        r[0] *= r[1]
    return sum((r[0] for r in m))


def _push(row, v):
    row.append(v * row[0])


@CASES.add(vec(4))
def pushed_by_a_helper(x):
    rows = [[v] for v in x]
    k = 0
    for r in rows:
        _push(r, x[k])
        _push(rows[0], r[1])
        k += 1
    return sum((sum(r) for r in rows))


def _two(m, row):
    m[0][0] = row[0] * 2.0
    return row[0] * m[0][0]


@CASES.add(vec(4))
def a_row_and_its_matrix(x):
    m = [[x[0], 1.0], [x[1], 2.0]]
    m[1][1] = x[2]
    k = int(x[0] > 0)
    r = _two(m, m[k - 1])
    return r * m[0][0]


def _swap(m, i, j):
    m[i], m[j] = (m[j], m[i])


@CASES.add(vec(4))
def swapped_by_a_helper(x):
    m = [[v, v * v] for v in x]
    for i in range(3):
        _swap(m, i, 3 - i)
        m[i][0] *= x[i]
    return m[0][0] * m[1][0] + m[2][1]


def _grow(m, x):
    m.append([x[0], x[1]])
    m[-1][0] *= m[0][0]
    m.pop(0)


@CASES.add(vec(4))
def grown_by_a_helper(x):
    m = [[v, 1.0] for v in x]
    _grow(m, x)
    _grow(m, x)
    m[3][1] = m[2][0] * x[3]
    return sum((r[0] * r[1] for r in m))


@CASES.add(X, np.array([0.3, 0.8]))
def argument_grown(m, x):
    m[1].append(x[0] * m[0][1])
    m.append([x[1]])
    m[0], m[3] = (m[3], m[0])
    m[0][0] *= m[3][0]
    return sum((sum(r) for r in m))


@CASES.add(vec(4))
def rows_taken_apart(x):
    rows = [[v, v * v] for v in x]
    s = 0.0
    for a, b in rows:
        s += a * b
    return s


@CASES.add(vec(4))
def rows_written_and_taken_apart(x):
    rows = [[v, v * v] for v in x]
    k = int(x[0] > 0.5)
    rows[k][0] = x[2] * x[3]
    s = 0.0
    for a, b in rows:
        s += a * b
    return s


@CASES.add(vec(4))
def rows_taken_apart_in_a_sum(x):
    rows = [[v, v * v] for v in x]
    for i in range(3):
        rows[i][0] = rows[i + 1][1] * x[0]
    return sum((a * b for a, b in rows))


@CASES.add(vec(4))
def rows_numbered_and_taken_apart(x):
    rows = [[v, v * v] for v in x]
    for i in range(3):
        rows[i][0] = rows[i + 1][1] * x[0]
    s = 0.0
    for k, (a, b) in enumerate(rows):
        s += k * a * b
    a, b = rows[1]
    for i in range(2):
        c, d = rows[i]
        s += c * d * a
    return s


@CASES.add(vec(4))
def history_of_states(x):
    P = {'k': x[0], 'b': x[1], 'm': 1.5}
    s = [1.0, 0.0]
    dt = 0.1
    hist = []
    for _ in range(8):
        a = (-P['k'] * s[0] - P['b'] * s[1]) / P['m']
        s = [s[0] + dt * s[1], s[1] + dt * a]
        hist.append(tuple(s))
    return sum((p * p + q * q for p, q in hist))


@CASES.add(vec(4))
def rows_added_while_they_are_taken_apart(x):
    rows = [[x[0], x[1]], [x[2], x[3]]]
    s = 0.0
    for a, b in rows:
        if len(rows) < 5:
            rows.append([b, a * b])
        rows[0][0] = a * 0.5
        s += a * b
    return s + rows[0][0] * rows[-1][1]


@CASES.add(vec(4))
def arrays_added_by_another_name_in_the_loop(x):
    rows = [x * 2.0, x * x]
    s = 0.0
    for t in rows:
        t[0] = t[1] * x[2]
        others = rows
        if len(others) < 4:
            others.extend([t * x])
        s += np.sum(t)
    return s


@CASES.add(vec(4))
def arrays_deleted_while_they_are_looped(x):
    rows = [x * 2.0, x * x, x + 1.0, x + 2.0]
    s = 0.0
    for t in rows:
        t[0] = t[1] * x[2]
        del rows[0]
        s += np.sum(t)
    return s


@CASES.add(vec(4))
def arrays_spliced_in_while_they_are_looped(x):
    rows = [x * 2.0, x * x]
    s = 0.0
    for i, t in enumerate(rows):
        t[0] = t[1] * x[2]
        rows[i + 1 :] = [t * x] if i < 3 else []
        s += np.sum(t)
    return s


@CASES.add(vec(4))
def list_that_grows_under_another_name(x):
    a = [x[0], x[1]]
    b = a
    a.append(x[3] * b[0])
    total = 0.0
    for i, v in enumerate(b):
        total += v * (i + 1)
    return total


@CASES.add(vec(4))
def entry_that_grows_by_what_it_holds(x):
    d = {"a": [x[0], x[1]]}
    d["a"].append(x[3] * d["a"][0])
    total = 0.0
    for i, v in enumerate(d["a"]):
        total += v * (i + 1)
    return total


@CASES.add(vec(4))
def tuples_of_any_length_in_lists(x):
    rows = [[tuple([v * k for v in x])] for k in range(3)]
    rows[0], rows[1] = rows[1], rows[0]
    rows[1].append(tuple(rows[0][0]))
    k = int(x[0] > 0.1)
    rows[k].append(rows[2][0])
    return sum(rows[1][1]) * rows[0][0][1] + sum(rows[k][-1])


@CASES.add(vec(4), row="52")
def rows_that_change_places_while_one_is_looked_at(x):
    rows, s = [[a * b for a in x] for b in x[:3]], 0.5
    for row in rows:
        for _ in range(2):
            s = s * 0.5 + row[1]
            rows.reverse()
    return s


@CASES.add(vec(4))
def rows_taken_out_while_one_is_looked_at(x):
    rows, s = [[a * b for a in x] for b in x], 0.5
    for row in rows:
        for k in range(2):
            rows.pop(0)
            s = s * 0.5 + row[k] * row[1]
    return s + sum(map(sum, rows))


@CASES.add(vec(4))
def rows_replaced_while_one_is_looked_at(x):
    rows, s = [[a * b for a in x] for b in x[:3]], 0.5
    for j, row in enumerate(rows):
        rows[j] = [v * s for v in row]
        row.append(s)
        s = s * 0.5 + row[1] * rows[j][0] + row[-1]
    return s


@CASES.add(vec(4))
def arrays_that_change_places_while_one_is_looked_at(x):
    rows, s = [x * a for a in x[:3]], 0.5
    for row in rows:
        for _ in range(2):
            s = s * 0.5 + row[1]
            rows.reverse()
    return s


@CASES.never(vec(4), code="AD206")
def arrays_out_of_tuples_that_change_places(x):
    pairs, s = [(x * a, a) for a in x[:3]], 0.5
    for v, a in pairs:
        pairs.reverse()
        s = s * 0.5 + v[1] * a
    return s


def turned(rows):
    rows.reverse()


@CASES.add(vec(4))
def rows_that_a_function_turns_while_one_is_looked_at(x):
    rows, s = [[a * b for a in x] for b in x[:3]], 0.5
    for row in rows:
        turned(rows)
        s = s * 0.5 + row[1]
    return s


@CASES.add(vec(4))
def row_under_a_second_name_while_rows_change_places(x):
    rows, s = [[a * b for a in x] for b in x[:3]], 0.5
    for row in rows:
        kept = row
        rows.reverse()
        s = s * 0.5 + kept[0] * kept[1]
    return s


@CASES.add(vec(4))
def part_of_an_array_while_arrays_change_places(x):
    rows, s = [x * a for a in x[:3]], 0.5
    for row in rows:
        part = row[1:]
        rows.reverse()
        s = s * 0.5 + part[0] * part[1]
    return s


@CASES.add(vec(4))
def arrays_of_pairs_put_under_other_names(x):
    pairs, s = [("a", x * 1.0), ("b", x * 2.0)], 0.0
    for _, v in pairs:
        both = [v, v]
        s += both[0].sum() * both[1][0]
    return s


@CASES.add(vec(4))
def arrays_of_a_dictionary_replaced_in_turn(x):
    d, s = {"a": x * 1.0, "b": x * 2.0}, 0.0
    for k, v in list(d.items()):
        d[k] = v * v[0]
        s += v[1]
    for k, v in list(d.items()):
        d["c"] = d.pop("a") if k == "a" else v
        s += d["c"][1] * v[0]
    return s


@CASES.add(vec(4))
def arrays_of_pairs_updated_as_wholes(x):
    pairs, s = [(x * a, x + a) for a in x[:3]], 0.0
    for v, w in pairs:
        u = v
        u += 0.1 * w
        w *= 2.0
        w -= v
        s += w[0]
    return s + pairs[1][0][1] * pairs[2][1][0]
