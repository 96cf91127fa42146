"""Programs as engineers have them: ghost cells, filter banks, work arrays that are used again."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, spd, vec

CASES = Programs("engineering")


def _fill_ghosts(q, ng):
    q[:ng] = q[-2 * ng : -ng]
    q[-ng:] = q[ng : 2 * ng]


def _minmod(a, b):
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


@CASES.add(np.array([0.62, 1.31, 0.87, 0.55, 1.48, 1.02]), 0.05, wrt=(0, 1))
def limited_slopes_with_ghost_cells(u, dt):
    ng = 2
    q = np.zeros(len(u) + 2 * ng)
    q[ng:-ng] = u
    for _ in range(3):
        _fill_ghosts(q, ng)
        slope = np.zeros_like(q)
        slope[1:-1] = _minmod(q[1:-1] - q[:-2], q[2:] - q[1:-1])
        left = q[ng - 1 : -ng] + 0.5 * slope[ng - 1 : -ng]
        flux = 0.5 * left * left
        q[ng:-ng] -= dt * (flux[1:] - flux[:-1])
    return np.sum(q[ng:-ng] ** 2)


@CASES.refused(vec(4), vec(2), 0.3, wrt=(0, 1, 2))
def bank_of_filters(z, q, r):
    xs, ps = np.zeros((2, 2)), np.zeros((2, 2, 2))
    ps[:] = np.eye(2)
    step = np.array([[1.0, 1.0], [0.0, 1.0]])
    like = np.zeros(2)
    for t in range(len(z)):
        for f in range(2):
            x, p = xs[f], ps[f]
            x[:] = step @ x
            p[:] = step @ p @ step.T
            p[0, 0] += q[f]
            s = p[0, 0] + r
            gain = p[:, 0] / s
            x += gain * (z[t] - x[0])
            p -= np.outer(gain, p[0, :])
            like[f] -= 0.5 * (np.log(s) + z[t] ** 2 / s)
    return np.sum(like) + np.sum(xs)


@CASES.add(spd(3), vec(3), wrt=(0, 1), verdicts={"w -= h[i, j]": "renamed"})
def krylov_basis(a, b):
    v, h = np.zeros((4, 3)), np.zeros((4, 3))
    v[0] = b / np.sqrt(b @ b)
    for j in range(2):
        w = a @ v[j]
        for i in range(j + 1):
            h[i, j] = w @ v[i]
            w -= h[i, j] * v[i]
        h[j + 1, j] = np.sqrt(w @ w)
        v[j + 1] = w / h[j + 1, j]
    return np.sum(h**2) + np.sum(v[2])


@CASES.add(vec(5) - 1.0, 0.9, wrt=(0, 1), verdicts={"ring[at] =": "by value"})
def delay_line(burst, damping):
    ring, at = burst.copy(), 0
    out = np.zeros(14)
    for i in range(len(out)):
        out[i] = ring[at]
        after = (at + 1) % len(ring)
        ring[at] = damping * 0.5 * (ring[at] + ring[after])
        at = after
    return np.sum(out**2)


@CASES.refused(mat(8, 4) * 0.2, mat(3, 2), wrt=(0, 1))
def gates_of_one_input_array(w, xs):
    h, c, z = np.zeros(2), np.zeros(2), np.empty(4)
    for t in range(len(xs)):
        z[:2] = xs[t]
        z[2:] = h
        g = np.tanh(w @ z)
        c *= g[:2]
        c += g[2:4] * g[4:6]
        h[:] = g[6:] * np.tanh(c)
    return h @ h
