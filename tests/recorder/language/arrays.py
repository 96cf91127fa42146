"""Arrays: in place, views, iteration, helpers of NumPy that call back."""

from __future__ import annotations

import copy

import numpy as np

from tests.recorder.language.judge import X, program, world

M = np.array([[0.6, 0.9, 1.3], [0.7, 0.4, 1.1]])


@program()
def vectorized(x):
    f = np.vectorize(lambda v, k: v * v if v > k else v * 3)
    g = np.vectorize(np.sin, otypes=[float])
    return np.sum(f(x, 0.8)) * np.sum(g(x)) + np.vectorize(lambda v: v * 2)(x[0])


@program(M)
def ndenumerated(a):
    t = 0.0
    for (i, j), v in np.ndenumerate(a):
        t += (i + 1) * v * v + j * v
    for i in np.ndindex(*a.shape):
        t *= 1 + 0.1 * a[i]
    return t


@program(M)
def along_axis(a):
    f = np.apply_along_axis(lambda r: r * r.sum(), 1, a)
    g = np.apply_along_axis(np.sum, 0, a)
    return np.sum(f) + np.sum(g**2)


@program(M)
def flat_of_all_sorts(a):
    b = a * 2
    b.flat[1] = 3.0
    b.flat[2:4] = a.flat[0:2] * 3
    t = sum(v * k for k, v in enumerate(b.flat))
    it = a.flat
    return t + next(it) * next(it) + sum(it) + b.ravel()[4] + len(a.flat)


@program()
def object_arrays(x):
    a = np.empty(4, dtype=object)
    for k in range(4):
        a[k] = float(x[k])
    a[0] = a[1] * a[2]
    b = np.array([x[0], None, "s"], dtype=object)
    return a[0] * a[3] + b[0] + sum(v * v for v in a)


@program()
def structured_arrays(x):
    a = np.zeros(4, dtype=[("p", float), ("w", float), ("n", int)])
    a["p"] = x
    a["w"][1:] = x[:-1] * 2
    a["n"] = [1, 2, 3, 4]
    return np.sum(a["p"] * a["w"] * a["n"]) + np.sum(a["p"] ** 2)


@program()
def masked_writes(x):
    a = x.copy()
    a[a > 0.8] *= 2
    a[x < 0.65] = x[3]
    np.putmask(a, x > 1.2, x * x)
    b = np.where(x > 0.8, x, 0.0)
    np.copyto(b, x * 3, where=x < 0.8)
    a[[0, 2]] += x[1]
    np.add.at(a, [1, 1, 3], x[0])
    return np.sum(a * b)


@program()
def in_place_ufuncs(x):
    a = np.empty(4)
    np.multiply(x, 2.0, out=a)
    np.add(a, x[::-1], out=a)
    np.sin(a, out=a)
    b = x * 1.0
    b **= 2
    b /= x + 1
    b -= a
    b[1:] += b[:-1]
    np.exp(b, b)
    return np.sum(b)


@program(M)
def views_of_views(a):
    b = a * 1.0
    c = b.T[1:]
    d = c[::-1, :1]
    d *= 3.0
    c[0][1] = a[0, 0]
    e = b.reshape(-1)
    e[2:5] = e[1:4] * 2.0
    f = b[:, None, :]
    f[0, 0, 0] += a[1, 1]
    return np.sum(b * b)


@program()
def strided(x):
    w = np.lib.stride_tricks.sliding_window_view(x, 2)
    d = np.lib.stride_tricks.as_strided(x, (2,), (16,))
    return np.sum(w.prod(axis=1)) + np.sum(d * d)


@program(M)
def rows_and_unpacking(a):
    r, s = a
    (p, q, _), (*u, v) = a
    t = 0.0
    for row in a:
        for k in row:
            t += k * p
    for i, (b, c, d) in enumerate(a):
        t += i * b * c + d
    return t + np.sum(r * s) * q + sum(u) * v + sum(map(np.sum, a)) + max(a[0]) * min(a[1])


@program()
def lists_and_back(x):
    a = x.tolist()
    b = list(x)
    c = np.array([a[0] * a[1], b[2], 2.0, *a])
    d = np.array([[v, v * v] for v in a])
    e = np.array((x, x * 2))
    f = np.fromiter((v * 2 for v in a), dtype=float)
    g = np.array([[x[0], 1.0], [0.0, x[1]]]) @ np.array([x[2], x[3]])
    return np.sum(c) * np.sum(d) + np.sum(e[1]) + np.sum(f * x) + g[0] * g[1]


@program()
def ufunc_methods(x):
    t = np.add.reduce(x) * np.multiply.reduce(x)
    t += np.sum(np.add.accumulate(x) * x) + np.sum(np.multiply.outer(x, x))
    t += np.maximum.reduce(x) + np.add.reduceat(x, [0, 2])[1]
    return t + np.subtract.outer(x, x)[0, 1]


