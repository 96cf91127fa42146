"""Arrays of several ranks in one list, dictionary or tuple, which are changed in place."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("ranks")


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def every_item_in_turn(w, b):
    ps = [w * 1.0, b * 1.0]
    for p in ps:
        p[0] *= 2.0
        p[1:] += p[:1]
        p *= 0.5
    return np.sum(ps[0] ** 2) + np.sum(ps[1] ** 3)


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def views_among_them(w, b):
    w, b = w * 1.0, b * 1.0
    for p in [w, b, w[0], w.T]:
        p *= 1.5
        p -= 0.1
    return np.sum(w**2) + np.sum(b**3)


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def one_of_two(w, b):
    ps = [w * 1.0, b * 1.0]
    q = ps[0] if b[0] > 0.1 else ps[1]
    q *= 2.0
    r = ps[int(w[0, 0] > 9.0)]
    r[:] = r + 1.0
    q[...] = q * 0.5 + r
    return np.sum(ps[0] ** 2) + np.sum(ps[1] ** 3) + np.sum(q)


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def under_other_names(w, b):
    ps = [w * 1.0, b * 1.0]
    first, qs, rs = ps[0], list(ps), ps[::-1]
    qs[0] += 1.0
    first *= 2.0
    rs[0] -= 0.5 * b
    rs.append(first)
    rs[2][0] = b
    return np.sum(ps[0] ** 2) + np.sum(ps[1] ** 3) + np.sum(first * w)


@CASES.refused([mat(2, 3), vec(3)])
def moments_that_are_appended(params):
    params = [p.copy() for p in params]
    m, v = [], []
    for p in params:
        m.append(np.zeros_like(p))
        v.append(np.zeros_like(p))
    for t in range(1, 3):
        for i, p in enumerate(params):
            g = 2.0 * p * p - 1.0
            m[i][:] = 0.9 * m[i] + 0.1 * g
            v[i][:] = 0.99 * v[i] + 0.01 * g * g
            p -= 0.1 * (m[i] / (1 - 0.9**t)) / (np.sqrt(v[i] / (1 - 0.99**t)) + 1e-3)
    return np.sum(params[0]) + np.sum(params[1] ** 2)


@CASES.add({"w": mat(3, 3), "b": vec(3)}, vec(3))
def dictionary_of_moments(params, x):
    m = {k: np.zeros_like(v) for k, v in params.items()}
    params = {k: v.copy() for k, v in params.items()}
    for _ in range(3):
        g = {"w": np.outer(params["b"], x), "b": params["w"] @ x}
        for k in params:
            m[k] *= 0.9
            m[k] += g[k]
            params[k] -= 0.1 * m[k]
    return np.sum(params["w"] ** 2) + np.sum(params["b"])


def descend(ps, gs):
    for p, g in zip(ps, gs):
        p -= 0.1 * g


@CASES.refused([mat(2, 3), vec(3)], vec(2), wrt=(0, 1))
def argument_that_a_callee_changes(ps, x):
    for p in ps:
        p *= x[0]
    descend(ps, [p * p for p in ps])
    return np.sum(ps[0] ** 2) + np.sum(ps[1] ** 3)


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def number_among_them(w, b):
    ps = [w * 1.0, b * 1.0, b[0] * 1.0]
    for i in range(3):
        ps[i] *= 2.0
    return np.sum(ps[0] ** 2) + np.sum(ps[1] ** 3) + ps[2] ** 2


@CASES.add(mat(2, 3), vec(3), wrt=(0, 1))
def array_of_no_axis_among_them(w, b):
    ps = [w * 1.0, b * 1.0, np.array(b[0])]
    for p in ps:
        p *= 2.0
    return np.sum(ps[0] ** 2) + np.sum(ps[1] ** 3) + ps[2] ** 2


class Layer:
    def __init__(self, w, b):
        self.params = (w, b)

    def forward(self, x):
        w, b = self.params
        return np.tanh(w @ x + b)

    def update(self, gw, gb):
        w, b = self.params
        w -= 0.1 * gw
        b -= 0.1 * gb


@CASES.add(mat(3, 3), vec(3), wrt=(0, 1))
def tuple_that_a_method_changes(w, b):
    layer = Layer(w.copy(), b.copy())
    layer.update(np.outer(b, b), b * b)
    layer.update(w, b)
    w, b = layer.params
    return np.sum(w**2) + np.sum(b**3)


@CASES.refused(mat(3, 3), vec(3), vec(3), wrt=(0, 1, 2))
def layer_that_learns(w, b, x):
    layer = Layer(w.copy(), b.copy())
    for _ in range(2):
        y = layer.forward(x)
        layer.update(np.outer(y, x), y)
    return np.sum(layer.forward(x) ** 2)


@CASES.add(vec(3), vec(3), wrt=(0, 1))
def products_across_with_methods(r, v):
    v = v[::-1] * 1.5
    h = np.cross(r, v) * 2.0
    e = np.cross(v, np.cross(r, v)) - r / np.sqrt(r.dot(r))
    h = h / np.sqrt((h * h).sum())
    return h.dot(e) + e.max() + (h * v).sum() if h.any() else e.sum()


@CASES.add(vec(3), vec(3), wrt=(0, 1))
def step_along_a_product_across(r, v):
    v = v[::-1]
    for _ in range(3):
        turned = 0.1 * np.cross(r, v)
        v = v + turned - 0.2 * turned.mean()
        r = r + 0.1 * v * turned.T.prod()
    return (r * v).sum()
