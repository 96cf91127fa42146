"""Tuples of arrays and numbers in lists and dictionaries, whose arrays are written in place."""

from __future__ import annotations

from collections import deque, namedtuple

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("records")


def _some(x):
    made = []
    for k in range(3):
        made.append((x * (k + 1.0), x[k]))
    return made


def _total(pairs):
    s = 0.0
    for a, c in pairs:
        s = s + np.sum(a * a) * c
    return s


@CASES.add(vec(4))
def bodies_that_attract(x):
    bodies = []
    for i in range(3):
        bodies.append((x * (i + 1.0), np.zeros(4), x[i]))
    for i in range(3):
        for j in range(3):
            if i != j:
                pi, vi, mi = bodies[i]
                pj, vj, mj = bodies[j]
                vi += mj * (pj - pi)
    for p, v, _m in bodies:
        p += 0.1 * v
    return np.sum(bodies[0][0] * bodies[2][0])


@CASES.refused(vec(4))
def bodies_in_steps(x):
    bodies = [(np.array([x[i], 1.0 - x[i]]), np.zeros(2), x[i] ** 2) for i in range(3)]
    for _ in range(2):
        for p, v, m in bodies:
            v -= 0.1 * m * p
            p += 0.1 * v
    return sum(m * np.sum(p * p) for p, v, m in bodies)


@CASES.refused(vec(4))
def array_that_is_kept_and_written(x):
    kept = []
    y = x.copy()
    for k in range(3):
        y += x * k
        kept.append((y, np.sum(y * x)))
    return np.sum(kept[0][0]) * kept[1][1]


@CASES.add(vec(4))
def one_tuple_at_three_places(x):
    a = (x * 2.0, x[1])
    held = []
    for _ in range(3):
        held.append(a)
    for w, b in held:
        w += b
        w[0] = b * b
    return np.sum(held[0][0] * held[1][0]) * held[2][1]


@CASES.add(vec(4))
def replaced_by_a_tuple_of_the_same_array(x):
    held = _some(x)
    for k in range(3):
        w, b = held[k]
        w += b
        held[k] = (w, b * x[3])
    for w, b in held:
        w += b * b
    return np.sum(held[0][0] * held[1][0]) * held[2][1]


@CASES.never(vec(4), code="AD206")
def replaced_in_the_loop_over_them(x):
    held = _some(x)
    for k, (w, b) in enumerate(held):
        w += b
        held[k] = (w, b * x[3])
    for w, b in held:
        w += b * b
    return np.sum(held[0][0] * held[1][0]) * held[2][1]


@CASES.never(vec(4), code="AD206")
def list_that_grows_in_the_loop_over_it(x):
    held = [(x * 2.0, x[0])]
    for w, b in held:
        w[0] += b
        if len(held) < 4:
            held.append((w * 0.5, b * x[1]))
    return sum(np.sum(w * w) * b for w, b in held)


@CASES.add(vec(4))
def list_that_grows_behind_the_index(x):
    held, i = [(x * 2.0, x[0])], 0
    while i < len(held):
        w, b = held[i]
        w[0] += b
        if len(held) < 4:
            held.append((w * 0.5, b * x[1]))
        i += 1
    return sum(np.sum(w * w) * b for w, b in held)


@CASES.add(vec(4))
def enumerated_zipped_and_reversed(x):
    held = _some(x)
    for k, (w, b) in enumerate(held):
        w += b * k
    for (w, b), v in zip(held, x):
        w += b * b * v
    for w, b in reversed(held):
        w[0] = w[1] * b
    return np.sum(held[0][0] * held[1][0]) * held[2][1]


@CASES.add(vec(4))
def list_made_anew_in_a_loop(x):
    held = _some(x)
    for _ in range(2):
        new = []
        for w, b in held:
            w += b
            new.append((w, b * x[3]))
        held = new
    return np.sum(held[0][0] * held[1][0]) * held[2][1]


_Pair = namedtuple("_Pair", "w b")


@CASES.add(vec(4))
def named_tuples(x):
    held = [_Pair(x * (k + 1.0), x[k]) for k in range(3)]
    for p in held:
        p.w[0] = p.b
        p.w[1] *= p.b
    return np.sum(held[0].w * held[1].w) * held[2].b


@CASES.add(vec(4))
def tuples_in_tuples(x):
    held = [((x * (k + 1.0), x[k]), x[k] * x[3]) for k in range(3)]
    for (w, b), c in held:
        w[0] = b * c
        w += c
    return np.sum(held[0][0][0] * held[1][0][0]) * held[2][1] * held[1][0][1]


@CASES.add(vec(4))
def in_a_bounded_queue(x):
    d, s = deque(maxlen=2), 0.0
    for k in range(4):
        d.append((x * (k + 1.0), x[k]))
        w, b = d[0]
        w[1] = b
        s = s + np.sum(w) * d[-1][1]
    return s


@CASES.add(vec(4))
def in_a_dictionary(x):
    d, s = {}, 0.0
    for k in range(4):
        d[k % 3] = (x * (k + 1.0), x[k])
        w, b = d[0]
        w += b
    for w, b in d.values():
        w[0] = b
        s = s + np.sum(w) * b
    return s


@CASES.add(vec(4))
def sorted_by_their_numbers(x):
    held = [(x * (k - 1.1), x[k]) for k in range(4)]
    held.sort(key=lambda t: t[1])
    for w, b in held[:2]:
        w[0] = b * 2.0
    other = sorted(held, key=lambda t: -t[1])
    other[0][0][1] = other[1][1]
    best = max(other, key=lambda t: t[1])
    best[0][2] = best[1]
    return sum(np.sum(w * w) * b for w, b in held)