@program()
def elements_kept(x):
    a = np.zeros(4)
    for k in range(4):
        a[k] = x[k] * (a[k - 1] if k else 1.0)
    b = a[1]
    a[1] = x[0] * 5
    c = a[1:3]
    a[2] = b * x[3]
    return np.sum(c) * b + a.item(2) + a.item() if a.size == 1 else np.sum(c) * b + a.item(2)


@world()
def arrays_outside():
    grid, hist = np.zeros(4), []

    class Store:
        buffer = np.ones(4)

    def f(x):
        grid[:] = x * 2
        grid[1] += x[0]
        Store.buffer[::2] = x[::2] ** 2
        hist.append(grid.copy())
        hist.append(grid[2])
        return np.sum(grid * Store.buffer) * hist[-1]

    return f, [grid, hist, Store]


@program(X, {"w": np.array([1.0, 2.0]), "b": 0.3})
def arguments_changed(x, p):
    x[0] = x[1] * x[2]
    x[1:] *= p["b"]
    p["w"] = p["w"] * x[0]
    p["b"] += x[3]
    p["new"] = 2.0 * p["b"]
    return np.sum(p["w"]) * p["new"] + np.sum(x)


@program()
def copies_of_arrays(x):
    a = copy.copy(x)
    b = copy.deepcopy([x, {"k": x}])
    a[0] = 9.0
    b[0][1] = 2.0
    c = x.copy()
    c *= 2
    d = np.array(x)
    d[3] = 0.0
    return np.sum(a * b[0]) + np.sum(b[1]["k"] * c * d) + (b[0] is b[1]["k"])


@program()
def numbers_of_numpy(x):
    v = x[0]
    t = v.item() * 2 + float(x[1]) + np.float64(x[2]) + x[3].real + v.sum() + v.astype(float)
    t += v.conjugate() + np.float64(3.0) * v.T + v.clip(0.0, 0.5) + v.copy() + v.squeeze()
    return t + v.max() * v.mean() + np.asarray(v) + v.reshape(1)[0] + v.flatten()[0]


@program()
def sorted_arrays(x):
    a = x.copy()
    a.sort()
    b = x[np.argsort(-x)]
    i = np.searchsorted(a, 0.8)
    a[i:].fill(x[0])
    return np.sum(a * np.arange(4)) + b[0] * b[1] + np.partition(x, 1)[0] + np.median(x)


@program(M)
def methods_of_arrays(a):
    t = a.sum(axis=0).prod() + a.mean() * a.max() + a.std() + a.cumsum()[2] + a.trace()
    t += a.T.dot(a)[0, 1] + a.ravel().take([1, 2]).sum() + a.repeat(2).sum() + a.diagonal().sum()
    t += a.swapaxes(0, 1)[2, 1] + a.compress([True, False], axis=0).sum() + a.clip(0.5, 1.0).sum()
    t += a.choose([a, a])[0, 0] if False else 0.0
    return t + a.ptp() * a.var() if hasattr(a, "ptp") else t + a.var()


@program(M)
def functions_of_lists(a):
    b = np.concatenate([a, a * 2])
    c = np.stack([r for r in a], axis=1)
    d = np.vstack((a[0], a[1] * a[0])) + np.column_stack([a[:, 0], a[:, 1], a[:, 2]])
    e = np.split(b, 2)
    f = np.block([[a], [b]])
    g = np.meshgrid(a[0], a[1])
    h = np.broadcast_arrays(a[:, :1], a)
    return (np.sum(b) + c[0, 1] * d[1, 2] + e[1][0, 0] + f[3, 1] ** 2 + np.sum(g[0] * g[1])
            + np.sum(h[0] * h[1]) + np.einsum("ij,ij->", a, a)
            + np.piecewise(a, [a < 0.8], [0, 1.0])[0, 1])  # fmt: skip


@program()
def piecewise_and_select(x):
    a = np.select([x < 0.65, x < 1.0], [x * x, x * 3], default=0.5)
    b = np.piecewise(x, [x < 0.8, x >= 0.8], [lambda v: v**2, lambda v: v * 5])
    return np.sum(a * b) + np.interp(x[0], [0.0, 1.0], [x[1], x[2]]) + np.polyval(x, 2.0)


@program()
def results_that_are_arrays(x):
    return np.outer(x, x)[:2] + x.sum()


@program(0.6, 1.3)
def results_in_containers(a, b):
    return {"s": a + b, "l": [a * b, (a, 1.0)]}["l"][0] + a


@program()
def result_is_a_list(x):
    return [x[0] * x[1], float(x[2]), x[3]]


@program()
def reduce_ufunc_by_functions(x):
    return (
        np.sum([v * v for v in x]) + np.prod(list(x)) + np.mean((x[0], x[1])) + np.max([x[2], 0.1])
    )
