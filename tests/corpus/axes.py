"""In-place updates along an axis that a loop or an argument names, and of gradients along each."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("axes")

CUBE = np.linspace(0.4, 1.6, 24).reshape(2, 3, 4)


@CASES.add(CUBE)
def recurrence_along_each(x):
    out = x * 1.0
    for axis in range(3):
        w = np.moveaxis(out, axis, 0)
        for i in range(1, w.shape[0]):
            w[i] += 0.5 * w[i - 1]
    return np.sum(out**2)


@CASES.add(CUBE)
def sums_along_each(x):
    out = x.copy()
    for axis in range(x.ndim):
        w = np.moveaxis(out, axis, -1)
        w[..., 1:] += w[..., :-1]
    return np.sum(out**2)


@CASES.add(CUBE)
def neighbours_along_each(x):
    out = np.zeros_like(x)
    for axis in range(x.ndim):
        o, v = np.swapaxes(out, 0, axis), np.swapaxes(x, 0, axis)
        o[1:] += v[1:] - v[:-1]
        o[0] += v[0] ** 2
    return np.sum(out**2)


@CASES.add(CUBE, default="MutationError", save="ok")
def with_a_method(x):
    out = x.copy()
    for axis in range(x.ndim):
        o = out.swapaxes(axis, -1)
        o[..., 0] *= 2.0
        o[..., 1:] += np.sin(o[..., :-1])
    return np.sum(out**2)


@CASES.add(CUBE, 1)
def axis_as_an_argument(x, axis):
    out = x.copy()
    v = np.moveaxis(out, axis, -1)
    v[..., 0] = 0.0
    return np.sum(np.cumsum(out, axis) ** 2) + np.sum(np.roll(out, 1, axis) * x)


@CASES.add(CUBE, default="MutationError", save="ok")
def two_axes_in_loops(x):
    out = x.copy()
    for a in range(3):
        for b in range(a):
            w = np.swapaxes(out, a, b)
            w[0] += w[1] * w[0]
            w[1, 0] = 0.0
    return np.sum(out**2)


@CASES.add(mat(4, 5))
def gradients_without_borders(x):
    for _ in range(2):
        down, along = np.gradient(x)
        down[:, 0] = down[:, 1]
        along[0] *= 2.0
        x = x + 0.1 * (down + along)
    return np.sum(x**2)


@CASES.add(mat(4, 5), default="ok/AD304", save="ok")
def each_gradient(x):
    s = 0.0
    for g in np.gradient(x):
        g[0] = 0.0
        s += np.sum(g**2)
    return s


@CASES.add(vec(5))
def gradient_of_a_line(x):
    g = np.gradient(x)
    first, last = g[:2], g[2:]
    first[0] = x[1]
    last *= 2.0
    return np.sum(g**2) + np.sum(first)


@CASES.add(mat(2, 5))
def gradient_of_lines(x):
    a, b = np.gradient(x, axis=1)
    a[0] = x[1, 1]
    b += a
    return np.sum(a * b)
