"""Second derivatives of whole programs, which must be there: filters, rotations, solvers.

What the pullback of such a program keeps is in lists of numbers, vectors and matrices, and what is
found out about one of them must not be lost to another.
"""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def sigma_points(x, cov, z):
    n, total = 2, 0.0
    for k in range(len(z)):
        root = np.linalg.cholesky((n + 1.0) * cov)
        points = np.zeros((2 * n + 1, n))
        points[0] = x
        for i in range(n):
            points[i + 1] = x + root[:, i]
            points[n + i + 1] = x - root[:, i]
        weights = np.full(2 * n + 1, 1 / (2 * (n + 1.0)))
        drift = points[:, 1] - 0.1 * np.sin(x)[0]
        moved = np.column_stack([points[:, 0] + 0.1 * points[:, 1], drift])
        x = weights @ moved
        cov = 0.01 * np.eye(n)
        for i in range(2 * n + 1):
            d = moved[i] - x
            cov = cov + weights[i] * np.outer(d, d)
        s = cov[0, 0] + 0.1
        r = z[k] - x[0]
        total -= 0.5 * (r * r / s + np.log(s))
        x = x + cov[:, 0] / s * r
    return total


def rotations(a):
    a = a.copy()
    for _ in range(2):
        for p in range(2):
            for q in range(p + 1, 3):
                if abs(a[p, q]) < 1e-14:
                    continue
                angle = 0.5 * np.arctan2(2 * a[p, q], a[q, q] - a[p, p])
                turn = np.eye(3)
                turn[p, p] = turn[q, q] = np.cos(angle)
                turn[p, q], turn[q, p] = np.sin(angle), -np.sin(angle)
                a = turn.T @ a @ turn
    return np.sum(np.diag(a) ** 3)


def turned(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def chain(q, rate):
    n = len(q)
    speed, force, torque = np.zeros(n + 1), np.zeros((n + 1, 2)), np.zeros(n)
    pull = np.zeros((n + 1, 2))
    pull[0] = [0.0, 9.81]
    for i in range(n):
        speed[i + 1] = speed[i] + rate[i]
        pull[i + 1] = turned(q[i]).T @ pull[i] + np.array([-(speed[i + 1] ** 2), 0.1])
    for i in reversed(range(n)):
        behind = turned(q[i + 1]) @ force[i + 1] if i + 1 < n else np.zeros(2)
        force[i] = pull[i + 1] + behind
        torque[i] = force[i][1] * 0.5 + behind[1]
    return torque @ torque


def kept_steps(y, k):
    t, h, steps = 0.0, 0.3, [0.0]
    while t < 1.0:
        h = min(h, 1.0 - t)
        half = y + 0.5 * h * np.array([y[1], -k * y[0]])
        full = y + h * np.array([half[1], -k * half[0]])
        if float(np.max(np.abs(full - half))) < 0.5:
            y = full
            t += h
            steps.append(t)
        h *= 0.9
    return y @ y * len(steps)


COV = np.array([[1.0, 0.1], [0.1, 0.5]])


def truss(areas, load):
    nodes = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.2]])
    stiffness = np.zeros((8, 8))
    for e, (i, j) in enumerate([(0, 1), (1, 2), (2, 3), (0, 2), (3, 0), (1, 3)]):
        d = nodes[j] - nodes[i]
        length = np.linalg.norm(d)
        c, s = d / length
        k = areas[e] / length * np.array([[c * c, c * s], [c * s, s * s]])
        dofs = [2 * i, 2 * i + 1, 2 * j, 2 * j + 1]
        stiffness[np.ix_(dofs, dofs)] += np.block([[k, -k], [-k, k]])
    free = np.setdiff1d(np.arange(8), [0, 1, 3])
    force, moved = np.zeros(8), np.zeros(8)
    force[-2:] = load
    moved[free] = np.linalg.solve(stiffness[np.ix_(free, free)], force[free])
    return force @ moved


def air(h):
    if h < 11000:
        temperature = 288.15 - 0.0065 * h
        pressure = 101325 * (temperature / 288.15) ** 5.2559
    else:
        temperature = 216.65
        pressure = 22632 * np.exp(-0.0001577 * (h - 11000))
    return pressure / (287.05 * temperature)


def shot(u):
    x = y = 0.0
    vx, vy = u[0] * math.cos(u[1]), u[0] * math.sin(u[1])
    while True:
        drag = 0.00025 * air(y) * math.hypot(vx, vy)
        x_before, y_before = x, y
        vx -= drag * vx * 0.5
        vy -= (9.81 + drag * vy) * 0.5
        x += vx * 0.5
        y += vy * 0.5
        if y < 0:
            break
    return x_before + y_before / (y_before - y) * (x - x_before)


