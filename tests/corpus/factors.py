"""Arrays in the tuples that NumPy returns, such as factors of a matrix, which are written."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("factors")


def of(x):
    return np.outer(x, x) + np.diag([1.0, 2.0, 3.0, 4.0])


@CASES.add(vec(4), verdicts={"w[w < 2.0]": "recomputed"})
def clipped_eigenvalues(x):
    w, v = np.linalg.eigh(of(x))
    w[w < 2.0] = 2.0
    return np.sum((v * w) @ v.T * of(x))


@CASES.add(vec(4))
def truncated(x):
    u, s, vt = np.linalg.svd(of(x), full_matrices=False)
    s[2:] = 0.0
    return np.sum((u * s) @ vt * of(x))


@CASES.add(vec(4))
def signs_in_a_loop(x):
    q, r = np.linalg.qr(of(x))
    for i in range(4):
        if r[i, i] < 0:
            r[i] *= -1
            q[:, i] *= -1
    return np.sum(q * of(x)) + np.sum(r**2)


@CASES.add(vec(4), default="AD301", save="ok")
def factors_of_what_is_overwritten(x):
    a = of(x)
    for k in range(3):
        w, v = np.linalg.eigh(a)
        w[0] = x[k]
        a[:] = (v * w) @ v.T
        a += a.T
    return np.sum(a * of(x))


@CASES.add(vec(4), default="AD301", save="ok")
def one_of_two_is_written(x):
    a = of(x)
    w, v = np.linalg.eigh(a)
    a[0, 0] = 0.0
    w[0] = a[1, 1]
    return np.sum(w**3) + np.sum(a * v)


def factors(a):
    return np.linalg.eigh(a)


@CASES.add(vec(4), verdicts={"v *= w": "renamed"})
def factors_from_a_function(x):
    w, v = factors(of(x))
    w[:2] = 0.5
    v *= w
    return np.sum(w**2) + np.sum(v * of(x))


@CASES.add(vec(4), default="AD301", save="ok")
def handed_out_and_lost(x):
    a = of(x)
    w, v = factors(a)
    a *= 2.0
    w[:2] = x[0]
    v[0] = w
    return np.sum(w**2) + np.sum(v * a)


@CASES.add(vec(4))
def through_other_names(x):
    e = np.linalg.eigh(of(x))
    first = e[0]
    first[0] = 1.0
    e[1][1] = first
    w, v = e
    return np.sum((v * w) @ v.T * of(x))


@CASES.add(vec(4))
def put_into_a_starred_name(x):
    w, *rest = np.linalg.eigh(of(x))
    w[0] = 3.0
    rest[0][0] = w
    return np.sum(w**2) + np.sum(rest[0] ** 2 * of(x))


@CASES.add(mat(3, 4), default="AD301", save="ok")
def parts_and_remainders(a):
    q, r = np.divmod(a, 0.37)
    r[0] = a[1]
    f, e = np.frexp(a)
    f[1] *= a[0]
    return np.sum(r**2) + np.sum(f**2) + np.sum(q)


@CASES.add(vec(5))
def distinct_values(x):
    u, back, count = np.unique(x, return_inverse=True, return_counts=True)
    u[0] = 0.0
    count += 1
    return np.sum(u[back] ** 2) + np.sum(u * count)


class Modes:
    def __init__(self, a):
        self.w, self.v = np.linalg.eigh(a)

    def clip(self):
        self.w[0] = 0.0


@CASES.add(vec(4))
def kept_in_an_object(x):
    m = Modes(of(x))
    m.clip()
    m.v[0] = m.w
    return np.sum((m.v * m.w) @ m.v.T * of(x))


def twice(a):
    b = a * 2.0
    return b, b


def handed_on(a):
    return twice(a)


@CASES.add(vec(4))
def one_array_under_two_names(x):
    w, v = handed_on(x)
    w[0] = 0.0
    return np.sum(v**2)


@CASES.add(mat(4, 5))
def one_item_under_two_names(x):
    t = np.gradient(x)
    a, b = t[0], t[0]
    a[0] = x[1]
    return np.sum(a * b) + np.sum(t[0] ** 2)


@CASES.add(vec(4))
def kept_in_a_list_of_each_round(x):
    kept = []
    for k in range(3):
        w, _ = np.linalg.eigh(of(x) * (k + 1))
        kept.append(w)
        w[0] = k
        if k:
            kept[k - 1][1] *= 2.0
    return sum(np.sum(w**2) for w in kept)


@CASES.add(vec(4))
def change_places(x):
    w, v = np.linalg.eigh(of(x))
    u, _ = np.linalg.eigh(of(x) @ of(x))
    for k in range(3):
        w, u = u, w
        w[0] = k * u[1]
        u *= 1.5
    return np.sum(w**2 * u) + np.sum(v**2 * of(x))


def write_both(w, v):
    w *= 2.0
    v[0] = w
    return v


@CASES.add(vec(4))
def written_by_a_function(x):
    w, v = np.linalg.eigh(of(x))
    z = write_both(w, v)
    z[1] = w
    return np.sum(z**2 * of(x)) + np.sum(v**2)


@CASES.add(vec(4))
def made_in_a_while_loop(x):
    k, v = 0, np.eye(4)
    while k < 3:
        s = np.sum(v**2 * of(x)) * 0.01
        w, v = np.linalg.eigh(of(x) + s * np.diag(x))
        w[k] = s
        v[k] = w
        k += 1
    return np.sum(v**2) + np.sum(w)


@CASES.add(vec(4))
def views_of_a_factor(x):
    w, v = np.linalg.eigh(of(x))
    column, turned = v[:, 0], v.T
    column *= 2.0
    turned[1] += w
    return np.sum(v**2) + np.sum(w**2)


@CASES.add(vec(4), default="AD301", save="ok")
def taken_apart_twice(x):
    t = np.divmod(np.outer(x, x), 0.37)
    _, b = t
    b *= np.sin(b)
    _, d = t
    d[0] = x
    return np.sum(b * d)