@CASES.add(vec(4))
def numbers_that_are_constant_or_integers(x):
    held = [(x * 2.0, 0.0), (x * 3.0, x[1])]
    held.append((x * x, 1))
    k = int(x[0] > 0.1)
    w, b = held[k]
    w[0] = b
    held[2][0][1] = held[0][1]
    return np.sum(held[0][0] * held[1][0] * held[2][0]) * held[k][1]


def _twice_the_same(x, k):
    a = x * (k + 1.0)
    return a, a, x[k] * 2.0


@CASES.add(vec(4))
def returned_by_a_function(x):
    held, s = [], 0.0
    for k in range(3):
        t = _twice_the_same(x, k)
        a, b, c = t
        s = s + np.sum(a) * c
        held.append(t)
        a[1] = c * s
    for a, b, c in held:
        a[0] = c
        b[2] *= c
    return s * sum(np.sum(a * b) * c for a, b, c in held)


@CASES.add(vec(4))
def one_of_two_that_functions_return(x):
    c = _twice_the_same(x, 1) if x[0] > 0.5 else _twice_the_same(x * x, 2)
    d = _twice_the_same(x, 2)
    e = c if x[1] > 0.1 else d
    e[0][0] = e[2]
    d[1][1] = c[2]
    return np.sum(c[0] * d[0]) * e[2] + np.sum(e[1])


def _lowered(pairs, rate):
    for w, b in pairs:
        w -= rate * b


@CASES.add(vec(4))
def written_by_a_function(x):
    held = _some(x)
    _lowered(held, x[3])
    held[1][0][0] = x[0]
    _lowered(held, 0.5)
    return sum(np.sum(w) * b for w, b in held)


def _one_more(pairs, x):
    pairs.append((x * 2.0, pairs[-1][1] * x[0]))


@CASES.add(vec(4))
def appended_by_a_function(x):
    held = [(x * 1.0, x[1])]
    for k in range(3):
        _one_more(held, x)
        held[k][0][0] = held[-1][1]
    return _total(held)


def _downwards(pairs, k, x):
    if k == 0:
        return
    a, c = pairs[k]
    a[0] = c * x[k]
    _downwards(pairs, k - 1, x)


@CASES.add(vec(4))
def written_by_a_recursion(x):
    held = _some(x)
    _downwards(held, 2, x)
    return _total(held)


@CASES.add(vec(4))
def none_until_there_is_one(x):
    best = None
    for k in range(4):
        c = (x * (k - 1.5), x[k] ** 2)
        if best is not None and best[1] > c[1]:
            best[0][0] = c[1]
            continue
        best = c
    best[0][1] *= best[1]
    return np.sum(best[0] * best[1])


@CASES.add(vec(4))
def halves_on_a_stack(x):
    z = x * 2.0
    stack = [(z, x[0])]
    while stack:
        y, w = stack.pop()
        y += w
        if len(y) > 1:
            m = len(y) // 2
            stack.append((y[:m], w * x[1]))
            stack.append((y[m:], w * x[2]))
    return np.sum(z * z)


@CASES.add(vec(4))
def lists_cut_and_joined(x):
    held = [(x * (k + 1.0), x[k]) for k in range(4)]
    held[1:3] = held[2:]
    held.insert(1, (x * x, x[0] * x[1]))
    del held[0]
    held.reverse()
    other = held + held[:2]
    for a, c in other:
        a[1] += c
    held.clear()
    return _total(other)


@CASES.add([(vec(4), 0.5), (vec(3), 0.3)], wrt="pairs")
def from_outside(pairs):
    for w, b in pairs:
        w *= 2.0
        w[0] = b
    return sum(np.sum(w) * b for w, b in pairs)


@CASES.add([(vec(4), 0.5), (vec(4), 0.3)], wrt="pairs")
def appended_to_what_is_given(pairs):
    pairs.append((pairs[0][0] * 2.0, pairs[1][1] * pairs[0][1]))
    for w, b in pairs:
        w[1] = b
    del pairs[2]
    return np.sum(pairs[0][0]) * pairs[1][1]


@CASES.add({"a": (vec(4), 0.5), "b": (vec(4), 0.3)}, wrt="entries")
def dictionary_from_outside(entries):
    for k in entries:
        w, b = entries[k]
        w[0] = b
    return np.sum(entries["a"][0] * entries["b"][0])


def _new_pair(x, k):
    return x * (k + 1.0), x[k] * 2.0


@CASES.add(vec(4))
def returned_unpacked_and_kept(x):
    t = _new_pair(x, 1)
    u = _new_pair(x * x, 2)
    held = [t, u]
    a = t[0]
    k = int(x[0] > 0.1)
    held[k][0][0] = a[1]
    a[2] *= t[1]
    held[1 - k][0][2] += u[0][1]
    return np.sum(held[0][0] * a) * u[1] + np.sum(u[0] * x) * held[k][1]


def _pair_in_a_pair(x):
    return x * 2.0, (x * x, x[0] * x[1])


@CASES.add(vec(4))
def part_of_what_a_function_returns(x):
    p = _pair_in_a_pair(x)
    held = [p[1]]
    p[1][0][0] = 3.0
    held[0][0][1] = p[0][1] * held[0][1]
    return np.sum(p[1][0]) * p[1][1] + np.sum(p[0])