def layers(n, d):
    m = np.eye(2, dtype=complex)
    for nj, dj in zip(n, d, strict=True):
        delta = 2 * np.pi * nj * dj / 0.6
        sine = np.sin(delta)
        m = m @ np.array([[np.cos(delta), 1j * sine / nj], [1j * nj * sine, np.cos(delta)]])
    b, c = m @ np.array([1, 1.52])
    return np.abs((b - c) / (b + c)) ** 2


def flow(first, second):
    ix, iy = np.gradient(first, axis=1), np.gradient(first, axis=0)
    u, v = np.zeros_like(first), np.zeros_like(first)
    for _ in range(2):
        pu, pv = np.pad(u, 1, mode="edge"), np.pad(v, 1, mode="edge")
        ub, vb = 0.5 * (pu[:-2, 1:-1] + pu[2:, 1:-1]), 0.5 * (pv[1:-1, :-2] + pv[1:-1, 2:])
        t = (ix * ub + iy * vb + second - first) / (0.5 + ix**2 + iy**2)
        u[:] = ub - ix * t
        v[...] = vb - iy * t
    return np.sum(u * u + v * v)


def smoother(z, q):
    f, h = np.array([[1, 1.0], [0, 1]]), np.array([[1.0, 0]])
    x, p = np.zeros((2, 1)), np.eye(2)
    xs, ps, xps, pps = [], [], [], []
    for zk in z:
        xp, pp = f @ x, f @ p @ f.T + q * np.eye(2)
        gain = pp @ h.T @ np.linalg.inv(h @ pp @ h.T + 0.4)
        x = xp + gain @ (zk - h @ xp)
        p = (np.eye(2) - gain @ h) @ pp
        xs.append(x)
        ps.append(p)
        xps.append(xp)
        pps.append(pp)
    for k in range(len(z) - 2, -1, -1):
        back = ps[k] @ f.T @ np.linalg.inv(pps[k + 1])
        xs[k] = xs[k] + back @ (xs[k + 1] - xps[k + 1])
        ps[k] = ps[k] + back @ (ps[k + 1] - pps[k + 1]) @ back.T
    return sum(float(np.sum(v**2)) for v in xs) + sum(np.trace(p) for p in ps)


PICTURE = np.sin(np.arange(16.0)).reshape(4, 4)
PROGRAMS = [
    (truss, (np.array([1.0, 0.8, 1.2, 0.9, 1.1, 0.7]), np.array([0.5, -1.0]))),
    (shot, (np.array([300.0, 0.9]),)),
    (layers, (np.array([1.38, 2.1, 1.5]), np.array([0.1, 0.07, 0.12]))),
    (flow, (PICTURE, np.roll(PICTURE, 1, 0))),
    (smoother, (np.array([0.2, 0.5, 0.1, 0.9]), 0.1)),
    (sigma_points, (np.array([0.1, 0.2]), COV, np.array([0.3, 0.1, 0.5]))),
    (rotations, (np.array([[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 1.0]]),)),
    (chain, (np.array([0.1, 0.4]), np.array([0.2, -0.1]))),
    (kept_steps, (np.array([1.0, 0.3]), 2.0)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_second_derivative(f, args):
    gradient = ad.grad(f, on_overwrite="save")
    x, rest = args[0], args[1:]
    along = np.random.default_rng(0).normal(size=x.shape)
    found = ad.jvp(gradient, copy.deepcopy(args), (along,), wrt=(0,), on_overwrite="save")[1]
    e = 1e-6
    ends = [gradient(x + h * along, *copy.deepcopy(rest)) for h in (e, -e)]
    expected = (ends[0] - ends[1]) / (2 * e)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.max(np.abs(expected)))


def halves(x):
    y = x * 1.0
    a, b = np.split(y, 2)
    a += b * b
    b[:] = a[::-1]
    return np.sum(y * x)


def test_found_by_address():
    """What finds adjoints by address has second derivatives in the other order."""
    x = np.array([0.6, 0.9, 1.3, 0.7])
    gradient = ad.grad(halves, on_overwrite="save")
    check_grads(halves, (x,), on_overwrite="save")
    found = ad.jvp(gradient, (x,), (x,))[1]
    expected = (gradient(x + 1e-6 * x) - gradient(x - 1e-6 * x)) / 2e-6
    np.testing.assert_allclose(found, expected, atol=1e-7)
