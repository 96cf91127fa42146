"""Second derivatives of whole programs, which must be there: filters, rotations, solvers.

What the pullback of such a program keeps is in lists of numbers, vectors and matrices, and what is
found out about one of them must not be lost to another.
"""

from __future__ import annotations

import copy

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
        pull[i + 1] = turned(q[i]).T @ pull[i] + np.array([-speed[i + 1] ** 2, 0.1])
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
PROGRAMS = [
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
    """What finds adjoints by address is refused at once: its analysis came to no end."""
    x = np.array([0.6, 0.9, 1.3, 0.7])
    gradient = ad.grad(halves, on_overwrite="save")
    check_grads(halves, (x,), on_overwrite="save")
    with pytest.raises(ad.CompileError, match="a name may mean one of several arrays"):
        ad.jvp(gradient, (x,), (x,))
