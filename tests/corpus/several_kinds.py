"""Numbers and arrays in one container: parameters of a model, states of a simulation."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("several_kinds")


def _parameters(x):
    return {"W": np.outer(x, x[:2]), "b": x[:2] * 2.0, "s": x[0] * x[1]}


def _squares(p):
    return sum(np.sum(v**2) for v in p.values())


def _stepped(p, g, rate):
    return {k: p[k] - rate * g[k] for k in p}


@CASES.add(vec(4))
def decay_over_values(x):
    p = _parameters(x)
    total = 0.0
    for v in p.values():
        total += np.sum(v**2)
    return total * p["s"]


@CASES.add(vec(4))
def parameters_passed_on(x):
    p = _parameters(x)
    for _ in range(2):
        p = _stepped(p, {k: 0.5 * v**2 for k, v in p.items()}, 0.1)
    return _squares(p) + np.sum(p["W"] @ p["b"]) * p["s"]


@CASES.add(vec(4))
def moments_of_parameters(x):
    p = _parameters(x)
    m = {k: 0.0 * v for k, v in p.items()}
    for t in range(1, 3):
        g = {k: 0.3 * v + v**3 for k, v in p.items()}
        for k in p:
            m[k] = 0.9 * m[k] + 0.1 * g[k]
            p[k] = p[k] - 0.1 * (m[k] / (1 - 0.9**t))
    return np.sum(p["W"] @ p["b"]) * p["s"]


@CASES.add(vec(4))
def items_some_left_out(x):
    p = _parameters(x)
    total = 0.0
    for i, (k, v) in enumerate(p.items()):
        if k == "b":
            continue
        total = total + (i + 1) * np.sum(v * v)
    return total


@CASES.add(vec(4))
def list_of_layers(x):
    layers = [(np.outer(x[:2], x), x[:2]), (np.outer(x[:1], x[1:3]), x[0])]
    h = x
    for w, c in layers:
        h = np.tanh(w @ h + c)
    return np.sum(h)


@CASES.add(vec(4))
def list_changed_in_many_ways(x):
    held = [x, x[0]]
    a = held.pop()
    held.append(a * a)
    held.insert(0, x * x)
    held.reverse()
    held.extend([1.0, x])
    held[0], held[1] = held[1], held[0]
    total = 0.0
    for v in held:
        total = total + np.sum(v**2)
    return total


@CASES.add(vec(4))
def arrays_where_none_was(x):
    out = [None] * 4
    out[0] = x
    for k in range(3):
        out[k + 1] = np.tanh(out[k] * x[0]) + x
    return np.sum(out[-1] ** 2)


@CASES.add(vec(4))
def some_are_still_none(x):
    held = [x, x[0], None]
    total = 0.0
    for v in held:
        if v is not None:
            total = total + np.sum(v**2)
    held[2] = held[0]
    held[0] = None
    return total * np.sum(held[2])


@CASES.add(vec(4))
def states_kept(x):
    state = {"t": x[1], "x": x, "n": 0}
    kept = []
    for _ in range(3):
        state = {
            "t": state["t"] + 0.1,
            "x": state["x"] + 0.1 * np.cos(state["x"] * state["t"]),
            "n": state["n"] + 1,
        }
        kept.append(state)
    return np.sum(kept[-1]["x"]) + kept[1]["t"] * np.sum(kept[0]["x"]) * kept[2]["n"]


@CASES.never(vec(4), 1, code="AD206")
def array_written_that_is_held(x, i):
    held = [x.copy(), x[1]]
    a = held[i - 1]
    a[1] = x[0] * 2.0
    return np.sum(held[0] ** 2) * np.sum(held[1])


@CASES.add(vec(4))
def number_or_array_in_place(x):
    p = {"a": x * 1.0, "b": x[0]}
    for k in p:
        v = p[k]
        v *= 2.0
    return np.sum(p["a"]) * p["b"]


@CASES.add(vec(4))
def sum_of_several_kinds(x):
    p = _parameters(x)
    s = np.sum(x * x)
    for k in ("s", "b"):
        s = s + p[k]  # a number at first, then an array
    return np.sum(s * s)


@CASES.add(vec(4))
def product_that_grows(x):
    s = x[:1]
    for v in [x[1:2], x, x[2] * x]:
        s = s * v
    return np.sum(s * s)


@CASES.add(vec(4))
def items_of_tuples_in_a_list(x):
    pairs = [(x, x[0]), (x[1], x * 2.0)]
    total = 0.0
    for i, p in enumerate(pairs):
        q = p
        total = total + np.sum(p[0] * x) * np.sum(q[1]) * (i + 1)
    return total


@CASES.add([(vec(3), (2.0, vec(3))), (vec(3), (4.0, vec(3)))])
def tuples_within_tuples(rows):
    total = 0.0
    for p in rows:
        total = total + np.sum(p[0] * p[1][0] * p[1][1])
    for a, p in reversed(rows):
        total = total + np.sum(a * p[0] * p[1]) ** 2
    return total


@CASES.refused(vec(4), code="AD301")
def tuples_whose_array_is_written(x):
    y = x * 2.0
    total = 0.0
    for p in [(y, x[0]), (x, x[1])]:
        y[0] = p[1] * x[2]
        total = total + np.sum(p[0] * x)
    return total + np.sum(y)


@CASES.add(vec(3))
def numbers_of_all_types_in_a_list(x):
    total = 0.0
    for v in [np.arange(3), x, 2, x[1], True, x > 1.0]:
        total = total + np.sum(v * x) * x[0]
    return total


@CASES.add(vec(3))
def masks_among_arrays(x):
    rows = [x > 0.4, x, x * x]
    rows[1] = rows[1] * 2.0
    total = 0.0
    for r in rows:
        total = total + np.sum(r * x)
    return total


@CASES.add(vec(3))
def whole_numbers_among_arrays(x):
    return sum(np.sum(r * x) for r in [np.arange(3), x])


@CASES.add(vec(4))
def array_and_number_at_computed_places(x):
    state = [x.copy(), 0.0]
    for k in range(4):
        i = int(x[k] > 0.9)
        state[i] += 0.1 * x[k] * (i + 1)
    return np.sum(state[0]) * state[1]


@CASES.add(vec(4))
def arrays_and_numbers_in_a_loop_in_a_loop(x):
    state = [x.copy(), 0.0, x * x]
    for k in range(3):
        for i in range(k + 1):
            state[i] += 0.1 * x[k]
    return np.sum(state[0] * state[2]) * state[1]


@CASES.add(vec(4))
def array_and_number_under_computed_keys(x):
    state = {"a": x.copy(), "b": 0.0}
    for k in range(4):
        state["ab"[k % 2]] += x[k]
    s = 0.0
    for v in state.values():
        s += np.sum(v) ** 2
    return s


@CASES.never(vec(4), code="AD205")
def array_that_has_a_name_at_computed_places(x):
    a = x.copy()
    state = [a, 0.0]
    for k in range(4):
        i = int(x[k] > 0.9)
        state[i] += 0.1 * x[k] * (i + 1)
    return np.sum(state[0]) * state[1] + np.sum(a * a)


@CASES.never(vec(4), code="AD205")
def array_that_is_there_twice(x):
    a = x.copy()
    state = [a, a, 0.0]
    for k in range(4):
        i = int(x[k] > 0.9)
        state[i] += 0.1 * x[k] * (i + 1)
    return np.sum(state[0] * state[1])


@CASES.never(vec(4), code="AD205")
def views_under_computed_keys(x):
    a = x.copy()
    state = {"a": a[1:], "b": 0.0, "c": a[:-1]}
    for k in range(4):
        state["abc"[k % 3]] += x[k]
    return np.sum(state["a"]) * state["b"] + np.sum(state["c"] ** 2)


@CASES.never(vec(4), code="AD205")
def list_of_an_array_made_in_a_loop(x):
    s = 0.0
    a = x.copy()
    for _ in range(2):
        state = [a, 0.0]
        for k in range(2):
            i = int(x[k] > 0.9)
            state[i] += 0.1 * (i + 1) * x[k]
        s = s + np.sum(state[0]) * state[1]
    return s
