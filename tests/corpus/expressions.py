"""NumPy expressions: operators, subscripts, reductions, broadcasting."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, spd, vec

CASES = Programs("expressions")


@CASES.add(vec(3), vec(3, 0.2), wrt=(0, 1))
def operators(a, b):
    return np.sum(-a * b + a / b - (a - b) ** 2 + a**b + abs(a - 3.0) + +b)


@CASES.add(1.3, 0.4, wrt=(0, 1))
def operators_on_numbers(a, b):
    return -a * b + a / b - (a - b) ** 3 + a**b + abs(b - 3.0) + a % 7.0


@CASES.add(mat(3, 4), vec(4), wrt=(0, 1))
def broadcasting(m, v):
    return np.sum(m * v + v[None, :] / m - m[:, :1] * m)


@CASES.add(mat(3, 1), mat(1, 4), wrt=(0, 1))
def broadcasting_both_ways(a, b):
    return np.sum((a + b) * (a * b))


@CASES.add(vec(4), 2.5, wrt=(0, 1))
def array_and_number(x, c):
    return np.sum(c * x + x**2 / c - c)


@CASES.add(vec(7))
def slices(x):
    return np.sum(x[1:5] * x[2:6]) + np.sum(x[::2]) * np.sum(x[-3:]) - x[:-4][1]


@CASES.add(vec(7))
def negative_steps(x):
    return np.sum(x[::-1] * x) + np.sum(x[5:1:-2] * x[:2])


@CASES.add(mat(3, 4))
def ellipsis_and_newaxis(x):
    y = x[..., 1] * x[0, ...][:3]
    z = x[:, None, :] * x[None, :, :]
    return np.sum(y) + np.sum(z)


@CASES.add(mat(3, 4))
def newaxis_by_its_name(x):
    y = x[0] * 2.0
    z = x - y[np.newaxis, :] * x[:, 1][:, np.newaxis]
    z[np.newaxis][0, 1] = y
    return np.sum(z * z)


@CASES.add(np.arange(24.0).reshape(2, 3, 4) / 10 + 0.5)
def three_dimensions(x):
    y = x[1] * x[0]
    return np.sum(y[:, ::-1] * x[0, :, 1:2]) + np.sum(x[..., 0, :])


@CASES.add(vec(6))
def integer_arrays(x):
    idx = np.array([3, 1, 3, 0])
    return np.sum(x[idx] ** 2) + np.sum(x[[0, 5]] * x[[5, 0]])


@CASES.add(mat(4, 3))
def integer_arrays_in_two_dimensions(x):
    rows = np.array([0, 2, 2])
    return np.sum(x[rows, [1, 0, 0]] ** 2) + np.sum(x[:, [2, 2]] * x[:, :2]) + np.sum(x[rows] ** 3)


@CASES.add(vec(6))
def boolean_masks(x):
    big = x > 1.0
    return np.sum(x[big] ** 2) - np.sum(x[~big & (x > 0.5)])


@CASES.add(mat(3, 3))
def boolean_mask_in_two_dimensions(x):
    return np.sum(x[x < 1.0] ** 3)


@CASES.add(vec(5), 2, wrt=0)
def computed_indices(x, k):
    return x[k] * x[k + 1] * x[-k] + x[len(x) - 1] * x[x.shape[0] // 2]


@CASES.add(mat(3, 4))
def reductions(x):
    a = np.sum(x, axis=0) * np.mean(x, axis=0)
    b = x.sum(axis=1, keepdims=True) * x
    return np.sum(a) + b.mean() + np.prod(x[0]) + np.var(x) + np.std(x, axis=1).sum()


@CASES.add(mat(3, 4))
def extrema(x):
    return np.max(x) * np.min(x, axis=1).sum() + np.sum(np.maximum(x, 1.0) * np.minimum(x, x[0]))


@CASES.add(vec(5))
def cumulative(x):
    return np.sum(np.cumsum(x) * x) + np.sum(np.diff(x) ** 2)


@CASES.add(mat(3, 4), vec(4), wrt=(0, 1))
def matrix_products(a, v):
    return np.sum((a @ v) ** 2) + v @ v + np.sum(a.T @ a) + np.dot(a[0], v) + np.sum(np.outer(v, v))


@CASES.add(spd(3), vec(3), wrt=(0, 1))
def linear_algebra(a, b):
    x = np.linalg.solve(a, b)
    return b @ x + np.linalg.det(a) + np.sum(np.linalg.inv(a)) + np.linalg.slogdet(a)[1]


@CASES.add(mat(3, 4), mat(4, 2), wrt=(0, 1))
def einsum(a, b):
    return np.sum(np.einsum("ij,jk->ki", a, b) ** 2) + np.einsum("ij,ij->", a, a)


@CASES.add(vec(6))
def shapes(x):
    m = x.reshape(2, 3)
    y = np.concatenate([m.T.ravel(), x[:2]])
    z = np.stack([x, x * x])
    return np.sum(y * y) + np.sum(z[1] * z[0]) + np.sum(np.expand_dims(x, 0) * x[:, None])


@CASES.add(vec(6))
def elementwise_functions(x):
    return np.sum(
        np.sin(x) * np.exp(-x) + np.log(x) / np.sqrt(x) + np.tanh(x) * np.arctan(x) + np.log1p(x)
    )


@CASES.add(vec(6))
def where_and_clip(x):
    return np.sum(np.where(x > 1.0, x * x, np.sin(x))) + np.sum(np.clip(x, 0.8, 1.2) * x)


@CASES.add(vec(6))
def methods(x):
    return (x.copy() * x.mean()).sum() + x.dot(x) + x.max() + x.reshape(3, 2).transpose().prod()


@CASES.add(vec(4).astype(np.float32))
def single_precision(x):
    y = np.zeros(4, dtype=np.float32)
    for i in range(4):
        y[i] = x[i] * x[i] * 2.0
    return np.sum(y * x)


@CASES.add(vec(4), np.array([1, 2, 3, 4]), wrt=0)
def integers_beside_floats(x, n):
    return np.sum(x * n) + np.sum(x**n) + len(n) * x[n[0]]


@CASES.add(np.array(1.5))
def zero_dimensional(x):
    return x * x + np.sin(x)


@CASES.add(vec(3))
def linspace_arange_ones(x):
    t = np.linspace(0.0, x[0], 4)
    return np.sum(t * t) + np.sum(np.full(3, x[1]) * np.arange(3)) + np.sum(np.ones_like(x) * x)


@CASES.add(vec(3))
def text_of_sizes_decides(x):
    name = f"{x.shape}-{len(x)} of {x.dtype}"
    if name.startswith("("):
        return np.sum(x * x) * float(name[1])
    return 0.0


@CASES.never(vec(3), code="AD202")
def text_read_as_a_number_again(x):
    text = f"{x[0]:.12f}"
    return np.sum(x) + float(text)
