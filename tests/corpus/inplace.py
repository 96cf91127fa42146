"""Algorithms that overwrite as they go and need nothing of what they overwrite: accepted as they
stand, without a copy."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, spd, vec

CASES = Programs("inplace")
BOTH = (0, 1)


# Recurrences and triangular systems.


@CASES.add(vec(6), vec(6), wrt=BOTH, row="3")
def two_step_recurrence(a, x):
    y = np.zeros(len(x))
    y[0] = x[0]
    y[1] = x[1]
    for i in range(2, len(x)):
        y[i] = a[i] * y[i - 1] - 0.5 * y[i - 2] * x[i]
    return np.sum(y * y)


@CASES.add(vec(6), row="3")
def backward_recurrence(x):
    y = x.copy()
    for i in range(len(y) - 2, -1, -1):
        y[i] = y[i] * y[i + 1] + x[i]
    return y[0]


@CASES.add(spd(4), vec(4), wrt=BOTH, row="69")
def forward_substitution(L, b):
    y = b.copy()
    n = len(b)
    for i in range(n):
        for j in range(i):
            y[i] -= L[i, j] * y[j]
        y[i] /= L[i, i]
    return np.sum(y * y)


@CASES.add(spd(4), vec(4), wrt=BOTH, row="69")
def back_substitution_reversed(U, b):
    y = b.copy()
    n = len(b)
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            y[i] -= U[i, j] * y[j]
        y[i] = y[i] / U[i, i]
    return np.sum(y)


@CASES.add(spd(4), vec(4), wrt=BOTH, row="69")
def forward_substitution_by_columns(L, b):
    y = b.copy()
    n = len(b)
    for j in range(n):
        y[j] = y[j] / L[j, j]
        y[j + 1 :] -= L[j + 1 :, j] * y[j]
    return np.sum(y * y)


@CASES.add(spd(4), vec(4), wrt=BOTH, row="69")
def back_substitution_with_dots(U, b):
    n = len(b)
    y = np.zeros(n)
    for i in range(n - 1, -1, -1):
        y[i] = (b[i] - U[i, i + 1 :] @ y[i + 1 :]) / U[i, i]
    return np.sum(y * y)


@CASES.add(vec(5), vec(5), vec(5), vec(5), wrt=(0, 1, 2, 3), row="70")
def thomas(a, b, c, d):
    n = len(d)
    b = b + 3.0
    d = d.copy()
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] = b[i] - w * c[i - 1]
        d[i] = d[i] - w * d[i - 1]
    x = np.zeros(n)
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return np.sum(x * x)


# Factorisations.


@CASES.add(spd(4), row="70")
def lu_with_scalars(A):
    A = A.copy()
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    return A[n - 1, n - 1] * A[1, 0] + A[0, n - 1]


@CASES.add(spd(4), row="70")
def lu_with_row_slices(A):
    A = A.copy()
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            A[i, k + 1 :] -= A[i, k] * A[k, k + 1 :]
    return A[n - 1, n - 1] * A[1, 0] + A[0, n - 1]


@CASES.add(spd(4), row="70")
def lu_with_row_slices_row_by_row(A):
    A = A.copy()
    n = len(A)
    for i in range(1, n):
        for k in range(i):
            A[i, k] /= A[k, k]
            A[i, k + 1 :] -= A[i, k] * A[k, k + 1 :]
    return np.sum(A * A)


@CASES.add(spd(4), row="70")
def cholesky_with_scalars(A):
    A = A.copy()
    n = A.shape[0]
    for j in range(n):
        for k in range(j):
            A[j, j] -= A[j, k] * A[j, k]
        A[j, j] = np.sqrt(A[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
    return A[0, 0] + A[n - 1, n - 1] * A[n - 1, 0]


@CASES.add(spd(4), row="70")
def cholesky_with_row_slices(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
        L[i, i] = np.sqrt(A[i, i] - L[i, :i] @ L[i, :i])
    return np.sum(L * L) + L[n - 1, 0]


@CASES.add(spd(4), row="70")
def cholesky_with_columns(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - np.sum(L[i, :j] * L[j, :j])) / L[j, j]
    return np.sum(L)


@CASES.add(spd(4), vec(4), wrt=BOTH, row="70")
def gaussian_elimination_and_solution(A, b):
    A, b = A.copy(), b.copy()
    n = len(b)
    for k in range(n - 1):
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= A[i, j] * x[j]
        x[i] = s / A[i, i]
    return np.sum(x * x)


# Polynomials, scans, tables.


@CASES.add(vec(5), vec(3), wrt=BOTH, row="4")
def horner_into_an_array(c, t):
    y = np.zeros((len(c) + 1, len(t)))
    for k in range(len(c)):
        y[k + 1] = y[k] * t + c[k]
    return np.sum(y[-1] * y[-1])


@CASES.add(vec(6), row="3")
def prefix_sums(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return np.sum(y * y)


@CASES.add(vec(8), row="16")
def prefix_sums_by_doubling(x):
    y = x.copy()
    step = 1
    while step < len(y):
        y[step:] = y[step:] + y[:-step]
        step *= 2
    return y[-1] * y[3]


@CASES.add(vec(6), row="3")
def prefix_products(x):
    y = np.ones(len(x) + 1)
    for i, v in enumerate(x):
        y[i + 1] = y[i] * v
    return np.sum(y)


@CASES.add(mat(4, 5), row="3")
def cheapest_path_through_a_table(cost):
    rows, columns = cost.shape
    best = np.zeros((rows, columns))
    best[0, 0] = cost[0, 0]
    for j in range(1, columns):
        best[0, j] = best[0, j - 1] + cost[0, j]
    for i in range(1, rows):
        best[i, 0] = best[i - 1, 0] + cost[i, 0]
        for j in range(1, columns):
            best[i, j] = cost[i, j] * min(best[i - 1, j], best[i, j - 1])
    return best[-1, -1]


@CASES.add(mat(3, 5), vec(5), wrt=BOTH, row="4")
def table_of_rows(cost, start):
    n = len(cost)
    best = np.zeros((n + 1, len(start)))
    best[0] = start
    for t in range(n):
        best[t + 1, 1:] = np.tanh(best[t, :-1] * cost[t, 1:])
        best[t + 1, 0] = best[t, 0] * cost[t, 0]
    return np.sum(best[n] * best[n])


@CASES.add(vec(6), vec(6), wrt=BOTH, row="16")
def red_black_gauss_seidel(u, f):
    u = u.copy()
    for _ in range(3):
        u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2] - f[1:-1:2])
        u[2:-1:2] = 0.5 * (u[1:-2:2] + u[3::2] - f[2:-1:2])
    return np.sum(u * u)


@CASES.add(mat(4, 5), row="16")
def red_black_by_elements(u):
    u = u.copy()
    for colour in range(2):
        for i in range(1, 3):
            for j in range(1, 4):
                if (i + j) % 2 == colour:
                    u[i, j] = 0.25 * (u[i - 1, j] * u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return np.sum(u * u)


# Filters, stages, histories.


@CASES.add(vec(3), vec(8), wrt=BOTH, row="7")
def fir_filter(h, x):
    y = np.zeros(len(x))
    for n in range(len(x)):
        for k in range(len(h)):
            if n - k >= 0:
                y[n] += h[k] * x[n - k]
    return np.sum(y * y)


@CASES.add(vec(3), vec(8), wrt=BOTH, row="7")
def fir_filter_with_slices(h, x):
    y = np.zeros(len(x))
    for k in range(len(h)):
        y[k:] += h[k] * x[: len(x) - k]
    return np.sum(y * y)


@CASES.add(vec(2), vec(2), vec(8), wrt=(0, 1, 2), row="3")
def iir_filter_in_place(b, a, x):
    y = x.copy()
    for n in range(2, len(y)):
        y[n] = b[0] * x[n] + b[1] * x[n - 1] - a[0] * 0.3 * y[n - 1] - a[1] * 0.2 * y[n - 2]
    return np.sum(y * y)


def slope(u, p):
    return np.sin(u) * p


@CASES.add(vec(3), 0.7, wrt=BOTH, row="4")
def runge_kutta_stages(u, p):
    K = np.zeros((4, len(u)))
    h = 0.1
    K[0] = slope(u, p)
    K[1] = slope(u + 0.5 * h * K[0], p)
    K[2] = slope(u + 0.5 * h * K[1], p)
    K[3] = slope(u + h * K[2], p)
    u = u + h / 6.0 * (K[0] + 2.0 * K[1] + 2.0 * K[2] + K[3])
    return np.sum(u * u)


@CASES.add(vec(3), 0.7, wrt=BOTH, row="4")
def runge_kutta_steps_over_one_work_array(u, p):
    K = np.zeros((2, len(u)))
    h = 0.1
    for _ in range(3):
        K[0] = slope(u, p)
        K[1] = slope(u + h * K[0], p)
        u = u + 0.5 * h * (K[0] + K[1])
    return np.sum(u * u)


@CASES.add(vec(3), mat(3, 3), wrt=BOTH, row="4")
def stages_from_a_tableau(u, a):
    K = np.zeros((3, len(u)))
    for s in range(3):
        v = u.copy()
        for j in range(s):
            v += 0.1 * a[s, j] * K[j]
        K[s] = np.sin(v)
    return np.sum(u + 0.1 * (K[0] + K[1] + K[2]))


@CASES.add(vec(4), 0.3, wrt=BOTH, row="4")
def history(u, p):
    n = 5
    H = np.zeros((n + 1, len(u)))
    H[0] = u
    for t in range(n):
        H[t + 1] = H[t] + 0.1 * np.sin(H[t]) * p
    return np.sum(H[n] ** 2) + np.sum(H[2])


@CASES.add(vec(4), 0.3, wrt=BOTH, row="4")
def history_of_parts(u, p):
    n = 4
    H = np.zeros((n + 1, len(u)))
    H[0, :] = u
    for t in range(1, n + 1):
        H[t, 1:-1] = H[t - 1, 1:-1] * H[t - 1, 2:] * p
        H[t, 0] = H[t - 1, 0]
        H[t, -1] = H[t - 1, -1] ** 2
    return np.sum(H[-1])


@CASES.add(vec(5), row="3")
def levinson_durbin(r):
    n = len(r) - 1
    a = np.zeros((n + 1, n + 1))
    e = r[0] + 5.0
    for k in range(1, n + 1):
        acc = r[k]
        for j in range(1, k):
            acc = acc - a[k - 1, j] * r[k - j]
        a[k, k] = acc / e
        for j in range(1, k):
            a[k, j] = a[k - 1, j] - a[k, k] * a[k - 1, k - j]
        e = e * (1.0 - a[k, k] ** 2)
    return e + a[n, 1]


# Loops that count in other ways.


@CASES.add(vec(6), vec(6), wrt=BOTH, row="3")
def zipped(x, w):
    y = np.zeros(len(x) + 1)
    for i, (a, b) in enumerate(zip(x, w)):
        y[i + 1] = y[i] * a + b
    return y[-1]


@CASES.add(vec(9), row="4")
def strides_that_never_meet(x):
    y = x.copy()
    for i in range(0, 3):
        y[3 * i] = y[3 * i + 1] * y[3 * i + 2]
    y[::3] = np.sin(y[1::3])
    return np.sum(y)


@CASES.add(vec(8), row="4")
def even_from_odd(x):
    y = x.copy()
    y[::2] = y[1::2] * y[1::2]
    return np.sum(y)


@CASES.add(vec(8), row="4")
def halves(x):
    y = x.copy()
    n = len(y) // 2
    for i in range(n):
        y[i + n] = y[i] * y[i]
    return np.sum(y)


@CASES.add(mat(4, 4), row="4")
def upper_from_lower(A):
    A = A.copy()
    for i in range(4):
        A[i, i + 1 :] = A[i + 1 :, i] * A[i + 1 :, i]
    return np.sum(A * 2.0)


@CASES.add(mat(4, 4), row="4")
def triangular_loop_with_rows(A):
    B = np.zeros(A.shape)
    for i in range(A.shape[0]):
        B[i] = A[i]
        for j in range(i):
            B[i] = B[i] - 0.1 * B[j] * A[i, j]
    return np.sum(B)


# Division in place: the adjoint of the divisor is computed from the quotient, which stays.


@CASES.add(spd(4), row="70")
def lu_with_a_column_divided(A):
    A = A.copy()
    n = len(A)
    for k in range(n - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return np.sum(np.log(np.diag(A))) + A[1, 0]


@CASES.add(spd(4), row="70")
def cholesky_with_a_column_divided(A):
    A = A.copy()
    n = len(A)
    for k in range(n):
        A[k, k] = np.sqrt(A[k, k])
        A[k + 1 :, k] /= A[k, k]
        for j in range(k + 1, n):
            A[j:, j] -= A[j:, k] * A[j, k]
    return np.sum(np.log(np.diag(A))) + A[2, 1]


@CASES.add(mat(3, 3), row="13")
def rows_scaled_to_sum_to_one(A):
    alpha = np.zeros((3, 3))
    scale = np.zeros(3)
    alpha[0] = 1.0
    for t in range(1, 3):
        alpha[t] = alpha[t - 1] @ A
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return np.sum(np.log(scale[1:])) + alpha[2, 1]


@CASES.add(vec(4), row="13")
def divided_through_a_view(x):
    y = x * x
    rows = y.reshape(2, 2)
    rows /= rows.sum(axis=1, keepdims=True)
    return np.sum(y * x)
